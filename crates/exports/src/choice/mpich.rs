//! **What:** a tree of decisions for MPICH (`MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE`): conditions, tried from top to bottom, down to the name of a function.
//!
//! **Facts:** the tree replaces the one that is built in, for all collectives; others must be added from the tree that MPICH ships. Communicators of other sizes get an algorithm that works for any number of
//! ranks. `avg_msg_size` is the buffer of an allreduce, `total_msg_size` the block times the ranks of allgather and alltoall: the sizes of nccl-tests. There are no comments.
//!
//! **Source:** `src/mpi/coll/src/csel.c` of MPICH

use super::{Algorithm, Choice, ChoiceWriter, Range, algorithm};

pub(super) const WRITER: ChoiceWriter = ChoiceWriter {
    name: "mpich",
    about: "a decision tree of MPICH, for this collective alone",
    has_comments: false,
    algorithms: ALGORITHMS,
    write,
};

/// Of each collective, the first one works for any number of ranks.
const ALGORITHMS: &[Algorithm] = &[
    algorithm("allgather", "timed-ring", "MPIR_Allgather_intra_ring"),
    algorithm("allgather", "timed-bruck", "MPIR_Allgather_intra_brucks"),
    algorithm("allgather", "timed-doubling", "MPIR_Allgather_intra_recursive_doubling"),
    algorithm("allreduce", "timed-doubling", "MPIR_Allreduce_intra_recursive_doubling"),
    algorithm("allreduce", "timed-rabenseifner", "MPIR_Allreduce_intra_reduce_scatter_allgather"),
    algorithm("alltoall", "timed-pairwise", "MPIR_Alltoall_intra_pairwise"),
    algorithm("alltoall", "timed-bruck", "MPIR_Alltoall_intra_brucks"),
    algorithm("alltoall", "timed-direct", "MPIR_Alltoall_intra_scattered"),
];

fn write(choice: &Choice) -> String {
    let Choice { collective, ranks, ranges, .. } = choice;
    let any = ALGORITHMS.iter().find(|known| known.collective == collective).map_or("", |known| known.name);
    let size = if collective == "allreduce" { "avg_msg_size" } else { "total_msg_size" };
    let rule = |Range { until, algorithm, .. }: &Range| {
        let condition = match until {
            Some(until) => format!("{size}<={until}"),
            None => "avg_msg_size=any".to_owned(),
        };
        format!("        \"{condition}\": {{\"algorithm={}\": {{}}}}", algorithm.name)
    };
    let rules = ranges.iter().map(rule).collect::<Vec<_>>().join(",\n");
    format!(
        r#"{{
  "collective={collective}": {{
    "comm_type=intra": {{
      "comm_size<{ranks}": {{"algorithm={any}": {{}}}},
      "comm_size<={ranks}": {{
{rules}
      }},
      "comm_size=any": {{"algorithm={any}": {{}}}}
    }}
  }}
}}
"#
    )
}
