//! Sizes of messages, as they are typed and shown.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use console::render::short;
use console::sizes::{messages, shown, sizes};
use kernel::Rational;

fn texts(text: &str, points: Option<u32>) -> Vec<String> {
    sizes(text, points).unwrap().into_iter().map(shown).collect()
}

#[test]
fn sizes_are_ranges_and_lists() {
    assert_eq!(texts("1K..1M", None), ["1K", "4K", "16K", "64K", "256K", "1M"]);
    assert_eq!(texts("1Ki..1Mi", None), ["1Ki", "4Ki", "16Ki", "64Ki", "256Ki", "1Mi"]);
    assert_eq!(texts("1K..1G", Some(7)), ["1K", "10K", "100K", "1M", "10M", "100M", "1G"]);
    assert_eq!(texts("1M,1K,64Ki", None), ["1K", "64Ki", "1M"]);
    assert_eq!(texts("5K..5K", None), ["5K"]);
    assert_eq!(texts("1..3", Some(9)), ["1", "2", "3"]);
    assert_eq!(sizes("0.5..1", None).unwrap(), [Rational::new(1, 2), Rational::whole(1)]);
    for wrong in ["", "..", "1K..", "..1K", "1M..1K", "0..1K", "1K,,2K", "1K..2K..3K", "-1..2"] {
        assert!(sizes(wrong, None).is_err(), "{wrong}");
    }
    for wrong in [0, 1, 1001] {
        assert!(sizes("1K..1M", Some(wrong)).is_err(), "{wrong}");
    }
    assert!(sizes("1K,2K", Some(3)).is_err());
}

#[test]
fn sizes_of_messages() {
    assert_eq!(messages("1..5").unwrap(), [1, 2, 4, 5]);
    assert_eq!(messages("4K,1").unwrap(), [1, 4096]);
    assert_eq!(messages("7..7").unwrap(), [7]);
    assert_eq!(messages("1..1M").unwrap().len(), 21);
    for wrong in ["", "0", "1..", "..3", "-1", "1..2..3", "1K2", "K", "5..1", "9999999999G", "1.5"] {
        assert!(messages(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn times_have_six_digits() {
    let shown = [0.0, 0.5, 12.0, 123.456_78, 1_234_567.0, 1e-7].map(short);
    assert_eq!(shown, ["0", "0.5", "12", "123.457", "1234567", "1.00000e-7"]);
}
