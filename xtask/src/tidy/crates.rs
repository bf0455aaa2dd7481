//! **What:** who may import whom. The table is that of ARCHITECTURE.md; the manifests have to agree with it.

use cargo_metadata::{DependencyKind, MetadataCommand};
use std::path::Path;

/// A crate and the crates of ours it may import.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("quadrille-kernel", &[]),
    ("quadrille-topologies", &["quadrille-kernel"]),
    ("quadrille-constructions", &["quadrille-kernel", "quadrille-topologies"]),
    ("quadrille-routing", &["quadrille-kernel", "quadrille-topologies"]),
    ("quadrille-solve", &["quadrille-kernel"]),
    ("quadrille-simulate", &["quadrille-kernel", "quadrille-topologies"]),
    ("quadrille-pictures", &["quadrille-kernel"]),
    ("quadrille-design", &["quadrille-kernel"]),
    ("quadrille-formats", &["quadrille-kernel", "quadrille-pictures", "quadrille-routing", "quadrille-design"]),
    (
        "quadrille",
        &[
            "quadrille-kernel",
            "quadrille-topologies",
            "quadrille-constructions",
            "quadrille-routing",
            "quadrille-solve",
            "quadrille-simulate",
            "quadrille-design",
            "quadrille-formats",
        ],
    ),
    (
        "xtask",
        &[
            "quadrille-kernel",
            "quadrille-topologies",
            "quadrille-constructions",
            "quadrille-pictures",
            "quadrille-routing",
        ],
    ),
];

/// The only foreign crates the kernel may import.
const KERNEL_MAY_IMPORT: &[&str] = &["thiserror"];

/// Arrows that the table does not have. Tests may import more: the fellow crates below them in the house.
pub fn faults(root: &Path) -> Result<Vec<String>, cargo_metadata::Error> {
    let metadata = MetadataCommand::new().manifest_path(root.join("Cargo.toml")).no_deps().exec()?;
    let ours: Vec<&str> = metadata.packages.iter().map(|p| p.name.as_str()).collect();
    let mut faults = Vec::new();
    for package in &metadata.packages {
        let Some((_, allowed)) = MAY_IMPORT.iter().find(|(name, _)| *name == package.name.as_str()) else {
            faults.push(format!("crate {} is not in the table of imports", package.name));
            continue;
        };
        for dependency in package.dependencies.iter().filter(|d| d.kind != DependencyKind::Development) {
            let name = dependency.name.as_str();
            if ours.contains(&name) && !allowed.contains(&name) {
                faults.push(format!("{} imports {name}, which the table of imports does not allow", package.name));
            }
            if package.name == "quadrille-kernel" && !KERNEL_MAY_IMPORT.contains(&name) {
                faults.push(format!("the kernel imports {name}; it may import only {KERNEL_MAY_IMPORT:?}"));
            }
        }
    }
    faults.extend(
        MAY_IMPORT
            .iter()
            .filter(|(name, _)| !ours.contains(name))
            .map(|(name, _)| format!("crate {name} is in the table of imports, but not in the workspace")),
    );
    Ok(faults)
}
