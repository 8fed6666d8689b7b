// SPDX-License-Identifier: Apache-2.0
//! An object that policies change, and its fields that are not known.

use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::Value as Json;
use serde_json::value::{RawValue, to_raw_value};

use super::json_patch::{self, PatchFailure, Patched};
use super::merge::apply_configuration;
use crate::admission::Request;
use crate::policies::objects::{NewObject, UnknownField};
use crate::policies::schema::KnownShape;
use crate::policies::validation::{expected, path};
use crate::stored::{MADE_UP, fill_in_defaults};
use garden_gate_cel::{PatchOperation, Value};
use garden_gate_model::api::{Described, GardenerVersion, StrictErrors};
use garden_gate_text::json::{Json as Text, Placeholders, unescape_step};

/// Fields that identify an object, or that an API server sets after policies.
const SYSTEM: [&str; 9] = [
    "/apiVersion",
    "/kind",
    "/metadata/name",
    "/metadata/namespace",
    "/metadata/uid",
    "/metadata/resourceVersion",
    "/metadata/generation",
    "/metadata/creationTimestamp",
    "/metadata/deletionTimestamp",
];

/// The new object of a request, as mutating admission plugins see it.
#[derive(Clone)]
pub(super) struct MutableObject {
    pub(super) tree: Json,
    unknown: Vec<UnknownField>,
    placeholders: Arc<Placeholders>,
    described: &'static Described,
    /// Whether it has the defaults that are added after a mutation.
    has_defaults: bool,
}

/// The reason why a mutation is not applied.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Failure {
    /// An error of the policy, which its failure policy treats.
    Policy(String),
    /// An error of the API server, which refuses the request whatever the failure policy.
    Server(String),
    /// The result is not known.
    Unknown(String),
}

impl MutableObject {
    pub(super) fn new(object: NewObject) -> Self {
        let NewObject { tree, unknown, placeholders, described } = object;
        let placeholders = Arc::new(placeholders);
        Self { tree, unknown, placeholders, described, has_defaults: false }
    }

    /// Returns the object with another tree, and without defaults if that is another one.
    fn with_tree(&self, tree: Json, unknown: Vec<UnknownField>) -> Self {
        let has_defaults = self.has_defaults && tree == self.tree;
        let placeholders = Arc::clone(&self.placeholders);
        Self { tree, unknown, placeholders, described: self.described, has_defaults }
    }

    /// Returns the value in expressions, without the fields that are not known.
    fn known_value(&self) -> Value {
        let shape = KnownShape::of(self.described.object);
        Value::from_tree(&self.tree, Some(shape), &|text| self.placeholders.text(text))
    }

    /// Returns the value in expressions.
    pub(super) fn value(&self) -> Value {
        self.known_value().with_unknown(&self.unknown)
    }

    /// Merges a configuration, and adds defaults.
    pub(super) fn configured(
        &self,
        configuration: &Json,
        (request, gardener): (&Request<'_>, GardenerVersion),
    ) -> Result<Self, Failure> {
        let mut unknown = Vec::new();
        for field in &self.unknown {
            match overlap(configuration, &steps(&field.0)) {
                Overlap::None => unknown.push(field.clone()),
                Overlap::Replaced => {}
                Overlap::Unclear => return Err(undecided(field)),
            }
        }
        let mut configuration = configuration.clone();
        // An API server sets them to those of the object.
        if let Json::Object(fields) = &mut configuration {
            for name in ["apiVersion", "kind"] {
                let value = self.tree.get(name).cloned();
                fields.insert(name.to_owned(), value.unwrap_or_default());
            }
        }
        let shape = KnownShape::in_version(self.described.object, gardener);
        let tree =
            apply_configuration(&self.tree, &configuration, shape).map_err(Failure::Policy)?;
        self.checked((tree, unknown), Failure::Policy, (request, gardener))
    }

    /// Returns the object with another tree and defaults, if that can be decoded.
    fn checked(
        &self,
        (tree, unknown): (Json, Vec<UnknownField>),
        error: impl FnOnce(String) -> Failure,
        (request, gardener): (&Request<'_>, GardenerVersion),
    ) -> Result<Self, Failure> {
        if let Some(field) = SYSTEM.iter().find(|it| tree.pointer(it) != self.tree.pointer(it)) {
            return Err(Failure::Unknown(format!(
                "it changes `{}`, which identifies the object or is set by the API server",
                dotted(field)
            )));
        }
        let changed = self.with_tree(tree, unknown);
        match changed.new_errors(self, gardener) {
            Some(why) => Err(error(why)),
            None => Ok(changed.with_defaults(request, gardener)),
        }
    }

    /// Applies a JSON patch, and adds defaults.
    pub(super) fn patched(
        &self,
        operations: &[PatchOperation],
        (request, gardener): (&Request<'_>, GardenerVersion),
    ) -> Result<Self, Failure> {
        let mut unknown = self.unknown.clone();
        for operation in operations {
            unknown = self.still_unknown(operation, unknown)?;
        }
        let tree = match json_patch::apply(&self.tree, operations) {
            Ok(Patched::Changed(tree)) => tree,
            Ok(Patched::Untouched) => return Ok(self.clone().with_defaults(request, gardener)),
            Err(PatchFailure::Failed(why)) => return Err(Failure::Policy(why)),
            Err(PatchFailure::Unknown(why)) => return Err(Failure::Unknown(why.to_owned())),
        };
        if !tree.is_object() {
            return Err(Failure::Server("the patched object is not an object".to_owned()));
        }
        self.checked((tree, unknown), Failure::Server, (request, gardener))
    }

    /// Returns the fields that are not known after an operation.
    fn still_unknown(
        &self,
        operation: &PatchOperation,
        unknown: Vec<UnknownField>,
    ) -> Result<Vec<UnknownField>, Failure> {
        let path = steps(&operation.path);
        let from = steps(&operation.from);
        let is_written = matches!(operation.op.as_str(), "add" | "replace" | "copy" | "move");
        let is_moved = operation.op == "move";
        let mut still = Vec::new();
        for field in unknown {
            let known = steps(&field.0);
            let is_read = !from.is_empty() && is_related(&from, &known);
            // The removal of a field that may be absent may fail.
            let is_removed = operation.op == "remove" && known.len() > path.len();
            if is_read || is_moved && is_related(&path, &known) {
                return Err(undecided(&field));
            }
            let is_replaced = (is_written || is_removed) && known.starts_with(&path);
            let is_unclear = [&path, &from].iter().any(|it| has_odd_index(it, &known));
            // An element of the same list may get another index.
            if is_unclear || self.shifts(&path, &known) || is_related(&path, &known) && !is_replaced
            {
                return Err(undecided(&field));
            }
            if !is_replaced {
                still.push(field);
            }
        }
        Ok(still)
    }

    /// Reports whether a change at a path moves elements of a list in which a field is.
    fn shifts(&self, path: &[String], field: &[String]) -> bool {
        let Some((key, list)) = path.split_last() else {
            return false;
        };
        let pointer: String = list
            .iter()
            .map(|it| {
                let mut step = String::new();
                garden_gate_text::json::push_step(&mut step, it);
                step
            })
            .collect();
        let is_list = self.tree.pointer(&pointer).is_some_and(Json::is_array);
        is_list && key != "-" && field.len() > list.len() && field.starts_with(list)
    }

    /// Returns the first error of a decoder that another state of the object does not have.
    fn new_errors(&self, before: &Self, gardener: GardenerVersion) -> Option<String> {
        if self.has_defaults {
            return None;
        }
        let no_json = || Some("the object has no JSON".to_owned());
        let Some(now) = self.text() else { return no_json() };
        let errors = |text: &RawValue| {
            let errors = StrictErrors::of(text.get(), self.described.object, gardener);
            let unknown = errors.unknown.first.iter();
            let unknown = unknown.map(|(steps, _)| format!("unknown field `{}`", path(steps)));
            let wrong = errors.wrong.first.iter().map(|(steps, (shape, _))| {
                format!("`{}` has the wrong type: {} is required", path(steps), expected(*shape))
            });
            unknown.chain(wrong).collect::<Vec<String>>()
        };
        let now = errors(&now);
        if now.is_empty() {
            return None;
        }
        let Some(before) = before.text() else { return no_json() };
        let known = errors(&before);
        now.into_iter().find(|it| !known.contains(it))
    }

    /// Returns the object with the defaults that are added after a mutation.
    pub(super) fn with_defaults(
        mut self,
        request: &Request<'_>,
        gardener: GardenerVersion,
    ) -> Self {
        if let Some(kind) = request.kind().filter(|_| !self.has_defaults) {
            fill_in_defaults(kind, &mut self.tree, (&request.namespace, gardener));
            self.has_defaults = true;
        }
        self
    }

    fn text(&self) -> Option<Box<RawValue>> {
        to_raw_value(&Restored(&self.tree, &self.placeholders)).ok()
    }

    /// Returns the JSON of the object, with fields that are not known as they were sent.
    pub(super) fn to_sent(&self, request: &Request<'_>) -> Option<Box<RawValue>> {
        let mut tree = self.tree.clone();
        remove_made_up(&mut tree);
        let sent: Json = request.object.map(|it| Text::text(it.get()).to_value())?;
        for (pointer, _) in &self.unknown {
            set(&mut tree, &steps(pointer), sent.pointer(pointer));
        }
        to_raw_value(&Restored(&tree, &self.placeholders)).ok()
    }
}

fn undecided((pointer, why): &UnknownField) -> Failure {
    Failure::Unknown(format!("it concerns `{}`, which is not known: {why}", dotted(pointer)))
}

/// Returns the field at a JSON pointer as in messages.
pub(super) fn dotted(pointer: &str) -> String {
    steps(pointer).join(".")
}

fn steps(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(unescape_step).collect()
}

/// Reports whether one of two paths leads to the value at the other.
fn is_related(a: &[String], b: &[String]) -> bool {
    a.starts_with(b) || b.starts_with(a)
}

/// Reports whether a path has an index such as `-1` or `01` of a list in which a field may be.
fn has_odd_index(path: &[String], field: &[String]) -> bool {
    let is_odd = |step: &String| {
        let digits = step.strip_prefix(['+', '-']).unwrap_or(step);
        let is_number = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
        is_number && (digits.len() < step.len() || digits.len() > 1 && digits.starts_with('0'))
    };
    path.iter()
        .position(is_odd)
        .is_some_and(|at| field.len() > at && field.iter().zip(path).take(at).all(|(a, b)| a == b))
}

/// What a configuration does with a field that is not known.
enum Overlap {
    None,
    Replaced,
    Unclear,
}

fn overlap(configuration: &Json, path: &[String]) -> Overlap {
    let mut value = configuration;
    for step in path {
        value = match value {
            Json::Object(fields) => match fields.get(step) {
                Some(inner) => inner,
                None => return Overlap::None,
            },
            // The elements may get other indices.
            _ => return Overlap::Unclear,
        };
    }
    if value.is_object() || value.is_array() { Overlap::Unclear } else { Overlap::Replaced }
}

/// Removes the fields that an API server generates.
fn remove_made_up(value: &mut Json) {
    match value {
        Json::Object(fields) => {
            fields.retain(|_, it| it != MADE_UP);
            fields.values_mut().for_each(remove_made_up);
        }
        Json::Array(items) => items.iter_mut().for_each(remove_made_up),
        _ => {}
    }
}

/// Sets or removes a field of an existing object.
fn set(tree: &mut Json, path: &[String], value: Option<&Json>) {
    let Some((name, above)) = path.split_last() else {
        return;
    };
    let mut parent = tree;
    for step in above {
        let next = match parent {
            Json::Object(fields) => fields.get_mut(step),
            Json::Array(items) => step.parse::<usize>().ok().and_then(|it| items.get_mut(it)),
            _ => None,
        };
        let Some(next) = next else { return };
        parent = next;
    }
    if let Json::Object(fields) = parent {
        match value {
            Some(value) => _ = fields.insert(name.clone(), value.clone()),
            None => _ = fields.remove(name),
        }
    }
}

/// A tree whose placeholders are written as their JSON.
struct Restored<'a>(&'a Json, &'a Placeholders);

impl Serialize for Restored<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(value, placeholders) = self;
        match value {
            Json::Object(fields) => serializer
                .collect_map(fields.iter().map(|(name, it)| (name, Restored(it, placeholders)))),
            Json::Array(items) => {
                serializer.collect_seq(items.iter().map(|it| Restored(it, placeholders)))
            }
            Json::String(text) => match placeholders.text(text) {
                Some(json) => {
                    let raw = RawValue::from_string(json.to_owned());
                    raw.map_err(serde::ser::Error::custom)?.serialize(serializer)
                }
                None => serializer.serialize_str(text),
            },
            other => other.serialize(serializer),
        }
    }
}
