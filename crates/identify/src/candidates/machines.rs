//! Machines of accelerators, by their GPUs.

use super::spec;
use crate::shape::Shape;

/// Families of machines, and how many GPUs each has.
const MACHINES: [(&str, u32); 6] =
    [("ndv2", 8), ("dgx2", 16), ("dgx-a100", 8), ("dgx-h100", 8), ("mi250x", 16), ("mi300x", 8)];

pub(super) fn specs(shape: &Shape<'_>) -> Vec<String> {
    let n = shape.terminals;
    // No path passes through a GPU.
    if shape.network.terminals().iter().any(|v| shape.network.is_transit(*v)) {
        return Vec::new();
    }
    let alike = MACHINES.iter().filter(|(_, gpus)| n.is_multiple_of(*gpus) && n / gpus <= 1024);
    let mut specs: Vec<String> = alike.map(|(family, gpus)| spec(family, &[n / gpus], "")).collect();
    if shape.nodes == n && n.is_multiple_of(64) && n <= 4096 {
        let cubes = n / 64;
        for a in (1..=cubes).filter(|a| cubes.is_multiple_of(*a)) {
            for b in (a..=cubes / a).filter(|b| (cubes / a).is_multiple_of(*b) && cubes / a / b >= *b) {
                specs.push(spec("tpu-v4", &[4 * a, 4 * b, 4 * (cubes / a / b)], "x"));
            }
        }
    }
    specs
}
