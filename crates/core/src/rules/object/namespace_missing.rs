// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::garden::ObjectKey;
use garden_gate_model::api::{GARDEN_NAMESPACE, Kind, Named};

rule! {
    page: include_str!("namespace_missing.md"),
    id: "object/namespace-missing",
    summary: "rejects an object in a Namespace that does not exist",
    phase: Mutating,
    level: Deny,
    entry_point: Review,
    scopes: [
        BackupEntry [Create];
        InternalSecret [Create];
        ShootState [Create];
        WorkloadIdentity [Create];
        Bastion [Create];
        ManagedSeed [Create];
        ManagedSeedSet [Create];
        Gardenlet [Create];
    ],
    reads: [Project, Names],
    findings: { MISSING = "object/namespace-missing": "the Namespace of an object is not found" },
    check: Judge(check),
}

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    let namespace = context.request.namespace.as_str();
    // Gardener creates the Namespace of a Project.
    let is_of_project = || context.projects_of_namespace(namespace).next().is_some();
    let key = ObjectKey::named(Kind::Namespace, namespace);
    // The Namespace of the operators is in each garden, and often missing in manifests.
    let is_given = namespace.is_empty() || namespace == GARDEN_NAMESPACE;
    if !is_given && context.named(&key) == Ok(None) && !is_of_project() {
        let message = format!("there is no Namespace `{namespace}`");
        findings
            .not_found(&MISSING, FieldPath::new("metadata.namespace"), message)
            .value(namespace)
            .help("create the Namespace or its Project first, or use another one");
    }
}
