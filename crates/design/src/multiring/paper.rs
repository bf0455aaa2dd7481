//! **What:** what the multiring paper prints in its tables 2 to 8, and why a recomputed cell differs where it does.

/// A printed table, row by row.
pub struct Printed {
    /// Its number in the paper.
    pub number: u32,
    /// A row: k, or the degree m in table 5, and the printed numbers.
    pub rows: &'static [(u32, &'static [u64])],
}

/// Table 2: most nodes of the full multiring of base k, for σ = 1, 2, 3, k−1, k, 2(k−1), 2k, 3(k−1), 3k, σmax.
pub const TABLE_2: Printed = Printed {
    number: 2,
    rows: &[
        (4, &[28, 27, 26, 26, 24, 22, 19, 19, 17, 16]),
        (5, &[45, 44, 43, 40, 39, 34, 30, 29, 26, 25]),
        (6, &[66, 65, 64, 59, 58, 48, 46, 40, 38, 36]),
        (7, &[91, 90, 89, 82, 77, 68, 62, 55, 52, 49]),
        (8, &[120, 119, 118, 104, 103, 87, 80, 70, 68, 64]),
        (9, &[153, 152, 151, 134, 133, 108, 106, 88, 86, 81]),
        (10, &[190, 189, 188, 168, 160, 138, 129, 108, 106, 100]),
        (11, &[231, 230, 229, 198, 197, 164, 154, 131, 128, 121]),
        (12, &[276, 275, 274, 239, 238, 192, 191, 155, 152, 144]),
        (13, &[325, 324, 323, 284, 273, 232, 220, 181, 178, 169]),
    ],
};

/// Table 3: σmax of the full multiring with k² nodes.
pub const TABLE_3: Printed = Printed {
    number: 3,
    rows: &[
        (4, &[13]),
        (5, &[19]),
        (6, &[25]),
        (7, &[31]),
        (8, &[37]),
        (9, &[45]),
        (10, &[49]),
        (11, &[55]),
        (12, &[61]),
        (13, &[67]),
    ],
};

/// Table 4: as table 2 with lengths both ways, for σ = 3, k−1, k, 2(k−1), 2k, 3(k−1), 3k, σmax.
pub const TABLE_4: Printed = Printed {
    number: 4,
    rows: &[
        (5, &[45, 40, 40, 35, 32, 29, 26, 25]),
        (7, &[91, 84, 77, 70, 63, 60, 55, 49]),
        (9, &[153, 135, 135, 108, 108, 95, 91, 81]),
        (11, &[231, 198, 198, 165, 154, 138, 133, 121]),
        (13, &[325, 286, 273, 234, 221, 189, 183, 169]),
    ],
};

/// Table 5: most nodes of any circulant network of degree m and diameter 2, for σ = 1, 2, 3.
pub const TABLE_5: Printed = Printed {
    number: 5,
    rows: &[
        (4, &[13, 7, 6]),
        (6, &[21, 16, 13]),
        (8, &[35, 27, 19]),
        (10, &[51, 42, 29]),
        (12, &[67, 56, 39]),
        (14, &[90, 75, 49]),
        (16, &[112, 96, 61]),
        (18, &[135, 120, 78]),
        (20, &[163, 144, 94]),
        (22, &[189, 168, 111]),
    ],
};

/// Tables 6 and 7: nodes of the composition for σ* = 1, 2, 3 (rows) and five σ (columns).
pub const TABLE_6: Printed = Printed {
    number: 6,
    rows: &[
        (1, &[28917, 25515, 20412, 17955, 15309]),
        (2, &[25704, 22680, 18144, 15960, 13608]),
        (3, &[16983, 14985, 11988, 10545, 8991]),
    ],
};

/// See [`TABLE_6`].
pub const TABLE_7: Printed = Printed {
    number: 7,
    rows: &[
        (1, &[61425, 54054, 44226, 35721, 31941]),
        (2, &[54600, 48048, 39312, 31752, 28392]),
        (3, &[36075, 31746, 25974, 20979, 18759]),
    ],
};

/// A machine's network as the paper prints it, beside which it puts a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The table.
    pub table: u32,
    /// The machine.
    pub name: &'static str,
    /// Duplex ports of a node.
    pub ports: u32,
    /// Nodes.
    pub nodes: u64,
    /// Most hops of a walk.
    pub hops: u32,
    /// Different walks between any two nodes.
    pub parallelism: u64,
}

/// The networks that tables 6 and 7 are compared with, a dragonfly and a hierarchy of two levels of complete graphs.
pub const MACHINES: &[Machine] = &[
    Machine { table: 6, name: "Cray XC30", ports: 40, nodes: 11_616, hops: 4, parallelism: 24 },
    Machine { table: 7, name: "PERCS-P775", ports: 47, nodes: 16_384, hops: 5, parallelism: 32 },
];

/// Table 8, the extended multirings: most nodes of any circulant network of degree 2(k−1), lengths both ways, diameter 3,
/// for σ = 1, 2, 3, k−1, k, 2(k−1), 2k, 3(k−1), 3k, 4(k−1), 4k. (The heading prints k−1 twice; the second means k.)
pub const TABLE_8: Printed = Printed {
    number: 8,
    rows: &[
        (5, &[100, 88, 75, 63, 63, 48, 40, 35, 30, 30, 25]),
        (7, &[254, 245, 217, 161, 146, 104, 96, 80, 69, 63, 56]),
    ],
};

/// Table 8 also repeats the full multirings in a row of its own.
pub const TABLE_8_FULL: Printed = Printed {
    number: 8,
    rows: &[(5, &[45, 45, 45, 40, 40, 35, 32, 29, 26, 26, 24]), (7, &[91, 91, 91, 84, 77, 70, 63, 60, 55, 51, 50])],
};

/// Most paper tables give σ in terms of k.
pub fn parallelisms(table: u32, k: u64) -> Vec<u64> {
    let most = full_most(k);
    match table {
        2 => vec![1, 2, 3, k - 1, k, 2 * (k - 1), 2 * k, 3 * (k - 1), 3 * k, most],
        4 => vec![3, k - 1, k, 2 * (k - 1), 2 * k, 3 * (k - 1), 3 * k, most],
        8 => vec![1, 2, 3, k - 1, k, 2 * (k - 1), 2 * k, 3 * (k - 1), 3 * k, 4 * (k - 1), 4 * k],
        _ => vec![1, 2, 3],
    }
}

/// σmax of the full multiring of base k at least 4: computed for every k from 4 to 13, where table 3 agrees but for k = 9.
pub fn full_most(k: u64) -> u64 {
    6 * k - 11
}

/// Why a recomputed number differs from the printed one.
pub struct Difference {
    /// The table.
    pub table: u32,
    /// The row's k or m.
    pub row: u32,
    /// σ of the column.
    pub parallelism: u64,
    /// What we compute.
    pub ours: u64,
    /// Why.
    pub reason: &'static str,
}

const COLUMN_3K: &str = "this column is k²+k−1 for every k from 5 by computation; the print mixes k²+k−1 and k²+k−2";
const SLIP: &str = "one more node has as many walks, counted";

/// Every difference in tables 2, 3, 4 and the second row of table 8, and of table 5 what is smaller here.
pub const DIFFERENCES: &[Difference] = &[
    Difference {
        table: 2,
        row: 4,
        parallelism: 9,
        ours: 18,
        reason: "19 nodes have σ = 8, as the column of 2k has it",
    },
    Difference { table: 2, row: 6, parallelism: 15, ours: 41, reason: COLUMN_3K },
    Difference { table: 2, row: 8, parallelism: 21, ours: 71, reason: COLUMN_3K },
    Difference { table: 2, row: 9, parallelism: 18, ours: 107, reason: SLIP },
    Difference { table: 2, row: 9, parallelism: 24, ours: 89, reason: COLUMN_3K },
    Difference { table: 2, row: 10, parallelism: 27, ours: 109, reason: COLUMN_3K },
    Difference { table: 2, row: 13, parallelism: 24, ours: 233, reason: SLIP },
    Difference {
        table: 3,
        row: 9,
        parallelism: 0,
        ours: 43,
        reason: "6k − 11 holds for every other k; no count gives 45",
    },
    Difference {
        table: 5,
        row: 20,
        parallelism: 3,
        ours: 93,
        reason: "lengths both ways do not exist for 94: `--degree 20 --diameter 2 --parallelism 3 --symmetric --nodes 94 --exhaustive` tries all",
    },
    Difference { table: 8, row: 5, parallelism: 20, ours: 25, reason: SLIP },
    Difference { table: 8, row: 7, parallelism: 24, ours: 52, reason: SLIP },
];

/// The reason for a difference, where there is one.
pub fn difference(table: u32, row: u32, parallelism: u64) -> Option<&'static Difference> {
    DIFFERENCES.iter().find(|d| (d.table, d.row, d.parallelism) == (table, row, parallelism))
}
