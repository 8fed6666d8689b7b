// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::backup::bucket::references::{SEED, UNREGISTERED, check_registered, check_seed};
use crate::rules::shared::lists::instead_of_missing;
use crate::rules::shared::validation::{Part, is_unchanged};
use garden_gate_model::api::{BackupBucket, Kind, Named};

rule! {
    page: include_str!("references.md"),
    id: "backupentry/references",
    summary: "rejects a BackupEntry whose BackupBucket, Seed or extension is missing",
    phase: Admission,
    level: Deny,
    entry_point: Review,
    scopes: [BackupEntry [Create, Update] [Itself, Status]],
    reads: [BackupBucket, ControllerRegistration, Seed],
    findings: {
        BUCKET = "backupentry/bucket-missing": "the BackupBucket that a BackupEntry names is not found",
        SEED, UNREGISTERED,
    },
    fixes: Suggestion,
    check: Judge(check),
}

const KIND: &str = "BackupEntry";

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    let entry = Part::whole(context.new_opened());
    let is_status = !context.request.sub_resource.is_empty();
    if !is_status {
        check_seed(context, KIND, &entry, findings);
    }
    let name = entry.text_at(&["spec", "bucketName"]);
    let field = FieldPath::new("spec.bucketName");
    if name.is_empty() {
        let message = "the entry names no BackupBucket";
        findings.forbid(&BUCKET, field, message).help("set `spec.bucketName`");
        return;
    }
    let what = format_args!("whether there is a BackupBucket `{name}`");
    let bucket = context.get_significant::<BackupBucket>(&name);
    let Some(bucket) = bucket.and_then(|it| findings.known(it, &field, what)) else {
        return;
    };
    let Some(bucket) = bucket else {
        let help =
            instead_of_missing(context, Kind::BackupBucket, &name, "name an existing BackupBucket");
        findings
            .forbid(&BUCKET, field, format!("there is no BackupBucket `{name}`"))
            .value(name.as_str())
            .help(help);
        return;
    };
    if !is_status && !is_unchanged(context, KIND, &["spec"]) {
        check_registered(context, (KIND, &bucket.spec.provider.kind), field, findings);
    }
}
