// SPDX-License-Identifier: Apache-2.0
use crate::admission::{
    Context, FieldPath, Findings, Kind, Write, resolved_json, resolved_old_json, rule,
};
use crate::rules::shared::custom_verbs::{GuardedField, require};
use crate::rules::shoot::workers::whole_pool::{pool, same};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("self_hosted_verb.md"),
    id: "shoot/self-hosted-verb",
    summary: "rejects changes of a self-hosted control-plane pool without `mark-self-hosted`",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding, Status]],
    reads: [Verbs],
    findings: {
        VERB = "shoot/self-hosted-verb": "the requesting user may not change the control-plane pool of a self-hosted Shoot",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let new_index = control_plane_pool(new);
    let old_index = shoot.old.and_then(control_plane_pool);
    if new_index.is_none() && old_index.is_none() {
        return;
    }
    let new_pool = new_index.and_then(|index| pool(&mut resolved_json(context, new), index));
    let old_pool = old_index.and_then(|index| pool(&mut resolved_old_json(context), index));
    if let (Some(new_pool), Some(old_pool)) = (new_pool, old_pool)
        && same(&new_pool, &old_pool)
    {
        return;
    }
    let field = new_index.map_or_else(
        || FieldPath::new("spec.provider.workers"),
        |index| FieldPath::new("spec.provider.workers").index(index).child("controlPlane"),
    );
    let guarded = GuardedField {
        verb: "mark-self-hosted",
        kind: Kind::Shoot,
        field,
        action: "changing the control-plane pool",
    };
    require(context, guarded, &new.metadata.name, &VERB, findings);
}

fn control_plane_pool(shoot: &Shoot) -> Option<usize> {
    shoot.spec.provider.workers.iter().position(|worker| worker.control_plane.is_some())
}
