//! Outputs: refused where they cannot hold what they are given, old or new and never half, and no litter.

use super::{Folder, quadrille};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn begin(words: &[&str]) -> Child {
    let program = snapbox::cmd::cargo_bin!("quadrille");
    Command::new(program).args(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

#[test]
fn a_schedule_is_written_as_json() {
    let folder = Folder::new();
    let solve = |name: &str| quadrille(&format!("solve ring:5 broadcast -o {}", folder.path(name)));
    for name in ["x.yaml", "x.yaml.gz"] {
        solve(name).fails(2, "what is written is json, not .", "ends in .json, with or without .gz");
    }
    for name in ["x.svg", "x.html", "x.csv", "x.txt"] {
        solve(name).fails(2, "what is written is json, not .", "`quadrille show`");
    }
    assert_eq!(folder.names(), Vec::<String>::new());
    for name in ["x", "x.json", "x.JSON.gz"] {
        solve(name).good();
    }
    let export = |to: &str, name: &str| {
        quadrille(&format!("export {} --to {to} -o {}", folder.path("x.json"), folder.path(name)))
    };
    export("csv", "y.svg").fails(2, "what is written is csv, not .svg", "`quadrille export` write it --to svg");
    export("switches", "y.abc").fails(2, "what is written is switches, not .abc", "ends in .csv or .json");
    export("svg", "y.csv").fails(2, "what is written is svg, not .csv", "ends in .svg");
    for (to, name) in [("csv", "y.csv.gz"), ("json", "y.json.gz"), ("html", "y.htm"), ("svg", "y")] {
        export(to, name).good();
    }
}

#[test]
fn a_dash_is_standard_output() {
    let folder = Folder::new();
    let answer = quadrille("solve ring:5 broadcast -o -");
    assert!(answer.status == 0 && answer.err.contains("saved to -"), "{}", answer.err);
    let file = folder.write("x.json", &answer.out);
    quadrille(&format!("check {file}")).good();
    let network = quadrille(&format!("export {file} --to csv -o -"));
    assert!(network.out.starts_with("step,"), "{}", network.out);
    assert!(!std::path::Path::new("-").exists());
}

#[test]
fn networks_are_not_written_without_a_part_of_them() {
    let folder = Folder::new();
    let text = r#"{"nodes": 3, "channels": [[0, 1], [1, 0], [1, 2]], "capacities": [2, 2, 1], "no_transit": [1],
        "half_duplex": [[0, 1]], "ports": {"send": [1, null, 2], "receive": null}}"#;
    let file = folder.write("x.json", text);
    for (ending, lost) in [
        ("txt", "nodes without transit and capacities and half-duplex groups and ports"),
        ("edges", "nodes without transit and half-duplex groups and ports"),
        ("dot", "half-duplex groups"),
        ("graphml", "half-duplex groups"),
    ] {
        let says = format!("a .{ending} file has no place for the network's {lost}");
        quadrille(&format!("network {file} -o {}", folder.path(&format!("y.{ending}")))).fails(2, &says, ".json holds");
    }
    assert_eq!(folder.names(), ["x.json"]);
    quadrille(&format!("network {file} -o {}", folder.path("y.json"))).good();
    let again = std::fs::read_to_string(folder.path("y.json")).unwrap();
    assert!(again.contains("null"), "{again}");
    quadrille(&format!("network {} -o {}", folder.path("y.json"), folder.path("z.json"))).good();
    assert_eq!(std::fs::read_to_string(folder.path("z.json")).unwrap(), again);
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_text() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    quadrille(&format!("network ring:4 -o {}", folder.path("ring.json"))).good();
    let odd = std::path::Path::new(&folder.path("")).join(std::ffi::OsStr::from_bytes(b"\xff.json"));
    std::fs::rename(folder.path("ring.json"), &odd).unwrap();
    let run = |words: &[&std::ffi::OsStr]| {
        Command::new(snapbox::cmd::cargo_bin!("quadrille")).args(words).output().unwrap().status.code()
    };
    assert_eq!(run(&["network".as_ref(), odd.as_ref()]), Some(0));
    assert_eq!(run(&["solve".as_ref(), odd.as_ref(), "alltoall".as_ref(), "-o".as_ref(), odd.as_ref()]), Some(0));
    assert_eq!(run(&["check".as_ref(), odd.as_ref()]), Some(0));
}

#[test]
fn what_a_killed_run_left_is_taken_away_and_nothing_else() {
    let folder = Folder::new();
    let long_ago = std::time::SystemTime::now() - Duration::from_secs(60);
    let made = |name: &str| {
        let file = std::fs::File::create(folder.path(name)).unwrap();
        file.set_modified(long_ago).unwrap();
        file
    };
    drop(made(".quadrille-left.tmp"));
    drop(made(".quadrille-notes.txt"));
    let at_work = made(".quadrille-busy.tmp");
    at_work.lock().unwrap();
    quadrille(&format!("solve ring:5 broadcast -o {}", folder.path("x.json"))).good();
    assert_eq!(folder.names(), [".quadrille-busy.tmp", ".quadrille-notes.txt", "x.json"]);
}

/// A schedule that takes a moment to be written out.
fn large(folder: &Folder) -> String {
    let file = folder.path("large.json");
    quadrille(&format!("solve torus:12x12 alltoall -o {file}")).good();
    file
}

#[cfg(unix)]
#[test]
fn killed_at_any_moment_it_is_old_or_new() {
    let folder = Folder::new();
    let file = large(&folder);
    let target = folder.write("out.csv", "old");
    let words = ["export", &file, "--to", "csv", "-o", &target];
    let begun = Instant::now();
    begin(&words).wait().unwrap();
    let whole = begun.elapsed();
    let new = std::fs::read_to_string(&target).unwrap();
    for eighth in 1..8 {
        std::fs::write(&target, "old").unwrap();
        let mut child = begin(&words);
        std::thread::sleep(whole * eighth / 8);
        let name = if eighth % 2 == 0 { "-KILL" } else { "-TERM" };
        let _ = Command::new("kill").args([name, &child.id().to_string()]).stderr(Stdio::null()).status();
        child.wait().unwrap();
        let found = std::fs::read_to_string(&target).unwrap();
        assert!(found == "old" || found == new, "{} bytes of {}", found.len(), new.len());
    }
    std::thread::sleep(Duration::from_millis(1100));
    quadrille(&words.join(" ")).good();
    assert_eq!(folder.names(), ["large.json", "out.csv"]);
}

#[test]
fn two_writers_of_one_file() {
    let folder = Folder::new();
    let file = large(&folder);
    let target = folder.path("out.json");
    let words = ["export", &file, "--to", "json", "-o", &target];
    let mut writers: Vec<Child> = (0..3).map(|_| begin(&words)).collect();
    writers.iter_mut().for_each(|writer| assert!(writer.wait().unwrap().success()));
    quadrille(&format!("check {target}")).good();
    assert_eq!(folder.names(), ["large.json", "out.json"]);
}

#[cfg(target_os = "linux")]
#[test]
fn folders_that_take_no_file() {
    quadrille("solve ring:5 broadcast -o /proc/x.json").fails(2, "/proc/x.json: cannot be written", "name a file");
}

#[cfg(unix)]
#[test]
fn interrupted_while_it_reads() {
    let folder = Folder::new();
    for name in ["-INT", "-TERM"] {
        let pipe = folder.path("pipe.json");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for words in [&["solve", &pipe, "alltoall"] as &[&str], &["check", &pipe], &["bound", &pipe, "alltoall"]] {
            let mut child = begin(words);
            // A writer that says something and then nothing more.
            let mut feed = std::fs::OpenOptions::new().write(true).open(&pipe).unwrap();
            std::io::Write::write_all(&mut feed, b"{\"nodes\": 2").unwrap();
            std::thread::sleep(Duration::from_millis(200));
            signal(&child, name);
            let asked = Instant::now();
            let status = child.wait().unwrap();
            assert_eq!(status.code(), Some(130), "{words:?}");
            assert!(asked.elapsed() < Duration::from_secs(5), "{words:?}");
        }
        std::fs::remove_file(&pipe).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn time_is_over_while_it_reads() {
    let folder = Folder::new();
    let pipe = folder.path("pipe.json");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut solve = Command::new(snapbox::cmd::cargo_bin!("quadrille"));
    solve.args(["solve", &pipe, "alltoall", "--time", "0.2", "-o", &folder.path("x.json")]).stderr(Stdio::piped());
    let child = solve.spawn().unwrap();
    let mut feed = std::fs::OpenOptions::new().write(true).open(&pipe).unwrap();
    std::io::Write::write_all(&mut feed, b"{\"nodes\": 2").unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(1));
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(said.contains("pipe.json: --time is over"), "{said}");
    assert_eq!(folder.names(), ["pipe.json"]);
}

/// What has failed is crossed out, and links are as wide as what they carry.
#[test]
fn pictures_tell_what_has_failed_and_what_links_carry() {
    let picture = |words: &str| quadrille(&format!("network {words} -o -.svg")).out;
    let whole = picture("mesh:3x3");
    assert!(!whole.contains("out of use") && !whole.contains("GB/s") && !whole.contains("a step"), "{whole}");
    let damaged = picture("mesh:3x3 --fail-node 4");
    assert!(damaged.contains("out of use") && !damaged.contains(">switch<"), "{damaged}");
    let rates = picture("dgx2:2");
    assert!(rates.contains(">12.5 GB/s<") && rates.contains(">125 GB/s<"), "{rates}");
    let folder = Folder::new();
    let text = r#"{"nodes": 3, "channels": [[0, 1], [1, 0], [1, 2], [2, 1]], "capacities": [4, 4, 1, 1]}"#;
    let file = folder.write("x.json", text);
    let capacities = picture(&file);
    assert!(capacities.contains("stroke-width=\"2.60\"") && capacities.contains(">4 messages a step<"), "{capacities}");
}

/// Pictures are PNG and PDF by the endings of their names: a slide's width, and a column's.
#[test]
fn pictures_are_png_and_pdf_as_well() {
    let folder = Folder::new();
    let size = |bytes: &[u8], at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    quadrille(&format!("network petersen -o {}", folder.path("p.png"))).good();
    let png = std::fs::read(folder.path("p.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n"));
    assert_eq!(size(&png, 16), 1920);
    assert!(size(&png, 20) > 1000, "{}", size(&png, 20));
    quadrille(&format!("solve petersen broadcast -o {}", folder.path("p.json"))).good();
    let said = quadrille(&format!("show {} -o {}", folder.path("p.json"), folder.path("p.pdf"))).good();
    assert!(said.contains("steps as pdf"), "{said}");
    let pdf = std::fs::read(folder.path("p.pdf")).unwrap();
    assert!(pdf.starts_with(b"%PDF-1.") && pdf.ends_with(b"%%EOF"), "{} bytes", pdf.len());
    let text = String::from_utf8_lossy(&pdf);
    assert!(text.contains("/MediaBox [0 0 252 "), "a column is 252 points wide");
    quadrille(&format!("export {} --to svg -o {}", folder.path("p.json"), folder.path("q.png"))).good();
    assert!(std::fs::read(folder.path("q.png")).unwrap().starts_with(b"\x89PNG"));
    quadrille(&format!("show {} -o {}", folder.path("p.json"), folder.path("p.jpg"))).fails(
        2,
        "a page or a picture is written",
        ".png or .pdf",
    );
}
