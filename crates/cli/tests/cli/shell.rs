//! Completions, manual pages, help, and stdout that cannot be written.

use crate::{Folder, quadrille};

#[test]
fn every_shell_gets_completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = quadrille(&format!("completions {shell}")).good();
        for verb in ["solve", "check", "network"] {
            assert!(script.contains(verb), "{shell}: {verb}");
        }
        assert!(script.contains("half-duplex"), "{shell}");
    }
}

#[test]
fn the_manual_has_a_page_for_every_verb() {
    assert!(quadrille("man").good().contains(".TH quadrille 1"));
    let folder = Folder::new();
    quadrille(&format!("man -o {}", folder.path("."))).good();
    let names = folder.names();
    for verb in
        ["solve", "bound", "check", "network", "networks", "collectives", "methods", "show", "export", "completions"]
    {
        assert!(names.contains(&format!("quadrille-{verb}.1")), "{verb}: {names:?}");
    }
    let page = std::fs::read_to_string(folder.path("quadrille-solve.1")).unwrap();
    assert!(page.contains("\\-\\-receivers"), "{page}");
}

#[test]
fn help_shows_examples() {
    for verb in ["solve", "bound", "check", "network", "show", "export", "latin"] {
        assert!(quadrille(&format!("help {verb}")).good().contains("Examples:\n  quadrille "), "{verb}");
    }
    assert!(quadrille("--help").good().contains("Exit status"));
    let nothing = quadrille("");
    assert_eq!((nothing.status, nothing.out.as_str()), (2, ""));
    assert!(nothing.err.contains("Usage: quadrille"), "{}", nothing.err);
}

#[test]
fn the_registries_are_lists_of_objects() {
    for (verb, keys) in [
        ("networks", &["name", "form", "about", "source", "examples"][..]),
        ("collectives", &["name", "also", "parameters", "source"]),
        ("methods", &["name", "about", "source"]),
    ] {
        let list = quadrille(&format!("{verb} --json")).json(0);
        let list = list.as_array().unwrap();
        assert!(list.len() > 2, "{verb} has {}", list.len());
        for entry in list {
            for key in keys {
                assert!(!entry[key].is_null(), "{verb}: no {key} in {entry}");
            }
        }
        let people = quadrille(verb).good();
        assert!(people.lines().count() >= list.len(), "{people}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_under_stdout_is_an_error() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let program = snapbox::cmd::cargo_bin!("quadrille");
    let output = std::process::Command::new(program).arg("collectives").stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("error: cannot write to standard output"));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let program = snapbox::cmd::cargo_bin!("quadrille");
    let mut child = std::process::Command::new(program)
        .args(["completions", "bash"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn every_method_is_described_with_its_parameters() {
    let umda = quadrille("methods umda").good();
    for part in ["umda: ", "the dissertation, section 7.1.3", "population", "(a whole number from 2 to 100000)", "0.9"]
    {
        assert!(umda.contains(part), "`{part}` is not in: {umda}");
    }
    // Of the genetic algorithm only.
    assert!(!umda.contains("crossover"), "{umda}");
    let all = quadrille("methods --json").json(0);
    let names: Vec<&str> = all.as_array().unwrap().iter().filter_map(|method| method["name"].as_str()).collect();
    assert!(names.len() > 50 && names.contains(&"sub-network") && names.contains(&"schedule-repair"), "{names:?}");
    for (name, method) in names.into_iter().zip(all.as_array().unwrap()) {
        assert_eq!(&quadrille(&format!("methods {name} --json")).json(0), method);
        let text = quadrille(&format!("methods {name}")).good();
        assert!(text.starts_with(&format!("{name}: ")) && text.contains("source: "), "{text}");
    }
    quadrille("methods umdaa").fails(2, "`umdaa` is not a method", "did you mean `umda`?");
    quadrille("methods umdaa --json").fails(2, "`umdaa` is not a method", "quadrille methods");
}

#[test]
fn lists_have_short_lines_and_names_tell_the_rest() {
    for verb in ["networks", "collectives", "methods", "formats"] {
        let text = quadrille(verb).good();
        let long = text.lines().find(|line| line.chars().count() > 100);
        assert_eq!(long, None, "{verb}");
        assert!(text.contains(&format!("`quadrille {verb} NAME` ")), "{verb}");
    }
    assert!(quadrille("networks kautz:3,2").good().contains("source    Kautz, 1968"));
    assert!(quadrille("collectives AllGatherV").good().contains("--counts --senders"));
    assert!(quadrille("formats .csv").good().contains("csv, schedule written: "));
    assert!(quadrille("formats graphml").good().contains("holds    nodes without transit"));
    assert_eq!(quadrille("networks torus --json").json(0)["form"], "torus:AxBx…");
    assert_eq!(quadrille("collectives bcast --json").json(0)["name"], "broadcast");
    assert_eq!(quadrille("formats gml --json").json(0)[0]["way"], "read");
    quadrille("networks taurus").fails(2, "`taurus` is not a family", "did you mean `torus`");
    quadrille("collectives nothing").fails(2, "`nothing` is not a collective", "quadrille collectives");
    quadrille("formats visio").fails(2, "`visio` is not a format", "quadrille formats");
}

/// What help prints in a terminal so wide.
fn help(verb: &str, columns: usize) -> String {
    let program = snapbox::cmd::cargo_bin!("quadrille");
    let output = std::process::Command::new(program).args(["help", verb]).env("COLUMNS", columns.to_string()).output();
    String::from_utf8(output.unwrap().stdout).unwrap()
}

#[test]
fn help_is_wrapped_once() {
    for verb in ["solve", "network", "cost", "check", "latin", "atlas", "show"] {
        let [narrow, wide] = [60, 100].map(|columns| {
            let text = help(verb, columns);
            let long = text.lines().filter(|line| !line.starts_with("Usage:") && line.chars().count() > columns);
            let long: Vec<&str> = long.collect();
            assert!(long.is_empty(), "{verb}: {long:?}");
            let behind = text.split("Print help").last().unwrap().to_owned();
            let paragraphs = behind.split("\n\n").map(|p| p.split_whitespace().collect::<Vec<_>>().join(" "));
            paragraphs.collect::<Vec<_>>()
        });
        assert_eq!(narrow, wide, "{verb}: the same paragraphs in any width");
        // A line ends where the next word does not fit, and nowhere else.
        let text = help(verb, 100);
        for paragraph in text.split("\n\n").filter(|p| !p.contains("\n  ") && !p.starts_with(' ')) {
            let lines: Vec<&str> = paragraph.lines().collect();
            for pair in lines.windows(2) {
                let word = pair[1].split(' ').next().unwrap();
                assert!(pair[0].chars().count() + 1 + word.chars().count() > 100, "{verb}: {pair:?}");
            }
        }
    }
}

#[test]
fn help_speaks_of_what_a_verb_takes() {
    assert!(help("solve", 100).contains("COLLECTIVE is a name or abbreviation"));
    for verb in ["network", "compare", "embed", "check"] {
        assert!(!help(verb, 100).contains("COLLECTIVE"), "{verb}");
    }
}

#[test]
fn every_verb_below_a_verb_has_its_page() {
    let folder = Folder::new();
    quadrille(&format!("man -o {}", folder.path("."))).good();
    let names = folder.names();
    for verb in [
        "latin-check",
        "latin-print",
        "design-graph",
        "design-multiring",
        "design-multiring-table",
        "design-dual-net-table",
    ] {
        assert!(names.contains(&format!("quadrille-{verb}.1")), "{verb}: {names:?}");
    }
    let page = std::fs::read_to_string(folder.path("quadrille-latin-check.1")).unwrap();
    assert!(
        page.contains(".TH quadrille-latin-check 1") && page.contains("repeated symbol")
            || page.contains("Latin square")
    );
}

#[test]
fn completions_know_the_registries() {
    for shell in ["bash", "zsh", "fish"] {
        let script = quadrille(&format!("completions {shell}")).good();
        // A family, a collective, a method of steps and one of time, a format of networks and one of schedules, a routing, a library.
        for word in [
            "swapped-dragonfly",
            "reduce_scatter",
            "path-exchange",
            "timed-rotation",
            "graphml",
            "msccl-xml",
            "d-mod-k",
            "nccl-tuner",
        ] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    // Other words are taken still: files, and names in another spelling.
    assert!(quadrille("solve ring:4 All_Gather").good().starts_with("allgather on ring:4"));
}
