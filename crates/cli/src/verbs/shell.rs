//! **What:** `completions` and `man`: what a shell and a manual need to know, made from the arguments themselves.

use clap::CommandFactory;
use console::args::{Command, CompletionsArgs, ManArgs};
use console::failure::Failure;
use console::output::{self, say};
use std::path::Path;

/// The verb `completions`.
pub(crate) fn completions(arguments: &CompletionsArgs) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Command::command(), "quadrille", &mut script);
    say(String::from_utf8_lossy(&script).trim_end()).map(|()| 0)
}

/// The verb `man`.
pub(crate) fn man(arguments: &ManArgs) -> Result<u8, Failure> {
    let mut command = Command::command();
    command.build();
    let Some(folder) = &arguments.output else {
        return say(page(&command)?.trim_end()).map(|()| 0);
    };
    std::fs::create_dir_all(folder).map_err(|e| {
        Failure::input(format!("cannot write into `{}`: {e}", folder.display()))
            .hint("name a directory that you may write to")
    })?;
    pages(&command, folder)?;
    Ok(0)
}

/// Writes the page of a command, and those of what it has below it.
fn pages(command: &clap::Command, folder: &Path) -> Result<(), Failure> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    output::write(&folder.join(format!("{name}.1")), page(command)?.as_bytes())?;
    let below = command.get_subcommands().filter(|c| !c.is_hide_set() && c.get_name() != "help");
    below.into_iter().try_for_each(|command| pages(command, folder))
}

fn page(command: &clap::Command) -> Result<String, Failure> {
    let mut roff = Vec::new();
    let man = clap_mangen::Man::new(command.clone());
    man.render(&mut roff).map_err(|e| Failure::input(format!("cannot make the manual page: {e}")))?;
    Ok(String::from_utf8_lossy(&roff).into_owned())
}
