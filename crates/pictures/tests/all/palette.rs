//! Contrasts of all colours, and how unlike they are to every sight.

use pictures::palette::{DARK, LIGHT};

type Light = [f64; 3];

/// Linear light of `#rrggbb`.
fn linear(colour: &str) -> Light {
    [1, 3, 5].map(|at| {
        let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    })
}

/// Contrast as WCAG 2 defines it.
fn contrast(a: &str, b: &str) -> f64 {
    let luminance = |c: &str| {
        let [r, g, b] = linear(c);
        0.2126 * r + 0.7152 * g + 0.0722 * b
    };
    let (x, y) = (luminance(a), luminance(b));
    (x.max(y) + 0.05) / (x.min(y) + 0.05)
}

/// What is seen without the cones for long, middle and short waves (Machado, Oliveira and Fernandes, 2009), and with all.
const SIGHTS: [[[f64; 3]; 3]; 4] = [
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
];

/// A place in CIELAB, where distances are like differences that are seen.
fn seen(sight: &[[f64; 3]; 3], colour: &str) -> Light {
    let light = linear(colour);
    let of = |row: &[f64; 3], v: &Light| row.iter().zip(v).map(|(a, b)| a * b).sum::<f64>();
    let [r, g, b] = sight.each_ref().map(|row| of(row, &light).clamp(0.0, 1.0));
    let x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047;
    let y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    let z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883;
    let [x, y, z] = [x, y, z].map(|t| if t > 0.008856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

#[test]
fn every_colour_stands_out_from_its_ground() {
    for theme in [&LIGHT, &DARK] {
        for colour in theme.transfers.iter().chain([&theme.idle]) {
            let found = contrast(colour, theme.ground);
            assert!(found >= 3.0, "{colour} on {}: {found:.2}", theme.ground);
        }
        for letters in [theme.ink, theme.faint] {
            assert!(contrast(letters, theme.ground) >= 4.5, "{letters} on {}", theme.ground);
        }
        assert!(contrast(theme.ink, theme.switch) >= 4.5, "labels of switches on {}", theme.ground);
        for gene in theme.genes {
            assert!(contrast(theme.ink, gene) >= 4.5, "letters on {gene}");
        }
    }
}

#[test]
fn colours_of_transfers_are_told_apart_by_any_sight() {
    for theme in [&LIGHT, &DARK] {
        for (at, a) in theme.transfers.iter().enumerate() {
            for b in &theme.transfers[at + 1..] {
                for sight in &SIGHTS {
                    let apart = seen(sight, a).iter().zip(seen(sight, b)).map(|(x, y)| (x - y).powi(2)).sum::<f64>();
                    // Ten is a difference that is seen at a glance.
                    assert!(apart.sqrt() >= 20.0, "{a} and {b}: {:.1}", apart.sqrt());
                }
            }
        }
    }
}

#[test]
fn the_page_has_the_same_grounds_and_its_marks_stand_out() {
    let style = include_str!("../../assets/player.css");
    let rules: Vec<&str> = style.split('}').filter(|rule| rule.contains("--scheme")).collect();
    assert_eq!(rules.len(), 3, "one light and two dark");
    for rule in rules {
        let theme = if rule.contains("--scheme: dark") { &DARK } else { &LIGHT };
        let value = |name: &str| {
            let after = rule.split_once(&format!("--{name}:")).unwrap_or_else(|| panic!("no --{name}")).1;
            after.split(';').next().unwrap().trim()
        };
        assert_eq!(value("ground"), theme.ground);
        for mark in ["idle", "accent", "cut", "good", "focus"] {
            let found = contrast(value(mark), theme.ground);
            assert!(found >= 3.0, "--{mark} on {}: {found:.2}", theme.ground);
        }
        for letters in ["ink", "faint"] {
            assert!(contrast(value(letters), theme.ground) >= 4.5, "--{letters} on {}", theme.ground);
        }
    }
}
