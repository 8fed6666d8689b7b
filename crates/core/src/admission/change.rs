// SPDX-License-Identifier: Apache-2.0
//! Changes of a Shoot update, with resolved versions, images and architectures, and with defaults.

use std::borrow::Cow;

use super::{Context, Operation};
use garden_gate_model::api::{Machine, Shoot};
use garden_gate_model::gardener::defaults::{drop_unstored, refill, reserve, sync_references};
use garden_gate_text::json::{Fields, Json};

/// Returns the names of differing `spec` fields, sorted, as in static validation or as stored.
fn differing_fields(context: &Context<'_>, new: &Shoot, view: View) -> Vec<String> {
    let Some([after, before]) = context.difference().specs() else {
        return Vec::new();
    };
    let [mut after, mut before] = [after.clone(), before.clone()];
    resolve(&mut after, new);
    if let Some(old) = &*context.filled_old() {
        resolve(&mut before, old);
    }
    let version = new.spec.kubernetes.version.as_str();
    let sync = (version, new.metadata.deletion_timestamp.is_some());
    let name = before.at(&["cloudProfileName"]).and_then(|it| it.read::<String>().ok());
    sync_references(&mut after, name.as_deref(), sync);
    sync_references(&mut before, None, sync);
    if context.request.sub_resource.is_empty() {
        reserve(&mut after, &mut before, new);
    }
    if view == View::Stored {
        drop_unstored(&mut after);
    }
    let (after, before) = (after.into_fields(), before.into_fields());
    let typing = context.difference().typing("spec");
    let mut changed: Vec<String> = after
        .pairs(&before)
        .filter(|field| !field.is_same_as(typing))
        .map(|field| field.name.into_owned())
        .collect();
    changed.sort();
    changed
}

impl Context<'_> {
    /// Returns the names of `spec` fields that differ between the stored and the new Shoot.
    ///
    /// Versions are resolved and defaults are filled in.
    /// The result is cached for validating rules, and recomputed for mutating rules.
    pub fn changed_fields(&self, new: &Shoot) -> Cow<'_, [String]> {
        let work_out = || differing_fields(self, new, View::Validated);
        if self.is_settled.get() {
            Cow::Borrowed(self.changed_fields.get_or_init(work_out))
        } else {
            Cow::Owned(work_out())
        }
    }

    /// Reports whether a request changes a Shoot outside of its status.
    /// Operations other than UPDATE always do.
    pub fn changes(&self, new: &Shoot) -> bool {
        self.request.operation != Operation::Update
            || self.difference().metadata()
            || !self.changed_fields(new).is_empty()
    }

    /// Like [`Self::changed_fields`], without fields that are removed before validating plugins.
    pub fn stored_changes(&self, new: &Shoot) -> Vec<String> {
        if self.changed_fields(new).is_empty() {
            Vec::new()
        } else {
            differing_fields(self, new, View::Stored)
        }
    }
}

/// The stage of a request at which specs are compared.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum View {
    /// Static validation.
    Validated,
    /// Validating plugins, after fields that are never stored have been removed.
    Stored,
}

/// Returns the new object as received, with resolved versions, images and architectures.
pub(crate) fn resolved_json<'a>(context: &Context<'a>, new: &Shoot) -> Json<'a> {
    let mut object = context.new_json();
    if let Some(spec) = object.at(&["spec"]) {
        resolve(spec, new);
    }
    object
}

/// Returns the stored object as received, with filled-in versions, images and architectures.
pub(crate) fn resolved_old_json<'a>(context: &Context<'a>) -> Json<'a> {
    let mut object = context.old_json();
    if let Some(old) = &*context.filled_old()
        && let Some(spec) = object.at(&["spec"])
    {
        resolve(spec, old);
    }
    object
}

/// Sets the resolved versions, images and architectures in the received object.
fn resolve(spec: &mut Json<'_>, shoot: &Shoot) {
    refill(spec, shoot);
    let (version, kubernetes) = (&shoot.spec.kubernetes.version, spec.at(&["kubernetes"]));
    if let Some(kubernetes) = kubernetes.and_then(Json::fields)
        && !version.is_empty()
    {
        kubernetes.set("version", version);
    }
    let workers = spec.at(&["provider", "workers"]).and_then(Json::elements).into_iter().flatten();
    for (raw, pool) in workers.zip(&shoot.spec.provider.workers) {
        let own = raw.at(&["kubernetes"]).and_then(Json::fields);
        if let (Some(version), Some(own)) = (pool.own_version(), own) {
            own.set("version", &version);
        }
        if let Some(machine) = raw.at(&["machine"]).and_then(Json::fields) {
            resolve_machine(machine, &pool.machine);
        }
    }
}

/// Sets only resolved values, so that an empty string in the request is kept.
fn resolve_machine(raw: &mut Fields<'_>, machine: &Machine) {
    if let Some(architecture) = &machine.architecture {
        raw.set("architecture", architecture);
    }
    let Some(image) = &machine.image else { return };
    match raw.get_mut("image").and_then(Json::fields) {
        Some(raw) => {
            for (field, value) in [("name", &image.name), ("version", &image.version)] {
                if !value.is_empty() {
                    raw.set(field, value);
                }
            }
        }
        None => raw.set("image", image),
    }
}
