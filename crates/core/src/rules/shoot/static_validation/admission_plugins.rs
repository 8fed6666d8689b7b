// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, ErrorType, FieldPath, FindingKind, Findings, Help, Write, rule};
use crate::rules::shared::validation::{Facts, Part};
use crate::rules::shoot::static_validation::received;
use garden_gate_model::api::Shoot;
use garden_gate_model::api::kubernetes::{Table, Tables};

rule! {
    page: include_str!("admission_plugins.md"),
    id: "shoot/admission-plugins",
    summary: "rejects unsupported or misconfigured admission plugins, and disabling required ones",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        NAMELESS = "shoot/admission-plugin-nameless": "an admission plugin has no name",
        UNKNOWN = "shoot/admission-plugin-unknown": "the admission plugin is unknown",
        ABSENT = "shoot/admission-plugin-absent": "the Kubernetes version does not support the admission plugin",
        NEEDED = "shoot/admission-plugin-needed": "a required admission plugin is disabled",
        EXTRA = "shoot/admission-plugin-not-configurable": "the admission plugin does not support a configuration or a kubeconfig",
        CONFIG = "shoot/admission-plugin-config": "the configuration of an admission plugin has the wrong kind",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let (received, facts) = received(context, shoot.new);
    let plugins = received.items_at(&["spec", "kubernetes", "kubeAPIServer", "admissionPlugins"]);
    for plugin in plugins {
        let name = plugin.text_at(&["name"]);
        if name.is_empty() {
            let message = "an admission plugin has no name";
            findings
                .required(&NAMELESS, plugin.path().child("name"), message)
                .help("name the plugin");
            // Gardener stops here, too.
            return;
        }
        check_plugin(&plugin, &name, facts, findings);
    }
}

fn check_plugin(plugin: &Part<'_>, name: &str, facts: Facts<'_>, findings: &mut Findings) {
    let path = plugin.path();
    let version = facts.version;
    let absence =
        Tables::judge(facts.gardener, version, |it| absence(name, version, it.admission_plugins));
    let absence = match absence {
        Ok(absence) => absence,
        Err(why) => {
            let message = format!(
                "cannot tell whether Kubernetes `{version}` has admission plugin `{name}`: {why}"
            );
            findings.undetermined(&path.child("name"), message);
            return;
        }
    };
    let mut add =
        |kind: &'static FindingKind, error, field: FieldPath, message: String, help: Help| {
            findings.report_lazily(kind, |findings| {
                findings.report(kind, error, field, message).help(help);
            });
        };
    if let Some((kind, error, message, help)) = absence {
        return add(kind, error, path.child("name"), message, Help::remove(help).at(".."));
    }
    let known = Tables::of(facts.gardener).admission_plugins;
    let offered = known.get(name).cloned().unwrap_or_default();
    if plugin.flag_at(&["disabled"]) == Some(true) && offered.is("required") {
        let message = format!("admission plugin `{name}` is needed and cannot be turned off");
        add(
            &NEEDED,
            ErrorType::Forbidden,
            path.clone(),
            message,
            Help::remove("remove `disabled`").at("disabled"),
        );
    }
    for (field, word) in [("config", "configurable"), ("kubeconfigSecretName", "kubeconfig")] {
        if plugin.at(&[field]).is_some() && !offered.is(word) {
            let message = format!("admission plugin `{name}` has no use for `{field}`");
            add(
                &EXTRA,
                ErrorType::Forbidden,
                path.child(field),
                message,
                Help::remove("remove it"),
            );
        }
    }
    if let Some(config) = plugin.at(&["config"]).filter(|_| name == "PodSecurity")
        && !is_pod_security(&config)
    {
        let message = "the configuration is no PodSecurityConfiguration".to_owned();
        let help = "write `apiVersion: pod-security.admission.config.k8s.io/v1` and `kind: PodSecurityConfiguration`, and below `defaults` texts, below `exemptions` lists of them";
        add(&CONFIG, ErrorType::Invalid, path.child("config"), message, help.into());
    }
}

/// Returns why a version of Kubernetes lacks a plugin, and the remedy; `None` if it has the plugin.
fn absence(
    name: &str,
    version: &str,
    known: &Table,
) -> Option<(&'static FindingKind, ErrorType, String, &'static str)> {
    let Some(offered) = known.get(name) else {
        let message = format!("Kubernetes has no admission plugin `{name}`");
        let help = "remove the plugin, or correct its name";
        return Some((&UNKNOWN, ErrorType::Invalid, message, help));
    };
    (!offered.is_in(version)).then(|| {
        let versions = offered.versions();
        let message = format!(
            "Kubernetes `{version}` has no admission plugin `{name}`; it exists {versions}"
        );
        (&ABSENT, ErrorType::Forbidden, message, "remove the plugin")
    })
}

/// The string fields below `defaults` of a `PodSecurityConfiguration`, in all of its versions.
const MODES: [&str; 6] =
    ["enforce", "enforce-version", "audit", "audit-version", "warn", "warn-version"];
/// The lists below `exemptions`.
const EXEMPTIONS: [&str; 3] = ["usernames", "namespaces", "runtimeClasses"];

fn is_pod_security(config: &Part<'_>) -> bool {
    let api_version = config.text_at(&["apiVersion"]);
    let version = api_version.strip_prefix("pod-security.admission.config.k8s.io/");
    let known = ["v1alpha1", "v1beta1", "v1"];
    version.is_some_and(|it| known.contains(&it))
        && config.text_at(&["kind"]) == "PodSecurityConfiguration"
        && holds(config, "defaults", &MODES, |it| it.text().is_some())
        && holds(config, "exemptions", &EXEMPTIONS, |it| it.is_texts())
}

/// Reports whether the fields of a part, if present, satisfy `fits`; other fields are skipped.
fn holds(
    config: &Part<'_>,
    part: &'static str,
    fields: &[&'static str],
    fits: impl Fn(&Part<'_>) -> bool,
) -> bool {
    config.at(&[part]).is_none_or(|part| {
        part.is_object()
            && fields.iter().filter_map(|field| part.at(&[field])).all(|field| fits(&field))
    })
}
