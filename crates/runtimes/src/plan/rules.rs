//! **What:** what the format asks of a plan: numbers that fit together, limits, bounds of buffers, operations that are known.

use super::{Block, Gpu, Op, Plan, Span};
use crate::Finding;
use crate::threads::{Buffer, MOST};

/// Operations of a thread block.
pub(super) const OPS: usize = 64;
/// Channels of a type of a thread block.
pub(super) const CHANNELS: usize = 16;
/// Channels, and remote buffers, of an operation.
pub(super) const SPANS: usize = 8;
/// Semaphores, and barriers, of a rank.
pub(super) const SEMAPHORES: usize = 16;

/// Sources and destinations of an operation: L local, R remote; `+` after the last of a side: any number of these.
struct Form {
    name: &'static str,
    sources: &'static str,
    targets: &'static str,
}

const fn form(name: &'static str, sources: &'static str, targets: &'static str) -> Form {
    Form { name, sources, targets }
}

/// Operations that are checked.
const FORMS: [Form; 18] = [
    form("nop", "", ""),
    form("barrier", "", ""),
    form("sem_acquire", "", ""),
    form("sem_release", "", ""),
    form("signal", "", ""),
    form("wait", "", ""),
    form("rlxsignal", "", ""),
    form("rlxwait", "", ""),
    form("flush", "", ""),
    form("put", "L+", "R+"),
    form("pws", "L+", "R+"),
    form("pwsf", "L+", "R+"),
    form("get", "R+", "L+"),
    form("copy", "L+", "L+"),
    form("re", "LL+", "L"),
    form("res", "LL+", "LR+"),
    form("rre", "LR+", "L"),
    form("rres", "LR+", "LR+"),
];

struct Broken<'p> {
    plan: &'p Plan,
    findings: Vec<Finding>,
    at: String,
}

impl Broken<'_> {
    fn unless(&mut self, holds: bool, rule: &'static str, text: impl FnOnce() -> String) {
        if !holds {
            self.findings.push(Finding { rule, line: 0, element: self.at.clone(), text: text() });
        }
    }
}

/// All rules that are broken.
pub(super) fn broken(plan: &Plan) -> Vec<Finding> {
    let mut broken = Broken { plan, findings: Vec::new(), at: "plan".into() };
    broken.unless(plan.protocol == "Simple", "protocol", || format!("`{}` is not checked; Simple is", plan.protocol));
    broken.unless(!plan.gpus.is_empty(), "gpus", || "is empty".into());
    let named = ["allgather", "allreduce", "reducescatter", "alltoall"].contains(&plan.collective.as_str());
    let sizes = |of: &Gpu| (of.input_chunks, of.output_chunks);
    for (rank, gpu) in (0u32..).zip(&plan.gpus) {
        broken.at = format!("gpus[{rank}]");
        broken.unless(gpu.id == rank, "id", || format!("has id {}; ids are positions", gpu.id));
        broken.unless(!named || sizes(gpu) == sizes(&plan.gpus[0]), "chunks", || {
            format!("has other numbers of chunks than gpus[0], where `{}` has the same everywhere", plan.collective)
        });
        gpu_rules(gpu, &mut broken);
    }
    let (input, output) = plan.gpus.first().map(sizes).unwrap_or_default();
    let ranks = plan.gpus.len() as u64;
    let (input, output) = (u64::from(input), u64::from(output));
    let fits = match plan.collective.as_str() {
        "allgather" => output == ranks * input,
        "reducescatter" => input == ranks * output,
        "alltoall" => input == output && input.is_multiple_of(ranks.max(1)),
        "allreduce" => input == output,
        _ => true,
    };
    broken.at = "plan".into();
    broken.unless(fits, "chunks", || {
        format!("{input} chunks of input and {output} of output do not fit `{}` of {ranks} ranks", plan.collective)
    });
    broken.unless(input.max(output) * ranks <= MOST, "size", || "too many chunks to check".into());
    broken.findings
}

fn gpu_rules(gpu: &Gpu, broken: &mut Broken<'_>) {
    let ranks = broken.plan.gpus.len() as u32;
    let place = broken.at.clone();
    for (at, channels) in gpu.channels.iter().enumerate() {
        broken.at = format!("{place}.channels[{at}]");
        broken.unless(["memory", "port"].contains(&channels.channel_type.as_str()), "channel", || {
            format!("channels of type `{}` are not checked; memory and port are", channels.channel_type)
        });
        let wrong = channels.connected_to.iter().find(|peer| **peer >= ranks || **peer == gpu.id);
        broken.unless(wrong.is_none(), "channel", || format!("{} is no other rank", wrong.unwrap_or(&0)));
    }
    for (at, buffer) in gpu.remote_buffers.iter().enumerate() {
        broken.at = format!("{place}.remote_buffers[{at}]");
        broken.unless(buffer.rank < ranks && buffer.rank != gpu.id, "buffer", || {
            format!("{} is no other rank", buffer.rank)
        });
        broken.unless(Buffer::of(&buffer.kind).is_some(), "buffer", || format!("`{}` is none of i, o, s", buffer.kind));
    }
    broken.at = format!("{place}.semaphores");
    broken.unless(gpu.semaphores.len() <= SEMAPHORES, "limit", || {
        format!("{} semaphores; {SEMAPHORES} are possible", gpu.semaphores.len())
    });
    for (at, block) in (0u32..).zip(&gpu.threadblocks) {
        broken.at = format!("{place}.threadblocks[{at}]");
        broken.unless(block.id == at, "id", || format!("has id {}; ids are positions", block.id));
        broken
            .unless(block.ops.len() <= OPS, "limit", || format!("{} operations; {OPS} are possible", block.ops.len()));
        for channels in &block.channels {
            let count = channels.channel_ids.len();
            broken.unless(count <= CHANNELS, "limit", || format!("{count} channels; {CHANNELS} are possible"));
            let known = gpu.peers(&channels.channel_type).len();
            let wrong = channels.channel_ids.iter().find(|id| **id as usize >= known);
            broken.unless(wrong.is_none(), "channel", || {
                format!("the rank has no {} channel {}", channels.channel_type, wrong.unwrap_or(&0))
            });
        }
        for refs in &block.remote_buffer_refs {
            let wrong = refs.remote_buffer_ids.iter().find(|id| **id as usize >= gpu.remote_buffers.len());
            broken
                .unless(wrong.is_none(), "buffer", || format!("the rank has no remote buffer {}", wrong.unwrap_or(&0)));
        }
        for (number, op) in block.ops.iter().enumerate() {
            broken.at = format!("{place}.threadblocks[{at}].ops[{number}]");
            op_rules(gpu, block, op, broken);
        }
    }
}

fn op_rules(gpu: &Gpu, block: &Block, op: &Op, broken: &mut Broken<'_>) {
    let Some(form) = FORMS.iter().find(|form| form.name == op.name) else {
        let known = FORMS.map(|form| form.name).join(", ");
        broken.unless(false, "op", || format!("`{}` is not checked; {known} are", op.name));
        return;
    };
    broken.unless(op.tbg_info.is_none(), "op", || "shares of thread block groups (tbg_info) are not checked".into());
    for (what, spans, pattern) in [("src_buff", &op.src_buff, form.sources), ("dst_buff", &op.dst_buff, form.targets)] {
        broken.unless(matches(spans, pattern), "op", || {
            let words = pattern.replace('L', "local ").replace('R', "remote ").replace(" +", ", …");
            format!("{what} of `{}` is to be {}", op.name, if pattern.is_empty() { "empty" } else { words.trim() })
        });
        let remote = spans.iter().filter(|span| span.kind.is_none()).count();
        broken.unless(remote <= SPANS && spans.len() <= SPANS + 2, "limit", || {
            format!("{} buffers, {remote} of them remote; {SPANS} remote and 2 more are possible", spans.len())
        });
        for span in spans {
            span_rules(gpu, block, op, span, broken);
        }
    }
    let all = || op.src_buff.iter().chain(&op.dst_buff);
    let size = all().next().map(|span| span.size);
    let paired = ["put", "pws", "pwsf", "get", "copy"].contains(&op.name.as_str());
    let equal = match paired {
        true => {
            let pairs = || op.src_buff.iter().zip(&op.dst_buff);
            op.src_buff.len() == op.dst_buff.len() && pairs().all(|(from, to)| from.size == to.size)
        }
        false => all().all(|span| Some(span.size) == size),
    };
    broken.unless(equal, "op", || "sources and destinations are of different sizes".into());
    let same = op.name != "get" || op.src_buff.iter().zip(&op.dst_buff).all(|(from, to)| from.index == to.index);
    broken.unless(same, "op", || "`get` is right only where both indices are equal".into());
    broken.unless(op.channel_ids.len() <= SPANS, "limit", || {
        format!("{} channels; {SPANS} are possible", op.channel_ids.len())
    });
    let needs = ["signal", "wait", "rlxsignal", "rlxwait", "flush", "pws", "pwsf"].contains(&op.name.as_str())
        || (op.name == "put" && op.channel_type == "port");
    broken.unless(!needs || !op.channel_ids.is_empty(), "channel", || "channel_ids is empty".into());
    let port = ["flush", "pws", "pwsf"].contains(&op.name.as_str());
    broken.unless(!port || op.channel_type == "port", "channel", || format!("`{}` is for port channels", op.name));
    if let Some(wrong) = op.channel_ids.iter().find(|id| Gpu::channel(block, op, **id).is_none()) {
        broken.unless(false, "channel", || format!("the block has no {} channel {wrong}", op.channel_type));
    }
    let wrong = op.semaphore_ids.iter().find(|id| **id as usize >= gpu.semaphores.len());
    broken.unless(wrong.is_none(), "semaphore", || format!("the rank has no semaphore {}", wrong.unwrap_or(&0)));
    if op.name == "barrier" {
        let id = op.barrier_id.unwrap_or(u32::MAX);
        broken.unless((id as usize) < SEMAPHORES, "barrier", || format!("barrier_id is to be below {SEMAPHORES}"));
        let uses = |block: &&Block| block.ops.iter().any(|op| op.name == "barrier" && op.barrier_id == Some(id));
        let meets =
            |block: &Block| block.ops.iter().filter(|op| op.name == "barrier" && op.barrier_id == Some(id)).count();
        let blocks: Vec<usize> = gpu.threadblocks.iter().filter(uses).map(meets).collect();
        let even = blocks.iter().all(|count| *count == blocks[0]);
        broken.unless(op.num_threadblocks == Some(blocks.len() as u32) && even, "barrier", || {
            let said = op.num_threadblocks.unwrap_or(0);
            format!("waits for {said} thread blocks; {} come to barrier {id}, each as often", blocks.len())
        });
    }
}

fn matches(spans: &[Span], pattern: &str) -> bool {
    let is = |span: &Span, letter: u8| {
        (letter == b'L') == span.kind.is_some() && (letter == b'R') == span.buffer_id.is_some()
    };
    let (fixed, more) = match pattern.strip_suffix('+') {
        Some(rest) => (rest.as_bytes(), true),
        None => (pattern.as_bytes(), false),
    };
    let Some(last) = fixed.last() else { return spans.is_empty() };
    let long = if more { spans.len() >= fixed.len() } else { spans.len() == fixed.len() };
    long && spans.iter().enumerate().all(|(at, span)| is(span, *fixed.get(at).unwrap_or(last)))
}

fn span_rules(gpu: &Gpu, block: &Block, op: &Op, span: &Span, broken: &mut Broken<'_>) {
    let of = match &span.kind {
        Some(letter) => Buffer::of(letter).map(|buffer| (gpu, buffer)),
        None => gpu
            .remote(block, op, span)
            .and_then(|remote| Some((broken.plan.gpus.get(remote.rank as usize)?, Buffer::of(&remote.kind)?))),
    };
    let Some((of, buffer)) = of else {
        let what = span.kind.clone().unwrap_or_else(|| format!("remote buffer {}", span.buffer_id.unwrap_or(u32::MAX)));
        broken.unless(false, "buffer", || {
            format!("`{what}` is not a buffer of the block over {} channels", op.channel_type)
        });
        return;
    };
    let (size, end) = (of.sizes()[buffer as usize], u64::from(span.index) + u64::from(span.size));
    broken.unless(span.size > 0 && end <= u64::from(size), "bounds", || {
        format!("{}[{}..{end}] of gpu {} is outside its buffer of {size} chunks", buffer.letter(), span.index, of.id)
    });
}
