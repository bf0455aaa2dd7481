//! **What:** `network --rotation K`, `--xor L`, `--sum L`: how the switches of a fat tree, opened at the top, or of a multistage
//! network stand in one row of a Latin square; as lines of states, as JSON, or drawn.

use console::args::NetworkArgs;
use console::failure::Failure;
use console::output::{self, say, say_json};
use constructions::switch_states::{Row, SwitchStates, SwitchStatesError};
use exports::svg::{DARK, Diagram, LIGHT, SwitchBox};
use serde_json::json;
use topologies::levels::Levels;

/// Terminals times stages beyond which a diagram would be no picture any more.
const MOST_LINES: u64 = 20_000;

/// What the flags ask for, if they ask for settings.
fn row(arguments: &NetworkArgs) -> Option<(Row, String)> {
    let rotation = arguments.rotation.map(|k| (Row::Rotation(k), format!("rotation {k}: terminal T sends to T - {k}")));
    let xor = || arguments.xor.map(|l| (Row::Xor(l), format!("exclusive or {l}: terminal T sends to T xor {l}")));
    let sum =
        || arguments.sum.map(|l| (Row::Digits(l), format!("sum {l}: terminal T sends to T + {l} digit by digit")));
    rotation.or_else(xor).or_else(sum)
}

/// The verb, where flags ask for settings.
pub(super) fn run(arguments: &NetworkArgs) -> Result<Option<u8>, Failure> {
    let Some((row, what)) = row(arguments) else { return Ok(None) };
    let choice = &arguments.network;
    if choice.ports.is_some() || choice.half_duplex || !choice.fail_link.is_empty() || !choice.fail_node.is_empty() {
        return Err(Failure::input("settings are those of a whole network")
            .hint("leave out --ports, --half-duplex, --fail-link and --fail-node"));
    }
    let family = topologies::topology(&choice.network).map_err(|error| Failure::input(&error).hint(error.hint()))?;
    let name = family.spec();
    if let Some(stages) = family.stages() {
        return super::stage_settings::run(arguments, &name, &stages, row, &what).map(Some);
    }
    let Some(levels) = family.levels() else {
        return Err(Failure::input(format!("{name}: its switches do not stand in levels or stages"))
            .hint("settings are known of gft, xgft, fat-tree, clos and multistage networks; `quadrille export FILE --to switches` has those of any schedule"));
    };
    let settings = SwitchStates::new(&levels, row, arguments.pass).map_err(|error| refused(&name, &error))?;
    let file = draw(arguments, &name, levels.terminals(), settings.stages(), || {
        diagram(&levels, &settings, format!("{name}, opened: {what}"), arguments.pass).map_err(Failure::no)
    })?;
    let stages = (0..settings.stages()).map(|s| (settings.level(s), settings.states(s)));
    if arguments.report.json {
        let states: Vec<_> = stages
            .enumerate()
            .map(|(s, (level, _))| {
                let switches = (0..u32::try_from(levels.nodes_of(level)).unwrap_or(u32::MAX)).map(|a| {
                    let switch = settings.switch(s, a);
                    json!({"state": switch.state, "outputs": switch.outputs})
                });
                json!({"level": level - 1, "switches": switches.collect::<Vec<_>>()})
            })
            .collect();
        let sends: Vec<_> = (0..levels.terminals()).map(|t| settings.sends(t)).collect();
        say_json(
            &json!({"network": name, "row": what, "pass": arguments.pass, "stages": states, "sends": sends, "file": file}),
        )?;
        return Ok(Some(0));
    }
    let mut lines = vec![format!("{name}, {what}")];
    for (s, (level, states)) in stages.enumerate() {
        let way = match s + 1 {
            up if up < levels.height() => "up",
            top if top == levels.height() => "top",
            _ => "down",
        };
        lines.push(format!("  level {} {way:5} {states}", level - 1));
    }
    lines.extend(file.map(|file| format!("  saved to {file}")));
    say(&lines.join("\n"))?;
    Ok(Some(0))
}

/// Draws the settings where a file is named, and gives its name.
pub(super) fn draw(
    arguments: &NetworkArgs,
    name: &str,
    terminals: u32,
    stages: usize,
    diagram: impl FnOnce() -> Result<Diagram, Failure>,
) -> Result<Option<String>, Failure> {
    let Some(path) = &arguments.output else { return Ok(None) };
    output::ends_as(path, "a picture", formats::PICTURE_ENDINGS)?;
    if u64::from(terminals) * stages as u64 > MOST_LINES {
        return Err(Failure::input(format!("{name}: {terminals} terminals are too many to draw"))
            .hint("leave out -o for the states as text, or choose a smaller network"));
    }
    let theme = if arguments.dark { &DARK } else { &LIGHT };
    exports::svg::write_diagram(&diagram()?, theme, path).map_err(output::unwritten)?;
    Ok(Some(path.display().to_string()))
}

fn refused(name: &str, error: &SwitchStatesError) -> Failure {
    let hint = match error {
        SwitchStatesError::PowerOfTwo { .. } => "--sum L is digit-wise addition",
        SwitchStatesError::Row { .. } => "rows are as many as terminals",
        SwitchStatesError::Pass { .. } => {
            "passes count from 0; there are several where switches have fewer channels up than down"
        }
        SwitchStatesError::Links => "ask for a gft, an xgft whose terminals have one channel, a fat-tree or a clos",
    };
    Failure::input(format!("{name}: {error}")).hint(hint)
}

/// The opened tree with the settings, as boxes and lines.
fn diagram(levels: &Levels, settings: &SwitchStates, title: String, pass: u32) -> Result<Diagram, String> {
    let whole = |n: u64| usize::try_from(n).map_err(|e| e.to_string());
    let height = levels.height();
    let mut stages = Vec::new();
    for stage in 0..settings.stages() {
        let level = settings.level(stage);
        let boxes = (0..u32::try_from(levels.nodes_of(level)).map_err(|e| e.to_string())?).map(|a| {
            let switch = settings.switch(stage, a);
            SwitchBox {
                label: format!("{}:{a}", level - 1),
                state: switch.state.map_or(String::new(), |q| q.to_string()),
                setting: switch.outputs.iter().map(|to| to.map(|to| to as usize)).collect(),
                outputs: switch.width as usize,
            }
        });
        stages.push(boxes.collect::<Vec<_>>());
    }
    let mut wires = Vec::new();
    for stage in 0..settings.stages() - 1 {
        let up = stage + 1 < height;
        // The lower of the two levels; a line is one of its switches and one of that switch's ports up.
        let level = if up { stage + 1 } else { 2 * height - 2 - stage };
        let (roots, ports, children) = (levels.roots(level), levels.up_ports(level), levels.children(level + 1));
        let mut pairs = Vec::new();
        for a in 0..levels.nodes_of(level) {
            let (subtree, root) = (a / u64::from(roots), a % u64::from(roots));
            for port in 0..u64::from(ports) {
                let lower = whole(a * u64::from(ports) + port)?;
                let parent = subtree / u64::from(children) * u64::from(roots * ports) + root * u64::from(ports) + port;
                let upper = whole(parent * u64::from(children) + subtree % u64::from(children))?;
                pairs.push(if up { (lower, upper) } else { (upper, lower) });
            }
        }
        pairs.sort_unstable();
        wires.push(pairs.into_iter().map(|(_, input)| input).collect());
    }
    let served = (0..levels.terminals()).filter(|t| settings.sends(*t).is_some()).count();
    let subtitle = match served == levels.terminals() as usize {
        true => {
            "terminals send from the left and receive at the right; colours show the largest subtree that each message leaves"
                .into()
        }
        false => format!(
            "pass {pass}: {served} of {} messages; colours show the largest subtree that each message leaves",
            levels.terminals()
        ),
    };
    let straight = || (0..levels.terminals() as usize).collect();
    let (enters, leaves, groups) = (straight(), straight(), levels.children(height) as usize);
    Ok(Diagram { title, subtitle, stages, enters, leaves, wires, groups })
}
