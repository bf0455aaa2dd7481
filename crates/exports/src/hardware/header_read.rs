//! **What:** the headers for C that this program writes, read back: definitions, the declaration of a row, and arrays of rows. It is no reader of C:
//! what is not written by `header` is refused with its place.

use super::header_names::Prefix;
use super::header_tokens::Tokens;
use super::rows::{Port, Route, Rows, Turn, Unit};
use super::{Head, Kind};
use formats::{Fault, ReadError, read_text};
use kernel::Slots;
use std::collections::HashMap;
use std::path::Path;

const ROUTE: &[&str] = &["step", "node", "to", "messages", "first", "hops"];
const TURN: &[&str] = &["step", "node", "input", "output", "messages"];
const UNITS: &[&str] = &["input_unit", "output_unit"];

/// What a header says.
#[derive(Default)]
struct Said {
    names: Prefix,
    defined: HashMap<String, u32>,
    fields: Vec<String>,
    rows: Option<(Kind, Vec<Vec<Option<u32>>>)>,
    ports: Vec<u32>,
}

pub(super) fn read(path: &Path) -> Result<(Head, Rows), ReadError> {
    let text = read_text(path)?;
    let mut tokens = Tokens::of(path, &text);
    tokens.expect(&["#", "ifndef"])?;
    let guard = tokens.next()?;
    let names = Prefix::of_guard(guard.text);
    let names = names.ok_or_else(|| tokens.wanted(guard, "an include guard that ends in `_H`"))?;
    tokens.local = names.macro_name("LOCAL");
    let mut said = Said { names, ..Said::default() };
    tokens.expect(&["#", "define", guard.text])?;
    tokens.expect(&["#", "include", "<", "stdint", ".", "h", ">"])?;
    loop {
        let token = tokens.next()?;
        match token.text {
            "#" if said.directive(&mut tokens)? => break,
            "#" => {}
            "struct" => said.fields(&mut tokens)?,
            "static" => said.array(&mut tokens)?,
            _ => return Err(tokens.wanted(token, "a definition, a declaration or `#endif`")),
        }
    }
    let end = tokens.next()?;
    if !end.text.is_empty() {
        return Err(tokens.wanted(end, "the end"));
    }
    // The first comment tells the network; nothing depends on it.
    let name = text.lines().next().and_then(|line| line.split_once(" on ")).map_or("", |(_, name)| name);
    said.table(path, name.trim_end().trim_end_matches("*/").trim_end().trim_end_matches('.'))
}

impl Said {
    /// `#define NAME NUMBER`, or the end.
    fn directive(&mut self, tokens: &mut Tokens<'_>) -> Result<bool, ReadError> {
        let token = tokens.next()?;
        match token.text {
            "endif" => return Ok(true),
            "define" => {}
            _ => return Err(tokens.wanted(token, "`define` or `endif`")),
        }
        let name = tokens.next()?;
        if name.text == tokens.local {
            tokens.expect(&["UINT32_MAX"])?;
            return Ok(false);
        }
        let number = tokens.number()?;
        if self.defined.insert(name.text.to_owned(), number).is_some() {
            return Err(tokens.fault(name, Fault::Syntax("is defined twice".into())));
        }
        Ok(false)
    }

    /// The names of a row's numbers.
    fn fields(&mut self, tokens: &mut Tokens<'_>) -> Result<(), ReadError> {
        tokens.next()?;
        tokens.expect(&["{", "uint32_t"])?;
        self.fields.clear();
        loop {
            self.fields.push(tokens.next()?.text.to_owned());
            let token = tokens.next()?;
            match token.text {
                "," => {}
                ";" => return tokens.expect(&["}", ";"]),
                _ => return Err(tokens.wanted(token, "`,` or `;`")),
            }
        }
    }

    fn array(&mut self, tokens: &mut Tokens<'_>) -> Result<(), ReadError> {
        tokens.expect(&["const"])?;
        let of = tokens.next()?;
        if of.text == "uint32_t" {
            tokens.expect(&[&self.names.array_name("ports")])?;
            self.ports = tokens.numbers(1)?.into_iter().flatten().flatten().collect();
            return Ok(());
        }
        tokens.next()?;
        let name = tokens.next()?;
        let fields: Vec<&str> = self.fields.iter().map(String::as_str).collect();
        let [routes, turns] = ["routes", "turns"].map(|array| self.names.array_name(array));
        let (kind, wanted, more) = match name.text {
            text if text == routes => (Kind::SourceRoutes, ROUTE, &[][..]),
            text if text == turns => (Kind::SlotTables, TURN, UNITS),
            _ => return Err(tokens.wanted(name, &format!("`{routes}` or `{turns}`"))),
        };
        if self.rows.is_some() {
            return Err(tokens.fault(name, Fault::Syntax("a header holds one table".into())));
        }
        if fields != wanted && fields != [wanted, more].concat() {
            let why = format!("its rows have the fields {}, and not {}", fields.join(", "), wanted.join(", "));
            return Err(tokens.fault(name, Fault::Syntax(why)));
        }
        self.rows = Some((kind, tokens.numbers(fields.len())?));
        Ok(())
    }

    fn table(self, path: &Path, network: &str) -> Result<(Head, Rows), ReadError> {
        let wrong = |why: String| ReadError::new(path, Fault::Syntax(why));
        let missing = |name: &str| wrong(format!("`{name}` is missing"));
        let defined = |name: &str| self.defined.get(&self.names.macro_name(name)).copied();
        let needed = |name: &str| defined(name).ok_or_else(|| missing(&self.names.macro_name(name)));
        let (steps, chunks) = (needed("STEPS")?, needed("CHUNKS")?);
        let cyclic = defined("CYCLIC").unwrap_or(0) != 0;
        let slots = defined("HOP").map(|hop| Slots { hop, cyclic });
        let (kind, mut rows) = self.rows.ok_or_else(|| missing(&self.names.array_name("routes")))?;
        let count = match kind {
            Kind::SourceRoutes => "ROUTES",
            Kind::SlotTables => "TURNS",
        };
        let wanted = needed(count)? as usize;
        let count = self.names.macro_name(count);
        // C has no empty arrays, so an empty table has a row that stands for none.
        if wanted == 0 {
            rows.truncate(rows.len().saturating_sub(1));
        }
        if rows.len() != wanted {
            return Err(wrong(format!("{count} is {wanted}, but there are {} rows", rows.len())));
        }
        let local = self.names.macro_name("LOCAL");
        let head = Head { kind, network: network.to_owned(), steps, chunks, slots };
        let rows = match kind {
            Kind::SourceRoutes => Rows::Routes(routes(&rows, &self.ports, &local, &wrong)?),
            Kind::SlotTables => Rows::Turns(turns(&rows, &local, &wrong)?),
        };
        Ok((head, rows))
    }
}

fn number(row: &[Option<u32>], at: usize) -> Option<u32> {
    row.get(at).copied().flatten()
}

fn routes(
    rows: &[Vec<Option<u32>>],
    ports: &[u32],
    local: &str,
    wrong: &dyn Fn(String) -> ReadError,
) -> Result<Vec<Route>, ReadError> {
    let mut next = 0usize;
    let mut route = |(at, row): (usize, &Vec<Option<u32>>)| {
        let numbers: Option<Vec<u32>> = row.iter().copied().collect();
        let Some(&[step, node, to, messages, first, hops]) = numbers.as_deref() else {
            return Err(wrong(format!("route {at}: {local} is no number of a route")));
        };
        let own = ports.get(next..next.saturating_add(hops as usize)).filter(|_| first as usize == next);
        let own = own.ok_or_else(|| {
            wrong(format!("route {at}: {hops} ports from {first} on, but the next are from {next} to {}", ports.len()))
        })?;
        next += own.len();
        Ok(Route { step, node, to, messages, ports: own.to_vec() })
    };
    let routes = rows.iter().enumerate().map(&mut route).collect::<Result<Vec<Route>, ReadError>>()?;
    if !rows.is_empty() && next != ports.len() {
        return Err(wrong(format!("ports: {} of them belong to no route", ports.len() - next)));
    }
    Ok(routes)
}

fn turns(rows: &[Vec<Option<u32>>], local: &str, wrong: &dyn Fn(String) -> ReadError) -> Result<Vec<Turn>, ReadError> {
    let turn = |(at, row): (usize, &Vec<Option<u32>>)| {
        let own = |field: usize| number(row, field);
        let port = |field: usize, unit: usize| {
            own(field).map_or(Port::Local, |port| Port::Channel(Unit { port, unit: own(unit).unwrap_or(0) }))
        };
        match (own(0), own(1), own(4)) {
            (Some(step), Some(node), Some(messages)) => {
                Ok(Turn { step, node, input: port(2, 5), output: port(3, 6), messages })
            }
            _ => {
                Err(wrong(format!("turn {at}: {local} is a port, and neither a step, a node nor a number of messages")))
            }
        }
    };
    rows.iter().enumerate().map(turn).collect()
}
