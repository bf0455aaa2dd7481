//! **What:** runs both programs on cases, under limits, and says what is wrong with what they do.

use super::{Case, Kind, Settings, lines};
use serde_json::Value;
use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Sets limits and becomes the program that follows: kilobytes of memory, seconds of processor time, blocks of files.
const LIMITED: &str = r#"ulimit -c 0; ulimit -v "$1"; ulimit -t "$2"; ulimit -f "$3"; shift 3; exec "$@""#;

/// Kilobytes that the program may have.
const MEMORY: &str = "1000000";
/// Seconds of processor time that it may take for a file, and for a command line.
const SECONDS: &str = "10";
const SECONDS_LINE: &str = "4";
/// The same for a batch of files with the second checker.
const MEMORY_SECOND: &str = "4000000";
const SECONDS_SECOND: &str = "60";
/// Blocks of 512 bytes (1024 of some shells) that any file it writes may have.
const BLOCKS: &str = "100000";
/// Seconds after which a program is ended that uses no processor.
const PATIENCE: u64 = 120;
/// The signals of a process that took more processor time: the first warning, which is not heeded, and the end.
const ENDED: [Option<i32>; 2] = [Some(24), Some(9)];
/// Most bytes of what is said on stderr.
const LONGEST: usize = 4000;

/// What became of a case.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    pub status: Option<i32>,
    pub compared: bool,
    pub faults: Vec<String>,
}

pub(super) struct Judge {
    program: PathBuf,
    second: PathBuf,
    kept: PathBuf,
    seed: u64,
    /// Whether the files of all cases are kept, also of those without a fault.
    all: bool,
}

/// What a process did.
struct Done {
    status: ExitStatus,
    out: String,
    err: String,
}

impl Judge {
    pub(super) fn new(root: &Path, program: PathBuf, kept: PathBuf, settings: &Settings) -> Result<Self, String> {
        if !program.is_file() {
            return Err(format!("{}: no such program", program.display()));
        }
        let second = root.join("fixtures").join("check.py");
        Ok(Judge { program, second, kept, seed: settings.seed, all: settings.case.is_some() })
    }

    /// A verdict a case; the second checker reads all their schedule files in one process.
    pub(super) fn all(&self, cases: &[Case]) -> Result<Vec<Verdict>, String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let folders: Vec<PathBuf> = (0..cases.len()).map(|at| folder.path().join(at.to_string())).collect();
        let mut verdicts = Vec::new();
        let mut said = Vec::new();
        for (case, folder) in cases.iter().zip(&folders) {
            std::fs::create_dir(folder).map_err(|e| e.to_string())?;
            for (name, bytes) in &case.files {
                std::fs::write(folder.join(name), bytes).map_err(|e| format!("{name}: {e}"))?;
            }
            let seconds = if case.kind == Kind::Line { SECONDS_LINE } else { SECONDS };
            let done = self.limited(&self.program, &case.words, folder, (MEMORY, seconds))?;
            verdicts.push(looked_at(case, &done));
            said.push(done);
        }
        let read: Vec<usize> = (0..cases.len()).filter(|at| cases[*at].schedule).collect();
        let paths: Vec<PathBuf> = read.iter().map(|at| folders[*at].join(&cases[*at].files[0].0)).collect();
        for (at, line) in read.into_iter().zip(self.second(&paths, folder.path())?) {
            compare(&said[at].out, &line, &mut verdicts[at]);
        }
        for ((case, verdict), done) in cases.iter().zip(&verdicts).zip(&said) {
            if self.all || !verdict.faults.is_empty() {
                self.keep(case, verdict, done)?;
            }
        }
        Ok(verdicts)
    }

    /// Runs a program in a folder under limits; what it prints goes to files beside the folder, however much it is.
    fn limited(&self, program: &Path, words: &[String], folder: &Path, limits: (&str, &str)) -> Result<Done, String> {
        let wrong = |e: std::io::Error| format!("{}: {e}", program.display());
        let names = ["out", "err"].map(|ending| folder.with_extension(ending));
        let [out, err] = names.each_ref().map(|name| File::create(name).map_err(wrong));
        let mut command = Command::new("sh");
        command.args(["-c", LIMITED, "sh", limits.0, limits.1, BLOCKS]).arg(program).args(words).current_dir(folder);
        let mut child = command.stdin(Stdio::null()).stdout(out?).stderr(err?).spawn().map_err(wrong)?;
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().map_err(wrong)? {
                break status;
            }
            if begun.elapsed() > Duration::from_secs(PATIENCE) {
                child.kill().map_err(wrong)?;
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        let [out, err] = names.each_ref().map(|name| std::fs::read(name).map_err(wrong));
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ok(Done { status, out: text(out?), err: text(err?) })
    }

    /// What the second checker says of each file. Where it fails in the middle, it is called again for those that follow.
    fn second(&self, paths: &[PathBuf], folder: &Path) -> Result<Vec<String>, String> {
        let mut lines: Vec<String> = Vec::new();
        while lines.len() < paths.len() {
            let mut words = vec!["-u".to_owned(), self.second.display().to_string()];
            words.extend(paths[lines.len()..].iter().map(|path| path.display().to_string()));
            let done =
                self.limited(Path::new("python3"), &words, &folder.join("0"), (MEMORY_SECOND, SECONDS_SECOND))?;
            let said = |path: &PathBuf| {
                let begin = format!("{}: ", path.display());
                done.out.lines().find_map(|line| line.strip_prefix(&begin)).map(str::to_owned)
            };
            lines.extend(paths[lines.len()..].iter().map_while(said).collect::<Vec<_>>());
            if lines.len() < paths.len() {
                let last = done.err.lines().last().unwrap_or("it was ended");
                lines.push(format!("fails: {last}, {}", done.status));
            }
        }
        Ok(lines)
    }

    /// Keeps the files of a finding.
    fn keep(&self, case: &Case, verdict: &Verdict, done: &Done) -> Result<(), String> {
        let folder = self.kept.join(format!("{}-{}", self.seed, case.name.replace(' ', "-")));
        let wrong = |e: std::io::Error| format!("{}: {e}", folder.display());
        std::fs::create_dir_all(&folder).map_err(wrong)?;
        for (name, bytes) in &case.files {
            std::fs::write(folder.join(name), bytes).map_err(wrong)?;
        }
        let words: Vec<String> = case.words.iter().map(|word| format!("{word:?}")).collect();
        let head = format!("seed {}, {}: quadrille {}", self.seed, case.name, words.join(" "));
        let report = format!("{head}\n{}\n{}\n{}\n{}", verdict.faults.join("\n"), done.status, done.err, done.out);
        std::fs::write(folder.join("report.txt"), report).map_err(wrong)
    }
}

/// What can be said without the second checker.
fn looked_at(case: &Case, done: &Done) -> Verdict {
    let status = done.status.code();
    let mut faults = Vec::new();
    let mut fault = |text: String| faults.push(text);
    let first: String = done.err.lines().find(|line| !line.is_empty()).unwrap_or_default().chars().take(200).collect();
    match status {
        Some(0..=2) => {}
        Some(status) => fault(format!("exit status {status}: {first}")),
        // Whoever asks for a network of millions of nodes may have to wait for it.
        None if lines::may_take_long(case) && ENDED.contains(&done.status.signal()) => {}
        None => fault(format!("signal {}: {first}", done.status.signal().unwrap_or_default())),
    }
    if case.kind == Kind::Network && status == Some(1) {
        fault("a network is read or not, and this says no".into());
    }
    if done.err.len() > LONGEST {
        fault(format!("{} bytes of errors", done.err.len()));
    }
    if done.err.contains("panicked at") {
        fault(format!("panic: {first}"));
    }
    let lines: Vec<&str> = done.err.lines().collect();
    let clear = matches!(lines[..], [error, hint] if error.starts_with("error: ") && hint.starts_with("hint: "));
    // Without a word that says what to do, a verb prints what there is.
    let help = case.words.len() < 2 && done.err.contains("\nUsage: ");
    if status == Some(2) && !clear && !help {
        fault(format!("not an error and a hint, a line each: {first}"));
    }
    let json = case.words.iter().any(|word| word == "--json") && case.kind != Kind::Line;
    if json && matches!(status, Some(0 | 1)) && serde_json::from_str::<Value>(&done.out).is_err() {
        fault("what it prints is no JSON".into());
    }
    if let Some(expected) = case.expected.filter(|expected| status != Some(*expected)) {
        fault(format!("exit status {status:?} where {expected} is right"));
    }
    Verdict { status, compared: false, faults }
}

/// Compares the status and what was proved with a line of the second checker.
fn compare(first: &str, second: &str, verdict: &mut Verdict) {
    if second.contains("too large for this checker") {
        return;
    }
    let statuses = [("holds: ", 0), ("false: ", 1), ("cannot be read", 2)];
    let Some((_, status)) = statuses.iter().find(|(begin, _)| second.starts_with(begin)) else {
        verdict.faults.push(format!("the second checker {second}"));
        return;
    };
    verdict.compared = true;
    if verdict.status != Some(*status) {
        verdict.faults.push(format!("status {:?}, and of the second checker {status}: {second}", verdict.status));
    } else if *status == 0 {
        let answer: Value = serde_json::from_str(first).unwrap_or_default();
        let bound = match answer["bound"].as_u64() {
            Some(bound) => format!("bound {bound} "),
            None => "no bound".into(),
        };
        let told = format!("holds: {} steps, {bound}", answer["steps"]);
        if !second.starts_with(&told) {
            verdict.faults.push(format!("it says `{told}`, and the second checker `{second}`"));
        }
    }
}
