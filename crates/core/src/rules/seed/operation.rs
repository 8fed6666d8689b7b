// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::rules::shared::lists::one_of;
use garden_gate_model::api::Declared;
use garden_gate_model::api::Seed;

rule! {
    page: include_str!("operation.md"),
    id: "seed/operation",
    summary: "rejects an unsupported operation of a Seed, or one that replaces a pending one",
    phase: Static,
    level: Deny,
    scopes: [Seed [Create, Update]],
    findings: {
        UNSUPPORTED = "seed/operation-unsupported": "the operation is not supported for Seeds",
        OVERWRITE = "seed/operation-overwrite": "a pending operation is replaced",
    },
    check: Judge(check),
}

const ANNOTATION: &str = "gardener.cloud/operation";
const RECONCILE: &str = "reconcile";
const OPERATIONS: [&str; 4] = [
    RECONCILE,
    "renew-garden-access-secrets",
    "renew-kubeconfig",
    "renew-workload-identity-tokens",
];

fn check(context: &Context<'_>, seed: Write<'_, Seed>, findings: &mut Findings) {
    let new = seed.new;
    let new_operation = operation(new);
    let old_operation = seed.old.map_or("", operation);
    let field = FieldPath::new("metadata.annotations").key(ANNOTATION);
    if new_operation.is_empty() || is_dropped(context, new, seed.old) {
        return;
    }
    if !OPERATIONS.contains(&new_operation) {
        let message = format!("`{new_operation}` is not an operation for Seeds");
        let help = one_of(new_operation, &OPERATIONS);
        findings.unsupported(&UNSUPPORTED, field.clone(), message).value(new_operation).help(help);
    }
    if !old_operation.is_empty() && old_operation != new_operation {
        let message = format!(
            "operation `{new_operation}` would overwrite `{old_operation}`, which has not been done yet"
        );
        findings
            .forbid(&OVERWRITE, field, message)
            .value(new_operation)
            .help("wait until the annotation is gone");
    }
}

fn operation(seed: &Seed) -> &str {
    let annotation = seed.metadata.annotations.get(ANNOTATION);
    annotation.map_or("", String::as_str)
}

/// Reports whether the API server treats a new `reconcile` as a mere signal and removes it.
fn is_dropped(context: &Context<'_>, new: &Seed, old: Option<&Seed>) -> bool {
    let Some(old) = old.filter(|old| operation(new) == RECONCILE && operation(old) != RECONCILE)
    else {
        return false;
    };
    let deletion_begins =
        old.metadata.deletion_timestamp.is_none() && new.metadata.deletion_timestamp.is_some();
    let (mut new, mut old) = (context.new_json(), context.old_json());
    let typing = Declared::at("Seed", &["spec"]).with_bytes(!context.request.is_converted);
    !deletion_begins && new.take(&["spec"]).same_as(&old.take(&["spec"]), typing)
}
