//! Schedule files in binary form, as a user writes and reads them, and as another program does that knows the page alone.

use crate::{Folder, quadrille};
use serde_json::Value;
use std::process::Command;

/// What `fixtures/unpack.py` makes of a file.
fn unpacked(file: &str) -> Value {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/unpack.py");
    let output = Command::new("python3").args([program, file]).output().expect("python3 is there");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("it prints JSON")
}

fn json(file: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

/// Every form of the schedule file, solved into the binary form, checked, and made JSON by two programs.
#[test]
fn another_program_reads_the_same() {
    let lines = [
        "mesh:2x3 alltoall",
        "torus:3x3 alltoall --orbits",
        "product:ring:4,mesh:3 alltoall --orbits",
        "ring:5 allreduce",
        "hypercube:3 allgather --combining",
        "ring:6 broadcast --switching tdm",
        "ring:4 allgather --switching store-and-forward --half-duplex",
    ];
    for line in lines {
        let folder = Folder::new();
        let (packed, plain) = (folder.path("x.qdr"), folder.path("x.json"));
        let solved = quadrille(&format!("solve {line} -o {packed} --json")).json(0);
        let checked = quadrille(&format!("check {packed} --json")).json(0);
        assert_eq!((&checked["valid"], &checked["steps"]), (&true.into(), &solved["steps"]), "{line}");
        quadrille(&format!("export {packed} --to json --stored -o {plain}")).good();
        assert_eq!(unpacked(&packed), json(&plain), "{line}");
        let again = folder.path("again.qdr");
        quadrille(&format!("export {plain} --to binary -o {again}")).good();
        assert_eq!(std::fs::read(&packed).unwrap(), std::fs::read(&again).unwrap(), "{line}");
    }
}

/// In time: rates, several paths of a transfer, ticks.
#[test]
fn schedules_in_time() {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/corpus/timed");
    let names = std::fs::read_dir(corpus).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let with = |word: &'static str| move |name: &String| *name == format!("holds-{word}.json");
    let names: Vec<String> = names.collect();
    for word in ["multicast", "rates", "reduce", "partials"] {
        let name = names.iter().find(|name| with(word)(name)).expect("the corpus has one of each");
        let folder = Folder::new();
        let (packed, plain) = (folder.path("x.qdr"), folder.path("x.json"));
        quadrille(&format!("export {corpus}/{name} --to binary -o {packed}")).good();
        assert_eq!(quadrille(&format!("check {packed} --json")).json(0)["valid"], true, "{name}");
        quadrille(&format!("export {packed} --to json -o {plain}")).good();
        let (mut theirs, mut ours) = (unpacked(&packed), json(&plain));
        rates_as_text(&mut theirs);
        rates_as_text(&mut ours);
        assert_eq!(theirs, ours, "{name}");
    }
}

/// A rate is a number or a fraction as text; here always its value.
fn rates_as_text(document: &mut Value) {
    for transfer in document["steps"].as_array_mut().unwrap().iter_mut().flat_map(|step| step.as_array_mut().unwrap()) {
        let Some(rate) = transfer.get_mut("rate") else { continue };
        let value = match rate.as_str().and_then(|text| text.split_once('/')) {
            Some((numerator, denominator)) => numerator.parse::<f64>().unwrap() / denominator.parse::<f64>().unwrap(),
            None => rate.to_string().trim_matches('"').parse().unwrap(),
        };
        *rate = format!("{value:.9}").into();
    }
}

#[test]
fn found_from_its_content() {
    let folder = Folder::new();
    let (file, other) = (folder.path("x.qdr"), folder.path("anything"));
    quadrille(&format!("solve ring:4 alltoall -o {file}")).good();
    std::fs::rename(&file, &other).unwrap();
    assert!(quadrille(&format!("check {other}")).good().starts_with("alltoall on ring:4"));
    let picture = folder.path("x.svg");
    quadrille(&format!("show {other} -o {picture}")).good();
    let packed = folder.path("network.qdr");
    std::fs::rename(&other, &packed).unwrap();
    assert!(quadrille(&format!("network {packed}")).good().starts_with("ring:4"));
}

#[test]
fn what_cannot_be_is_told_once() {
    let folder = Folder::new();
    let (gzipped, file) = (folder.path("x.qdr.gz"), folder.path("x.qdr"));
    let packed = "the binary form is packed already";
    quadrille(&format!("solve ring:4 alltoall -o {gzipped}")).fails(2, packed, "leave out .gz");
    let other = "what is written is binary, not .json";
    quadrille(&format!("solve ring:4 alltoall -o {file}")).good();
    quadrille(&format!("export {file} --to binary -o {}", folder.path("x.json"))).fails(2, other, "--to json");
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&gzipped, &bytes).unwrap();
    quadrille(&format!("check {gzipped}")).fails(2, "not packed by gzip", "check that this is the right file");
    std::fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
    let outputs = folder.path("y");
    for line in ["check FILE", "export FILE --to csv -o OUT.csv", "show FILE -o OUT.svg", "network FILE"] {
        let line = line.replace("FILE", &file).replace("OUT", &outputs);
        quadrille(&line).fails(2, "is cut off or damaged", "copy the file again");
    }
}
