//! Comparison of a change with the old state of every object.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use serde_json::Value;

use super::applied::LastApplied;
use super::subject::{Doubt, Subject};
use crate::garden::{ObjectKey, Snapshot};
use crate::review::notes::note;
use crate::stored::drift;

/// Compares manifests with the `old` ones, which come from `origin`.
///
/// Copies of an object are paired by their files, whose common names `place` returns; then those with the same content,
/// and the others in order, as moved files. Returns the changed manifests, with deletions, and the unchanged ones.
///
/// # Errors
/// Fails if an object cannot be serialized as JSON.
pub(crate) fn compare(
    new: Vec<Subject>,
    old: Vec<Subject>,
    origin: &str,
    place: impl Fn(&Subject, Age) -> PathBuf,
) -> serde_json::Result<(Vec<Subject>, Vec<Subject>)> {
    let before = pairs(&new, &old, place);
    let (mut changed, mut unchanged) = (Vec::new(), Vec::new());
    let mut stays: HashMap<ObjectKey, String> = HashMap::new();
    let mut paired: HashSet<usize> = HashSet::new();
    for (mut subject, before) in new.into_iter().zip(before) {
        if let Some(key) = subject.key() {
            stays.entry(key).or_insert_with(|| subject.place());
        }
        paired.extend(before);
        let stored = before.and_then(|index| old.get(index));
        if let Some(stored) = stored {
            if subject.is_like(stored) {
                unchanged.push(subject);
                continue;
            }
            subject.replaces(stored, origin)?;
        }
        changed.push(subject);
    }
    let mut gone = HashSet::new();
    for (index, mut subject) in old.into_iter().enumerate() {
        let Some(key) = subject.key().filter(|_| !paired.contains(&index)) else {
            continue;
        };
        if let Some(other) = stays.get(&key) {
            note(format_args!(
                "note: {key} is no longer in `{}`, but still in `{other}`, so that is not a deletion",
                subject.place()
            ));
        } else if gone.insert(key) {
            subject.goes(origin);
            changed.push(subject);
        }
    }
    Ok((changed, unchanged))
}

/// The old or the new state of a change.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Age {
    New,
    Old,
}

/// Returns for each new manifest the index of the old one that it replaces.
fn pairs(
    new: &[Subject],
    old: &[Subject],
    place: impl Fn(&Subject, Age) -> PathBuf,
) -> Vec<Option<usize>> {
    let mut copies: HashMap<ObjectKey, [Vec<usize>; 2]> = HashMap::new();
    for (side, subjects) in [new, old].into_iter().enumerate() {
        for (index, subject) in subjects.iter().enumerate() {
            if let Some(key) = subject.key() {
                copies.entry(key).or_default()[side].push(index);
            }
        }
    }
    let mut before = vec![None; new.len()];
    for [mut of_new, mut of_old] in copies.into_values() {
        let is_only = of_new.len() == 1 && of_old.len() == 1;
        let is_at =
            |(one, other): (&Subject, &Subject)| place(one, Age::New) == place(other, Age::Old);
        let is_like = |(one, other): (&Subject, &Subject)| one.is_like(other);
        let ways: [IsPair<'_>; 4] = [&|it| is_at(it) && is_like(it), &is_at, &is_like, &|_| true];
        for is_pair in ways.into_iter().skip(if is_only { 3 } else { 0 }) {
            of_new.retain(|one| {
                let found = of_old
                    .iter()
                    .position(|other| is_pair((&new[*one], &old[*other])));
                before[*one] = found.map(|found| of_old.remove(found));
                found.is_none()
            });
        }
    }
    before
}

/// A predicate: whether a new and an old copy of an object are the same document.
type IsPair<'a> = &'a dyn Fn((&Subject, &Subject)) -> bool;

/// Applies manifests to the objects in `stored` with the same key, as `kubectl apply` does, and records the drift.
///
/// The manifest before a change counts as the last applied one if the stored object names none. A deletion deletes
/// the stored object.
///
/// # Errors
/// Fails if an object cannot be serialized as JSON.
pub(crate) fn apply(
    subjects: &mut [Subject],
    stored: &HashMap<ObjectKey, Value>,
    origin: &str,
) -> serde_json::Result<()> {
    for subject in subjects {
        let key = subject.key();
        let Some((key, stored)) = key.and_then(|key| stored.get_key_value(&key)) else {
            continue;
        };
        let manifest = manifest(subject).filter(|_| subject.stays());
        let last = LastApplied::of(stored, || subject.old_state()).unwrap_or_else(|why| {
            subject.doubt(Doubt::Replaces(why));
            LastApplied::before(subject.old_state(), None)
        });
        let merged = manifest.as_ref().map(|it| last.merge(stored, it));
        subject.applies_to(stored, merged.as_ref(), origin)?;
        if let Some(manifest) = manifest {
            subject.drift = drift(key.kind, &manifest, stored, last.manifest());
        }
    }
    Ok(())
}

fn manifest(subject: &Subject) -> Option<Value> {
    let document = subject.document().filter(|it| !it.repeats_keys())?;
    let mut manifest = document.to_value();
    let metadata = manifest
        .pointer_mut("/metadata")
        .and_then(Value::as_object_mut);
    // The namespace may come from the command line.
    if let (Some(metadata), Some(key)) = (
        metadata,
        subject.key().filter(|it| !it.namespace.is_empty()),
    ) {
        metadata.insert("namespace".to_owned(), key.namespace.into());
    }
    Some(manifest)
}

/// Adds notes to manifests judged as new that replace an object, or may do so, which the garden lacks.
pub(crate) fn doubt(subjects: &mut [Subject], garden: &Snapshot) {
    for subject in subjects.iter_mut().filter(|it| it.is_new()) {
        let key = subject.key().filter(|key| !key.kind.is_of_shoot_cluster());
        let Some(key) = key else { continue };
        if let Some(why) = garden.why_unreadable(&key) {
            subject.doubt(Doubt::Replaces(why));
        } else if let Some(why) = garden.gap(key.kind) {
            subject.doubt(Doubt::MayReplace(why.to_owned()));
        }
    }
}
