// SPDX-License-Identifier: Apache-2.0
//! Fields that Gardener fills in on CREATE, and that an UPDATE keeps.

use serde_json::{Value, json};

use super::json_access::{MADE_UP, at, change, object_at, text_at};
use super::{complete_stored, plugins};
use garden_gate_model::api::{GardenerVersion, Kind};
use garden_gate_model::gardener::defaults::sync_references;

/// A path to a field.
type FieldSteps = &'static [&'static str];

/// The fields of a kind that are filled in on CREATE only, or whose defaults depend on fields that an UPDATE may change.
struct Once {
    kind: Kind,
    /// The fields whose values follow from the manifest.
    derived: &'static [FieldSteps],
    /// The fields whose values depend on the landscape, with the fields of an object.
    unknown: &'static [(FieldSteps, &'static [&'static str])],
}

/// Source: `pkg/apis/core/v1beta1/defaults_shoot.go`, `plugin/pkg/shoot/mutator/admission.go`,
/// `plugin/pkg/shoot/dns/admission.go`, `plugin/pkg/project/mutator/admission.go`.
const ONCE: [Once; 2] = [
    Once {
        kind: Kind::Shoot,
        derived: &[
            &["spec", "cloudProfile"],
            &["spec", "kubernetes", "kubeControllerManager", "nodeCIDRMaskSize"],
            &["spec", "kubernetes", "kubeControllerManager", "nodeCIDRMaskSizeIPv6"],
            &["spec", "kubernetes", "verticalPodAutoscaler"],
            &["spec", "maintenance", "autoRotation", "credentials", "etcdEncryptionKey"],
        ],
        unknown: &[
            (&["spec", "dns", "domain"], &[]),
            (&["spec", "networking", "pods"], &[]),
            (&["spec", "networking", "services"], &[]),
        ],
    },
    Once {
        kind: Kind::Project,
        derived: &[],
        unknown: &[
            (&["spec", "createdBy"], &["apiGroup", "kind", "name"]),
            (&["spec", "namespace"], &[]),
        ],
    },
];

/// Adds the fields to an old manifest that Gardener has filled in on CREATE.
///
/// A field with an unknown value is only added if `new` has one. Returns the JSON pointers of the added fields, whose
/// stored values may be different.
pub fn fill_in_once(
    kind: Kind,
    (old, new): (&mut Value, &Value),
    (namespace, gardener): (&str, GardenerVersion),
) -> Vec<String> {
    let Some(once) = ONCE.iter().find(|it| it.kind == kind) else {
        return Vec::new();
    };
    let mut created = old.clone();
    complete_stored(kind, &mut created, (namespace, gardener));
    if kind == Kind::Shoot {
        plugins::fill_in_new(&mut created, gardener);
        name_profile(&mut created);
    }
    let derived = once.derived.iter().filter_map(|path| Some((*path, at(&created, path)?.clone())));
    let unknown = once
        .unknown
        .iter()
        .filter(|(path, _)| at(new, path).is_some())
        .map(|(path, fields)| (*path, placeholder(fields)));
    let mut added = Vec::new();
    for (path, value) in derived.chain(unknown) {
        if at(old, path).is_none()
            && let Some((name, above)) = path.split_last()
        {
            object_at(old, above).insert((*name).to_owned(), value);
            added.push(format!("/{}", path.join("/")));
        }
    }
    added
}

/// Returns a string, or an object with strings, in place of an unknown value.
fn placeholder(fields: &[&str]) -> Value {
    let made_up = |name: &&str| ((*name).to_owned(), json!(MADE_UP));
    match fields {
        [] => json!(MADE_UP),
        fields => Value::Object(fields.iter().map(made_up).collect()),
    }
}

/// Adds the reference of a profile to a Shoot that names it by `cloudProfileName`.
fn name_profile(shoot: &mut Value) {
    let version = text_at(shoot, &["spec", "kubernetes", "version"]).to_owned();
    if let Some(spec) = shoot.get_mut("spec").filter(|it| it.is_object()) {
        change(spec, |spec| sync_references(spec, None, (&version, false)));
    }
}
