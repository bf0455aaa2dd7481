//! **What:** a file of dynamic rules of Open MPI's `coll/tuned`, in the form that all releases read (`--mca coll_tuned_use_dynamic_rules 1 --mca
//! coll_tuned_dynamic_rules_filename FILE`): numbers with blanks between them.
//!
//! **Parameters:** the count of collectives; of each its number and the count of communicator sizes; of each the size and the count of message sizes; of each the least bytes,
//! algorithm, fan-out (0) and bytes of a segment (0: whole messages).
//!
//! **Facts:** a rule holds from its size on. Sizes are those of nccl-tests: the buffer, of allgather and alltoall the block times the ranks, of reduce_scatter all blocks.
//!
//! **Source:** `coll_tuned_dynamic_file.c` and the enumerations of algorithms of Open MPI

use super::{Algorithm, Choice, ChoiceWriter, Range};

pub(super) const WRITER: ChoiceWriter = ChoiceWriter {
    name: "ompi-tuned",
    about: "dynamic rules of Open MPI's coll/tuned",
    has_comments: true,
    algorithms: ALGORITHMS,
    write,
};

const fn whole(collective: &'static str, method: &'static str, name: &'static str, number: u32) -> Algorithm {
    Algorithm { collective, method, name, number, is_segmented: false }
}

const fn segmented(collective: &'static str, method: &'static str, name: &'static str, number: u32) -> Algorithm {
    Algorithm { collective, method, name, number, is_segmented: true }
}

const ALGORITHMS: &[Algorithm] = &[
    whole("allgather", "timed-direct", "linear", 1),
    whole("allgather", "timed-bruck", "bruck", 2),
    whole("allgather", "timed-doubling", "recursive_doubling", 3),
    whole("allgather", "timed-ring", "ring", 4),
    whole("allreduce", "timed-doubling", "recursive_doubling", 3),
    whole("allreduce", "timed-ring", "ring", 4),
    whole("allreduce", "timed-rabenseifner", "rabenseifner", 6),
    whole("alltoall", "timed-direct", "linear", 1),
    whole("alltoall", "timed-pairwise", "pairwise", 2),
    whole("alltoall", "timed-bruck", "modified_bruck", 3),
    segmented("broadcast", "timed-ring", "pipeline", 3),
    segmented("broadcast", "timed-binomial", "binomial", 6),
    segmented("reduce", "timed-ring", "pipeline", 3),
    segmented("reduce", "timed-binomial", "binomial", 5),
    whole("reduce_scatter", "timed-doubling", "recursive_halving", 2),
    whole("reduce_scatter", "timed-ring", "ring", 3),
];

/// The number of a collective in these files.
fn number(collective: &str) -> u32 {
    match collective {
        "allgather" => 0,
        "allreduce" => 2,
        "alltoall" => 3,
        "broadcast" => 7,
        "reduce" => 11,
        _ => 12,
    }
}

fn write(choice: &Choice) -> String {
    let mut text = choice.comments(&[]);
    let (collective, ranges) = (&choice.collective, &choice.ranges);
    text.push_str("1    # collectives\n");
    text.push_str(&format!("{}    # {collective}\n1    # communicator sizes\n", number(collective)));
    text.push_str(&format!("{}    # ranks\n{}    # message sizes\n", choice.ranks, ranges.len()));
    for Range { from, algorithm, segment, .. } in ranges {
        let (number, name) = (algorithm.number, algorithm.name);
        text.push_str(&format!("{from} {number} 0 {}    # {name}\n", segment.unwrap_or(0)));
    }
    text
}
