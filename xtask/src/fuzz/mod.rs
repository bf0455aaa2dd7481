//! **What:** mutated files and command lines, given to `quadrille` and, where they are schedule files, to `fixtures/check.py`.
//!
//! Every case is made from the seed and its own number alone, whatever the threads and the machine. A finding is a panic, a
//! signal, memory or time beyond a limit, an error that is no error and hint of bounded length, and another verdict than that of
//! the second checker. Its files are kept in `target/fuzz`.

mod certificates;
mod corpus;
mod judge;
mod lines;
mod schedules;
mod texts;
mod values;

use corpus::Corpus;
use judge::{Judge, Verdict};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Cases that one process of the second checker is given together.
const BATCH: u64 = 24;

/// What is asked for.
#[derive(Debug)]
pub(crate) struct Settings {
    seconds: f64,
    seed: u64,
    threads: usize,
    /// The one case to be tried again.
    case: Option<u64>,
    /// A program that is built already.
    program: Option<String>,
}

impl Settings {
    /// From words `SECONDS [--seed N] [--threads N] [--case N] [--program PATH]`.
    pub(crate) fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let usage = "usage: cargo xtask fuzz SECONDS [--seed N] [--threads N] [--case N] [--program PATH]";
        let seconds = words.next().and_then(|w| w.parse().ok()).filter(|s: &f64| *s >= 0.0).ok_or(usage)?;
        let mut settings = Settings { seconds, seed: 1, threads: 2, case: None, program: None };
        while let Some(flag) = words.next() {
            let value = words.next().ok_or(usage)?;
            let number = || value.parse::<u64>().map_err(|_| format!("{flag} cannot be {value}; {usage}"));
            match flag.as_str() {
                "--seed" => settings.seed = number()?,
                "--threads" => settings.threads = usize::try_from(number()?.clamp(1, 64)).unwrap_or(1),
                "--case" => settings.case = Some(number()?),
                "--program" => settings.program = Some(value),
                _ => return Err(usage.into()),
            }
        }
        Ok(settings)
    }
}

/// Of what a case is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Corpus,
    Schedule,
    Proof,
    Orbits,
    Gzip,
    Binary,
    Timed,
    Network,
    Line,
}

/// Files for a folder of their own, and the words after `quadrille`, called there.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    kind: Kind,
    /// What it is called in messages: the number of its case, or the name of the file of the corpus.
    name: String,
    files: Vec<(String, Vec<u8>)>,
    words: Vec<String>,
    /// Whether the first file is a schedule file that the second checker reads, too.
    schedule: bool,
    /// The exit status that is known to be right.
    expected: Option<i32>,
}

/// What was found, over all threads.
#[derive(Default)]
struct Totals {
    /// Of each kind: accepted, false, unreadable, and others.
    cases: BTreeMap<Kind, [u64; 4]>,
    compared: u64,
    findings: u64,
    told: Option<Instant>,
}

impl Totals {
    fn add(&mut self, case: &Case, verdict: &Verdict) {
        let counts = self.cases.entry(case.kind).or_default();
        counts[verdict.status.and_then(|s| usize::try_from(s).ok()).filter(|s| *s < 3).unwrap_or(3)] += 1;
        self.compared += u64::from(verdict.compared);
        self.findings += u64::from(!verdict.faults.is_empty());
    }

    fn count(&self) -> u64 {
        self.cases.values().flatten().sum()
    }

    fn line(&self, begun: Instant) -> String {
        let rate = self.count() as f64 / begun.elapsed().as_secs_f64();
        format!("{} cases, {} findings, {rate:.0} cases a second", self.count(), self.findings)
    }
}

/// Tries the corpus as it is, then mutates it as long as there is time; the number of findings.
pub(crate) fn run(root: &Path, settings: Settings) -> Result<u64, String> {
    let target = crate::target_folder(root)?;
    let program = match &settings.program {
        Some(program) => std::path::absolute(program).map_err(|e| format!("{program}: {e}"))?,
        None => {
            let mut build = Command::new(env!("CARGO"));
            build.args(["build", "--quiet", "--package", "quadrille-cli"]).current_dir(root);
            match build.status() {
                Ok(status) if status.success() => target.join("debug").join("quadrille"),
                status => return Err(format!("the program cannot be built: {status:?}")),
            }
        }
    };
    let corpus = Corpus::read(&root.join("fixtures").join("corpus"))?;
    let judge = Judge::new(root, program, target.join("fuzz"), &settings)?;
    let begun = Instant::now();
    let totals = Mutex::new(Totals::default());
    let time = Duration::from_secs_f64(settings.seconds);
    // The time begins with the first mutated case.
    let until = OnceLock::new();
    if let Some(number) = settings.case {
        judged(&judge, &[mutated(&corpus, settings.seed, number)], &totals, begun)?;
    } else {
        let known = corpus.unmutated();
        let next = AtomicU64::new(0);
        let work = || -> Result<(), String> {
            let whole = known.len().div_ceil(BATCH as usize) as u64;
            loop {
                let batch = next.fetch_add(1, Ordering::Relaxed);
                if let Some(cases) = known.chunks(BATCH as usize).nth(usize::try_from(batch).unwrap_or(usize::MAX)) {
                    judged(&judge, cases, &totals, begun)?;
                } else if Instant::now() < *until.get_or_init(|| Instant::now() + time) {
                    let numbers = (batch - whole) * BATCH..(batch - whole + 1) * BATCH;
                    let cases: Vec<Case> = numbers.map(|n| mutated(&corpus, settings.seed, n)).collect();
                    judged(&judge, &cases, &totals, begun)?;
                } else {
                    return Ok(());
                }
            }
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..settings.threads).map(|_| scope.spawn(work)).collect();
            threads.into_iter().try_for_each(|t| t.join().unwrap_or_else(|_| Err("a thread failed".into())))
        })?;
    }
    let totals = totals.into_inner().map_err(|e| e.to_string())?;
    println!("{:<10} {:>9} {:>9} {:>10} {:>9}", "kind", "accepted", "false", "unreadable", "other");
    for (kind, [accepted, wrong, unreadable, other]) in &totals.cases {
        println!("{:<10} {accepted:>9} {wrong:>9} {unreadable:>10} {other:>9}", format!("{kind:?}").to_lowercase());
    }
    println!("{}; {} compared with the second checker", totals.line(begun), totals.compared);
    Ok(totals.findings)
}

/// The case of a number.
fn mutated(corpus: &Corpus, seed: u64, number: u64) -> Case {
    // An odd factor with mixed bits keeps cases of neighbouring seeds apart.
    let mut random = Pcg64Mcg::seed_from_u64(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number));
    corpus.mutated(number, &mut random)
}

/// Judges some cases, tells what was found, and counts.
fn judged(judge: &Judge, cases: &[Case], totals: &Mutex<Totals>, begun: Instant) -> Result<(), String> {
    let verdicts = judge.all(cases)?;
    let mut totals = totals.lock().map_err(|e| e.to_string())?;
    for (case, verdict) in cases.iter().zip(&verdicts) {
        totals.add(case, verdict);
        for fault in &verdict.faults {
            println!("finding: {} ({:?}): {fault}", case.name, case.kind);
        }
    }
    let now = Instant::now();
    if std::io::stderr().is_terminal() && totals.told.is_none_or(|told| now - told > Duration::from_secs(3)) {
        totals.told = Some(now);
        eprintln!("{}", totals.line(begun));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_same_seed_makes_the_same_cases() {
        let corpus = Corpus::read(&crate::root().join("fixtures").join("corpus")).unwrap();
        assert!(corpus.unmutated().iter().all(|case| case.expected.is_some()));
        let mut kinds = std::collections::BTreeSet::new();
        for number in 0..200 {
            let (one, other) = (mutated(&corpus, 7, number), mutated(&corpus, 7, number));
            assert_eq!((&one.files, &one.words), (&other.files, &other.words));
            kinds.insert(one.kind);
        }
        assert_eq!(kinds.len(), 8, "{kinds:?}");
        assert_ne!(mutated(&corpus, 7, 0).files, mutated(&corpus, 8, 0).files);
    }

    #[test]
    fn texts_say_what_no_document_can() {
        let document = json!({"a": values::raw("-0"), "~~a~~": [1], "b": "@"});
        assert_eq!(values::text(&document), br#"{"a":-0,"b":"@","a":[1]}"#);
    }

    #[test]
    fn settings_are_read() {
        let parse = |line: &str| Settings::parse(line.split_whitespace().map(str::to_owned));
        assert!(parse("1.5 --seed 3 --threads 4 --case 12").is_ok_and(|s| (s.seed, s.case) == (3, Some(12))));
        for line in ["", "-1", "x", "1 --seed", "1 --seed x", "1 --other 2"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
