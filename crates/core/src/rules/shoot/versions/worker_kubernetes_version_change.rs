// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, ErrorType, Findings, Write, rule};
use crate::rules::shoot::change;
use crate::rules::shoot::workers::pool_pairs;
use garden_gate_model::api::Shoot;
use garden_gate_text::go::compare_versions;

rule! {
    page: include_str!("worker_kubernetes_version_change.md"),
    id: "shoot/worker-kubernetes-version-change",
    summary: "rejects a Kubernetes downgrade of a worker pool",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Update] [Itself, Binding]],
    findings: {
        DOWNGRADE = "shoot/worker-kubernetes-version-downgrade": "the Kubernetes version of a pool is downgraded",
        UNREADABLE = "shoot/worker-kubernetes-version-unreadable": "the old and the new Kubernetes version of a pool cannot be compared",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let Some((new, old)) = change::compared(context, shoot) else {
        return;
    };
    for pool in pool_pairs::pairs(new, Some(old)) {
        // A new pool is compared with itself; without its own version it has the Shoot's stored one.
        let before = pool.old.unwrap_or(pool.new);
        let (from, to) = (old.version_of(before), new.version_of(pool.new));
        if from == to || to.is_empty() {
            continue;
        }
        let name = &pool.new.name;
        let (kind, error, message, help) = match compare_versions(to, "<", from) {
            Ok(false) => continue,
            Ok(true) => (
                &DOWNGRADE,
                ErrorType::Forbidden,
                format!(
                    "the Kubernetes version of pool `{name}` cannot go back from `{from}` to `{to}`"
                ),
                format!("a pool keeps its version or gets a later one: put `{from}` back"),
            ),
            Err(why) => (
                &UNREADABLE,
                ErrorType::Invalid,
                format!(
                    "Kubernetes versions `{from}` and `{to}` of pool `{name}` cannot be compared: {why}"
                ),
                "use a version of the form `1.2.3`".to_owned(),
            ),
        };
        let path = pool.path().child("kubernetes").child("version");
        findings.report(kind, error, path, message).value(to).help(help);
    }
}
