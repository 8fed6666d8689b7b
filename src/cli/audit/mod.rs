//! `garden-gate audit`: reports the state of all objects in a garden.

mod changed;
mod directory;
mod format;
mod garden;
mod live;
mod run;

use std::io::Write;
use std::path::PathBuf;

use anyhow::bail;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ColorChoice, ValueEnum};
use jiff::Timestamp;

use self::format::Format;
use self::garden::Source;
use self::run::Run;
use super::Outcome;
use super::garden::GardenArgs;
use super::output::{Inputs, Output};
use super::project_filter::ProjectFilter;
use super::review::Configuration;
use crate::audit::Auditor;
use crate::config::Level;
use crate::report::By;

/// Tell how everything in a garden stands: what would be refused if it were written again, or made anew today; what has expired, waits or
/// cannot be maintained; what nobody uses. By rule, Project and owner.
#[derive(Args, Debug)]
#[command(after_long_help = "\
Examples:
  garden-gate audit --garden dump/
  garden-gate audit --live --context landscape --format text --format json=audit.json
  garden-gate audit --garden dump/ --changed-since audit.json
  garden-gate audit --live --project dev --each
  garden-gate audit --live --format openreports | kubectl apply -f -

Exit codes:
  0  nothing would be refused; with --fail-on warn, nothing is warned about either
  1  something would be; with --changed-since, only what is new counts
  2  something could not be done or judged
  3  there is no object")]
pub(super) struct Audit {
    #[command(flatten)]
    garden: GardenArgs,

    #[command(flatten)]
    whose: ProjectFilter,

    /// Judge as of this time, such as 2026-12-24T18:00:00Z, or this date (UTC).
    #[arg(long, value_name = "TIME", value_parser = crate::cli::time::time)]
    at: Option<Timestamp>,

    /// Say only what is new since this report, which an audit wrote with --format json=FILE, and count what is gone.
    #[arg(long, value_name = "FILE")]
    changed_since: Option<PathBuf>,

    /// The lowest level of a finding that makes the exit code 1: deny or warn [default: deny].
    #[arg(long, value_name = "LEVEL", value_parser = PossibleValuesParser::new(["deny", "warn"]).try_map(|it| it.parse::<Level>()), hide_possible_values = true)]
    fail_on: Option<Level>,

    #[command(flatten)]
    configuration: Configuration,

    /// How to print the audit: text, json, markdown, sarif, junit, github, status, or openreports, which are objects for a cluster; with
    /// `=FILE` to a file. May be given several times; one of them at most goes to standard output.
    #[arg(long = "format", value_name = "FORMAT[=FILE]", default_value = "text")]
    formats: Vec<Output<Format>>,

    /// A table of text and Markdown: rule, project, owner or version. May be given several times; all of them if not at all.
    #[arg(long, value_name = "TABLE")]
    by: Vec<Table>,

    /// Also print as text what is found about each object, as `review` does.
    #[arg(long)]
    each: bool,

    /// Whether text has colours; `auto` is on a terminal, unless NO_COLOR is set.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
}

/// A table for people.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum Table {
    /// A row for each finding.
    Rule,
    /// A row for each Project.
    Project,
    /// A row for each owner of Projects.
    Owner,
    /// A row for each version that Shoots run.
    Version,
}

impl From<Table> for By {
    fn from(table: Table) -> Self {
        match table {
            Table::Rule => By::Rule,
            Table::Project => By::Project,
            Table::Owner => By::Owner,
            Table::Version => By::Version,
        }
    }
}

impl Audit {
    /// Judges every object of the garden and writes the results.
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        format::check(&self.formats)?;
        let (checked, config) = self.configuration.load(&[])?;
        let earlier = self.changed_since.as_deref().map(changed::read);
        let comparing = earlier.transpose()?;
        let directory = self.garden.directory()?;
        let directory = directory.or(checked.review.garden.as_ref());
        let inputs = Inputs {
            files: self.changed_since.iter().cloned().collect(),
            directories: directory.cloned().into_iter().collect(),
        };
        inputs.spare(self.formats.iter().filter_map(|it| it.file.as_deref()))?;
        let live = self.garden.live()?;
        let source = match (&live, directory) {
            (Some(live), _) => Source::Live(live),
            (None, Some(directory)) => Source::Directory(directory),
            (None, None) => bail!("say where the garden is: --garden DIR, or --live"),
        };
        let at = self.at.unwrap_or_else(Timestamp::now);
        let garden = source.garden(&checked.config, &self.whose, self.garden.is_whole)?;
        let outputs = format::open(&self.formats, (self.each, self.color, at), out)?;
        let auditor = Auditor::new(&garden, &checked.config, at);
        let mut run = Run::new(&auditor, &self.whose, comparing, outputs);
        source.each(&mut run)?;
        let by = match self.by.is_empty() {
            true => By::ALL.to_vec(),
            false => self.by.iter().copied().map(By::from).collect(),
        };
        let since = self.changed_since.as_ref();
        let since = since.map(|file| file.display().to_string());
        let summary = run.end(config, by, since)?;
        let fail_on = self.fail_on.or(checked.review.fail_on);
        Ok(run::outcome(&summary, fail_on.unwrap_or(Level::Deny)))
    }
}
