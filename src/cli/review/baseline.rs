//! What fails a review: levels, and what was there before.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::cli::Outcome;
use crate::config::{Level, ReviewDefaults};
use crate::report::{Baseline, Report, Weight};

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

/// What a review is compared with.
pub(super) enum Comparison {
    /// Nothing: everything is new.
    None,
    /// What was there before.
    With(Baseline),
    /// What it finds itself, which is written to this file.
    Written(PathBuf),
}

impl Threshold {
    /// What to compare with; read before anything is judged, which may take long.
    ///
    /// # Errors
    /// When the baseline cannot be read, or is none.
    pub(super) fn comparison(&self, defaults: &ReviewDefaults) -> anyhow::Result<Comparison> {
        if let Some(file) = &self.write_baseline {
            return Ok(Comparison::Written(file.clone()));
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
            .map_or(Comparison::None, Comparison::With))
    }

    /// How a review ended. Refusals beat what is undetermined: a user can do something about them.
    pub(super) fn outcome(
        &self,
        defaults: &ReviewDefaults,
        comparison: &Comparison,
        report: &Report,
    ) -> Outcome {
        let fail_on = self.fail_on.or(defaults.fail_on).unwrap_or(Level::Deny);
        let fails = |weight| report.says(weight);
        if matches!(comparison, Comparison::Written(_)) {
            Outcome::Clean
        } else if fails(Weight::Refused) || fail_on == Level::Warn && fails(Weight::Warned) {
            Outcome::Problems
        } else if fails(Weight::Unknown) {
            Outcome::Undetermined
        } else if report.reviewed.is_empty() && report.left_out.unchanged == 0 {
            Outcome::Nothing
        } else {
            Outcome::Clean
        }
    }
}

impl Comparison {
    /// Marks what is not new, and writes what is to be written.
    ///
    /// # Errors
    /// When the baseline cannot be written.
    pub(super) fn apply(&self, report: &mut Report) -> anyhow::Result<()> {
        let own;
        let baseline = match self {
            Comparison::None => return Ok(()),
            Comparison::With(baseline) => baseline,
            Comparison::Written(file) => {
                own = Baseline::of(&report.reviewed);
                write(file, &own)
                    .with_context(|| format!("cannot write the baseline `{}`", file.display()))?;
                &own
            }
        };
        report.baseline = Some(baseline.compare(&mut report.reviewed));
        Ok(())
    }
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
    // A link stays one.
    let target = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    if fs::metadata(&target).is_ok_and(|it| !it.is_file()) {
        bail!("it is not a file");
    }
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut new = tempfile::Builder::new()
        .prefix(".garden-gate-baseline")
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder)
        // Without the name of a file that nobody knows of.
        .map_err(|error| io::Error::from(error.kind()))?;
    let mut out = BufWriter::new(&mut new);
    baseline.write(&mut out)?;
    out.flush()?;
    drop(out);
    new.persist(&target).map_err(|error| error.error)?;
    Ok(())
}
