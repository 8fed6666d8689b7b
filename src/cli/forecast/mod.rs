//! `garden-gate forecast`: what maintenance will do to Shoots.

mod format;
mod garden;
mod horizon;
mod select;

use std::collections::BTreeMap;
use std::io::Write;

use clap::{Args, ColorChoice};
use jiff::Timestamp;
use rayon::prelude::*;

use self::format::Format;
use self::garden::{Found, Shoots};
use self::horizon::Horizon;
use self::select::Selection;
use super::Outcome;
use super::garden::GardenArgs;
use super::output::Output;
use super::progress::Progress;
use super::review::Configuration;
use crate::engine::World;
use crate::forecast::{Foreseen, Outlook, Profile, Unforeseen, forecast};
use crate::model::ProfileKey;
use crate::rules;

/// Tell what maintenance will do to Shoots, when, and why: which versions it updates, automatically or by force, where it cannot, and
/// which rule refuses it. The garden is taken to stay as it is; versions pass through their stages.
#[derive(Args, Debug)]
#[command(after_long_help = "\
Examples:
  garden-gate forecast --garden dump/
  garden-gate forecast dev/web --live --for 180d
  garden-gate forecast --garden dump/ --project dev --format markdown=forecast.md

Exit codes:
  0  all that is due can be done
  1  something is refused by a rule, or has to be updated and cannot be
  2  something could not be done, or nothing can be said about a Shoot
  3  there is no Shoot")]
pub(super) struct Forecast {
    #[command(flatten)]
    selection: Selection,

    #[command(flatten)]
    garden: GardenArgs,

    #[command(flatten)]
    horizon: Horizon,

    #[command(flatten)]
    configuration: Configuration,

    /// How to print the forecast: text, json or markdown; with `=FILE` to a file. May be given several times; one of them at most
    /// goes to standard output.
    #[arg(long = "format", value_name = "FORMAT[=FILE]", default_value = "text")]
    formats: Vec<Output<Format>>,

    /// Whether text has colours; `auto` is on a terminal, unless NO_COLOR is set.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
}

impl Forecast {
    /// Looks ahead for every Shoot that is asked for, and writes what it sees.
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        format::check(&self.formats)?;
        let (checked, _) = self.configuration.load(&[])?;
        let (at, until) = self.horizon.times()?;
        let files = format::open(&self.formats)?;
        let Shoots { garden, found } = garden::shoots(&self.garden, &checked, &self.selection)?;
        let world = World {
            rules: rules::ALL,
            garden: &garden,
            config: &checked.config,
            now: at,
        };
        let outlook = outlook(found, &world, until);
        format::write(files, &self.formats, &outlook, self.color, out)?;
        Ok(outcome(&outlook))
    }
}

/// Looks ahead for every Shoot, on all cores.
fn outlook(found: Vec<Found>, world: &World<'_>, until: Timestamp) -> Outlook {
    let keys = found.iter().filter_map(|it| it.profile.clone());
    let mut profiles: BTreeMap<ProfileKey, Result<Profile, String>> = BTreeMap::new();
    for key in keys {
        let find = || Profile::find(&key, world.garden);
        profiles.entry(key.clone()).or_insert_with(find);
    }
    let progress = Progress::until("forecasting", found.len());
    let seen = found.into_par_iter().map(|shoot| {
        let seen = foresee(shoot, &profiles, world, until);
        progress.add(1);
        seen
    });
    let seen: Vec<Result<Foreseen, Unforeseen>> = seen.collect();
    let mut outlook = Outlook {
        at: world.now,
        until,
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

fn foresee(
    found: Found,
    profiles: &BTreeMap<ProfileKey, Result<Profile, String>>,
    world: &World<'_>,
    until: Timestamp,
) -> Result<Foreseen, Unforeseen> {
    let Found {
        namespace,
        name,
        owner,
        profile,
        stored,
    } = found;
    let seen = stored.and_then(|stored| {
        let profile = profile.and_then(|key| profiles.get(&key));
        let profile = profile.ok_or("it names no profile")?;
        let profile = profile.as_ref().map_err(String::clone)?;
        forecast(stored, profile, world, until).map_err(|error| error.to_string())
    });
    match seen {
        Ok(forecast) => Ok(Foreseen { owner, forecast }),
        Err(why) => Err(Unforeseen {
            owner,
            namespace,
            name,
            why,
        }),
    }
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
