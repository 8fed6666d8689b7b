// SPDX-License-Identifier: Apache-2.0
use super::referred::is_looked_for;
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::garden::ObjectKey;
use crate::rules::shared::references::PLUGINS;
use crate::rules::shared::references::RESOURCES;
use crate::rules::shared::validation::Part;
use garden_gate_model::api::{Kind, Shoot};

rule! {
    page: include_str!("kubeconfig_secret_unusable.md"),
    id: "shoot/kubeconfig-secret-unusable",
    summary: "rejects an admission plugin whose kubeconfig Secret is unlisted or invalid",
    phase: Admission,
    level: Deny,
    entry_point: Plugin,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [Names],
    only_if: Changed,
    findings: {
        UNLISTED = "shoot/kubeconfig-secret-unlisted": "the Secret of an admission plugin is not listed in `spec.resources`",
        GONE = "shoot/kubeconfig-secret-gone": "the Secret of an admission plugin is not found",
        EMPTY = "shoot/kubeconfig-secret-unusable": "the Secret of an admission plugin has no kubeconfig",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let object = Part::whole(context.new_opened());
    let listed = listed_secrets(&object);
    let is_new = is_looked_for(context, shoot, PLUGINS);
    for plugin in object.items_at(PLUGINS) {
        let Some(field) = plugin.at(&["kubeconfigSecretName"]) else {
            continue;
        };
        let Some(name) = field.text() else { continue };
        if listed.contains(&name) {
            check_secret(context, name, is_new, field.path(), findings);
        } else {
            let message = format!("Secret `{name}` is not among spec.resources");
            findings
                .invalid(&UNLISTED, field.path().clone(), message)
                .value(name)
                .help("add it to `spec.resources`");
        }
    }
}

fn listed_secrets(shoot: &Part<'_>) -> Vec<String> {
    let references = shoot.items_at(RESOURCES).into_iter().filter_map(|it| it.at(&["resourceRef"]));
    let secrets = references
        .filter(|it| it.text_at(&["apiVersion"]) == "v1" && it.text_at(&["kind"]) == "Secret");
    secrets.map(|it| it.text_at(&["name"])).collect()
}

fn check_secret(
    context: &Context<'_>,
    name: String,
    is_new: bool,
    field: &FieldPath,
    findings: &mut Findings,
) {
    let key = ObjectKey::new(Kind::Secret, &context.request.namespace, &name);
    let found = match context.named(&key) {
        Ok(Some(named)) if named.has_kubeconfig == Some(false) => {
            let message = format!("{key} has no `kubeconfig`");
            findings.invalid(&EMPTY, field.clone(), message)
        }
        // `shoot/reference-missing` reports a new one.
        Ok(None) if !is_new => {
            let message = format!("there is no {key}");
            findings.not_found(&GONE, field.clone(), message)
        }
        _ => return,
    };
    found.value(name).help("name a Secret with the key `kubeconfig`");
}
