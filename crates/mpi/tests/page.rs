//! The commands of docs/running.md, as the page has them.

use std::path::Path;
use std::process::Command;

#[test]
fn the_page_from_topology_to_a_running_collective() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/running.md");
    let page = std::fs::read_to_string(page).unwrap();
    let programs = Path::new(env!("CARGO_BIN_EXE_quadrille-mpi")).parent().unwrap().to_owned();
    assert!(programs.join("quadrille").exists(), "build quadrille beside: cargo build -p quadrille-cli");
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let folder = tempfile::tempdir().unwrap();
    let mut commands = 0;
    let blocks = page.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    // What a command prints stands below it, as far as it is always the same.
    for told in blocks.flat_map(|block| block.split("$ ").skip(1)) {
        let (line, lines) = told.split_once('\n').unwrap();
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).current_dir(folder.path()).env("PATH", &path);
        shell.env("OMPI_MCA_rmaps_base_oversubscribe", "1").env("OMPI_MCA_mpi_yield_when_idle", "1");
        shell.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        let output = shell.output().unwrap();
        let out = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{line}\n{out}{}", String::from_utf8_lossy(&output.stderr));
        lines.lines().for_each(|expected| assert!(out.contains(expected), "{line}\n{out}"));
        commands += 1;
    }
    assert_eq!(commands, 7);
}
