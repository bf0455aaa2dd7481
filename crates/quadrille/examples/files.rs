//! A file with schedule and proof, written, read by somebody who trusts nobody, and checked.

use quadrille::formats::schedule_json;
use quadrille::{Settings, Verdict, certify, verify};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::temp_dir().join(format!("quadrille-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let file = folder.join("ring.json");
    let outcome = quadrille::solve(&quadrille::problem("ring:8", "allgather")?, &Settings::default())?;
    let verdict = outcome.verdict().ok_or("no schedule")?;
    schedule_json::write(verdict.ceiling(), Some(verdict.floor()), &Default::default(), &file)?;

    let document = schedule_json::read(&file)?;
    let schedule = verify(&document.problem, document.claim)?;
    let bound = certify(&document.problem, document.bound.ok_or("no bound in the file")?)?;
    println!("{}", Verdict::new(bound, schedule)?);
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}
