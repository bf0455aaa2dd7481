//! Pictures for papers and slides: some of the steps, several pages, no title.

use crate::{Folder, quadrille};

#[test]
fn steps_of_a_picture_are_a_range_or_pages() {
    let folder = Folder::new();
    let (file, picture) = (folder.path("s.json"), folder.path("s.svg"));
    quadrille(&format!("solve torus:4x4 alltoall -o {file}")).good();
    let show = |flags: &str| quadrille(&format!("show {file} {flags} -o {picture}"));
    let drawn = |name: &str| std::fs::read_to_string(folder.path(name)).unwrap().matches("% busy").count();
    show("--steps 2-4").good();
    assert_eq!(drawn("s.svg"), 3);
    assert!(std::fs::read_to_string(&picture).unwrap().contains("steps 2 to 4"));
    assert!(show("--per-page 3").good().contains("s-1.svg to "));
    assert_eq!([drawn("s-1.svg"), drawn("s-2.svg"), drawn("s-3.svg")], [3, 3, 2]);
    assert_eq!(folder.names().len(), 5);
    let book = folder.path("s.pdf");
    assert!(quadrille(&format!("show {file} --per-page 3 -o {book}")).good().contains("s.pdf: 8 steps as pdf"));
    let pages = || String::from_utf8_lossy(&std::fs::read(&book).unwrap()).matches("/Type /Page\n").count();
    assert_eq!(pages(), 3);
    show("--steps 6-9").fails(2, "--steps: the schedule has no step 9", "8 steps, counted from 0");
    show("--steps 4-2").fails(2, "the first and the last step", "");
    // A PDF of many steps has pages by itself, unless all are asked for at once.
    let long = folder.path("long.json");
    quadrille(&format!("solve ring-uni:4 alltoall --chunks 5 -o {long}")).good();
    let count = |flags: &str| {
        let answer = quadrille(&format!("show {long} {flags} -o {book}"));
        assert_eq!(answer.status, 0, "{}", answer.err);
        (pages(), answer.err)
    };
    assert_eq!(count(""), (2, String::new()));
    assert_eq!(count("--steps 0-25"), (2, String::new()));
    let (one, note) = count("--steps all");
    assert!(one == 1 && note.contains("30 steps make one large picture"), "{one} {note}");
    show("--per-page 2 --as tree").fails(2, "--as tree shows all steps", "--per-page");
    quadrille(&format!("show {file} --per-page 2 -o {}", folder.path("s.html"))).fails(2, "a page has all steps", "");
    quadrille(&format!("show {file} --per-page 2 -o -.svg")).fails(2, "writes several files", "");
}

#[test]
fn a_picture_for_a_paper_has_no_title() {
    let folder = Folder::new();
    let (file, timed) = (folder.path("s.json"), folder.path("t.json"));
    quadrille(&format!("solve ring:4 alltoall -o {file}")).good();
    quadrille(&format!("solve ring:4 allgather --bytes 1KB --bandwidth 25GB/s --chunks 1 -o {timed}")).good();
    for line in [
        "network ring:4".to_owned(),
        "network ring:4 --dark".into(),
        format!("show {file}"),
        format!("show {file} --as tree"),
        format!("show {file} --as chromosome --dark"),
        format!("show {timed}"),
    ] {
        let [with, without] = ["", " --no-title"].map(|flag| quadrille(&format!("{line}{flag} -o -.svg")).out);
        let height =
            |svg: &str| svg.split(" height=\"").nth(1).unwrap().split('"').next().unwrap().parse::<f64>().unwrap();
        assert!(height(&with) > height(&without) + 30.0, "{line}");
        let title = |svg: &str| svg.contains("font-size=\"15\" font-weight=\"bold\"");
        assert!(title(&with) && !title(&without), "{line}");
        // Whoever reads the file still finds it.
        assert!(without.contains("<title>"), "{line}");
    }
    quadrille(&format!("show {file} --no-title -o {}", folder.path("x.html"))).fails(2, "a page has its title", "");
    quadrille(&format!("network ring:4 --no-title -o {}", folder.path("x.dot"))).fails(2, "--no-title is for", "");
}
