// SPDX-License-Identifier: Apache-2.0
//! Fixes of findings, written into the files of a review.

use std::path::{Path, PathBuf};

use super::notes::note;
use super::versions::{STANDARD_INPUT, rewrite, why_kept};
use garden_gate_core::admission::{Applicability, World};
use garden_gate_products::review::Subject;
use garden_gate_products::review::change_set::{Applier, ReviewOptions};
use garden_gate_products::review::fixes::{self, FixOptions, FixedFile};
use garden_gate_text::escape::value;

/// The fixes that are applied, and what happens with the result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FileFixOptions<'a> {
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

/// Fixes findings in the files of subjects, which are sorted by file, and prints the fixes.
///
/// # Errors
/// Fails if a file cannot be written, or has changed since it was read.
pub(crate) fn fix(
    subjects: Vec<Subject>,
    applier: &Applier<'_>,
    world: &World<'_>,
    telling: &ReviewOptions<'_>,
    options: FileFixOptions<'_>,
) -> anyhow::Result<Fixed> {
    let FileFixOptions { level, paths, writes } = options;
    let original = (!writes).then(|| subjects.clone());
    let why_kept = |file: &str| {
        // A diff of standard input is as useful as that of a file.
        let is_shown = !writes && file == STANDARD_INPUT;
        if is_shown { None } else { why_not(file, paths) }
    };
    let options = FixOptions { level, why_kept: &why_kept };
    let fixed = fixes::fix(subjects, applier, world, telling, options);
    let diffs = finish(&fixed.files, writes)?;
    Ok(Fixed { subjects: original.unwrap_or(fixed.subjects), diffs })
}

/// Writes the files, prints the fixes, and returns the diffs.
fn finish(files: &[FixedFile], writes: bool) -> anyhow::Result<String> {
    let (mut diffs, mut count, mut changed) = (String::new(), 0, 0);
    for file in files {
        let name = &file.name;
        if let Some(why) = &file.kept {
            note(format_args!("note: `{name}` is not fixed: {why}"));
        }
        if file.fixes.is_empty() {
            continue;
        }
        (count, changed) = (count + file.fixes.len(), changed + 1);
        let done = if writes { "fixed" } else { "would fix" };
        for fix in &file.fixes {
            let (line, title, rule) = (fix.line, value(&fix.title), fix.rule);
            note(format_args!("{done}: {}:{line}: {title} ({rule})", value(name)));
        }
        if writes { rewrite(name, &file.before, &file.after)? } else { diffs += &diff(file) }
    }
    if count > 0 {
        let verb = if writes { "fixed" } else { "fixable" };
        let [fixes, files] = [(count, "finding"), (changed, "file")].map(|(count, what)| {
            let plural = if count == 1 { "" } else { "s" };
            format!("{count} {what}{plural}")
        });
        note(format_args!("note: {fixes} {verb} in {files}"));
    }
    Ok(diffs)
}

/// Returns the unified diff of a file, or nothing with a note if it would show credentials.
fn diff(file: &FixedFile) -> String {
    file.diff().unwrap_or_else(|| {
        note(format_args!(
            "note: the diff of `{}` is not shown, since a changed line contains credentials",
            value(&file.name)
        ));
        String::new()
    })
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
