// SPDX-License-Identifier: Apache-2.0
//! The shipped definitions as entries of the catalogue of rules.

use std::fmt::Write;
use std::sync::LazyLock;

use serde_json::Value;

use super::findings::{ACCEPTED, REFUSED};
use crate::admission::{
    Check, EntryPoints, FindingKind, OnlyIf, Operation, Phase, Rule, RuleHeader, Scope, Stage,
    Subresource,
};
use garden_gate_model::api::Versions;
use garden_gate_model::api::extensions::{
    DefinedEffect, Extension, ExtensionDefinitionSpec, SHIPPED, ShippedDefinition,
    described_configurations,
};

/// The entries in the order of [`SHIPPED`].
static RULES: LazyLock<Vec<Rule>> =
    LazyLock::new(|| SHIPPED.iter().filter_map(|it| rule(it).ok()).collect());

/// Returns the shipped definitions of extensions as rules without code, which readers find in the catalogue.
pub fn defined_rules() -> impl Iterator<Item = &'static Rule> {
    RULES.iter()
}

fn rule(shipped: &'static ShippedDefinition) -> Result<Rule, String> {
    let spec = shipped.definition()?.spec;
    let ShippedDefinition { extension, finding: id, kinds, .. } = shipped;
    let summary = match extension.admission {
        Some(_) => {
            format!("judges objects as the admission component of `{}` does", extension.name)
        }
        None => format!("warns of configurations with which `{}` fails", extension.name),
    };
    let kind = FindingKind {
        id,
        summary: "the configuration or the object is not as the extension requires",
        versions: Versions::ALL,
    };
    let findings: Vec<&'static FindingKind> = vec![Box::leak(Box::new(kind))];
    let scopes = kinds.iter().map(|kind| Scope {
        kind: *kind,
        operations: &[Operation::Create, Operation::Update],
        subresources: &[Subresource::Itself],
    });
    Ok(Rule {
        header: RuleHeader {
            id,
            phase: Phase::Admission,
            levels: if extension.admission.is_some() { REFUSED } else { ACCEPTED },
            findings: findings.leak(),
            scopes: scopes.collect::<Vec<_>>().leak(),
        },
        summary: summary.leak(),
        documentation: documentation(extension, &spec).leak(),
        reads: &[],
        only_if: OnlyIf::Always,
        acts_on_unchanged: None,
        entry_points: EntryPoints::Offline,
        fixes: None,
        effect: None,
        stage: Stage::External,
        check: Check::External,
        versions: Versions::ALL,
        file: file!(),
    })
}

/// Describes the configurations and the checks of an extension.
fn documentation(extension: &Extension, spec: &ExtensionDefinitionSpec) -> String {
    let [oldest, newest] = extension.versions;
    let types = spec.resources.iter().map(|it| format!("`{}/{}`", it.kind, it.class));
    let mut page = format!(
        "The extension of <{}> reconciles {}. The definition is of its versions {oldest} to {newest}.\n",
        spec.repository,
        types.collect::<Vec<_>>().join(", "),
    );
    let mut configurations =
        described_configurations().filter(|(it, _)| it.name == extension.name).peekable();
    if configurations.peek().is_some() {
        page += "\n## Configurations\n\n| configuration | type | fields |\n|---|---|---|\n";
    }
    for (_, it) in configurations {
        let kind = if it.kind.is_empty() { "without a header" } else { it.kind };
        let fields = it.object.fields.iter().map(|it| format!("`{}`", it.name));
        let fields = fields.collect::<Vec<_>>().join(", ");
        let _infallible = writeln!(page, "| {kind} | `{}` | {fields} |", it.class);
    }
    let effect = |effect: Option<DefinedEffect>| match spec.effect(effect) {
        DefinedEffect::Deny => "refused",
        DefinedEffect::Warn => "warning",
    };
    let mut checks = Vec::new();
    for it in &spec.configurations {
        rules_of_schema(&it.schema, effect(it.effect), &mut checks);
    }
    checks.extend(spec.validations.iter().map(|it| {
        let versions = versions(it.since.as_deref(), it.until.as_deref());
        (it.message.as_str(), effect(it.effect), versions)
    }));
    if !checks.is_empty() {
        page += "\n## Checks\n\nFields and types are checked, too.\n\n| violation | effect | versions |\n|---|---|---|\n";
    }
    for (message, effect, versions) in checks {
        let message = message.replace('|', "\\|");
        let _infallible = writeln!(page, "| {message} | {effect} | {versions} |");
    }
    page
}

/// Collects the rules of a schema and of the schemas in it: the messages, the effect and the versions.
fn rules_of_schema<'s>(
    schema: &'s Value,
    effect: &'static str,
    found: &mut Vec<(&'s str, &'static str, String)>,
) {
    let text = |it: &'s Value, name: &str| it.get(name).and_then(Value::as_str);
    let rules = schema.get("x-kubernetes-validations").and_then(Value::as_array);
    for it in rules.into_iter().flatten() {
        let limits = ["x-garden-gate-since", "x-garden-gate-until"].map(|limit| text(it, limit));
        let message = text(it, "message").unwrap_or_default();
        found.push((message, effect, versions(limits[0], limits[1])));
    }
    let fields = schema.get("properties").and_then(Value::as_object);
    let fields = fields.into_iter().flat_map(|it| it.values());
    let inner = ["items", "additionalProperties"].into_iter().filter_map(|it| schema.get(it));
    fields.chain(inner).for_each(|it| rules_of_schema(it, effect, found));
}

/// Describes the versions with a check.
fn versions(since: Option<&str>, until: Option<&str>) -> String {
    match (since, until) {
        (None, None) => "all".to_owned(),
        (Some(since), None) => format!("since {since}"),
        (None, Some(until)) => format!("until {until}"),
        (Some(since), Some(until)) => format!("{since} to {until}"),
    }
}
