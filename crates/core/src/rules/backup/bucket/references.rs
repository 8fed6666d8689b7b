// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::shared::lists::instead_of_missing;
use crate::rules::shared::references::registered::Registered;
use crate::rules::shared::references::{
    Referred, check_exists, kind_of_credentials, known_identity, referred,
};
use crate::rules::shared::validation::{Part, is_unchanged};
use garden_gate_model::api::{Kind, Named, Seed};

rule! {
    page: include_str!("references.md"),
    id: "backupbucket/references",
    summary: "rejects a BackupBucket whose Seed, credentials or extension is missing",
    phase: Admission,
    level: Deny,
    entry_point: Review,
    scopes: [BackupBucket [Create, Update]],
    reads: [ControllerRegistration, Names, Seed, WorkloadIdentity],
    findings: {
        pub(in crate::rules::backup) SEED = "backup/seed-missing": "the Seed that a BackupBucket or BackupEntry names is not found",
        MISSING = "backupbucket/credentials-missing": "the credentials of a BackupBucket are not found",
        UNUSABLE = "backupbucket/credentials-unusable": "the credentials of a BackupBucket are of a kind or for a provider that it cannot use",
        pub(in crate::rules::backup) UNREGISTERED = "backup/provider-unregistered": "no registered extension supports the provider of a BackupBucket",
    },
    fixes: Suggestion,
    check: Judge(check),
}

const KIND: &str = "BackupBucket";

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    let bucket = Part::whole(context.new_opened());
    check_seed(context, KIND, &bucket, findings);
    check_credentials(context, &bucket, findings);
    let class = bucket.text_at(&["spec", "provider", "type"]);
    if !is_unchanged(context, KIND, &["spec"]) {
        check_registered(context, (KIND, &class), FieldPath::new("spec.provider.type"), findings);
    }
}

/// Refuses a new Seed that does not exist.
pub(in crate::rules::backup) fn check_seed(
    context: &Context<'_>,
    kind: &'static str,
    object: &Part<'_>,
    findings: &mut Findings,
) {
    let name = object.text_at(&["spec", "seedName"]);
    // Static validation refuses an empty name.
    if name.is_empty() || is_unchanged(context, kind, &["spec", "seedName"]) {
        return;
    }
    let field = FieldPath::new("spec.seedName");
    let what = format_args!("whether there is a Seed `{name}`");
    if let Some(None) = findings.known(context.get::<Seed>(&name), &field, what) {
        let help = instead_of_missing(context, Kind::Seed, &name, "name an existing Seed");
        findings
            .forbid(&SEED, field, format!("there is no Seed `{name}`"))
            .value(name.as_str())
            .help(help);
    }
}

/// Refuses a provider type for which no extension is registered.
pub(in crate::rules::backup) fn check_registered(
    context: &Context<'_>,
    (kind, class): (&'static str, &str),
    field: FieldPath,
    findings: &mut Findings,
) {
    if class.is_empty() || !context.absence_is_known(Kind::ControllerRegistration) {
        return;
    }
    let Some(registered) = Registered::for_clusters("seed", context, findings) else {
        return;
    };
    if !registered.has(kind, class) {
        registered.forbid(&UNREGISTERED, (&[kind], class), field, findings);
    }
}

/// Checks the credentials, which Gardener looks up on every write.
fn check_credentials(context: &Context<'_>, bucket: &Part<'_>, findings: &mut Findings) {
    let path = ["spec", "credentialsRef"];
    let [version, kind] = ["apiVersion", "kind"].map(|it| bucket.text_at(&[path[0], path[1], it]));
    if kind_of_credentials(&version) == Some(Kind::InternalSecret) && kind == "InternalSecret" {
        let message = "a BackupBucket cannot use an InternalSecret";
        findings
            .forbid(&UNUSABLE, FieldPath::new("spec.credentialsRef"), message)
            .help("refer to a Secret or a WorkloadIdentity");
    }
    for reference in referred(Kind::BackupBucket, bucket, "") {
        match reference.key.kind {
            Kind::WorkloadIdentity => check_identity(context, &reference, bucket, findings),
            _ => check_exists(context, (&reference, &MISSING), findings),
        }
    }
}

fn check_identity(
    context: &Context<'_>,
    reference: &Referred,
    bucket: &Part<'_>,
    findings: &mut Findings,
) {
    let key = &reference.key;
    let what = format_args!("for which provider {key} is");
    let Some(identity) = known_identity(context, (reference, &MISSING), what, findings) else {
        return;
    };
    let target = &identity.spec.target_system.kind;
    let class = bucket.text_at(&["spec", "provider", "type"]);
    if *target != class {
        let message = format!("{key} is for `{target}`, the bucket for `{class}`");
        findings
            .forbid(&UNUSABLE, FieldPath::new("spec.credentialsRef"), message)
            .help(format!("refer to a WorkloadIdentity for `{class}`"));
    }
}
