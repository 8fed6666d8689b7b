use std::collections::BTreeSet;

use crate::engine::{Change, Context, FieldPath, Findings, rule};
use crate::model::Seed;

rule! {
    /// ## What it checks
    /// Each taint of a Seed has a key, and no two are the same. `key` and `key=value` are different taints. Keys and values
    /// need not be valid for labels.
    ///
    /// ## Why
    /// A taint without a key could not be tolerated, and a duplicate could be tolerated only by two tolerations.
    ///
    /// ## Applies to
    /// Seeds, on CREATE and UPDATE.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   taints:
    ///   - key: seed.gardener.cloud/protected
    ///   - key: seed.gardener.cloud/protected
    /// ```
    ///
    /// ## How to fix
    /// Remove the duplicate, or give the taint a key.
    ///
    /// ## Gardener
    /// ValidateSeedSpec in `pkg/api/core/validation/seed.go` (422).
    id: "seed/taints-invalid",
    summary: "taints of a Seed have keys, and no two are the same",
    phase: Static,
    level: Deny,
    scopes: [Seed [Create, Update]],
    findings: { INVALID = "seed/taints-invalid": "a taint has no key, or is there twice" },
    check: Judge(check),
}

fn check(_: &Context<'_>, seed: Change<'_, Seed>, findings: &mut Findings) {
    let Some(new) = seed.new else { return };
    let mut seen = BTreeSet::new();
    for (index, taint) in new.spec.taints.iter().enumerate() {
        let path = FieldPath::new("spec.taints").index(index);
        if taint.key.is_empty() {
            let path = path.child("key");
            let message = "the taint has no key";
            findings
                .required(&INVALID, path, message)
                .help("give it a key, or remove it");
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
