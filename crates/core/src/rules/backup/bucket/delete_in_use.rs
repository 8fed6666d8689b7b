// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use crate::admission::{Change, Context, FieldPath, Findings, Kind, rule};
use crate::rules::shared::lists::list;
use garden_gate_model::api::Named;

rule! {
    page: include_str!("delete_in_use.md"),
    id: "backupbucket/delete-in-use",
    summary: "rejects deletion of a BackupBucket with BackupEntries",
    phase: Admission,
    level: Deny,
    entry_point: Review,
    scopes: [BackupBucket [Delete]],
    reads: [BackupBucket, BackupEntry],
    findings: { IN_USE = "backupbucket/delete-in-use": "the BackupBucket has BackupEntries" },
    check: Judge(check),
}

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    let path = FieldPath::new("metadata.name");
    if !context.absence_is_known(Kind::BackupEntry) {
        let message = "cannot tell whether the bucket has BackupEntries: the garden has none at all; dump them, too (`kubectl get backupentries.core.gardener.cloud -A -o yaml`)";
        findings.undetermined(&path, message);
        return;
    }
    let what = "whether the bucket has BackupEntries";
    let Some(entries) = findings.known(context.backup_entries(), &path, what) else {
        return;
    };
    // The deletion of a collection has no name.
    let names: BTreeSet<&str> = match context.request.name.as_str() {
        "" => context.names(Kind::BackupBucket, "").into_iter().collect(),
        name => BTreeSet::from([name]),
    };
    let users: Vec<_> = entries
        .filter(|it| names.contains(it.spec.bucket_name.as_str()))
        .map(|it| format!("{}/{}", it.metadata.namespace, it.metadata.name))
        .collect();
    if !users.is_empty() {
        let message =
            format!("the bucket is used by {} BackupEntries: {}", users.len(), list(&users));
        findings.forbid(&IN_USE, path, message).help("delete these BackupEntries first");
    }
}
