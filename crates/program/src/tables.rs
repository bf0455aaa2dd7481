//! **What:** programs as tables of whole numbers, one for each process: what `quadrille_engine.h` runs, what C files hold and what ranks are sent.
//!
//! **Parameters:** a process runs one rank or several; what goes between two ranks of one process is copied.
//!
//! **Facts:** the position of a place in any buffer, over the chunks of a message, leaves the chunk that it holds, so that messages which are no
//! multiple of the chunks have parts of two lengths. Tags count the transfers from one process to another.

use crate::chunks::of_scratch;
use crate::{Action, Buffer, Place, Program, ProgramError};
use std::collections::{HashMap, VecDeque};

/// Numbers of a row: kind, process, tag, and where the row's places and the operations it waits for end in their lists.
pub const COLUMNS: usize = 5;

/// The engine in C that runs tables: a header without anything else than MPI.
pub const ENGINE: &str = include_str!("../c/quadrille_engine.h");

/// What one process does. Fields are as `quadrille_table` in the engine has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Parts of a message.
    pub chunks: i32,
    /// Places of the input: those of its ranks one after the other.
    pub input: i32,
    /// Places of the output.
    pub output: i32,
    /// Places of the scratch.
    pub scratch: i32,
    /// [`COLUMNS`] numbers an operation.
    pub rows: Vec<i32>,
    /// `3 × index + buffer` of all operations; a copy has from and to, a merge what it merges and then where.
    pub places: Vec<i32>,
    /// The operations that are waited for.
    pub after: Vec<i32>,
}

impl Table {
    /// Number of operations.
    #[must_use]
    pub fn operations(&self) -> usize {
        self.rows.len() / COLUMNS
    }
}

/// The action of a row.
#[derive(Clone, Copy)]
enum Kind {
    Send,
    Receive,
    Copy,
    Merge,
}

impl Program {
    /// What each of some processes does, where rank `i` runs on process `process_of[i]`.
    ///
    /// # Errors
    /// Where numbers do not fit in 31 bits, and where operations of other than built programs wait for each other.
    pub fn tables(&self, process_of: &[u32], processes: u32) -> Result<Vec<Table>, ProgramError> {
        let placing = Placing::of(self, process_of, processes)?;
        (0..processes).map(|process| placing.table(process)).collect()
    }

    /// What each rank does, on a process of its own.
    ///
    /// # Errors
    /// As of [`Program::tables`].
    pub fn tables_of_ranks(&self) -> Result<Vec<Table>, ProgramError> {
        let ranks = self.ranks().len() as u32;
        self.tables(&(0..ranks).collect::<Vec<_>>(), ranks)
    }
}

/// An operation of a rank.
type At = (u32, u32);

/// Ends of a transfer.
#[derive(Clone, Copy, Default)]
struct Ends {
    send: At,
    receive: At,
    tag: i32,
}

/// All ranks on their processes.
struct Placing<'p> {
    program: &'p Program,
    process_of: &'p [u32],
    ends: Vec<Ends>,
    /// Where the places of a rank begin in each buffer of its process.
    starts: Vec<[u32; 3]>,
    sizes: Vec<[u32; 3]>,
    /// The position of every place of scratch, at which its chunk is told by the rest.
    scratch: Vec<Vec<u32>>,
}

impl<'p> Placing<'p> {
    fn of(program: &'p Program, process_of: &'p [u32], processes: u32) -> Result<Self, ProgramError> {
        let chunks = program.layout().chunks();
        let mut scratch = of_scratch(program);
        let (mut starts, mut sizes) = (Vec::new(), vec![[0u32; 3]; processes as usize]);
        for (rank, of) in program.ranks().iter().enumerate() {
            let mut used = vec![0; chunks as usize];
            for chunk in &mut scratch[rank] {
                let residue = *chunk;
                *chunk += chunks * used[residue as usize];
                used[residue as usize] += 1;
            }
            let blocks: u32 = used.into_iter().max().unwrap_or(0);
            let size = &mut sizes[process_of[rank] as usize];
            starts.push(*size);
            for (buffer, places) in [of.input, of.output, blocks * chunks].into_iter().enumerate() {
                size[buffer] = size[buffer].checked_add(places).ok_or_else(ProgramError::too_large)?;
            }
        }
        let mut placing = Placing { program, process_of, ends: Vec::new(), starts, sizes, scratch };
        placing.ends = placing.ends();
        Ok(placing)
    }

    fn ends(&self) -> Vec<Ends> {
        let mut ends = vec![Ends::default(); self.program.transfers() as usize];
        for (rank, of) in (0u32..).zip(self.program.ranks()) {
            for (at, operation) in (0u32..).zip(&of.operations) {
                match operation.action {
                    Action::Send { transfer, .. } => ends[transfer as usize].send = (rank, at),
                    Action::Receive { transfer, .. } => ends[transfer as usize].receive = (rank, at),
                    Action::Copy { .. } | Action::Merge { .. } => {}
                }
            }
        }
        let mut counts: HashMap<(u32, u32), i32> = HashMap::new();
        for end in &mut ends {
            let pair = (self.process_of[end.send.0 as usize], self.process_of[end.receive.0 as usize]);
            let count = counts.entry(pair).or_default();
            end.tag = *count;
            *count += 1;
        }
        ends
    }

    fn operation(&self, (rank, at): At) -> &'p crate::Operation {
        &self.program.ranks()[rank as usize].operations[at as usize]
    }

    fn is_local(&self, transfer: u32) -> bool {
        let ends = self.ends[transfer as usize];
        self.process_of[ends.send.0 as usize] == self.process_of[ends.receive.0 as usize]
    }

    /// A receive from the same process is done by the send.
    fn done_by(&self, at: At) -> At {
        match self.operation(at).action {
            Action::Receive { transfer, .. } if self.is_local(transfer) => self.ends[transfer as usize].send,
            _ => at,
        }
    }

    fn number(&self, rank: u32, place: Place) -> Result<i32, ProgramError> {
        let (buffer, index) = match place.buffer {
            Buffer::Input => (0, place.index),
            Buffer::Output => (1, place.index),
            Buffer::Scratch => (2, self.scratch[rank as usize][place.index as usize]),
        };
        let index = u64::from(index) + u64::from(self.starts[rank as usize][buffer]);
        i32::try_from(3 * index + buffer as u64).map_err(|_| ProgramError::too_large())
    }

    fn table(&self, process: u32) -> Result<Table, ProgramError> {
        let [input, output, scratch] = self.sizes[process as usize].map(|places| places as i32);
        let chunks = self.program.layout().chunks() as i32;
        let mut writer =
            Writer { table: Table { chunks, input, output, scratch, ..Table::default() }, written: HashMap::new() };
        let mut order = self.order(process)?;
        while let Some(at) = order.pop_front() {
            self.write(&mut writer, at)?;
        }
        Ok(writer.table)
    }

    /// What one operation waits for, with the other end of a transfer within the process.
    fn waits(&self, at: At) -> Vec<At> {
        let of = |at: At| self.operation(at).after.iter().map(move |before| (at.0, *before));
        let receive = match self.operation(at).action {
            Action::Send { transfer, .. } if self.is_local(transfer) => Some(self.ends[transfer as usize].receive),
            _ => None,
        };
        let mut waits: Vec<At> =
            of(at).chain(receive.into_iter().flat_map(of)).map(|before| self.done_by(before)).collect();
        waits.sort_unstable();
        waits.dedup();
        waits
    }

    /// The operations of a process, each after those it waits for.
    fn order(&self, process: u32) -> Result<VecDeque<At>, ProgramError> {
        let ranks = (0..self.process_of.len()).filter(|rank| self.process_of[*rank] == process);
        let all = ranks.flat_map(|rank| {
            (0..self.program.ranks()[rank].operations.len()).map(move |operation| (rank as u32, operation as u32))
        });
        let all: Vec<At> = all.filter(|at| self.done_by(*at) == *at).collect();
        let mut left: HashMap<At, usize> = HashMap::new();
        let mut next: HashMap<At, Vec<At>> = HashMap::new();
        let (mut order, mut begun) = (VecDeque::new(), 0);
        for at in &all {
            let waits = self.waits(*at);
            waits.iter().for_each(|before| next.entry(*before).or_default().push(*at));
            match waits.len() {
                0 => order.push_back(*at),
                some => drop(left.insert(*at, some)),
            }
        }
        while let Some(at) = order.get(begun).copied() {
            begun += 1;
            for after in next.remove(&at).unwrap_or_default() {
                let waits = left.get_mut(&after).expect("it waits for one at least");
                *waits -= 1;
                if *waits == 0 {
                    order.push_back(after);
                }
            }
        }
        match all.iter().find(|at| left.get(at).is_some_and(|waits| *waits > 0)) {
            Some(&(rank, operation)) => Err(ProgramError::OutOfOrder { rank, operation }),
            None => Ok(order),
        }
    }

    fn write(&self, writer: &mut Writer, at: At) -> Result<(), ProgramError> {
        let after: Vec<i32> = self.waits(at).iter().flat_map(|before| writer.written[before].clone()).collect();
        let numbers = |rank: u32, places: &[Place]| -> Result<Vec<i32>, ProgramError> {
            places.iter().map(|place| self.number(rank, *place)).collect()
        };
        let begin = writer.table.operations() as i32;
        match &self.operation(at).action {
            Action::Send { transfer, places, .. } if self.is_local(*transfer) => {
                let receive = self.ends[*transfer as usize].receive;
                let Action::Receive { places: into, .. } = &self.operation(receive).action else {
                    return Err(ProgramError::OutOfOrder { rank: receive.0, operation: receive.1 });
                };
                for (from, to) in numbers(at.0, places)?.into_iter().zip(numbers(receive.0, into)?) {
                    writer.row(Kind::Copy, [0, 0], &[from, to], &after);
                }
            }
            Action::Send { to, transfer, places } => {
                let ends = [self.process_of[*to as usize] as i32, self.ends[*transfer as usize].tag];
                writer.row(Kind::Send, ends, &numbers(at.0, places)?, &after);
            }
            Action::Receive { from, transfer, places } => {
                let ends = [self.process_of[*from as usize] as i32, self.ends[*transfer as usize].tag];
                writer.row(Kind::Receive, ends, &numbers(at.0, places)?, &after);
            }
            Action::Copy { from, to } => writer.row(Kind::Copy, [0, 0], &numbers(at.0, &[*from, *to])?, &after),
            Action::Merge { of, into } => {
                let mut places = numbers(at.0, of)?;
                places.push(self.number(at.0, *into)?);
                writer.row(Kind::Merge, [0, 0], &places, &after);
            }
        }
        writer.written.insert(at, begin..writer.table.operations() as i32);
        Ok(())
    }
}

/// A table being written.
struct Writer {
    table: Table,
    /// Of each operation of a rank, its rows.
    written: HashMap<At, std::ops::Range<i32>>,
}

impl Writer {
    fn row(&mut self, kind: Kind, [peer, tag]: [i32; 2], places: &[i32], after: &[i32]) {
        let table = &mut self.table;
        table.places.extend_from_slice(places);
        table.after.extend_from_slice(after);
        // At most 2^26 messages are written down.
        let ends = [table.places.len() as i32, table.after.len() as i32];
        table.rows.extend([kind as i32, peer, tag].into_iter().chain(ends));
    }
}
