// SPDX-License-Identifier: Apache-2.0
use super::component::Component;
use super::failure::{CommonFindings, Failure};
use crate::admission::{Context, Findings, rule};
use garden_gate_model::api::extensions::{Configuration, Extension};

rule! {
    page: include_str!("undecodable.md"),
    id: "extensions/undecodable",
    summary: "rejects configurations that an extension cannot decode",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [
        Shoot [Create, Update];
        CloudProfile [Create, Update];
        NamespacedCloudProfile [Create, Update];
        Seed [Create, Update];
    ],
    reads: [CloudProfile, ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration],
    findings: {
        UNDECODABLE = "extensions/undecodable": "the configuration of an extension cannot be decoded",
        FAILURE = "extensions/failure": "the admission component of an extension fails",
    },
    check: Written(check),
}

const COMMON: CommonFindings = CommonFindings { undecodable: &UNDECODABLE, failure: &FAILURE };

fn check(context: &Context<'_>, findings: &mut Findings) {
    check_each(context, COMMON, findings, |extension| extension.admission.is_some());
}

/// Checks the configurations of extensions that have no rules of their own for objects of this kind.
pub(super) fn check_each(
    context: &Context<'_>,
    common: CommonFindings,
    findings: &mut Findings,
    is_checked: impl Fn(&Extension) -> bool,
) {
    // They are unknown only with the parent of a NamespacedCloudProfile, which rules for its kind report.
    let (Some(kind), Ok(configurations)) = (context.request.kind(), context.configurations())
    else {
        return;
    };
    // Usually there are a few extensions, but as many documents as worker pools.
    let mut extensions: Vec<&'static Extension> = Vec::new();
    for document in &configurations.new.all {
        let found = Configuration::at(document.place, &document.class);
        if let Some((extension, _)) = found
            && !super::has_own_rule(extension, kind)
            && is_checked(extension)
            && !extensions.iter().any(|it| it.name == extension.name)
        {
            extensions.push(extension);
        }
    }
    for extension in extensions {
        if let Some(component) = Component::begin(context, extension, common, findings) {
            check_all(&component, common, findings);
        }
    }
}

/// Checks all configurations of an extension.
fn check_all(component: &Component<'_, '_>, common: CommonFindings, findings: &mut Findings) {
    let failure = Failure::without_field(common.undecodable);
    for document in &component.new_documents().all {
        let found = Configuration::at(document.place, &document.class);
        if found.is_some_and(|(it, _)| it.name == component.extension.name) {
            component.check(document, &failure, findings);
        }
    }
}
