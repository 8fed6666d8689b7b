// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Update, rule};
use crate::rules::shoot::workers::pool_pairs::path;
use garden_gate_model::api::Shoot;
use garden_gate_text::go::Version;

rule! {
    page: include_str!("in_place_node_local_dns_toggle.md"),
    id: "shoot/in-place-node-local-dns-toggle",
    summary: "rejects switching node-local DNS while in-place pools depend on it",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Update] [Itself, Binding]],
    findings: {
        TOGGLE = "shoot/in-place-node-local-dns-toggle": "node-local DNS is switched although in-place pools depend on it",
    },
    check: Judge(check),
}

fn check(_: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let Update { new, old } = shoot;
    if new.has_node_local_dns() == old.has_node_local_dns() {
        return;
    }
    let version = &old.spec.kubernetes.version;
    if Version::parse(version).is_err() {
        let path = FieldPath::new("spec.kubernetes.version");
        return report_unreadable(path, version, findings);
    }
    for (index, pool) in old.spec.provider.workers.iter().enumerate() {
        let version = old.version_of(pool);
        let Ok(parsed) = Version::parse(version) else {
            return report_unreadable(path(index), version, findings);
        };
        let older = (parsed.major, parsed.minor) < (1, 34);
        if pool.is_in_place() && (older || old.uses_ipvs()) {
            let why = if older {
                format!("runs Kubernetes `{version}`, below `1.34`")
            } else {
                "has kube-proxy in IPVS mode".to_owned()
            };
            return report_toggle(&pool.name, &why, new.has_node_local_dns(), findings);
        }
    }
}

fn report_toggle(pool: &str, why: &str, value: bool, findings: &mut Findings) {
    let message = format!(
        "nodeLocalDNS cannot be switched: pool `{pool}` is updated in place and {why}, where only new nodes take it over"
    );
    let path = FieldPath::new("spec.systemComponents.nodeLocalDNS");
    findings.forbid(&TOGGLE, path, message).value(value).help(
        "bring all such pools to Kubernetes 1.34 and leave IPVS first, in a request of its own",
    );
}

fn report_unreadable(path: FieldPath, version: &str, findings: &mut Findings) {
    let message = format!(
        "cannot tell whether nodeLocalDNS may be switched: the stored Kubernetes version `{version}` cannot be read"
    );
    findings
        .invalid(&TOGGLE, path, message)
        .value(version)
        .help("leave nodeLocalDNS as it is, or correct the version first");
}
