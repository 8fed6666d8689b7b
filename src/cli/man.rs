// SPDX-License-Identifier: Apache-2.0
//! `garden-gate man`: writes the help texts as man pages.

use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Command;
use clap_mangen::Man as Page;
use clap_mangen::roff::{Roff, roman};

use super::outcome::{Outcome, PROGRAM};
use crate::files::{Destination, Trees, cannot_write, create_directory};

/// Arguments of `garden-gate man`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  garden-gate man ~/.local/share/man/man1
  man garden-gate-review

Exit codes:
  0  written
  2  the directory or a page cannot be written")]
pub(super) struct Man {
    /// Directory for the pages: garden-gate.1, garden-gate-review.1 and so on; created if missing.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Man {
    pub(super) fn run(&self, command: Command) -> anyhow::Result<Outcome> {
        create_directory(&self.folder).with_context(|| cannot_write(&self.folder))?;
        let mut command = command.disable_help_subcommand(true);
        command.build();
        write_pages(&command, &self.folder)?;
        Ok(Outcome::Clean)
    }
}

/// Writes the page of a command, and those of its subcommands.
fn write_pages(command: &Command, folder: &Path) -> anyhow::Result<()> {
    let page = Page::new(command.clone());
    let path = folder.join(page.get_filename());
    let mut text = Vec::new();
    render(command, &page, &mut text)
        .and_then(|()| {
            Destination::open(&path, &Trees::new([folder]))?.write(&mut Cursor::new(text))
        })
        .with_context(|| cannot_write(&path))?;
    command.get_subcommands().try_for_each(|below| write_pages(below, folder))
}

fn render(command: &Command, page: &Page, out: &mut dyn Write) -> io::Result<()> {
    let name = command.get_display_name().unwrap_or(PROGRAM);
    // There is no date, since the page belongs to a version.
    let version = env!("CARGO_PKG_VERSION");
    writeln!(out, r#".TH {} 1 "" "{PROGRAM} {version}" "User Commands""#, name.to_uppercase())?;
    page.render_name_section(out)?;
    page.render_synopsis_section(out)?;
    page.render_description_section(out)?;
    page.render_options_section(out)?;
    if command.has_subcommands() {
        page.render_subcommands_section(out)?;
    }
    let help = command
        .get_after_long_help()
        .or_else(|| command.get_after_help())
        .map(ToString::to_string)
        .unwrap_or_default();
    help.split("\n\n").try_for_each(|part| write_part(part, out))
}

/// Writes a section after the options, under a conventional heading.
fn write_part(text: &str, out: &mut dyn Write) -> io::Result<()> {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let (heading, body) = match first.split_once(':') {
        Some(("Example" | "Examples", "")) => ("EXAMPLES", rest),
        Some(("Example", _)) => ("EXAMPLES", text),
        Some(("Exit codes", "")) => ("EXIT STATUS", rest),
        _ => ("NOTES", text),
    };
    let mut part = Roff::new();
    part.control("SH", [heading]);
    // Lines are not filled.
    part.control("nf", []);
    for line in body.lines() {
        part.text([roman(line)]);
    }
    part.control("fi", []);
    part.to_writer(out)
}
