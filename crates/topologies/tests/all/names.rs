//! Names that are nearly right.

use topologies::nearest;

#[test]
fn the_nearest_name_is_near() {
    let names = || ["torus", "mesh", "hypercube"].into_iter();
    assert_eq!(nearest("tours", names()), Some("torus"));
    assert_eq!(nearest("Hypercub", names()), Some("hypercube"));
    assert_eq!(nearest("dragonfly", names()), None);
    assert_eq!(nearest("bmda", ["sga", "umda"].into_iter()), None);
    assert_eq!(nearest("umad", ["sga", "umda"].into_iter()), Some("umda"));
}
