// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeSet, HashSet};

use super::{describe, shoots_on};
use crate::admission::{Context, FieldPath, Findings, Update, rule};
use crate::rules::shared::lists::list;
use garden_gate_model::api::Seed;

rule! {
    page: include_str!("zones_removed_in_use.md"),
    id: "seed/zones-removed-in-use",
    summary: "rejects removal of a zone from a Seed with Shoots",
    phase: Admission,
    level: Deny,
    scopes: [Seed [Update]],
    reads: [Shoot],
    findings: {
        REMOVED = "seed/zones-removed-in-use": "a zone of a Seed with Shoots is removed",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, seed: Update<'_, Seed>, findings: &mut Findings) {
    let Update { new, old } = seed;
    let kept: HashSet<&String> = new.spec.provider.zones.iter().collect();
    let stored = old.spec.provider.zones.iter();
    let removed: BTreeSet<&String> = stored.filter(|zone| !kept.contains(zone)).collect();
    if removed.is_empty() {
        return;
    }
    let name = &new.metadata.name;
    let path = FieldPath::new("spec.provider.zones");
    let Some(shoots) = shoots_on(context, name, &path, findings) else {
        return;
    };
    let (zones, users) = (list(removed), describe(shoots));
    let message =
        format!("zones {zones} cannot be removed from Seed `{name}` while it is used by {users}");
    findings.forbid(&REMOVED, path, message).help("keep the zones");
}
