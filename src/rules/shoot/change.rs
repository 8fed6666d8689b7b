//! What a request changes of a Shoot, and whether that counts.

use std::borrow::Cow;

use crate::compat::{Fields, Json};
use crate::defaults;
use crate::engine::{Change, Context, Findings};
use crate::model::{Machine, Shoot};

/// Whether Gardener looks at the request at all: not at updates that change neither spec nor metadata. Dear, so asked late.
pub(in crate::rules::shoot) fn is_looked_at(context: &Context<'_>, shoot: &Shoot) -> bool {
    context.difference().metadata() || spec_differs(context, shoot)
}

/// Forgets what was found if Gardener does not look at the request at all. Asked last, as it is the dearest question.
pub(in crate::rules::shoot) fn forget_unless_looked_at(
    context: &Context<'_>,
    new: &Shoot,
    findings: &mut Findings,
) {
    if !findings.is_empty() && !is_looked_at(context, new) {
        findings.clear();
    }
}

/// New and old Shoot of an update whose worker pools are compared.
///
/// They are not if the Shoot gets its first pool or loses its last, or if a Shoot in deletion is changed: each is
/// refused as a whole. Mirrors the early returns of ValidateShootSpecUpdate in `pkg/api/core/validation/shoot.go`.
pub(in crate::rules::shoot) fn compared<'a>(
    context: &Context<'_>,
    shoot: Change<'a, Shoot>,
) -> Option<(&'a Shoot, &'a Shoot)> {
    let (new, old) = (shoot.new?, shoot.old?);
    let workerless = |shoot: &Shoot| shoot.spec.provider.workers.is_empty();
    if workerless(new) || workerless(old) {
        return None;
    }
    (!is_frozen(context, new)).then_some((new, old))
}

/// Whether a Shoot in deletion is changed, so that nothing else is said about it.
pub(in crate::rules::shoot) fn is_frozen(context: &Context<'_>, new: &Shoot) -> bool {
    let deleted = new.metadata.deletion_timestamp.is_some();
    deleted && spec_differs(context, new)
}

/// Whether the stored spec and the new one differ, versions resolved and defaults filled in.
pub(in crate::rules::shoot) fn spec_differs(context: &Context<'_>, new: &Shoot) -> bool {
    !changed_fields(context, new).is_empty()
}

/// The fields of `spec` that differ between the stored object and the new one, versions resolved and defaults filled in.
pub(in crate::rules::shoot) fn changed_fields<'a>(
    context: &'a Context<'_>,
    new: &Shoot,
) -> Cow<'a, [String]> {
    context.changed_fields(|| differing_fields(context, new))
}

fn differing_fields(context: &Context<'_>, new: &Shoot) -> Vec<String> {
    if !context.difference().spec() {
        return Vec::new();
    }
    let [after, before] = [resolved_json(context, new), context.old_json()].map(|mut object| {
        let mut spec = object.take(&["spec"]);
        defaults::shoot_spec_json(&mut spec, &context.request.namespace);
        spec.into_fields()
    });
    let changed = after.pairs(&before).filter(|field| !field.is_same());
    let mut changed: Vec<String> = changed.map(|field| field.name.into_owned()).collect();
    changed.sort();
    changed
}

/// The new object as JSON, as it was received but for versions, images and architectures, which are resolved.
pub(in crate::rules::shoot) fn resolved_json<'a>(context: &Context<'a>, new: &Shoot) -> Json<'a> {
    let mut object = context.new_json();
    if let Some(spec) = object.at(&["spec"]) {
        resolve(spec, new);
    }
    object
}

/// Puts the versions, images and architectures that were resolved into the object as it was received.
fn resolve(spec: &mut Json<'_>, shoot: &Shoot) {
    if let Some(kubernetes) = spec.at(&["kubernetes"]).and_then(Json::fields) {
        kubernetes.set("version", &shoot.spec.kubernetes.version);
    }
    let workers = spec.at(&["provider", "workers"]).and_then(Json::elements);
    let workers = workers.into_iter().flatten();
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

/// Only what was found is put in, so that an empty text that was sent stays one.
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
