// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;

use crate::admission::{Context, Findings, Write, rule};
use crate::rules::shared::validation::{Facts, Part, REMOVED, Section, check_removed};
use crate::rules::shoot::profile_name::keeps_profile_name;
use crate::rules::shoot::static_validation::received;
use garden_gate_model::api::Shoot;
use garden_gate_text::go::is_at_least;

rule! {
    page: include_str!("removed_fields.md"),
    id: "shoot/removed-fields",
    summary: "rejects fields that the Kubernetes version forbids",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: { REMOVED },
    fixes: Suggestion,
    check: Judge(check),
}

const SPEC: Section = Section { kind: "Shoot", at: &["spec"], except: &[] };

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let (received, facts) = received(context, new);
    let mut object = Cow::Borrowed(context.new_opened());
    let ignored = [
        ("cloudProfileName", !keeps_profile_name(new, shoot.old)),
        ("secretBindingName", new.is_self_hosted()),
    ];
    for (name, is_ignored) in ignored {
        if is_ignored && !object.opened_at(&["spec", name]).is_null() {
            let spec = object.to_mut().at(&["spec"]);
            spec.and_then(|it| it.fields()).into_iter().for_each(|it| it.remove(name));
        }
    }
    check_removed(SPEC, &object, facts, findings);
    check_ignored_taints(&received, facts, findings);
}

/// Checks `ignoreTaints`, which Gardener reports in a separate field.
fn check_ignored_taints(shoot: &Part<'_>, facts: Facts<'_>, findings: &mut Findings) {
    let autoscaler = shoot.at(&["spec", "kubernetes", "clusterAutoscaler"]);
    let Some(taints) = autoscaler
        .and_then(|it| it.at(&["ignoreTaints"]))
        .filter(|_| is_at_least(facts.version, 1, 32))
    else {
        return;
    };
    let message = "`ignoreTaints` is forbidden from Kubernetes 1.32";
    let field = taints.path().child("IgnoreTaints");
    findings
        .forbid(&REMOVED, field, message)
        .at(taints.path())
        .help("use `startupTaints` and `statusTaints`");
}
