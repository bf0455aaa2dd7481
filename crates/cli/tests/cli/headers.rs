//! Headers of C that `export` writes: several in one program, and read again.

use crate::{Folder, quadrille};
use std::process::Command;

/// A chip of four nodes in a ring with names, one link of which carries two transfers in a step.
const CHIP: &str = r#"graph [
  name "chip"
  node [ id 0 label "cpu0" ] node [ id 1 label "dsp, left" ] node [ id 2 label "mem*/" ] node [ id 3 label "r1" role "switch" ]
  edge [ source 0 target 1 ] edge [ source 1 target 2 ] edge [ source 2 target 3 capacity 2 ] edge [ source 3 target 0 capacity 2 ]
]"#;

/// Compiles a program of C, and runs it.
fn runs(folder: &Folder, program: &str) {
    let (source, compiled) = (folder.write("program.c", program), folder.path("program"));
    let flags = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-Wno-unused-const-variable"];
    let made = Command::new("cc").args(flags).args(["-o", &compiled, &source]).status().unwrap();
    assert!(made.success() && Command::new(compiled).status().unwrap().success(), "{program}");
}

#[test]
fn headers_of_several_kinds_and_files_go_into_one_program() {
    let folder = Folder::new();
    let mut program = String::new();
    for name in ["alltoall", "scatter"] {
        let file = folder.path(&format!("{name}.json"));
        quadrille(&format!("solve ring:4 {name} -o {file}")).good();
        for format in ["slot-tables", "source-routes", "switches"] {
            let header = format!("{name}-{format}.h");
            quadrille(&format!("export {file} --to {format} -o {}", folder.path(&header))).good();
            program.push_str(&format!("#include \"{header}\"\n"));
        }
        // One name for three kinds, in folders of their own.
        for format in ["slot-tables", "source-routes", "switches"] {
            std::fs::create_dir_all(folder.path(format)).unwrap();
            let header = format!("{format}/{name}.h");
            quadrille(&format!("export {file} --to {format} -o {}", folder.path(&header))).good();
            program.push_str(&format!("#include \"{header}\"\n"));
        }
    }
    program.push_str(
        "int main(void) {
    const struct alltoall_slot_turn *turn = alltoall_slot_turns;
    return ALLTOALL_SLOT_TURNS > SCATTER_SLOT_TURNS && ALLTOALL_SOURCE_ROUTES == 12 && SCATTER_SOURCE_ROUTES == 3
        && turn->input == ALLTOALL_SLOT_LOCAL && alltoall_switch_turns[0].input == ALLTOALL_SWITCH_LOCAL
        && alltoall_switch_first[ALLTOALL_SWITCH_STEPS] == ALLTOALL_SLOT_TURNS
        && alltoall_source_routes[1].first == alltoall_source_routes[0].hops
        && sizeof alltoall_slot_tables_slot_turns == sizeof alltoall_slot_turns ? 0 : 1;
}
",
    );
    runs(&folder, &program);
}

#[test]
fn names_in_headers_are_names_of_c() {
    let folder = Folder::new();
    let file = folder.path("x.json");
    quadrille(&format!("solve ring:3 scatter -o {file}")).good();
    for (name, wanted) in [
        ("4x4.h", "TABLE_4X4_SLOT_H"),
        ("Vier-mal_vier.h", "VIER_MAL_VIER_SLOT_H"),
        ("ä.h", "TABLE___SLOT_H"),
        ("a.b.h", "A_B_SLOT_H"),
    ] {
        let header = folder.path(name);
        quadrille(&format!("export {file} --to slot-tables -o {header}")).good();
        let text = std::fs::read_to_string(&header).unwrap();
        assert!(text.contains(&format!("#ifndef {wanted}\n#define {wanted}\n")), "{wanted}: {text}");
        runs(&folder, &format!("{text}\nint main(void) {{ return 0; }}\n"));
    }
    for (format, wanted) in [("slot-tables", "QUADRILLE_SLOT_H"), ("switches", "QUADRILLE_SWITCH_H")] {
        let text = quadrille(&format!("export {file} --to {format} -o -.h")).out;
        assert!(text.contains(&format!("#ifndef {wanted}\n")), "{text}");
    }
}

/// As they were written when all had one guard.
#[test]
fn former_headers_are_still_read() {
    let folder = Folder::new();
    let file = folder.path("x.json");
    quadrille(&format!("solve ring:5 alltoall -o {file}")).good();
    for (format, kind) in [("slot-tables", "slot"), ("source-routes", "source")] {
        let header = folder.path("new.h");
        quadrille(&format!("export {file} --to {format} -o {header}")).good();
        let text = std::fs::read_to_string(&header).unwrap();
        let upper = format!("NEW_{}", kind.to_uppercase());
        let former = text.replace(&format!("{upper}_H"), "QUADRILLE_TABLE_H").replace(&upper, "QUADRILLE");
        let former = former.replace(&format!("new_{kind}"), "quadrille");
        assert!(former.contains("#ifndef QUADRILLE_TABLE_H\n") && former.contains("struct quadrille_"), "{former}");
        let former = folder.write("former.h", &former);
        let played =
            |table: &str| quadrille(&format!("simulate {table} --network ring:5 --json")).json(0)["runs"].clone();
        assert_eq!(played(&former), played(&header));
    }
}

/// Which neighbour is behind a port is said in every form that is not itself a list of ports.
#[test]
fn tables_say_which_neighbour_is_behind_a_port() {
    let folder = Folder::new();
    let (chip, file) = (folder.write("chip.gml", CHIP), folder.path("x.json"));
    quadrille(&format!("solve {chip} alltoall -o {file}")).good();
    let outputs = "outputs 0 -> mem* /, 1 -> cpu0 (capacity 2)";
    let outputs = outputs.replace("mem* /", "mem* / (capacity 2)");
    let both = format!("{outputs}; inputs 0 <- mem* / (capacity 2), 1 <- cpu0 (capacity 2)");
    for (format, wanted) in [("source-routes", &outputs), ("slot-tables", &both), ("switches", &both)] {
        let header = folder.path("x.h");
        quadrille(&format!("export {file} --to {format} -o {header}")).good();
        let text = std::fs::read_to_string(&header).unwrap();
        assert!(text.contains(&format!("\n * node 3 r1: {wanted}\n")), "{text}");
        assert!(text.contains("\n * node 2 mem* /: outputs 0 -> dsp, left, 1 -> r1 (capacity 2)"), "{text}");
        runs(&folder, &format!("{text}\nint main(void) {{ return 0; }}\n"));
        if format == "switches" {
            continue;
        }
        let [csv, json] = ["x.csv", "x.json.tables.json"].map(|name| folder.path(name));
        quadrille(&format!("export {file} --to {format} -o {csv}")).good();
        let text = std::fs::read_to_string(&csv).unwrap();
        assert!(text.contains(&format!("\n# node 3 r1: {wanted}\n")), "{text}");
        quadrille(&format!("export {file} --to {format} -o {json}")).good();
        let read: serde_json::Value = serde_json::from_slice(&std::fs::read(&json).unwrap()).unwrap();
        let node = serde_json::json!({"node": 3, "label": "r1", "outputs": [2, 0], "inputs": [2, 0]});
        assert_eq!(read["nodes"][3], node);
        for table in [csv, json, header] {
            quadrille(&format!("simulate {table} --network {chip}")).good();
        }
    }
    quadrille(&format!("solve ring:3 scatter -o {file}")).good();
    let text = quadrille(&format!("export {file} --to slot-tables -o -.csv")).out;
    assert!(text.contains("\n# node 0: outputs 0 -> 1, 1 -> 2; inputs 0 <- 1, 1 <- 2\n"), "{text}");
}
