//! **What:** `compute`: products of matrices, Fourier transforms, prefix sums and sorting, run on a network hop by hop and compared
//! with the plain computation.

use crate::args::{ComputeArgs, ProgramChoice};
use crate::failure::{self, Failure};
use crate::output::{say, say_json};
use machine::compute::products::{Layout, matrix_product, vector_matrix};
use machine::compute::{ComputeError, Report, ascend, cannon, descend};
use serde_json::json;
use topologies::Topology;
use topologies::families::swapped_dragonfly::SwappedDragonfly;
use topologies::families::swapped_hypercube::SwappedHypercube;

/// Largest relative difference that rounding explains.
const ROUNDING: f64 = 1e-9;

/// The verb.
pub(crate) fn run(arguments: &ComputeArgs) -> Result<u8, Failure> {
    let (network, size, report) = match arguments.program {
        ProgramChoice::MatrixProduct if side(arguments).is_some() => {
            if arguments.home || arguments.batched {
                return Err(misplaced(
                    if arguments.home { "--home" } else { "--batched" },
                    "other programs: on a torus this is Cannon's product",
                ));
            }
            let side = side(arguments).unwrap_or(0);
            let (size, report) = cannon::matrix_product(side, arguments.size, arguments.seed).map_err(refused)?;
            (format!("torus:{side}x{side}"), u64::from(size), report)
        }
        ProgramChoice::MatrixProduct | ProgramChoice::VectorMatrix => {
            if arguments.home && matches!(arguments.program, ProgramChoice::MatrixProduct) {
                return Err(misplaced("--home", "vector-matrix, fft, prefix-sums, convolution and merge"));
            }
            if arguments.descend {
                return Err(misplaced("--descend", "fft"));
            }
            if arguments.batched && matches!(arguments.program, ProgramChoice::VectorMatrix) {
                return Err(misplaced("--batched", "matrix-product"));
            }
            let range = match arguments.program {
                ProgramChoice::MatrixProduct => "with a square K, or a torus:QxQ",
                _ => "with a square K",
            };
            let [k, m] = parameters(arguments, "swapped-dragonfly", range)?;
            let d3 = SwappedDragonfly::new(k, m).map_err(|error| Failure::input(&error).hint(error.hint()))?;
            let layout = Layout::new(d3, arguments.size).map_err(refused)?;
            let report = match arguments.program {
                ProgramChoice::VectorMatrix => vector_matrix(layout, arguments.home, arguments.seed),
                _ => matrix_product(layout, arguments.batched, arguments.seed),
            };
            (d3.spec(), u64::from(layout.size()), report.map_err(refused)?)
        }
        _ => {
            if arguments.size.is_some() || arguments.batched {
                let flag = if arguments.batched { "--batched" } else { "--size" };
                return Err(misplaced(flag, "products: here every node has one item"));
            }
            if arguments.descend && !matches!(arguments.program, ProgramChoice::Fft) {
                return Err(misplaced("--descend", "fft; merge, sort and convolution descend anyway"));
            }
            if arguments.home && matches!(arguments.program, ProgramChoice::Sort) {
                return Err(misplaced("--home", "fft, prefix-sums, convolution and merge; sort is at home anyway"));
            }
            let [k, m] = parameters(arguments, "swapped-hypercube", "with any K and M")?;
            let sbh = SwappedHypercube::new(k, m).map_err(|error| Failure::input(&error).hint(error.hint()))?;
            let report = on_bits(arguments, sbh).map_err(refused)?;
            (sbh.spec(), 1 << (k + 2 * m), report)
        }
    };
    let right = report.conflicts == 0 && report.error <= ROUNDING;
    tell(arguments, &network, size, &report)?;
    Ok(if right { 0 } else { failure::NO })
}

/// Runs a program that joins items bit by bit.
fn on_bits(arguments: &ComputeArgs, sbh: SwappedHypercube) -> Result<Report, ComputeError> {
    let (home, seed) = (arguments.home, arguments.seed);
    match arguments.program {
        ProgramChoice::PrefixSums => ascend::prefix_sums(sbh, home, seed),
        ProgramChoice::Convolution => descend::convolution(sbh, home, seed),
        ProgramChoice::Merge => descend::merge(sbh, home, seed),
        ProgramChoice::Sort => descend::sort(sbh, seed),
        _ if arguments.descend => descend::fourier(sbh, home, seed),
        _ => ascend::fourier(sbh, home, seed),
    }
}

fn tell(arguments: &ComputeArgs, network: &str, size: u64, report: &Report) -> Result<(), Failure> {
    let Report { rounds, hops, conflicts, crossings, error } = report;
    let name = arguments.program.name();
    if arguments.report.json {
        return say_json(&json!({
            "program": name, "network": network, "size": size, "batched": arguments.batched,
            "descend": arguments.descend, "home": arguments.home, "seed": arguments.seed,
            "rounds": rounds, "hops": hops, "conflicts": conflicts, "crossings": crossings, "error": error,
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
    say(&format!(
        "{name} on {network}: {what}\n  {hops} hops: {rounds} {unit}\n  {crossings} values crossed a channel, {conflicts} \
         conflicts\n  largest difference from the plain computation {error:.2e} of the largest number"
    ))
}

fn misplaced(flag: &str, of: &str) -> Failure {
    Failure::input(format!("{flag} is for {of}")).hint("`quadrille help compute` has an example of each program")
}

fn refused(error: ComputeError) -> Failure {
    let hint = match &error {
        ComputeError::NoSquare { cabinets, .. } => {
            let l = cabinets.isqrt();
            format!("take K = {} or {}", l * l, (l + 1) * (l + 1))
        }
        ComputeError::Size { size, blocks } => match size / blocks {
            0 => format!("write --size {blocks}, or a multiple of it"),
            b => format!(
                "write --size {} or {}; the network has {blocks} × {blocks} blocks",
                b * blocks,
                (b + 1) * blocks
            ),
        },
        ComputeError::TooLarge { .. } => "take a smaller network or size".to_owned(),
        ComputeError::Channel(_) => "a fault in this program; please report it".to_owned(),
    };
    Failure::input(error).hint(hint)
}

/// Q of a network `torus:QxQ`.
fn side(arguments: &ComputeArgs) -> Option<u32> {
    let spec = topologies::topology(&arguments.network).ok()?.spec();
    let (a, b) = spec.strip_prefix("torus:")?.split_once('x')?;
    a.parse().ok().filter(|_| a == b)
}

/// K and M of the network, which has to be of that family.
fn parameters(arguments: &ComputeArgs, family: &str, range: &str) -> Result<[u32; 2], Failure> {
    let text = &arguments.network;
    let spec = topologies::topology(text).map_err(|error| Failure::input(&error).hint(error.hint()))?.spec();
    let numbers = spec.strip_prefix(family).and_then(|rest| rest.strip_prefix(':')).map(|rest| {
        let numbers: Vec<u32> = rest.split(',').filter_map(|n| n.parse().ok()).collect();
        numbers
    });
    match numbers.as_deref() {
        Some(&[k, m]) => Ok([k, m]),
        _ => Err(Failure::input(format!("`{text}`: {} does not run on it", arguments.program.name()))
            .hint(format!("name a {family}:K,M {range}"))),
    }
}
