//! `export --to table` as LaTeX: what it writes is well formed, and compiles where there is a `pdflatex`.

use crate::{Folder, fixtures, quadrille};
use std::process::{Command, Stdio};

/// Networks with few and many steps, switches, several messages a cell and numbers of messages.
const CASES: [&str; 7] = [
    "ring:8 alltoall",
    "torus:3x3 allgather",
    "omega:8 permutation --pairs shift:1",
    "ring:4 scatter --switching store-and-forward",
    "ring:4 allreduce",
    "hypercube:3 allgather --ports one --combining",
    "ring:5 broadcast --messages 3",
];

/// The tables of all cases, each as one exports it.
fn tables(folder: &Folder) -> Vec<(String, String)> {
    let (file, table) = (folder.path("s.json"), folder.path("t.tex"));
    let mut written = Vec::new();
    for case in CASES {
        quadrille(&format!("solve {case} --time 2 -o {file}"));
        quadrille(&format!("export {file} --to table -o {table}")).good();
        written.push((case.to_owned(), std::fs::read_to_string(&table).unwrap()));
    }
    for printed in ["table-8-03-aas-hypercube-8.json", "table-8-04-aab-hypercube-8.json"] {
        let file = fixtures().join(printed);
        quadrille(&format!("export {} --to table -o {table}", file.display())).good();
        written.push((printed.to_owned(), std::fs::read_to_string(&table).unwrap()));
    }
    written
}

/// What is wrong with a text of LaTeX, if anything is: environments that do not nest, braces or formulas that do not close, rows of a
/// table with more or fewer cells than columns, and special characters that stand for themselves.
fn wrong(latex: &str) -> Option<String> {
    // Of each open environment its name, its columns and the cells of its row.
    let mut open: Vec<(String, usize, usize)> = Vec::new();
    let (mut braces, mut formula) = (0i32, false);
    for (number, line) in latex.lines().enumerate() {
        let at = |what: &str| Some(format!("line {}: {what}: {line}", number + 1));
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let after = &rest[first.len_utf8()..];
            rest = after;
            match first {
                '%' => break,
                '\\' => {
                    let word: String = after.chars().take_while(char::is_ascii_alphabetic).collect();
                    let length = word.len().max(after.chars().next().map_or(0, char::len_utf8));
                    let sign = &after[..length];
                    rest = &after[length..];
                    match sign {
                        "begin" | "end" => {
                            let Some((name, then)) = spanned(rest) else { return at("no name") };
                            rest = then;
                            if sign == "begin" {
                                rest = rest.strip_prefix("[t]").unwrap_or(rest);
                                let Some((columns, then)) = spanned(rest) else { return at("no columns") };
                                rest = then;
                                let count = columns.replace("@{}", "").chars().filter(|c| "lcr".contains(*c)).count();
                                open.push((name.to_owned(), count, 1));
                            } else {
                                let Some((begun, columns, cells)) = open.pop() else { return at("nothing to end") };
                                if begun != name {
                                    return at(&format!("{begun} ends as {name}"));
                                }
                                // The last row may be left open, or just have been ended.
                                if cells != columns && cells != 1 {
                                    return at(&format!("{cells} cells in {columns} columns"));
                                }
                            }
                        }
                        "\\" => {
                            let Some((_, columns, cells)) = open.last_mut() else { return at("no row to end") };
                            if cells != columns {
                                return at(&format!("{cells} cells in {columns} columns"));
                            }
                            *cells = 1;
                        }
                        "hline" | "par" | "medskip" | "#" => {}
                        "rightarrow" if formula => {}
                        other => return at(&format!("what is \\{other}")),
                    }
                }
                '&' => match open.last_mut() {
                    Some((_, _, cells)) => *cells += 1,
                    None => return at("a cell outside of a table"),
                },
                '{' => braces += 1,
                '}' => braces -= 1,
                '$' => formula = !formula,
                '#' | '_' | '^' | '~' => return at(&format!("{first} stands for itself")),
                _ if !first.is_ascii() => return at(&format!("{first} needs a package")),
                _ => {}
            }
        }
        if formula || braces != 0 {
            return at("a formula or a group goes on into the next line");
        }
    }
    open.pop().map(|(name, ..)| format!("{name} is not ended"))
}

/// What stands in a group, and what follows it.
fn spanned(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    if !text.starts_with('{') {
        return None;
    }
    for (at, sign) in text.char_indices() {
        depth += i32::from(sign == '{') - i32::from(sign == '}');
        if depth == 0 {
            return Some((&text[1..at], &text[at + 1..]));
        }
    }
    None
}

#[test]
fn what_is_wrong_is_found() {
    let table = |body: &str| format!("\\begin{{tabular}}{{|c|l|}}\n{body}\\end{{tabular}}\n");
    assert_eq!(wrong(&table("a & b \\\\ \\hline\n")), None);
    assert_eq!(wrong(&table("a & \\begin{tabular}[t]{@{}l@{}}b \\\\ c\\end{tabular} \\\\ \\hline\n")), None);
    for (body, why) in [
        ("a \\\\\n", "1 cells in 2 columns"),
        ("a & b & c \\\\\n", "3 cells in 2 columns"),
        ("a & #4 \\\\\n", "# stands for itself"),
        ("a & x_1 \\\\\n", "_ stands for itself"),
        ("a & $b \\\\\n", "a formula or a group"),
        ("a & {b \\\\\n", "a formula or a group"),
        ("a & 0→1 \\\\\n", "→ needs a package"),
        ("a & \\begin{tabular}[t]{l}b \\\\\n", "tabular is not ended"),
        ("a & \\textbf{b} \\\\\n", "what is \\textbf"),
    ] {
        assert!(wrong(&table(body)).is_some_and(|told| told.contains(why)), "{body} {:?}", wrong(&table(body)));
    }
}

#[test]
fn tables_are_well_formed_latex() {
    let folder = Folder::new();
    let tables = tables(&folder);
    assert!(tables.iter().any(|(_, latex)| latex.contains("\\#")) && tables.len() == CASES.len() + 2);
    for (case, latex) in &tables {
        assert_eq!(wrong(latex), None, "{case}");
        assert!(latex.matches("\\begin{tabular}{|c|l|").count() > 0, "{case}: {latex}");
    }
    compiled(&folder, &tables);
}

/// Compiles all tables as a document has them, where there is a TeX.
fn compiled(folder: &Folder, tables: &[(String, String)]) {
    if Command::new("pdflatex").arg("--version").stdout(Stdio::null()).status().is_err() {
        return;
    }
    let mut document = "\\documentclass{article}\n\\begin{document}\n".to_owned();
    for (number, (_, latex)) in tables.iter().enumerate() {
        let part = folder.write(&format!("part{number}.tex"), latex);
        document += &format!("\\input{{{part}}}\n");
    }
    let file = folder.write("all.tex", &(document + "\\end{document}\n"));
    let place = std::path::Path::new(&file).parent().unwrap();
    let made = Command::new("pdflatex")
        .args(["-interaction=nonstopmode", "-halt-on-error", "all.tex"])
        .current_dir(place)
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stdout));
    assert!(std::fs::read(place.join("all.pdf")).unwrap().starts_with(b"%PDF"));
}
