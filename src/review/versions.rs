// SPDX-License-Identifier: Apache-2.0
//! Write-back of versions that are newer in the garden than in the files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use serde_json::Value;

use crate::files;
use crate::files::cannot_write;
use crate::platform::hard_links;
use garden_gate_model::api::Kind;
use garden_gate_products::report::Edit;
use garden_gate_products::review::subject::{self, Subject};
use garden_gate_text::yaml::{Position, Replacement, replace};

/// The file name of standard input in reports.
pub(crate) const STANDARD_INPUT: &str = "-";

/// The reason why a version is not changed.
const SHARED: &str = "it stands in several places, by an anchor or a merge; change it by hand";
const ODD: &str = "it is not written letter by letter; change it by hand";
const NO_FILE: &str = "it was not read from a file that could be written";
const SEVERAL_NAMES: &str =
    "the file has other hard links, which would keep the old version; change it by hand";
const NO_TEXT: &str = "it is not UTF-8 text; save it as UTF-8";
const UNSAFE: &str = "the file would say something else then; change it by hand";

/// Writes newer versions of the garden into the files of these subjects, and updates the subjects.
///
/// The subjects are in the order of their files; `applied` applies them again to stored objects. Only files at or below
/// `paths` are written.
///
/// # Errors
/// Fails if a file cannot be written or has changed since it was read, or an object cannot be serialized as JSON.
pub(crate) fn write_back(
    subjects: &mut [Subject],
    paths: &[PathBuf],
    applied: impl Fn(&mut [Subject]) -> serde_json::Result<()>,
) -> anyhow::Result<()> {
    for of_file in subjects.chunk_by_mut(|one, next| Arc::ptr_eq(&one.file, &next.file)) {
        let mut edits = edits(of_file);
        if edits.is_empty() {
            continue;
        }
        if let Some(why) = why_kept(&of_file[0].file, paths) {
            for (_, edit) in &mut edits {
                edit.leave(&why);
            }
        }
        let before = of_file[0].whole_text().to_owned();
        let after = edited(&before, &mut edits);
        let is_edited = edits.iter().any(|(_, planned)| planned.is_open());
        if is_edited {
            let mut again = subject::read(&of_file[0].file, after.clone(), false).subjects;
            for (again, subject) in again.iter_mut().zip(&of_file[..]) {
                if let Some(key) = subject.key().filter(|it| !it.namespace.is_empty()) {
                    again.set_namespace(&key.namespace);
                }
            }
            applied(&mut again)?;
            match why_not(of_file, &again, &edits) {
                Some(why) => edits.iter_mut().for_each(|(_, edit)| edit.leave(why)),
                None => {
                    rewrite(&of_file[0].file, &before, &after)?;
                    of_file.swap_with_slice(&mut again);
                }
            }
        }
        for (index, planned) in edits {
            of_file[index].edits.push(planned.edit);
        }
    }
    Ok(())
}

/// Returns the edited standard input, if it contains a Shoot.
pub(crate) fn standard_input(subjects: &[Subject]) -> Option<&str> {
    let is_of_shoot = |it: &&Subject| it.key().is_some_and(|key| key.kind == Kind::Shoot);
    let mut piped = subjects.iter().filter(|it| &*it.file == STANDARD_INPUT);
    piped.find(is_of_shoot).map(Subject::whole_text)
}

/// A planned edit.
struct Planned {
    edit: Edit,
    at: Position,
}

impl Planned {
    fn is_open(&self) -> bool {
        self.edit.left_because.is_none()
    }

    fn leave(&mut self, why: &str) {
        let left = &mut self.edit.left_because;
        left.get_or_insert_with(|| why.to_owned());
    }
}

/// Returns the planned edits, each with the index of its subject.
fn edits(subjects: &[Subject]) -> Vec<(usize, Planned)> {
    let edits = subjects.iter().enumerate().flat_map(|(index, subject)| {
        let mut newer = subject.drift.iter().filter(|it| it.newer_version().is_some()).peekable();
        let document = newer.peek().and_then(|_| subject.document());
        let planned = newer.filter_map(move |drift| {
            let document = document.as_ref()?;
            let own = document.own_position(&drift.pointer);
            let at = own.unwrap_or_else(|| document.position(&drift.pointer));
            let at = subject.position_in_file(at);
            let edit = Edit {
                pointer: drift.pointer.clone(),
                from: drift.file.as_ref()?.as_str()?.to_owned(),
                to: drift.newer_version()?.to_owned(),
                line: at.line,
                left_because: own.is_none().then(|| SHARED.to_owned()),
            };
            Some((index, Planned { edit, at }))
        });
        planned.collect::<Vec<_>>()
    });
    edits.collect()
}

/// Returns the text with its edits; impossible edits are left out.
fn edited(text: &str, edits: &mut [(usize, Planned)]) -> String {
    let mut open: Vec<&mut Planned> = edits.iter_mut().map(|(_, it)| it).collect();
    open.retain(|it| it.is_open());
    let replacements: Vec<Replacement<'_>> = open
        .iter()
        .map(|it| Replacement { position: it.at, old: &it.edit.from, new: &it.edit.to })
        .collect();
    let (text, done) = replace(text, &replacements);
    for (planned, is_done) in open.into_iter().zip(done) {
        if !is_done {
            planned.leave(ODD);
        }
    }
    text
}

/// Returns the reason to keep a file; `None` if the edited text differs only in the edits.
fn why_not(
    before: &[Subject],
    after: &[Subject],
    edits: &[(usize, Planned)],
) -> Option<&'static str> {
    let file = &*before[0].file;
    if file != STANDARD_INPUT && !Path::new(file).is_file() {
        return Some(NO_FILE);
    }
    let value = |subject: &Subject| -> Option<Value> {
        serde_json::from_str(subject.new_state()?.get()).ok()
    };
    let mut expected: Vec<Option<Value>> = before.iter().map(value).collect();
    for (index, Planned { edit, .. }) in edits.iter().filter(|(_, it)| it.is_open()) {
        let object = expected[*index].as_mut();
        if let Some(version) = object.and_then(|it| it.pointer_mut(&edit.pointer)) {
            *version = edit.to.as_str().into();
        }
    }
    let is_expected = after.iter().map(value).eq(expected);
    (!is_expected).then_some(UNSAFE)
}

/// Returns the reason to never write a file: it is reached by a symbolic link, or has other names.
pub(crate) fn why_kept(file: &str, paths: &[PathBuf]) -> Option<String> {
    if file == STANDARD_INPUT {
        return None;
    }
    let place = fs::canonicalize(file).ok()?;
    let mut roots = paths.iter().filter_map(|path| path.canonicalize().ok());
    if !roots.any(|root| place.starts_with(root)) {
        return Some(format!(
            "a symbolic link leads to `{}`, outside of the paths under review; change it there",
            place.display()
        ));
    }
    let metadata = fs::metadata(&place).ok()?;
    let is_linked = metadata.is_file() && hard_links(&place, &metadata).is_ok_and(|it| it > 1);
    let is_text = || files::read(&place).is_ok_and(|it| str::from_utf8(&it).is_ok());
    if is_linked {
        Some(SEVERAL_NAMES.to_owned())
    } else {
        (!is_text()).then(|| NO_TEXT.to_owned())
    }
}

/// Replaces the text of a file atomically, and keeps symbolic links and permissions.
pub(crate) fn rewrite(file: &str, before: &str, after: &str) -> anyhow::Result<()> {
    if file == STANDARD_INPUT {
        return Ok(());
    }
    let path = Path::new(file);
    let path = fs::canonicalize(path).with_context(|| cannot_write(path))?;
    let metadata = fs::metadata(&path).with_context(|| cannot_write(&path))?;
    if metadata.permissions().readonly() {
        bail!("cannot write `{file}`: it is read-only");
    }
    let now = files::read(&path).map_err(|problem| anyhow!("{problem}"))?;
    // The file was also read under another name.
    if now == after.as_bytes() {
        return Ok(());
    }
    if now != before.as_bytes() {
        bail!("`{file}` has changed since it was read; run it again");
    }
    files::replace(&path, &metadata, after.as_bytes()).with_context(|| cannot_write(&path))
}
