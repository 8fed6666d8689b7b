// SPDX-License-Identifier: Apache-2.0
//! Coverage of a landscape: the extensions of a garden, and which of their decisions are judged.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::{open_aspect, values_by};
use garden_gate_core::admission::{ExtensionUse, Kind, Operation};
use garden_gate_core::config::Config;
use garden_gate_core::garden::Snapshot;
use garden_gate_core::policies::{shipped_definition, unjudged_policies};
use garden_gate_core::rules::{has_own_rule, own_rules};
use garden_gate_model::api::extensions::Extension;

/// The extensions of a landscape, and the other decisions of its API server that are not judged.
#[derive(Debug, JsonSchema, Serialize)]
pub struct LandscapeCoverage {
    /// The extensions of each ControllerRegistration, by its name.
    pub extensions: Vec<ExtensionCoverage>,
    /// Policies and webhooks of the garden that are not judged.
    pub policies: Vec<UnjudgedPolicy>,
}

/// An extension of a landscape.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExtensionCoverage {
    /// The ControllerRegistration; empty if only the configuration names the extension.
    pub registration: String,
    /// The name in rules and configuration; absent if the extension is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extension: Option<&'static str>,
    /// The kinds and types that it reconciles, such as `Infrastructure/aws`.
    pub resources: Vec<String>,
    /// The version by which it is judged; absent if the extension is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The admission component; absent if there is none, or the extension is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub admission: Option<&'static str>,
    /// True if findings refuse objects. Otherwise they are warnings.
    pub refuses: bool,
    /// The rules that judge its decisions.
    pub rules: Vec<&'static str>,
    /// What is not judged, or only in part, with the reasons.
    pub limits: Vec<String>,
}

/// A policy or webhook that is not judged.
#[derive(Debug, JsonSchema, Serialize)]
pub struct UnjudgedPolicy {
    /// The policy or webhook.
    pub title: String,
    /// The kinds of objects that it applies to.
    pub kinds: Vec<&'static str>,
    /// The reason why a policy is not evaluated; absent for webhooks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// Returns what is judged of the extensions, policies and webhooks of a garden.
///
/// # Errors
/// Fails with the reason if the ControllerRegistrations of the garden are not completely known.
pub fn landscape(garden: &Snapshot, config: &Config) -> Result<LandscapeCoverage, String> {
    let mut extensions = Vec::new();
    for registration in garden.controller_registrations()? {
        let name = &registration.metadata.name;
        let resources: Vec<(&str, &str)> = registration
            .spec
            .resources
            .iter()
            .map(|it| (it.kind.as_str(), it.class.as_str()))
            .collect();
        let mut known = Extension::all().filter(|it| resources.contains(&it.resource)).peekable();
        if known.peek().is_none() {
            extensions.push(ExtensionCoverage::unknown(name, &resources));
        }
        extensions.extend(known.map(|it| ExtensionCoverage::of(it, (name, garden), config)));
    }
    let registered: BTreeSet<&str> = extensions.iter().filter_map(|it| it.extension).collect();
    let configured: Vec<ExtensionCoverage> = config
        .extensions
        .keys()
        .filter(|name| !registered.contains(*name))
        .filter_map(|name| Extension::named(name))
        .map(|it| ExtensionCoverage::of(it, ("", garden), config))
        .collect();
    extensions.extend(configured);
    Ok(LandscapeCoverage { extensions, policies: policies(garden, config) })
}

impl ExtensionCoverage {
    fn unknown(registration: &str, resources: &[(&str, &str)]) -> Self {
        Self {
            registration: registration.to_owned(),
            extension: None,
            resources: resources.iter().map(joined).collect(),
            version: None,
            admission: None,
            refuses: false,
            rules: Vec::new(),
            limits: vec!["the extension is not known".to_owned()],
        }
    }

    fn of(
        extension: &'static Extension,
        (registration, garden): (&str, &Snapshot),
        config: &Config,
    ) -> Self {
        let run = ExtensionUse::of(extension, config, garden);
        let newest = extension.newest();
        let mut limits = Vec::new();
        if run.is_older_than_known {
            limits.push(extension.why_older_are_not_judged());
        }
        if run.is_newer_than_known {
            limits.push(format!("a newer version runs than the newest known one, {newest}"));
        }
        if run.is_assumed {
            limits.push("neither the garden nor the configuration names the version".to_owned());
        }
        let rules = match extension.definition() {
            _ if run.is_older_than_known => Vec::new(),
            Some(definition) => vec![definition.finding],
            None => own_rules(extension),
        };
        let is_open = |kind| has_own_rule(extension, kind);
        if let Some(definition) = shipped_definition(extension.name) {
            limits.extend(definition.not_judged().into_iter().map(str::to_owned));
        } else if Kind::judged().any(is_open) {
            let places = extension.configurations.iter().map(|it| it.place);
            let open = places.map(|place| open_aspect(extension, place, None));
            limits.extend(open.collect::<BTreeSet<_>>().into_iter().map(str::to_owned));
        } else {
            limits.push(values_by(extension));
        }
        limits.retain(|it| !it.is_empty());
        let refuses = run.not_registered.is_none() && !run.is_older_than_known;
        // The absence of a component needs no further reason.
        limits.extend(run.not_registered.filter(|_| extension.admission.is_some()));
        Self {
            registration: registration.to_owned(),
            extension: Some(extension.name),
            resources: vec![joined(&extension.resource)],
            version: Some(run.version.to_string()),
            admission: extension.admission,
            refuses,
            rules,
            limits,
        }
    }
}

fn joined((kind, class): &(&str, &str)) -> String {
    format!("{kind}/{class}")
}

/// Returns the policies that are not evaluated, and the webhooks of unknown extensions, for writes of judged kinds.
fn policies(garden: &Snapshot, config: &Config) -> Vec<UnjudgedPolicy> {
    let mut found: BTreeMap<String, BTreeSet<&'static str>> = BTreeMap::new();
    let known: Vec<&Extension> = Extension::all().collect();
    for kind in Kind::judged().filter(|it| !it.is_outside_garden()) {
        let (group, version) = kind.api();
        let resource = (group, version, kind.resource());
        for operation in [Operation::Create, Operation::Update, Operation::Delete] {
            for title in garden.webhooks_for(resource, operation.as_str(), &known) {
                found.entry(title).or_default().insert(kind.as_str());
            }
        }
    }
    let webhooks = found.into_iter().map(|(title, kinds)| UnjudgedPolicy {
        title,
        kinds: kinds.into_iter().collect(),
        why: None,
    });
    let policies = unjudged_policies(garden, config.mutating_admission_policies);
    let policies = policies.into_iter().map(|(policy, kinds)| UnjudgedPolicy {
        title: policy.title,
        kinds: kinds.into_iter().map(Kind::as_str).collect(),
        why: Some(policy.why),
    });
    policies.chain(webhooks).collect()
}
