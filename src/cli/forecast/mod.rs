// SPDX-License-Identifier: Apache-2.0
//! `garden-gate forecast`: predicts the maintenance of Shoots.

mod changed;
mod format;
pub(super) mod garden;
pub(super) mod select;
pub(super) mod what_if;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use anyhow::anyhow;
use clap::{Args, ColorChoice, ValueEnum};
use jiff::Timestamp;

use self::format::{ForecastView, Format};
use self::garden::Shoots;
use self::select::Selection;
use super::Outcome;
use super::garden::GardenArgs;
use super::horizon::Horizon;
use super::output::{Inputs, Output, open_whole, write_whole};
use super::review::Configuration;
use crate::files::Trees;
use crate::review::notes::note;
use crate::review::progress::Progress;
use garden_gate_core::admission::World;
use garden_gate_core::config::Config;
use garden_gate_core::garden::Snapshot;
use garden_gate_core::rules;
use garden_gate_model::api::ProfileKey;
use garden_gate_products::forecast::{
    Change, Difference, Ladder, Outlook, Owner, Profile, StoredShoot, UnknownForecast,
};
use garden_gate_products::report::{EarlierForecast, ForecastChanges, ForecastReport};

/// Arguments of `garden-gate forecast`.
#[derive(Args, Debug)]
#[command(
    next_help_heading = "Output",
    after_help = "\
Examples:
  garden-gate forecast --garden dump/
  garden-gate forecast dev/web --live --for 180d
  garden-gate forecast --garden dump/ --project dev --format markdown=dev.md
  garden-gate forecast --garden dump/ --format json=monday.json
  garden-gate forecast --garden dump/ --changed-since monday.json
  garden-gate forecast --garden dump/ --with cloudprofile.yaml --fail-on act
  garden-gate forecast --garden dump/ --cloud-profile stratus

Exit codes:
  0  the forecast was written
  1  with --fail-on act, a person must act, or an unreadable file may contain
     Shoots; with --changed-since and --with, only if that is new
  2  the command failed
  3  there are no Shoots
  4  no Shoot could be read"
)]
pub(super) struct Forecast {
    #[command(flatten, next_help_heading = "Selection")]
    selection: Selection,

    /// Report only differences that the CloudProfiles and NamespacedCloudProfiles of this file would cause, by Shoot.
    ///
    /// May be given several times. Formats: text, json and markdown.
    #[arg(
        long = "with",
        value_name = "FILE",
        conflicts_with = "changed_since",
        help_heading = "Profiles"
    )]
    with: Vec<PathBuf>,

    /// Report only events that are new since the forecast in this JSON report (--format json=FILE), and count those that are gone.
    ///
    /// Dates are not compared. Formats: text, json, markdown and html.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    changed_since: Option<PathBuf>,

    /// Show the versions of a profile instead: stages, dates, and the number of Shoots on each version.
    ///
    /// A NamespacedCloudProfile is NAMESPACE/NAME. Formats: text, json and markdown.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["with", "changed_since"], help_heading = "Profiles")]
    cloud_profile: Option<String>,

    /// The old name of --cloud-profile.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["with", "changed_since", "cloud_profile"], hide = true)]
    profile: Option<String>,

    /// List every event of every Shoot; by default, equal events of more than ten Shoots are grouped.
    #[arg(long, short = 'v', alias = "verbose", help_heading = "Output")]
    details: bool,

    /// Condition of exit code 1.
    #[arg(long, value_name = "CONDITION", default_value = "never", help_heading = "Output")]
    fail_on: FailOn,

    #[command(flatten)]
    garden: GardenArgs,

    #[command(flatten, next_help_heading = "Period")]
    horizon: Horizon,

    #[command(flatten)]
    configuration: Configuration,

    /// Output format: text, json, markdown, html or ics; with `=FILE` to a file.
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

/// The condition of exit code 1.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum FailOn {
    /// No condition.
    Never,
    /// A rule refuses an update, a required one is impossible, or a Shoot has no forecast.
    Act,
}

impl Forecast {
    /// Predicts the maintenance of every selected Shoot and writes the forecast.
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        if self.profile.is_some() {
            note(format_args!("note: --profile is now --cloud-profile, and will be removed"));
        }
        let cloud_profile = self.cloud_profile.as_ref().or(self.profile.as_ref());
        let is_short = !self.with.is_empty() || cloud_profile.is_some();
        format::check(&self.formats, is_short, self.changed_since.is_some())?;
        let versions = self.configuration.versions.only()?;
        let (mut checked, _) = self.configuration.load(&[], &rules::known_ids(), &versions)?;
        let earlier = self.changed_since.as_deref().map(changed::read).transpose()?;
        let garden = self.garden.directory_or(&checked.review)?;
        let inputs = Inputs {
            files: self
                .with
                .iter()
                .chain(&self.changed_since)
                .chain(self.garden.files())
                .cloned()
                .collect(),
            directories: garden.cloned().into_iter().collect(),
        };
        inputs.check_outputs(self.formats.iter().filter_map(|it| it.file.as_deref()))?;
        let (at, until) = self.horizon.times()?;
        let files = open_whole(
            &self.formats,
            &Trees::of_outputs(garden.iter().copied().chain(&self.with)),
        )?;
        let Shoots { garden, published, found, is_partial } =
            garden::shoots(&self.garden, &checked, &self.selection)?;
        let judged = published.apply(&mut checked.config).judged;
        if let Some(why) = judged.note() {
            note(format_args!("note: {why}"));
        }
        let ahead = ForecastPeriod { config: &checked.config, at, until };
        let write = |shown: &ForecastView<'_>| {
            let text = |format: Format, look| format.text(shown, look);
            write_whole(files, &self.formats, self.color, out, text)
        };
        let is_empty = found.is_empty();
        let (is_empty, is_urgent) = match cloud_profile {
            Some(name) => {
                let (ladder, outlook) = ladder(name, found, &garden, ahead)?;
                write(&ForecastView::Ladder(&ladder, &outlook))?;
                self.report_missing(outlook.unforeseen.iter());
                let is_unused = outlook.shoots.is_empty() && outlook.unforeseen.is_empty();
                (is_unused, must_act(&outlook))
            }
            None if self.with.is_empty() => {
                let mut outlook = ahead.outlook(found, &garden);
                let changes = earlier.map(|it| self.compare(&it, &mut outlook));
                write(&ForecastView::Report(ForecastReport {
                    outlook: &outlook,
                    changes: changes.as_ref(),
                    is_detailed: self.details,
                }))?;
                self.report_missing(outlook.unforeseen.iter());
                (is_empty, must_act(&outlook))
            }
            None => {
                let changed = what_if::with(&garden, &self.with)?;
                let before = ahead.outlook(found.clone(), &garden);
                let after = ahead.outlook(found, &changed);
                let difference = Difference::of(&before, &after);
                write(&ForecastView::Difference(&difference))?;
                self.report_missing(difference.lost.iter().copied());
                (is_empty, is_worse(&difference))
            }
        };
        Ok(match (is_empty, is_partial) {
            (true, true) => Outcome::Undetermined,
            (true, false) => Outcome::Nothing,
            (false, _) if self.fail_on == FailOn::Act && (is_urgent || is_partial) => {
                Outcome::Problems
            }
            (false, _) => Outcome::Clean,
        })
    }

    /// Removes the events of an earlier forecast.
    fn compare(&self, earlier: &EarlierForecast, outlook: &mut Outlook) -> ForecastChanges {
        let file = self.changed_since.as_ref().map(|it| it.display().to_string());
        let is_selected = |namespace: &str, name: &str, owner: &Owner| {
            self.selection.takes(namespace, name, owner, &mut BTreeSet::new())
        };
        earlier.compare(outlook, file.unwrap_or_default(), is_selected)
    }

    /// Prints the Shoots without a forecast on standard error if only files contain them.
    fn report_missing<'a>(&self, mut missing: impl ExactSizeIterator<Item = &'a UnknownForecast>) {
        let count = missing.len();
        if self.formats.iter().any(Output::is_standard) {
            return;
        }
        if let Some(first) = missing.next() {
            let (title, why) = (first.title(), &first.why);
            let more = match count {
                1 => String::new(),
                count => format!(" and {} more", count - 1),
            };
            note(format_args!("warning: no forecast for {title}{more}: {why}"));
        }
    }
}

/// Returns the version ladder of a profile, and the forecast for the Shoots that use the profile.
fn ladder(
    name: &str,
    found: Vec<StoredShoot>,
    garden: &Snapshot,
    ahead: ForecastPeriod<'_>,
) -> anyhow::Result<(Ladder, Outlook)> {
    let key = profile_key(name);
    let profile = Profile::find(&key, garden).map_err(|why| anyhow!("{why}"))?;
    let is_its = |it: &StoredShoot| it.profile.as_ref() == Some(&key);
    let outlook = ahead.outlook(found.into_iter().filter(is_its).collect(), garden);
    let ladder = Ladder::of(&profile, (outlook.at, outlook.until), outlook.shoots.iter());
    Ok((ladder, outlook))
}

fn profile_key(name: &str) -> ProfileKey {
    match name.split_once('/') {
        Some((namespace, name)) => ProfileKey::namespaced(namespace, name),
        None => ProfileKey::cluster(name),
    }
}

/// The period and the configuration of a forecast.
#[derive(Clone, Copy)]
struct ForecastPeriod<'a> {
    config: &'a Config,
    at: Timestamp,
    until: Timestamp,
}

impl ForecastPeriod<'_> {
    /// Predicts the maintenance of every Shoot, on all cores.
    fn outlook(self, found: Vec<StoredShoot>, garden: &Snapshot) -> Outlook {
        let world = World { rules: rules::ALL.into(), garden, config: self.config, now: self.at };
        let progress = Progress::until("forecasting", found.len());
        Outlook::of(found, &world, self.until, || progress.add(1))
    }
}

/// Reports whether a person must act.
fn must_act(outlook: &Outlook) -> bool {
    let counts = outlook.counts();
    counts.blocked + counts.impossible > 0 || !outlook.unforeseen.is_empty()
}

/// Reports whether a change strands Shoots or forces them earlier.
fn is_worse(difference: &Difference<'_>) -> bool {
    let bad = [Change::Stranded, Change::ForcedEarlier];
    !difference.lost.is_empty() || bad.iter().any(|it| difference.count(*it) > 0)
}
