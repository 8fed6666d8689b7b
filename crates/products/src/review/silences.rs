// SPDX-License-Identifier: Apache-2.0
//! Annotations that silence the warnings of a review, in the manifests.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::subject::{self, Subject};
use crate::report::{Outcome, Reviewed};
use garden_gate_core::admission::SILENCE_PREFIX;
use garden_gate_core::config::Level;
use garden_gate_text::go::qualified_name_error;
use garden_gate_text::yaml::{NewFields, Position, insert};

/// The rule whose warnings are about silences themselves.
const OWN_RULE: &str = "object/silence";

/// The silences of a review, by file and position.
#[derive(Debug, Default)]
pub struct Silences {
    files: BTreeMap<String, File>,
}

#[derive(Debug)]
struct File {
    text: String,
    objects: BTreeMap<(Position, bool), BTreeSet<String>>,
    /// Ids that could not be silenced.
    left: BTreeSet<String>,
}

impl Silences {
    /// Adds the warnings about a manifest that can be silenced.
    pub fn add(&mut self, subject: &Subject, object: &Reviewed) {
        let Outcome::Judged(review, _) = &object.outcome else {
            return;
        };
        if subject.key().is_none() || !subject.exists_after() {
            return;
        }
        let findings =
            review.findings.iter().filter(|it| it.level == Level::Warn && it.rule != OWN_RULE);
        let ids = findings.map(|it| it.finding.to_owned());
        let open = review.undetermined.iter().filter(|it| it.level == Level::Warn);
        let open: BTreeSet<String> = open.map(|it| it.rule.to_owned()).collect();
        // The name of a policy may be longer than that of an annotation.
        let (ids, mut left): (BTreeSet<String>, BTreeSet<String>) =
            ids.partition(|id| qualified_name_error(&key(id)).is_none());
        left.extend(open);
        if ids.is_empty() && left.is_empty() {
            return;
        }
        let file = self.files.entry(subject.file.to_string()).or_insert_with(|| File {
            text: subject.whole_text().to_owned(),
            objects: BTreeMap::new(),
            left: BTreeSet::new(),
        });
        file.left.extend(left);
        match subject.annotations() {
            Some(_) if ids.is_empty() => {}
            Some(place) => file.objects.entry(place).or_default().extend(ids),
            None => file.left.extend(ids),
        }
    }

    /// Returns the files with the annotations, which have this reason.
    pub fn edited(self, reason: &str) -> impl Iterator<Item = SilencedFile> {
        self.files.into_iter().map(move |(name, file)| {
            let fields: Vec<NewFields> = file.objects.iter().map(|it| fields(it, reason)).collect();
            let after = insert(&file.text, &fields);
            let count = file.objects.values().map(BTreeSet::len).sum();
            let is_safe = is_safe(&name, &file.text, &after, count);
            SilencedFile {
                name,
                before: file.text,
                after: is_safe.then_some(after),
                count,
                left: file.left.into_iter().collect(),
            }
        })
    }
}

/// A file with annotations that silence warnings.
#[derive(Debug)]
pub struct SilencedFile {
    /// The file, as the user would name it.
    pub name: String,
    /// The text without the annotations.
    pub before: String,
    /// The text with them; `None` if they cannot be added safely.
    pub after: Option<String>,
    /// The number of annotations.
    pub count: usize,
    /// The ids of warnings that could not be silenced.
    pub left: Vec<String>,
}

/// Returns the text of an object's file with an annotation that silences a finding.
///
/// Returns `None` if the annotation cannot be added safely.
pub fn silenced(subject: &Subject, id: &str, reason: &str) -> Option<String> {
    let is_named = id != OWN_RULE && qualified_name_error(&key(id)).is_none();
    let place = subject.annotations().filter(|_| is_named)?;
    let ids = BTreeSet::from([id.to_owned()]);
    let before = subject.whole_text();
    let after = insert(before, &[fields((&place, &ids), reason)]);
    is_safe(&subject.file, before, &after, 1).then_some(after)
}

/// Returns the annotation that silences a finding.
fn key(id: &str) -> String {
    format!("{SILENCE_PREFIX}{}", id.replacen('/', ".", 1))
}

fn fields((place, ids): (&(Position, bool), &BTreeSet<String>), reason: &str) -> NewFields {
    let (position, is_new) = *place;
    let entries = ids.iter().map(|id| (key(id), reason.to_owned()));
    NewFields {
        position,
        parent: is_new.then(|| "annotations".to_owned()),
        entries: entries.collect(),
    }
}

/// Reports whether a text contains the same objects as before, except for this number of new silences.
fn is_safe(file: &str, before: &str, after: &str, count: usize) -> bool {
    let read = |text: &str| {
        let held = subject::read(file, text.to_owned(), false);
        let documents = held.subjects.iter().filter_map(Subject::document);
        let documents: Vec<_> = documents.collect();
        let repeats_keys = documents.iter().any(|it| it.repeats_keys());
        let objects = documents.iter().map(|it| without_silences(it.to_value()));
        let (objects, counts): (Vec<Value>, Vec<usize>) = objects.unzip();
        let silences: usize = counts.into_iter().sum();
        (repeats_keys, silences, (objects, held.others))
    };
    let (_, had, before) = read(before);
    let (repeats_keys, has, after) = read(after);
    !repeats_keys && before == after && has == had + count
}

/// Removes the silences of an object, and counts them.
fn without_silences(mut object: Value) -> (Value, usize) {
    let metadata = object.pointer_mut("/metadata").and_then(Value::as_object_mut);
    let Some(metadata) = metadata else {
        return (object, 0);
    };
    let mut count = 0;
    if let Some(Value::Object(annotations)) = metadata.get_mut("annotations") {
        count = annotations.len();
        annotations.retain(|key, _| !key.starts_with(SILENCE_PREFIX));
        count -= annotations.len();
        if annotations.is_empty() {
            metadata.remove("annotations");
        }
    }
    (object, count)
}
