//! The page on fat trees: its commands print and draw what stands there.

use crate::{Folder, quadrille};
use std::path::Path;

#[test]
fn the_page_shows_what_the_program_says() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let page = std::fs::read_to_string(docs.join("fat-trees.md")).unwrap();
    let folder = Folder::new();
    let (mut figures, mut answers) = (0, 0);
    for block in page.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap()) {
        for example in block.split("$ quadrille ").skip(1) {
            let (command, printed) = example.split_once('\n').unwrap();
            match command.split_once(" -o docs/fat-trees/") {
                Some((command, name)) => {
                    quadrille(&format!("{command} -o {}", folder.path(name))).good();
                    let [drawn, kept] = [folder.path(name).into(), docs.join("fat-trees").join(name)]
                        .map(|path: std::path::PathBuf| std::fs::read_to_string(path).unwrap());
                    assert!(drawn == kept, "docs/fat-trees/{name} is not what `cargo xtask fat-trees` draws");
                    figures += 1;
                }
                None => {
                    assert_eq!(quadrille(command).out, printed, "quadrille {command}");
                    answers += 1;
                }
            }
        }
    }
    assert!(figures >= 5 && answers >= 2, "{figures} figures, {answers} answers");
}
