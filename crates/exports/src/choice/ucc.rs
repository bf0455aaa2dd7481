//! **What:** the scores of UCC's transport layer over UCX (`UCC_TL_UCP_TUNE`), as a line of `ucc.conf` or of a shell: collective, sizes, ranks and algorithm, with `#` between ranges.
//!
//! **Facts:** sizes are those of nccl-tests, a range ends before its second number. UCC's k-nomial exchanges are recursive doubling where their radix is 2.
//!
//! **Source:** UCC's user guide, and `ucc_coll_args_msgsize` for what a size is

use super::{Algorithm, Choice, ChoiceWriter, Range, algorithm};

pub(super) const WRITER: ChoiceWriter = ChoiceWriter {
    name: "ucc",
    about: "the variable UCC_TL_UCP_TUNE of UCC",
    has_comments: true,
    algorithms: ALGORITHMS,
    write,
};

const ALGORITHMS: &[Algorithm] = &[
    algorithm("allgather", "timed-doubling", "knomial"),
    algorithm("allgather", "timed-ring", "ring"),
    algorithm("allgather", "timed-bruck", "bruck"),
    algorithm("allgather", "timed-direct", "linear"),
    algorithm("allreduce", "timed-doubling", "knomial"),
    algorithm("allreduce", "timed-rabenseifner", "sra_knomial"),
    algorithm("allreduce", "timed-binary-tree", "dbt"),
    algorithm("allreduce", "timed-ring", "ring"),
    algorithm("alltoall", "timed-pairwise", "pairwise"),
    algorithm("alltoall", "timed-bruck", "bruck"),
];

fn write(choice: &Choice) -> String {
    let Choice { collective, ranks, ranges, .. } = choice;
    let token = |Range { from, until, algorithm, .. }: &Range| {
        let until = until.map_or("inf".to_owned(), |until| (until + 1).to_string());
        format!("{collective}:{from}-{until}:[{ranks}-{ranks}]:@{}", algorithm.name)
    };
    let tokens: Vec<String> = ranges.iter().map(token).collect();
    let comments = choice.comments(&["k-nomial exchanges were timed with radix 2"]);
    format!("{comments}UCC_TL_UCP_TUNE={}\n", tokens.join("#"))
}
