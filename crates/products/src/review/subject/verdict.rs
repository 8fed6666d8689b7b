// SPDX-License-Identifier: Apache-2.0
//! The verdict about a subject, with positions and notes.

use std::mem::take;

use jiff::Timestamp;

use super::opened::{OpenedSubject, is_about_a_name};
use super::source::Change;
use super::{Copies, Identity, Subject};
use crate::audit::{Audited, Auditor};
use crate::coverage::{Unjudged, unjudged, without_judged};
use crate::forecast::impact;
use crate::report::{Outcome, Placeholder, Reviewed, yaml_diff};
use crate::review::applied::AssumedStates;
use crate::review::template::Placeholders;
use garden_gate_core::admission::{Finding, Operation, Origin, Request, Review, Verdict};
use garden_gate_core::config::{Config, Level};
use garden_gate_core::garden::{ObjectKey, Snapshot};
use garden_gate_core::policies::JudgedConfiguration;
use garden_gate_core::stored;
use garden_gate_model::api::{Kind, UserInfo};
use json_patch::Patch;

/// The form in which changes before storing are shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChangeForms {
    /// As a diff of YAML.
    pub changes: bool,
    /// As a JSON Patch.
    pub patch: bool,
    /// Whether fixes are shown as replacements of text.
    pub fixes: bool,
}

/// A verdict, with remarks on it.
pub(in crate::review) struct Judged {
    pub(in crate::review) review: Review,
    /// One sentence each.
    pub(in crate::review) notes: Vec<String>,
    /// Policies that are not evaluated.
    pub(in crate::review) unjudged: Vec<Unjudged>,
    /// The configurations that definitions of extensions describe.
    pub(in crate::review) configurations: Vec<JudgedConfiguration>,
}

impl Subject {
    /// Audits the manifest as a stored object; `None` if this is not a manifest.
    pub fn audit(&self, auditor: &Auditor<'_>) -> Option<(ObjectKey, Reviewed)> {
        let (key, stored) = (self.key()?, self.new_state()?);
        let (mut occasions, mut forecast) = (Vec::new(), None);
        let seen = ((auditor.garden(), auditor.config()), auditor.now(), ChangeForms::default());
        let reviewed = self.judge(&UserInfo::default(), seen, |_| {
            let audited = auditor.object(&key, stored);
            (occasions, forecast) = (audited.occasions, audited.forecast);
            let Audited { review, notes, unjudged, configurations, .. } = audited;
            Judged { review, notes, unjudged, configurations }
        });
        let reviewed = Reviewed { operation: None, occasions, forecast, ..reviewed };
        Some((key, reviewed))
    }

    /// Judges the subject with `verdict`, and adds positions and notes.
    ///
    /// If requested, it adds the changes before storing.
    pub(in crate::review) fn judge(
        &self,
        requester: &UserInfo,
        ((garden, config), now, shows): ((&Snapshot, &Config), Timestamp, ChangeForms),
        verdict: impl FnOnce(&Request<'_>) -> Judged,
    ) -> Reviewed {
        let opened = OpenedSubject::new(self);
        let mut reviewed = self.without_outcome();
        let assumed = self.assumed_states(config);
        let judged = opened.request((requester, assumed.as_ref()), |request| {
            reviewed.operation = Some(request.operation);
            reviewed.unjudged = unjudged(request, (garden, config));
            reviewed.impact = impact(request, garden, now);
            let Judged { mut review, notes, unjudged, configurations } = verdict(request);
            without_judged(&mut reviewed.unjudged, &configurations);
            if let Some(assumed) = &assumed {
                assumed.weaken(&mut review);
            }
            let mut problems = self.problem_findings(config);
            problems.retain(|it| !review.findings.iter().any(|known| is_same(known, it)));
            review.findings.append(&mut problems);
            reviewed.notes = notes;
            reviewed.unjudged.extend(unjudged);
            reviewed.template = self.note_placeholders(&mut review, &mut reviewed.notes);
            let seen = ((garden, config), shows);
            add_changes(&opened, request, &mut review, seen, &mut reviewed);
            review
        });
        reviewed.outcome = match judged {
            Ok(review) => self.outcome(&opened, review, shows, &mut reviewed),
            Err((_, excerpt)) if self.has_problems() => {
                let review =
                    Review { findings: self.problem_findings(config), ..Review::default() };
                let excerpts = vec![excerpt; review.findings.len()];
                reviewed.operation = None;
                Outcome::Judged(review, excerpts)
            }
            Err((why, excerpt)) => Outcome::Unreadable(why, excerpt),
        };
        reviewed
    }

    /// Returns the result of a review as far as it does not depend on the verdict.
    fn without_outcome(&self) -> Reviewed {
        let Identity { kind, namespace, name } = &self.identity;
        Reviewed {
            operation: Some(Operation::Create),
            is_invalid: self.is_invalid,
            edits: self.edits.clone(),
            ..Reviewed::new(
                (&self.file, self.number),
                (kind, namespace, name),
                self.written.excerpt(self.begin),
            )
        }
    }

    /// Adds notes on the old state and on other copies, and returns the verdict with its excerpts.
    fn outcome(
        &self,
        opened: &OpenedSubject<'_>,
        mut review: Review,
        shows: ChangeForms,
        reviewed: &mut Reviewed,
    ) -> Outcome {
        if let Some(change) = self.change() {
            change.from.clone_into(&mut reviewed.from);
            reviewed.is_compared = change.is_compared;
            change.add_doubt(&mut review, &mut reviewed.notes);
        }
        match &self.copies {
            Some(Copies::Noted(note)) => reviewed.notes.push(note.clone()),
            // It is a finding of a rule.
            Some(Copies::Warned(_)) | None => {}
        }
        let excerpts = opened.excerpts(&review);
        if shows.fixes {
            reviewed.text_fixes = self.text_fixes(&review);
        }
        Outcome::Judged(review, excerpts)
    }

    /// Adds a note to a verdict about a manifest with placeholders, and removes fixes of them.
    ///
    /// Returns the first placeholder instead if the verdict does not count, since Gardener refuses one: `kubectl apply` does not
    /// store the manifest before another program replaces them.
    fn note_placeholders(
        &self,
        review: &mut Review,
        notes: &mut Vec<String>,
    ) -> Option<Placeholder> {
        let placeholders = Placeholders::of(self.new_state()?.get())?;
        let first = placeholders.first_field()?;
        let mut is_refused = false;
        for finding in &mut review.findings {
            if placeholders.are_at(&finding.pointer) {
                finding.fixes.clear();
                is_refused |= finding.level == Level::Deny
                    && finding.origin == Origin::Gardener
                    && !is_about_a_name(finding);
            }
        }
        if is_refused {
            return Some(first);
        }
        notes.push(format!(
            "judged with placeholders (`{first}`), which `kubectl apply` does not replace"
        ));
        None
    }

    /// Returns the states of a manifest that is compared with an earlier one, but not with a stored object.
    pub(super) fn assumed_states(&self, config: &Config) -> Option<AssumedStates> {
        let is_assumed = |it: &&Change| it.is_compared && !it.is_applied && it.new.is_some();
        let change = self.change().filter(is_assumed)?;
        let manifest = self.document().filter(|it| !it.repeats_keys())?.to_value();
        let created = (&*self.identity.namespace, config.judged_as().version);
        AssumedStates::of(self.key()?.kind, (change.old.as_deref()?, &manifest), created)
    }
}

/// Reports whether findings of two rules are about the same fact, such as a missing deployment.
fn is_same(known: &Finding, other: &Finding) -> bool {
    let aspect = |it: &Finding| it.finding.rsplit_once('/').map(|(_, aspect)| aspect);
    known.pointer == other.pointer && known.level == other.level && aspect(known) == aspect(other)
}

/// A note on changes that are not shown, since a policy may copy credentials to any field.
const HIDDEN_CHANGES: &str = "the changes before the object is stored are not shown, since they could contain its credentials";

/// Adds the changes of the object before it is stored, in the requested forms, and the drift that they revert.
fn add_changes(
    opened: &OpenedSubject<'_>,
    request: &Request<'_>,
    review: &mut Review,
    ((garden, config), shows): ((&Snapshot, &Config), ChangeForms),
    reviewed: &mut Reviewed,
) {
    let subject = opened.subject;
    let (patch, edits) = (take(&mut review.patch), take(&mut review.extension_edits));
    if request.kind().is_some_and(Kind::holds_credentials) {
        if !patch.is_empty() && (shows.changes || shows.patch) {
            reviewed.notes.push(HIDDEN_CHANGES.to_owned());
        }
        reviewed.patch = Some(Patch::default());
        reviewed.drift = opened.drift(None);
        return;
    }
    let completes = review.verdict() != Verdict::Denied && stored::completes(request);
    let is_whole = completes || !edits.is_empty();
    let is_wanted = shows.changes && !patch.is_empty() || is_whole;
    let is_shown = is_wanted && (shows.changes || shows.patch);
    let changed = (is_shown || !subject.drift.is_empty()) && request.object.is_some();
    let changed = changed
        .then(|| {
            let garden = (completes.then_some(garden), config.gardener_version);
            stored::sent_and_stored(request, (&patch, &edits), garden)
        })
        .transpose()
        .unwrap_or_else(|why| {
            let note = format!("the object as it would be stored is not known: {why}");
            reviewed.notes.push(note);
            None
        });
    reviewed.drift = opened.drift(changed.as_ref().map(|(_, stored)| stored));
    let changed = changed.filter(|_| is_shown);
    if let Some((sent, stored)) = changed.as_ref().filter(|_| shows.changes) {
        let names = [&*subject.file, "as it would be stored"];
        let changes = yaml_diff(names[0], sent, names[1], stored);
        reviewed.changes = changes.unwrap_or_default();
    }
    let whole = changed
        .filter(|_| is_whole && shows.patch)
        .map(|(sent, stored)| json_patch::diff(&sent, &stored));
    reviewed.patch = Some(whole.unwrap_or(patch));
}
