//! **What:** `show`: a schedule file, checked, as a page that plays it or as a picture of its steps, of a message's tree or of its genes; two
//! files on one page; traces of evolution as a plot.

use super::export::saved;
use console::args::{ShowArgs, StepsChoice};
use console::failure::Failure;
use console::output;
use console::render::count;
use console::schedule_file::AnyFile;
use exports::svg::{Chromosome, NoSpread, Tree, theme};
use exports::trace::is_meant;
use kernel::Verified;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Steps beyond which one picture of all of them is hard to read.
const MANY: usize = 24;

/// The verb.
pub(crate) fn run(arguments: &ShowArgs) -> Result<u8, Failure> {
    // On standard output, a page unless something is asked for that pictures alone have.
    let chosen = chooses_steps(arguments);
    let drawn = arguments.kind != "steps" || chosen || arguments.dark || arguments.no_title;
    let is_picture = drawn || arguments.files.iter().any(|file| is_meant(file));
    let output = output::usually(&arguments.output, if is_picture { "svg" } else { "html" });
    let arguments = &ShowArgs { output, ..arguments.clone() };
    if arguments.message.is_some() && arguments.kind != "tree" {
        return Err(Failure::input("--message chooses whose tree is drawn").hint("add --as tree"));
    }
    if arguments.kind != "steps" && chosen {
        return Err(Failure::input(format!("--as {} shows all steps", arguments.kind))
            .hint("leave out --step, --steps, --per-page and --columns, or --as"));
    }
    let ending = formats::ending(&arguments.output);
    if arguments.files.iter().any(|file| is_meant(file)) {
        return traces(arguments, &ending);
    }
    if arguments.files.len() > 2 {
        return Err(Failure::input(format!("{} schedules are given", arguments.files.len()))
            .hint("a page compares two; traces of evolution may be more"));
    }
    match (ending.as_str(), &arguments.files[..]) {
        ("html" | "htm", files) => page(arguments, files),
        (_, [file]) if formats::is_picture(&arguments.output) => picture(arguments, file),
        _ if formats::is_picture(&arguments.output) => {
            Err(Failure::input("a picture shows one schedule, but two files are given")
                .hint("name a page that ends in .html to compare them"))
        }
        _ => {
            let endings = [&["html"], formats::PICTURE_ENDINGS].concat();
            output::ends_as(&arguments.output, "a page or a picture", &endings)?;
            Ok(0)
        }
    }
}

/// Whether a flag is given that chooses steps of a picture, or where they stand.
fn chooses_steps(arguments: &ShowArgs) -> bool {
    let ShowArgs { step, steps, per_page, columns, .. } = arguments;
    step.is_some() || steps.is_some() || per_page.is_some() || columns.is_some()
}

/// Traces as one plot.
fn traces(arguments: &ShowArgs, ending: &str) -> Result<u8, Failure> {
    if let Some(other) = arguments.files.iter().find(|file| !is_meant(file)) {
        return Err(Failure::input(format!("`{}` is not a trace, and another file is one", other.display()))
            .hint("name traces (.jsonl) alone, or schedules alone"));
    }
    if !formats::is_picture(&arguments.output) || arguments.kind != "steps" || chooses_steps(arguments) {
        return Err(Failure::input("a trace of evolution is drawn as one plot")
            .hint("name a picture that ends in .svg, without --step, --steps, --per-page, --columns and --as"));
    }
    let name = |file: &Path| file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let unread = |error: formats::ReadError| match &*error.fault {
        formats::Fault::Io(_) => output::unread(error),
        _ => Failure::input(error)
            .hint("a trace is what `quadrille solve … --trace FILE.jsonl` writes, whole lines of it"),
    };
    let read = |file: &PathBuf| Ok((name(file), exports::trace::read(file).map_err(unread)?));
    let read = arguments.files.iter().map(read).collect::<Result<Vec<_>, Failure>>()?;
    let theme = theme(arguments.dark, !arguments.no_title);
    let plot = exports::trace::plot(&read);
    exports::trace::write(&plot, theme, &arguments.output).map_err(output::unwritten)?;
    let file = arguments.output.display().to_string();
    let moments: usize = read.iter().map(|(_, moments)| moments.len()).sum();
    match arguments.report.json {
        true => output::say_json(&serde_json::json!({"file": file, "format": ending, "moments": moments})),
        false => output::say(&format!("{file}: {} as {ending}", count(moments as u64, "record"))),
    }
    .map(|()| 0)
}

/// Refuses the flag of schedules in time.
fn no_rows(arguments: &ShowArgs) -> Result<(), Failure> {
    match arguments.rows {
        Some(_) => Err(Failure::input("--rows is for schedules in time, and this one has steps").hint("leave it out")),
        None => Ok(()),
    }
}

fn page(arguments: &ShowArgs, files: &[PathBuf]) -> Result<u8, Failure> {
    if chooses_steps(arguments) {
        return Err(Failure::input(
            "--step, --steps, --per-page and --columns choose what a picture shows; a page has all steps",
        )
        .hint("leave the flag out, or name a picture that ends in .svg"));
    }
    if arguments.kind != "steps" {
        return Err(Failure::input(format!("--as {} is for pictures; a page plays the steps", arguments.kind))
            .hint("leave the flag out, or name a picture that ends in .svg"));
    }
    if arguments.no_title {
        return Err(Failure::input("--no-title is for pictures; a page has its title")
            .hint("leave the flag out, or name a picture that ends in .svg"));
    }
    if arguments.dark {
        return Err(Failure::input("--dark is for pictures; a page is light or dark as the reader's system has it")
            .hint("leave the flag out, or name a picture that ends in .svg"));
    }
    let mut steps = Vec::new();
    for file in files {
        match AnyFile::read(file)? {
            AnyFile::Steps(read) => steps.push(read),
            AnyFile::Timed(read) if files.len() == 1 => return super::show_timed::chart(arguments, &read),
            AnyFile::Timed(_) => {
                return Err(Failure::input(format!("{}: a schedule in time has a page of its own", file.display()))
                    .hint("name one file; `quadrille compare` compares several in a table"));
            }
        }
    }
    no_rows(arguments)?;
    let read = steps;
    let shown: Vec<_> = read.iter().map(|read| (&read.schedule, read.floor.as_ref())).collect();
    exports::html::write(&shown, &arguments.output).map_err(output::unwritten)?;
    let steps = shown.iter().map(|(schedule, _)| schedule.steps()).max().unwrap_or(0);
    saved(steps, "html", &arguments.output, arguments.report.json)
}

fn picture(arguments: &ShowArgs, file: &Path) -> Result<u8, Failure> {
    let schedule = match AnyFile::read(file)? {
        AnyFile::Steps(read) => read.schedule,
        AnyFile::Timed(read) => return super::show_timed::chart(arguments, &read),
    };
    no_rows(arguments)?;
    let range = range(arguments, schedule.steps())?;
    let drawn = range.as_ref().map(ExactSizeIterator::len);
    let is_long = arguments.kind == "steps" && drawn.unwrap_or(schedule.steps()) > MANY;
    // A PDF has pages, unless all steps are asked for in one picture.
    let is_book = formats::ending(&arguments.output) == "pdf" && !matches!(arguments.steps, Some(StepsChoice::All));
    let paged = arguments.per_page.map(|most| most as usize).or((is_long && is_book).then_some(MANY));
    if let Some(most) = paged {
        return pages(arguments, &schedule, range.unwrap_or(0..schedule.steps()), most);
    }
    if is_long {
        output::tell(&format!(
            "note: {} steps make one large picture; --steps 0-{} draws some of them, --per-page {MANY} all of them on several pages\n",
            schedule.steps(),
            MANY - 1
        ));
    }
    let theme = theme(arguments.dark, !arguments.no_title);
    let refused = |why: NoSpread| Failure::input(format!("--as {}: {why}", arguments.kind)).hint(hint(why));
    let written = match arguments.kind.as_str() {
        "tree" => {
            let tree = Tree::of(&schedule, arguments.message.unwrap_or(0)).map_err(refused)?;
            exports::svg::write_tree(&tree, theme, &arguments.output)
        }
        "chromosome" => {
            let chromosome = Chromosome::of(&schedule).map_err(refused)?;
            exports::svg::write_chromosome(&chromosome, theme, &arguments.output)
        }
        _ => exports::svg::write(&schedule, range, arguments.columns, theme, &arguments.output),
    };
    written.map_err(output::unwritten)?;
    let ending = formats::ending(&arguments.output);
    match drawn.filter(|drawn| *drawn < schedule.steps() && !arguments.report.json) {
        Some(drawn) => {
            let (file, of) = (arguments.output.display(), count(schedule.steps() as u64, "step"));
            output::say(&format!("{file}: {drawn} of {of} as {ending}")).map(|()| 0)
        }
        None => saved(drawn.unwrap_or(schedule.steps()), &ending, &arguments.output, arguments.report.json),
    }
}

/// The steps that are asked for, where not all are.
fn range(arguments: &ShowArgs, steps: usize) -> Result<Option<Range<usize>>, Failure> {
    let (flag, range) = match (arguments.step, arguments.steps) {
        (Some(step), _) => ("--step", step..=step),
        (None, Some(StepsChoice::Range(first, last))) => ("--steps", first..=last),
        _ => return Ok(None),
    };
    if *range.end() >= steps {
        return Err(Failure::input(format!("{flag}: the schedule has no step {}", range.end()))
            .hint(format!("it has {}, counted from 0", count(steps as u64, "step"))));
    }
    Ok(Some(*range.start()..range.end() + 1))
}

/// Steps in several pictures, `x-1.svg` and so on, or in a PDF of several pages.
fn pages(arguments: &ShowArgs, schedule: &Verified, range: Range<usize>, most: usize) -> Result<u8, Failure> {
    let pages = range.clone().step_by(most).map(|first| first..(first + most).min(range.end));
    let is_book = formats::ending(&arguments.output) == "pdf";
    if formats::is_standard_output(&arguments.output) && !is_book {
        return Err(Failure::input("--per-page writes several files, and standard output is one")
            .hint("name a file that ends in .svg or .png, or write a PDF of several pages"));
    }
    let theme = theme(arguments.dark, !arguments.no_title);
    let name = arguments.output.display().to_string();
    let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, "svg"));
    let mut files = Vec::new();
    if is_book {
        let pages: Vec<Range<usize>> = pages.collect();
        exports::svg::write_pages(schedule, &pages, arguments.columns, theme, &arguments.output)
            .map_err(output::unwritten)?;
        files.push(name);
    } else {
        for (at, steps) in pages.enumerate() {
            let file = format!("{stem}-{}.{ending}", at + 1);
            exports::svg::write(schedule, Some(steps), arguments.columns, theme, &file).map_err(output::unwritten)?;
            files.push(file);
        }
    }
    let (steps, format) = (range.len(), formats::ending(&arguments.output));
    if arguments.report.json {
        let file = files.first();
        return output::say_json(&serde_json::json!({"file": file, "files": files, "format": format, "steps": steps}))
            .map(|()| 0);
    }
    let list = match &files[..] {
        [one] => one.clone(),
        [first, .., last] => format!("{first} to {last}"),
        [] => String::new(),
    };
    output::say(&format!("{list}: {} as {format}", count(steps as u64, "step"))).map(|()| 0)
}

/// What to do about a schedule that is not drawn by its messages.
fn hint(why: NoSpread) -> &'static str {
    match why {
        NoSpread::NoMessage { .. } => "choose another with --message N",
        NoSpread::MergedAndCopied { .. } => "leave --as out to see its steps, or name a page that ends in .html",
        NoSpread::Combined => "--as tree shows one message of them",
        NoSpread::Large { .. } => "--as tree shows one message of them",
    }
}
