//! What fails a review: levels, and what was there before.

use std::fs::{self, File, Permissions};
use std::io::{BufWriter, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tempfile::NamedTempFile;

use crate::cli::Outcome;
use crate::cli::output::beside;
use crate::config::{Level, ReviewDefaults};
use crate::report::{Baseline, Compared, Comparing, Reviewed, Summary, Weight};

/// More than a review of a whole landscape writes, many times over.
const MOST_BYTES: u64 = 256 << 20;

/// What fails a review.
#[derive(Args, Debug)]
pub(super) struct Threshold {
    /// The lowest level of a finding that makes the exit code 1: deny or warn [default: deny].
    #[arg(long, value_name = "LEVEL", value_parser = PossibleValuesParser::new(["deny", "warn"]).try_map(|it| it.parse::<Level>()), hide_possible_values = true)]
    fail_on: Option<Level>,

    /// Say only what is new since this file was written; the summary counts the rest. It does not fail the review, but Gardener will
    /// refuse what it refused before.
    #[arg(long, value_name = "FILE", conflicts_with = "write_baseline")]
    baseline: Option<PathBuf>,

    /// Write all findings to this file, for --baseline. Exit code 0 if it could be written.
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
}

/// What a review is compared with, while it goes on.
pub(super) enum Comparison {
    /// Nothing: everything is new.
    None,
    /// What was there before.
    With(Comparing),
    /// What it finds itself, which is written to this file.
    Written(PathBuf, Baseline),
}

impl Threshold {
    /// What to compare with; read before anything is judged, which may take long.
    ///
    /// # Errors
    /// When the baseline cannot be read, or is none; or when it is to be written and cannot be.
    pub(super) fn comparison(&self, defaults: &ReviewDefaults) -> anyhow::Result<Comparison> {
        if let Some(file) = &self.write_baseline {
            drop(next_to(file).with_context(|| cannot_write(file))?);
            return Ok(Comparison::Written(file.clone(), Baseline::default()));
        }
        let file = self.baseline.as_ref().or(defaults.baseline.as_ref());
        let baseline = file.map(|file| {
            let shown = file.display();
            let text = read(file).with_context(|| {
                format!("cannot read the baseline `{shown}`; --write-baseline {shown} writes one")
            })?;
            Baseline::read(&text).with_context(|| {
                format!("`{shown}` is no baseline; --write-baseline {shown} writes one")
            })
        });
        Ok(baseline
            .transpose()?
            .map_or(Comparison::None, |it| Comparison::With(it.comparing())))
    }

    /// How a review ended. Refusals beat what is undetermined: a user can do something about them.
    pub(super) fn outcome(&self, defaults: &ReviewDefaults, summary: &Summary) -> Outcome {
        let fail_on = self.fail_on.or(defaults.fail_on).unwrap_or(Level::Deny);
        let fails = |weight| summary.says(weight);
        if self.write_baseline.is_some() {
            Outcome::Clean
        } else if fails(Weight::Refused) || fail_on == Level::Warn && fails(Weight::Warned) {
            Outcome::Problems
        } else if fails(Weight::Unknown) {
            Outcome::Undetermined
        } else if summary.is_empty() {
            Outcome::Nothing
        } else {
            Outcome::Clean
        }
    }
}

impl Comparison {
    /// Whether a file is to be written.
    pub(super) fn is_written(&self) -> bool {
        matches!(self, Comparison::Written(..))
    }

    /// Marks what about an object is not new.
    pub(super) fn mark(&mut self, object: &mut Reviewed) {
        match self {
            Comparison::None => {}
            Comparison::With(baseline) => baseline.mark(object),
            Comparison::Written(_, baseline) => baseline.add(object),
        }
    }

    /// What it came to; writes what is to be written.
    ///
    /// # Errors
    /// When the baseline cannot be written.
    pub(super) fn end(self) -> anyhow::Result<Option<Compared>> {
        Ok(match self {
            Comparison::None => None,
            Comparison::With(baseline) => Some(baseline.end()),
            Comparison::Written(file, baseline) => {
                write(&file, &baseline).with_context(|| cannot_write(&file))?;
                Some(baseline.compared())
            }
        })
    }
}

fn cannot_write(file: &Path) -> String {
    format!("cannot write the baseline `{}`", file.display())
}

fn read(file: &Path) -> anyhow::Result<String> {
    if !fs::metadata(file)?.is_file() {
        bail!("it is not a file");
    }
    let mut text = String::new();
    File::open(file)?
        .take(MOST_BYTES + 1)
        .read_to_string(&mut text)?;
    if text.len() as u64 > MOST_BYTES {
        bail!("it is larger than {} MiB", MOST_BYTES >> 20);
    }
    Ok(text)
}

/// Whole or not at all: a baseline that is cut off would be an error, or hide less than it should.
fn write(file: &Path, baseline: &Baseline) -> anyhow::Result<()> {
    let (mut new, target) = next_to(file)?;
    let mut out = BufWriter::new(&mut new);
    baseline.write(&mut out)?;
    out.flush()?;
    drop(out);
    new.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

/// A new file that can take the place of a file, and where that is.
fn next_to(file: &Path) -> anyhow::Result<(NamedTempFile, PathBuf)> {
    // A link stays one.
    let target = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    if fs::metadata(&target).is_ok_and(|it| !it.is_file()) {
        bail!("it is not a file");
    }
    let new = beside(&target, Permissions::from_mode(0o666))?;
    Ok((new, target))
}
