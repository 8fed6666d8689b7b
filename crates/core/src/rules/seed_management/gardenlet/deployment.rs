// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, Findings, rule};
use crate::rules::seed_management::completed::{Completed, deployment_path, field};
use crate::rules::shared::validation::{
    Facts, MALFORMED, MISSING, OUT_OF_RANGE, Part, Section, TOO_LONG, UNFITTING, UNSUPPORTED,
    check_annotation_map, check_at, check_label_map, check_oci_repository,
};
use garden_gate_model::api::{Kind, Named};
use garden_gate_text::go::dns_subdomain_error;

rule! {
    page: include_str!("deployment.md"),
    id: "gardenlet/deployment",
    summary: "rejects invalid parameters of the deployment of a gardenlet",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [
        ManagedSeed [Create, Update];
        ManagedSeedSet [Create, Update];
        Gardenlet [Create, Update];
    ],
    reads: [Shoot],
    findings: { MALFORMED, MISSING, OUT_OF_RANGE, TOO_LONG, UNFITTING, UNSUPPORTED },
    check: Judge(check),
}

const GARDENLET: Section = Section {
    kind: "ManagedSeed",
    at: &["spec", "gardenlet"],
    except: &["GardenletConfiguration", "PodToleration"],
};
const DEPLOYMENT: Section = Section {
    kind: "Gardenlet",
    at: &["spec", "deployment"],
    except: &["PodToleration", "GardenletHelm"],
};

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    let Some(objects) = Completed::of(context) else {
        return;
    };
    objects.parts(|new, _| {
        let facts = Facts::without_shoot(context);
        let path = deployment_path(objects.kind);
        if objects.kind == Kind::Gardenlet {
            if let Some(deployment) = new.at(path) {
                check_at(DEPLOYMENT, &deployment, facts, findings);
            }
            let at = field(path).child("helm").child("ociRepository");
            let nothing = || Part::absent("spec.deployment.helm.ociRepository");
            let repository = new.at(&["spec", "deployment", "helm", "ociRepository"]);
            check_oci_repository(&repository.unwrap_or_else(nothing), &at, findings);
        } else if let Some(gardenlet) = new.at(&path[..path.len() - 1]) {
            check_at(GARDENLET, &gardenlet, facts, findings);
        }
        if let Some(deployment) = new.at(path) {
            check_deployment(&deployment, findings);
        }
    });
}

/// Mirrors ValidateGardenletDeployment in `pkg/api/seedmanagement/validation/managedseed.go`, in addition to the field table.
fn check_deployment(deployment: &Part<'_>, findings: &mut Findings) {
    if let Some(account) = deployment.at(&["serviceAccountName"]) {
        let name = account.text().unwrap_or_default();
        if let Some(why) = dns_subdomain_error(&name) {
            let message = format!("`{name}` cannot be the name of a ServiceAccount: {why}");
            findings
                .invalid(&MALFORMED, account.path().clone(), message)
                .help("name an existing ServiceAccount");
        }
    }
    if let Some(image) = deployment.at(&["image"]) {
        check_image(&image, findings);
    }
    if let Some(labels) = deployment.at(&["podLabels"]) {
        check_label_map(labels, findings);
    }
    if let Some(annotations) = deployment.at(&["podAnnotations"]) {
        check_annotation_map(annotations, findings);
    }
}

fn check_image(image: &Part<'_>, findings: &mut Findings) {
    for name in ["ref", "repository", "tag"] {
        if let Some(text) = image.at(&[name]).filter(Part::is_empty) {
            let message = format!("`{name}` is empty");
            findings
                .invalid(&MISSING, text.path().clone(), message)
                .help("set it, or leave it out");
        }
    }
    let has = |name| image.at(&[name]).is_some();
    if has("ref") && (has("repository") || has("tag")) {
        let message = "`ref` excludes `repository` and `tag`";
        findings.forbid(&UNFITTING, image.path().clone(), message).help("keep one of them");
    }
}
