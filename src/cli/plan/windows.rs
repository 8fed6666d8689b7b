//! The maintenance windows of the Shoots in a garden.

use std::io::Write;
use std::path::Path;

use super::PlanCommand;
use super::format::PlanView;
use crate::cli::Outcome;
use crate::cli::forecast::garden::{Shoots, shoots};
use crate::cli::forecast::select::Selection;
use crate::cli::forecast::what_if;
use crate::cli::output::{Inputs, open_whole};
use crate::files::Trees;
use crate::review::notes::note;
use crate::review::progress::Progress;
use garden_gate_core::admission::World;
use garden_gate_core::rules;
use garden_gate_products::forecast::{FleetPlan, Outlook};
use garden_gate_products::report::FleetReport;

impl PlanCommand {
    /// Plans the windows of the selected Shoots, and writes the plan.
    pub(super) fn run_windows(&self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        let versions = self.configuration.versions.only()?;
        let (mut checked, _) = self.configuration.load(&[], &rules::known_ids(), &versions)?;
        let garden = self.garden.directory_or(&checked.review)?;
        let inputs =
            Inputs { files: self.with.clone(), directories: garden.cloned().into_iter().collect() };
        inputs.check_outputs(self.formats.iter().filter_map(|it| it.file.as_deref()))?;
        let (at, until) = self.horizon.times()?;
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
        let outlook = |garden, found: Vec<_>| {
            let world =
                World { rules: rules::ALL.into(), garden, config: &checked.config, now: at };
            let progress = Progress::until("planning", found.len());
            Outlook::with_machines(found, &world, until, || progress.add(1))
        };
        let is_undetermined = if self.with.is_empty() {
            let outlook = outlook(&garden, found);
            let plan = FleetPlan::of(&outlook);
            let view = FleetReport { plan: &plan, without: None, settings };
            self.write(files, PlanView::Fleet(view), out)?;
            !outlook.unforeseen.is_empty()
        } else {
            let changed = what_if::with(&garden, &self.with)?;
            let [before, after] = [outlook(&garden, found.clone()), outlook(&changed, found)];
            let [before, plan] = [&before, &after].map(FleetPlan::of);
            let view = FleetReport { plan: &plan, without: Some(&before), settings };
            self.write(files, PlanView::Fleet(view), out)?;
            !after.unforeseen.is_empty()
        };
        Ok(match (is_partial || is_undetermined, is_empty) {
            (true, _) => Outcome::Undetermined,
            (false, true) => Outcome::Nothing,
            (false, false) => Outcome::Clean,
        })
    }

    fn selection(&self) -> Selection {
        let is_default = matches!(self.paths.as_slice(), [only] if only == Path::new("."));
        let names = self.paths.iter().filter(|_| !is_default);
        let names = names.map(|it| it.to_string_lossy().into_owned()).collect();
        Selection::new(names, self.whose.clone())
    }
}
