//! What was there before: the old state of every object of a change.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::subject::Subject;
use crate::garden::{ObjectKey, Snapshot};
use crate::model::LAST_APPLIED;
use crate::stored::drift;

/// Makes of manifests the change from what `old` manifests say, which come from `origin`: what differs is updated, what is only in one
/// of them is new or goes. Returns how many are the same in both, too; they are left out.
///
/// # Errors
/// When an object cannot be written as JSON.
pub(super) fn compare(
    new: Vec<Subject>,
    old: Vec<Subject>,
    origin: &str,
) -> serde_json::Result<(Vec<Subject>, Vec<Subject>)> {
    let mut before: HashMap<ObjectKey, &Subject> = HashMap::new();
    for subject in &old {
        if let Some(key) = subject.key() {
            before.entry(key).or_insert(subject);
        }
    }
    let (mut changed, mut unchanged) = (Vec::new(), Vec::new());
    let mut stays: HashSet<ObjectKey> = HashSet::new();
    for mut subject in new {
        let key = subject.key();
        let stored = key.as_ref().and_then(|key| before.get(key));
        if let Some(stored) = stored {
            if subject.is_like(stored) {
                stays.extend(key);
                unchanged.push(subject);
                continue;
            }
            subject.replaces(stored, origin)?;
        }
        stays.extend(key);
        changed.push(subject);
    }
    for mut subject in old {
        if subject.key().is_some_and(|key| stays.insert(key)) {
            subject.goes(origin);
            changed.push(subject);
        }
    }
    Ok((changed, unchanged))
}

/// Makes of each manifest that has no old state yet the change of what `stored` holds under the same name, as if it were applied to it, and notes
/// in what it differs from that.
///
/// # Errors
/// When an object cannot be written as JSON.
pub(super) fn apply(
    subjects: &mut [Subject],
    stored: &HashMap<ObjectKey, Value>,
    origin: &str,
) -> serde_json::Result<()> {
    for subject in subjects {
        let key = subject.key();
        let Some((key, stored)) = key.and_then(|key| stored.get_key_value(&key)) else {
            continue;
        };
        let manifest = manifest(subject);
        let last = last_applied(stored);
        let applied = manifest
            .as_ref()
            .map(|it| applied(stored, it, last.as_ref()));
        subject.applies_to(stored, applied.as_ref(), origin)?;
        if let Some(manifest) = manifest {
            subject.drift = drift(key.kind, &manifest, stored, last.as_ref());
        }
    }
    Ok(())
}

/// Notes in what manifests, whose old states are others, differ from what `stored` holds under the same name.
pub(super) fn note_drift(subjects: &mut [Subject], stored: &HashMap<ObjectKey, Value>) {
    for subject in subjects.iter_mut().filter(|it| it.stays()) {
        let key = subject.key();
        let found = key.and_then(|key| stored.get_key_value(&key));
        if let Some(((key, stored), manifest)) = found.zip(manifest(subject)) {
            let base = last_applied(stored).or_else(|| subject.old_state());
            subject.drift = drift(key.kind, &manifest, stored, base.as_ref());
        }
    }
}

/// What is stored once a manifest is applied to what is stored already; `None` if keys of it are repeated: that is to be told, and
/// could not be once it is merged.
pub(super) fn applied_to(stored: &Value, subject: &Subject) -> Option<Value> {
    let last = last_applied(stored);
    manifest(subject).map(|manifest| applied(stored, &manifest, last.as_ref()))
}

fn last_applied(stored: &Value) -> Option<Value> {
    let last = stored["metadata"]["annotations"][LAST_APPLIED].as_str()?;
    serde_json::from_str(last).ok()
}

fn manifest(subject: &Subject) -> Option<Value> {
    let document = subject.document().filter(|it| !it.repeats_keys())?;
    Some(document.to_value())
}

/// Notes on manifests that are judged as new that they replace something, or may do so: the garden does not know.
pub(super) fn doubt(subjects: &mut [Subject], garden: &Snapshot) {
    for subject in subjects.iter_mut().filter(|it| it.is_new()) {
        let Some(key) = subject.key() else { continue };
        if let Some(why) = garden.why_unreadable(&key) {
            subject.replaces_unknown(why);
        } else if let Some(why) = garden.gap(key.kind) {
            subject.may_replace(why.to_owned());
        }
    }
}

/// What is stored once a manifest is applied to what is stored already: what it does not mention stays, unless it did so when it was
/// applied the last time. Lists are replaced as a whole.
fn applied(stored: &Value, manifest: &Value, last: Option<&Value>) -> Value {
    let mut result = stored.clone();
    merge(&mut result, manifest, last.unwrap_or(&Value::Null));
    result
}

fn merge(stored: &mut Value, manifest: &Value, last: &Value) {
    let (Value::Object(fields), Value::Object(said)) = (&mut *stored, manifest) else {
        manifest.clone_into(stored);
        return;
    };
    if let Value::Object(last) = last {
        for name in last.keys().filter(|name| !said.contains_key(*name)) {
            fields.remove(name);
        }
    }
    for (name, value) in said {
        if value.is_null() {
            fields.remove(name);
        } else {
            let field = fields.entry(name).or_insert(Value::Null);
            merge(field, value, &last[name]);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{applied, last_applied};

    fn stored(spec: Value, last: Option<Value>) -> Value {
        let annotations =
            last.map(|last| json!({super::LAST_APPLIED: json!({"spec": last}).to_string()}));
        json!({"metadata": {"annotations": annotations}, "spec": spec, "status": {"phase": "Ready"}})
    }

    #[test]
    fn what_a_manifest_does_not_mention_stays() {
        let stored = stored(json!({"a": 1, "b": {"c": 2, "d": [1, 2]}}), None);
        let applied = applied(&stored, &json!({"spec": {"b": {"d": [3]}}}), None);
        assert_eq!(applied["spec"], json!({"a": 1, "b": {"c": 2, "d": [3]}}));
        assert_eq!(applied["status"], stored["status"]);
    }

    #[test]
    fn what_it_mentioned_last_time_and_does_not_now_goes() {
        let spec = json!({"a": 1, "b": {"c": 2, "e": 3}, "filled-in": true});
        let stored = stored(spec, Some(json!({"a": 1, "b": {"c": 2}})));
        let last = last_applied(&stored);
        let applied = applied(&stored, &json!({"spec": {"b": {}}}), last.as_ref());
        assert_eq!(applied["spec"], json!({"b": {"e": 3}, "filled-in": true}));
    }

    #[test]
    fn null_takes_a_field_away() {
        let applied = applied(
            &stored(json!({"a": 1}), None),
            &json!({"spec": {"a": null}}),
            None,
        );
        assert_eq!(applied["spec"], json!({}));
    }
}
