//! Annotations that silence the warnings of a review, written into the manifests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde_json::Value;

use super::subject::{self, Subject};
use super::versions::{STANDARD_INPUT, rewrite, why_kept};
use crate::review::notes::note;
use garden_gate_core::admission::SILENCE_PREFIX;
use garden_gate_core::config::Level;
use garden_gate_products::report::{Outcome, Reviewed};
use garden_gate_text::go::qualified_name_error;
use garden_gate_text::yaml::{NewFields, Position, insert};

/// The rule whose warnings are about silences themselves.
const OWN_RULE: &str = "object/silence";

/// The silences of a review, by file and position.
#[derive(Debug, Default)]
pub(crate) struct Silences {
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
    pub(crate) fn add(&mut self, subject: &Subject, object: &Reviewed) {
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

    /// Writes the annotations into the files at or below `paths`, and prints a note for each file.
    ///
    /// # Errors
    /// Fails if a file cannot be written, or has changed since it was read.
    pub(crate) fn write(self, reason: &str, paths: &[PathBuf]) -> anyhow::Result<()> {
        for (name, file) in self.files {
            let fields: Vec<NewFields> = file.objects.iter().map(|it| fields(it, reason)).collect();
            let after = insert(&file.text, &fields);
            let count: usize = file.objects.values().map(BTreeSet::len).sum();
            let why = match name.as_str() {
                STANDARD_INPUT => Some("it is standard input".to_owned()),
                _ => why_kept(&name, paths),
            };
            let is_safe = || is_safe(&name, &file.text, &after, count);
            let why = why.or_else(|| {
                (!is_safe())
                    .then(|| "its annotations cannot be added safely; add them by hand".to_owned())
            });
            match why {
                Some(why) => note(format_args!("note: `{name}` is not changed: {why}")),
                None if count == 0 => {}
                None => {
                    rewrite(&name, &file.text, &after)?;
                    let silences = match count {
                        1 => "1 silence was".to_owned(),
                        count => format!("{count} silences were"),
                    };
                    note(format_args!("note: {silences} written into `{name}`"));
                }
            }
            if !file.left.is_empty() {
                let ids: Vec<&str> = file.left.iter().map(String::as_str).collect();
                note(format_args!(
                    "note: warnings in `{name}` are not silenced: {}",
                    ids.join(", ")
                ));
            }
        }
        Ok(())
    }
}

/// Returns the text of an object's file with an annotation that silences a finding.
///
/// Returns `None` if the annotation cannot be added safely.
pub(crate) fn silenced(subject: &Subject, id: &str, reason: &str) -> Option<String> {
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
