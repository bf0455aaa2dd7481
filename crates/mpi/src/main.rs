//! **What:** `mpirun -n 4 quadrille-mpi solve …`: a search spread over MPI ranks, task by task, or an evolutionary method's island by island.
//!
//! **Threads:** the main thread alone speaks MPI ([`post`]); a second one runs the command line, as `quadrille` does; a third
//! one watches over the other ranks and waits for nobody ([`watch`]). So a rank that dies, or an MPI that hangs because of
//! it, never keeps this one from saving what it knows.

mod post;
mod watch;

use mpi::Threading;
use mpi::traits::Communicator;
use post::{Counter, Office};
use quadrille_cli::{Keeper, interruptible, main_among};
use run::ranks::Announced;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::channel;
use watch::Watch;

fn main() -> ExitCode {
    let Some((universe, _)) = mpi::initialize_with_threading(Threading::Funneled) else {
        eprintln!("error: MPI cannot be started\nhint: run it as `mpirun -n 4 quadrille-mpi solve …`");
        return ExitCode::from(2);
    };
    let world = universe.world();
    // Ranks are not negative.
    let (rank, count) = (world.rank() as usize, world.size() as usize);
    let (keeper, watch) = (Keeper::default(), Watch::new(rank, count));
    let (sender, commands) = channel();
    let announced = Arc::new(Announced::default());
    let counter = Counter { rank, count, commands: sender, announced: announced.clone() };
    let searching = interruptible();
    std::thread::scope(|scope| {
        scope.spawn(|| watch.over(&keeper, searching.switch()));
        let search = scope.spawn(|| {
            let status = main_among(&counter, &keeper);
            watch.finished();
            status
        });
        let inbox = vec![Default::default(); count];
        Office { world: &world, commands: &commands, announced: &announced, watch: &watch, inbox }.serve();
        // Every rank has finished its search, so this waits for nothing.
        search.join().unwrap_or_else(|_| ExitCode::from(2))
    })
}
