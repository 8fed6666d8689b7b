// SPDX-License-Identifier: Apache-2.0
//! Differences between a manifest and the stored object, such as updates by maintenance.

use std::collections::HashMap;
use std::fmt::Write;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::normal::normalise;
use super::once::fill_in_once;
use super::strategy::prepare;
use super::{MADE_UP, complete_stored};
use garden_gate_model::api::described;
use garden_gate_model::api::{GardenerVersion, Kind, LAST_APPLIED};
use garden_gate_text::go::Version;
use garden_gate_text::json::escape_step;

/// Fields that identify the items of a list, if every item has a unique value.
const KEYS: [&str; 4] = ["name", "version", "type", "key"];

/// Fields that manifests do not apply: type information and fields that the API server sets.
const NOT_APPLIED: [&str; 4] = ["apiVersion", "kind", "metadata", "status"];

/// Fields of the metadata that manifests apply.
const METADATA: [&str; 2] = ["labels", "annotations"];

/// The versions of a Shoot that maintenance updates.
const VERSIONS: [&str; 3] = [
    "spec.kubernetes.version",
    "spec.provider.workers[].kubernetes.version",
    "spec.provider.workers[].machine.image.version",
];

/// The machine image of a worker pool.
const IMAGE: &str = "spec.provider.workers[].machine.image";

/// A field of a manifest that has another value in the garden.
#[derive(Clone, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Drift {
    /// The JSON pointer in the manifest; that of the list, for an item that only the garden has.
    pub pointer: String,
    /// The path for people, with items of lists by name: `spec.provider.workers[a].machine.image.version`.
    pub field: String,
    /// The value in the manifest; `null` for an item of a list that only the garden has.
    pub file: Option<Value>,
    /// The value in the garden; `null` if it has none.
    pub stored: Option<Value>,
    /// The side on which the field was changed.
    pub changed: Changed,
    /// Whether the field is a version, and the version in the garden is newer.
    #[serde(rename = "behind")]
    pub is_behind: bool,
    #[serde(skip)]
    steps: Vec<Step>,
}

/// The side on which a field was changed, compared with the applied or earlier manifest.
#[derive(Clone, Copy, Debug, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Changed {
    /// In the garden only.
    Garden,
    /// In the garden, and to another value in the manifest.
    Both,
    /// Unknown, because there is no earlier manifest.
    Unknown,
}

/// A step of a path to a value.
#[derive(Clone, Debug, Eq, PartialEq)]
enum Step {
    Field(String),
    /// An item of a list: the name and value of the field that identifies it.
    Item(&'static str, String),
}

/// The values of one field in the manifest, in the garden, and in the earlier manifest, also with defaults.
#[derive(Clone, Copy)]
struct Sides<'a> {
    file: Option<&'a Value>,
    stored: Option<&'a Value>,
    base: Option<&'a Value>,
    filled: Option<&'a Value>,
}

/// Returns the fields whose values differ between manifest and garden, in the order of the manifest.
///
/// `base` is the manifest as it was applied or was before. With a `base`, fields that were changed in the manifest only
/// are pending changes and no drift.
///
/// A partial version in the manifest equals every stored version that begins with it. Objects with credentials are not compared,
/// since reports show the values.
pub fn drift(kind: Kind, manifest: &Value, stored: &Value, base: Option<&Value>) -> Vec<Drift> {
    if kind.holds_credentials() || holds_all(stored, manifest) {
        return Vec::new();
    }
    let mut found = Found { has_base: base.is_some(), ..Found::default() };
    let sides = [Some(manifest), Some(stored), base];
    let [file, stored, base_part] = sides.map(|it| it.map(|it| applied_part(kind, it)));
    let filled = base.map(|base| as_created(kind, base, manifest));
    found.compare(Sides {
        file: file.as_ref(),
        stored: stored.as_ref(),
        base: base_part.as_ref(),
        filled: filled.as_ref(),
    });
    found.drifts
}

/// Returns the object that Gardener created from an earlier manifest; values that are not known are [`MADE_UP`].
fn as_created(kind: Kind, earlier: &Value, manifest: &Value) -> Value {
    let mut created = earlier.clone();
    let namespace = earlier["metadata"]["namespace"].as_str();
    let by = (namespace.unwrap_or_default(), GardenerVersion::NEWEST);
    let _assumed = fill_in_once(kind, (&mut created, manifest), by);
    complete_stored(kind, &mut created, by);
    if kind == Kind::Shoot {
        prepare(&mut created, None, (GardenerVersion::NEWEST, false));
    }
    created
}

/// Keeps the differences that applying the manifest would revert; `becoming` is the resulting object.
pub fn that_matter(mut drifts: Vec<Drift>, kind: Kind, becoming: &Value) -> Vec<Drift> {
    if drifts.is_empty() {
        return drifts;
    }
    let becoming = applied_part(kind, becoming);
    let mut lists = Lists::default();
    drifts.retain(|drift| {
        let mut steps = drift.steps.iter();
        let value = steps.try_fold(&becoming, |value, step| match step {
            Step::Field(name) => value.get(name),
            Step::Item(key, name) => lists.item(value, key, name),
        });
        value.filter(|it| !it.is_null()) != drift.stored.as_ref()
    });
    drifts
}

/// Index of the items of lists by the field that identifies them, since a list may be long.
#[derive(Default)]
struct Lists<'v>(HashMap<*const Value, HashMap<&'v str, &'v Value>>);

impl<'v> Lists<'v> {
    fn item(&mut self, list: &'v Value, key: &str, name: &str) -> Option<&'v Value> {
        let items =
            self.0.entry(std::ptr::from_ref(list)).or_insert_with(|| by_key(Some(list), key));
        items.get(name).copied()
    }
}

fn by_key<'v>(list: Option<&'v Value>, key: &str) -> HashMap<&'v str, &'v Value> {
    let items = list
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|item| Some((item.get(key)?.as_str()?, item)));
    items.collect()
}

impl Drift {
    /// Returns the version in the garden if it is newer than that of the manifest.
    pub fn newer_version(&self) -> Option<&str> {
        let stored = self.stored.as_ref().filter(|_| self.is_behind);
        stored.and_then(Value::as_str)
    }
}

/// Reports whether an object contains all values of a manifest: a fast path for most objects.
fn holds_all(stored: &Value, manifest: &Value) -> bool {
    let mut applied = manifest
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(name, _)| !NOT_APPLIED.contains(&name.as_str()));
    let sent = |part: &str| &manifest["metadata"][part];
    applied.all(|(name, sent)| holds(&stored[name], sent))
        && METADATA
            .iter()
            .all(|part| sent(part).is_null() || holds(&stored["metadata"][part], sent(part)))
}

fn holds(stored: &Value, sent: &Value) -> bool {
    match (stored, sent) {
        (Value::Object(stored), Value::Object(sent)) => sent
            .iter()
            .all(|(name, sent)| stored.get(name).is_some_and(|stored| holds(stored, sent))),
        (Value::Array(stored), Value::Array(sent)) => {
            let mut pairs = stored.iter().zip(sent);
            stored.len() == sent.len() && pairs.all(|(stored, sent)| holds(stored, sent))
        }
        _ => stored == sent,
    }
}

/// Returns the applied fields of an object, normalized as an API server does.
fn applied_part(kind: Kind, object: &Value) -> Value {
    let mut part = object.clone();
    if let Some(table) = described(kind.as_str()) {
        normalise(table.object, &mut part);
        keep_sent(&mut part, object);
    }
    let Value::Object(fields) = &mut part else {
        return part;
    };
    let metadata = fields.get("metadata").cloned().unwrap_or_default();
    fields.retain(|name, _| !NOT_APPLIED.contains(&name.as_str()));
    let mut kept = Map::new();
    for name in METADATA {
        let mut entries =
            metadata.get(name).and_then(Value::as_object).cloned().unwrap_or_default();
        entries.remove(LAST_APPLIED);
        kept.insert(name.to_owned(), Value::Object(entries));
    }
    fields.insert("metadata".to_owned(), Value::Object(kept));
    part
}

/// Removes the fields that defaulting added.
fn keep_sent(value: &mut Value, sent: &Value) {
    match (value, sent) {
        (Value::Object(fields), Value::Object(sent)) => {
            fields.retain(|name, _| sent.contains_key(name));
            for (name, field) in fields {
                keep_sent(field, &sent[name]);
            }
        }
        (Value::Array(items), Value::Array(sent)) => {
            for (item, sent) in items.iter_mut().zip(sent) {
                keep_sent(item, sent);
            }
        }
        _ => {}
    }
}

/// The differences found so far, and the current path.
#[derive(Default)]
struct Found {
    drifts: Vec<Drift>,
    steps: Vec<Step>,
    pointer: String,
    /// Whether the earlier manifest is known.
    has_base: bool,
}

impl Found {
    fn compare(&mut self, sides: Sides<'_>) {
        let (Some(file), Some(stored)) = (sides.file, sides.stored) else {
            // The API server omits empty strings.
            return match sides.file.and_then(Value::as_str) {
                Some("") => {}
                _ => self.differs(sides),
            };
        };
        match (file, stored) {
            _ if file == stored => {}
            (Value::Object(sent), Value::Object(_)) if !self.is_another_image(file, stored) => {
                for (name, file) in sent {
                    self.enter(Step::Field(name.clone()), &escape_step(name), |it| {
                        it.compare(Sides {
                            file: Some(file),
                            stored: stored.get(name),
                            base: sides.base.and_then(|base| base.get(name)),
                            filled: sides.filled.and_then(|filled| filled.get(name)),
                        });
                    });
                }
            }
            (Value::Array(sent), Value::Array(there)) => match key_of(sent, there) {
                Some(key) => self.compare_items(key, sent, there, sides),
                None => self.compare_lists(there, sides),
            },
            _ => self.differs(sides),
        }
    }

    /// Compares items; those that only the garden has come last, since a list is replaced as a whole.
    fn compare_items(
        &mut self,
        key: &'static str,
        sent: &[Value],
        there: &[Value],
        lists: Sides<'_>,
    ) {
        let all = [lists.file, lists.stored, lists.base, lists.filled];
        let [own, stored, base, filled] = all.map(|list| by_key(list, key));
        let sides = |name: &str| Sides {
            file: own.get(name).copied(),
            stored: stored.get(name).copied(),
            base: base.get(name).copied(),
            filled: filled.get(name).copied(),
        };
        let named = |items: &[Value]| -> Vec<String> {
            let names = items.iter().filter_map(|item| item[key].as_str());
            names.map(str::to_owned).collect()
        };
        for (index, name) in named(sent).into_iter().enumerate() {
            let sides = sides(&name);
            self.enter(Step::Item(key, name), &index.to_string(), |it| {
                it.compare(sides);
            });
        }
        let mut only_there = named(there);
        only_there.retain(|name| !own.contains_key(name.as_str()));
        for name in only_there {
            let sides = sides(&name);
            self.steps.push(Step::Item(key, name));
            self.differs(sides);
            self.steps.pop();
        }
    }

    /// Compares lists of which the manifest does not identify the items: with the items of the earlier manifest.
    fn compare_lists(&mut self, there: &[Value], lists: Sides<'_>) {
        let before = lists.base.and_then(Value::as_array);
        let Some((key, before)) = before.and_then(|it| Some((key_of(it, there)?, it))) else {
            return self.differs(lists);
        };
        let first = self.drifts.len();
        let sides = Sides { file: lists.base, ..lists };
        self.compare_items(key, before, there, sides);
        for drift in &mut self.drifts[first..] {
            drift.pointer.clone_from(&self.pointer);
        }
    }

    fn enter(&mut self, step: Step, name: &str, look: impl FnOnce(&mut Self)) {
        let length = self.pointer.len();
        self.pointer.push('/');
        self.pointer.push_str(name);
        self.steps.push(step);
        look(self);
        self.steps.pop();
        self.pointer.truncate(length);
    }

    /// Reports whether the pools use different images, whose versions cannot be compared.
    fn is_another_image(&self, file: &Value, stored: &Value) -> bool {
        file.get("name") != stored.get("name") && self.shape() == IMAGE
    }

    fn differs(&mut self, sides: Sides<'_>) {
        let [file, stored, base] =
            [sides.file, sides.stored, sides.base].map(|it| it.filter(|it| !it.is_null()));
        if file == stored {
            return;
        }
        let is_version = VERSIONS.contains(&self.shape().as_str());
        let says = |sent: Option<&Value>| sent == stored || is_version && is_begun(sent, stored);
        let is_pending = self.has_base
            && match (file, base) {
                _ if says(base) => true,
                // The earlier manifest leaves it to a default.
                (Some(_), None) => {
                    let filled = sides.filled;
                    filled == stored || filled.is_some_and(|it| it == MADE_UP)
                }
                // A removed item has more fields in the garden, by defaults.
                (None, Some(base)) => stored.is_some_and(|stored| holds(stored, base)),
                _ => false,
            };
        if says(file) || is_pending {
            return;
        }
        self.drifts.push(Drift {
            pointer: self.pointer.clone(),
            field: self.field(),
            file: file.cloned(),
            stored: stored.cloned(),
            changed: match self.has_base {
                false => Changed::Unknown,
                true if file == base => Changed::Garden,
                true => Changed::Both,
            },
            is_behind: is_version && is_older(file, stored),
            steps: self.steps.clone(),
        });
    }

    fn field(&self) -> String {
        let mut field = String::new();
        for (index, step) in self.steps.iter().enumerate() {
            let _infallible = match step {
                Step::Field(name) if name.contains('.') => write!(field, "[{name}]"),
                Step::Field(name) if index == 0 => write!(field, "{name}"),
                Step::Field(name) => write!(field, ".{name}"),
                Step::Item(_, name) => write!(field, "[{name}]"),
            };
        }
        field
    }

    /// Returns the current path without the names of items.
    fn shape(&self) -> String {
        let steps = self.steps.iter().map(|step| match step {
            Step::Field(name) => format!(".{name}"),
            Step::Item(..) => "[]".to_owned(),
        });
        let shape: String = steps.collect();
        shape.trim_start_matches('.').to_owned()
    }
}

/// Returns the field that identifies the items of both lists; `None` if there is no such field.
fn key_of(one: &[Value], other: &[Value]) -> Option<&'static str> {
    KEYS.into_iter().find(|key| [one, other].iter().all(|items| tells_apart(key, items)))
}

fn tells_apart(key: &str, items: &[Value]) -> bool {
    let Some(mut names) =
        items.iter().map(|item| item.get(key)?.as_str()).collect::<Option<Vec<&str>>>()
    else {
        return false;
    };
    names.sort_unstable();
    names.windows(2).all(|pair| pair[0] != pair[1])
}

/// Reports whether a version is given in part, which Gardener completes.
fn is_begun(sent: Option<&Value>, stored: Option<&Value>) -> bool {
    let [sent, stored] = [sent, stored].map(|it| it.and_then(Value::as_str).unwrap_or_default());
    let rest = stored.strip_prefix(sent);
    !sent.is_empty() && rest.is_some_and(|rest| rest.starts_with('.'))
}

fn is_older(sent: Option<&Value>, stored: Option<&Value>) -> bool {
    let version = |value: Option<&Value>| Version::parse(value?.as_str()?).ok();
    matches!((version(sent), version(stored)), (Some(sent), Some(stored)) if sent < stored)
}
