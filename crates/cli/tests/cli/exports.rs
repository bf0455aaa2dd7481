//! Schedules and networks for programs of others.

use crate::{Folder, quadrille};

/// A schedule of steps and one in time.
fn schedules(folder: &Folder) -> [String; 2] {
    let [steps, timed] = ["steps.json", "timed.json"].map(|name| folder.path(name));
    quadrille(&format!("solve ring:4 allgather -o {steps}")).good();
    quadrille(&format!("solve dgx1 broadcast --bytes 1M --chunks 1 -o {timed}")).good();
    [steps, timed]
}

#[test]
fn sizes_are_asked_for_where_a_format_holds_them() {
    let folder = Folder::new();
    let [steps, timed] = schedules(&folder);
    let goal = folder.path("x.goal");
    let without = quadrille(&format!("export {steps} --to goal -o {goal}"));
    without.fails(2, "holds sizes in bytes, which a schedule of steps does not give", "--bytes 1M");
    quadrille(&format!("export {steps} --to goal --bytes 0 -o {goal}")).fails(2, "`0` is not a size above 0", "64Ki");
    let needless = quadrille(&format!("export {steps} --to csv --bytes 1M -o {}", folder.path("x.csv")));
    needless.fails(2, "the format csv holds no sizes", "goal, chakra");
    let twice = quadrille(&format!("export {timed} --to goal --bytes 1M -o {goal}"));
    twice.fails(2, "a schedule in time has its size in the file", "leave it out");
    quadrille(&format!("export {steps} --to chakra --bytes 1M -o -")).fails(2, "a file for every rank", "");
    assert!(!std::path::Path::new(&goal).exists());
}

#[test]
fn goal_has_the_size_of_every_message() {
    let folder = Folder::new();
    let [steps, timed] = schedules(&folder);
    let goal = folder.path("x.goal");
    quadrille(&format!("export {steps} --to goal --bytes 4000 -o {goal}")).good();
    let text = std::fs::read_to_string(&goal).unwrap();
    assert!(text.starts_with("num_ranks 4\n\nrank 0 {\n"), "{text}");
    // Three blocks of a quarter come to each of four ranks.
    assert_eq!(text.matches(": recv 1000b from").count(), 12, "{text}");
    quadrille(&format!("export {timed} --to goal -o {goal}")).good();
    assert_eq!(std::fs::read_to_string(&goal).unwrap().matches(": send 1000000b to").count(), 7);
}

#[test]
fn chakra_has_a_file_for_every_rank() {
    let folder = Folder::new();
    let [steps, _] = schedules(&folder);
    quadrille(&format!("export {steps} --to chakra --bytes 1M -o {}", folder.path("x.et"))).good();
    let sizes = (0..4).map(|rank| std::fs::metadata(folder.path(&format!("x.{rank}.et"))).unwrap().len());
    assert!(sizes.clone().all(|size| size > 300), "{:?}", sizes.collect::<Vec<_>>());
}

#[test]
fn booksim_networks_are_written_and_read() {
    let folder = Folder::new();
    let file = folder.path("x.anynet");
    quadrille(&format!("network fat-tree:4 -o {file}")).good();
    let [by_name, from_file] = ["fat-tree:4", &file].map(|network| {
        let answer = quadrille(&format!("solve {network} alltoall --json")).json(0);
        [answer["steps"].clone(), answer["bound"].clone()]
    });
    assert_eq!(by_name, from_file);
    let one_way = quadrille(&format!("network kautz:2,2 -o {file}"));
    one_way.fails(2, "BookSim links routers once and both ways", "another ending");
}

#[test]
fn all_formats_are_listed() {
    let listed = quadrille("formats --json").json(0);
    let names: Vec<&str> = listed.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    for name in ["json", "csv", "npz", "goal", "chakra", "anynet", "graphml", "nccl-tuner", "svg"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    // A line each, and where there is more.
    assert_eq!(quadrille("formats").good().lines().count(), names.len() + 2);
}
