//! `garden-gate forecast`: predicts the maintenance of Shoots.

mod format;
mod garden;
mod horizon;
mod select;
mod what_if;

use std::io::{Write, stderr};
use std::path::PathBuf;

use anyhow::{anyhow, bail};
use clap::{Args, ColorChoice};
use jiff::Timestamp;
use rayon::prelude::*;

use self::format::{ForecastView, Format};
use self::garden::Shoots;
use self::horizon::Horizon;
use self::select::Selection;
use super::Outcome;
use super::garden::GardenArgs;
use super::output::{Inputs, Output};
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
    Change, Difference, Ladder, Outlook, Profile, Profiles, ShootForecast, StoredShoot,
    UnknownForecast,
};
use garden_gate_products::report::Lines;

/// Arguments of `garden-gate forecast`.
#[derive(Args, Debug)]
#[command(
    next_help_heading = "Output",
    after_help = "\
Examples:
  garden-gate forecast --garden dump/
  garden-gate forecast dev/web --live --for 180d
  garden-gate forecast --garden dump/ --project dev --format markdown=dev.md
  garden-gate forecast --garden dump/ --with cloudprofile.yaml
  garden-gate forecast --garden dump/ --profile stratus

Exit codes:
  0  all due updates are possible
  1  a rule refuses an update, or a required update is impossible; with --with,
     if that is new, or if a Shoot is forced earlier
  2  the command failed, there is no forecast for a Shoot, or an unreadable file
     may contain Shoots
  3  there are no Shoots"
)]
pub(super) struct Forecast {
    #[command(flatten, next_help_heading = "Selection")]
    selection: Selection,

    /// Report only differences that the CloudProfiles and NamespacedCloudProfiles of this file would cause, by Shoot.
    ///
    /// May be given several times. Formats: text, json and markdown.
    #[arg(long = "with", value_name = "FILE", help_heading = "Profiles")]
    with: Vec<PathBuf>,

    /// Show the versions of a profile instead: stages, dates, and the number of Shoots on each version.
    ///
    /// A NamespacedCloudProfile is NAMESPACE/NAME. Formats: text, json and markdown.
    #[arg(long, value_name = "NAME", conflicts_with = "with", help_heading = "Profiles")]
    profile: Option<String>,

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

impl Forecast {
    /// Predicts the maintenance of every selected Shoot and writes the forecast.
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        format::check(&self.formats, !self.with.is_empty() || self.profile.is_some())?;
        if self.configuration.versions().len() > 1 {
            bail!(
                "--gardener-version takes one version here; `review` and `audit` compare several"
            );
        }
        let (mut checked, _) = self.configuration.load(&[], &rules::known_ids())?;
        let garden = self.garden.directory_or(&checked.review)?;
        let inputs =
            Inputs { files: self.with.clone(), directories: garden.cloned().into_iter().collect() };
        inputs.check_outputs(self.formats.iter().filter_map(|it| it.file.as_deref()))?;
        let (at, until) = self.horizon.times()?;
        let files = format::open(
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
        let write =
            |shown: &ForecastView<'_>| format::write(files, &self.formats, shown, self.color, out);
        let outcome = match &self.profile {
            Some(name) => {
                let (ladder, outlook) = ladder(name, found, &garden, ahead)?;
                write(&ForecastView::Ladder(&ladder, &outlook))?;
                self.report_missing(outlook.unforeseen.iter());
                outcome(&outlook)
            }
            None if self.with.is_empty() => {
                let outlook = ahead.outlook(found, &garden);
                write(&ForecastView::Outlook(&outlook))?;
                self.report_missing(outlook.unforeseen.iter());
                outcome(&outlook)
            }
            None => {
                let changed = what_if::with(&garden, &self.with)?;
                let before = ahead.outlook(found.clone(), &garden);
                let after = ahead.outlook(found, &changed);
                let difference = Difference::of(&before, &after);
                write(&ForecastView::Difference(&difference))?;
                self.report_missing(difference.lost.iter().copied());
                outcome_of(&difference)
            }
        };
        Ok(if is_partial { Outcome::Undetermined } else { outcome })
    }

    /// Prints the cause of exit code 2 on standard error if only files contain it.
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
            // If standard error fails, the files still contain the cause.
            let _ = Lines::plain(&mut stderr())
                .line(format_args!("error: no forecast for {title}{more}: {why}"));
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
    Ok((Ladder::of(&profile, &outlook), outlook))
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
        outlook(found, &world, self.until)
    }
}

fn outlook(found: Vec<StoredShoot>, world: &World<'_>, until: Timestamp) -> Outlook {
    let profiles = Profiles::default();
    let progress = Progress::until("forecasting", found.len());
    let seen = found.into_par_iter().map(|shoot| {
        let seen = shoot.forecast(&profiles, world, until);
        progress.add(1);
        seen
    });
    let seen: Vec<Result<ShootForecast, UnknownForecast>> = seen.collect();
    let mut outlook = Outlook {
        at: world.now,
        until,
        judged: world.config.judged_as(),
        shoots: Vec::with_capacity(seen.len()),
        unforeseen: Vec::new(),
    };
    for seen in seen {
        match seen {
            Ok(shoot) => outlook.shoots.push(shoot),
            Err(shoot) => outlook.unforeseen.push(shoot),
        }
    }
    outlook
}

fn outcome(outlook: &Outlook) -> Outcome {
    let counts = outlook.counts();
    if outlook.shoots.is_empty() && outlook.unforeseen.is_empty() {
        Outcome::Nothing
    } else if !outlook.unforeseen.is_empty() {
        Outcome::Undetermined
    } else if counts.blocked + counts.impossible > 0 {
        Outcome::Problems
    } else {
        Outcome::Clean
    }
}

fn outcome_of(difference: &Difference<'_>) -> Outcome {
    let bad = [Change::Stranded, Change::ForcedEarlier];
    let outlook = difference.after;
    if outlook.shoots.is_empty() && outlook.unforeseen.is_empty() {
        Outcome::Nothing
    } else if !difference.lost.is_empty() {
        Outcome::Undetermined
    } else if bad.iter().any(|it| difference.count(*it) > 0) {
        Outcome::Problems
    } else {
        Outcome::Clean
    }
}
