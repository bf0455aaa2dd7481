//! **What:** how the switches of a multistage network stand in one row of a Latin square; as lines of states, as JSON, or drawn.

use super::settings::draw;
use console::args::NetworkArgs;
use console::failure::Failure;
use console::output::{say, say_json};
use constructions::stage_states::{StageStates, StageStatesError};
use constructions::switch_states::Row;
use exports::svg::{Diagram, SwitchBox};
use serde_json::json;
use topologies::stages::Stages;

/// Answers for `row`, which `what` says in words.
pub(super) fn run(arguments: &NetworkArgs, name: &str, stages: &Stages, row: Row, what: &str) -> Result<u8, Failure> {
    if arguments.pass > 0 {
        return Err(Failure::input(format!("there is no pass {}: multistage networks have one", arguments.pass))
            .hint("leave out --pass"));
    }
    let states = StageStates::of_row(stages, row).map_err(|error| {
        let hint = match error {
            StageStatesError::Row { .. } => "rows are as many as terminals",
            StageStatesError::PowerOfTwo { .. } => "--sum L is digit-wise addition",
            StageStatesError::Meeting(_) => {
                "omega, flip and Benes networks pass every rotation; `quadrille solve NETWORK permutation --pairs shift:K` takes as many steps as it needs"
            }
        };
        Failure::input(format!("{name}, {what}: {error}")).hint(hint)
    })?;
    let file = draw(arguments, name, stages.lines(), stages.count() as usize, || {
        Ok(diagram(&states, format!("{name}: {what}")))
    })?;
    let switches = || 0..stages.lines() / stages.radix();
    if arguments.report.json {
        let of = |stage: u32| {
            let switch = |a: u32| json!({"state": states.state(stage, a), "outputs": states.outputs(stage, a)});
            json!({"stage": stage, "switches": switches().map(switch).collect::<Vec<_>>()})
        };
        let all: Vec<_> = (0..stages.count()).map(of).collect();
        let sends: Vec<_> = (0..stages.lines()).map(|t| states.sends(t)).collect();
        say_json(&json!({"network": name, "row": what, "pass": 0, "stages": all, "sends": sends, "file": file}))?;
        return Ok(0);
    }
    let mut lines = vec![format!("{name}, {what}")];
    for stage in 0..stages.count() {
        let one: Vec<String> = switches().map(|a| shown(&states, stage, a)).collect();
        let wide = one.iter().any(|state| state.len() > 1);
        lines.push(format!("  stage {stage:<3} {}", one.join(if wide { " " } else { "" })));
    }
    lines.extend(file.map(|file| format!("  saved to {file}")));
    say(&lines.join("\n")).map(|()| 0)
}

/// The number of a state that turns inputs on, or else the outputs one by one.
fn shown(states: &StageStates, stage: u32, switch: u32) -> String {
    let outputs = || states.outputs(stage, switch).iter().map(u32::to_string).collect::<Vec<_>>().join("-");
    states.state(stage, switch).map_or_else(outputs, |state| state.to_string())
}

/// The stages with the settings, as boxes and lines.
fn diagram(states: &StageStates, title: String) -> Diagram {
    let stages = states.stages();
    let (n, d) = (stages.lines(), stages.radix());
    let switch = |stage: u32, a: u32| SwitchBox {
        label: format!("{stage}:{a}"),
        state: shown(states, stage, a),
        setting: states.outputs(stage, a).into_iter().map(|to| Some(to as usize)).collect(),
        outputs: d as usize,
    };
    let wires = |stage: u32| (0..n).map(|line| stages.moved(stage, line) as usize).collect::<Vec<_>>();
    Diagram {
        title,
        subtitle:
            "terminals send from the left and receive at the right; 0 is straight; colours show where each message comes from"
                .into(),
        stages: (0..stages.count()).map(|stage| (0..n / d).map(|a| switch(stage, a)).collect()).collect(),
        enters: wires(0),
        leaves: wires(stages.count()),
        wires: (1..stages.count()).map(wires).collect(),
        groups: d as usize,
    }
}
