//! **What:** the functions that C calls. All of them end panics here, and take null pointers for what they are: errors.
#![allow(unsafe_code)]

use crate::load::{Loaded, row};
use program::Shape;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int, c_ulonglong};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// A schedule that was verified when it was loaded. Any number of threads may ask about it at once.
pub struct quadrille_schedule {
    loaded: Loaded,
}

/// How the buffers of a collective lie: as those of the MPI call of the same name.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum quadrille_shape {
    /// MPI_Bcast; the root has the vector in its input and, in the end, in its output
    QUADRILLE_BROADCAST,
    /// MPI_Scatter
    QUADRILLE_SCATTER,
    /// MPI_Gather
    QUADRILLE_GATHER,
    /// MPI_Allgather
    QUADRILLE_ALLGATHER,
    /// MPI_Alltoall
    QUADRILLE_ALLTOALL,
    /// MPI_Reduce
    QUADRILLE_REDUCE,
    /// MPI_Allreduce
    QUADRILLE_ALLREDUCE,
    /// MPI_Reduce_scatter_block
    QUADRILLE_REDUCE_SCATTER,
    /// MPI_Scan
    QUADRILLE_SCAN,
    /// MPI_Exscan
    QUADRILLE_EXSCAN,
    /// Another collective, or one of some of the ranks: one message after the other
    QUADRILLE_LISTED,
}

/// What one rank does. The numbers are the schedule's and live as long as it.
#[repr(C)]
pub struct quadrille_table {
    /// Parts of a message: each place holds one part
    pub chunks: c_int,
    /// Places of the input: blocks of `chunks` places, a message each
    pub input: c_int,
    /// Places of the output
    pub output: c_int,
    /// Places of the scratch
    pub scratch: c_int,
    /// Number of operations
    pub operations: c_int,
    /// Five numbers an operation: kind, peer, tag, end of its places, end of what it waits for
    pub rows: *const c_int,
    /// Places of all operations: 3 * index + buffer, which is 0 for the input, 1 for the output and 2 for the scratch
    pub places: *const c_int,
    /// The operations that each operation waits for, by their numbers
    pub after: *const c_int,
}

/// One operation of a rank.
#[repr(C)]
pub struct quadrille_operation {
    /// 0 sends, 1 receives, 2 copies from the first place to the second, 3 merges all places but the last into the last
    pub kind: c_int,
    /// The other rank of a send or receive
    pub peer: c_int,
    /// Tells it from others between the same two ranks
    pub tag: c_int,
    /// Number of places
    pub place_count: c_int,
    /// The places, in the order in which they are sent
    pub places: *const c_int,
    /// Number of operations that have to be done before
    pub after_count: c_int,
    /// Those operations
    pub after: *const c_int,
}

thread_local! {
    static ERROR: RefCell<CString> = RefCell::default();
}

fn failed(text: &str) {
    let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
    ERROR.with(|error| *error.borrow_mut() = text);
}

/// Does it, and gives `otherwise` where it fails or panics.
fn guarded<T>(otherwise: T, does: impl FnOnce() -> Result<T, String>) -> T {
    let done = catch_unwind(AssertUnwindSafe(does));
    match done.unwrap_or_else(|_| Err("an error within libquadrille; please report it".to_owned())) {
        Ok(value) => value,
        Err(text) => {
            failed(&text);
            otherwise
        }
    }
}

/// What a pointer points to.
fn of<'s>(schedule: *const quadrille_schedule) -> Result<&'s Loaded, String> {
    // SAFETY: C gives what `quadrille_load` gave and `quadrille_free` has not taken, or null.
    let schedule = unsafe { schedule.as_ref() };
    schedule.map(|schedule| &schedule.loaded).ok_or_else(|| "the schedule is a null pointer".to_owned())
}

/// Reads a schedule file (.json or .json.gz; of steps, of orbits, or in time) and verifies it. Null where that fails. The caller frees it.
///
/// # Safety
/// `file` is null or a string that ends in a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_load(file: *const c_char) -> *mut quadrille_schedule {
    guarded(std::ptr::null_mut(), || {
        if file.is_null() {
            return Err("the file name is a null pointer".to_owned());
        }
        // SAFETY: it is not null, so it is a string.
        let name = unsafe { CStr::from_ptr(file) }.to_str().map_err(|_| "the file name is no UTF-8".to_owned())?;
        Loaded::read(Path::new(name)).map(|loaded| Box::into_raw(Box::new(quadrille_schedule { loaded })))
    })
}

/// Why the last call on this thread failed; valid until the next one fails.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_error() -> *const c_char {
    ERROR.with(|error| error.borrow().as_ptr())
}

/// Frees a schedule, and all tables it gave; null is nothing.
///
/// # Safety
/// `schedule` is null or was loaded and is not freed yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_free(schedule: *mut quadrille_schedule) {
    guarded((), || {
        if !schedule.is_null() {
            // SAFETY: it came out of a box, and nobody has taken it back.
            drop(unsafe { Box::from_raw(schedule) });
        }
        Ok(())
    });
}

/// Number of ranks: the terminals of the network, in the order of their numbers. −1 where that fails.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_ranks(schedule: *const quadrille_schedule) -> c_int {
    guarded(-1, || of(schedule).map(|loaded| loaded.tables.len() as c_int))
}

/// A number that no other schedule of this process has, or had; 0 where that fails.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_number(schedule: *const quadrille_schedule) -> c_ulonglong {
    guarded(0, || of(schedule).map(|loaded| loaded.number))
}

/// How its buffers lie.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_shape_of(schedule: *const quadrille_schedule) -> quadrille_shape {
    use quadrille_shape::*;
    guarded(QUADRILLE_LISTED, || {
        Ok(match of(schedule)?.shape {
            Shape::Broadcast => QUADRILLE_BROADCAST,
            Shape::Scatter => QUADRILLE_SCATTER,
            Shape::Gather => QUADRILLE_GATHER,
            Shape::Allgather => QUADRILLE_ALLGATHER,
            Shape::Alltoall => QUADRILLE_ALLTOALL,
            Shape::Reduce => QUADRILLE_REDUCE,
            Shape::Allreduce => QUADRILLE_ALLREDUCE,
            Shape::ReduceScatter => QUADRILLE_REDUCE_SCATTER,
            Shape::Scan => QUADRILLE_SCAN,
            Shape::Exscan => QUADRILLE_EXSCAN,
            Shape::Listed => QUADRILLE_LISTED,
        })
    })
}

/// The rank of its root; −1 where it has none.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_root(schedule: *const quadrille_schedule) -> c_int {
    guarded(-1, || of(schedule).map(|loaded| loaded.root))
}

/// 1 where contributions are merged, 0 where messages are copied, −1 where that fails.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_reduces(schedule: *const quadrille_schedule) -> c_int {
    guarded(-1, || of(schedule).map(|loaded| c_int::from(loaded.reduces)))
}

/// The name of its collective, or null; it lives as long as the schedule.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_collective(schedule: *const quadrille_schedule) -> *const c_char {
    guarded(std::ptr::null(), || of(schedule).map(|loaded| loaded.collective.as_ptr()))
}

/// The name of its network, or null; it lives as long as the schedule.
#[unsafe(no_mangle)]
pub extern "C" fn quadrille_network(schedule: *const quadrille_schedule) -> *const c_char {
    guarded(std::ptr::null(), || of(schedule).map(|loaded| loaded.network.as_ptr()))
}

/// What a rank does. 0, or −1 where there is no such rank.
///
/// # Safety
/// `table` is null or points to room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_rank(
    schedule: *const quadrille_schedule,
    rank: c_int,
    table: *mut quadrille_table,
) -> c_int {
    guarded(-1, || {
        let found = table_of(of(schedule)?, rank)?;
        let given = quadrille_table {
            chunks: found.chunks,
            input: found.input,
            output: found.output,
            scratch: found.scratch,
            operations: found.operations() as c_int,
            rows: found.rows.as_ptr(),
            places: found.places.as_ptr(),
            after: found.after.as_ptr(),
        };
        give(table, given)
    })
}

/// One operation of a rank; they stand in an order that works. 0, or −1 where there is none.
///
/// # Safety
/// `operation` is null or points to room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quadrille_operation_of(
    schedule: *const quadrille_schedule,
    rank: c_int,
    at: c_int,
    operation: *mut quadrille_operation,
) -> c_int {
    guarded(-1, || {
        let table = table_of(of(schedule)?, rank)?;
        let found = usize::try_from(at).ok().and_then(|at| row(table, at));
        let found = found.ok_or_else(|| format!("rank {rank} has no operation {at}, but {}", table.operations()))?;
        let given = quadrille_operation {
            kind: found.kind,
            peer: found.peer,
            tag: found.tag,
            place_count: found.places.len() as c_int,
            places: found.places.as_ptr(),
            after_count: found.after.len() as c_int,
            after: found.after.as_ptr(),
        };
        give(operation, given)
    })
}

fn table_of(loaded: &Loaded, rank: c_int) -> Result<&program::Table, String> {
    let table = usize::try_from(rank).ok().and_then(|rank| loaded.tables.get(rank));
    table.ok_or_else(|| format!("there is no rank {rank} among {}", loaded.tables.len()))
}

fn give<T>(to: *mut T, value: T) -> Result<c_int, String> {
    if to.is_null() {
        return Err("there is no room for the answer: a null pointer".to_owned());
    }
    // SAFETY: it is not null, so it points to room for one, which nobody else uses meanwhile.
    unsafe { to.write(value) };
    Ok(0)
}
