//! Matrices and vectors: what is written is read again, in both formats, and what is wrong has its place.

use formats::Array;
use proptest::prelude::*;
use std::path::PathBuf;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn refused(name: &str, bytes: &[u8]) -> String {
    let folder = folder();
    let path: PathBuf = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    let error = Array::read(&path).unwrap_err().to_string();
    error.replace(&folder.path().display().to_string(), "")
}

/// An array as NumPy writes it: a header of text behind ten bytes.
fn numpy(header: &str, data: &[u8]) -> Vec<u8> {
    let text = format!("{header:<117}\n");
    [b"\x93NUMPY\x01\x00".as_slice(), &118u16.to_le_bytes(), text.as_bytes(), data].concat()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn what_is_written_is_read_again(
        rows in 1usize..6,
        columns in 1usize..6,
        complex: bool,
        numbers in proptest::collection::vec(-1e300f64..1e300, 72),
    ) {
        let count = rows * columns;
        let real = numbers[..count].to_vec();
        let array = Array { rows, columns, real, imaginary: complex.then(|| numbers[count..2 * count].to_vec()) };
        let folder = folder();
        for name in ["a.csv", "a.npy", "a.csv.gz", "a.npy.gz"] {
            let path = folder.path().join(name);
            array.write(&path).unwrap();
            prop_assert_eq!(&Array::read(&path).unwrap(), &array, "{}", name);
        }
    }
}

#[test]
fn arrays_of_numpy_are_read() {
    let folder = folder();
    let path = folder.path().join("a.npy");
    let read = |header: &str, data: &[u8]| {
        std::fs::write(&path, numpy(header, data)).unwrap();
        Array::read(&path).unwrap()
    };
    let whole =
        read("{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }", &[1, 0, 2, 0, 3, 0, 4, 0, 255, 255, 6, 0]);
    assert_eq!((whole.rows, whole.columns, whole.real), (2, 3, vec![1.0, 3.0, -1.0, 2.0, 4.0, 6.0]));
    let vector = read("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", &1.5f32.to_be_bytes());
    assert_eq!((vector.rows, vector.columns, vector.real), (1, 1, vec![1.5]));
}

#[test]
fn what_is_wrong_has_its_place() {
    assert_eq!(
        refused("a.csv", b"# of numbers\n1,2\n3,x\n"),
        "/a.csv:3:1: number 2 of the row: is no finite number, such as 0.25, -3e4 or 1.5-2j (found `x`)"
    );
    assert_eq!(refused("a.csv", b"1,2\n3\n"), "/a.csv:2:1: a row of 1 numbers, where the rows before it have 2");
    assert!(refused("a.csv", b"1,nan\n").contains("(found `nan`)"));
    assert!(refused("a.csv", b"\xff\xfe\n").contains("is no text"));
    assert!(refused("a.csv", b"# nothing\n").contains("holds no number"));
    assert!(refused("a.txt", b"1").contains("known endings: .csv, .npy"));
    assert!(refused("a.npy", b"1,2").contains("is no array of NumPy"));
    let one = 1f64.to_le_bytes();
    for (header, why) in [
        ("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1, 1), }", "has 3 dimensions"),
        (
            "{'descr': '<f8', 'fortran_order': False, 'shape': (4000000000, 4000000000), }",
            "more numbers than it has bytes",
        ),
        ("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1), }", "its numbers cannot be read"),
        ("{'descr': '|S8', 'fortran_order': False, 'shape': (1,), }", "their type is `|S8`"),
        ("{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (1,), }", "has records"),
    ] {
        let error = refused("a.npy", &numpy(header, &one));
        assert!(error.contains(why), "{error}");
    }
    let infinite = numpy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", &f64::INFINITY.to_le_bytes());
    assert!(refused("a.npy", &infinite).contains("row 0, column 0 is not a finite number"));
}
