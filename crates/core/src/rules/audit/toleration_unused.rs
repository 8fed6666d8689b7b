// SPDX-License-Identifier: Apache-2.0
use std::slice::from_ref;

use crate::admission::{Change, Context, FieldPath, Findings, rule};
use garden_gate_model::api::{GARDEN_NAMESPACE, Project, Tolerated, Toleration};
use garden_gate_model::gardener::defaults::protected;

rule! {
    page: include_str!("toleration_unused.md"),
    id: "audit/toleration-unused",
    summary: "warns about unused entries in the toleration lists of a Project",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Audit,
    scopes: [Project [Update]],
    reads: [Shoot, Seed],
    findings: {
        WHITELISTED = "audit/whitelist-entry-unused": "no Shoot of the Project uses a whitelisted toleration",
        DEFAULT = "audit/default-toleration-unused": "no Seed has the taint of a default toleration",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, project: Change<'_, Project>, findings: &mut Findings) {
    let spec = project.new.map(|project| &project.spec);
    let lists = spec.and_then(|it| Some((it.namespace.as_deref()?, it.tolerations.as_ref()?)));
    let Some((namespace, lists)) = lists else {
        return;
    };
    // The API server adds these entries with every write.
    let is_added = |entry: &Toleration| namespace == GARDEN_NAMESPACE && *entry == protected();
    check_whitelist(context, namespace, &lists.whitelist, &is_added, findings);
    check_defaults(context, &lists.defaults, &is_added, findings);
}

fn check_whitelist(
    context: &Context<'_>,
    namespace: &str,
    whitelist: &[Toleration],
    is_added: &dyn Fn(&Toleration) -> bool,
    findings: &mut Findings,
) {
    if whitelist.is_empty() {
        return;
    }
    let path = FieldPath::new("spec.tolerations.whitelist");
    let Some(shoots) = findings.known(context.shoots(), &path, "what is used of it") else {
        return;
    };
    for (index, entry) in whitelist.iter().enumerate() {
        if !is_added(entry) && shoots.tolerating(entry, Some(namespace)).next().is_none() {
            let message = format!("no Shoot of the Project tolerates `{entry}`");
            findings
                .forbid(&WHITELISTED, path.index(index), message)
                .value(entry.to_string())
                .help("take the entry out, if nobody is going to need it");
        }
    }
}

fn check_defaults(
    context: &Context<'_>,
    defaults: &[Toleration],
    is_added: &dyn Fn(&Toleration) -> bool,
    findings: &mut Findings,
) {
    if defaults.is_empty() {
        return;
    }
    let path = FieldPath::new("spec.tolerations.defaults");
    let Some(seeds) = findings.known(context.seeds(), &path, "what they are for") else {
        return;
    };
    let taints: Vec<&Toleration> = seeds.flat_map(|seed| &seed.spec.taints).collect();
    for (index, entry) in defaults.iter().enumerate() {
        let tolerated = Tolerated::by(from_ref(entry));
        if !is_added(entry)
            && !taints.iter().any(|taint| tolerated.untolerated(from_ref(taint)).is_empty())
        {
            let message = format!("no Seed has a taint that `{entry}` tolerates");
            findings
                .forbid(&DEFAULT, path.index(index), message)
                .value(entry.to_string())
                .help("take the entry out, if no such Seed is to come");
        }
    }
}
