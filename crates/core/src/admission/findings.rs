// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;
use std::{fmt, mem};

use serde_json::Value;

use super::{
    AffectedMachines, ErrorType, FieldPath, Finding, FindingKind, Fix, FixedObjects, Help, Origin,
    Remedy, RuleHeader, Undetermined,
};
use crate::config::{Config, Level};
use crate::garden::Unknown;
use garden_gate_text::go::clip;

/// A finding that was just reported, for adding details.
/// It counts even without them.
#[derive(Debug)]
pub struct Reported<'a> {
    /// The finding; `None` if it is only counted.
    finding: Option<&'a mut Finding>,
    /// Whether its pointer is fixed by [`Findings::under`].
    is_placed: bool,
    /// The index of the finding, and the remedies with such indices; `None` if fixes are not collected.
    index: usize,
    remedies: Option<&'a mut Vec<(usize, Remedy)>>,
}

impl Reported<'_> {
    /// Sets the invalid value.
    pub fn value(self, value: impl Into<Value>) -> Self {
        self.with(|finding| finding.value = bounded(value.into()))
    }

    /// Sets the help, and the remedy from which a fix is built.
    pub fn help(self, help: impl Into<Help>) -> Self {
        let Help { text, remedy } = help.into();
        let mut reported = self.with(|finding| finding.help = clip(text, LONGEST_TEXT));
        if let Some(remedies) = &mut reported.remedies {
            remedies.extend(remedy.map(|remedy| (reported.index, remedy)));
        }
        reported
    }

    /// Sets the machines that the change replaces or removes.
    pub fn machines(self, machines: AffectedMachines) -> Self {
        self.with(|finding| finding.machines = Some(machines))
    }

    /// Sets the actual position of the field if Gardener reports it under another name.
    pub fn at(self, place: &FieldPath) -> Self {
        if self.is_placed { self } else { self.with(|finding| finding.pointer = place.pointer()) }
    }

    /// Adds a fix; `build` is called with the JSON pointer of the finding, and only if fixes are collected.
    ///
    /// Call it after [`Self::at`]. A fix that sets an absent value adds it. For simple fixes, see [`Help`].
    pub fn fix(self, build: impl FnOnce(&str) -> Option<Fix>) -> Self {
        match self.remedies {
            Some(_) => self.with(|finding| finding.fixes.extend(build(&finding.pointer))),
            None => self,
        }
    }

    fn with(mut self, say: impl FnOnce(&mut Finding)) -> Self {
        if let Some(finding) = &mut self.finding {
            say(finding);
        }
        self
    }
}

/// The results of a rule.
#[derive(Default)]
pub(super) struct Parts {
    pub found: Vec<Finding>,
    pub undetermined: Vec<Undetermined>,
    /// List elements that the rule removed from the object, as JSON pointers.
    pub removed: Vec<String>,
}

/// Maximum number of listed findings per kind and rule; more are only counted.
const LISTED: usize = 200;
/// Maximum length of a message and of a remedy, in bytes, which may quote values.
const LONGEST_TEXT: usize = 2048;
/// Maximum length of a field path in bytes; longer than any path that Gardener accepts.
const LONGEST_FIELD: usize = 8192;
/// Maximum length of a string value in bytes.
const LONGEST_VALUE: usize = 1024;

/// Collects the findings of a rule.
#[derive(Debug)]
pub struct Findings {
    rule: RuleHeader,
    /// Whether fixes are collected.
    has_fixes: bool,
    /// Remedies, each with the index of its finding.
    remedies: Vec<(usize, Remedy)>,
    found: Vec<Finding>,
    /// The number of findings, including unlisted ones.
    counts: Vec<Count>,
    undetermined: Vec<Undetermined>,
    /// List elements that the rule removed from the object.
    removed: Vec<String>,
    /// The reason why findings from now on are only warnings, if they are.
    only_warns: Option<Arc<str>>,
    /// The reasons for which findings, in their order, are only warnings.
    reasons: Vec<Option<Arc<str>>>,
    /// The reasons for which undetermined results, in their order, are only warnings.
    doubts: Vec<Option<Arc<str>>>,
    /// The kind and JSON pointer under which all findings are currently reported.
    reported_as: Option<(&'static FindingKind, String)>,
}

/// The number of findings of a kind that are refusals, or that are only warnings.
#[derive(Debug)]
struct Count {
    kind: &'static FindingKind,
    /// The reason why the first of them is only a warning, if it is.
    only_warns: Option<Arc<str>>,
    found: usize,
}

impl Findings {
    pub(super) fn new(rule: RuleHeader) -> Self {
        Self {
            rule,
            has_fixes: false,
            remedies: Vec::new(),
            found: Vec::new(),
            counts: Vec::new(),
            undetermined: Vec::new(),
            removed: Vec::new(),
            only_warns: None,
            reasons: Vec::new(),
            doubts: Vec::new(),
            reported_as: None,
        }
    }

    /// Sets whether fixes are collected; they cost time and memory that a server does not spend.
    pub(super) fn collecting_fixes(self, has_fixes: bool) -> Self {
        Self { has_fixes, ..self }
    }

    /// Reuses the buffer for the next rule, after a rule without findings.
    pub(super) fn begin_rule(&mut self, rule: RuleHeader) {
        self.rule = rule;
        self.only_warn(None);
    }

    /// Reports a well-formed value that is not permitted; see [`Self::report`].
    pub fn forbid(
        &mut self,
        kind: &'static FindingKind,
        field: FieldPath,
        message: impl Into<String>,
    ) -> Reported<'_> {
        self.report(kind, ErrorType::Forbidden, field, message)
    }

    /// Reports a value that is malformed or contradicts another one; see [`Self::report`].
    pub fn invalid(
        &mut self,
        kind: &'static FindingKind,
        field: FieldPath,
        message: impl Into<String>,
    ) -> Reported<'_> {
        self.report(kind, ErrorType::Invalid, field, message)
    }

    /// Reports a missing value; see [`Self::report`].
    pub fn required(
        &mut self,
        kind: &'static FindingKind,
        field: FieldPath,
        message: impl Into<String>,
    ) -> Reported<'_> {
        self.report(kind, ErrorType::Required, field, message)
    }

    /// Reports an unsupported value; see [`Self::report`].
    pub fn unsupported(
        &mut self,
        kind: &'static FindingKind,
        field: FieldPath,
        message: impl Into<String>,
    ) -> Reported<'_> {
        self.report(kind, ErrorType::NotSupported, field, message)
    }

    /// Reports a duplicate value; see [`Self::report`].
    pub fn duplicate(
        &mut self,
        kind: &'static FindingKind,
        field: FieldPath,
        message: impl Into<String>,
    ) -> Reported<'_> {
        self.report(kind, ErrorType::Duplicate, field, message)
    }

    /// Reports a reference to a nonexistent object; see [`Self::report`].
    pub fn not_found(
        &mut self,
        kind: &'static FindingKind,
        field: FieldPath,
        message: impl Into<String>,
    ) -> Reported<'_> {
        self.report(kind, ErrorType::NotFound, field, message)
    }

    /// Reports an error in `field`.
    ///
    /// `message` is one lower-case sentence with values in backticks.
    pub fn report(
        &mut self,
        kind: &'static FindingKind,
        error: ErrorType,
        field: FieldPath,
        message: impl Into<String>,
    ) -> Reported<'_> {
        let is_placed = self.reported_as.is_some();
        let kind = self.counted_as(kind);
        let is_listed = self.count(kind) < LISTED;
        if is_listed {
            self.list(kind, error, &field, message.into());
        }
        self.add_to_count(kind);
        let collects = self.has_fixes && is_listed && !is_placed;
        Reported {
            index: self.found.len().saturating_sub(1),
            remedies: Some(&mut self.remedies).filter(|_| collects),
            finding: self.found.last_mut().filter(|_| is_listed),
            is_placed,
        }
    }

    /// Reports a violation with `report`, or only counts it if it would not be listed.
    ///
    /// For messages that are expensive: one request can have thousands of violations.
    pub fn report_lazily(&mut self, kind: &'static FindingKind, report: impl FnOnce(&mut Self)) {
        if self.count(self.counted_as(kind)) < LISTED {
            report(self);
        } else {
            self.add_to_count(self.counted_as(kind));
        }
    }

    /// Reports all findings of `check` under `kind` and at `place`.
    /// Used by rules that reuse the checks of another one.
    pub(crate) fn under(
        &mut self,
        kind: &'static FindingKind,
        place: &FieldPath,
        check: impl FnOnce(&mut Self),
    ) {
        let before = self.reported_as.replace((kind, place.pointer()));
        check(self);
        self.reported_as = before;
    }

    /// Reports whether `check` finds a violation, without reporting it.
    pub(crate) fn would_find(&self, check: impl FnOnce(&mut Self)) -> bool {
        let mut found = Self::new(self.rule);
        check(&mut found);
        !found.is_empty()
    }

    fn counted_as(&self, kind: &'static FindingKind) -> &'static FindingKind {
        self.reported_as.as_ref().map_or(kind, |(kind, _)| kind)
    }

    /// Returns the number of violations of a kind so far; warnings and refusals are counted separately.
    fn count(&self, kind: &FindingKind) -> usize {
        let mut counts = self.counts.iter();
        let known = counts.find(|it| self.is_counted_by(it, kind));
        known.map_or(0, |it| it.found)
    }

    fn is_counted_by(&self, count: &Count, kind: &FindingKind) -> bool {
        count.kind.id == kind.id && count.only_warns.is_some() == self.only_warns.is_some()
    }

    fn add_to_count(&mut self, kind: &'static FindingKind) {
        let counts = self.counts.iter();
        let index = counts.take_while(|it| !self.is_counted_by(it, kind)).count();
        match self.counts.get_mut(index) {
            Some(count) => count.found += 1,
            None => self.counts.push(Count { kind, only_warns: self.only_warns.clone(), found: 1 }),
        }
    }

    fn list(&mut self, kind: &FindingKind, error: ErrorType, field: &FieldPath, message: String) {
        let place = self.reported_as.as_ref().map(|(_, place)| place.clone());
        self.reasons.push(self.only_warns.clone());
        self.found.push(Finding {
            rule: self.rule.id,
            finding: kind.id,
            level: Level::Deny,
            would_deny: false,
            origin: Origin::default(),
            error,
            field: clip(field.text(), LONGEST_FIELD),
            pointer: place.unwrap_or_else(|| field.pointer()),
            value: Value::Null,
            message: clip(message, LONGEST_TEXT),
            help: String::new(),
            machines: None,
            fixes: Vec::new(),
            phase: self.rule.phase,
        });
    }

    /// Adds the results of other rules, as they are.
    pub(super) fn adopt(&mut self, found: Vec<Finding>, undetermined: Vec<Undetermined>) {
        self.reasons.resize(self.found.len() + found.len(), None);
        self.found.extend(found);
        self.doubts.resize(self.undetermined.len() + undetermined.len(), None);
        self.undetermined.extend(undetermined);
    }

    /// Reports that the rule cannot decide about `field`, and why.
    pub fn undetermined(&mut self, field: &FieldPath, message: impl Into<String>) {
        let (rule, field) = (self.rule.id, clip(field.text(), LONGEST_FIELD));
        let message = clip(message.into(), LONGEST_TEXT);
        self.doubts.push(self.only_warns.clone());
        self.undetermined.push(Undetermined::new(rule, field, message));
    }

    /// Makes the following findings of the rule warnings, with the reason in their help; `None` ends that.
    pub(crate) fn only_warn(&mut self, why: Option<&str>) {
        self.only_warns = why.map(Arc::from);
    }

    /// Returns a known answer.
    ///
    /// Otherwise, reports that the rule cannot determine `what` for `field`.
    pub fn known<T>(
        &mut self,
        answer: Result<T, Unknown>,
        field: &FieldPath,
        what: impl fmt::Display,
    ) -> Option<T> {
        let say = |why| self.undetermined(field, format!("cannot tell {what}: {why}"));
        answer.map_err(say).ok()
    }

    /// Records which list elements the rule removed from the new object, as JSON pointers in order.
    pub(crate) fn remove(&mut self, elements: Vec<String>) {
        self.removed = elements;
    }

    /// Reports whether the rule has no findings so far.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty() && self.undetermined.is_empty()
    }

    /// Reports whether the rule has found a violation so far.
    pub fn has_violations(&self) -> bool {
        !self.found.is_empty()
    }

    /// Reports whether the rule has no findings and removed nothing.
    pub(super) fn is_silent(&self) -> bool {
        self.is_empty() && self.removed.is_empty()
    }

    /// Builds the fixes of all findings, if they are collected; `objects` returns those of the request.
    pub(super) fn build_fixes<'o>(&mut self, objects: impl Fn() -> &'o FixedObjects) {
        if !self.has_fixes {
            return;
        }
        let mut remedies = mem::take(&mut self.remedies);
        for (index, finding) in self.found.iter_mut().enumerate() {
            let remedy = remedies
                .iter()
                .position(|(of, _)| *of == index)
                .map(|it| remedies.swap_remove(it).1);
            let may_have_fix = remedy.is_some() || !finding.fixes.is_empty();
            if may_have_fix || finding.error == ErrorType::Duplicate {
                objects().complete(finding, remedy);
            }
        }
    }

    /// Returns all results, with levels from `config`.
    pub(super) fn into_parts(mut self, config: &Config) -> Parts {
        for count in mem::take(&mut self.counts) {
            let found = count.found;
            if found > LISTED {
                let message =
                    format!("there are {found} of these; only the first {LISTED} are listed");
                self.only_warns = count.only_warns;
                self.list(count.kind, ErrorType::Invalid, &FieldPath::root(), message);
                if let Some(listed) = self.found.last_mut() {
                    listed.help = "correct these first; the others are listed then".to_owned();
                }
            }
        }
        let levels = self.rule.levels;
        for finding in &mut self.found {
            finding.level = config.level(finding.rule, finding.finding, levels);
            finding.would_deny = config.is_lowered(finding.level, levels);
            let level = if finding.would_deny { Level::Deny } else { finding.level };
            finding.origin = Origin::of(level, levels);
        }
        for it in &mut self.undetermined {
            it.set_level(self.rule, config);
        }
        self.lower();
        let is_reported = |finding: &Finding| {
            let mut kinds = self.rule.findings.iter();
            let kind = kinds.find(|kind| kind.id == finding.finding);
            kind.is_none_or(|kind| kind.versions.contains(config.gardener_version))
        };
        self.found.retain(|finding| finding.level != Level::Off && is_reported(finding));
        Parts { found: self.found, undetermined: self.undetermined, removed: self.removed }
    }
}

impl Findings {
    /// Lowers the levels of results that are only warnings.
    fn lower(&mut self) {
        for (finding, why) in self.found.iter_mut().zip(&self.reasons) {
            if let Some(why) = why {
                finding.level = finding.level.min(Level::Warn);
                finding.would_deny = false;
                finding.help = clip(advised(&finding.help, why), LONGEST_TEXT);
            }
        }
        let lowered = self.undetermined.iter_mut().zip(&self.doubts);
        for (it, _) in lowered.filter(|(_, why)| why.is_some()) {
            it.level = it.level.min(Level::Warn);
            it.would_deny = false;
        }
    }
}

/// Adds the reason why a finding is only a warning to its help.
fn advised(help: &str, why: &str) -> String {
    let separator = if help.is_empty() { "" } else { "; " };
    format!("{help}{separator}only a warning: {why}")
}

/// Shortens a string value to the maximum length.
fn bounded(value: Value) -> Value {
    match value {
        Value::String(text) if text.len() > LONGEST_VALUE => clip(text, LONGEST_VALUE).into(),
        value => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::admission::Phase;
    use crate::config::Levels;
    use garden_gate_model::api::Versions;

    static KIND: FindingKind =
        FindingKind { id: "shoot/wrong", summary: "", versions: Versions::ALL };
    const RULE: RuleHeader = RuleHeader {
        id: "shoot/wrong",
        phase: Phase::Static,
        levels: Levels { documented: Level::Deny, gardener: Level::Deny, hardened: Level::Deny },
        findings: &[&KIND],
        scopes: &[],
    };

    fn messages(count: usize) -> Vec<String> {
        let mut findings = Findings::new(RULE);
        for number in 0..count {
            let path = FieldPath::new("spec").index(number);
            let message = format!("{number} is wrong");
            findings.invalid(&KIND, path, message);
        }
        let found = findings.into_parts(&Config::default()).found;
        found.into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn some_hundred_findings_are_listed_and_the_others_counted() {
        assert_eq!(messages(LISTED).len(), LISTED);
        let many = messages(10_000);
        assert_eq!(many.len(), LISTED + 1);
        assert_eq!(many[LISTED - 1], "199 is wrong");
        assert_eq!(many[LISTED], "there are 10000 of these; only the first 200 are listed");
    }

    #[test]
    fn warnings_displace_no_refusals() {
        for (warnings, refusals) in [(LISTED, 1), (10 * LISTED, 10 * LISTED), (1, 10 * LISTED)] {
            for is_warning_first in [true, false] {
                let mut findings = Findings::new(RULE);
                let mut report = |is_warning: bool| {
                    findings.only_warn(is_warning.then_some("it is new"));
                    for _ in 0..if is_warning { warnings } else { refusals } {
                        findings.report_lazily(&KIND, |findings| {
                            findings.invalid(&KIND, FieldPath::root(), "wrong");
                        });
                    }
                };
                report(is_warning_first);
                report(!is_warning_first);
                let found = findings.into_parts(&Config::default()).found;
                let of = |level| found.iter().filter(|it| it.level == level).count();
                let listed = |all: usize| all.min(LISTED + 1);
                assert_eq!(
                    [of(Level::Warn), of(Level::Deny)],
                    [listed(warnings), listed(refusals)]
                );
            }
        }
    }

    #[test]
    fn what_is_not_listed_is_not_explained() {
        let (mut findings, mut explained) = (Findings::new(RULE), 0);
        for _ in 0..10 * LISTED {
            findings.report_lazily(&KIND, |findings| {
                explained += 1;
                findings.invalid(&KIND, FieldPath::root(), "wrong");
            });
        }
        assert_eq!(explained, LISTED);
    }

    #[test]
    fn what_stands_in_gives_its_kind_and_place_to_everything() {
        static OTHER: FindingKind =
            FindingKind { id: "shoot/other", summary: "", versions: Versions::ALL };
        let (mut findings, path) = (Findings::new(RULE), FieldPath::new);
        findings.under(&OTHER, &path("spec.other"), |findings| {
            findings.invalid(&KIND, path("status"), "wrong").at(&path("spec.real"));
        });
        findings.invalid(&KIND, path("status"), "wrong").at(&path("spec.real"));
        let all = findings.into_parts(&Config::default()).found;
        let found: Vec<_> = all.iter().map(|it| (it.finding, it.pointer.as_str())).collect();
        assert_eq!(found, [("shoot/other", "/spec/other"), ("shoot/wrong", "/spec/real")]);
    }

    #[test]
    fn what_would_be_found_is_not_reported() {
        let findings = Findings::new(RULE);
        assert!(findings.would_find(|findings| {
            findings.required(&KIND, FieldPath::root(), "missing");
        }));
        assert!(!findings.would_find(|_| {}));
        assert!(findings.is_empty());
    }
}
