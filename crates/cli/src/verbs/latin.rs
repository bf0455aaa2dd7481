//! **What:** `latin`: Latin squares, checked, printed, and their orthogonal mates counted.

use console::args::{LatinVerb, SquareChoice};
use console::failure::{self, Failure};
use console::output::{say, say_json};
use console::progress;
use constructions::latin::kinds::{self, KINDS, KindError};
use constructions::latin::mates::{self, MOST_MATES, MOST_TRANSVERSALS};
use constructions::latin::{Fault, LatinSquare, NotLatin};
use serde_json::{Value, json};
use std::path::Path;
use topologies::nearest;

const FORM: &str =
    "a row a line, symbols 0 to n-1 or letters A, B, … with blanks or commas between them; or .json, a list of rows";

/// Symbols as letters.
const LETTERS: &[u8; 26] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// The verb.
pub(crate) fn run(verb: &LatinVerb) -> Result<u8, Failure> {
    match verb {
        LatinVerb::Check { file, report } => check(file, report.json),
        LatinVerb::Print { square, by_output, letters, report } => {
            let square = chosen(square)?;
            print(&if *by_output { square.by_output() } else { square }, *letters, report.json)
        }
        LatinVerb::Mates { square, ticks, report } => count(square, *ticks, report.json),
    }
}

fn check(file: &Path, json: bool) -> Result<u8, Failure> {
    let rows = read(file)?;
    let found = LatinSquare::new(rows.clone());
    let faults = found.as_ref().err().map_or(&[][..], |not| &not.faults);
    if json {
        let square = found.as_ref().ok();
        say_json(&json!({
            "valid": found.is_ok(),
            "order": rows.len(),
            "reduced": square.map(LatinSquare::is_reduced),
            "symmetric": square.map(LatinSquare::is_symmetric),
            "violations": faults.iter().map(violation).collect::<Vec<_>>(),
        }))?;
    } else {
        let text = match &found {
            Ok(square) => {
                let what = [(square.is_reduced(), "reduced"), (square.is_symmetric(), "symmetric")];
                let what: Vec<&str> = what.into_iter().filter_map(|(is, word)| is.then_some(word)).collect();
                let what = if what.is_empty() { String::new() } else { format!(", {}", what.join(" and ")) };
                format!("{}: a Latin square of order {}{what}", file.display(), square.order())
            }
            Err(NotLatin { faults }) => {
                let lines: Vec<String> = faults.iter().map(|fault| format!("  {fault}")).collect();
                format!("{}: not a Latin square; rows and columns count from 0\n{}", file.display(), lines.join("\n"))
            }
        };
        say(&text)?;
    }
    Ok(if found.is_ok() { 0 } else { failure::NO })
}

fn violation(fault: &Fault) -> Value {
    let mut object = match *fault {
        Fault::Empty => json!({"rule": "empty"}),
        Fault::Length { row, found, rows } => json!({"rule": "length", "row": row, "found": found, "rows": rows}),
        Fault::Symbol { row, column, symbol, .. } => {
            json!({"rule": "symbol", "row": row, "column": column, "symbol": symbol})
        }
        Fault::Row { row, symbol, first, second } => {
            json!({"rule": "row", "row": row, "symbol": symbol, "columns": [first, second]})
        }
        Fault::Column { column, symbol, first, second } => {
            json!({"rule": "column", "column": column, "symbol": symbol, "rows": [first, second]})
        }
    };
    object["text"] = fault.to_string().into();
    object
}

fn print(square: &LatinSquare, letters: bool, json: bool) -> Result<u8, Failure> {
    if json {
        say_json(&json!({"order": square.order(), "rows": rows(square)}))?;
    } else if letters {
        let named = |symbol: &u32| LETTERS.get(*symbol as usize).map(|letter| char::from(*letter).to_string());
        let line = |row: &[u32]| row.iter().map(named).collect::<Option<Vec<_>>>().map(|row| row.join(" "));
        let lines = square.rows().map(line).collect::<Option<Vec<_>>>().ok_or_else(|| {
            Failure::input(format!("the square has {} symbols, more than the 26 letters", square.order()))
                .hint("leave out --letters for numbers, or choose a square of at most 26 symbols")
        })?;
        say(&lines.join("\n"))?;
    } else {
        say(&square.to_string())?;
    }
    Ok(0)
}

fn rows(square: &LatinSquare) -> Vec<&[u32]> {
    square.rows().collect()
}

fn count(choice: &SquareChoice, ticks: u64, json: bool) -> Result<u8, Failure> {
    let square = chosen(choice)?;
    let order = square.order();
    if order > MOST_TRANSVERSALS {
        return Err(Failure::input(format!(
            "the square has {order} symbols; transversals are counted up to {MOST_TRANSVERSALS}"
        ))
        .hint(format!("choose a smaller one; mates are counted up to {MOST_MATES} symbols")));
    }
    let (found, transversals) =
        progress::during(&format!("counting transversals and mates, {ticks} moves at most"), || {
            let found = mates::mates(&square, ticks);
            let transversals = found.as_ref().map(|f| f.transversals).or_else(|| mates::transversals(&square, ticks));
            (found, transversals)
        });
    let Some(transversals) = transversals else {
        return Err(Failure::no(format!("the transversals of {order} symbols were not counted in {ticks} moves"))
            .hint("allow more with --ticks N, or choose a smaller square"));
    };
    // Without a transversal there is no mate, however many symbols.
    let all = found.as_ref().is_some_and(|f| f.complete) || transversals == 0;
    let known = found.as_ref().map(|f| f.mates).or((transversals == 0).then_some(0));
    let first = found.as_ref().and_then(|f| f.first.as_ref());
    if json {
        say_json(&json!({
            "order": order, "transversals": transversals, "mates": known, "complete": all, "mate": first.map(rows),
        }))?;
    } else {
        let mates = match (known, all) {
            (Some(mates), true) => format!("{mates} orthogonal mates up to renaming of symbols"),
            (Some(mates), false) => format!("at least {mates} orthogonal mates, found in {ticks} moves"),
            (None, _) => format!("mates are counted up to {MOST_MATES} symbols and a million transversals"),
        };
        let one = first.map_or(String::new(), |mate| format!("\n{mate}"));
        say(&format!("order {order}: {transversals} transversals; {mates}{one}"))?;
    }
    Ok(if all || known.is_none() { 0 } else { failure::NO })
}

/// The square of a kind, or of a file.
fn chosen(choice: &SquareChoice) -> Result<LatinSquare, Failure> {
    let Some(size) = &choice.size else {
        if let Some(kind) = KINDS.iter().find(|k| k.name == choice.kind) {
            return Err(Failure::input(format!("`{}` needs a size", kind.name))
                .hint(format!("write `{} {}`", kind.name, kind.size)));
        }
        let path = Path::new(&choice.kind);
        return LatinSquare::new(read(path)?).map_err(|not| {
            Failure::no(format!("{}: {not}", path.display()))
                .hint("`quadrille latin check FILE` lists everything that is wrong")
        });
    };
    kinds::square(&choice.kind, size, choice.square).map_err(|error| {
        let forms = || KINDS.iter().map(|k| format!("{} {}", k.name, k.size)).collect::<Vec<_>>().join("; ");
        let hint = match &error {
            KindError::Unknown { name } => match nearest(name, KINDS.iter().map(|k| k.name)) {
                Some(near) => format!("did you mean `{near}`? there are {}", forms()),
                None => format!("there are {}", forms()),
            },
            KindError::Network(error) => error.hint(),
            KindError::PowerOfTwo { .. } => "write digits and a list of numbers, such as digits 2,3".to_owned(),
            KindError::SwitchStates(_) => "`digits NETWORK` is digit-wise addition, `lls NETWORK` rotations".to_owned(),
            KindError::StageStates { .. } => {
                "on this network `partition NETWORK` has squares; omega and flip networks pass rotations too".to_owned()
            }
            KindError::NoSwitches { .. } | KindError::NoPartition { .. } => {
                "use a fat tree or a multistage network, such as gft:2,4,4 or omega:8".to_owned()
            }
            _ => format!("there are {}", forms()),
        };
        Failure::input(error).hint(hint)
    })
}

/// The rows of a file, as they are.
fn read(path: &Path) -> Result<Vec<Vec<u32>>, Failure> {
    let place = path.display();
    let text = formats::read_text(path).map_err(|e| Failure::input(e).hint(format!("name a file with {FORM}")))?;
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json")) {
        let value: Value =
            serde_json::from_str(&text).map_err(|e| Failure::input(format!("{place}: {e}")).hint(FORM))?;
        let list = value.get("rows").cloned().unwrap_or(value);
        return serde_json::from_value(list).map_err(|e| Failure::input(format!("{place}: {e}")).hint(FORM));
    }
    let mut rows = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let words: Vec<&str> = line.split([' ', '\t', ',']).filter(|word| !word.is_empty()).collect();
        let letter = |word: &str| match word.as_bytes() {
            [letter] => LETTERS.iter().position(|l| l == letter).and_then(|at| u32::try_from(at).ok()),
            _ => None,
        };
        let symbol = |word: &&str| {
            letter(word)
                .map_or_else(|| word.parse::<u32>(), Ok)
                .map_err(|_| Failure::input(format!("{place}:{}: `{word}` is not a symbol", number + 1)).hint(FORM))
        };
        if !words.is_empty() {
            rows.push(words.iter().map(symbol).collect::<Result<Vec<u32>, Failure>>()?);
        }
    }
    if rows.is_empty() {
        return Err(Failure::input(format!("{place}: no row in the file")).hint(FORM));
    }
    Ok(rows)
}
