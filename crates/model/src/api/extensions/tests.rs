// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use super::*;
use crate::api::Object;

fn configurations() -> impl Iterator<Item = (&'static Extension, &'static Configuration)> {
    EXTENSIONS.iter().flat_map(|extension| {
        let all = extension.configurations.iter();
        all.map(move |configuration| (*extension, configuration))
    })
}

/// Adds an object and the objects inside it.
fn collect(object: &'static Object, objects: &mut Vec<&'static Object>) {
    if objects.iter().any(|it| std::ptr::eq(*it, object)) {
        return;
    }
    objects.push(object);
    for inner in object.fields.iter().filter_map(|it| it.shape.object()) {
        collect(inner, objects);
    }
}

#[test]
fn extensions_are_sorted_by_name() {
    assert!(EXTENSIONS.is_sorted_by(|a, b| a.name < b.name));
}

#[test]
fn extension_has_webhooks_exactly_with_admission() {
    for extension in EXTENSIONS {
        let name = extension.name;
        let expected = extension.admission.map(|it| format!("gardener-extension-{it}"));
        assert_eq!(extension.webhooks, expected.unwrap_or_default(), "{name}");
        assert!(extension.versions.is_sorted(), "{name}");
        assert!(!extension.configurations.is_empty(), "{name}");
    }
}

#[test]
fn configuration_has_group_versions_and_header() {
    for (extension, configuration) in configurations() {
        let kind = format!("{} of {}", configuration.kind, extension.name);
        assert!(configuration.group.contains('.'), "{kind}");
        assert!(!configuration.versions.is_empty(), "{kind}");
        let name = configuration.object.name;
        assert!(name.ends_with(configuration.kind), "{kind}: {name}");
        let names = configuration.object.fields.iter().map(|it| it.name);
        let header: Vec<&str> = names.take(2).collect();
        assert_eq!(header, ["apiVersion", "kind"], "{kind}");
    }
}

#[test]
fn place_and_class_identify_configuration() {
    let mut seen = BTreeSet::new();
    for (_, configuration) in configurations() {
        let place = (format!("{:?}", configuration.place), configuration.class);
        assert!(seen.insert(place.clone()), "{place:?}");
        let found = Configuration::at(configuration.place, configuration.class);
        assert_eq!(found.map(|(_, it)| it.kind), Some(configuration.kind));
    }
}

#[test]
fn every_object_and_field_has_a_description() {
    for (extension, configuration) in configurations() {
        let mut objects = Vec::new();
        collect(configuration.object, &mut objects);
        for object in &objects {
            let name = format!("{} of {}", object.name, extension.name);
            assert!(!object.about().is_empty(), "{name}");
            for field in object.fields {
                assert!(!field.about().is_empty(), "{}.{}", name, field.name);
            }
        }
    }
}

/// JSON Schema refers to objects by their names.
#[test]
fn names_of_objects_are_unique_in_configuration() {
    for (extension, configuration) in configurations() {
        let mut objects = Vec::new();
        collect(configuration.object, &mut objects);
        let names: BTreeSet<&str> = objects.iter().map(|it| it.name).collect();
        assert_eq!(names.len(), objects.len(), "{}", extension.name);
    }
}
