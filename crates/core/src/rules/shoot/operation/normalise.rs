// SPDX-License-Identifier: Apache-2.0
//! Normalization of the operation annotations by Gardener's API server before it validates them.

use std::collections::HashSet;

use super::names::{MAINTENANCE, NOW, RECONCILE, RETRY, SSH_KEYPAIR, covered_by};
use crate::admission::{Context, Operation, Write};
use garden_gate_model::api::Shoot;
use garden_gate_text::go::parse_bool;

/// Annotation with which an owner requests that deletion ignores resources that cannot be deleted.
pub(crate) const FORCE_DELETION: &str = "confirmation.gardener.cloud/force-deletion";

/// The operations that validation sees.
#[derive(Debug, Default)]
pub(crate) struct Operations {
    /// Operations to be started at once.
    pub(crate) now: Vec<String>,
    /// Operations to be started in the maintenance window.
    pub(crate) maintenance: Vec<String>,
}

/// Reads both annotations; on UPDATE it first cleans them up.
///
/// Mirrors PrepareForUpdate in `pkg/apiserver/registry/core/shoot/strategy.go`. The cleanup is idempotent.
pub(super) fn operations(
    context: &Context<'_>,
    Write { new, old }: Write<'_, Shoot>,
) -> Operations {
    let mut operations = Operations {
        now: split(new.annotation(NOW)),
        maintenance: split(new.annotation(MAINTENANCE)),
    };
    if let Some(old) = old.filter(|_| are_cleaned_up(context)) {
        let is_changed = || !context.changed_fields(new).is_empty();
        operations.clean_up(new, old, is_changed);
    }
    operations
}

/// Returns the two annotations that an UPDATE of a Shoot stores; `None` removes one.
///
/// `is_changed` reports whether the specification changes.
pub fn cleaned_up(
    new: &Shoot,
    old: &Shoot,
    is_changed: bool,
) -> [(&'static str, Option<String>); 2] {
    let mut operations = Operations {
        now: split(new.annotation(NOW)),
        maintenance: split(new.annotation(MAINTENANCE)),
    };
    operations.clean_up(new, old, || is_changed);
    [(NOW, operations.now), (MAINTENANCE, operations.maintenance)]
        .map(|(name, list)| (name, Some(list.join(";")).filter(|it| !it.is_empty())))
}

impl Operations {
    fn clean_up(&mut self, new: &Shoot, old: &Shoot, is_changed: impl Fn() -> bool) {
        for list in [&mut self.now, &mut self.maintenance] {
            drop_repetitions(list);
        }
        if !self.now.is_empty() && !starts_anyway(new, old, is_changed) {
            drop_done(&mut self.now, new);
        }
    }
}

/// Reports whether this is the only immediate operation that validation sees.
pub(crate) fn asks_only_for(
    operation: &str,
    context: &Context<'_>,
    shoot: Write<'_, Shoot>,
) -> bool {
    if are_cleaned_up(context) {
        operations(context, shoot).now == [operation]
    } else {
        shoot.new.annotation(NOW) == Some(operation)
    }
}

fn are_cleaned_up(context: &Context<'_>) -> bool {
    let request = context.request;
    request.operation == Operation::Update && request.sub_resource.is_empty()
}

/// Splits an annotation into trimmed parts.
///
/// An empty annotation has none, but `reconcile;` has two, the second without a name.
pub(crate) fn split(annotation: Option<&str>) -> Vec<String> {
    let parts =
        annotation.filter(|text| !text.is_empty()).into_iter().flat_map(|text| text.split(';'));
    parts.map(|part| part.trim().to_owned()).collect()
}

/// Drops duplicates; a list of empty names only becomes empty, as joining it gives an empty annotation.
fn drop_repetitions(operations: &mut Vec<String>) {
    let mut seen = HashSet::new();
    let distinct = operations.iter().filter(|it| seen.insert(it.as_str()));
    *operations = distinct.cloned().collect();
    if operations.iter().all(String::is_empty) {
        operations.clear();
    }
}

/// Reports whether the change starts a reconciliation for another reason.
///
/// The annotation is not changed then.
fn starts_anyway(new: &Shoot, old: &Shoot, is_changed: impl Fn() -> bool) -> bool {
    let is_forced =
        |shoot: &Shoot| shoot.annotation(FORCE_DELETION).and_then(parse_bool) == Some(true);
    let deletion_begins =
        old.metadata.deletion_timestamp.is_none() && new.metadata.deletion_timestamp.is_some();
    let spec_is_rolled_out = || {
        if new.spec.maintenance.confine_spec_update_rollout {
            new.wants_hibernation() != old.wants_hibernation()
        } else {
            is_changed()
        }
    };
    deletion_begins || (is_forced(new) && !is_forced(old)) || spec_is_rolled_out()
}

/// Drops operations that only trigger a reconciliation, and those that another operation includes.
fn drop_done(operations: &mut Vec<String>, shoot: &Shoot) {
    let Some(last) = &shoot.status.last_operation else {
        return;
    };
    if last.state == "Failed" {
        if *operations == [RETRY] {
            operations.clear();
        }
        return;
    }
    let covered: HashSet<&str> =
        operations.iter().flat_map(|operation| covered_by(operation)).copied().collect();
    let without_ssh = !shoot.has_ssh_access();
    operations.retain(|operation| {
        let name = operation.as_str();
        let done = name == RECONCILE || (name == SSH_KEYPAIR && without_ssh);
        !done && !covered.contains(name)
    });
    // Joined again, a single operation without a name is an empty annotation.
    if operations.iter().all(String::is_empty) {
        operations.clear();
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::*;

    const DELETED: &str = "2026-01-01T00:00:00Z";

    fn shoot(changes: &Value) -> Shoot {
        let mut shoot = json!({
            "metadata": {"name": "s", "namespace": "garden-p", "annotations": {"gardener.cloud/operation": "reconcile"}},
            "spec": {"maintenance": {}},
            "status": {"lastOperation": {"type": "Reconcile", "state": "Succeeded"}},
        });
        for change in changes.as_array().unwrap() {
            *shoot.pointer_mut(change[0].as_str().unwrap()).unwrap() = change[1].clone();
        }
        serde_json::from_value(shoot).unwrap()
    }

    /// `reconcile` is dropped unless the change starts a reconciliation anyway.
    #[rstest]
    #[case::nothing(json!([]), json!([]), false, false)]
    #[case::specification(json!([]), json!([]), true, true)]
    #[case::deletion_begins(json!([["/metadata", {"name": "s", "deletionTimestamp": DELETED, "annotations": {"gardener.cloud/operation": "reconcile"}}]]), json!([]), false, true)]
    #[case::deletion_goes_on(
        json!([["/metadata", {"name": "s", "deletionTimestamp": DELETED, "annotations": {"gardener.cloud/operation": "reconcile"}}]]),
        json!([["/metadata", {"name": "s", "deletionTimestamp": DELETED}]]), false, false)]
    #[case::forced(json!([["/metadata/annotations", {"gardener.cloud/operation": "reconcile", FORCE_DELETION: "true"}]]), json!([]), false, true)]
    #[case::forced_before(
        json!([["/metadata/annotations", {"gardener.cloud/operation": "reconcile", FORCE_DELETION: "true"}]]),
        json!([["/metadata/annotations", {FORCE_DELETION: "1"}]]), false, false)]
    #[case::confined(json!([["/spec/maintenance", {"confineSpecUpdateRollout": true}]]), json!([]), true, false)]
    #[case::confined_and_hibernated(
        json!([["/spec", {"maintenance": {"confineSpecUpdateRollout": true}, "hibernation": {"enabled": true}}]]), json!([]), true, true)]
    fn reconcile_kept_if_reconciled_anyway(
        #[case] new: Value,
        #[case] old: Value,
        #[case] is_changed: bool,
        #[case] is_kept: bool,
    ) {
        let (new, old) = (shoot(&new), shoot(&old));
        let [(_, now), _] = cleaned_up(&new, &old, is_changed);
        assert_eq!(now.is_some(), is_kept);
    }
}
