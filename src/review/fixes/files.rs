//! Fixes of findings, written into the files of a review.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use similar::{DiffTag, TextDiff};

use crate::review::change_set::{self, Applier, ReviewOptions};
use crate::review::credentials;
use crate::review::notes::note;
use crate::review::subject::{self, Subject};
use crate::review::versions::{STANDARD_INPUT, rewrite, why_kept};
use garden_gate_core::admission::{Applicability, Edit, Finding, Phase, World};
use garden_gate_products::report::{Outcome, Reviewed};
use garden_gate_text::escape::value;
use garden_gate_text::yaml::{Editor, TextEdit, edited};

/// Maximum number of rounds: a fix may lead to further findings.
const ROUNDS: usize = 5;

/// The fixes that are applied, and what happens with the result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FixOptions<'a> {
    /// The least certain fixes.
    pub(crate) level: Applicability,
    /// Only files at or below these paths are written.
    pub(crate) paths: &'a [PathBuf],
    /// Whether files are written.
    pub(crate) writes: bool,
}

/// The result of fixing the files of a review.
pub(crate) struct Fixed {
    /// The subjects with the text of the fixed files.
    pub(crate) subjects: Vec<Subject>,
    /// Unified diffs of the files.
    pub(crate) diffs: String,
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

/// A file with its state before and after fixes.
struct FileState {
    before: String,
    applied: Vec<PlannedFix>,
    /// Why the file is not changed any more.
    kept: Option<String>,
}

/// Fixes findings in the files of subjects, which are in the order of their files.
///
/// Overlapping fixes are made one after another. After each round, all subjects are judged again. A file whose fixes do not
/// lower the number of findings keeps its text.
///
/// # Errors
/// Fails if a file cannot be written, or has changed since it was read.
pub(crate) fn fix(
    mut subjects: Vec<Subject>,
    applier: &Applier<'_>,
    world: &World<'_>,
    telling: &ReviewOptions,
    options: FixOptions<'_>,
) -> anyhow::Result<Fixed> {
    let original = (!options.writes).then(|| subjects.clone());
    let quiet = ReviewOptions { configs: telling.configs.clone(), ..ReviewOptions::default() };
    let rounds = Rounds { applier, world, quiet: &quiet, options };
    let mut files: BTreeMap<Arc<str>, FileState> = BTreeMap::new();
    let mut reviewed = rounds.judge(&subjects)?;
    for _ in 0..ROUNDS {
        let (mut next, planned) = rounds.fixed(&subjects, &reviewed, &files);
        if planned.is_empty() {
            break;
        }
        let mut after = rounds.judge(&next)?;
        let is_reset = rounds.settle(&subjects, &mut next, &reviewed, &after, planned, &mut files);
        // Other files may depend on those that keep their text.
        if is_reset {
            after = rounds.judge(&next)?;
        }
        (subjects, reviewed) = (next, after);
    }
    let diffs = finish(&subjects, &files, options)?;
    Ok(Fixed { subjects: original.unwrap_or(subjects), diffs })
}

/// The rounds of fixes, with what the verdicts depend on.
struct Rounds<'a> {
    applier: &'a Applier<'a>,
    world: &'a World<'a>,
    quiet: &'a ReviewOptions,
    options: FixOptions<'a>,
}

impl Rounds<'_> {
    fn judge(&self, subjects: &[Subject]) -> anyhow::Result<Vec<Reviewed>> {
        let mut all = Vec::new();
        change_set::judge(subjects.to_vec(), self.applier, self.world, self.quiet, |judged| {
            all.extend(judged.into_iter().map(|(_, reviewed)| reviewed));
            Ok(())
        })?;
        Ok(all)
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
                kept: why_not(file, self.options.paths),
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

/// Writes the files, prints what was fixed, and returns the diffs.
fn finish(
    subjects: &[Subject],
    files: &BTreeMap<Arc<str>, FileState>,
    options: FixOptions<'_>,
) -> anyhow::Result<String> {
    let (mut diffs, mut count, mut changed) = (String::new(), 0, 0);
    for (file, state) in files {
        if let Some(why) = &state.kept {
            note(format_args!("note: `{file}` is not fixed: {why}"));
        }
        let subject = subjects.iter().find(|it| it.file == *file);
        let Some(subject) = subject.filter(|_| !state.applied.is_empty()) else {
            continue;
        };
        let after = subject.whole_text();
        (count, changed) = (count + state.applied.len(), changed + 1);
        let done = if options.writes { "fixed" } else { "would fix" };
        for fix in &state.applied {
            let (line, title, rule) = (fix.line, value(&fix.title), fix.rule);
            note(format_args!("{done}: {}:{line}: {title} ({rule})", value(file)));
        }
        if options.writes {
            rewrite(file, &state.before, after)?
        } else {
            diffs += &diff(file, &state.before, after)
        }
    }
    if count > 0 {
        let verb = if options.writes { "fixed" } else { "fixable" };
        let [fixes, files] = [(count, "finding"), (changed, "file")].map(|(count, what)| {
            let plural = if count == 1 { "" } else { "s" };
            format!("{count} {what}{plural}")
        });
        note(format_args!("note: {fixes} {verb} in {files}"));
    }
    Ok(diffs)
}

/// Returns the unified diff of a file; without context if the file has credentials.
fn diff(file: &str, before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    let name = value(file);
    let hidden = credentials::lines(before);
    let is_hidden = |line: usize| hidden.iter().any(|lines| lines.contains(&(line + 1)));
    let mut changed = diff.ops().iter().filter(|it| it.tag() != DiffTag::Equal);
    if changed.any(|it| it.old_range().any(is_hidden)) {
        note(format_args!(
            "note: the diff of `{name}` is not shown, since a changed line contains credentials"
        ));
        return String::new();
    }
    let mut unified = diff.unified_diff();
    if !hidden.is_empty() {
        unified.context_radius(0);
    }
    let names = [format!("a/{name}"), format!("b/{name}")];
    unified.header(&names[0], &names[1]).to_string()
}

/// Returns the reason why a file is never written.
fn why_not(file: &str, paths: &[PathBuf]) -> Option<String> {
    if file == STANDARD_INPUT {
        return Some("standard input is not a file; fix its source".to_owned());
    }
    if !Path::new(file).is_file() {
        return Some(
            "it was not read from a file that could be written; fix its source".to_owned(),
        );
    }
    why_kept(file, paths)
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
    let is_wanted = |object: &Reviewed| match &object.outcome {
        Outcome::Judged(review, _) => review.findings.iter().any(|it| !it.fixes.is_empty()),
        Outcome::Unreadable(..) => false,
    };
    let mut plan: Vec<PlannedFix> = Vec::new();
    let mut last: Option<(Range<usize>, Option<Editor<'_>>)> = None;
    let judged = subjects.iter().zip(reviewed).enumerate();
    for (index, (subject, object)) in judged.filter(|(_, (_, object))| is_wanted(object)) {
        let range = subject.range();
        // Objects of a list share a part of the file.
        let (_, editor) = match last.take().filter(|(of, _)| *of == range) {
            Some(known) => last.insert(known),
            None => last.insert((range.clone(), subject.editor())),
        };
        let Some(editor) = editor else { continue };
        let Outcome::Judged(review, excerpts) = &object.outcome else {
            continue;
        };
        for (finding, excerpt) in review.findings.iter().zip(excerpts) {
            let Some((title, edits)) = chosen(finding, level) else {
                continue;
            };
            let Some(text_edits) = subject.text_edits(editor, edits) else {
                continue;
            };
            let text_edits = text_edits.into_iter().map(|it| it.moved(range.start));
            let text_edits: Vec<TextEdit> = text_edits.collect();
            let is_free = plan.iter().all(|other| !overlap(&other.text_edits, &text_edits));
            if is_free {
                plan.push(PlannedFix {
                    rule: finding.rule,
                    title: title.to_owned(),
                    line: excerpt.position.line,
                    subject: index,
                    edits: edits.to_vec(),
                    text_edits,
                });
            }
        }
    }
    plan
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
