//! **What:** `check` of programs of accelerator runtimes: MSCCL XML and MSCCL++ execution plans.

use console::args::CheckArgs;
use console::failure::{self, Failure};
use console::output::{self, say, say_json};
use kernel::{Network, Node};
use runtimes::import::{ImportError, Transcript};
use runtimes::{CAPACITY, Finding, Report, plan, xml};
use serde::Serialize;
use serde_json::{Value, json};
use std::path::Path;

/// What `--json` prints.
#[derive(Serialize)]
struct Answer<'a> {
    valid: bool,
    /// The longest chain of messages that follow each other.
    steps: u32,
    bound: Option<u64>,
    certified: bool,
    optimal: bool,
    violations: Vec<Value>,
    violation_count: usize,
    network: Option<&'a str>,
    collective: &'a str,
    name: &'a str,
    format: &'a str,
    gpus: usize,
    /// Whether the file says what ranks are to end with.
    result_checked: bool,
}

/// A program that was read.
pub(super) enum Runtime {
    /// MSCCL XML.
    Xml(xml::Algorithm),
    /// An MSCCL++ plan.
    Plan(plan::Plan),
}

/// What the program of a runtime says of itself.
pub(super) struct About<'a> {
    pub name: &'a str,
    pub collective: &'a str,
    pub gpus: usize,
    pub format: &'static str,
}

impl Runtime {
    /// Reads MSCCL XML.
    pub(super) fn xml(file: &Path) -> Result<Self, Failure> {
        let text = formats::read_text(file).map_err(output::unread)?;
        let read = xml::read(&text).map_err(|error| {
            Failure::input(format!("{}:{error}", file.display()))
                .hint("MSCCL XML is algo > gpu > tb > step (docs/msccl.md)")
        })?;
        Ok(Runtime::Xml(read))
    }

    /// Whether a file is meant as MSCCL XML: by its ending, or where its name has none by what it holds.
    pub(super) fn is_xml(file: &Path) -> bool {
        let begins = || formats::read_text(file).is_ok_and(|text| text.trim_start().starts_with('<'));
        formats::ending(file) == "xml" || (formats::is_kept(file) && begins())
    }

    /// Whether a file of JSON is meant as a plan: by what it holds.
    pub(super) fn is_plan(file: &Path) -> bool {
        let may_be = formats::ending(file) == "json" || formats::is_kept(file);
        may_be && formats::read_text(file).is_ok_and(|text| plan::is_meant(&text))
    }

    /// Reads an MSCCL++ plan.
    pub(super) fn plan(file: &Path) -> Result<Self, Failure> {
        let text = formats::read_text(file).map_err(output::unread)?;
        let read = plan::read(&text).map_err(|error| {
            Failure::input(format!("{}: {error}", file.display()))
                .hint("an MSCCL++ plan has name, collective, protocol, inplace and gpus (docs/msccl.md)")
        })?;
        Ok(Runtime::Plan(read))
    }

    /// What the check finds.
    pub(super) fn report(&self) -> Report {
        match self {
            Runtime::Xml(of) => of.check(None),
            Runtime::Plan(of) => of.check(None),
        }
    }

    /// What it is.
    pub(super) fn about(&self) -> About<'_> {
        let (name, collective, gpus, format) = match self {
            Runtime::Xml(of) => (&of.name, &of.collective, of.gpus.len(), "msccl-xml"),
            Runtime::Plan(of) => (&of.name, &of.collective, of.gpus.len(), "mscclpp"),
        };
        About { name, collective, gpus, format }
    }

    /// What its GPUs send each other, where it passes the check.
    pub(super) fn transcript(&self, nodes: &[Node]) -> Result<Transcript, ImportError> {
        match self {
            Runtime::Xml(of) => of.transcript(nodes),
            Runtime::Plan(of) => of.transcript(nodes),
        }
    }

    /// Checks it and tells what was found.
    pub(super) fn check(&self, arguments: &CheckArgs) -> Result<u8, Failure> {
        if arguments.deadlock || arguments.exhaustive {
            return Err(Failure::input(
                "--deadlock, --exhaustive: this is the program of a runtime, whose waits are always checked",
            )
            .hint("leave it out"));
        }
        let network = arguments.network.as_ref().map(console::network::load).transpose()?.map(|loaded| loaded.network);
        let mut report = self.report();
        let About { name, collective, gpus, format } = self.about();
        if let Some(network) = &network {
            report.findings.extend(strange_links(&report, gpus, network));
        }
        let valid = report.findings.is_empty();
        let shown = if arguments.all { usize::MAX } else { 100 };
        if arguments.report.json {
            let violation =
                |of: &Finding| json!({"rule": of.rule, "line": of.line, "element": of.element, "text": of.text});
            say_json(&Answer {
                valid,
                steps: report.depth,
                bound: None,
                certified: false,
                optimal: false,
                violations: report.findings.iter().take(shown).map(violation).collect(),
                violation_count: report.findings.len(),
                network: network.as_ref().map(Network::name),
                collective,
                name,
                format,
                gpus,
                result_checked: report.result_checked,
            })?;
        } else {
            let mut lines = vec![match valid {
                true => format!("{collective} of {gpus} GPUs as {format}  valid"),
                false => {
                    format!("{collective} of {gpus} GPUs as {format}  INVALID: {} violation(s)", report.findings.len())
                }
            }];
            for finding in report.findings.iter().take(shown) {
                let line = if finding.line > 0 { format!("line {}: ", finding.line) } else { String::new() };
                lines.push(format!("  {line}{finding}"));
            }
            if report.findings.len() > shown {
                lines.push(format!("  and {} more, shown with --all", report.findings.len() - shown));
            }
            if valid {
                lines.extend(people(&report, collective, network.as_ref(), matches!(self, Runtime::Xml(_))));
            }
            say(&lines.join("\n"))?;
        }
        Ok(if valid { 0 } else { failure::NO })
    }
}

/// What holds, line by line.
fn people(report: &Report, collective: &str, network: Option<&Network>, has_queues: bool) -> Vec<String> {
    let result = match report.result_checked {
        true => format!("  result: every GPU ends with what {collective} requires"),
        false => format!("  result: not checked, since `{collective}` does not define it"),
    };
    let room =
        if has_queues { format!(", with buffers for {CAPACITY} messages per connection") } else { String::new() };
    let mut lines = vec![result, format!("  order: no races, no endless waits{room}")];
    if report.depth > 0 {
        let chain = if report.depth == 1 {
            "1 message".into()
        } else {
            format!("{} messages, one after the other", report.depth)
        };
        lines.push(format!("  longest chain: {chain}"));
    }
    let pairs = report.links.len();
    lines.extend(network.map(|network| {
        format!("  links: messages go between {pairs} pairs of GPUs, each a link of {}", network.name())
    }));
    lines
}

/// Pairs of GPUs between which the network has no path but through other terminals.
fn strange_links(report: &Report, gpus: usize, network: &Network) -> Vec<Finding> {
    let terminals = network.terminals();
    let finding = |rule, element: String, text| Finding { rule, line: 0, element, text };
    if terminals.len() != gpus {
        let text = format!("{gpus} GPUs, where {} has {} terminals", network.name(), terminals.len());
        return vec![finding("network", "file".into(), text)];
    }
    let mut findings = Vec::new();
    for pairs in report.links.chunk_by(|a, b| a.0 == b.0) {
        let near = neighbours(network, terminals[pairs[0].0 as usize]);
        for (from, to) in pairs.iter().filter(|(_, to)| !near[terminals[*to as usize].0 as usize]) {
            let text = format!("sends to gpu {to}, and {} has no channel from one to the other", network.name());
            findings.push(finding("link", format!("gpu {from}"), text));
        }
    }
    findings
}

/// Nodes that a node reaches through switches alone.
fn neighbours(network: &Network, from: Node) -> Vec<bool> {
    let mut near = vec![false; network.node_count()];
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        for channel in network.outgoing(node) {
            let to = network.to(*channel);
            if !std::mem::replace(&mut near[to.0 as usize], true) && !network.is_terminal(to) {
                open.push(to);
            }
        }
    }
    near
}
