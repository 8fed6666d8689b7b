// SPDX-License-Identifier: Apache-2.0
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::mem;

use json_patch::Patch;
use serde_json::value::RawValue;

use super::check::Pair;
use super::conclusion::{conclude, of_the_object, undecodable};
use super::decode::pair;
use super::findings::Parts;
use super::object::AdmissionObject;
use super::patch::PatchError;
use super::silence::Silences;
use super::{
    Change, Check, Code, Context, DecodeError, EntryPoint, ErrorType, FieldPath, Finding, Findings,
    FixedObjects, Judgement, OnlyIf, Operation, Phase, Question, Review, Rule, Silenced, Stage,
    Undetermined, patch,
};
use crate::config::Level;

/// One evaluation of all rules for the objects of a request.
pub(super) struct Evaluation<'run, 'a> {
    context: &'run Context<'a>,
    rules: &'run [&'static Rule],
    /// All rules, including those that do not apply.
    all_rules: &'run [&'static Rule],
    findings: Vec<Finding>,
    silenced: Vec<Silenced>,
    undetermined: Vec<Undetermined>,
    questions: BTreeSet<Question>,
    /// List elements that rules removed from the new object, as JSON pointers.
    removed: Vec<String>,
    /// The reusable empty buffer of the last rule without findings.
    untouched: Option<Findings>,
    /// The reason why fields could not be filled in: the field and the message of the rule.
    unfilled: Option<(String, String)>,
    /// Whether findings carry fixes.
    has_fixes: bool,
    /// The parsed objects of the request, for fixes.
    fixed_objects: OnceCell<FixedObjects>,
}

impl<'run, 'a> Evaluation<'run, 'a> {
    pub(super) fn new(
        context: &'run Context<'a>,
        rules: &'run [&'static Rule],
        all_rules: &'run [&'static Rule],
        entry_point: EntryPoint,
    ) -> Self {
        Self {
            context,
            rules,
            all_rules,
            findings: Vec::new(),
            silenced: Vec::new(),
            undetermined: Vec::new(),
            questions: BTreeSet::new(),
            removed: Vec::new(),
            untouched: None,
            unfilled: None,
            has_fixes: entry_point == EntryPoint::Review,
            fixed_objects: OnceCell::new(),
        }
    }

    /// Evaluates rules for the undecoded object.
    pub(super) fn written(&mut self) {
        for rule in self.rules {
            if let Check::Written(check) = rule.check {
                self.run(rule, check);
            }
        }
    }

    /// Denies an object that cannot be decoded, unless a finding already reports it in more detail.
    pub(super) fn undecodable(&mut self, error: &DecodeError) {
        let says_it = |finding: &Finding| {
            let about_values = [ErrorType::TypeInvalid, ErrorType::Duplicate];
            finding.phase == Phase::Decoding
                && finding.level == Level::Deny
                && about_values.contains(&finding.error)
        };
        if error.stored || !self.findings.iter().any(says_it) {
            let resource = &self.context.request.resource;
            self.findings.push(undecodable(error, resource));
        }
    }

    /// Decodes the objects, and evaluates the rules before, during and after mutation.
    /// Returns the patch.
    pub(super) fn objects<T: AdmissionObject>(
        &mut self,
        entry_point: EntryPoint,
    ) -> Result<Patch, DecodeError> {
        let request = self.context.request;
        let mut objects: Pair<T> = pair(request)?;
        let received = objects
            .new
            .as_deref()
            .filter(|_| self.may_change(entry_point))
            .and_then(T::text)
            .and_then(Result::ok);
        T::complete(&mut objects, self.context);
        if objects.new.is_some() {
            self.judge(Stage::Received, &objects);
        }
        // Objects from an API server are complete.
        let may_be_manifests = matches!(entry_point, EntryPoint::Review | EntryPoint::Audit);
        if may_be_manifests {
            self.fill_old(&mut objects);
        }
        self.mutate(&mut objects, may_be_manifests);
        if self.context.is_exceeded() {
            return Ok(Patch::default());
        }
        let patch = match (received, objects.new.as_deref()) {
            (Some(before), Some(new)) => self.patch(&before, new),
            _ if entry_point == EntryPoint::Validate => Patch::default(),
            _ => patch::removals(&self.removed),
        };
        T::settle(&mut objects);
        // With open questions, another round follows and the findings of this one are discarded.
        match self.unfilled.take().filter(|_| self.questions.is_empty()) {
            Some(why) => self.judge_samples(&objects, &T::samples(&objects), &why),
            None => {
                self.context.settle();
                self.judge(Stage::Judge, &objects);
            }
        }
        self.silence(entry_point, &objects);
        Ok(patch)
    }

    /// Returns the verdict, or the questions that must be answered first.
    pub(super) fn conclude(self, entry_point: EntryPoint, patch: Patch) -> Judgement {
        if self.questions.is_empty() {
            Judgement::Review(conclude(
                entry_point,
                Review {
                    findings: self.findings,
                    silenced: self.silenced,
                    undetermined: self.undetermined,
                    patch,
                    extension_edits: self.context.extension_edits(),
                    looked_up: self.context.looked_up(),
                    ..Review::default()
                },
            ))
        } else {
            Judgement::Questions(self.questions)
        }
    }

    /// Fills in fields of a stored object that is a manifest, like Gardener did when it was stored.
    fn fill_old<T: AdmissionObject>(&mut self, objects: &mut Pair<T>) {
        let Some(old) = objects.old.as_deref_mut().filter(|old| old.is_partial()) else {
            return;
        };
        let context = self.context;
        old.complete_old(context.old_json(), &mut |filled| {
            for rule in self.rules {
                if rule.stage == Stage::Fill
                    && let Some(Code::Mutate(fill)) = T::code(&rule.check)
                {
                    let reported = self.ask(
                        rule,
                        || true,
                        |context, findings| fill(context, filled, None, findings),
                    );
                    let undetermined = reported.iter().flat_map(|it| &it.undetermined).next();
                    self.note_unfilled(undetermined);
                }
            }
        });
        old.set_filled(context);
    }

    fn mutate<T: AdmissionObject>(&mut self, objects: &mut Pair<T>, may_be_manifests: bool) {
        let Some(new) = objects.new.as_deref_mut() else {
            return;
        };
        let old = objects.old.as_deref();
        for rule in self.rules {
            let before = self.undetermined.len();
            match T::code(&rule.check) {
                Some(Code::Mutate(mutate)) => self.run(rule, |context, findings| {
                    mutate(context, new, old, findings);
                }),
                Some(Code::Judge(check)) if rule.stage == Stage::Between => {
                    let new = Some(&*new);
                    let change = Change { new, old };
                    self.run(rule, |context, findings| check(context, change, findings));
                }
                _ => continue,
            }
            if !may_be_manifests || self.undetermined.len() == before {
                continue;
            }
            self.context.note_undetermined(rule.id);
            if rule.stage == Stage::Fill {
                let undetermined = self.undetermined.get(before).cloned();
                self.note_unfilled(undetermined.as_ref());
            }
        }
    }

    /// Records why a rule could not fill in fields.
    fn note_unfilled(&mut self, undetermined: Option<&Undetermined>) {
        if let (None, Some(it)) = (&self.unfilled, undetermined) {
            self.unfilled = Some((it.field.clone(), it.message.clone()));
        }
    }

    /// Evaluates the rules of a stage that changes nothing.
    fn judge<T: AdmissionObject>(&mut self, stage: Stage, objects: &Pair<T>) {
        let (change, context) = (objects.change(), self.context);
        let known = OnceCell::new();
        let is_changed = || *known.get_or_init(|| T::is_changed(objects, context));
        for rule in self.rules.iter().filter(|rule| rule.stage == stage) {
            if let Some(Code::Judge(check)) = T::code(&rule.check) {
                let reported = self
                    .ask(rule, is_changed, |context, findings| check(context, change, findings));
                self.keep(reported);
            }
        }
    }

    /// Evaluates rules for objects with fields that could not be filled in.
    ///
    /// A finding counts only if all samples of values have it; otherwise its rule is undetermined.
    fn judge_samples<T: AdmissionObject>(
        &mut self,
        objects: &Pair<T>,
        samples: &[Pair<T>],
        (field, why): &(String, String),
    ) {
        let context = self.context;
        for rule in self.rules.iter().filter(|rule| rule.stage == Stage::Judge) {
            let Some(Code::Judge(check)) = T::code(&rule.check) else {
                continue;
            };
            let mut judge = |objects: &Pair<T>| {
                let change = objects.change();
                let is_changed = || T::is_changed(objects, context);
                let reported = self
                    .ask(rule, is_changed, |context, findings| check(context, change, findings));
                reported.unwrap_or_default()
            };
            let given = judge(objects);
            let with_values = samples
                .iter()
                .map(|sample| {
                    if let Some(old) = sample.old.as_deref() {
                        old.set_filled(context);
                    }
                    judge(sample)
                })
                .collect();
            let (common, is_same) = common(given, with_values);
            self.keep(Some(common));
            if !is_same {
                let mut unknown = Undetermined::new(rule.id, field.clone(), why.clone());
                unknown.set_level(rule.header, context.config);
                self.undetermined.push(unknown);
            }
        }
    }

    /// Removes the warnings that the object silences, and evaluates the rules about silences.
    fn silence<T: AdmissionObject>(&mut self, entry_point: EntryPoint, objects: &Pair<T>) {
        let Some(object) = objects.new.as_deref().or(objects.old.as_deref()) else {
            return;
        };
        let Context { config, now, .. } = *self.context;
        let mut silences = Silences::of(&object.metadata().annotations, config, now);
        if silences.is_empty() {
            return;
        }
        self.findings = silences.heed(mem::take(&mut self.findings));
        silences.mark_idle(|id| self.could_find(entry_point, id));
        let reported = self.findings.len();
        for rule in self.rules {
            if let Check::Silences(check) = rule.check {
                let known: Vec<_> = self.all_rules.iter().map(|rule| &rule.header).collect();
                self.run(rule, |context, findings| {
                    check(context, silences.all(), &known, findings);
                });
            }
        }
        let about_silences = self.findings.split_off(reported);
        self.findings.extend(silences.heed(about_silences));
        self.silenced = silences.into_silenced();
    }

    /// Reports whether a rule could have reported a finding with this id.
    ///
    /// Only applies in `review` to an object without a stored state, if all rules with the id are determined.
    /// Otherwise the finding may belong to an earlier or a later change.
    fn could_find(&self, entry_point: EntryPoint, id: &str) -> bool {
        let reporting = || self.rules.iter().filter(|rule| rule.reports(id));
        let is_sure = |rule: &&Rule| !self.undetermined.iter().any(|it| it.rule == rule.id);
        let is_state = self.context.request.operation == Operation::Create;
        entry_point == EntryPoint::Review
            && is_state
            && reporting().count() > 0
            && reporting().all(is_sure)
    }

    /// Runs a rule and keeps its findings.
    fn run(&mut self, rule: &'static Rule, check: impl FnOnce(&Context<'_>, &mut Findings)) {
        let reported = self.ask(rule, || true, check);
        self.keep(reported);
    }

    fn keep(&mut self, reported: Option<Parts>) {
        let Some(reported) = reported else { return };
        self.findings.extend(reported.found);
        self.undetermined.extend(reported.undetermined);
        self.removed.extend(reported.removed);
    }

    /// Runs a rule; returns its findings, and keeps its questions. There are none if it ignores the request.
    fn ask(
        &mut self,
        rule: &'static Rule,
        is_changed: impl FnOnce() -> bool,
        check: impl FnOnce(&Context<'_>, &mut Findings),
    ) -> Option<Parts> {
        // The evaluation is discarded.
        if self.context.is_exceeded() {
            return None;
        }
        let findings = self
            .untouched
            .get_or_insert_with(|| Findings::new(rule.header).collecting_fixes(self.has_fixes));
        findings.begin_rule(rule.header);
        self.context.run(rule.id, rule.reads);
        check(self.context, findings);
        // Fast path: nearly all rules have no findings.
        if findings.is_silent() && !self.context.has_questions() {
            return None;
        }
        let mut findings =
            mem::replace(findings, Findings::new(rule.header).collecting_fixes(self.has_fixes));
        let questions = self.context.take_questions();
        let says_something = !findings.is_empty() || !questions.is_empty();
        if says_something && rule.only_if == OnlyIf::Changed && !is_changed() {
            return None;
        }
        self.questions.extend(questions);
        findings.build_fixes(|| {
            let request = self.context.request;
            let objects = || FixedObjects::of(request.received());
            self.fixed_objects.get_or_init(objects)
        });
        Some(findings.into_parts(self.context.config))
    }

    /// Reports whether the request may be patched: never for subresources.
    /// `review` also shows the result of a binding.
    fn may_change(&self, entry_point: EntryPoint) -> bool {
        let request = self.context.request;
        let writes = matches!(request.operation, Operation::Create | Operation::Update);
        let is_shown = match request.sub_resource.as_str() {
            "" => matches!(entry_point, EntryPoint::Mutate | EntryPoint::Review),
            "binding" => entry_point == EntryPoint::Review,
            _ => false,
        };
        writes && is_shown
    }

    /// Returns the patch for `/mutate`, given the JSON of the typed object before mutation.
    fn patch<T: AdmissionObject>(&mut self, before: &str, new: &T) -> Patch {
        let after = new.text().transpose().map_err(PatchError::from);
        let raw = self.context.request.object.map_or("null", RawValue::get);
        let patch = after.and_then(|after| patch::between(before, &after.unwrap_or_default(), raw));
        patch.unwrap_or_else(|error| {
            self.findings.push(unpatchable(&error));
            Patch::default()
        })
    }
}

/// Returns the findings that all samples have, and whether no sample has further ones.
///
/// A finding about a sampled value is replaced by that about the object as `given`.
fn common(given: Parts, mut with_values: Vec<Parts>) -> (Parts, bool) {
    let Some((first, others)) = with_values.split_first_mut() else {
        return (given, true);
    };
    let is_like = |a: &Finding, b: &Finding| a.finding == b.finding && a.pointer == b.pointer;
    let counts = |parts: &Parts| (parts.found.len(), parts.undetermined.len());
    let before = counts(first);
    let is_everywhere = |it: &Finding| {
        others.iter().all(|other| other.found.iter().any(|other| is_like(it, other)))
    };
    first.found.retain(is_everywhere);
    first.undetermined.retain(|it| others.iter().all(|other| other.undetermined.contains(it)));
    let common = counts(first);
    let is_same = before == common && others.iter().all(|other| counts(other) == common);
    for found in &mut first.found {
        if let Some(given) = given
            .found
            .iter()
            .find(|it| is_like(it, found))
            .filter(|given| given.value != found.value)
        {
            *found = given.clone();
        }
    }
    (mem::take(first), is_same)
}

impl<T> Pair<T> {
    fn change(&self) -> Change<'_, T> {
        let [new, old] = [&self.new, &self.old].map(Option::as_deref);
        Change { new, old }
    }
}

/// The id for objects that cannot be patched; it belongs to no rule and has no level.
const UNPATCHABLE: &str = "object/unpatchable";

fn unpatchable(error: &PatchError) -> Finding {
    let message = format!("the object cannot be completed: {error}");
    of_the_object(UNPATCHABLE, ErrorType::Invalid, &FieldPath::root(), message)
}
