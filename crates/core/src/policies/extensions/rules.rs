//! The shipped definitions as entries of the catalogue of rules.

use std::fmt::Write;
use std::sync::LazyLock;

use super::findings::{ACCEPTED, REFUSED};
use crate::admission::{
    Check, EntryPoints, FindingKind, OnlyIf, Operation, Phase, Rule, RuleHeader, Scope, Stage,
    Subresource,
};
use garden_gate_model::api::Versions;
use garden_gate_model::api::extensions::{
    DefinedEffect, DefinedValidation, Extension, ExtensionDefinitionSpec, SHIPPED,
    ShippedDefinition, described_configurations,
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
    let effect = |effect: Option<DefinedEffect>| match (effect, extension.admission) {
        (Some(DefinedEffect::Deny), _) | (None, Some(_)) => "refused",
        (Some(DefinedEffect::Warn), _) | (None, None) => "warning",
    };
    if !spec.validations.is_empty() {
        page += "\n## Checks\n\nThe schemas of the configurations have further ones.\n\n| violation | effect | versions |\n|---|---|---|\n";
    }
    for it in &spec.validations {
        let message = it.message.replace('|', "\\|");
        let _infallible =
            writeln!(page, "| {message} | {} | {} |", effect(it.effect), versions(it));
    }
    page
}

/// Describes the versions with a validation.
fn versions(validation: &DefinedValidation) -> String {
    match (&validation.since, &validation.until) {
        (None, None) => "all".to_owned(),
        (Some(since), None) => format!("since {since}"),
        (None, Some(until)) => format!("until {until}"),
        (Some(since), Some(until)) => format!("{since} to {until}"),
    }
}
