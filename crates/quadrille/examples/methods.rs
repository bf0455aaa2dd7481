//! Two methods against each other, and what all of them did.

use quadrille::Settings;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let problem = quadrille::problem("petersen", "alltoall")?;
    for name in ["packing", "greedy"] {
        let outcome = quadrille::solve(&problem, &Settings::default().with_method(name).with_ticks(1_000_000))?;
        println!("{name}: {outcome}");
    }
    for report in quadrille::solve(&problem, &Settings::default())?.reports {
        println!("{:20} {:3} runs, {:?} steps, {}", report.method, report.runs, report.steps, report.ended.reason());
    }
    Ok(())
}
