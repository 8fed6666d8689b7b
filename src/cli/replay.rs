// SPDX-License-Identifier: Apache-2.0
//! `garden-gate replay`: recorded requests, judged again.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, ColorChoice, ValueEnum};
use rayon::prelude::*;

use super::Outcome;
use super::judging::{Judging, JudgingArgs};
use super::output::{self, Inputs, Output};
use super::review::garden::load_garden;
use crate::config_files;
use crate::files::{Limit, Trees, read_within};
use crate::garden::directory::{Reading, Wanted};
use crate::review::progress::Progress;
use garden_gate_core::config::{Config, ConfigFiles};
use garden_gate_core::garden::{Knowledge, Snapshot};
use garden_gate_core::rules;
use garden_gate_products::replay::{Change, ReplayBase, ReplayJudge, Replayed, Replayer};
use garden_gate_products::report::{Look, replay_json, replay_markdown, replay_text};

/// Arguments of `garden-gate replay`.
#[derive(Args, Debug)]
#[command(
    next_help_heading = "Input",
    after_help = "\
Examples:
  garden-gate replay records/ --garden dump/ --config new.yaml
  garden-gate replay records/ --garden dump/ --config new.yaml --old-config deployed.yaml
  garden-gate replay records/ --garden dump/ --config deployed.yaml --gardener-version 1.150
  garden-gate replay records/ --garden dump/ --policies new-policies/

Exit codes:
  0  no request is newly denied
  1  a request is newly denied
  2  the command failed
  3  there are no records
  4  a rule is undetermined that was not, or a line is not a record"
)]
pub(super) struct Replay {
    /// Directories of `serve --record`, or files in them.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Directory with the manifests of the garden, from `dump`.
    ///
    /// Without a garden, rules that depend on other objects are undetermined.
    #[arg(long, value_name = "DIR", help_heading = "Garden")]
    garden: Option<PathBuf>,

    /// Treat objects missing from the garden directory as nonexistent, even if it has no Seed, Project or CloudProfile.
    #[arg(long, requires = "garden", help_heading = "Garden")]
    whole_garden: bool,

    #[command(flatten)]
    judging: JudgingArgs,

    /// Compare with verdicts by this configuration and the garden of today, instead of the recorded verdicts.
    ///
    /// So changes of the garden since the records have no effect. Policies and the AdmissionConfiguration are the same for
    /// both; versions, profile and levels of the command line apply to the new configuration only.
    #[arg(long, value_name = "FILE", help_heading = "Configuration")]
    old_config: Option<PathBuf>,

    /// Output format: text, json or markdown; with `=FILE` to a file.
    ///
    /// May be given several times; at most one format goes to standard output.
    #[arg(
        long = "format",
        value_name = "FORMAT[=FILE]",
        default_value = "text",
        hide_possible_values = true,
        help_heading = "Output"
    )]
    formats: Vec<Output<Format>>,

    /// Use of colours in text output; `auto` enables them on a terminal. NO_COLOR, CLICOLOR_FORCE and TERM=dumb change that.
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    color: ColorChoice,
}

/// The format of a replay.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum Format {
    /// Text, the newly denied requests first.
    Text,
    /// JSON.
    Json,
    /// Markdown, for a comment on a pull request.
    Markdown,
}

impl Format {
    fn text(self, replayed: &Replayed, look: Look) -> anyhow::Result<String> {
        Ok(match self {
            Format::Text => replay_text(replayed, look),
            Format::Json => replay_json(replayed)?,
            Format::Markdown => replay_markdown(replayed),
        })
    }
}

impl Replay {
    /// Judges all recorded requests, and writes which of them get other findings.
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        output::check(&self.formats)?;
        let variant = self.judging.versions().only()?;
        let Judging { checked, file: found, own_policies } = self.judging.load(&variant)?;
        let old_config = self.old_config()?;
        let records = records(&self.paths)?;
        let inputs = Inputs {
            files: records
                .iter()
                .chain(self.judging.paths())
                .chain(&self.old_config)
                .cloned()
                .chain(found.iter().map(|it| PathBuf::from(&it.path)))
                .collect(),
            directories: self
                .paths
                .iter()
                .chain(&self.garden)
                .filter(|it| it.is_dir())
                .cloned()
                .collect(),
        };
        inputs.check_outputs(self.formats.iter().filter_map(|it| it.file.as_deref()))?;
        let trees = Trees::of_outputs(self.paths.iter().chain(&self.garden));
        let files = output::open_whole(&self.formats, &trees)?;
        let garden = self.snapshot()?;
        let judge = |config| ReplayJudge { config, policies: &own_policies };
        let replayer = Replayer {
            garden: &garden,
            base: old_config
                .as_ref()
                .map_or(ReplayBase::Recorded, |it| ReplayBase::Judged(judge(it))),
            judge: judge(&checked.config),
        };
        let progress = Progress::until("replaying", records.len());
        let mut replayed = Replayed::default();
        for file in &records {
            replay(file, &replayer, &mut replayed)?;
            progress.add(1);
        }
        drop(progress);
        let text = |format: Format, look| format.text(&replayed, look);
        output::write_whole(files, &self.formats, self.color, out, text)?;
        let is_undetermined =
            replayed.unreadable_count > 0 || !replayed.of(Change::Undetermined).is_empty();
        Ok(match replayed.requests {
            _ if replayed.newly_denied > 0 => Outcome::Problems,
            _ if is_undetermined => Outcome::Undetermined,
            0 => Outcome::Nothing,
            _ => Outcome::Clean,
        })
    }

    fn old_config(&self) -> anyhow::Result<Option<Config>> {
        let Some(config) = &self.old_config else { return Ok(None) };
        let files = ConfigFiles {
            config: Some(config.clone()),
            admission_config: self.judging.admission_config().cloned(),
        };
        Ok(Some(config_files::load(&files, &rules::known_ids())?.config))
    }

    fn snapshot(&self) -> anyhow::Result<Snapshot> {
        let Some(directory) = &self.garden else { return Ok(Snapshot::new(Knowledge::Nothing)) };
        let reading = Reading {
            wanted: Wanted { config_map_data: true, ..Wanted::default() },
            is_whole: self.whole_garden,
        };
        Ok(load_garden(directory, reading)?.snapshot)
    }
}

/// Returns the files of records below paths, the oldest first.
fn records(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        let cannot_read = || format!("cannot read `{}`", path.display());
        if fs::metadata(path).with_context(cannot_read)?.is_dir() {
            let mut found = Vec::new();
            for entry in fs::read_dir(path).with_context(cannot_read)? {
                found.push(entry.with_context(cannot_read)?.path());
            }
            found.retain(|it| it.extension() == Some(OsStr::new("jsonl")) && it.is_file());
            found.sort_unstable();
            files.extend(found);
        } else {
            files.push(path.clone());
        }
    }
    let mut seen = HashSet::new();
    files.retain(|it| seen.insert(it.clone()));
    Ok(files)
}

/// Number of lines that are judged before their results are added, which bounds memory.
const LINES: usize = 4096;

/// Judges the requests in a file on all cores.
fn replay(file: &Path, replayer: &Replayer<'_>, replayed: &mut Replayed) -> anyhow::Result<()> {
    let name = file.display().to_string();
    let bytes =
        read_within(file, Limit::RECORDS).with_context(|| format!("cannot read `{name}`"))?;
    let mut lines = bytes.split(|it| *it == b'\n').enumerate();
    loop {
        let some: Vec<(usize, &[u8])> = lines.by_ref().take(LINES).collect();
        if some.is_empty() {
            return Ok(());
        }
        let judged = some.par_iter().filter(|(_, line)| !line.trim_ascii().is_empty());
        let judged = judged.map(|(index, line)| {
            let place = format!("{name}:{}", index + 1);
            let line = str::from_utf8(line).map_err(|_| "it is not UTF-8 text".to_owned());
            let result = line.and_then(|line| replayer.replay(&place, line));
            (place, result)
        });
        for (place, result) in judged.collect::<Vec<_>>() {
            replayed.add(&place, result);
        }
    }
}
