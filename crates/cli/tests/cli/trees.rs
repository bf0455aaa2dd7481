//! `show --as tree` and `--as chromosome`: how one message spreads, and the genes of a schedule.

use crate::{Folder, fixtures, quadrille};

/// What a problem's schedule is drawn as.
fn drawn(folder: &Folder, problem: &str, rest: &str) -> String {
    let (file, picture) = (folder.path("s.json"), folder.path("p.svg"));
    if !problem.is_empty() {
        quadrille(&format!("solve {problem} -o {file}")).good();
    }
    quadrille(&format!("show {file} {rest} -o {picture}")).good();
    std::fs::read_to_string(picture).unwrap()
}

/// The texts of a picture, in their order.
fn texts(svg: &str) -> Vec<&str> {
    svg.split("<text ").skip(1).map(|text| text.split_once('>').unwrap().1.split_once('<').unwrap().0).collect()
}

#[test]
fn a_tree_has_a_line_for_every_transfer() {
    let folder = Folder::new();
    let svg = drawn(&folder, "hypercube:4 broadcast", "--as tree");
    let texts = texts(&svg);
    assert!(
        texts.contains(&"broadcast on hypercube:4, message 0 from 0") && texts.contains(&"15 transfers in 2 steps")
    );
    assert_eq!(svg.matches("marker-end").count(), 15);
    assert_eq!(svg.matches("<circle").count(), 16);
    assert_eq!((texts.contains(&"before"), texts.contains(&"step 0"), texts.contains(&"step 2")), (true, true, false));
    // Every node but the root is at the end of one path.
    let mut ends: Vec<u32> =
        texts.iter().filter(|t| t.contains('-')).map(|t| t.rsplit('-').next().unwrap().parse().unwrap()).collect();
    ends.sort_unstable();
    assert_eq!(ends, (1..16).collect::<Vec<_>>());
}

#[test]
fn a_reduction_is_merged_at_its_root() {
    let folder = Folder::new();
    let svg = drawn(&folder, "torus:4x4 reduce --root 5", "--as tree --dark");
    let texts = texts(&svg);
    assert!(texts.contains(&"reduce to (1,1) on torus:4x4, message 0 merged at 1,1"), "{texts:?}");
    assert!(texts.contains(&"merged") && svg.matches("marker-end").count() == 15);
    // Every path begins at another node.
    let mut begins: Vec<&str> =
        texts.iter().filter(|t| t.contains('-')).map(|t| t.split('-').next().unwrap()).collect();
    begins.sort_unstable();
    begins.dedup();
    assert_eq!((begins.len(), begins.contains(&"1,1")), (15, false));
}

#[test]
fn trees_of_any_schedule_and_message() {
    let folder = Folder::new();
    for (problem, rest, words) in [
        ("mesh:3x3 allgather", "--message 4", "message 4 from 1,1"),
        ("ring:8 reduce_scatter", "--message 3", "message 3 merged at 3"),
        ("ring:16 alltoall --orbits", "--message 100", "message 100 from 6"),
        ("mesh:8x8 alltoall", "--message 77", "message 77 from 0,1"),
        ("hypercube:3 allgather --combining", "--message 7", "7 transfers in 2 steps"),
        ("ring:8 alltoall --switching tdm", "--message 3", "1 transfer in 1 slot"),
        ("omega:8 permutation --pairs shift:1", "", "1 transfer in 1 step"),
    ] {
        let svg = drawn(&folder, problem, &format!("--as tree {rest}"));
        assert!(svg.contains(words), "{problem}: {svg}");
        assert!(svg.contains("marker-end"), "{problem}");
        apart(&svg);
    }
}

/// Nodes of a row stand apart.
fn apart(svg: &str) {
    let number = |text: &str, name: &str| -> f64 {
        text.split_once(name).unwrap().1.split_once('"').unwrap().0.parse().unwrap()
    };
    let places: Vec<(f64, f64)> =
        svg.split("<circle").skip(1).map(|text| (number(text, "cx=\""), number(text, "cy=\""))).collect();
    for (at, one) in places.iter().enumerate() {
        for other in &places[at + 1..] {
            assert!((one.0 - other.0).abs().max((one.1 - other.1).abs()) > 25.0, "{one:?} and {other:?}");
        }
    }
}

#[test]
fn genes_are_those_of_the_print() {
    // Table 8.3: path and step; 0→3 in step 1 by (0,2,3), 0→7 in step 4 by (0,4,5,7).
    let folder = Folder::new();
    let picture = folder.path("p.svg");
    let show = |name: &str| {
        let file = fixtures().join(name).display().to_string();
        quadrille(&format!("show {file} --as chromosome -o {picture}")).good();
        std::fs::read_to_string(&picture).unwrap()
    };
    let svg = show("table-8-03-aas-hypercube-8.json");
    let scattered = texts(&svg);
    assert!(scattered.contains(&"56 genes (path, step) for 4 steps, shortest paths"), "{scattered:?}");
    let pair = |path: &str, step: &str| scattered.windows(2).any(|two| two == [path, step]);
    assert!(pair("0-2-3", "0") && pair("0-4-5-7", "3") && !scattered.contains(&"distributor"), "{scattered:?}");
    // Table 8.4: distributor, path and step; message 0 goes 1→3 in step 2.
    let svg = show("table-8-04-aab-hypercube-8.json");
    let told = texts(&svg);
    assert!(told.contains(&"56 genes (distributor, path, step) for 3 steps, shortest paths"), "{told:?}");
    assert!(told.windows(3).any(|gene| gene == ["1", "1-3", "1"]) && told.contains(&"distributor"), "{told:?}");
    // Nobody sends to itself.
    assert_eq!(svg.matches("h8\"").count(), 8);
}

#[test]
fn genes_have_the_names_of_nodes() {
    let folder = Folder::new();
    let network = folder.write("chip.edges", "core-a core-b\ncore-b dram\n");
    let svg = drawn(&folder, &format!("{network} broadcast --root dram"), "--as chromosome");
    let texts = texts(&svg);
    assert!(texts.windows(2).any(|two| two == ["dram", "dram → core-b"]), "{texts:?}");
    assert!(texts.contains(&"core-a") && !texts.contains(&"2"), "{texts:?}");
}

#[test]
fn chromosomes_say_what_they_cannot_say() {
    let folder = Folder::new();
    let svg = drawn(&folder, "ring:8 scatter --switching store-and-forward", "--as chromosome");
    assert!(svg.contains("messages come from a node on the way, which no couple says"), "{svg}");
    // A single message is broken into lines, and a reduction has the genes of its reversal.
    let svg = drawn(&folder, "torus:6x6 reduce", "--as chromosome --dark");
    assert!(texts(&svg).iter().filter(|text| **text == "to").count() > 1 && svg.contains("35 genes"), "{svg}");
    let svg = drawn(&folder, "mesh:10x10 allgather --time 5", "--as chromosome");
    assert!(svg.contains("left out, as too many for a picture: 5940 genes"), "{}", &svg[..2000]);
}

#[test]
fn what_has_no_tree_and_no_genes() {
    let folder = Folder::new();
    let file = folder.path("s.json");
    let show = |rest: &str| quadrille(&format!("show {file} {rest}"));
    let svg = folder.path("p.svg");
    quadrille(&format!("solve ring:4 allreduce -o {file}")).good();
    show(&format!("--as tree -o {svg}")).fails(2, "--as tree: message 0 is merged and then copied on", "--as");
    show(&format!("--as chromosome -o {svg}")).fails(2, "merged and then copied on", "--as");
    quadrille(&format!("solve hypercube:3 allgather --combining -o {file}")).good();
    show(&format!("--as chromosome -o {svg}")).fails(2, "carry several messages", "--as tree");
    show(&format!("--as tree --message 8 -o {svg}")).fails(2, "no message 8: there are 8, counted from 0", "--message");
    show(&format!("--message 1 -o {svg}")).fails(2, "--message chooses whose tree is drawn", "--as tree");
    show(&format!("--as tree --step 0 -o {svg}")).fails(2, "--as tree shows all steps", "--step");
    show(&format!("--as tree -o {}", folder.path("p.html"))).fails(2, "--as tree is for pictures", ".svg");
    show(&format!("--as roots -o {svg}")).fails(2, "roots", "");
    show(&format!("--as tree --message -1 -o {svg}")).fails(2, "-1", "");
    let trace = folder.write("t.jsonl", "");
    quadrille(&format!("show {trace} --as tree -o {svg}")).fails(2, "drawn as one plot", "--as");
}
