//! The first call: alltoall on a torus, with its proof.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let problem = quadrille::problem("torus:6x6", "alltoall")?;
    let outcome = quadrille::solve(&problem, &quadrille::Settings::seconds(5.0))?;
    println!("{outcome}");
    println!("found by {}, {}", outcome.method().unwrap_or("nothing"), outcome.stopped.reason());
    Ok(())
}
