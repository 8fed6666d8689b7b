// SPDX-License-Identifier: Apache-2.0
use super::helm::check_chart;
use super::legacy::decoded;
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::shared::validation::{
    MALFORMED, MISSING, Naming, Part, REPEATED, TOO_LONG, UNFITTING, UNSUPPORTED, check_metadata,
    check_plain_resources,
};
use garden_gate_model::api::{CORE_VERSION, Named};
use garden_gate_text::json::Json;

rule! {
    page: include_str!("form.md"),
    id: "controllerdeployment/form",
    summary: "rejects an invalid Helm chart, values or resources of a ControllerDeployment",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [ControllerDeployment [Create, Update]],
    findings: { MALFORMED, MISSING, REPEATED, TOO_LONG, UNFITTING, UNSUPPORTED },
    check: Judge(check),
}

/// The annotation with the type of a deployment that is no Helm chart.
const TYPE: &str = "migration.controllerdeployment.gardener.cloud/type";
/// The annotation with the configuration of such a deployment.
const CONFIGURATION: &str = "migration.controllerdeployment.gardener.cloud/providerConfig";

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    let deployment = Part::whole(context.new_opened());
    check_metadata(context, Naming::Label, findings);
    if context.request.resource.version == CORE_VERSION {
        return check_legacy(context, &deployment, findings);
    }
    let annotation = |key| deployment.at(&["metadata", "annotations", key]);
    if let Some(helm) = deployment.at(&["helm"]) {
        check_chart(&helm, "rawChart", &deployment.items_at(&["resources"]), findings);
        for (key, field) in [(TYPE, "type"), (CONFIGURATION, "providerConfig")] {
            let set = annotation(key).filter(|it| key == CONFIGURATION || !it.is_empty());
            if let Some(set) = set {
                let message = format!("a Helm chart has no annotation `{key}`");
                findings
                    .forbid(&UNFITTING, FieldPath::new(field), message)
                    .at(set.path())
                    .help("remove the annotation");
            }
        }
    } else if annotation(TYPE).is_none_or(|it| it.is_empty()) {
        refuse_nothing("`helm` is not set", "set `helm`", findings);
    }
    let resources = deployment.items_at(&["resources"]);
    check_plain_resources(&resources, &FieldPath::new("resources"), findings);
    for resource in resources {
        let name = resource.text_at(&["name"]);
        if name.is_empty() || !name.bytes().all(|it| it.is_ascii_alphanumeric()) {
            let message = format!("`{name}` has other characters than letters and digits");
            findings
                .invalid(&MALFORMED, resource.path().child("name"), message)
                .help("use letters and digits only");
        }
    }
}

/// Checks a deployment in version `v1beta1`, whose configuration Gardener converts.
fn check_legacy(context: &Context<'_>, deployment: &Part<'_>, findings: &mut Findings) {
    match deployment.text_at(&["type"]).as_str() {
        "" => return refuse_nothing("`type` is not set", "write `type: helm`", findings),
        "helm" => {}
        _ => return,
    }
    let field = || FieldPath::new("providerConfig");
    let written = context.new_opened().opened_at(&["providerConfig"]).to_value();
    match decoded(written).map(|it| it.to_string()) {
        Ok(configuration) => {
            let configuration = Json::text(&configuration).opened();
            let chart = Part::whole(&configuration).moved_to(field());
            check_chart(&chart, "chart", &[], findings);
        }
        Err(name) => {
            let message = format!("`{name}` of the Helm chart has another type than expected");
            findings
                .invalid(&MALFORMED, field(), message)
                .help("set `chart` or `ociRepository`, as in version `v1`");
        }
    }
}

/// Gardener reports this error without a field.
fn refuse_nothing(message: &str, help: &'static str, findings: &mut Findings) {
    findings.forbid(&MISSING, FieldPath::new("[]"), message).at(&FieldPath::root()).help(help);
}
