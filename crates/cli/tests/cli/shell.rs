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
fn a_method_is_described_with_its_parameters() {
    let umda = quadrille("methods umda").good();
    for part in ["umda: ", "the dissertation, section 7.1.3", "population", "(a whole number from 2 to 100000)", "0.9"]
    {
        assert!(umda.contains(part), "`{part}` is not in: {umda}");
    }
    // Of the genetic algorithm only.
    assert!(!umda.contains("crossover"), "{umda}");
    for method in quadrille("methods --json").json(0).as_array().unwrap() {
        let name = method["name"].as_str().unwrap();
        assert_eq!(&quadrille(&format!("methods {name} --json")).json(0), method);
        let text = quadrille(&format!("methods {name}")).good();
        assert!(text.starts_with(&format!("{name}: ")) && text.contains("source: "), "{text}");
    }
    quadrille("methods umdaa").fails(2, "`umdaa` is no method", "did you mean `umda`?");
    quadrille("methods umdaa --json").fails(2, "`umdaa` is no method", "quadrille methods");
}
