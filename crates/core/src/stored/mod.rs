// SPDX-License-Identifier: Apache-2.0
//! Converts an object as sent to the object that an API server stores.
//!
//! This adds all defaults and changes of Gardener. An API server applies them before it calls webhooks; users who
//! review manifests want to see them.

mod drift;
mod json_access;
mod labels;
mod normal;
mod once;
mod other_defaults;
mod plugins;
mod shoot;
mod strategy;

use json_patch::Patch;
use serde_json::Value;
use thiserror::Error;

use crate::admission::{Operation, Request};
use crate::garden::Snapshot;
use garden_gate_model::api::{GardenerVersion, Kind, described};
use garden_gate_model::gardener::defaults;
use garden_gate_model::gardener::extensions::Edit;
use garden_gate_text::json::{Placeholders, unescape_step};

pub use drift::{Changed, Drift, drift, that_matter};
pub use json_access::MADE_UP;
use json_access::{change, object_at};
use normal::normalise;
pub use once::fill_in_once;

/// Reports whether [`sent_and_stored`] can complete the object of a request.
pub fn completes(request: &Request<'_>) -> bool {
    let is_written = matches!(request.operation, Operation::Create | Operation::Update);
    let is_whole = ["", "binding"].contains(&request.sub_resource.as_str());
    is_written && is_whole && request.kind() == Some(Kind::Shoot)
}

/// An object of a request that cannot be completed.
#[derive(Debug, Error)]
pub enum CompletionError {
    /// The request has no object.
    #[error("the request has no object")]
    Absent,
    /// The changes of rules do not fit the object.
    #[error("the changes of rules cannot be applied: {0}")]
    Patch(#[from] json_patch::PatchError),
    /// The changes of rules cannot be represented.
    #[error("the changes of rules cannot be read: {0}")]
    Changes(#[from] serde_json::Error),
}

/// Returns the object of a request as sent and as stored, with `patch` and the `edits` of extensions applied.
///
/// With a `garden`, a Shoot is also completed as that version of Gardener does. Random values are [`MADE_UP`]. Metadata that the server sets (`uid`,
/// `generation` …) is left out. Numbers beyond any type and deeply nested values are strings with their JSON.
///
/// # Errors
/// Fails without an object, or if it cannot be changed.
pub fn sent_and_stored(
    request: &Request<'_>,
    (patch, edits): (&Patch, &[Edit]),
    (garden, gardener): (Option<&Snapshot>, GardenerVersion),
) -> Result<(Value, Value), CompletionError> {
    let [new, old] = request.received().map(|it| it.to_value());
    completed([new, old], request, (patch, edits), (garden, gardener), Plugins::Validating)
}

/// The admission plugins of an API server that see an object.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Plugins {
    /// Those that change objects, at the end.
    Mutating,
    /// Those that validate objects.
    Validating,
}

/// Returns the new object as sent and as admission plugins see it.
fn completed(
    [sent, old]: [Value; 2],
    request: &Request<'_>,
    (patch, edits): (&Patch, &[Edit]),
    (garden, gardener): (Option<&Snapshot>, GardenerVersion),
    plugins: Plugins,
) -> Result<(Value, Value), CompletionError> {
    if request.object.is_none() {
        return Err(CompletionError::Absent);
    }
    let mut stored = sent.clone();
    json_patch::patch(&mut stored, patch)?;
    if let Some(garden) = garden.filter(|_| completes(request)) {
        let old = request.old_object.map(|_| old);
        complete(request, (&sent, &mut stored), old, (garden, gardener), plugins);
    }
    for edit in edits {
        set(&mut stored, edit);
    }
    Ok((sent, stored))
}

/// The objects of a request as admission plugins of the API server see them.
#[derive(Debug)]
pub struct Admitted {
    /// The new object.
    ///
    /// It has the changes of rules, those of extensions and defaults.
    pub new: Option<Result<Value, CompletionError>>,
    /// The stored object. That of a manifest has defaults, too.
    pub old: Option<Value>,
    /// The JSON texts of the placeholders in both.
    pub placeholders: Placeholders,
}

/// Returns the objects of a request as admission plugins of the API server see them.
///
/// The new object has `patch`, the `edits` of extensions and defaults applied. A stored object of a manifest gets the defaults, too.
pub fn admitted(
    request: &Request<'_>,
    (patch, edits): (&Patch, &[Edit]),
    (garden, gardener): (&Snapshot, GardenerVersion),
    plugins: Plugins,
) -> Admitted {
    let mut placeholders = Placeholders::default();
    let [new, received] = [request.object, request.old_object]
        .map(|it| it.map_or(Value::Null, |it| placeholders.tree(it.get())));
    let mut old = request.old_object.map(|_| received.clone());
    if let (Some(old), Some(kind)) = (&mut old, request.kind()) {
        complete_stored(kind, old, (&request.namespace, gardener));
    }
    let edits: Vec<Edit> = edits.iter().map(|it| escaped(it, &mut placeholders)).collect();
    let changes = escaped_patch(patch, &mut placeholders).and_then(|patch| {
        let garden = (Some(garden), gardener);
        completed([new, received], request, (&patch, &edits), garden, plugins)
    });
    let mut new = request.object.map(|_| changes.map(|(_, new)| new));
    if let (Some(Ok(new)), Some(kind)) = (&mut new, request.kind())
        && !completes(request)
    {
        other_defaults::fill_in(kind, new);
        normalise_as(kind, new);
        if plugins == Plugins::Validating {
            keep_status(request, new, old.as_ref());
        }
    }
    Admitted { new, old, placeholders }
}

/// Adds the defaults that an API server adds whenever it has changed an object.
pub fn fill_in_defaults(
    kind: Kind,
    object: &mut Value,
    (namespace, gardener): (&str, GardenerVersion),
) {
    complete_stored(kind, object, (namespace, gardener));
}

/// Returns an edit without placeholders.
fn escaped(edit: &Edit, placeholders: &mut Placeholders) -> Edit {
    Edit { pointer: edit.pointer.clone(), value: placeholders.tree(&edit.value.to_string()) }
}

/// Returns a patch without placeholders.
fn escaped_patch(patch: &Patch, placeholders: &mut Placeholders) -> Result<Patch, CompletionError> {
    let text = serde_json::to_string(patch)?;
    Ok(serde_json::from_value(placeholders.tree(&text))?)
}

/// Adds the defaults of a stored object, which a manifest may omit.
fn complete_stored(kind: Kind, object: &mut Value, (namespace, gardener): (&str, GardenerVersion)) {
    normalise_as(kind, object);
    match kind {
        Kind::Shoot => {
            fill_in(object, namespace, gardener);
            normalise_as(kind, object);
        }
        kind => other_defaults::fill_in(kind, object),
    }
}

fn normalise_as(kind: Kind, object: &mut Value) {
    if let Some(table) = described(kind.as_str()) {
        normalise(table.object, object);
    }
}

/// Replaces the status of a written object by the stored one, as only the subresource `status` changes it.
fn keep_status(request: &Request<'_>, new: &mut Value, old: Option<&Value>) {
    let Some(fields) = new.as_object_mut() else {
        return;
    };
    if request.sub_resource.is_empty() {
        match old.and_then(|old| old.get("status")) {
            Some(status) => fields.insert("status".to_owned(), status.clone()),
            None => fields.remove("status"),
        };
    }
}

/// Sets a value, and creates the objects above it, or removes a field.
fn set(object: &mut Value, edit: &Edit) {
    let Some((above, name)) = edit.pointer.rsplit_once('/') else {
        return;
    };
    if let Some(Value::Array(items)) = object.pointer_mut(above) {
        let index: Option<usize> = name.parse().ok();
        if let Some(item) = index.and_then(|index| items.get_mut(index)) {
            item.clone_from(&edit.value);
        }
        return;
    }
    let steps: Vec<String> = above.split('/').skip(1).map(unescape_step).collect();
    let mut parent = object;
    for step in &steps {
        let index = step.parse::<usize>().ok().filter(|_| parent.is_array());
        let next = match index {
            Some(index) => parent.get_mut(index),
            None => Some(object_at(parent, &[]).entry(step.as_str()).or_insert(Value::Null)),
        };
        let Some(next) = next else { return };
        parent = next;
    }
    let (parent, name) = (object_at(parent, &[]), unescape_step(name));
    match &edit.value {
        Value::Null => _ = parent.remove(&name),
        value => _ = parent.insert(name, value.clone()),
    }
}

/// Completes a Shoot as `sent`, already changed by rules.
fn complete(
    request: &Request<'_>,
    (sent, object): (&Value, &mut Value),
    old: Option<Value>,
    (garden, gardener): (&Snapshot, GardenerVersion),
    plugins: Plugins,
) {
    let Some(table) = described(Kind::Shoot.as_str()) else {
        return;
    };
    normalise(table.object, object);
    fill_in(object, &request.namespace, gardener);
    let old = old.map(|mut old| {
        normalise(table.object, &mut old);
        fill_in(&mut old, &request.namespace, gardener);
        old
    });
    labels::name_extensions(sent, object, garden);
    plugins::complete(request, object, old.as_ref(), (garden, gardener));
    if plugins == Plugins::Mutating {
        return normalise(table.object, object);
    }
    let is_binding = request.sub_resource == "binding";
    strategy::prepare(object, old.as_ref(), (gardener, is_binding));
    if let Some(old) = old.filter(|_| request.sub_resource.is_empty()) {
        strategy::clean_up_operations(object, &old);
    }
    normalise(table.object, object);
}

/// Adds the defaults of a Shoot. Mirrors `pkg/apis/core/v1beta1/defaults_shoot.go`.
fn fill_in(object: &mut Value, namespace: &str, gardener: GardenerVersion) {
    if let Some(spec) = object.get_mut("spec").filter(|spec| spec.is_object()) {
        change(spec, |spec| {
            defaults::shoot_spec_json(spec, namespace);
            shoot::fill_in(spec, gardener);
        });
    }
}
