//! **What:** links of the built book to files of the repository that are no pages of it: each such file becomes a plain page in the folder
//! `source` of the book, and the links lead there, so that the book is whole wherever it is put.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Where the files stand in the book.
const FOLDER: &str = "source";

/// Rewrites the links of all pages in the folder `book`, which was built from `root/docs`. Gives the number of files brought in.
///
/// # Errors
/// Those of the system, and a link to a file that does not exist.
pub(super) fn bring_in(root: &Path, book: &Path) -> Result<usize, String> {
    let mut pages = Vec::new();
    html(book, &mut pages).map_err(|error| format!("{}: {error}", book.display()))?;
    let mut files = BTreeSet::new();
    for page in pages {
        let text = std::fs::read_to_string(&page).map_err(|error| format!("{}: {error}", page.display()))?;
        let place = page.strip_prefix(book).unwrap_or(&page).to_owned();
        let rewritten = rewritten(root, &place, &text, &mut files)?;
        if rewritten != text {
            std::fs::write(&page, rewritten).map_err(|error| format!("{}: {error}", page.display()))?;
        }
    }
    for file in &files {
        let page = book.join(FOLDER).join(format!("{file}.html"));
        let folder = page.parent().unwrap_or(book);
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&page, shown(root, file)?));
        written.map_err(|error| format!("{file}: {error}"))?;
    }
    Ok(files.len())
}

/// All pages below a folder.
fn html(folder: &Path, pages: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => html(&path, pages)?,
            false if path.extension().is_some_and(|ending| ending == "html") => pages.push(path),
            false => {}
        }
    }
    Ok(())
}

/// The page with links into the repository led into the book; notes the files.
fn rewritten(root: &Path, place: &Path, text: &str, files: &mut BTreeSet<String>) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("href=\"") {
        let Some((link, after)) = behind.split_once('"') else { break };
        out.push_str(before);
        let target = match outside(place, link) {
            Some(path) => {
                let file =
                    existing(root, &path).ok_or_else(|| format!("{}: `{link}` leads nowhere", place.display()))?;
                let up = "../".repeat(place.components().count() - 1);
                let new = format!("{up}{FOLDER}/{file}.html");
                files.insert(file);
                new
            }
            None => link.to_owned(),
        };
        // Writing to a text cannot fail.
        let _ = write!(out, "href=\"{target}\"");
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

/// The file of the repository that a link of a page means, where that is none of the book's.
fn outside(place: &Path, link: &str) -> Option<String> {
    let link =
        link.split('#').next().filter(|link| !link.is_empty() && !link.contains(':') && !link.starts_with('/'))?;
    let mut parts: Vec<&str> = vec!["docs"];
    let folders = place.parent().into_iter().flat_map(Path::components);
    let folders = folders.filter_map(|part| if let Component::Normal(name) = part { name.to_str() } else { None });
    for part in folders.chain(link.split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    (parts.first() != Some(&"docs")).then(|| parts.join("/"))
}

/// The file or folder; pages of Markdown are called `.html` in the book.
fn existing(root: &Path, path: &str) -> Option<String> {
    let markdown = path.strip_suffix(".html").map(|stem| format!("{stem}.md"));
    [Some(path.to_owned()), markdown].into_iter().flatten().find(|path| !path.is_empty() && root.join(path).exists())
}

/// A page that shows a file, or the files of a folder.
fn shown(root: &Path, file: &str) -> io::Result<String> {
    let path = root.join(file);
    let mut files = vec![path.clone()];
    if path.is_dir() {
        files = std::fs::read_dir(&path)?.map(|entry| entry.map(|e| e.path())).collect::<io::Result<_>>()?;
        files.retain(|path| path.is_file());
        files.sort();
    }
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
    let mut page = format!("<!doctype html>\n<meta charset=\"utf-8\">\n<title>{}</title>\n", escaped(file));
    for path in files {
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        let text = std::fs::read(&path)?;
        let _ = writeln!(page, "<h1>{}</h1>\n<pre>{}</pre>", escaped(&name), escaped(&String::from_utf8_lossy(&text)));
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// Every link of every page, as mdBook would write it, leads to a page of the book or to a file that is brought in.
    #[test]
    fn links_out_of_the_pages_lead_somewhere() {
        let (root, book) = (crate::root(), tempfile::tempdir().unwrap());
        let mut links = 0;
        let mut folders = vec![root.join("docs")];
        while let Some(folder) = folders.pop() {
            for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                if path.extension().is_none_or(|ending| ending != "md") {
                    continue;
                }
                let text = std::fs::read_to_string(&path).unwrap();
                let place = path.strip_prefix(root.join("docs")).unwrap().with_extension("html");
                let mut html = String::new();
                for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
                    html += &format!("<a href=\"{}\">x</a>", link.replace(".md", ".html"));
                    links += 1;
                }
                std::fs::create_dir_all(book.path().join(&place).parent().unwrap()).unwrap();
                std::fs::write(book.path().join(&place), html).unwrap();
            }
        }
        assert!(links > 100, "{links}");
        let brought = super::bring_in(&root, book.path()).unwrap();
        assert!(brought >= 10, "{brought}");
        let page = std::fs::read_to_string(book.path().join("tutorials/dissertation.html")).unwrap();
        assert!(page.contains("href=\"../source/GLOSSARY.md.html\"") && !page.contains("../../"), "{page}");
        assert!(book.path().join("source/GLOSSARY.md.html").exists());
        // Once more, nothing is left to be led elsewhere.
        assert_eq!(super::bring_in(&root, book.path()), Ok(0));
    }

    #[test]
    fn a_link_to_nothing_is_told() {
        let mut files = std::collections::BTreeSet::new();
        let page = "<a href=\"../nothing.html\">x</a>";
        let error = super::rewritten(&crate::root(), Path::new("python.html"), page, &mut files).unwrap_err();
        assert_eq!(error, "python.html: `../nothing.html` leads nowhere");
    }
}
