//! **What:** the engine in C behind safe calls: a program with its buffers, started and tested, and the library's own collective on the same buffers.
//!
//! **Facts:** the only unsafe code of the crate. C reads and writes the vectors that a [`Running`] owns, between their creation and its drop; none of
//! them grows or moves meanwhile, since nobody outside has them but as slices.
#![allow(unsafe_code)]

use super::limit::Pulse;
use program::{COLUMNS, Table};
use quadrille_cli::ElementChoice;
use std::ffi::{c_int, c_void};
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

/// `quadrille_table` of the engine.
#[repr(C)]
struct RawTable {
    chunks: c_int,
    input: c_int,
    output: c_int,
    scratch: c_int,
    operations: c_int,
    rows: *const c_int,
    places: *const c_int,
    after: *const c_int,
}

/// `quadrille_run` of the engine.
#[repr(C)]
struct RawRun {
    _opaque: [u8; 0],
    // Neither moved nor shared between threads.
    _marker: PhantomData<*mut u8>,
}

unsafe extern "C" {
    fn quadrille_world_new(
        table: *const RawTable,
        send: *const c_void,
        recv: *mut c_void,
        count: c_int,
        element: c_int,
    ) -> *mut RawRun;
    fn quadrille_world_start(run: *mut RawRun) -> c_int;
    fn quadrille_world_test(run: *mut RawRun, open: *mut c_int) -> c_int;
    fn quadrille_world_free(run: *mut RawRun);
    fn quadrille_world_library(
        shape: c_int,
        send: *const c_void,
        recv: *mut c_void,
        count: c_int,
        element: c_int,
        root: c_int,
    ) -> c_int;
}

/// Why the engine did not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// No memory, or MPI refuses.
    Prepare,
    /// A call of MPI failed.
    Mpi(i32),
}

fn told(error: c_int) -> Result<(), Fault> {
    if error == 0 { Ok(()) } else { Err(Fault::Mpi(error)) }
}

/// Memory for this many bytes, all ones, aligned for every element.
fn buffer(bytes: usize) -> Result<Vec<u64>, Fault> {
    let mut words = Vec::new();
    let count = bytes.div_ceil(8) + 1;
    words.try_reserve_exact(count).map_err(|_| Fault::Prepare)?;
    words.resize(count, u64::MAX);
    Ok(words)
}

/// A program on its buffers.
pub(super) struct Running {
    run: NonNull<RawRun>,
    table: Table,
    count: i32,
    element: ElementChoice,
    input: Vec<u64>,
    output: Vec<u64>,
    /// What the library's own collective writes.
    beside: Vec<u64>,
}

impl Running {
    /// Buffers and requests for messages of `count` elements.
    ///
    /// # Errors
    /// Where there is no memory.
    pub(super) fn new(table: Table, count: i32, element: ElementChoice, compares: bool) -> Result<Self, Fault> {
        let places = |places: i32| (places / table.chunks) as usize * count as usize * element.bytes();
        let (input, mut output) = (buffer(places(table.input))?, buffer(places(table.output))?);
        let beside = buffer(if compares { places(table.output) } else { 0 })?;
        let raw = RawTable {
            chunks: table.chunks,
            input: table.input,
            output: table.output,
            scratch: table.scratch,
            operations: (table.rows.len() / COLUMNS) as c_int,
            rows: table.rows.as_ptr(),
            places: table.places.as_ptr(),
            after: table.after.as_ptr(),
        };
        // SAFETY: the table's pointers are to vectors that live as long as the run (it copies the struct, not what it points to); the buffers have
        // room for all places, and stay where they are.
        let run = unsafe {
            quadrille_world_new(&raw, input.as_ptr().cast(), output.as_mut_ptr().cast(), count, element as c_int)
        };
        let run = NonNull::new(run).ok_or(Fault::Prepare)?;
        Ok(Running { run, table, count, element, input, output, beside })
    }

    /// What the ranks of this process contribute; nothing may be under way.
    pub(super) fn input(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(&mut self.input)
    }

    /// What they end with.
    pub(super) fn output(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(&mut self.output)
    }

    /// What the library's own collective came to.
    pub(super) fn beside_output(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(&mut self.beside)
    }

    /// Runs it once. Who waits lets others have the core; what is done beats the pulse.
    ///
    /// # Errors
    /// Where MPI fails.
    pub(super) fn run(&mut self, pulse: &Pulse) -> Result<(), Fault> {
        let (mut open, mut known): (c_int, c_int) = (0, -1);
        // SAFETY: the run is alive, and no slice of a buffer is, as they borrow from `self`.
        told(unsafe { quadrille_world_start(self.run.as_ptr()) })?;
        loop {
            // SAFETY: as above.
            told(unsafe { quadrille_world_test(self.run.as_ptr(), &mut open) })?;
            if open == 0 {
                return Ok(());
            }
            if open != known {
                known = open;
                pulse.beat();
            }
            std::thread::yield_now();
        }
    }

    /// Runs the library's own collective once, into its own output.
    ///
    /// # Errors
    /// Where MPI fails.
    pub(super) fn run_library(&mut self, shape: i32, root: i32) -> Result<(), Fault> {
        let (send, recv) = (self.input.as_ptr().cast(), self.beside.as_mut_ptr().cast());
        // SAFETY: with a rank a process, buffers of the program are those that MPI asks for, of the same count.
        told(unsafe { quadrille_world_library(shape, send, recv, self.count, self.element as c_int, root) })
    }

    /// The table it runs.
    pub(super) fn table(&self) -> &Table {
        &self.table
    }

    /// Frees it while MPI is alive. Where a run failed, requests may be under way, and the buffers stay.
    pub(super) fn free(self) {
        let run = ManuallyDrop::new(self);
        // SAFETY: nothing uses the run any more. The vectors are leaked, as the process ends.
        unsafe { quadrille_world_free(run.run.as_ptr()) }
    }
}
