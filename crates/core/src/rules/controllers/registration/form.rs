// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::shared::lists::{list, one_of};
use crate::rules::shared::validation::{
    Facts, MALFORMED, MISSING, Naming, Part, REPEATED, Section, TOO_LONG, UNFITTING, UNSUPPORTED,
    check as check_form, check_metadata, check_selector, report_repeated,
};
use garden_gate_model::api::Named;

rule! {
    page: include_str!("form.md"),
    id: "controllerregistration/form",
    summary: "rejects invalid resources or an invalid deployment of a ControllerRegistration",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [ControllerRegistration [Create, Update]],
    findings: { MALFORMED, MISSING, REPEATED, TOO_LONG, UNFITTING, UNSUPPORTED },
    fixes: Safe,
    check: Judge(check),
}

/// The kinds of extension resources, of `pkg/apis/extensions/v1alpha1/types.go`.
const KINDS: [&str; 12] = [
    "BackupBucket",
    "BackupEntry",
    "Bastion",
    "ContainerRuntime",
    "ControlPlane",
    "DNSRecord",
    "Extension",
    "Infrastructure",
    "Network",
    "OperatingSystemConfig",
    "SelfHostedShootExposure",
    "Worker",
];

/// Fields that only resources of kind `Extension` have.
const OF_EXTENSIONS: [&str; 4] =
    ["autoEnable", "clusterCompatibility", "reconcileTimeout", "lifecycle"];

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    let registration = Part::whole(context.new_opened());
    check_metadata(context, Naming::Label, findings);
    let section = Section { kind: "ControllerRegistration", at: &["spec"], except: &[] };
    check_form(section, context.new_opened(), Facts::without_shoot(context), findings);
    let resources = registration.items_at(&["spec", "resources"]);
    let mut types: Vec<(String, String)> = Vec::new();
    for resource in &resources {
        check_resource(resource, &mut types, findings);
    }
    check_deployment(&registration, &resources, findings);
}

fn check_resource(resource: &Part<'_>, types: &mut Vec<(String, String)>, findings: &mut Findings) {
    let [kind, class] = ["kind", "type"].map(|field| resource.text_at(&[field]));
    let path = resource.path();
    if !KINDS.contains(&kind.as_str()) {
        let message = format!("`{kind}` is no kind of extension resources");
        findings
            .unsupported(&UNSUPPORTED, path.child("kind"), message)
            .value(kind.as_str())
            .help(one_of(&kind, &KINDS));
    }
    // Only the last type of a kind is remembered.
    match types.iter_mut().find(|(known, _)| *known == kind) {
        Some((_, last)) if *last == class => {
            _ = report_repeated(format_args!("`{kind}/{class}`"), path.clone(), findings);
        }
        Some((_, last)) => last.clone_from(&class),
        None => types.push((kind.clone(), class)),
    }
    if kind != "SelfHostedShootExposure" {
        refuse(resource, "continuousEndpointUpdate", "SelfHostedShootExposure", findings);
    }
    if kind == "Extension" {
        check_clusters(resource, findings);
    } else {
        for field in OF_EXTENSIONS {
            refuse(resource, field, "Extension", findings);
        }
    }
}

/// Refuses a field that resources of this kind do not have; empty lists count as absent.
fn refuse(resource: &Part<'_>, field: &'static str, of: &str, findings: &mut Findings) {
    let set = resource.at(&[field]);
    let is_list = ["autoEnable", "clusterCompatibility"].contains(&field);
    if let Some(set) = set.filter(|it| !is_list || !it.items().is_empty()) {
        let message = format!("only resources of kind `{of}` have `{field}`");
        findings.forbid(&UNFITTING, set.path().clone(), message).help("remove it");
    }
}

/// Checks that an extension is enabled by default only for clusters that can use it.
fn check_clusters(extension: &Part<'_>, findings: &mut Findings) {
    let texts = |field| extension.texts_at(&[field]);
    let mut compatible: Vec<String> =
        texts("clusterCompatibility").into_iter().map(|(_, it)| it).collect();
    if compatible.is_empty() {
        compatible.push("shoot".to_owned());
    }
    for (field, cluster) in texts("autoEnable") {
        if !compatible.contains(&cluster) {
            let message = format!("clusters of type `{cluster}` cannot use the extension");
            findings.forbid(&UNFITTING, field, message).value(cluster).help(format!(
                "it is for {}; add the type to `clusterCompatibility`",
                list(&compatible)
            ));
        }
    }
}

fn check_deployment(registration: &Part<'_>, resources: &[Part<'_>], findings: &mut Findings) {
    let selector = registration.at(&["spec", "deployment", "seedSelector"]);
    if let Some(selector) = &selector {
        if resources.iter().any(|it| it.flag_at(&["primary"]) != Some(false)) {
            let message = "an extension that is primary for resources is deployed to all Seeds";
            let help = "set `primary: false` in all resources, or remove the selector";
            findings.forbid(&UNFITTING, selector.path().clone(), message).help(help);
        }
        check_selector(selector, findings);
    }
    if registration.items_at(&["spec", "deployment", "deploymentRefs"]).len() > 1 {
        let message = "an extension has at most one ControllerDeployment";
        let field = FieldPath::new("spec.deployment.deploymentRefs");
        findings.forbid(&UNFITTING, field, message).help("keep one of them");
    }
}
