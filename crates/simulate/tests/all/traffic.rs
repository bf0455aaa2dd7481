//! Patterns are those of the textbook; matrices, hot spots and lengths are heeded; what makes no sense is refused.

use kernel::Node;
use simulate::{HotSpot, Load, LoadError, PATTERNS, Packet, Pattern, Shape, Source, Synthetic};

/// So many packets of a pattern on `mesh:4x4`.
fn packets(pattern: Pattern, load: &Load, cycles: u64) -> Vec<Packet> {
    let network = topologies::parse("mesh:4x4").unwrap();
    let mut traffic = Synthetic::new(&network, pattern, load, 1, 7).unwrap();
    let mut packets = Vec::new();
    for now in 0..cycles {
        if traffic.next(now).is_some_and(|next| next <= now) {
            traffic.inject(now, &mut packets);
        }
    }
    packets
}

fn load(rate: f64) -> Load {
    Load { rate, lengths: vec![1], burst: None }
}

fn shape(spec: &str) -> Shape {
    Shape::of(&topologies::parse(spec).unwrap(), 1)
}

#[test]
fn patterns_are_those_of_the_textbook() {
    // Where node 6 of 16, in row 1 and column 2, sends to.
    let known = [
        ("transpose", 9),
        ("bit-complement", 9),
        ("bit-reverse", 6),
        ("shuffle", 12),
        ("tornado", 11),
        ("neighbour", 11),
    ];
    for (name, to) in known {
        let sent = packets(Pattern::named(name, &shape("mesh:4x4")).unwrap(), &load(0.5), 200);
        let own: Vec<Node> = sent.iter().filter(|p| p.source == Node(6)).map(|p| p.destination).collect();
        assert!(own.len() > 50 && own.iter().all(|node| *node == Node(to)), "{name} {own:?}");
    }
}

#[test]
fn every_pattern_of_one_goal_is_a_permutation() {
    for entry in PATTERNS.iter().filter(|entry| entry.name != "uniform") {
        let sent = packets(Pattern::named(entry.name, &shape("mesh:4x4")).unwrap(), &load(1.0), 1);
        let mut goals: Vec<u32> = sent.iter().map(|packet| packet.destination.0).collect();
        goals.sort_unstable();
        assert_eq!(goals, (0..16).collect::<Vec<_>>(), "{}", entry.name);
    }
}

#[test]
fn coordinates_are_those_of_the_name() {
    // A torus of sides 4 is a hypercube as well, on which a tornado would stand still.
    assert_eq!(shape("torus:4x4").sizes, [4, 4]);
    assert_eq!(shape("mesh:3x5").sizes, [3, 5]);
    assert_eq!(shape("petersen").sizes, [10]);
}

#[test]
fn rates_hot_spots_and_lengths_are_heeded() {
    let mixed = Load { rate: 0.6, lengths: vec![1, 5], burst: None };
    let hot = Pattern::hot(vec![HotSpot { terminal: 3, share: 0.4 }], 16).unwrap();
    let sent = packets(hot, &mixed, 20_000);
    let flits: u32 = sent.iter().map(|packet| packet.flits).sum();
    assert!((f64::from(flits) / (16.0 * 20_000.0) - 0.6).abs() < 0.01);
    let long = sent.iter().filter(|packet| packet.flits == 5).count() as f64 / sent.len() as f64;
    assert!((long - 0.5).abs() < 0.01, "{long}");
    let hit = sent.iter().filter(|packet| packet.destination == Node(3)).count() as f64 / sent.len() as f64;
    assert!((hit - (0.4 + 0.6 / 16.0)).abs() < 0.01, "{hit}");
}

#[test]
fn a_matrix_says_who_sends_how_much_to_whom() {
    let mut rows = vec![vec![0.0; 16]; 16];
    rows[0][1] = 3.0;
    rows[0][2] = 1.0;
    rows[9][4] = 1.0;
    let sent = packets(Pattern::weighted(&rows, 16).unwrap(), &load(0.8), 20_000);
    let count =
        |from: u32, to: u32| sent.iter().filter(|p| p.source == Node(from) && p.destination == Node(to)).count();
    assert_eq!(sent.len(), count(0, 1) + count(0, 2) + count(9, 4));
    for (found, wanted) in [(count(0, 1), 0.6), (count(0, 2), 0.2), (count(9, 4), 0.2)] {
        let found = found as f64 / 20_000.0;
        assert!((found - wanted).abs() < 0.02, "{found} {wanted}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refused = |name: &str, spec: &str| Pattern::named(name, &shape(spec)).err().unwrap();
    assert_eq!(refused("tranpose", "mesh:4x4").to_string(), "there is no traffic pattern `tranpose`");
    let error = refused("transpose", "mesh:3x4");
    assert_eq!(
        error.to_string(),
        "the traffic pattern `transpose` needs a square number of terminals, but there are 12 terminals"
    );
    assert!(error.hint().contains("bit-complement"));
    assert!(refused("shuffle", "mesh:3x3").to_string().contains("needs a power of two terminals"));
    let hot = |terminal, share| Pattern::hot(vec![HotSpot { terminal, share }], 16).err().unwrap().to_string();
    assert_eq!(hot(16, 0.5), "hot spot 16 is not a terminal: terminals are 0 to 15");
    assert!(hot(1, 1.5).contains("must be from 0 to 1") && hot(1, f64::NAN).contains("must be from 0 to 1"));
    let matrix = |rows: &[Vec<f64>]| Pattern::weighted(rows, 2).err().unwrap().to_string();
    assert_eq!(matrix(&[vec![1.0, 0.0]]), "the matrix has 1 rows for 2 terminals");
    assert_eq!(matrix(&[vec![1.0, 0.0], vec![1.0]]), "row 2 of the matrix has 1 numbers for 2 terminals");
    assert_eq!(
        matrix(&[vec![1.0, -1.0], vec![1.0, 0.0]]),
        "row 1, column 2 of the matrix is not a number of at least 0"
    );
    assert_eq!(matrix(&[vec![0.0, 0.0], vec![0.0, 0.0]]), "the matrix says that nothing is sent");
    let mesh = topologies::parse("mesh:2x2").unwrap();
    let traffic = |load: Load| {
        let pattern = Pattern::named("uniform", &Shape::of(&mesh, 1)).unwrap();
        Synthetic::new(&mesh, pattern, &load, 1, 1).err().unwrap()
    };
    assert_eq!(traffic(Load { lengths: vec![], ..load(0.5) }), LoadError::Lengths);
    assert_eq!(traffic(Load { burst: Some(0.5), ..load(0.5) }), LoadError::Burst { length: 0.5 });
    assert_eq!(traffic(Load { burst: Some(9.0), ..load(1.0) }), LoadError::Full);
}
