//! **What:** what a search for networks shows while it works, when it ends, and what it keeps for the next time.

use super::failure::Failure;
use super::output::Target;
use super::progress;
use design::graphs::Progress;
use design::multiring::search::{Checkpoint, Stop, Watch};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::{Deserialize, Serialize};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What the field `format` of a checkpoint says.
const FORMAT: &str = "quadrille-multiring-search/1";

/// Seconds between two writings of the checkpoint.
const PAUSE: Duration = Duration::from_secs(2);

/// A checkpoint as its file has it.
#[derive(Serialize, Deserialize)]
struct Kept {
    format: String,
    state: Checkpoint,
}

/// Looks on: a line on stderr where that is a terminal, a file where one is named.
pub struct Onlooker {
    bar: ProgressBar,
    interrupted: &'static AtomicBool,
    ends: Option<Instant>,
    file: Option<PathBuf>,
    written: Mutex<Option<Instant>>,
}

impl Onlooker {
    /// For a search of at most so many seconds that keeps its state in `file`.
    pub fn new(seconds: Option<f64>, file: Option<&Path>) -> Self {
        let bar = if std::io::stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
            if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        } else {
            ProgressBar::hidden()
        };
        let limit = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
        Onlooker {
            bar,
            interrupted: progress::interruptible(),
            ends: limit.and_then(|limit| Instant::now().checked_add(limit)),
            file: file.map(Path::to_owned),
            written: Mutex::default(),
        }
    }

    /// Takes the line away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Takes the line away and writes the last checkpoint.
    pub fn finish(&self, state: &Checkpoint) -> Result<(), Failure> {
        self.bar.finish_and_clear();
        self.file.as_deref().map_or(Ok(()), |path| keep(path, state))
    }
}

impl Stop for Onlooker {
    fn stopped(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed) || self.ends.is_some_and(|ends| Instant::now() >= ends)
    }
}

impl Watch for Onlooker {
    fn progress(&self, state: &Checkpoint, doing: &str) {
        let best = state.best.as_ref().map_or("–".into(), |b| b.0.to_string());
        self.bar.set_message(format!("best {best}  {doing}  {:.1e} ticks", state.ticks as f64));
        if let (Some(path), Ok(mut written)) = (&self.file, self.written.lock())
            && written.is_none_or(|at| at.elapsed() >= PAUSE)
        {
            // A full disk ends the keeping, not the search; the last writing says so.
            let _ = keep(path, state);
            *written = Some(Instant::now());
        }
    }
}

impl design::graphs::Watch for Onlooker {
    fn progress(&self, state: &Progress) {
        let pairs = f64::from(state.nodes) * f64::from(state.nodes - 1);
        let best = state.best.map_or("nothing yet".into(), |(diameter, sum)| {
            let above = 100.0 * (sum as f64 / state.least.1 as f64 - 1.0);
            format!("diameter {diameter}  average {:.4} ({above:.2} % above the bound)", sum as f64 / pairs)
        });
        let turns: Vec<String> = state.turns.iter().take(6).map(u32::to_string).collect();
        let (nodes, turns, moves) = (state.nodes, turns.join(" "), state.moves as f64);
        self.bar.set_message(format!("{nodes} nodes  {best}  turns {turns}  {moves:.1e} exchanges"));
    }
}

fn keep(path: &Path, state: &Checkpoint) -> Result<(), Failure> {
    let kept = Kept { format: FORMAT.into(), state: state.clone() };
    let text = serde_json::to_vec(&kept).map_err(|e| Failure::input(format!("cannot write JSON: {e}")))?;
    Target::open(path)?.write(&text)
}

/// The state that a file keeps; `None` where there is no such file yet.
pub fn kept(path: &Path) -> Result<Option<Checkpoint>, Failure> {
    let refused = |why: String| {
        Failure::input(format!("--checkpoint: {}: {why}", path.display()))
            .hint("name a file that such a search wrote, or one that is not there yet")
    };
    let text = match std::fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(refused(error.to_string())),
    };
    let kept: Kept = serde_json::from_slice(&text).map_err(|e| refused(e.to_string()))?;
    if kept.format != FORMAT {
        return Err(refused(format!("its format is `{}`, not `{FORMAT}`", kept.format)));
    }
    Ok(Some(kept.state))
}
