//! **What:** a schedule as one file of C that does the collective over MPI: tables of what every rank does, the engine that runs them, and a program
//! around it that checks its data.
//!
//! **Parameters:** the ranks of the communicator are the terminals of the network, in the order of their numbers; buffers lie as in MPI
//! ([`program::Layout`]), `count` are the elements of a message. `-DQUADRILLE_MAIN` compiles the program.
//!
//! **Facts:** C99 and MPI 3, and nothing else. The file grows with the transfers; the code in it is the same for all schedules.

use formats::{WriteError, file};
use kernel::Semantics;
use program::{COLUMNS, ENGINE, Playable, Program, ProgramError, Table};
use std::io::{self, Write};
use std::path::Path;

const MAIN: &str = include_str!("main.c");

/// Numbers of a line.
const PER_LINE: usize = 6 * COLUMNS;

/// Writes the file.
///
/// # Errors
/// Where the system refuses, or there are too many transfers to write them down.
pub fn write<'a>(schedule: impl Into<Playable<'a>>, path: impl AsRef<Path>) -> Result<(), WriteError> {
    let schedule = schedule.into();
    file::save(path.as_ref(), |out| write_to(schedule, out))
}

/// Writes it; `out` should be buffered.
///
/// # Errors
/// Those of `out`, and where there are too many transfers.
pub fn write_to<'a>(schedule: impl Into<Playable<'a>>, mut out: impl Write) -> io::Result<()> {
    let schedule = schedule.into();
    let network = schedule.network().name();
    let too_large = |error: ProgramError| io::Error::new(io::ErrorKind::FileTooLarge, error);
    let program = Program::new(schedule).map_err(too_large)?;
    let tables = program.tables_of_ranks().map_err(too_large)?;
    let collective = program.collective();
    let (name, what) = (identifier(collective.name(), network), format!("{} on {network}", collective.name()));
    let ranks = tables.len();
    writeln!(out, "/* {} over MPI: a verified schedule, as tables of what each of {ranks} ranks does.", safe(&what))?;
    writeln!(out, " * Terminals of the network are ranks: {}.", safe(&nodes(&program)))?;
    writeln!(out, " * Buffers lie as in MPI ({:?}); a message is `count` elements.", program.layout().shape())?;
    writeln!(out, " * With a main: mpicc -O2 -DQUADRILLE_MAIN {name}.c -o {name} && mpirun -n {ranks} ./{name} */")?;
    writeln!(out, "{ENGINE}")?;
    let reduces = collective.semantics() == Semantics::Reduce;
    writeln!(out, "#define QUADRILLE_RANKS {ranks}\n#define QUADRILLE_WHAT \"{}\"", safe(&what))?;
    writeln!(out, "#define QUADRILLE_OP {}\n", if reduces { "MPI_SUM" } else { "MPI_OP_NULL" })?;
    rows(&mut out, &tables)?;
    functions(&mut out, &name, reduces, tables[0].chunks)?;
    writeln!(out, "#ifdef QUADRILLE_MAIN")?;
    sources(&mut out, &program)?;
    writeln!(out, "#endif\n")?;
    out.write_all(MAIN.as_bytes())
}

/// The tables, one after the other.
fn rows(out: &mut impl Write, tables: &[Table]) -> io::Result<()> {
    let all = |of: fn(&Table) -> &Vec<i32>| tables.iter().flat_map(move |table| of(table).iter().copied());
    array(out, "quadrille_rows", all(|table| &table.rows))?;
    array(out, "quadrille_places", all(|table| &table.places))?;
    array(out, "quadrille_after", all(|table| &table.after))?;
    writeln!(out, "/* Of each rank: places of input, output and scratch, operations, and where its lists begin. */")?;
    writeln!(out, "static const int quadrille_ranks[][7] = {{")?;
    let mut begins = [0, 0, 0];
    for table in tables {
        let [first, places, after] = begins;
        let (input, output, scratch, operations) = (table.input, table.output, table.scratch, table.operations());
        writeln!(out, "    {{{input}, {output}, {scratch}, {operations}, {first}, {places}, {after}}},")?;
        begins = [first + table.rows.len(), places + table.places.len(), after + table.after.len()];
    }
    writeln!(out, "}};\n")
}

/// What a caller calls.
fn functions(out: &mut impl Write, name: &str, reduces: bool, chunks: i32) -> io::Result<()> {
    let (op, given) = if reduces { (", MPI_Op op", "op") } else { ("", "MPI_OP_NULL") };
    let buffers = format!("const void *send, void *recv, int count, MPI_Datatype type{op}, MPI_Comm comm");
    writeln!(
        out,
        "static void quadrille_table_of(int rank, quadrille_table *table) {{
    const int *of = quadrille_ranks[rank];
    table->chunks = {chunks};
    table->input = of[0], table->output = of[1], table->scratch = of[2], table->operations = of[3];
    table->rows = quadrille_rows + of[4];
    table->places = quadrille_places + of[5];
    table->after = quadrille_after + of[6];
}}

/* Prepares it for these buffers; then quadrille_run_start, _test or _wait, as often as wanted, and quadrille_run_free. */
int quadrille_{name}_init(quadrille_run *run, {buffers});
int quadrille_{name}_init(quadrille_run *run, {buffers}) {{
    quadrille_table table;
    int rank, size;
    QUADRILLE_TRY(MPI_Comm_rank(comm, &rank));
    QUADRILLE_TRY(MPI_Comm_size(comm, &size));
    if (size != QUADRILLE_RANKS) return MPI_ERR_COMM;
    quadrille_table_of(rank, &table);
    return quadrille_run_init(run, &table, send, recv, count, type, {given}, comm);
}}

/* All of it at once. */
int quadrille_{name}({buffers});
int quadrille_{name}({buffers}) {{
    quadrille_run run;
    int error, freed;
    QUADRILLE_TRY(quadrille_{name}_init(&run, send, recv, count, type{}, comm));
    error = quadrille_run_start(&run);
    if (error == MPI_SUCCESS) error = quadrille_run_wait(&run);
    freed = quadrille_run_free(&run);
    return error == MPI_SUCCESS ? freed : error;
}}
",
        if reduces { ", op" } else { "" }
    )
}

/// What every output must hold.
fn sources(out: &mut impl Write, program: &Program) -> io::Result<()> {
    let (mut first, mut ends, mut entries) = (vec![0], Vec::new(), Vec::new());
    for of in program.sources() {
        for sources in &of {
            let numbers = sources.iter().flat_map(|source| [source.rank, source.ranks, source.index]);
            entries.extend(numbers.map(|number| number as i32));
            ends.push((entries.len() / 3) as i32);
        }
        first.push(ends.len() as i32);
    }
    writeln!(
        out,
        "/* Where the outputs of each rank begin; where the sources of each place end; first rank, ranks, place of input. */"
    )?;
    array(out, "quadrille_outputs", first.into_iter())?;
    array(out, "quadrille_source_ends", ends.into_iter())?;
    array(out, "quadrille_sources", entries.into_iter())
}

fn array(out: &mut impl Write, name: &str, numbers: impl Iterator<Item = i32>) -> io::Result<()> {
    write!(out, "static const int {name}[] = {{")?;
    let mut written = 0;
    for number in numbers {
        if written % PER_LINE == 0 {
            write!(out, "\n    ")?;
        }
        write!(out, "{number},")?;
        written += 1;
    }
    // C has no empty arrays.
    writeln!(out, "{}}};\n", if written == 0 { "0" } else { "\n" })
}

/// Nodes of the ranks.
fn nodes(program: &Program) -> String {
    const SHOWN: usize = 8;
    let all = program.ranks();
    let mut names: Vec<String> = all.iter().take(SHOWN).map(|rank| rank.node.to_string()).collect();
    if all.len() > SHOWN {
        names.push(format!("… ({} of them)", all.len()));
    }
    format!("nodes {} in this order", names.join(", "))
}

/// Names are of strangers: nothing that ends a comment, a string or a line.
fn safe(text: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || " :,.+-_()=".contains(c) || !c.is_ascii() && !c.is_control();
    text.chars().map(|c| if allowed(c) { c } else { '_' }).collect()
}

/// A name in C.
fn identifier(collective: &str, network: &str) -> String {
    let text: String = format!("{collective}_{network}").chars().take(60).collect();
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}
