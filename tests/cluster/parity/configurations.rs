// SPDX-License-Identifier: Apache-2.0
//! The configurations of extensions in an object.

use garden_gate_model::api::extensions::{Configuration, Extension};
use garden_gate_model::api::{Kind, group_and_version};
use garden_gate_model::gardener::extensions::Documents;
use serde_json::Value;

/// Returns the configurations of these extensions in an object, with their paths.
pub(crate) fn configurations(
    object: &Value,
    extensions: &[&'static Extension],
) -> Vec<(String, &'static Configuration)> {
    let text = |member: &str| object[member].as_str().unwrap_or_default();
    let (group, _) = group_and_version(text("apiVersion"));
    let kind = Kind::of_manifest(group, text("kind"));
    let (Some(kind), Some(first)) = (kind, extensions.first()) else {
        return Vec::new();
    };
    let text = object.to_string();
    let mut documents = Documents::of(kind, &text);
    if kind == Kind::NamespacedCloudProfile {
        // A garden has profiles of one provider.
        documents.choose(first.resource.1);
    }
    let found = documents.all.iter().filter_map(|document| {
        let (extension, configuration) = Configuration::at(document.place, &document.class)?;
        let is_own = extensions.iter().any(|it| it.name == extension.name);
        is_own.then(|| (document.pointer(), configuration))
    });
    found.collect()
}

/// Removes unused resources of a Shoot, because gardener-apiserver looks up only a few per second.
pub(crate) fn remove_unused_resources(object: &mut Value) {
    let Some(Value::Array(resources)) = object.pointer_mut("/spec/resources").map(Value::take)
    else {
        return;
    };
    let text = object.to_string();
    let used = resources.into_iter().filter(|it| text.contains(&it["name"].to_string()));
    object["spec"]["resources"] = used.collect();
}
