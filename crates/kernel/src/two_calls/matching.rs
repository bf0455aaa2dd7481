//! **What:** an assignment of rows to different columns whose sum is largest; a row may go without.
//!
//! **Method.** Shortest augmenting paths with potentials (the Hungarian method), one row after the other.

/// The best assignment.
pub(super) struct Matching {
    /// Its sum.
    pub value: i64,
    /// Of each row, its column.
    pub columns: Vec<Option<usize>>,
}

/// Of `gains`, none below 0, with as many in each row.
pub(super) fn matching(gains: &[Vec<i64>]) -> Matching {
    let (rows, width) = (gains.len(), gains.first().map_or(0, Vec::len));
    // One more column for each row, which gains nothing.
    let columns = width + rows;
    let cost = |row: usize, column: usize| gains[row].get(column).map_or(0, |gain| -gain);
    // Rows and columns from 1; row and column 0 stand for none.
    let (mut of_row, mut of_column) = (vec![0i64; rows + 1], vec![0i64; columns + 1]);
    let mut row_at = vec![0usize; columns + 1];
    for row in 1..=rows {
        row_at[0] = row;
        let mut at = 0;
        let (mut least, mut before) = (vec![i64::MAX; columns + 1], vec![0usize; columns + 1]);
        let mut seen = vec![false; columns + 1];
        while row_at[at] != 0 {
            seen[at] = true;
            let from = row_at[at];
            let (mut step, mut next) = (i64::MAX, 0);
            for column in (1..=columns).filter(|column| !seen[*column]) {
                let reduced = cost(from - 1, column - 1) - of_row[from] - of_column[column];
                if reduced < least[column] {
                    (least[column], before[column]) = (reduced, at);
                }
                if least[column] < step {
                    (step, next) = (least[column], column);
                }
            }
            for column in 0..=columns {
                if seen[column] {
                    of_row[row_at[column]] += step;
                    of_column[column] -= step;
                } else if column > 0 {
                    least[column] -= step;
                }
            }
            at = next;
        }
        while at != 0 {
            row_at[at] = row_at[before[at]];
            at = before[at];
        }
    }
    let mut matching = Matching { value: 0, columns: vec![None; rows] };
    for column in (1..=width).filter(|column| row_at[*column] > 0) {
        let row = row_at[column] - 1;
        if gains[row][column - 1] > 0 {
            matching.value += gains[row][column - 1];
            matching.columns[row] = Some(column - 1);
        }
    }
    matching
}
