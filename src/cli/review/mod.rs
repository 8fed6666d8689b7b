//! `garden-gate review`: the verdicts of the server, before anything is pushed.

mod fix;
mod format;
mod meant;
mod subject;

use std::fs;
use std::io::{IsTerminal, Read, Write, stderr, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, ColorChoice};
use jiff::Timestamp;

use self::format::{Format, Output};
use super::Outcome;
use crate::config::{self, ConfigFiles};
use crate::engine::{Case, Door, Request, Review as Verdicts, Verdict, World};
use crate::garden::{Knowledge, Snapshot, directory};
use crate::model::UserInfo;
use crate::report::{Look, Reviewed, write_fixed, write_text};
use crate::rules::{self, catalogue::known_ids};

/// The largest file that is read; more than any API server accepts in one object, many times over.
const MAX_FILE_BYTES: u64 = 64 * 1024 * 1024;

/// Judge manifests (as if they were created) and AdmissionReviews, without a cluster.
#[derive(Args, Debug)]
pub(super) struct Review {
    /// Files with manifests (YAML or JSON, several documents allowed) or AdmissionReviews (JSON); `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// A directory of manifests that stands for the garden; without it, what depends on other objects cannot be judged.
    #[arg(long, value_name = "DIR")]
    garden: Option<PathBuf>,

    /// The gate's configuration file.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Gardener's AdmissionConfiguration file, for the global toleration lists.
    #[arg(long, value_name = "FILE")]
    admission_config: Option<PathBuf>,

    /// Judge manifests as if this user applied them. AdmissionReviews name their own user.
    #[arg(long = "as", value_name = "USER", default_value = "system:anonymous")]
    user: String,

    /// A group of the user; may be given several times.
    #[arg(long = "as-group", value_name = "GROUP")]
    groups: Vec<String>,

    /// Put webhook configurations of a Shoot cluster right, as Gardener's remediation would: the manifests that change go to
    /// standard output, ready for `kubectl apply -f -`; the verdicts, with a diff of each, to standard error. With `--format json` both
    /// are in `fix` of the object's review.
    #[arg(long)]
    fix: bool,

    /// How to print the verdicts: text, json, sarif, junit, github, markdown or status; with `=FILE` to a file. May be given several
    /// times; one of them at most goes to standard output.
    #[arg(long = "format", value_name = "FORMAT[=FILE]", default_value = "text")]
    formats: Vec<Output>,

    /// Whether text has colours; `auto` is on a terminal, unless NO_COLOR is set.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
}

impl Review {
    /// Judges every object of every file, then prints all verdicts.
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        let files = ConfigFiles {
            config: self.config.clone(),
            admission_config: self.admission_config.clone(),
        };
        let config = config::load(&files, &known_ids())?.config;
        let garden = match &self.garden {
            Some(directory) => directory::load(directory)?.snapshot,
            None => Snapshot::new(Knowledge::Nothing),
        };
        let world = World {
            rules: rules::ALL,
            garden: &garden,
            config: &config,
            now: Timestamp::now(),
        };
        let standard = self.formats.iter().filter(|it| it.is_standard()).count();
        if standard > 1 {
            bail!(
                "only one format can go to standard output; write the others to files, as in `--format sarif=FILE`"
            );
        }
        let mut reviewed = Vec::new();
        for file in &self.files {
            let name = file.display().to_string();
            for subject in subject::read(&name, read(file)?, &self.requester()) {
                let fix = if self.fix { subject.fix()? } else { None };
                let object = subject.judge(|request| verdict(request, &world));
                reviewed.push(Reviewed { fix, ..object });
            }
        }
        if reviewed.is_empty() {
            bail!(
                "there is nothing to review: no file has an object of core.gardener.cloud/v1beta1 or an AdmissionReview"
            );
        }
        self.write(out, &reviewed)?;
        outcome(&reviewed)
    }

    /// As fits what text is written to.
    fn look(&self, stream: &impl IsTerminal) -> Look {
        let is_terminal = stream.is_terminal();
        let wants_none = std::env::var_os("NO_COLOR").is_some_and(|it| !it.is_empty());
        let size = terminal_size::terminal_size().filter(|_| is_terminal);
        Look {
            is_coloured: match self.color {
                ColorChoice::Always => true,
                ColorChoice::Never => false,
                ColorChoice::Auto => is_terminal && !wants_none,
            },
            width: size.map_or(Look::default().width, |(width, _)| width.0.into()),
        }
    }

    fn write(&self, out: &mut dyn Write, reviewed: &[Reviewed]) -> anyhow::Result<()> {
        for output in &self.formats {
            if self.fix && output.is_standard() && output.format == Format::Text {
                write_text(&mut stderr().lock(), reviewed, self.look(&stderr()))?;
                write_fixed(out, reviewed)?;
            } else {
                output.write(out, reviewed, self.look(&stdout()))?;
            }
        }
        Ok(())
    }

    /// Whoever authenticates is in `system:authenticated`, as behind an API server.
    fn requester(&self) -> UserInfo {
        let standard = if self.user == "system:anonymous" {
            "system:unauthenticated"
        } else {
            "system:authenticated"
        };
        let groups = self
            .groups
            .iter()
            .cloned()
            .chain([standard.to_owned()])
            .collect();
        UserInfo {
            username: self.user.clone(),
            groups,
            ..UserInfo::default()
        }
    }
}

/// Offline nobody answers questions; with a whole garden there are none.
fn verdict(request: &Request<'_>, world: &World<'_>) -> Verdicts {
    Case::decide(Door::Review, request, world, |garden, questions| {
        for question in questions {
            garden.tell_unknown(question, "offline there is no API server to ask");
        }
    })
}

fn read(file: &Path) -> anyhow::Result<String> {
    let named = || format!("cannot read `{}`", file.display());
    let source: Box<dyn Read> = if file == Path::new("-") {
        Box::new(std::io::stdin())
    } else {
        Box::new(fs::File::open(file).with_context(named)?)
    };
    let mut text = String::new();
    let read = source
        .take(MAX_FILE_BYTES + 1)
        .read_to_string(&mut text)
        .with_context(named)?;
    if read as u64 > MAX_FILE_BYTES {
        bail!(
            "`{}` has more than {MAX_FILE_BYTES} bytes; split it",
            file.display()
        );
    }
    Ok(text)
}

/// Denied beats undetermined: a user can do something about it.
fn outcome(reviewed: &[Reviewed]) -> anyhow::Result<Outcome> {
    let any = |verdict| reviewed.iter().any(|object| object.verdict() == verdict);
    if any(Verdict::Denied) {
        return Ok(Outcome::Problems);
    }
    if any(Verdict::Undetermined) {
        return Ok(Outcome::Undetermined);
    }
    Ok(Outcome::Clean)
}
