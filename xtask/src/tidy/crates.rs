//! **What:** who may import whom: the table under "The crates" in ARCHITECTURE.md, with which the manifests have to agree.

use cargo_metadata::{DependencyKind, MetadataCommand, Package};
use std::collections::BTreeMap;
use std::path::Path;

/// What has to be believed.
const KERNEL: &[&str] = &["problem", "formula", "kernel"];

/// The only foreign crates that these may import.
const KERNEL_MAY_IMPORT: &[&str] = &["thiserror"];

/// Arrows that the table does not have, and rows that are no crates. Tests may import more.
pub(super) fn faults(root: &Path) -> Result<Vec<String>, String> {
    let page = std::fs::read_to_string(root.join("ARCHITECTURE.md")).map_err(|e| format!("ARCHITECTURE.md: {e}"))?;
    let table = table(&page);
    let metadata = MetadataCommand::new().manifest_path(root.join("Cargo.toml")).no_deps().exec();
    let packages = metadata.map_err(|e| e.to_string())?.packages;
    let ours: Vec<&str> = packages.iter().map(|p| folder(p.name.as_str())).collect();
    let mut faults: Vec<String> = packages.iter().flat_map(|p| of_package(p, &table, &ours)).collect();
    let strangers =
        table.keys().filter(|name| !ours.contains(&name.as_str()) && !root.join("crates").join(name).is_dir());
    faults.extend(strangers.map(|name| format!("crate {name} is in ARCHITECTURE.md, but not in the workspace")));
    Ok(faults)
}

/// The name that the table has: the folder's.
fn folder(package: &str) -> &str {
    package.strip_prefix("quadrille-").unwrap_or(package)
}

/// The rows of the first table whose head begins with `crate`: a crate, and those that it may import.
fn table(page: &str) -> BTreeMap<String, Vec<String>> {
    let rows = page.lines().skip_while(|line| !line.starts_with("| crate |")).skip(2);
    rows.take_while(|line| line.starts_with('|'))
        .filter_map(|line| {
            let mut cells = line.trim_matches('|').split('|').map(str::trim);
            let name = cells.next()?.trim_matches('`').to_owned();
            let imports = cells.next()?.split([',', ' ']).map(|word| word.trim_matches('`').to_owned());
            Some((name, imports.filter(|word| !word.is_empty()).collect()))
        })
        .collect()
}

fn of_package(package: &Package, table: &BTreeMap<String, Vec<String>>, ours: &[&str]) -> Vec<String> {
    let name = folder(package.name.as_str());
    let Some(allowed) = table.get(name) else {
        return vec![format!("crate {name} is not in the table of ARCHITECTURE.md")];
    };
    let all = || package.dependencies.iter().filter(|d| d.kind != DependencyKind::Development);
    // Ours are those with a path: a foreign crate may have the name of one of our folders.
    let imports: Vec<&str> = all().filter(|d| d.path.is_some()).map(|d| folder(d.name.as_str())).collect();
    let mut faults = Vec::new();
    for import in &imports {
        if !allowed.iter().any(|a| a == import) {
            faults.push(format!("{name} imports {import}, which the table of ARCHITECTURE.md does not allow"));
        }
    }
    let foreign = all().filter(|d| d.path.is_none() && KERNEL.contains(&name)).map(|d| d.name.as_str());
    let foreign = foreign.filter(|d| !KERNEL_MAY_IMPORT.contains(d));
    faults.extend(foreign.map(|d| format!("{name} imports {d}; the kernel may import only {KERNEL_MAY_IMPORT:?}")));
    let idle = allowed.iter().filter(|a| ours.contains(&a.as_str()) && !imports.contains(&a.as_str()));
    faults.extend(idle.map(|a| format!("ARCHITECTURE.md lets {name} import {a}, which it does not")));
    faults
}

#[cfg(test)]
mod tests {
    use super::table;

    #[test]
    fn the_table_is_read_from_the_page() {
        let page = "text\n\n| crate | may import | holds |\n| --- | --- | --- |\n| `a` |  | x |\n| `b` | a, `c` | y, z |\n\n| `d` | e | f |\n";
        let table = table(page);
        assert_eq!(table.len(), 2);
        assert!(table["a"].is_empty());
        assert_eq!(table["b"], ["a", "c"]);
    }
}
