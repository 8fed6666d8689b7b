// SPDX-License-Identifier: Apache-2.0
//! Exit code of a review: levels and baseline.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::cli::Outcome;
use crate::config_files;
use crate::files::{Destination, Limit, Trees, read_text_in};
use garden_gate_core::config::{FailOn, ReviewDefaults};
use garden_gate_products::report::{Baseline, Compared, Comparing, Reviewed, Summary, Weight};

/// Conditions that fail a review.
#[derive(Args, Debug)]
pub(super) struct Threshold {
    /// What fails the review: never, deny (refusals), undetermined (also undetermined verdicts) or warn (also warnings)
    /// [default: undetermined].
    #[arg(long, value_name = "WHAT", value_parser = PossibleValuesParser::new(FailOn::NAMES).try_map(|it| it.parse::<FailOn>()), hide_possible_values = true)]
    fail_on: Option<FailOn>,

    /// Report only findings that are not in this baseline, a file written by --write-baseline.
    ///
    /// The summary counts known findings. They do not fail the review, but Gardener still refuses these objects.
    #[arg(long, value_name = "FILE", conflicts_with = "write_baseline")]
    baseline: Option<PathBuf>,

    /// Write all findings to this file, for --baseline; the exit code is 0 if it was written.
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
}

/// The baseline of a review in progress.
pub(super) enum Comparison {
    /// No baseline: everything is new.
    None,
    /// An existing baseline.
    With(Comparing),
    /// A baseline that the review writes.
    Record(NewBaseline),
}

/// A baseline with the file that it is written to.
pub(super) struct NewBaseline {
    file: PathBuf,
    destination: Destination,
    baseline: Baseline,
}

impl Threshold {
    /// Returns the comparison, before any object is judged.
    ///
    /// # Errors
    /// Fails if the baseline cannot be read or parsed, or the file for a new one cannot be written.
    pub(super) fn comparison(
        &self,
        defaults: &ReviewDefaults,
        trees: &Trees,
    ) -> anyhow::Result<Comparison> {
        if let Some(file) = &self.write_baseline {
            if fs::metadata(file).is_ok_and(|it| !it.is_file()) {
                bail!("{}: it is not a file", cannot_write(file));
            }
            let destination = Destination::open(file, trees).with_context(|| cannot_write(file))?;
            let (file, baseline) = (file.clone(), Baseline::default());
            return Ok(Comparison::Record(NewBaseline { file, destination, baseline }));
        }
        let file = match &self.baseline {
            Some(file) => Some(file),
            None => config_files::baseline(defaults)?,
        };
        let baseline = file.map(|file| {
            let shown = file.display();
            let text = read_text_in(trees, file, Limit::BASELINES).with_context(|| {
                format!("cannot read the baseline `{shown}`; --write-baseline {shown} writes one")
            })?;
            let message =
                || format!("`{shown}` is not a baseline; --write-baseline {shown} writes one");
            Baseline::read(&text).map_err(|error| match self.baseline {
                Some(_) => anyhow::Error::new(error).context(message()),
                // The author of a pull request may have named any file in its configuration.
                None => anyhow!("{} (line {})", message(), error.line()),
            })
        });
        Ok(baseline.transpose()?.map_or(Comparison::None, |it| Comparison::With(it.comparing())))
    }

    /// Returns the file of the existing baseline, and that of the new one.
    pub(super) fn files(&self, defaults: &ReviewDefaults) -> (Option<PathBuf>, Option<&Path>) {
        let written = self.write_baseline.as_deref();
        let read = self.baseline.as_ref().or(defaults.baseline.as_ref());
        (read.filter(|_| written.is_none()).cloned(), written)
    }

    /// Reports whether the command line names a baseline to read or to write.
    pub(super) fn has_baseline(&self) -> bool {
        self.baseline.is_some() || self.write_baseline.is_some()
    }

    /// Returns what fails the review.
    pub(super) fn fail_on(&self, defaults: &ReviewDefaults) -> FailOn {
        self.fail_on.or(defaults.fail_on).unwrap_or_default()
    }

    /// Returns the outcome of a review.
    ///
    /// Refusals take precedence over undetermined checks, since users can fix refusals.
    pub(super) fn outcome(&self, defaults: &ReviewDefaults, summary: &Summary) -> Outcome {
        if self.write_baseline.is_some() {
            return Outcome::Clean;
        }
        outcome(self.fail_on(defaults), summary)
    }
}

/// Returns the outcome of a review or an audit.
pub(crate) fn outcome(fail_on: FailOn, summary: &Summary) -> Outcome {
    let fails = |level, weight| fail_on >= level && summary.says(weight);
    let is_refused = fails(FailOn::Deny, Weight::Invalid) || fails(FailOn::Deny, Weight::Refused);
    if is_refused || fails(FailOn::Warn, Weight::Warned) {
        Outcome::Problems
    } else if fails(FailOn::Undetermined, Weight::Unknown) {
        Outcome::Undetermined
    } else if summary.is_empty() {
        Outcome::Nothing
    } else {
        Outcome::Clean
    }
}

impl Comparison {
    /// Marks the findings of an object that are in the baseline.
    pub(super) fn mark(&mut self, object: &mut Reviewed) {
        match self {
            Comparison::None => {}
            Comparison::With(baseline) => baseline.mark(object),
            Comparison::Record(new) => new.baseline.add(object),
        }
    }

    /// Returns the result of the comparison, and the baseline that is to be written.
    pub(super) fn end(self) -> (Option<Compared>, Option<NewBaseline>) {
        match self {
            Comparison::None => (None, None),
            Comparison::With(baseline) => (Some(baseline.end()), None),
            Comparison::Record(new) => (Some(new.baseline.compared()), Some(new)),
        }
    }
}

impl NewBaseline {
    /// Writes the baseline as a whole, since a truncated one would be invalid or hide too little.
    ///
    /// # Errors
    /// Fails if it cannot be written.
    pub(super) fn write(mut self) -> anyhow::Result<()> {
        let mut text = Vec::new();
        self.baseline.write(&mut text)?;
        let written = self.destination.write(&mut Cursor::new(text));
        written.with_context(|| cannot_write(&self.file))
    }
}

fn cannot_write(file: &Path) -> String {
    format!("cannot write the baseline `{}`", file.display())
}
