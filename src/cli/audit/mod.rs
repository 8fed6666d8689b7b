// SPDX-License-Identifier: Apache-2.0
//! `garden-gate audit`: reports the state of all objects in a garden.

mod changed;
mod directory;
mod format;
mod garden;
mod live;
mod run;
mod stored_object;

use std::io::Write;
use std::path::PathBuf;

use anyhow::bail;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ColorChoice, ValueEnum};
use jiff::Timestamp;

use self::format::Format;
pub(super) use self::garden::Source;
use self::run::{AuditedObject, Run};
pub(super) use self::stored_object::StoredObject;
use super::Outcome;
use super::garden::GardenArgs;
use super::judging::{Judging, JudgingArgs};
use super::output::{self, Inputs, Output};
use super::project_filter::ProjectFilter;
use super::review::garden::note_missing_policies;
use super::versions::Variant;
use crate::files::Trees;
use crate::review::notes::note;
use garden_gate_core::config::FailOn;
use garden_gate_products::audit::Auditor;
use garden_gate_products::report::By;

/// Arguments of `garden-gate audit`.
#[derive(Args, Debug)]
#[command(
    next_help_heading = "Output",
    after_help = "\
Examples:
  garden-gate audit --garden dump/
  garden-gate audit --live --format text --format json=audit.json
  garden-gate audit --garden dump/ --changed-since audit.json
  garden-gate audit --live --project dev --each
  garden-gate audit --live --format openreports | kubectl apply -f -
  garden-gate audit --live --gardener-version 1.145,1.149 --format html=new.html

Exit codes:
  0  no object would be refused; with --fail-on warn, no warnings either
  1  objects would be refused, or with --fail-on warn also warnings; with
     --changed-since, only new ones
  2  the command failed
  3  there are no objects
  4  a check is undetermined, or an unreadable file may contain objects"
)]
pub(super) struct Audit {
    #[command(flatten)]
    garden: GardenArgs,

    #[command(flatten)]
    whose: ProjectFilter,

    /// Time of the audit, such as 2026-12-24T18:00:00Z, or a date (UTC) [default: now].
    #[arg(long, value_name = "TIME", value_parser = crate::cli::time::time, help_heading = "Selection")]
    at: Option<Timestamp>,

    /// Report only findings that are new since the audit in this JSON report (--format json=FILE), and count resolved ones.
    #[arg(long, value_name = "FILE", help_heading = "Baseline and exit code")]
    changed_since: Option<PathBuf>,

    /// What fails the audit: never, deny (refusals), undetermined (also undetermined verdicts) or warn (also warnings)
    /// [default: undetermined].
    #[arg(long, value_name = "WHAT", value_parser = PossibleValuesParser::new(FailOn::NAMES).try_map(|it| it.parse::<FailOn>()), hide_possible_values = true, help_heading = "Baseline and exit code")]
    fail_on: Option<FailOn>,

    #[command(flatten)]
    judging: JudgingArgs,

    /// Output format: text, concise, json, markdown, html, sarif, junit, github, status or openreports; with `=FILE` to a file.
    ///
    /// May be given several times; at most one format goes to standard output. `openreports` prints objects for a cluster.
    #[arg(
        long = "format",
        value_name = "FORMAT[=FILE]",
        default_value = "text",
        hide_possible_values = true,
        help_heading = "Output"
    )]
    formats: Vec<Output<Format>>,

    /// Table to print in text and Markdown output; may be given several times [default: all tables].
    #[arg(long, value_name = "TABLE", help_heading = "Output")]
    by: Vec<Table>,

    /// Text output: also print the findings of each object, as `review` does.
    #[arg(long, visible_short_alias = 'v', visible_alias = "verbose", help_heading = "Output")]
    each: bool,

    /// Use of colours in text output; `auto` enables them on a terminal. NO_COLOR, CLICOLOR_FORCE and TERM=dumb change that.
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    color: ColorChoice,
}

/// A table of an audit.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum Table {
    /// A row for each Kubernetes version that Gardener does not support.
    Support,
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
            Table::Support => By::Support,
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
        output::check(&self.formats)?;
        let variants = self.judging.versions().variants()?;
        if variants.len() > 2 {
            bail!("an audit compares two versions; name two in --gardener-version and --extension");
        }
        let last = variants.last().cloned().unwrap_or_default();
        let Judging { mut checked, file: config, own_policies } = self.judging.load(&last)?;
        let earlier = self.changed_since.as_deref().map(changed::read);
        let comparing = earlier.transpose()?;
        let directory = self.garden.directory_or(&checked.review)?;
        let inputs = Inputs {
            files: self.changed_since.iter().chain(self.garden.files()).cloned().collect(),
            directories: directory.cloned().into_iter().collect(),
        };
        inputs.check_outputs(self.formats.iter().filter_map(|it| it.file.as_deref()))?;
        let trees = Trees::new(directory);
        let live = self.garden.live()?;
        let source = Source::of(live.as_ref(), directory)?;
        let at = self.at.unwrap_or_else(Timestamp::now);
        let loaded = source.garden(&checked.config, &self.whose, self.garden.is_whole)?;
        let garden = loaded.garden;
        self.whose.warn_of_unknown(&garden);
        let mut judged = loaded.published.apply(&mut checked.config);
        judged.extensions = last.extensions();
        note_missing_policies("", &garden, &checked.config);
        let base = match &variants[..] {
            [base, _] => {
                judged.compared_with = Variant::differences(&variants).into_iter().next();
                let mut config = checked.config.clone();
                base.apply(&mut config);
                Some(config)
            }
            _ => None,
        };
        let rule_url = checked.review.rule_url.clone();
        let options = format::Options { each: self.each, color: self.color, at, rule_url };
        let outputs = format::open(&self.formats, &options, &trees, out)?;
        let mut auditor =
            Auditor::new(&garden, &checked.config, at).with_policies(own_policies.into());
        if let Some(base) = &base {
            auditor = auditor.compared_with(base);
        }
        let mut run = Run::new((&auditor, judged), &self.whose, comparing, outputs);
        run.summary.rule_url = options.rule_url;
        let namespaces = self.whose.namespaces();
        let audited = |it: StoredObject<'_>| AuditedObject { key: it.key, reviewed: it.reviewed };
        for why in source.each(&auditor, &namespaces, audited, |objects| run.add(objects))? {
            note(format_args!("warning: {why}"));
        }
        let by = if self.by.is_empty() {
            By::ALL.to_vec()
        } else {
            self.by.iter().copied().map(By::from).collect()
        };
        let since = self.changed_since.as_ref().map(|file| file.display().to_string());
        let summary = run.end(config, by, since)?;
        let fail_on = self.fail_on.or(checked.review.fail_on).unwrap_or_default();
        Ok(run::outcome(&summary, fail_on, loaded.is_partial))
    }
}
