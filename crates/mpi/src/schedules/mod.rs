//! **What:** `mpirun -n 16 quadrille-mpi run FILE --bytes SIZE`: a schedule on real ranks and real data, beside the library's own collective.
//!
//! **Facts:** rank 0 reads and verifies the file and sends every process its part, so no rank can have another file. A thread beside ends the process when
//! time is up, or nothing has come from others for long. So a rank that is lost keeps nobody waiting for ever, whatever `mpirun` does.

mod data;
mod engine;
mod head;
mod limit;
mod parcel;

use data::Geometry;
use engine::{Fault, Running};
use limit::{Limit, Pulse};
use mpi::collective::SystemOperation;
use mpi::point_to_point::{Destination, Source};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives, Root};
use parcel::Parcel;
use quadrille_cli::RunRequest;

/// Runs what the command line says; the exit status.
pub(super) fn run(world: &SimpleCommunicator) -> u8 {
    let rank = world.rank();
    let (head, asked) = if rank == 0 {
        let (head, asked) = head::ask(world);
        (head, asked.ok())
    } else {
        (head::hear(world), None)
    };
    if let Some(status) = head.refused {
        return status;
    }
    let pulse = Pulse::default();
    let limit = Limit::begin(rank, head.seconds, pulse.clone());
    let mut other = 0;
    let mine = if head::arguments() == head.arguments { i32::MAX } else { rank };
    world.all_reduce_into(&mine, &mut other, SystemOperation::min());
    pulse.beat();
    if other != i32::MAX {
        if rank == 0 {
            eprintln!(
                "error: rank {other} was started with other arguments than rank 0\nhint: give all ranks the same command"
            );
        }
        return 2;
    }
    let job = Job { world, request: asked.as_ref(), pulse };
    let status = match job.share() {
        Some(parcel) => job.play(parcel),
        None => 2,
    };
    // Until the process ends, as MPI may wait for a lost rank in its last call too.
    limit.stays();
    status
}

/// A run, as a process sees it.
struct Job<'a> {
    world: &'a SimpleCommunicator,
    /// At rank 0.
    request: Option<&'a RunRequest>,
    pulse: Pulse,
}

/// What went wrong at a process, as a number that all can compare: the place in the end.
#[derive(Clone, Copy)]
enum Trouble {
    Memory = 1,
    Mpi = 2,
    Wrong = 3,
    Library = 4,
}

impl Trouble {
    fn text(number: i64) -> (&'static str, &'static str) {
        match number {
            1 => ("there is no memory for its buffers", "choose a smaller --bytes"),
            2 => ("a call of MPI failed", "see what the MPI library says"),
            3 => (
                "the data is wrong after running the schedule",
                "this is an error of the program or of the MPI library: please report it",
            ),
            _ => (
                "the MPI library's collective comes to other data",
                "this is an error of the program or of the MPI library: please report it",
            ),
        }
    }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Prepare => Trouble::Memory,
            Fault::Mpi(_) => Trouble::Mpi,
        }
    }
}

impl Job<'_> {
    /// Every process has its part; `None` where it cannot be made, which rank 0 tells.
    fn share(&self) -> Option<Parcel> {
        let Some(request) = self.request else {
            let (numbers, _) = self.world.process_at_rank(0).receive_vec::<i32>();
            self.pulse.beat();
            return Parcel::read(&numbers);
        };
        let parcels = parcel::all(request, self.world.size() as u32);
        if let Err(error) = &parcels {
            request.failed(&error.to_string(), "let each terminal have a rank, or run a schedule with fewer messages");
        }
        for rank in 1..self.world.size() {
            let numbers = parcels.as_ref().map_or(Vec::new(), |parcels| parcels[rank as usize].write());
            self.world.process_at_rank(rank).send(&numbers[..]);
            self.pulse.beat();
        }
        parcels.ok()?.into_iter().next()
    }

    /// Whether all processes are well; else rank 0 tells of the first that is not.
    fn all_well(&self, own: Result<(), Trouble>) -> Result<(), u8> {
        let number = own.err().map_or(i64::MAX, |trouble| i64::from(self.world.rank()) << 8 | trouble as i64);
        let mut first = 0;
        self.world.all_reduce_into(&number, &mut first, SystemOperation::min());
        self.pulse.beat();
        if first == i64::MAX {
            return Ok(());
        }
        let (why, hint) = Trouble::text(first & 255);
        Err(self.request.map_or(1, |request| request.failed(&format!("rank {}: {why}", first >> 8), hint)))
    }

    /// Runs it, checks it and times it.
    fn play(&self, mut parcel: Parcel) -> u8 {
        let table = std::mem::take(&mut parcel.table);
        let made = Running::new(table, parcel.count, parcel.element, parcel.beside.is_some());
        if let Err(status) = self.all_well(made.as_ref().map(drop).map_err(|fault| (*fault).into())) {
            return status;
        }
        let Ok(mut running) = made else { return 1 };
        let timed = self
            .checked(&parcel, &mut running, 1)
            .and_then(|()| self.times(&parcel, &mut running))
            .and_then(|times| self.checked(&parcel, &mut running, 2).map(|()| times));
        let status = match timed {
            Ok(times) => self.request.map_or(0, |request| request.tell(&times.own, times.beside.as_deref())),
            Err(status) => status,
        };
        let mut agreed = [status];
        self.world.process_at_rank(0).broadcast_into(&mut agreed[..]);
        running.free();
        agreed[0]
    }

    /// Runs it on new data and looks at what every terminal has then.
    fn checked(&self, parcel: &Parcel, running: &mut Running, round: u64) -> Result<(), u8> {
        let geometry = Geometry {
            chunks: running.table().chunks as usize,
            count: parcel.count as usize,
            element: parcel.element,
            merges: parcel.merges,
            round,
        };
        let mut first = 0;
        for (terminal, places) in &parcel.terminals {
            geometry.fill(running.input(), *terminal, first, *places);
            first += *places as usize;
        }
        if !parcel.checks {
            return Ok(());
        }
        // What is not delivered is seen.
        running.output().fill(255);
        let mut looked = running.run(&self.pulse).map_err(Trouble::from);
        if looked.is_ok() && geometry.wrong(running.output(), &parcel.sources).is_some() {
            looked = Err(Trouble::Wrong);
        }
        if let (Ok(()), Some((shape, root))) = (&looked, parcel.beside) {
            running.beside_output().fill(255);
            looked = running.run_library(shape, root).map_err(Trouble::from);
            self.pulse.beat();
            if looked.is_ok() && geometry.wrong(running.beside_output(), &parcel.sources).is_some() {
                looked = Err(Trouble::Library);
            }
        }
        self.all_well(looked)
    }

    /// The schedule and the library's own in turn, so that what disturbs one disturbs the other.
    fn times(&self, parcel: &Parcel, running: &mut Running) -> Result<Times, u8> {
        let (mut own, mut library) = (Vec::new(), Vec::new());
        let mut failed = Ok(());
        for _ in 0..parcel.warmup + parcel.iterations {
            self.world.barrier();
            let begun = mpi::time();
            // A call that fails is fatal to all ranks, as MPI has it unless told otherwise.
            failed = failed.and(running.run(&self.pulse).map_err(Trouble::from));
            own.push(mpi::time() - begun);
            if let Some((shape, root)) = parcel.beside {
                self.world.barrier();
                let begun = mpi::time();
                failed = failed.and(running.run_library(shape, root).map_err(Trouble::from));
                library.push(mpi::time() - begun);
            }
            self.pulse.beat();
        }
        self.all_well(failed)?;
        let slowest = |times: &[f64]| {
            let mut slowest = vec![0.0; times.len()];
            self.world.all_reduce_into(times, &mut slowest[..], SystemOperation::max());
            slowest.split_off(parcel.warmup as usize)
        };
        Ok(Times { own: slowest(&own), beside: parcel.beside.map(|_| slowest(&library)) })
    }
}

/// Seconds of each iteration at the slowest process.
struct Times {
    own: Vec<f64>,
    beside: Option<Vec<f64>>,
}
