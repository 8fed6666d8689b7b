// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, BTreeSet};

use crate::admission::{Context, FieldPath, Findings, Update, rule};
use crate::rules::shoot::change::spec_differs;
use crate::rules::shoot::operation::{NOW, requested, split};
use crate::rules::shoot::seed::placement::seed_of;
use garden_gate_model::api::{DELETION_CONFIRMATION, DELETION_CONFIRMED_BY, LAST_APPLIED, Shoot};

rule! {
    page: include_str!("deleting_seed_frozen.md"),
    id: "shoot/deleting-seed-frozen",
    summary: "rejects changes of a Shoot's spec and annotations while its seed is being deleted",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Update] [Itself, Binding]],
    reads: [Seed],
    only_if: Changed,
    findings: {
        FROZEN = "shoot/deleting-seed-frozen": "the spec or an annotation changes while the seed is being deleted",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let Update { new, old } = shoot;
    let Some(seed) = seed_of(context, new, findings) else {
        return;
    };
    if seed.metadata.deletion_timestamp.is_none() {
        return;
    }
    let (name, seed) = (&new.metadata.name, &seed.metadata.name);
    let mut add = |path, what: String| {
        findings.report_lazily(&FROZEN, |findings| {
            let message = format!(
                "{what} of Shoot `{name}` cannot be changed: its seed `{seed}` is being deleted"
            );
            findings
                .forbid(&FROZEN, path, message)
                .help(format!("only the annotation {DELETION_CONFIRMATION} may be set"));
        });
    };
    let is_free = |key: &str| match key {
        DELETION_CONFIRMATION => new.annotation(key).is_some(),
        // Set by garden-gate and Gardener when the deletion is confirmed.
        DELETION_CONFIRMED_BY => true,
        // The API server drops operations that only trigger a reconciliation.
        NOW => requested(context, shoot.into()) == split(old.annotation(key)),
        _ => false,
    };
    let annotations = FieldPath::new("metadata.annotations");
    let changed = changed(&old.metadata.annotations, &new.metadata.annotations);
    let applied = applied_differs(context).then_some(LAST_APPLIED);
    for key in changed.chain(applied).filter(|key| !is_free(key)) {
        add(annotations.key(key), format!("annotation `{key}`"));
    }
    if spec_differs(context, new) {
        add(FieldPath::new("spec"), "the spec".to_owned());
    }
}

/// Reports whether the last-applied configuration differs, which only the received objects contain.
fn applied_differs(context: &Context<'_>) -> bool {
    let path = ["metadata", "annotations", LAST_APPLIED];
    let [new, old] = [context.new_json(), context.old_json()].map(|mut it| it.take(&path));
    !new.is_null() && !old.is_null() && !new.same(&old)
}

/// Returns the keys of the annotations that differ.
fn changed<'a>(
    old: &'a BTreeMap<String, String>,
    new: &'a BTreeMap<String, String>,
) -> impl Iterator<Item = &'a str> {
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let differs = |key: &&String| old.get(*key) != new.get(*key);
    keys.into_iter().filter(differs).map(String::as_str)
}
