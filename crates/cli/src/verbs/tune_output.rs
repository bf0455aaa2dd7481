//! **What:** the files of `tune`: the picture of the times, a schedule a size, and what a library is told.

use super::answer::provenance;
use super::tune::{baselines, libraries};
use console::args::TuneArgs;
use console::failure::Failure;
use console::output::{self, tell};
use console::sizes::approximate;
use exports::choice::{CHOICE_WRITERS, ChoiceError, ChoiceWriter, KnownSchedule, SizeChoice};
use exports::plot::{Axis, Plot, Point, Scale, Series, Style};
use exports::svg::{DARK, LIGHT};
use methods::{TunedSize, Tuning};
use std::path::{Path, PathBuf};
use topologies::nearest;

/// Where answers go.
pub(super) struct Outputs {
    pictures: Vec<PathBuf>,
    folders: Vec<PathBuf>,
    choice: Option<(&'static ChoiceWriter, Option<PathBuf>)>,
    dark: bool,
}

/// What was written.
pub(super) struct Saved {
    /// All files and directories.
    pub names: Vec<String>,
    /// The schedule file of each size.
    pub schedules: Vec<String>,
    /// What the library is told, and for which sizes that is slower.
    pub choice: Option<String>,
    pub notes: Vec<String>,
    /// Whether that is to be printed, since no file was named for it.
    pub printed: bool,
}

impl Outputs {
    /// What the arguments ask for. An unwritable place is known now, not after a long search.
    pub(super) fn new(arguments: &TuneArgs) -> Result<Self, Failure> {
        let writer = arguments.to.as_deref().map(named).transpose()?;
        let mut outputs = Outputs {
            pictures: Vec::new(),
            folders: Vec::new(),
            choice: writer.map(|writer| (writer, None)),
            dark: arguments.dark,
        };
        for path in &arguments.output {
            let standard = formats::is_standard_output(path);
            let is_svg = formats::is_picture(path) || (standard && writer.is_none());
            let is_folder = !standard && (path.is_dir() || path.extension().is_none());
            match &mut outputs.choice {
                _ if is_svg => outputs.pictures.push(path.clone()),
                _ if is_folder => outputs.folders.push(path.clone()),
                Some((_, file @ None)) => *file = Some(path.clone()),
                Some((writer, Some(_))) => {
                    return Err(Failure::input(format!("-o {}: a second file for {}", path.display(), writer.name))
                        .hint("name one, and pictures .svg"));
                }
                None => {
                    return Err(Failure::input(format!("-o {}: neither a picture nor a directory", path.display()))
                        .hint("name a file that ends in .svg, a directory for schedules, or add --to for a library's file"));
                }
            }
            if !is_folder {
                output::probe(path)?;
            } else if let Err(error) = std::fs::create_dir_all(path) {
                return Err(Failure::input(format!("-o {}: {error}", path.display()))
                    .hint("name a directory that you may write to"));
            }
        }
        Ok(outputs)
    }

    pub(super) fn writer(&self) -> Option<&'static ChoiceWriter> {
        self.choice.as_ref().map(|(writer, _)| *writer)
    }

    /// Refuses a collective that the library takes no choice for, before the search.
    pub(super) fn takes(&self, writer: &ChoiceWriter, collective: &str) -> Result<(), Failure> {
        writer.takes(collective).map_err(untold)
    }

    /// Writes everything.
    pub(super) fn save(&self, tuning: &Tuning, seconds: f64) -> Result<Saved, Failure> {
        let mut saved =
            Saved { names: Vec::new(), schedules: Vec::new(), choice: None, notes: Vec::new(), printed: false };
        for path in &self.pictures {
            let theme = if self.dark { &DARK } else { &LIGHT };
            exports::plot::write(&plot(tuning), theme, path).map_err(output::unwritten)?;
            saved.names.push(path.display().to_string());
        }
        for folder in &self.folders {
            saved.schedules.clear();
            for size in &tuning.sizes {
                saved.schedules.push(schedule(folder, size, seconds)?);
            }
            saved.names.push(format!("{} ({} schedules)", folder.display(), saved.schedules.len()));
        }
        if let Some((writer, file)) = &self.choice {
            let sizes: Vec<SizeChoice<'_>> = tuning.sizes.iter().map(size_choice).collect();
            let choice = writer.choose(&sizes).map_err(untold)?;
            let text = writer.text(&choice);
            if !writer.has_comments {
                choice.notes().iter().for_each(|note| tell(&format!("note: {note}\n")));
            }
            if let Some(file) = file {
                output::write(file, text.as_bytes())?;
                saved.names.push(file.display().to_string());
            }
            saved.printed = file.is_none();
            saved.notes = choice.notes().to_vec();
            saved.choice = Some(text);
        }
        Ok(saved)
    }
}

fn size_choice(size: &TunedSize) -> SizeChoice<'_> {
    let known = baselines(size).map(|(method, schedule)| KnownSchedule { method, schedule }).collect();
    SizeChoice { bytes: size.bytes, fastest: size.best.verdict.ceiling(), known }
}

fn named(name: &str) -> Result<&'static ChoiceWriter, Failure> {
    CHOICE_WRITERS.iter().find(|writer| writer.name == name).ok_or_else(|| {
        let names = || CHOICE_WRITERS.iter().map(|writer| writer.name);
        let near = nearest(name, names()).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
        let known = CHOICE_WRITERS.iter().map(|writer| format!("{} ({})", writer.name, writer.about));
        let known: Vec<String> = known.collect();
        Failure::input(format!("--to: `{name}` is not a format")).hint(format!("{near}formats: {}", known.join(", ")))
    })
}

fn untold(error: ChoiceError) -> Failure {
    match &error {
        ChoiceError::Collective { known, .. } => {
            let hint = format!("it takes one for {}", known.join(", "));
            Failure::input(format!("--to: {error}")).hint(hint)
        }
        _ => Failure::no(format!("--to: {error}")).hint("allow more with --time SECONDS"),
    }
}

/// Writes the schedule of a size; the name of its file.
fn schedule(folder: &Path, size: &TunedSize, seconds: f64) -> Result<String, Failure> {
    let verdict = &size.best.verdict;
    let bytes = size.bytes.to_string().replace('/', "-");
    let path = folder.join(format!("{}-{bytes}.json.gz", verdict.problem().collective().name()));
    let from = provenance(size.best.method, None, seconds);
    formats::timed_json::write(verdict.ceiling(), Some(verdict.floor()), Some(size.bytes), &from, &path)
        .map_err(output::unwritten)?;
    Ok(path.display().to_string())
}

/// All times over the sizes.
fn plot(tuning: &Tuning) -> Plot {
    let first = &tuning.sizes[0].best.verdict;
    let points = |micros: &dyn Fn(&TunedSize) -> Option<f64>| -> Vec<Point> {
        let point = |size: &TunedSize| micros(size).map(|micros| Point::new(approximate(size.bytes), micros));
        tuning.sizes.iter().filter_map(point).collect()
    };
    let mut series = vec![
        Series { name: "fastest found".into(), style: Style::Line, points: points(&|size| Some(size.micros())) },
        Series {
            name: "bound".into(),
            style: Style::Bare,
            points: points(&|size| Some(size.best.verdict.floor().micros())),
        },
    ];
    for library in libraries(tuning) {
        let of = |size: &TunedSize| baselines(size).find(|(method, _)| *method == library).map(|(_, m)| m.micros());
        series.push(Series { name: library.into(), style: Style::Line, points: points(&of) });
    }
    Plot {
        title: format!("{} on {}", first.problem().collective().name(), first.problem().network().name()),
        x: Axis { label: "bytes".into(), scale: Scale::Log },
        y: Axis { label: "time in µs".into(), scale: Scale::Log },
        series,
        references: Vec::new(),
    }
}
