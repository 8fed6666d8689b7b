// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, HashMap, HashSet};

use crate::cli::Outcome;
use crate::cli::project_filter::ProjectFilter;
use crate::cli::review;
use crate::cli::review::outputs::Outputs;
use crate::review::progress::Progress;
use garden_gate_core::config::FailOn;
use garden_gate_core::garden::{ObjectKey, Snapshot};
use garden_gate_model::api::Kind;
use garden_gate_products::audit::{Auditor, IsSelected, Tally, support, versions_in_use};
use garden_gate_products::forecast::Owner;
use garden_gate_products::report::{
    self, AuditSummary, By, ChangedSince, Comparing, ConfigFile, JudgedGarden, Reviewed,
    SkippedInput, Summary,
};

/// The result for a stored object.
pub(super) struct AuditedObject {
    pub(super) key: ObjectKey,
    pub(super) reviewed: Reviewed,
}

/// A running audit: it counts and writes each object, and keeps none.
pub(super) struct Run<'a, 'o> {
    pub(super) auditor: &'a Auditor<'a>,
    pub(super) whose: &'a ProjectFilter,
    outputs: Outputs<'o>,
    comparing: Option<Comparing>,
    new: BTreeMap<String, usize>,
    tally: Tally,
    pub(super) summary: Summary,
    /// The objects counted so far, since files may have duplicates and lists may restart.
    seen: HashSet<ObjectKey>,
    owners: HashMap<String, Owner>,
    progress: Progress,
}

impl<'a, 'o> Run<'a, 'o> {
    pub(super) fn new(
        (auditor, judged): (&'a Auditor<'a>, JudgedGarden),
        whose: &'a ProjectFilter,
        comparing: Option<Comparing>,
        outputs: Outputs<'o>,
    ) -> Self {
        let mut summary = Summary::new(SkippedInput::default(), None);
        summary.judged.push(judged);
        Self {
            auditor,
            whose,
            outputs,
            comparing,
            new: BTreeMap::new(),
            tally: Tally::default(),
            summary,
            seen: HashSet::new(),
            owners: HashMap::new(),
            progress: Progress::counting("auditing"),
        }
    }

    /// Counts the results for the next objects and writes them.
    ///
    /// # Errors
    /// Fails if the output fails.
    pub(super) fn add(&mut self, audited: Vec<AuditedObject>) -> anyhow::Result<()> {
        let mut results = Vec::new();
        for AuditedObject { key, mut reviewed } in audited {
            self.progress.add(1);
            let owner = self.owner(&key);
            let is_wanted = self.whose.is_all() || self.whose.takes(&key.namespace, &owner);
            if !is_wanted || !self.seen.insert(key.clone()) {
                continue;
            }
            self.count(&key, &owner, &mut reviewed);
            reviewed.owner = owner;
            if reviewed.is_remarkable() {
                results.push(reviewed);
            }
        }
        self.outputs.write(results.iter())
    }

    fn count(&mut self, key: &ObjectKey, owner: &Owner, reviewed: &mut Reviewed) {
        match &reviewed.outcome {
            report::Outcome::Judged(review, _) => {
                self.tally.add(key, owner, (review, &reviewed.occasions));
            }
            report::Outcome::Unreadable(..) => self.tally.add_unreadable(),
        }
        if let Some(comparing) = &mut self.comparing {
            comparing.mark(reviewed);
            for id in reviewed.new_findings() {
                *self.new.entry(id.to_owned()).or_default() += 1;
            }
        }
        self.summary.add(reviewed);
    }

    /// Returns the owner of an object.
    ///
    /// Cluster-scoped objects other than Projects have none.
    fn owner(&mut self, key: &ObjectKey) -> Owner {
        let garden = self.auditor.garden();
        if key.kind == Kind::Project {
            return Owner::of_project_named(&key.name, garden);
        }
        if key.namespace.is_empty() {
            return Owner::default();
        }
        let known = self.owners.entry(key.namespace.clone());
        let find = || Owner::of_namespace(&key.namespace, garden);
        known.or_insert_with(find).clone()
    }

    /// Writes the summary.
    ///
    /// # Errors
    /// Fails if the output fails.
    pub(super) fn end(
        self,
        config: Option<ConfigFile>,
        by: Vec<By>,
        since: Option<String>,
    ) -> anyhow::Result<Summary> {
        drop(self.progress);
        let (garden, at) = (self.auditor.garden(), self.auditor.now());
        let versions = if self.whose.is_all() {
            versions_in_use(garden, at).unwrap_or_default()
        } else {
            Vec::new()
        };
        let changed = self.comparing.zip(since).map(|(comparing, file)| {
            let (gone, known) = comparing.gone(|object| is_selected(object, self.whose, garden));
            ChangedSince { file, known, new: self.new, gone }
        });
        let gardener = self.auditor.config().gardener_version;
        let takes = |namespace: &str, owner: &Owner| self.whose.takes(namespace, owner);
        let takes: Option<IsSelected<'_>> = if self.whose.is_all() { None } else { Some(&takes) };
        let support = support(garden, gardener, at, takes);
        let notes = support.unknown.iter().cloned().chain(self.auditor.notes()).collect();
        let audit = AuditSummary { at, tally: self.tally, support, versions, notes, changed, by };
        let mut summary = self.summary;
        summary.config = config;
        summary.audit = Some(audit);
        self.outputs.end(&summary)?;
        Ok(summary)
    }
}

/// Reports whether the object with this title, such as `Shoot garden-dev/web`, is selected.
fn is_selected(title: &str, whose: &ProjectFilter, garden: &Snapshot) -> bool {
    let (kind, name) = title.split_once(' ').unwrap_or_default();
    match name.split_once('/') {
        _ if whose.is_all() => true,
        Some((namespace, _)) => whose.takes(namespace, &Owner::of_namespace(namespace, garden)),
        None if kind == Kind::Project.as_str() => {
            whose.takes("", &Owner::of_project_named(name, garden))
        }
        None => false,
    }
}

/// Returns the outcome of an audit, which defines the exit code.
///
/// An audit is partial if not all objects could be read.
pub(super) fn outcome(summary: &Summary, fail_on: FailOn, is_partial: bool) -> Outcome {
    match review::outcome(fail_on, summary) {
        Outcome::Clean | Outcome::Nothing if is_partial && fail_on >= FailOn::Undetermined => {
            Outcome::Undetermined
        }
        outcome => outcome,
    }
}
