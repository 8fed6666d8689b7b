// SPDX-License-Identifier: Apache-2.0
//! Objects of a file that are not judged, but are relevant for others.

use std::sync::Arc;

use crate::review::template;
use garden_gate_core::admission::Kind;
use garden_gate_core::garden::texts::config_map_data;
use garden_gate_core::garden::{
    self, ADMISSION_POLICIES, GardenObject, NamedObject, ObjectKey, RawObject,
};
use garden_gate_model::api::{ConfigMapData, Retrieval, group_and_version};
use garden_gate_text::yaml::Document;

/// An object that is not judged, and its relevance for others.
#[derive(Default)]
pub(super) struct OtherObject {
    pub(super) named: Option<NamedObject>,
    pub(super) policy: Option<GardenObject>,
    pub(super) parameter: Option<RawObject>,
}

/// Groups of Kubernetes whose objects are not used as parameters, except for ConfigMaps.
const BUILT_IN: [&str; 5] = ["", "apps", "autoscaling", "batch", "policy"];

/// Returns an object that is not judged.
pub(super) fn other(document: &Document) -> OtherObject {
    let text = |pointer: &str| document.text(pointer).unwrap_or_default();
    let (api_version, name) = (text("/apiVersion"), text("/kind"));
    let (group, _) = group_and_version(&api_version);
    let kind = Kind::of_manifest(group, &name);
    let is_of_policies =
        kind.is_some_and(|it| ADMISSION_POLICIES.contains(&it) || it == Kind::Namespace);
    let is_built_in = BUILT_IN.contains(&group) || group.ends_with(".k8s.io");
    let may_be_parameter = match kind {
        Some(kind) => kind == Kind::ConfigMap,
        None => !is_built_in && !name.is_empty(),
    };
    if !is_of_policies && !may_be_parameter {
        return OtherObject {
            named: kind.and_then(|kind| named(kind, document)),
            ..OtherObject::default()
        };
    }
    let value = document.to_value();
    // The values of a template are unknown.
    let is_known = !template::is_object(&value.to_string());
    OtherObject {
        named: kind.and_then(|kind| named(kind, document)),
        policy: kind.filter(|_| is_of_policies && is_known).and_then(|kind| policy(kind, document)),
        parameter: RawObject::of(value).filter(|_| may_be_parameter && is_known),
    }
}

/// Returns a policy, a binding or a Namespace; `None` if it has no name.
fn policy(kind: Kind, document: &Document) -> Option<GardenObject> {
    let name = document.text("/metadata/name").filter(|it| !it.is_empty())?;
    match garden::read_with_configuration(kind, document) {
        Ok(object) => object,
        Err(error) => {
            let key = ObjectKey::named(kind, &name);
            Some(GardenObject::Unreadable(key, error.message))
        }
    }
}

/// Returns an object to which others refer by name; `None` for other objects.
fn named(kind: Kind, document: &Document) -> Option<NamedObject> {
    let text = |pointer: &str| document.text(pointer).unwrap_or_default();
    let is_named = matches!(kind.known(), Retrieval::Labelled { .. } | Retrieval::Asked);
    // The values of a template are unknown.
    let is_known = |it: &ConfigMapData| !it.values().any(template::has_placeholders);
    let data = || config_map_data(kind, document).filter(is_known);
    is_named.then(|| NamedObject {
        key: ObjectKey::new(kind, text("/metadata/namespace"), text("/metadata/name")),
        data: data().map(Arc::new),
    })
}
