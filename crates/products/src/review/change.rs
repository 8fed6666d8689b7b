// SPDX-License-Identifier: Apache-2.0
//! Comparison of a change with the old state of every object.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::applied::LastApplied;
use super::subject::{Doubt, Subject};
use garden_gate_core::garden::{ObjectKey, Snapshot};
use garden_gate_core::stored::drift;

/// The manifests of a change, compared with their old state.
#[derive(Debug, Default)]
pub struct Comparison {
    /// The changed manifests, with deletions.
    pub changed: Vec<Subject>,
    /// The unchanged manifests.
    pub unchanged: Vec<Subject>,
    /// Notes on objects that are only moved, one sentence each.
    pub notes: Vec<String>,
}

/// Compares manifests with the `old` ones, which come from `origin`.
///
/// Copies of an object are paired by their files, whose common names `place` returns; then those with the same content,
/// and the others in order, as moved files.
///
/// # Errors
/// Fails if an object cannot be serialized as JSON.
pub fn compare(
    new: Vec<Subject>,
    old: Vec<Subject>,
    origin: &str,
    place: impl Fn(&Subject, Age) -> PathBuf,
) -> serde_json::Result<Comparison> {
    let before = pairs(&new, &old, place);
    let Comparison { mut changed, mut unchanged, mut notes } = Comparison::default();
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
            notes.push(format!(
                "{key} is no longer in `{}`, but still in `{other}`, so that is not a deletion",
                subject.place()
            ));
        } else if gone.insert(key) {
            subject.become_deletion(origin);
            changed.push(subject);
        }
    }
    Ok(Comparison { changed, unchanged, notes })
}

/// The old or the new state of a change.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Age {
    /// The state that is reviewed.
    New,
    /// The state that it is compared with.
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
    for [of_new, of_old] in copies.into_values() {
        if let ([one], [other]) = (&of_new[..], &of_old[..]) {
            before[*one] = Some(*other);
            continue;
        }
        let copy = |subject: &Subject, age| Copy {
            place: place(subject, age),
            content: subject.content(),
        };
        let of_new = of_new.iter().map(|it| (*it, copy(&new[*it], Age::New)));
        let of_old = of_old.iter().map(|it| (*it, copy(&old[*it], Age::Old)));
        for (one, other) in pair_copies(of_new.collect(), of_old.collect()) {
            before[one] = Some(other);
        }
    }
    before
}

/// One of several manifests of an object.
struct Copy {
    place: PathBuf,
    content: Option<Value>,
}

/// The properties that a new and an old copy have in common.
type Mark<'a> = (Option<&'a Path>, Option<&'a Value>);

impl Copy {
    fn content(&self) -> Option<&Value> {
        self.content.as_ref()
    }

    /// Ways to compare copies, the best first.
    const WAYS: [fn(&Self) -> Option<Mark<'_>>; 4] = [
        |it| Some((Some(&it.place), Some(it.content()?))),
        |it| Some((Some(&it.place), None)),
        |it| Some((None, Some(it.content()?))),
        |_| Some((None, None)),
    ];
}

/// Returns pairs of a new and an old copy of the same object, in time linear in their number.
fn pair_copies(mut new: Vec<(usize, Copy)>, old: Vec<(usize, Copy)>) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let mut taken = HashSet::new();
    for mark in Copy::WAYS {
        let mut free: HashMap<Mark<'_>, VecDeque<usize>> = HashMap::new();
        for (index, copy) in old.iter().filter(|(index, _)| !taken.contains(index)) {
            if let Some(mark) = mark(copy) {
                free.entry(mark).or_default().push_back(*index);
            }
        }
        let take = |copy| mark(copy).and_then(|it| free.get_mut(&it)?.pop_front());
        let found: Vec<Option<usize>> = new.iter().map(|(_, copy)| copy).map(take).collect();
        let mut found = found.into_iter();
        new.retain(|(index, _)| {
            let found = found.next().flatten();
            pairs.extend(found.map(|other| (*index, other)));
            taken.extend(found);
            found.is_none()
        });
    }
    pairs
}

/// Applies manifests to the objects in `stored` with the same key, as `kubectl apply` does, and records the drift.
///
/// The manifest before a change counts as the last applied one if the stored object names none. A deletion deletes
/// the stored object.
///
/// # Errors
/// Fails if an object cannot be serialized as JSON.
pub fn apply(
    subjects: &mut [Subject],
    stored: &HashMap<ObjectKey, Value>,
    origin: &str,
) -> serde_json::Result<()> {
    for subject in subjects {
        let key = subject.key();
        let Some((key, stored)) = key.and_then(|key| stored.get_key_value(&key)) else {
            continue;
        };
        let manifest = manifest(subject).filter(|_| subject.exists_after());
        let last = LastApplied::of(stored, || subject.old_state()).unwrap_or_else(|why| {
            subject.doubt(Doubt::Replaces(why));
            LastApplied::before(subject.old_state(), None)
        });
        if let Some(why) = manifest.as_ref().and_then(|it| foreign_uid(it, stored)) {
            subject.doubt(Doubt::Replaces(why));
        }
        let merged = manifest.as_ref().map(|it| last.merge(stored, it));
        subject.applies_to(stored, merged.as_ref(), origin)?;
        if let Some(manifest) = manifest {
            subject.drift = drift(key.kind, &manifest, stored, last.manifest());
        }
    }
    Ok(())
}

/// Returns why an API server refuses a manifest of another object with the same name, such as a former one.
///
/// Source: `DefaultUpdatedObjectInfo.Preconditions` in `pkg/registry/rest/update.go` of k8s.io/apiserver.
fn foreign_uid(manifest: &Value, stored: &Value) -> Option<String> {
    let [own, stored] = [manifest, stored].map(|it| it["metadata"]["uid"].as_str());
    let own = own.filter(|it| !it.is_empty() && stored.is_some_and(|stored| stored != *it))?;
    Some(format!(
        "the manifest has the `metadata.uid` `{own}`, and the stored object another one, with which an API server refuses the write; delete the field"
    ))
}

fn manifest(subject: &Subject) -> Option<Value> {
    let document = subject.document().filter(|it| !it.repeats_keys())?;
    let mut manifest = document.to_value();
    let metadata = manifest.pointer_mut("/metadata").and_then(Value::as_object_mut);
    // The namespace may come from the command line.
    if let (Some(metadata), Some(key)) =
        (metadata, subject.key().filter(|it| !it.namespace.is_empty()))
    {
        metadata.insert("namespace".to_owned(), key.namespace.into());
    }
    Some(manifest)
}

/// Adds notes to manifests judged as new that replace an object, or may do so, which the garden lacks.
pub fn doubt(subjects: &mut [Subject], garden: &Snapshot) {
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

/// Adds a note to all manifests without an old state that they may replace an object.
pub fn doubt_all(subjects: &mut [Subject], why: &str) {
    for subject in subjects.iter_mut().filter(|it| it.is_new()) {
        subject.doubt(Doubt::MayReplace(why.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use serde_json::{Value, json};

    use super::{Copy, pair_copies};

    fn copy(place: &str, content: Value) -> Copy {
        Copy { place: PathBuf::from(place), content: Some(content) }
    }

    #[test]
    fn copies_are_paired_by_file_and_content() {
        let new = vec![
            (0, copy("moved", json!(2))),
            (1, copy("a", json!(9))),
            (2, copy("other", json!(7))),
            (3, copy("a", json!(1))),
        ];
        let old = vec![
            (0, copy("gone", json!(8))),
            (1, copy("a", json!(1))),
            (2, copy("b", json!(2))),
            (3, copy("a", json!(3))),
        ];
        let mut pairs = pair_copies(new, old);
        pairs.sort_unstable();
        assert_eq!(pairs, [(0, 2), (1, 3), (2, 0), (3, 1)]);
    }

    /// Comparing each copy with each other one would not end.
    #[test]
    fn pairing_of_many_copies_ends() {
        const COPIES: usize = 200_000;
        let copies = |side: &str| {
            let copy = |index| (index, copy(&format!("{side}/{index}"), json!(side)));
            (0..COPIES).map(copy).collect::<Vec<_>>()
        };
        let pairs = pair_copies(copies("new"), copies("old"));
        assert!(pairs.iter().all(|(new, old)| new == old));
        assert_eq!(pairs.len(), COPIES);
    }
}
