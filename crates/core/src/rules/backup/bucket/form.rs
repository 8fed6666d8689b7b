// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::backup::owner::check_owner;
use crate::rules::shared::validation::{
    MALFORMED, MISSING, Naming, OUT_OF_RANGE, Part, TOO_LONG, UNFITTING, UNSUPPORTED,
    check_credentials, check_filled, check_label_of_type, check_metadata,
};
use garden_gate_model::api::Named;

rule! {
    page: include_str!("form.md"),
    id: "backupbucket/form",
    summary: "rejects invalid or missing fields of a BackupBucket",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [BackupBucket [Create, Update]],
    findings: { MALFORMED, MISSING, OUT_OF_RANGE, TOO_LONG, UNFITTING, UNSUPPORTED },
    check: Judge(check),
}

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    let bucket = Part::whole(context.new_opened());
    check_metadata(context, Naming::Label, findings);
    let class = bucket.text_at(&["spec", "provider", "type"]);
    check_label_of_type(&MALFORMED, &class, &FieldPath::new("spec.provider.type"), findings);
    check_filled(&bucket, &["spec", "provider", "type"], "spec.provider.type", findings);
    check_filled(&bucket, &["spec", "provider", "region"], "spec.provider.region", findings);
    check_owner(&bucket, None, findings);
    match bucket.at(&["spec", "credentialsRef"]) {
        Some(reference) => check_credentials(&reference, "", findings),
        None => {
            let message = "the bucket has no credentials";
            findings
                .required(&MISSING, FieldPath::new("spec.credentialsRef"), message)
                .help("refer to a Secret or a WorkloadIdentity in `spec.credentialsRef`");
        }
    }
}
