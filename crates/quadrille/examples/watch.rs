//! A search that is watched, and stopped from another thread after half a second.

use quadrille::{Progress, Settings, Watch};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

struct Line;

impl Progress for Line {
    fn found(&self, method: &'static str, steps: u64) {
        println!("{method} has {steps} steps");
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let problem = quadrille::problem("random-regular:48,3", "alltoall")?;
    let stop = AtomicBool::new(false);
    let outcome = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(500));
            stop.store(true, Ordering::Relaxed);
        });
        quadrille::solve_watched(
            &problem,
            &Settings::seconds(60.0),
            Watch { progress: &Line, stop: &stop, ..Watch::nobody() },
        )
    })?;
    println!("{outcome}: {}", outcome.stopped.reason());
    Ok(())
}
