// SPDX-License-Identifier: Apache-2.0
//! The definitions of extensions that are part of garden-gate.

use std::sync::LazyLock;

use serde_json::json;

use super::declaration::{Configuration, Extension, Header};
use super::definition::{DefinedConfiguration, ExtensionDefinition};
use super::version::ExtensionVersion;
use super::versioned_schema::VersionedSchema;
use crate::api::Kind;
use crate::api::custom_resources::object_of;
use garden_gate_text::yaml;

/// A definition that is part of garden-gate.
#[derive(Debug)]
pub struct ShippedDefinition {
    /// The extension; the definition has its configurations.
    pub extension: Extension,
    /// The id of its findings.
    pub finding: &'static str,
    /// The kinds and types of objects that it reconciles and that objects of Gardener name.
    pub types: &'static [(&'static str, &'static str)],
    /// The kinds of objects that it judges.
    pub kinds: &'static [Kind],
    /// The definition in YAML.
    pub text: &'static str,
}

/// Returns the configurations of [`SHIPPED`], with fields for readers. The first use reads the definitions.
pub(super) fn defined_configurations()
-> impl Iterator<Item = (&'static Extension, &'static Configuration)> {
    DEFINED.iter().flat_map(|(extension, all)| all.iter().map(move |it| (*extension, it)))
}

/// The configurations of [`SHIPPED`].
static DEFINED: LazyLock<Vec<(&'static Extension, Vec<Configuration>)>> = LazyLock::new(|| {
    let all = SHIPPED.iter().map(|it| {
        let definition = it.definition().unwrap_or_default();
        let configurations = definition.spec.configurations.into_iter();
        let described = configurations.filter_map(|of| described(&it.extension, of));
        (&it.extension, described.collect())
    });
    all.collect()
});

impl ShippedDefinition {
    /// Parses the definition.
    ///
    /// # Errors
    /// Fails with the reason.
    pub fn definition(&self) -> Result<ExtensionDefinition, String> {
        let documents = yaml::parse(self.text).map_err(|error| error.to_string())?;
        let document = documents.first().ok_or("it has no document")?;
        document.decode().map_err(|error| error.to_string())
    }
}

/// Describes a configuration of an extension in its newest known version.
fn described(extension: &Extension, mut of: DefinedConfiguration) -> Option<Configuration> {
    if of.header != Header::Ignored {
        let header = [("apiVersion", "API group and version."), ("kind", "Kind of configuration.")];
        for (name, about) in header {
            of.schema["properties"][name] = json!({"type": "string", "description": about});
        }
    }
    let schema = VersionedSchema::of(&of.schema).ok()?.at(extension.newest());
    let name = if of.kind.is_empty() { "Configuration" } else { &of.kind };
    let versions: Vec<&'static str> = of.versions.into_iter().map(kept).collect();
    Some(Configuration {
        object: object_of(name, &schema),
        kind: kept(of.kind),
        group: kept(of.group),
        versions: versions.leak(),
        place: of.field,
        class: kept(of.class),
        header: of.header,
        is_strict: of.strict,
    })
}

fn kept(text: String) -> &'static str {
    text.leak()
}

/// The definitions that are part of garden-gate, by name. They are parsed when an object names one of their types.
pub static SHIPPED: &[ShippedDefinition] = &[
    ShippedDefinition {
        extension: Extension {
            name: "acl",
            component: "github.com/stackitcloud/gardener-extension-acl",
            resource: ("Extension", "acl"),
            admission: Some("gardener-extension-admission-acl"),
            webhooks: "gardener-extension-admission-acl",
            versions: [ExtensionVersion::new(1, 11), ExtensionVersion::new(1, 18)],
            configurations: &[],
        },
        finding: "policy/extension.acl",
        types: &[("Extension", "acl")],
        kinds: &[Kind::Shoot],
        text: include_str!("../../../extensions/acl/extension.yaml"),
    },
    ShippedDefinition {
        extension: Extension {
            name: "envoy-gateway",
            component: "github.com/gardener/gardener-extension-envoy-gateway",
            resource: ("Extension", "envoy-gateway"),
            admission: Some("envoy-gateway-admission"),
            webhooks: "gardener-extension-envoy-gateway-admission",
            versions: [ExtensionVersion::new(0, 1), ExtensionVersion::new(0, 1)],
            configurations: &[],
        },
        finding: "policy/extension.envoy-gateway",
        types: &[("Extension", "envoy-gateway")],
        kinds: &[Kind::Shoot],
        text: include_str!("../../../extensions/envoy-gateway/extension.yaml"),
    },
    ShippedDefinition {
        extension: Extension {
            name: "flux",
            component: "github.com/stackitcloud/gardener-extension-shoot-flux",
            resource: ("Extension", "shoot-flux"),
            admission: None,
            webhooks: "",
            versions: [ExtensionVersion::new(0, 24), ExtensionVersion::new(0, 27)],
            configurations: &[],
        },
        finding: "policy/extension.flux",
        types: &[("Extension", "shoot-flux")],
        kinds: &[Kind::Shoot],
        text: include_str!("../../../extensions/flux/extension.yaml"),
    },
    ShippedDefinition {
        extension: Extension {
            name: "gvisor",
            component: "github.com/gardener/gardener-extension-runtime-gvisor",
            resource: ("ContainerRuntime", "gvisor"),
            admission: None,
            webhooks: "",
            versions: [ExtensionVersion::new(0, 16), ExtensionVersion::new(0, 44)],
            configurations: &[],
        },
        finding: "policy/extension.gvisor",
        types: &[("ContainerRuntime", "gvisor")],
        kinds: &[Kind::Shoot],
        text: include_str!("../../../extensions/gvisor/extension.yaml"),
    },
    ShippedDefinition {
        extension: Extension {
            name: "hcloud",
            component: "github.com/23technologies/gardener-extension-provider-hcloud",
            resource: ("Infrastructure", "hcloud"),
            admission: Some("admission-hcloud"),
            webhooks: "gardener-extension-admission-hcloud",
            versions: [ExtensionVersion::new(0, 6), ExtensionVersion::new(0, 6)],
            configurations: &[],
        },
        finding: "policy/extension.hcloud",
        types: &[("Infrastructure", "hcloud")],
        kinds: &[Kind::Shoot, Kind::CloudProfile],
        text: include_str!("../../../extensions/hcloud/extension.yaml"),
    },
    ShippedDefinition {
        extension: Extension {
            name: "ironcore",
            component: "github.com/ironcore-dev/gardener-extension-provider-ironcore",
            resource: ("Infrastructure", "ironcore"),
            admission: Some("admission-ironcore"),
            webhooks: "gardener-extension-admission-ironcore",
            versions: [ExtensionVersion::new(0, 3), ExtensionVersion::new(0, 6)],
            configurations: &[],
        },
        finding: "policy/extension.ironcore",
        types: &[("Infrastructure", "ironcore"), ("BackupBucket", "ironcore")],
        kinds: &[Kind::Shoot, Kind::Seed, Kind::CloudProfile, Kind::NamespacedCloudProfile],
        text: include_str!("../../../extensions/ironcore/extension.yaml"),
    },
    ShippedDefinition {
        extension: Extension {
            name: "oidc",
            component: "github.com/gardener/gardener-extension-shoot-oidc-service",
            resource: ("Extension", "shoot-oidc-service"),
            admission: None,
            webhooks: "",
            versions: [ExtensionVersion::new(0, 30), ExtensionVersion::new(0, 40)],
            configurations: &[],
        },
        finding: "policy/extension.oidc",
        types: &[("Extension", "shoot-oidc-service")],
        kinds: &[Kind::Shoot],
        text: include_str!("../../../extensions/oidc/extension.yaml"),
    },
    ShippedDefinition {
        extension: Extension {
            name: "stackit",
            component: "github.com/stackitcloud/gardener-extension-provider-stackit",
            resource: ("Infrastructure", "stackit"),
            admission: Some("admission-stackit"),
            webhooks: "gardener-extension-admission-stackit",
            versions: [ExtensionVersion::new(2, 17), ExtensionVersion::new(2, 20)],
            configurations: &[],
        },
        finding: "policy/extension.stackit",
        types: &[("Infrastructure", "stackit")],
        kinds: &[Kind::Shoot, Kind::CloudProfile, Kind::NamespacedCloudProfile],
        text: include_str!("../../../extensions/stackit/extension.yaml"),
    },
    ShippedDefinition {
        extension: Extension {
            name: "traefik",
            component: "github.com/gardener/gardener-extension-shoot-traefik",
            resource: ("Extension", "shoot-traefik"),
            admission: Some("gardener-extension-admission-shoot-traefik"),
            webhooks: "gardener-extension-admission-shoot-traefik",
            versions: [ExtensionVersion::new(0, 3), ExtensionVersion::new(0, 4)],
            configurations: &[],
        },
        finding: "policy/extension.traefik",
        types: &[("Extension", "shoot-traefik")],
        kinds: &[Kind::Shoot],
        text: include_str!("../../../extensions/traefik/extension.yaml"),
    },
];
