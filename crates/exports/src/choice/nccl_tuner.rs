//! **What:** the table of NCCL's example tuner plugin (`NCCL_TUNER_CONFIG_FILE`), read at its start: a line a range of sizes, the first that fits counts.
//!
//! **Parameters:** collective, least and most bytes, algorithm, protocol, channels, nodes, ranks, pipelined operations, registered buffers; −1 leaves the choice to NCCL.
//!
//! **Facts:** sizes are those of nccl-tests. The model of time knows no protocols, so all lines say `simple`; what NCCL cannot do on a machine it ignores.
//!
//! **Source:** the tuner plugin `example` of NCCL's repository

use super::{Algorithm, Choice, ChoiceWriter, Range, algorithm};

pub(super) const WRITER: ChoiceWriter = ChoiceWriter {
    name: "nccl-tuner",
    about: "the table of NCCL's example tuner plugin",
    has_comments: true,
    algorithms: ALGORITHMS,
    write,
};

/// On machines of several ranks NCCL has a ring or a pair of trees for each network card; on others there is one.
const ALGORITHMS: &[Algorithm] = &[
    algorithm("broadcast", "timed-nccl-ring", "ring"),
    algorithm("broadcast", "timed-ring", "ring"),
    algorithm("reduce", "timed-nccl-ring", "ring"),
    algorithm("reduce", "timed-ring", "ring"),
    algorithm("allgather", "timed-nccl-ring", "ring"),
    algorithm("allgather", "timed-ring", "ring"),
    algorithm("reduce_scatter", "timed-nccl-ring", "ring"),
    algorithm("reduce_scatter", "timed-ring", "ring"),
    algorithm("allreduce", "timed-nccl-ring", "ring"),
    algorithm("allreduce", "timed-nccl-tree", "tree"),
    algorithm("allreduce", "timed-ring", "ring"),
    algorithm("allreduce", "timed-binary-tree", "tree"),
];

/// The most that a size can be, where a range has no end.
const MOST: u64 = u32::MAX as u64;

fn write(choice: &Choice) -> String {
    let mut text =
        choice.comments(&[
            "protocols are not part of the model: every rule says simple, where NCCL may be faster with LL or LL128 for small sizes",
            "collective,min,max,algorithm,protocol,channels,nNodes,nRanks,numPipeOps,regBuff",
        ]);
    // NCCL writes its names without underscores.
    let collective = choice.collective.replace('_', "");
    for Range { from, until, algorithm, .. } in &choice.ranges {
        // Below the sizes that were tried the choice stays with NCCL.
        let from = (*from).max(choice.least);
        let (until, ranks) = (until.unwrap_or(MOST.max(from)), choice.ranks);
        text.push_str(&format!("{collective},{from},{until},{},simple,-1,-1,{ranks},-1,-1\n", algorithm.name));
    }
    text
}
