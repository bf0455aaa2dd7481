//! **What:** tests that no one builds: those inside of a crate whose manifest says `test = false`.

use super::files::File;

/// The tests that stand in such crates.
pub(super) fn faults(files: &[File]) -> Vec<String> {
    let manifests = files.iter().filter_map(|file| Some((file.path.strip_suffix("Cargo.toml")?, file)));
    let closed = manifests.filter(|(folder, manifest)| {
        let library = files.iter().any(|file| file.path == format!("{folder}src/lib.rs"));
        builds_no_tests(&manifest.text, if library { "lib]" } else { "[bin]]" })
    });
    let sources: Vec<String> = closed.map(|(folder, _)| format!("{folder}src/")).collect();
    let inside = |file: &&File| file.is_rust() && sources.iter().any(|folder| file.path.starts_with(folder));
    let is_test = |line: &str| line.trim_start().starts_with("#[cfg(test)]") || line.trim_start() == "#[test]";
    let hits = files.iter().filter(inside).filter_map(|file| {
        let (number, _) = (1..).zip(file.text.lines()).find(|(_, line)| is_test(line))?;
        Some(format!("{}:{number}: a test that is never built; move it to the crate's folder `tests`", file.path))
    });
    hits.collect()
}

/// Whether a section of a manifest, by its head without the first bracket, says `test = false`.
fn builds_no_tests(manifest: &str, section: &str) -> bool {
    let sections = manifest.split("\n[").filter_map(|text| text.strip_prefix(section));
    sections.into_iter().any(|text| text.lines().any(|line| line.trim() == "test = false"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_inside_are_found_where_none_are_built() {
        let file = |path: &str, text: &str| File { path: path.into(), text: text.into() };
        let test = "fn a() {}\n\n#[cfg(test)]\nmod tests {}\n";
        let files = [
            file("crates/a/Cargo.toml", "[package]\nname = \"a\"\n\n[lib]\nname = \"a\"\ntest = false\n\n[lints]\n"),
            file("crates/a/src/lib.rs", test),
            file("crates/a/tests/all/main.rs", "#[test]\nfn b() {}\n"),
            // A program without tests, beside a library that has some.
            file("crates/b/Cargo.toml", "[lib]\nname = \"b\"\n\n[[bin]]\nname = \"b\"\ntest = false\n"),
            file("crates/b/src/lib.rs", test),
            file("crates/c/Cargo.toml", "[package]\n\n[[bin]]\nname = \"c\"\ntest = false\n"),
            file("crates/c/src/d/e.rs", "    #[test]\n"),
        ];
        let found = faults(&files);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("crates/a/src/lib.rs:3: ") && found[1].starts_with("crates/c/src/d/e.rs:1: "));
    }
}
