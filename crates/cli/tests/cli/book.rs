//! The pages of `docs` as a book: every command on every page is run and prints and draws what stands there, every page is in the table of contents,
//! and the page of verbs is made from their help. `cargo xtask book` writes what commands print anew.

use crate::pages::{docs, page};
use crate::{Folder, quadrille};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Pages that other tests run: one needs MPI, the other has figures in a folder of its own.
const ELSEWHERE: [&str; 2] = ["running.md", "fat-trees.md"];

/// Commands that a test of an unoptimised build leaves out: a page, and words of a command.
const LEFT_OUT: [(&str, &str, &str); 4] = [
    ("computing.md", "--messages 500", "it takes a minute"),
    ("swapped-dragonfly.md", "swapped-dragonfly:16,33", "it has 17,424 routers"),
    ("multirings.md", "alltoall --threads 1", "it takes a minute"),
    ("tuning.md", "ring:8", "it tries all numbers of chunks"),
];

/// Whether pages are written anew and not compared.
fn overwrites() -> bool {
    std::env::var_os("QUADRILLE_PAGES").is_some_and(|value| value == "overwrite")
}

/// All pages, by their paths in `docs`.
fn pages() -> Vec<String> {
    let mut folders = vec![docs()];
    let mut pages = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match path.is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|ending| ending == "md") => {
                    pages.push(path.strip_prefix(docs()).unwrap().to_str().unwrap().to_owned());
                }
                false => {}
            }
        }
    }
    pages.sort();
    pages
}

/// A command of a page, and what stands below it.
pub(crate) struct Example {
    pub(crate) command: String,
    pub(crate) printed: String,
}

/// The commands of a page's examples with what stands below them.
pub(crate) fn examples(page: &str) -> Vec<Example> {
    let blocks = page.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let of_block = |block: &str| {
        let parts: Vec<&str> = block.split("$ ").collect();
        let example = |part: &&str| {
            let (command, printed) = part.split_once('\n').unwrap();
            Example { command: command.to_owned(), printed: printed.to_owned() }
        };
        parts[1..].iter().map(example).collect::<Vec<_>>()
    };
    blocks.flat_map(of_block).collect()
}

/// Without the seconds that something took.
fn timeless(text: &str) -> String {
    let line = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let before_unit = |at: usize| words.get(at + 1).is_some_and(|next| next.trim_end_matches([',', ')']) == "s");
        let word = |at: usize| match words[at].trim_start_matches('(').parse::<f64>() {
            Ok(_) if before_unit(at) && words[at].contains('.') => "…",
            _ => words[at],
        };
        (0..words.len()).map(word).collect::<Vec<_>>().join(" ")
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// What a command prints, in a folder.
fn printed(command: &str, folder: &Path) -> String {
    let program = snapbox::cmd::cargo_bin!("quadrille");
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let done = Command::new("sh").args(["-c", command]).current_dir(folder).env("PATH", path).output().unwrap();
    let (out, err) = (String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap());
    assert!(done.status.success(), "{command}: {out}{err}");
    out
}

/// Runs every example of a page in a folder of its own, with the files that lie beside the page. `…` ends what is shown of an answer, what has nothing
/// below it is only to succeed, and pictures for the pages are compared with those kept. Gives what was compared.
fn run(name: &str) -> usize {
    let folder = Folder::new();
    let here = PathBuf::from(folder.path("."));
    let drawn = here.join("docs/pictures");
    std::fs::create_dir_all(&drawn).unwrap();
    let beside = docs().join(name).parent().unwrap().to_owned();
    for folder in [beside, docs().join("pictures")] {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path
                .extension()
                .is_some_and(|ending| ["graphml", "txt", "json", "edges"].iter().any(|known| ending == *known))
            {
                std::fs::copy(&path, here.join(path.file_name().unwrap())).unwrap();
            }
        }
    }
    let text = page(name);
    let mut anew = text.clone();
    let mut compared = 0;
    for Example { command, printed: shown } in examples(&text) {
        if LEFT_OUT.iter().any(|(page, words, _)| *page == name && command.contains(words)) {
            continue;
        }
        let out = printed(&command, &here);
        let (now, then) = (timeless(&out), timeless(&shown));
        let same = match then.trim_end().strip_suffix('…') {
            Some(begun) => now.starts_with(begun.trim_end()),
            None => now == then.trim_end(),
        };
        if overwrites() && !same {
            anew = anew.replacen(&format!("$ {command}\n{shown}"), &format!("$ {command}\n{out}"), 1);
        } else if !shown.trim().is_empty() {
            assert!(same, "{name}: {command}:\n{out}\nis not\n{shown}\n`cargo xtask book` writes the pages anew");
            compared += 1;
        }
    }
    if anew != text {
        std::fs::write(docs().join(name), anew).unwrap();
    }
    for picture in std::fs::read_dir(drawn).unwrap().map(|entry| entry.unwrap()) {
        let kept = docs().join("pictures").join(picture.file_name());
        if overwrites() {
            std::fs::copy(picture.path(), kept).unwrap();
            continue;
        }
        let [drawn, kept] = [picture.path(), kept].map(|path| std::fs::read_to_string(path).unwrap());
        assert!(drawn == kept, "{name}: {} is not what the example draws", picture.path().display());
        compared += 1;
    }
    compared
}

/// Runs the pages whose places in the list are `part` modulo 4: a quarter, since tests run side by side.
fn quarter(part: usize) {
    let pages = pages().into_iter().filter(|name| !ELSEWHERE.contains(&name.as_str()));
    let with_commands: Vec<String> = pages.filter(|name| !examples(&page(name)).is_empty()).collect();
    let compared: usize = with_commands.iter().skip(part).step_by(4).map(|name| run(name)).sum();
    assert!(compared >= 5 || overwrites(), "{compared}");
}

#[test]
fn every_command_prints_what_stands_there() {
    quarter(0);
}

#[test]
fn every_command_prints_what_stands_there_in_the_second_quarter() {
    quarter(1);
}

#[test]
fn every_command_prints_what_stands_there_in_the_third_quarter() {
    quarter(2);
}

#[test]
fn every_command_prints_what_stands_there_in_the_fourth_quarter() {
    quarter(3);
}

/// The README's commands, which build the program first.
#[test]
fn the_readme_prints_what_stands_there() {
    let readme = std::fs::read_to_string(docs().join("../README.md")).unwrap();
    let folder = Folder::new();
    let mut anew = readme.clone();
    let mut compared = 0;
    for Example { command, printed: shown } in examples(&readme) {
        let Some(words) = command.strip_prefix("cargo run --release -- ") else { continue };
        let out = printed(&format!("quadrille {words}"), Path::new(&folder.path(".")));
        anew = anew.replacen(&format!("$ {command}\n{shown}"), &format!("$ {command}\n{out}"), 1);
        assert!(overwrites() || timeless(&out) == timeless(&shown), "{command}:\n{out}\nis not\n{shown}");
        compared += 1;
    }
    assert_eq!(compared, 2);
    if overwrites() && timeless(&anew) != timeless(&readme) {
        std::fs::write(docs().join("../README.md"), anew).unwrap();
    }
}

/// Where the links of a page lead, without other sites and places on the page itself.
fn links(page: &str) -> Vec<String> {
    let ends = page.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let files =
        ends.filter(|link| !link.contains("://") && !link.starts_with('#') && !link.contains(char::is_whitespace));
    files.map(|link| link.split('#').next().unwrap().to_owned()).collect()
}

#[test]
fn every_page_is_in_the_contents_and_every_link_leads_somewhere() {
    let contents = links(&page("SUMMARY.md"));
    for name in pages() {
        assert!(name == "SUMMARY.md" || contents.contains(&name), "{name} is not in docs/SUMMARY.md");
        for link in links(&page(&name)) {
            let target = docs().join(&name).parent().unwrap().join(&link);
            assert!(target.exists(), "{name} links to {link}, which is not there");
        }
    }
    assert!(contents.iter().all(|name| docs().join(name).exists()), "{contents:?}");
}

/// The page of verbs: what `quadrille help VERB` says, at 100 columns.
#[test]
fn the_page_of_verbs_is_their_help() {
    let overview = quadrille("--help").good();
    let listed = overview.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let verbs = listed.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let mut text =
        String::from("# Every verb and flag\n\nWhat `quadrille help VERB` prints; written by `cargo xtask book`.\n");
    for verb in verbs.filter_map(|line| line.split_whitespace().next()).filter(|verb| *verb != "help") {
        let help = printed(&format!("COLUMNS=100 quadrille help {verb}"), Path::new("."));
        let help = help.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
        text.push_str(&format!("\n## {verb}\n\n```text\n{}\n```\n", help.trim_end()));
    }
    if overwrites() {
        std::fs::write(docs().join("reference/commands.md"), &text).unwrap();
    }
    assert_eq!(page("reference/commands.md"), text, "`cargo xtask book` writes it anew");
}

/// The example of the page on the file is a file.
#[test]
fn the_file_of_the_reference_is_valid() {
    let text = page("reference/schedule-file.md");
    let file = text.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
    let folder = Folder::new();
    let answer = quadrille(&format!("check {} --json", folder.write("by-hand.json", file))).json(0);
    assert_eq!((&answer["steps"], &answer["optimal"]), (&1.into(), &true.into()));
}
