// SPDX-License-Identifier: Apache-2.0
//! docs/reference/extensions.md and extension-fields.md: the known extensions, their rules, and the fields that their releases added and removed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use garden_gate_core::rules;
use garden_gate_model::api::extensions::{
    Configuration, ConfigurationPlace, EXTENSIONS, Extension, SHIPPED, ShippedDefinition,
};
use garden_gate_model::api::{Constraint, Object};

use crate::docs::assert_current_part;

const PAGE: &str = "docs/reference/extensions.md";
const FIELDS: &str = "docs/reference/extension-fields.md";

#[test]
fn a_page_lists_the_known_extensions() {
    let mut table =
        "| extension | versions | admission component | judged |\n|---|---|---|---|\n".to_owned();
    for extension in EXTENSIONS {
        let [oldest, newest] = extension.versions;
        let component = extension.admission.map_or("none".to_owned(), |it| format!("`{it}`"));
        writeln!(
            table,
            "| `{}` | {oldest} to {newest} | {component} | {} |",
            extension.name,
            judged(extension)
        )
        .unwrap();
    }
    assert_current_part(PAGE, "extensions", &table);
}

#[test]
fn a_page_lists_the_definitions_of_extensions() {
    let mut table =
        "| extension | versions | admission component | judged |\n|---|---|---|---|\n".to_owned();
    for ShippedDefinition { extension, finding, .. } in SHIPPED {
        let [oldest, newest] = extension.versions;
        let component = extension.admission.map_or("none".to_owned(), |it| format!("`{it}`"));
        writeln!(
            table,
            "| `{}` | {oldest} to {newest} | {component} | [`{finding}`](../rules/{finding}.md) |",
            extension.name
        )
        .unwrap();
    }
    assert_current_part(PAGE, "definitions", &table);
}

#[test]
fn a_page_lists_the_configurations_of_extensions() {
    let mut table = "| extension | kind | field of the object |\n|---|---|---|\n".to_owned();
    for extension in EXTENSIONS {
        for configuration in extension.configurations {
            let (kind, place) = (configuration.kind, place(configuration));
            writeln!(
                table,
                "| `{}` | `{kind}` of `{}` | {place} |",
                extension.name, configuration.group
            )
            .unwrap();
        }
    }
    assert_current_part(FIELDS, "configurations", &table);
}

#[test]
fn a_page_lists_what_releases_of_extensions_added() {
    let mut table = "| extension | version | added | removed |\n|---|---|---|---|\n".to_owned();
    for extension in EXTENSIONS {
        for (minor, [added, removed]) in changes(extension) {
            let names = |fields: &BTreeSet<String>| {
                let fields = fields.iter().map(|it| format!("`{it}`"));
                fields.collect::<Vec<_>>().join(", ")
            };
            writeln!(
                table,
                "| `{}` | {minor} | {} | {} |",
                extension.name,
                names(&added),
                names(&removed)
            )
            .unwrap();
        }
    }
    assert_current_part(FIELDS, "releases", &table);
}

/// Returns links to the rules of an extension.
fn judged(extension: &Extension) -> String {
    let prefix = format!("{}/", extension.name);
    let own = rules::ALL.iter().filter(|rule| rule.id.starts_with(&prefix));
    let own: Vec<&str> = own.map(|rule| rule.id).collect();
    let shared = match extension.admission {
        Some(_) => "extensions/undecodable",
        None => "extensions/controller-fails",
    };
    let link = |id: &str| format!("[`{id}`](../rules/{id}.md)");
    match own.as_slice() {
        [] => format!("fields and types: {}", link(shared)),
        own => own.iter().map(|id| link(id)).collect::<Vec<_>>().join(", "),
    }
}

fn place(configuration: &Configuration) -> &'static str {
    match configuration.place {
        ConfigurationPlace::Infrastructure => "`spec.provider.infrastructureConfig` of Shoots",
        ConfigurationPlace::ControlPlane => "`spec.provider.controlPlaneConfig` of Shoots",
        ConfigurationPlace::Worker => "`spec.provider.workers[].providerConfig` of Shoots",
        ConfigurationPlace::MachineImage => {
            "`spec.provider.workers[].machine.image.providerConfig` of Shoots"
        }
        ConfigurationPlace::ContainerRuntime => {
            "`spec.provider.workers[].cri.containerRuntimes[].providerConfig` of Shoots"
        }
        ConfigurationPlace::Network => "`spec.networking.providerConfig` of Shoots",
        ConfigurationPlace::Extension => "`spec.extensions[].providerConfig` of Shoots and Seeds",
        ConfigurationPlace::CloudProfile => {
            "`spec.providerConfig` of CloudProfiles and NamespacedCloudProfiles"
        }
        ConfigurationPlace::SeedProvider => "`spec.provider.providerConfig` of Seeds",
        ConfigurationPlace::Backup => "`spec.backup.providerConfig` of Seeds",
    }
}

/// Returns the added and removed fields by the minor version of an extension, newest first.
fn changes(extension: &Extension) -> Vec<(String, [BTreeSet<String>; 2])> {
    let [_, newest] = extension.versions;
    let major = newest.to_string().split_once('.').unwrap().0.to_owned();
    let mut all: BTreeMap<u16, [BTreeSet<String>; 2]> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for configuration in extension.configurations {
        collect(configuration.object, &mut seen, &mut all);
    }
    let rows = all.into_iter().rev();
    rows.map(|(minor, fields)| (format!("{major}.{minor}"), fields)).collect()
}

fn collect(
    object: &'static Object,
    seen: &mut BTreeSet<*const Object>,
    all: &mut BTreeMap<u16, [BTreeSet<String>; 2]>,
) {
    if !seen.insert(std::ptr::from_ref(object)) {
        return;
    }
    for field in object.fields {
        let name = format!("{}.{}", object.name, field.name);
        for constraint in field.constraints {
            match constraint {
                Constraint::Since(minor) => {
                    all.entry(*minor).or_default()[0].insert(name.clone());
                }
                Constraint::Until(minor) => {
                    all.entry(minor + 1).or_default()[1].insert(name.clone());
                }
                _ => {}
            }
        }
        if let Some(inner) = field.shape.object() {
            collect(inner, seen, all);
        }
    }
}
