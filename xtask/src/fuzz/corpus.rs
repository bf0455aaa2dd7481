//! **What:** the files of `fixtures/corpus`, as they are and mutated.

use super::{Case, Kind, lines, schedules, texts, values};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;
use serde_json::Value;
use std::path::Path;

/// A file, with the files that it names.
#[derive(Debug)]
struct Entry {
    name: String,
    bytes: Vec<u8>,
    /// What it says, where that is JSON.
    document: Option<Value>,
    beside: Vec<(String, Vec<u8>)>,
}

/// All files by kind, in the order of their names.
#[derive(Debug)]
pub(super) struct Corpus {
    schedules: Vec<Entry>,
    networks: Vec<Entry>,
    /// Schedules in time, which the second checker does not know.
    timed: Vec<Entry>,
    /// Schedules in binary form, which it does not know either.
    binary: Vec<Entry>,
    /// Command lines that are right.
    lines: Vec<Vec<String>>,
    /// Every field `bound` of a schedule.
    bounds: Vec<Value>,
}

/// What is done with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verb {
    /// `check`, and the second checker.
    CheckTwice,
    Check,
    Network,
}

impl Corpus {
    pub(super) fn read(folder: &Path) -> Result<Self, String> {
        let schedules = entries(&folder.join("schedules"))?;
        let networks = entries(&folder.join("networks"))?;
        let timed = entries(&folder.join("timed"))?;
        let binary = entries(&folder.join("binary"))?;
        let lines = folder.join("lines.txt");
        let lines = std::fs::read_to_string(&lines).map_err(|e| format!("{}: {e}", lines.display()))?;
        let words = |line: &str| line.split(' ').map(str::to_owned).collect();
        let lines: Vec<_> = lines.lines().filter(|l| !l.is_empty()).map(words).collect();
        let bounds = schedules.iter().filter_map(|e: &Entry| e.document.as_ref()?.get("bound").cloned()).collect();
        let corpus = Corpus { schedules, networks, timed, binary, lines, bounds };
        let kinds = [Kind::Schedule, Kind::Proof, Kind::Orbits, Kind::Network, Kind::Timed, Kind::Binary];
        let all = kinds.map(|kind| corpus.of(kind).len());
        if all.contains(&0) || corpus.lines.is_empty() {
            return Err(format!("{}: a kind of file is missing", folder.display()));
        }
        Ok(corpus)
    }

    /// The cases that the files themselves are. How the name of a file begins says which status is right.
    pub(super) fn unmutated(&self) -> Vec<Case> {
        let statuses = [("holds-", 0), ("reads-", 0), ("false-", 1), ("unreadable-", 2)];
        let status = |name: &str| statuses.iter().find(|(word, _)| name.starts_with(word)).map(|(_, status)| *status);
        let all = [
            (&self.schedules, Verb::CheckTwice),
            (&self.networks, Verb::Network),
            (&self.timed, Verb::Check),
            (&self.binary, Verb::Check),
        ];
        let all = all.into_iter().flat_map(|(entries, verb)| entries.iter().map(move |entry| (entry, verb)));
        all.map(|(entry, verb)| Case {
            expected: status(&entry.name),
            name: entry.name.clone(),
            ..case(Kind::Corpus, entry, entry.name.clone(), entry.bytes.clone(), verb)
        })
        .collect()
    }

    /// The files that are mutated for a kind.
    fn of(&self, kind: Kind) -> Vec<&Entry> {
        let is_orbits = |e: &Entry| e.document.as_ref().is_some_and(|d| d.get("generators").is_some());
        let all = match kind {
            Kind::Network => &self.networks,
            Kind::Timed => &self.timed,
            Kind::Binary => &self.binary,
            _ => &self.schedules,
        };
        let wanted = |e: &&Entry| match kind {
            Kind::Proof => !e.beside.is_empty(),
            Kind::Orbits => is_orbits(e),
            _ => true,
        };
        all.iter().filter(wanted).collect()
    }

    /// A file drawn and mutated.
    pub(super) fn mutated(&self, number: u64, random: &mut Pcg64Mcg) -> Case {
        let kind = match random.random_range(0..100) {
            0..38 => Kind::Schedule,
            38..44 => Kind::Binary,
            44..50 => Kind::Timed,
            50..60 => Kind::Proof,
            60..72 => Kind::Orbits,
            72..80 => Kind::Gzip,
            80..95 => Kind::Network,
            _ => Kind::Line,
        };
        let case = match kind {
            Kind::Line => self.line(random),
            Kind::Network => self.network(random),
            _ => self.schedule(kind, random),
        };
        Case { name: format!("case {number}"), ..case }
    }

    fn schedule(&self, kind: Kind, random: &mut Pcg64Mcg) -> Case {
        let all = self.of(kind);
        let entry = all[random.random_range(0..all.len())];
        // What goes with a file or is around it is mutated more often than the file.
        let spared = match kind {
            Kind::Proof => 0.8,
            Kind::Gzip => 0.6,
            _ => 0.0,
        };
        let times = if random.random_bool(spared) { 0 } else { times(random) };
        let text = match &entry.document {
            Some(document) if random.random_bool(0.9) => {
                let mut document = document.clone();
                for _ in 0..times {
                    match kind {
                        Kind::Orbits if random.random_bool(0.5) => schedules::mutate_orbits(&mut document, random),
                        _ if random.random_bool(0.8) => schedules::mutate(&mut document, &self.bounds, random),
                        _ => values::mutate(&mut document, random),
                    }
                }
                values::text(&document)
            }
            _ => {
                let mut bytes = texts::unpacked(&entry.name, &entry.bytes);
                (0..times).for_each(|_| texts::mutate(&mut bytes, random));
                bytes
            }
        };
        let mut case = match kind {
            Kind::Gzip => case(kind, entry, "x.json.gz".into(), texts::packed(&text, random), Verb::CheckTwice),
            Kind::Timed => case(kind, entry, "x.json".into(), text, Verb::Check),
            Kind::Binary => case(kind, entry, "x.qdr".into(), texts::sealed(text, random), Verb::Check),
            _ => case(kind, entry, "x.json".into(), text, Verb::CheckTwice),
        };
        if kind == Kind::Proof {
            texts::mutate_beside(&mut case.files, random);
        }
        case
    }

    fn network(&self, random: &mut Pcg64Mcg) -> Case {
        let entry = &self.networks[random.random_range(0..self.networks.len())];
        let times = times(random);
        let text = match &entry.document {
            Some(document) if random.random_bool(0.8) => {
                let mut document = document.clone();
                (0..times).for_each(|_| values::mutate(&mut document, random));
                values::text(&document)
            }
            _ => {
                let mut bytes = entry.bytes.clone();
                (0..times).for_each(|_| texts::mutate(&mut bytes, random));
                bytes
            }
        };
        case(Kind::Network, entry, format!("x.{}", ending(&entry.name)), text, Verb::Network)
    }

    fn line(&self, random: &mut Pcg64Mcg) -> Case {
        let words = lines::mutated(&self.lines, random);
        let mut files = Vec::new();
        for (entries, name) in [(&self.schedules, "s.json"), (&self.networks, "n.graphml")] {
            let is_good = |e: &&Entry| !(e.name.starts_with("false") || e.name.starts_with("unreadable"));
            let alone = entries.iter().filter(is_good).filter(|e| e.beside.is_empty());
            let like: Vec<_> = alone.filter(|e| ending(&e.name) == ending(name)).collect();
            files.extend(like.choose(random).map(|entry| (name.to_owned(), entry.bytes.clone())));
        }
        Case { kind: Kind::Line, name: String::new(), files, words, schedule: false, expected: None }
    }
}

/// How many mutations a case has: 1 to 4, mostly few, since few files are still readable after many.
fn times(random: &mut Pcg64Mcg) -> usize {
    random.random_range(1..=4).min(random.random_range(1..=4))
}

/// The case of a file under a name, and of those it names.
fn case(kind: Kind, entry: &Entry, name: String, bytes: Vec<u8>, verb: Verb) -> Case {
    let schedule = verb == Verb::CheckTwice;
    let verb = if verb == Verb::Network { "network" } else { "check" };
    let words = vec![verb.to_owned(), name.clone(), "--json".into()];
    let files = std::iter::once((name, bytes)).chain(entry.beside.iter().cloned()).collect();
    Case { kind, name: String::new(), files, words, schedule, expected: None }
}

/// What stands behind the last point of a name.
fn ending(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// All files of a folder but formulas and proofs, which go with the file that names them.
fn entries(folder: &Path) -> Result<Vec<Entry>, String> {
    let wrong = |e: std::io::Error| format!("{}: {e}", folder.display());
    let listed = std::fs::read_dir(folder).map_err(wrong)?;
    let names = listed.map(|e| e.map(|e| e.file_name().to_string_lossy().into_owned()));
    let mut names = names.collect::<Result<Vec<_>, _>>().map_err(wrong)?;
    names.sort();
    let mut found = Vec::new();
    for name in names {
        let plain = name.strip_suffix(".gz").unwrap_or(&name);
        if ["cnf", "lrat", "drat"].contains(&ending(plain)) {
            continue;
        }
        let bytes = std::fs::read(folder.join(&name)).map_err(wrong)?;
        let document: Option<Value> = serde_json::from_slice(&texts::unpacked(&name, &bytes)).ok();
        let certificate = document.as_ref().and_then(|d| d.pointer("/bound/certificate"));
        let named =
            ["formula", "proof"].map(|field| certificate.and_then(|c| c.get(field)?.as_str()).map(str::to_owned));
        let mut beside = Vec::new();
        for other in named.into_iter().flatten().filter(|other| !other.contains('/')) {
            // A file may be there to show that one it names is missing.
            if let Ok(bytes) = std::fs::read(folder.join(&other)) {
                beside.push((other, bytes));
            }
        }
        found.push(Entry { name, bytes, document, beside });
    }
    Ok(found)
}
