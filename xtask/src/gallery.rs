//! **What:** the contact sheet of every family of the registry, drawn by its examples.

use kernel::Network;
use std::io::{self, Write};
use std::path::Path;
use topologies::FAMILIES;

/// Nodes up to which an example is small enough for the sheet.
const MOST_NODES: usize = 130;

/// Writes `families.svg` into `folder`: of each family the largest example that fits, and one more. Gives the number drawn.
pub(crate) fn draw(folder: &Path) -> io::Result<usize> {
    let networks = examples();
    std::fs::create_dir_all(folder)?;
    let mut text = Vec::new();
    pictures::svg::sheet("Every family of networks", &networks, &pictures::palette::LIGHT, &mut text)?;
    std::fs::File::create(folder.join("families.svg"))?.write_all(&text)?;
    Ok(networks.len())
}

fn examples() -> Vec<Network> {
    let mut all = Vec::new();
    for family in FAMILIES {
        let built = family.examples.iter().filter_map(|spec| topologies::parse(spec).ok());
        let mut fitting: Vec<Network> = built.filter(|n| n.node_count() <= MOST_NODES).collect();
        fitting.sort_by_key(|n| std::cmp::Reverse(n.node_count()));
        all.extend(fitting.into_iter().take(2));
    }
    all
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_family_is_on_the_sheet() {
        let drawn = super::examples();
        for family in topologies::FAMILIES {
            let named = |n: &kernel::Network| n.name().split(':').next() == Some(family.name);
            assert!(drawn.iter().any(named), "{}", family.name);
        }
    }

    #[test]
    fn the_sheet_is_up_to_date() {
        let folder = std::env::temp_dir().join(format!("quadrille-gallery-{}", std::process::id()));
        super::draw(&folder).unwrap();
        let drawn = std::fs::read_to_string(folder.join("families.svg")).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        let kept = std::fs::read_to_string(crate::root().join("docs/gallery/families.svg")).unwrap();
        assert!(drawn == kept, "docs/gallery/families.svg is not what `cargo xtask gallery` draws");
    }
}
