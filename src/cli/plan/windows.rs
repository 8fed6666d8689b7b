// SPDX-License-Identifier: Apache-2.0
//! The maintenance windows of the Shoots in a garden.

use std::io::Write;
use std::path::Path;

use anyhow::{Context as _, bail};
use jiff::{SignedDuration, Timestamp};

use super::PlanCommand;
use super::format::PlanView;
use crate::cli::Outcome;
use crate::cli::forecast::garden::{Shoots, shoots};
use crate::cli::forecast::select::Selection;
use crate::cli::forecast::what_if;
use crate::cli::horizon::Length;
use crate::cli::output::{Inputs, open_whole};
use crate::files::Trees;
use crate::review::notes::note;
use crate::review::progress::Progress;
use garden_gate_core::admission::World;
use garden_gate_core::garden::Snapshot;
use garden_gate_core::rules;
use garden_gate_products::forecast::{FleetPlan, Outlook, SpreadProfiles, with_profiles};
use garden_gate_products::report::FleetReport;

/// The shortest time over which updates are spread.
const SHORTEST_SPREAD: SignedDuration = SignedDuration::from_hours(48);

impl PlanCommand {
    /// Plans the windows of the selected Shoots, and writes the plan.
    pub(super) fn run_windows(&self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        let versions = self.configuration.versions.only()?;
        let (mut checked, _) = self.configuration.load(&[], &rules::known_ids(), &versions)?;
        let garden = self.garden.directory_or(&checked.review)?;
        let inputs = Inputs {
            files: self.with.iter().chain(self.garden.files()).cloned().collect(),
            directories: garden.cloned().into_iter().collect(),
        };
        inputs.check_outputs(self.formats.iter().filter_map(|it| it.file.as_deref()))?;
        let (at, until) = self.horizon.times()?;
        let spread_until = self.spread_until(at, until)?;
        let trees = Trees::of_outputs(garden.iter().copied().chain(&self.with));
        let files = open_whole(&self.formats, &trees)?;
        let Shoots { garden, published, found, is_partial } =
            shoots(&self.garden, &checked, &self.selection())?;
        let judged = published.apply(&mut checked.config).judged;
        if let Some(why) = judged.note() {
            note(format_args!("note: {why}"));
        }
        let is_empty = found.is_empty();
        let settings = &checked.config.plan;
        let outlook = |garden: &Snapshot, found: Vec<_>, until| {
            let world =
                World { rules: rules::ALL.into(), garden, config: &checked.config, now: at };
            let progress = Progress::until("planning", found.len());
            Outlook::with_machines(found, &world, until, || progress.add(1))
        };
        let is_undetermined = if self.with.is_empty() {
            let outlook = outlook(&garden, found, until);
            let plan = FleetPlan::of(&outlook);
            let view = FleetReport { plan: &plan, without: None, spread: None, settings };
            self.write(files, PlanView::Fleet(view), out)?;
            !outlook.unforeseen.is_empty()
        } else {
            let profiles = what_if::changed_profiles(&garden, &self.with)?;
            let changed = with_profiles(&garden, profiles.clone());
            let before = outlook(&garden, found.clone(), until);
            let after = outlook(&changed, found.clone(), until);
            let spread = spread_until.map(|until| {
                let profiles = SpreadProfiles::new(profiles, &changed);
                let spread = profiles.propose(&after, until);
                let dated = with_profiles(&changed, profiles.with_dates(&spread));
                profiles.measure(spread, &outlook(&dated, found, until))
            });
            let [before, plan] = [&before, &after].map(FleetPlan::of);
            let view = FleetReport {
                plan: &plan,
                without: Some(&before),
                spread: spread.as_ref(),
                settings,
            };
            self.write(files, PlanView::Fleet(view), out)?;
            !after.unforeseen.is_empty()
        };
        Ok(match (is_partial || is_undetermined, is_empty) {
            (true, _) => Outcome::Undetermined,
            (false, true) => Outcome::Nothing,
            (false, false) => Outcome::Clean,
        })
    }

    /// Returns the end of `--spread`.
    fn spread_until(&self, at: Timestamp, until: Timestamp) -> anyhow::Result<Option<Timestamp>> {
        let Some(Length(length)) = self.spread else { return Ok(None) };
        if length < SHORTEST_SPREAD {
            bail!("--spread is shorter than `2d`, which has no other day; use a longer time");
        }
        let end = at.checked_add(length).context("the end of --spread is not a valid time")?;
        if end > until {
            bail!("--spread is longer than the forecast; use a longer --for, or a shorter time");
        }
        Ok(Some(end))
    }

    fn selection(&self) -> Selection {
        let is_default = matches!(self.paths.as_slice(), [only] if only == Path::new("."));
        let names = self.paths.iter().filter(|_| !is_default);
        let names = names.map(|it| it.to_string_lossy().into_owned()).collect();
        Selection::new(names, self.whose.clone())
    }
}
