//! **What:** mistakes of arguments in other words than those of the argument parser: texts that are no numbers, and lists with blanks.

use super::Failure;
use std::ffi::OsString;

/// What the standard library says of a text that is no number.
const NO_FLOAT: [&str; 2] = ["invalid float literal", "cannot parse float from empty string"];
const NO_WHOLE: [&str; 2] = ["invalid digit found in string", "cannot parse integer from empty string"];
const TOO_LARGE: &str = "number too large to fit in target type";

/// Flags that take several with commas between them.
const LISTS: [&str; 10] = [
    "--senders",
    "--receivers",
    "--roots",
    "--terminals",
    "--groups",
    "--counts",
    "--fail-node",
    "--fail-link",
    "--against",
    "--routing",
];

/// `invalid value '20x' for '--time <SECONDS>': invalid float literal`.
pub(super) fn no_number(message: &str) -> Option<Failure> {
    let (value, rest) = message.strip_prefix("invalid value '")?.split_once("' for '")?;
    let (argument, why) = rest.split_once("': ")?;
    let (flag, of) = argument.split_once(" <").unwrap_or((argument, ""));
    let of = of.trim_end_matches(['>', '.']);
    let is_whole = NO_WHOLE.contains(&why);
    if why == TOO_LARGE {
        return Some(Failure::input(format!("{flag}: `{value}` is too large")).hint("write a smaller number"));
    }
    if !is_whole && !NO_FLOAT.contains(&why) {
        return None;
    }
    let (what, hint) = match (of, is_whole) {
        ("SECONDS", _) => ("a number of seconds", "write a number such as 20 or 2.5, or 20s, 2m or 1h"),
        ("RATE", _) => ("a rate", "write a number such as 0.1, without a unit: flits a terminal and cycle"),
        ("CYCLES", _) => ("a whole number of cycles", "write digits only, such as 16"),
        ("BYTES", _) => ("a whole number of bytes", "write digits only, such as 64"),
        (_, true) => ("a whole number of 0 or more", "write digits only, such as 16"),
        (_, false) => ("a number", "write digits, with a point where it is no whole number, such as 2.5"),
    };
    Some(Failure::input(format!("{flag}: `{value}` is not {what}")).hint(hint))
}

/// `unexpected argument 'mem3' found`, after a flag that takes a list.
pub(super) fn list_apart(message: &str, arguments: &[OsString]) -> Option<Failure> {
    let word = message.strip_prefix("unexpected argument '")?.strip_suffix("' found")?;
    if word.starts_with('-') {
        return None;
    }
    let texts: Vec<&str> = arguments.iter().map(|argument| argument.to_str().unwrap_or_default()).collect();
    let at = texts.iter().rposition(|text| *text == word)?;
    let flag = texts[..at].iter().rposition(|text| text.starts_with('-'))?;
    let is_list = LISTS.contains(&texts[flag]) && at - flag >= 2;
    is_list.then(|| {
        let list = texts[flag + 1..=at].join(",");
        Failure::input(message).hint(format!("several have commas between them: {} {list}", texts[flag]))
    })
}
