//! **What:** what rank 0 sends to every process, as whole numbers: the settings, its table, and what its data must be.

use program::{Program, Source, Table};
use quadrille_cli::{ElementChoice, RunRequest};

/// What one process needs to know.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Parcel {
    pub count: i32,
    pub element: ElementChoice,
    pub warmup: i32,
    pub iterations: i32,
    pub checks: bool,
    pub merges: bool,
    /// The library's own collective (by its number among shapes) and its root, where it is compared.
    pub beside: Option<(i32, i32)>,
    pub table: Table,
    /// Terminals of the process, and the places of their inputs.
    pub terminals: Vec<(u32, u32)>,
    /// Of each place of its output.
    pub sources: Vec<Vec<Source>>,
}

/// The parcels of all processes.
pub(super) fn all(request: &RunRequest, processes: u32) -> Result<Vec<Parcel>, program::ProgramError> {
    let program: &Program = &request.program;
    let tables = program.tables(&request.process_of, processes)?;
    let mut sources = if request.checks { program.sources() } else { Vec::new() };
    let beside = request.beside().map(|(shape, root)| (shape as i32, root as i32));
    let parcel = |(process, table): (u32, Table)| {
        let terminals = || (0..request.process_of.len()).filter(|terminal| request.process_of[*terminal] == process);
        let mut of_output = Vec::new();
        for terminal in terminals().filter(|_| request.checks) {
            of_output.extend(std::mem::take(&mut sources[terminal]).iter().map(|of| of.to_vec()));
        }
        Parcel {
            count: request.count,
            element: request.element,
            warmup: request.warmup as i32,
            iterations: request.iterations as i32,
            checks: request.checks,
            merges: program.collective().semantics() == kernel::Semantics::Reduce,
            beside,
            table,
            terminals: terminals().map(|terminal| (terminal as u32, program.ranks()[terminal].input)).collect(),
            sources: of_output,
        }
    };
    Ok((0..processes).zip(tables).map(parcel).collect())
}

impl Parcel {
    /// As numbers.
    pub(super) fn write(&self) -> Vec<i32> {
        let (shape, root) = self.beside.unwrap_or((-1, -1));
        let flags = [i32::from(self.checks), i32::from(self.merges), shape, root];
        let mut out = vec![self.count, self.element as i32, self.warmup, self.iterations];
        out.extend(flags);
        let table = &self.table;
        out.extend([table.chunks, table.input, table.output, table.scratch]);
        let terminals = self.terminals.iter().flat_map(|(terminal, places)| [*terminal as i32, *places as i32]);
        let ends = self.sources.iter().map(|of| of.len() as i32);
        let numbers = |of: &Source| [of.rank as i32, of.ranks as i32, of.index as i32];
        let sources = self.sources.iter().flatten().flat_map(numbers);
        let lists = [table.rows.clone(), table.places.clone(), table.after.clone()];
        for list in lists.into_iter().chain([terminals.collect(), ends.collect(), sources.collect()]) {
            out.push(list.len() as i32);
            out.extend(list);
        }
        out
    }

    /// What was written; `None` where it was not.
    pub(super) fn read(numbers: &[i32]) -> Option<Self> {
        let mut left = numbers;
        let mut take = |count: usize| {
            let (taken, rest) = left.split_at_checked(count)?;
            left = rest;
            Some(taken)
        };
        let head = take(12)?.to_vec();
        let mut list = || {
            let count = take(1)?[0];
            take(usize::try_from(count).ok()?).map(<[i32]>::to_vec)
        };
        let (rows, places, after) = (list()?, list()?, list()?);
        let (terminals, counts, numbers) = (list()?, list()?, list()?);
        let mut sources =
            numbers.chunks_exact(3).map(|of| Source { rank: of[0] as u32, ranks: of[1] as u32, index: of[2] as u32 });
        Some(Parcel {
            count: head[0],
            element: *ElementChoice::ALL.get(head[1] as usize)?,
            warmup: head[2],
            iterations: head[3],
            checks: head[4] != 0,
            merges: head[5] != 0,
            beside: (head[6] >= 0).then_some((head[6], head[7])),
            table: Table { chunks: head[8], input: head[9], output: head[10], scratch: head[11], rows, places, after },
            terminals: terminals.chunks_exact(2).map(|of| (of[0] as u32, of[1] as u32)).collect(),
            sources: counts.iter().map(|count| sources.by_ref().take(*count as usize).collect()).collect(),
        })
    }
}
