// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use crate::admission::{Context, FieldPath, Findings, Write, rule};
use garden_gate_model::api::Seed;

rule! {
    page: include_str!("taints_invalid.md"),
    id: "seed/taints-invalid",
    summary: "rejects duplicate taints of a Seed and taints without a key",
    phase: Static,
    level: Deny,
    scopes: [Seed [Create, Update]],
    findings: { INVALID = "seed/taints-invalid": "a taint has no key, or is a duplicate" },
    fixes: Safe,
    check: Judge(check),
}

fn check(_: &Context<'_>, seed: Write<'_, Seed>, findings: &mut Findings) {
    let new = seed.new;
    let mut seen = BTreeSet::new();
    for (index, taint) in new.spec.taints.iter().enumerate() {
        let path = FieldPath::new("spec.taints").index(index);
        if taint.key.is_empty() {
            let path = path.child("key");
            let message = "the taint has no key";
            findings.required(&INVALID, path, message).help("give it a key, or remove it");
        }
        if !seen.insert(taint.to_string()) {
            let message = format!("taint `{taint}` is there twice");
            findings
                .duplicate(&INVALID, path, message)
                .value(taint.to_string())
                .help("remove one of them");
        }
    }
}
