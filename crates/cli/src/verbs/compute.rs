//! **What:** `compute`: products of matrices, Fourier transforms, prefix sums and sorting, run on a network hop by hop and compared
//! with the plain computation.

use super::compute_data::{self, Inputs};
use console::args::{ComputeArgs, EmulationChoice, ProgramChoice};
use console::failure::{self, Failure};
use console::output::{self, say, say_json};
use console::render::count;
use formats::{Array, schedule_json};
use machine::compute::products::{Layout, matrix_product, vector_matrix};
use machine::compute::{ComputeError, Computed, Cube, Data, Emulation, Job, Report, Unsound, ascend, cannon, descend};
use serde_json::json;
use std::path::Path;
use std::time::Instant;
use topologies::Topology;
use topologies::families::hypercube::Hypercube;
use topologies::families::swapped_dragonfly::SwappedDragonfly;
use topologies::families::swapped_hypercube::SwappedHypercube;

/// Largest relative difference that rounding explains.
const ROUNDING: f64 = 1e-9;

/// A program that ran.
struct Ran {
    /// The network's name.
    network: String,
    /// What did not take part, where the program left something out.
    part: Option<String>,
    /// Rows of the matrices, or numbers of a sequence.
    size: u64,
    computed: Computed,
    result: Array,
}

/// The verb.
pub(crate) fn run(arguments: &ComputeArgs) -> Result<u8, Failure> {
    misplaced_flags(arguments)?;
    if let Some(path) = &arguments.output {
        output::ends_as(path, "a schedule file", &["json"])?;
        output::probe(path)?;
    }
    arguments.result.iter().try_for_each(|path| compute_data::probe(path))?;
    let begun = Instant::now();
    let products = matches!(arguments.program, ProgramChoice::MatrixProduct | ProgramChoice::VectorMatrix);
    let ran = if products { product(arguments)? } else { on_bits(arguments)? };
    let right = ran.computed.report.conflicts == 0 && ran.computed.report.error <= ROUNDING;
    let written = match &arguments.output {
        Some(path) => Some(write_moves(arguments, &ran.computed, path, begun.elapsed().as_secs_f64())?),
        None => None,
    };
    if let Some(path) = &arguments.result {
        ran.result.write(path).map_err(output::unwritten)?;
    }
    tell(arguments, &ran, written.as_deref())?;
    Ok(if right { 0 } else { failure::NO })
}

fn misplaced(flag: &str, of: &str) -> Failure {
    Failure::input(format!("{flag} is for {of}")).hint("`quadrille help compute` has an example of each program")
}

fn misplaced_flags(arguments: &ComputeArgs) -> Result<(), Failure> {
    use ProgramChoice::{Fft, MatrixProduct, Sort, VectorMatrix};
    let program = arguments.program;
    let misplaced = |flag: &str, of: &str| Err(misplaced(flag, of));
    match program {
        MatrixProduct if arguments.home => {
            misplaced("--home", "vector-matrix, fft, prefix-sums, convolution and merge")
        }
        VectorMatrix if arguments.batched => misplaced("--batched", "matrix-product"),
        MatrixProduct | VectorMatrix if arguments.descend => misplaced("--descend", "fft"),
        MatrixProduct if arguments.batched && side(arguments).is_some() => {
            misplaced("--batched", "other programs: on a torus this is Cannon's product")
        }
        MatrixProduct | VectorMatrix if arguments.emulate.is_some() => {
            misplaced("--emulate", "programs on hypercubes, not products")
        }
        MatrixProduct | VectorMatrix => Ok(()),
        _ if arguments.batched => misplaced("--batched", "products: here every node has one item"),
        _ if arguments.size.is_some() => misplaced("--size", "products: here every node has one item"),
        Sort if arguments.home => {
            misplaced("--home", "fft, prefix-sums, convolution and merge; sort is at home anyway")
        }
        Fft => Ok(()),
        _ if arguments.descend => misplaced("--descend", "fft; merge, sort and convolution descend anyway"),
        _ => Ok(()),
    }
}

fn job(arguments: &ComputeArgs, given: Option<Vec<Vec<f64>>>) -> Job {
    let data = given.map_or(Data::Random(arguments.seed), Data::Given);
    Job { data, keep_moves: arguments.output.is_some() }
}

/// Runs a product of matrices.
fn product(arguments: &ComputeArgs) -> Result<Ran, Failure> {
    let row = matches!(arguments.program, ProgramChoice::VectorMatrix);
    let mut inputs = Inputs::read(&arguments.data, 2, &arguments.program.name())?;
    let shape = inputs.as_mut().map(|inputs| inputs.shape(row)).transpose()?;
    let size = |blocks: u32| match (arguments.size, shape) {
        (Some(size), Some(shape)) if shape.side(1).is_none_or(|least| size < least) => {
            let least = shape.rows.max(shape.inner).max(shape.columns);
            Err(Failure::input(format!("--size {size}: the data has {least} rows or columns"))
                .hint("leave --size out: the smallest that holds them is used"))
        }
        (None, Some(shape)) => Ok(Some(shape.side(blocks).unwrap_or(u32::MAX))),
        (size, _) => Ok(size),
    };
    let given = |side: u32| inputs.as_ref().map(|inputs| inputs.squares(side, row));
    let (network, part, side, computed) = if let Some(q) = side(arguments).filter(|_| !row) {
        let size = size(q)?.unwrap_or(q);
        cannon::fits(q, size).map_err(refused)?;
        let computed = cannon::matrix_product(q, Some(size), job(arguments, given(size))).map_err(refused)?;
        (format!("torus:{q}x{q}"), None, size, computed)
    } else {
        let [k, m] = parameters(arguments, "swapped-dragonfly", if row { "" } else { ", or a torus:QxQ" })?;
        let d3 = SwappedDragonfly::new(k, m).map_err(|error| Failure::input(&error).hint(error.hint()))?;
        let layout = Layout::new(d3, size(k.isqrt() * m)?).map_err(refused)?;
        let job = job(arguments, given(layout.size()));
        let computed = match row {
            true => vector_matrix(layout, arguments.home, job),
            false => matrix_product(layout, arguments.batched, job),
        };
        let part = layout.part().map(|cabinets| format!("{cabinets} of its {k} cabinets"));
        (d3.spec(), part, layout.size(), computed.map_err(refused)?)
    };
    let whole = side as usize;
    let [rows, columns] = match shape {
        Some(shape) => [shape.rows, shape.columns],
        None => [if row { 1 } else { whole }, whole],
    };
    let result = compute_data::cropped(&computed.result, whole, [rows, columns]);
    Ok(Ran { network, part, size: side.into(), computed, result })
}

/// Runs a program that joins items bit by bit.
fn on_bits(arguments: &ComputeArgs) -> Result<Ran, Failure> {
    let cube = cube(arguments)?;
    let bits = cube.bits().map_err(refused)?;
    let complex = matches!(arguments.program, ProgramChoice::Fft | ProgramChoice::Convolution);
    let count = if matches!(arguments.program, ProgramChoice::Convolution) { 2 } else { 1 };
    let inputs = Inputs::read(&arguments.data, count, &arguments.program.name())?;
    let given = inputs.map(|inputs| inputs.sequences(bits, complex)).transpose()?;
    let (home, job) = (arguments.home, job(arguments, given));
    let computed = match arguments.program {
        ProgramChoice::PrefixSums => ascend::prefix_sums(cube, home, job),
        ProgramChoice::Convolution => descend::convolution(cube, home, job),
        ProgramChoice::Merge => descend::merge(cube, home, job),
        ProgramChoice::Sort => descend::sort(cube, job),
        _ if arguments.descend => descend::fourier(cube, home, job),
        _ => ascend::fourier(cube, home, job),
    };
    let computed = computed.map_err(refused)?;
    let result = compute_data::column(computed.result.clone(), complex);
    Ok(Ran { network: cube.spec(), part: None, size: 1 << bits, computed, result })
}

/// Verifies the moves as a schedule and writes it; says what it is.
fn write_moves(arguments: &ComputeArgs, computed: &Computed, path: &Path, seconds: f64) -> Result<String, Failure> {
    let fault = |what: String| Failure::no(format!("{what}: a fault in this program; please report it"));
    let moves = computed.moves.as_ref().ok_or_else(|| fault("no moves were kept".into()))?;
    let name = arguments.program.name();
    let told = moves.communication(&computed.network, &name).map_err(|error| match error {
        Unsound::TooMany { .. } => Failure::input(error).hint("leave -o out, or choose a smaller network or size"),
        _ => fault(error.to_string()),
    })?;
    let verified = kernel::verify(&told.problem, told.schedule).map_err(|e| fault(e.to_string()))?;
    let seed = arguments.data.is_empty().then_some(arguments.seed);
    let provenance = super::answer::provenance(&format!("compute {name}"), seed, seconds);
    let names = told.names.iter().map(ToString::to_string).collect();
    schedule_json::write_valued(&verified, names, &provenance, path).map_err(output::unwritten)?;
    let messages = told.problem.collective().message_count();
    Ok(format!(
        "{messages} messages in {}, verified, saved to {}",
        count(verified.steps() as u64, "step"),
        path.display()
    ))
}

fn tell(arguments: &ComputeArgs, ran: &Ran, written: Option<&str>) -> Result<(), Failure> {
    let Ran { network, size, computed, .. } = ran;
    let Report { rounds, hops, conflicts, crossings, error } = &computed.report;
    let name = arguments.program.name();
    let file = |path: &Option<std::path::PathBuf>| path.as_ref().map(|p| p.display().to_string());
    if arguments.report.json {
        return say_json(&json!({
            "program": name, "network": network, "part": ran.part, "size": size, "batched": arguments.batched,
            "descend": arguments.descend, "home": arguments.home, "seed": arguments.seed,
            "rounds": rounds, "hops": hops, "conflicts": conflicts, "crossings": crossings, "error": error,
            "result": file(&arguments.result), "file": file(&arguments.output),
        }));
    }
    let (what, unit) = match arguments.program {
        ProgramChoice::MatrixProduct if network.starts_with("torus") => {
            (format!("{size} × {size} numbers, by Cannon"), "products of blocks")
        }
        ProgramChoice::MatrixProduct => (format!("{size} × {size} numbers"), "times 4 for rows, the rest to transpose"),
        ProgramChoice::VectorMatrix if arguments.home => {
            (format!("{size} numbers times {size} × {size}, row in, row out"), "times 4, the rest to transpose")
        }
        ProgramChoice::VectorMatrix => (format!("{size} numbers times {size} × {size}, row in, column out"), "times 4"),
        ProgramChoice::Fft if arguments.descend => (format!("{size} complex numbers"), "bits, the highest first"),
        ProgramChoice::Fft => (format!("{size} complex numbers"), "bits, the lowest first"),
        ProgramChoice::Convolution => {
            (format!("two sequences of {size} complex numbers"), "bits, two descends and an ascend")
        }
        ProgramChoice::PrefixSums | ProgramChoice::Merge | ProgramChoice::Sort => (format!("{size} numbers"), "bits"),
    };
    let part = ran.part.as_ref().map(|part| format!(", on {part}")).unwrap_or_default();
    let mut lines = vec![
        format!("{name} on {network}: {what}{part}"),
        format!("  {hops} hops: {rounds} {unit}"),
        format!("  {crossings} values sent over channels, {conflicts} conflicts"),
        format!("  largest difference from direct computation: {error:.2e} of the largest number"),
    ];
    if let Some(path) = file(&arguments.result) {
        let Array { rows, columns, .. } = ran.result;
        lines.push(format!("  result, {rows} × {columns}, saved to {path}"));
    }
    lines.extend(written.map(|written| format!("  {written}")));
    say(&lines.join("\n"))
}

fn refused(error: ComputeError) -> Failure {
    let hint = match &error {
        ComputeError::Size { size, blocks } => match size.checked_div(*blocks).unwrap_or(0) {
            0 => format!("write --size {blocks}, or a multiple of it"),
            b => format!(
                "write --size {} or {}; the network has {blocks} × {blocks} blocks",
                b.saturating_mul(*blocks),
                b.saturating_add(1).saturating_mul(*blocks)
            ),
        },
        ComputeError::TooLarge { .. } => "choose a smaller network or size".to_owned(),
        ComputeError::Runs => "sort both halves first; `compute sort` takes numbers in any order".to_owned(),
        ComputeError::Inputs { .. } | ComputeError::Channel(_) => {
            "a fault in this program; please report it".to_owned()
        }
    };
    Failure::input(error).hint(hint)
}

/// Q of a network `torus:QxQ`.
fn side(arguments: &ComputeArgs) -> Option<u32> {
    let spec = topologies::topology(&arguments.network).ok()?.spec();
    let (a, b) = spec.strip_prefix("torus:")?.split_once('x')?;
    a.parse().ok().filter(|_| a == b)
}

/// The hypercube, swapped or plain, that the network is.
fn cube(arguments: &ComputeArgs) -> Result<Cube, Failure> {
    let spec = spec(arguments)?;
    if let Some(bits) = spec.strip_prefix("hypercube:").and_then(|bits| bits.parse().ok()) {
        if arguments.emulate.is_some() {
            return Err(misplaced("--emulate", "swapped-hypercube:K,M: there is nothing to emulate"));
        }
        let hypercube = Hypercube::new(bits).map_err(|error| Failure::input(&error).hint(error.hint()))?;
        return Ok(hypercube.into());
    }
    let [k, m] = parameters(arguments, "swapped-hypercube", " with any K and M, or a hypercube:D")?;
    let sbh = SwappedHypercube::new(k, m).map_err(|error| Failure::input(&error).hint(error.hint()))?;
    Ok(match arguments.emulate {
        Some(EmulationChoice::Shortest) => Cube::Emulated(sbh, Emulation::Shortest),
        Some(EmulationChoice::Uniform) => Cube::Emulated(sbh, Emulation::Uniform),
        None => sbh.into(),
    })
}

/// The network's own name.
fn spec(arguments: &ComputeArgs) -> Result<String, Failure> {
    let topology = topologies::topology(&arguments.network);
    Ok(topology.map_err(|error| Failure::input(&error).hint(error.hint()))?.spec())
}

/// K and M of the network, which has to be of that family.
fn parameters(arguments: &ComputeArgs, family: &str, others: &str) -> Result<[u32; 2], Failure> {
    let spec = spec(arguments)?;
    let numbers = spec.strip_prefix(family).and_then(|rest| rest.strip_prefix(':')).map(|rest| {
        let numbers: Vec<u32> = rest.split(',').filter_map(|n| n.parse().ok()).collect();
        numbers
    });
    match numbers.as_deref() {
        Some(&[k, m]) => Ok([k, m]),
        _ => {
            let (text, name) = (&arguments.network, arguments.program.name());
            Err(Failure::input(format!("`{text}`: {name} does not run on it"))
                .hint(format!("name a {family}:K,M{others}")))
        }
    }
}
