// SPDX-License-Identifier: Apache-2.0
//! Fixes of findings, in the texts of the files of a review.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use similar::{DiffTag, TextDiff};

use crate::report::{Outcome, Reviewed};
use crate::review::change_set::{self, Applier, ReviewOptions};
use crate::review::credentials;
use crate::review::subject::{self, Subject};
use garden_gate_core::admission::{Applicability, Edit, Finding, Phase, World};
use garden_gate_text::escape::value;
use garden_gate_text::yaml::{Editor, Excerpt, Proposal, TextEdit, edited};

/// Maximum number of rounds: a fix may lead to further findings.
const ROUNDS: usize = 5;
/// Maximum number of bytes that are parsed to confirm the fixes of a part of a file in a round. Right ones need few passes.
const MOST_PARSED: usize = 64 << 20;

/// The fixes that are applied.
#[derive(Clone, Copy)]
pub struct FixOptions<'a> {
    /// The least certain fixes.
    pub level: Applicability,
    /// Returns the reason why a file is never changed, if there is one.
    pub why_kept: &'a dyn Fn(&str) -> Option<String>,
}

impl fmt::Debug for FixOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FixOptions").field("level", &self.level).finish_non_exhaustive()
    }
}

/// The result of fixing the files of a review.
#[derive(Debug)]
pub struct Fixed {
    /// The subjects with the text of the fixed files.
    pub subjects: Vec<Subject>,
    /// The files with fixes, in the order of their names.
    pub files: Vec<FixedFile>,
}

/// A file before and after fixes.
#[derive(Debug)]
pub struct FixedFile {
    /// The file, as the user would name it.
    pub name: String,
    /// The text before the fixes.
    pub before: String,
    /// The text after the fixes.
    pub after: String,
    /// The fixes that were made.
    pub fixes: Vec<MadeFix>,
    /// The reason why no further fixes are made; `None` if there are no others.
    pub kept: Option<String>,
}

/// A fix that was made.
#[derive(Debug)]
pub struct MadeFix {
    /// The rule with the finding.
    pub rule: &'static str,
    /// The change in the imperative.
    pub title: String,
    /// The line of the finding.
    pub line: usize,
}

impl FixedFile {
    /// Returns the unified diff of the file; without context if the file has credentials.
    ///
    /// Returns `None` if a changed line contains credentials.
    pub fn diff(&self) -> Option<String> {
        let Self { before, after, .. } = self;
        let diff = TextDiff::from_lines(before, after);
        let name = value(&self.name);
        let hidden = credentials::lines(before);
        let is_hidden = |line: usize| hidden.iter().any(|lines| lines.contains(&(line + 1)));
        let mut changed = diff.ops().iter().filter(|it| it.tag() != DiffTag::Equal);
        if changed.any(|it| it.old_range().any(is_hidden)) {
            return None;
        }
        let mut unified = diff.unified_diff();
        if !hidden.is_empty() {
            unified.context_radius(0);
        }
        let names = [format!("a/{name}"), format!("b/{name}")];
        Some(unified.header(&names[0], &names[1]).to_string())
    }
}

/// A fix of a finding, with its text edits.
#[derive(Clone, Debug)]
struct PlannedFix {
    rule: &'static str,
    title: String,
    line: usize,
    /// The number of the subject in its file.
    subject: usize,
    edits: Vec<Edit>,
    text_edits: Vec<TextEdit>,
}

impl PlannedFix {
    fn made(self) -> MadeFix {
        let Self { rule, title, line, .. } = self;
        MadeFix { rule, title, line }
    }
}

/// A file with its state before and after fixes.
struct FileState {
    before: String,
    applied: Vec<PlannedFix>,
    /// Why the file is not changed any more.
    kept: Option<String>,
}

/// Fixes findings in the texts of the files of subjects, which are in the order of their files.
///
/// Overlapping fixes are made one after another. After each round, all subjects are judged again. A file whose fixes do not
/// lower the number of findings keeps its text.
pub fn fix(
    mut subjects: Vec<Subject>,
    applier: &Applier<'_>,
    world: &World<'_>,
    telling: &ReviewOptions<'_>,
    options: FixOptions<'_>,
) -> Fixed {
    let quiet = ReviewOptions { configs: telling.configs.clone(), ..ReviewOptions::default() };
    let rounds = Rounds { applier, world, quiet: &quiet, options };
    let mut files: BTreeMap<Arc<str>, FileState> = BTreeMap::new();
    let mut reviewed = rounds.judge(&subjects);
    for _ in 0..ROUNDS {
        let (mut next, planned) = rounds.fixed(&subjects, &reviewed, &files);
        if planned.is_empty() {
            break;
        }
        let mut after = rounds.judge(&next);
        let is_reset = rounds.settle(&subjects, &mut next, &reviewed, &after, planned, &mut files);
        // Other files may depend on those that keep their text.
        if is_reset {
            after = rounds.judge(&next);
        }
        (subjects, reviewed) = (next, after);
    }
    let files = files.into_iter().map(|(name, state)| {
        let subject = subjects.iter().find(|it| it.file == name);
        let subject = subject.filter(|_| !state.applied.is_empty());
        let after = subject.map_or(&*state.before, Subject::whole_text).to_owned();
        FixedFile {
            name: name.to_string(),
            before: state.before,
            after,
            fixes: state.applied.into_iter().map(PlannedFix::made).collect(),
            kept: state.kept,
        }
    });
    let files = files.collect();
    Fixed { subjects, files }
}

/// The rounds of fixes, with what the verdicts depend on.
struct Rounds<'a> {
    applier: &'a Applier<'a>,
    world: &'a World<'a>,
    quiet: &'a ReviewOptions<'a>,
    options: FixOptions<'a>,
}

impl Rounds<'_> {
    fn judge(&self, subjects: &[Subject]) -> Vec<Reviewed> {
        let mut all = Vec::new();
        let Ok::<_, Infallible>(_) =
            change_set::judge(subjects.to_vec(), self.applier, self.world, self.quiet, |judged| {
                all.extend(judged.into_iter().map(|(_, reviewed)| reviewed));
                Ok(())
            });
        all
    }

    /// Returns the subjects with the next fixes, and these fixes by file.
    fn fixed(
        &self,
        subjects: &[Subject],
        reviewed: &[Reviewed],
        files: &BTreeMap<Arc<str>, FileState>,
    ) -> (Vec<Subject>, BTreeMap<Arc<str>, Vec<PlannedFix>>) {
        let (mut next, mut planned) = (Vec::new(), BTreeMap::new());
        for (range, of_file) in by_file(subjects) {
            let file = &of_file[0].file;
            let is_open = files.get(file).is_none_or(|it| it.kept.is_none());
            let plan = if is_open {
                plan(of_file, &reviewed[range], self.options.level)
            } else {
                Vec::new()
            };
            match applied(of_file, &plan).filter(|_| !plan.is_empty()) {
                Some(fixed) => {
                    planned.insert(Arc::clone(file), plan);
                    next.extend(fixed);
                }
                None => next.extend(of_file.iter().cloned()),
            }
        }
        (next, planned)
    }

    /// Records the fixes of files with fewer findings; the others get their text back.
    ///
    /// Reports whether there are others.
    fn settle(
        &self,
        subjects: &[Subject],
        next: &mut [Subject],
        reviewed: &[Reviewed],
        after: &[Reviewed],
        mut planned: BTreeMap<Arc<str>, Vec<PlannedFix>>,
        files: &mut BTreeMap<Arc<str>, FileState>,
    ) -> bool {
        let mut is_reset = false;
        for (range, of_file) in by_file(subjects) {
            let file = &of_file[0].file;
            let Some(plan) = planned.remove(file) else {
                continue;
            };
            let state = files.entry(Arc::clone(file)).or_insert_with(|| FileState {
                before: of_file[0].whole_text().to_owned(),
                applied: Vec::new(),
                kept: (self.options.why_kept)(file),
            });
            let is_better = counts(&after[range.clone()]) < counts(&reviewed[range.clone()]);
            if state.kept.is_none() && !is_better {
                state.kept = Some("its findings would not become fewer".to_owned());
            }
            match state.kept {
                None => state.applied.extend(plan),
                Some(_) => {
                    is_reset = true;
                    next[range].clone_from_slice(of_file);
                }
            }
        }
        is_reset
    }
}

/// Returns the subjects of each file, with their indices.
fn by_file(subjects: &[Subject]) -> impl Iterator<Item = (Range<usize>, &[Subject])> {
    let mut start = 0;
    let files = subjects.chunk_by(|one, other| Arc::ptr_eq(&one.file, &other.file));
    files.map(move |of_file| {
        let range = start..start + of_file.len();
        start = range.end;
        (range, of_file)
    })
}

/// Returns the number of findings in each phase.
///
/// As a request is refused by its first phase, later findings may appear only then.
fn counts(reviewed: &[Reviewed]) -> [usize; 4] {
    let mut counts = [0; 4];
    for object in reviewed {
        let Outcome::Judged(review, _) = &object.outcome else {
            counts[0] += 1;
            continue;
        };
        for finding in &review.findings {
            counts[index(finding.phase)] += 1;
        }
    }
    counts
}

fn index(phase: Phase) -> usize {
    match phase {
        Phase::Decoding => 0,
        Phase::Mutating => 1,
        Phase::Static => 2,
        Phase::Admission => 3,
    }
}

/// Returns the fixes of a file that do not overlap; the first ones win.
fn plan(subjects: &[Subject], reviewed: &[Reviewed], level: Applicability) -> Vec<PlannedFix> {
    let judged = subjects.iter().zip(reviewed).enumerate();
    let fixable = judged.filter_map(|(index, (subject, object))| match &object.outcome {
        Outcome::Judged(review, excerpts)
            if review.findings.iter().any(|it| !it.fixes.is_empty()) =>
        {
            let findings = review.findings.iter().zip(excerpts).collect();
            Some(FixableSubject { index, subject, findings })
        }
        _ => None,
    });
    let fixable: Vec<FixableSubject<'_>> = fixable.collect();
    let mut plan: Vec<PlannedFix> = Vec::new();
    // Objects of a list share a part of the file.
    for of_part in fixable.chunk_by(|one, other| one.subject.range() == other.subject.range()) {
        let Some(editor) = of_part[0].subject.editor() else { continue };
        let mut rest: Vec<(PlannedFix, Proposal)> =
            of_part.iter().flat_map(|it| it.proposals(&editor, level)).collect();
        let mut bytes = MOST_PARSED;
        while !rest.is_empty() {
            let (mut picked, mut later): (Vec<(PlannedFix, Proposal)>, Vec<_>) = Default::default();
            for it in rest {
                let is_free = |other: &PlannedFix| !overlap(&other.text_edits, &it.0.text_edits);
                if !plan.iter().all(is_free) {
                    continue;
                }
                // It is free if the other one is not confirmed.
                if picked.iter().all(|(other, _)| is_free(other)) {
                    picked.push(it);
                } else {
                    later.push(it);
                }
            }
            let proposals: Vec<&Proposal> = picked.iter().map(|(_, it)| it).collect();
            let confirmed = editor.confirm(&proposals, &mut bytes);
            let confirmed = picked.into_iter().zip(confirmed).filter(|(_, is_right)| *is_right);
            plan.extend(confirmed.map(|((fix, _), _)| fix));
            rest = later;
        }
    }
    plan
}

/// A subject with findings that can be fixed.
struct FixableSubject<'a> {
    /// The number of the subject in its file.
    index: usize,
    subject: &'a Subject,
    findings: Vec<(&'a Finding, &'a Excerpt)>,
}

impl FixableSubject<'_> {
    /// Returns the fix of each finding that can be written into the text.
    fn proposals(&self, editor: &Editor<'_>, level: Applicability) -> Vec<(PlannedFix, Proposal)> {
        let start = self.subject.range().start;
        let proposal = |(finding, excerpt): &(&Finding, &Excerpt)| {
            let (title, edits) = chosen(finding, level)?;
            let proposal = self.subject.proposal(editor, edits)?;
            let text_edits = proposal.text_edits().iter().map(|it| it.clone().moved(start));
            let fix = PlannedFix {
                rule: finding.rule,
                title: title.to_owned(),
                line: excerpt.position.line,
                subject: self.index,
                edits: edits.to_vec(),
                text_edits: text_edits.collect(),
            };
            Some((fix, proposal))
        };
        self.findings.iter().filter_map(proposal).collect()
    }
}

fn chosen(finding: &Finding, level: Applicability) -> Option<(&str, &[Edit])> {
    let mut fixes = finding.fixes.iter();
    let fix = fixes.find(|fix| fix.applicability <= level)?;
    Some((&fix.title, &fix.edits))
}

/// Reports whether edits overlap or touch.
fn overlap(one: &[TextEdit], other: &[TextEdit]) -> bool {
    one.iter().any(|one| {
        let mut other = other.iter();
        other.any(|other| one.range.start <= other.range.end && other.range.start <= one.range.end)
    })
}

/// Returns the subjects of a file after fixes; `None` if the fixes have another effect together.
fn applied(subjects: &[Subject], plan: &[PlannedFix]) -> Option<Vec<Subject>> {
    let mut edits: Vec<TextEdit> = plan.iter().flat_map(|it| it.text_edits.clone()).collect();
    edits.sort_by_key(|it| it.range.start);
    let text = edited(subjects[0].whole_text(), &edits);
    let read = subject::read(&subjects[0].file, text, false).subjects;
    let fixed = subjects.iter().enumerate().map(|(index, subject)| {
        // Unchanged documents of the file are not reviewed.
        let again = read.iter().find(|it| it.is_document_of(subject))?;
        let own = plan.iter().filter(|it| it.subject == index);
        let edits: Vec<&Edit> = own.flat_map(|it| &it.edits).collect();
        subject.rewritten(again, &edits)
    });
    fixed.collect()
}
