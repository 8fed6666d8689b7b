// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Help, Write, rule};
use crate::rules::shared::validation::{
    MALFORMED, MISSING, Part, UNFITTING, UNSUPPORTED, check_full_name,
};
use crate::rules::shoot::static_validation::pools;
use garden_gate_model::api::{GARDEN_NAMESPACE, Shoot, Versions};
use garden_gate_text::go::dns_label_error;

rule! {
    page: include_str!("self_hosted_form.md"),
    id: "shoot/self-hosted-form",
    summary: "rejects an invalid control-plane pool of a self-hosted Shoot",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        MALFORMED, MISSING, UNFITTING, UNSUPPORTED,
        NAMESPACE = "shoot/self-hosted-elsewhere": "a self-hosted Shoot is not in namespace `garden`" since 140,
        SIZE = "shoot/control-plane-pool-size": "the control-plane pool has an unsupported size",
        BACKUP = "shoot/control-plane-backup-credentials": "backup credentials have an unsupported kind or are in another namespace",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let received = Part::whole(context.new_opened());
    let namespace = context.request.namespace.as_str();
    if !new.is_self_hosted() {
        return;
    }
    if namespace != GARDEN_NAMESPACE {
        let message = "a Shoot that runs its own control plane has to be in namespace `garden`";
        let field = FieldPath::new("metadata.namespace");
        findings.invalid(&NAMESPACE, field, message).help("make it there");
    }
    if new.spec.seed_name.is_some() {
        let message = "a Shoot that runs its own control plane has no seed";
        findings
            .invalid(&UNFITTING, FieldPath::new("spec.seedName"), message)
            .help(Help::remove("remove it"));
    }
    let pools = pools(&received);
    let own = pools.iter().filter(|it| it.at(&["controlPlane"]).is_some());
    let may_have_three = context.runs(HIGH_AVAILABILITY);
    for (index, pool) in own.enumerate() {
        if !may_have_three {
            check_single(pool, findings);
        } else if index == 0 {
            check_size(pool, new, findings);
        }
        check_backup(pool, namespace, &new.spec.provider.kind, findings);
        check_exposure(pool, findings);
    }
}

/// The versions that know highly available self-hosted Shoots.
const HIGH_AVAILABILITY: Versions = Versions::since(148);

fn check_single(pool: &Part<'_>, findings: &mut Findings) {
    let sizes = ["minimum", "maximum"].map(|it| pool.number_at(&[it]).unwrap_or_default());
    if sizes != [1.0, 1.0] {
        let message = "the control-plane pool has another size than one machine";
        findings
            .invalid(&SIZE, pool.path().child("minimum"), message)
            .help("set `minimum` and `maximum` to 1");
    }
}

fn check_size(pool: &Part<'_>, shoot: &Shoot, findings: &mut Findings) {
    let [minimum, maximum] =
        ["minimum", "maximum"].map(|it| pool.number_at(&[it]).unwrap_or_default());
    let mut report = |field: &'static str, must: &str| {
        let message = format!("the control-plane pool has another `{field}` than {must}");
        findings
            .invalid(&SIZE, pool.path().child(field), message)
            .help(format!("set it to {must}"));
    };
    if minimum != maximum || minimum != 1.0 {
        report("minimum", "1, as its maximum");
    }
    if !shoot.is_highly_available() {
        if maximum != 1.0 {
            report("maximum", "1, where no high availability is asked for");
        }
        return;
    }
    if maximum != 3.0 {
        report("maximum", "3, which is what high availability takes");
    }
    for (field, default) in [("maxSurge", 1.0), ("maxUnavailable", 0.0)] {
        let value = pool.at(&[field]).map_or(Some(default), |it| it.number());
        if value != Some(1.0) {
            report(field, "1, which is what high availability takes");
        }
    }
    if shoot.survives_zones() && pool.texts_at(&["zones"]).len() != 3 {
        report("zones", "3 zones, which is what surviving a zone takes");
    }
}

fn check_backup(pool: &Part<'_>, namespace: &str, provider: &str, findings: &mut Findings) {
    let Some(backup) = pool.at(&["controlPlane", "backup"]) else {
        return;
    };
    let path = backup.path();
    let named = backup.text_at(&["provider"]);
    if named.is_empty() {
        let message = "backups have no provider";
        findings.required(&MISSING, path.child("provider"), message).help("name it");
    }
    if named != provider && backup.text_at(&["region"]).is_empty() {
        let message = "backups go to another provider than the Shoot's, and name no region";
        findings.required(&MISSING, path.child("region"), message).help("name it");
    }
    match backup.at(&["credentialsRef"]) {
        None => {
            let message = "backups have no credentials";
            let field = path.child("credentialsRef");
            findings
                .required(&MISSING, field, message)
                .help("name a Secret of the Shoot's namespace");
        }
        Some(reference) => check_reference(&reference, namespace, findings),
    }
}

fn check_reference(reference: &Part<'_>, namespace: &str, findings: &mut Findings) {
    let path = reference.path();
    let value = |field| reference.text_at(&[field]);
    check_full_name(reference, "", findings);
    if value("namespace") != namespace {
        let message = format!("the credentials are not in namespace `{namespace}`");
        findings
            .forbid(&BACKUP, path.child("namespace"), message)
            .help("use a Secret of the Shoot's namespace");
    }
    match (value("apiVersion").as_str(), value("kind").as_str()) {
        ("v1", "Secret") | ("core.gardener.cloud/v1beta1", "InternalSecret") => {}
        ("security.gardener.cloud/v1alpha1", "WorkloadIdentity") => {
            let message = "backups cannot use a WorkloadIdentity yet";
            findings.forbid(&BACKUP, path.clone(), message).help("use a Secret");
        }
        (version, kind) => {
            let message = format!("credentials cannot be a `{kind}` of `{version}`");
            findings.unsupported(&UNSUPPORTED, path.clone(), message).help("use a Secret");
        }
    }
}

fn check_exposure(pool: &Part<'_>, findings: &mut Findings) {
    let Some(exposure) = pool.at(&["controlPlane", "exposure"]) else {
        return;
    };
    let Some(extension) = exposure.at(&["extension"]) else {
        return;
    };
    if exposure.at(&["dns"]).is_some() {
        let message = "the API server is exposed both by DNS and by an extension";
        findings.invalid(&UNFITTING, exposure.path().clone(), message).help("keep one of them");
    }
    // Gardener's path omits `extension`.
    let field = exposure.path().child("type");
    let Some(kind) = extension.at(&["type"]).and_then(|it| it.text()) else {
        return;
    };
    if kind.is_empty() {
        let message = "the extension that exposes the API server has no type";
        findings.required(&MISSING, field, message).help("name it");
    } else if let Some(why) = dns_label_error(&kind) {
        let message = format!("`{kind}` cannot be the type of an extension: {why}");
        findings.invalid(&MALFORMED, field, message).help("name an extension");
    }
}
