use super::pools::pairs;
use crate::engine::{
    Change, Check, Context, ErrorType, FieldPath, FindingKind, Findings, Offence, Operation, rule,
};
use crate::model::{PendingWorkerUpdates, Shoot};

rule! {
    /// ## What it checks
    /// Operations that are asked for by annotation fit worker pools that are updated in place:
    /// `force-in-place-update` stands alone; no rotation of credentials that reaches the nodes starts while nodes are being updated in place;
    /// and `rollout-workers` names no pool that is updated in place.
    ///
    /// ## Why
    /// Forcing lifts a protection and is not to be mixed with anything else; a rotation would change the goal of an update under way; and the
    /// machines of a pool that is updated in place are never replaced.
    ///
    /// ## Applies to
    /// Shoots, on CREATE and UPDATE, `binding` included, for the annotations `gardener.cloud/operation` and `maintenance.gardener.cloud/operation`.
    /// Forcing needs no update under way. Only in the first annotation it has an effect.
    ///
    /// ## Example
    /// ```yaml
    /// metadata:
    ///   annotations:
    ///     gardener.cloud/operation: force-in-place-update;reconcile
    /// ```
    ///
    /// ## How to fix
    /// Ask for one thing after the other; wait until `status.inPlaceUpdates.pendingWorkerUpdates` is empty before a rotation.
    ///
    /// ## Gardener
    /// validateShootOperation in `pkg/api/core/validation/shoot.go` (422). No differences in what concerns updates in place; as there, nothing more
    /// is checked when an operation is unknown or does not go with others.
    pub(crate) static RULE {
        id: "shoot/in-place-operations",
        summary: "operations by annotation fit worker pools that are updated in place",
        phase: Static,
        scopes: [Shoot [Create, Update] ["", "binding"]],
        documented: Deny,
        gardener: Deny,
        findings: [NOT_ALONE, ROTATION, ROLLOUT],
        check: Check::Shoot(check),
    }
}

static NOT_ALONE: FindingKind = FindingKind {
    id: "shoot/force-in-place-update-not-alone",
    summary: "an update in place is forced together with another operation, or in both annotations",
};
static ROTATION: FindingKind = FindingKind {
    id: "shoot/in-place-pending-blocks-rotation",
    summary: "a rotation starts while nodes are being updated in place",
};
static ROLLOUT: FindingKind = FindingKind {
    id: "shoot/rollout-workers-in-place",
    summary: "machines are to be replaced in a pool that is updated in place",
};

const NOW: &str = "gardener.cloud/operation";
const MAINTENANCE: &str = "maintenance.gardener.cloud/operation";
const FORCE: &str = "force-in-place-update";
const ROLLOUT_WORKERS: &str = "rollout-workers";
const ROTATE_ROLLOUT_WORKERS: &str = "rotate-rollout-workers";

/// Operations that must be alone in their annotation.
const ALONE: &[&str] = &[FORCE, "maintain", "retry"];
/// Operations that may be combined; those for chosen pools are known by their beginning.
const COMBINABLE: &[&str] = &[
    "reconcile",
    "rotate-ca-complete",
    "rotate-credentials-complete",
    "rotate-etcd-encryption-key",
    "rotate-etcd-encryption-key-complete",
    "rotate-etcd-encryption-key-start",
    "rotate-observability-credentials",
    "rotate-serviceaccount-key-complete",
    "rotate-ssh-keypair",
];
/// Operations that reach the nodes, so that they must wait for updates in place.
const ROTATIONS: &[&str] = &[
    "rotate-ca-start",
    "rotate-ca-start-without-workers-rollout",
    "rotate-credentials-start",
    "rotate-credentials-start-without-workers-rollout",
    "rotate-serviceaccount-key-start",
    "rotate-serviceaccount-key-start-without-workers-rollout",
];

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(new) = shoot.new else { return };
    let normalised =
        context.request.operation == Operation::Update && context.request.sub_resource.is_empty();
    let [now, maintenance] = [NOW, MAINTENANCE].map(|key| operations(new, key, normalised));
    for (key, all) in [(NOW, &now), (MAINTENANCE, &maintenance)] {
        for operation in all {
            let for_pools = is_for_pools(operation);
            if !is_known(operation) || (for_pools && new.is_on_unmanaged_machines()) {
                return;
            }
            if all.len() > 1 && ALONE.contains(operation) {
                if *operation == FORCE {
                    findings.add(not_alone(path(key), all));
                }
                return;
            }
        }
    }
    if now.contains(&FORCE) && maintenance.contains(&FORCE) {
        let path = FieldPath::new("metadata.annotations");
        findings.add(not_alone(path, &[NOW, MAINTENANCE]));
    }
    let pending = shoot
        .old
        .and_then(|old| old.status.in_place_updates.as_ref());
    let pending = pending.and_then(|updates| updates.pending_worker_updates.as_ref());
    for operation in now {
        check_operation(NOW, operation, new, pending, findings);
    }
    if new.metadata.deletion_timestamp.is_none() {
        for operation in maintenance {
            check_operation(MAINTENANCE, operation, new, pending, findings);
        }
    }
}

/// The operations of an annotation; `normalised` as the API server does it before an update is validated.
fn operations<'a>(shoot: &'a Shoot, key: &str, normalised: bool) -> Vec<&'a str> {
    let value = shoot
        .metadata
        .annotations
        .get(key)
        .map_or("", String::as_str);
    if value.is_empty() {
        return Vec::new();
    }
    let mut all: Vec<&str> = value.split(';').map(str::trim).collect();
    if normalised {
        all.sort_unstable();
        all.dedup();
    }
    // What is left of a value without any operation counts as none.
    if normalised && all == [""] {
        return Vec::new();
    }
    all
}

fn is_known(operation: &str) -> bool {
    [ALONE, COMBINABLE, ROTATIONS]
        .iter()
        .any(|known| known.contains(&operation))
        || is_for_pools(operation)
}

fn is_for_pools(operation: &str) -> bool {
    operation.starts_with(ROLLOUT_WORKERS) || operation.starts_with(ROTATE_ROLLOUT_WORKERS)
}

fn path(key: &str) -> FieldPath {
    FieldPath::new("metadata.annotations").key(key)
}

fn not_alone(path: FieldPath, what: &[&str]) -> Offence {
    let what = what.join("`, `");
    let message = format!(
        "`{FORCE}` must be the only operation, and in one annotation only; here are `{what}`"
    );
    Offence::new(&NOT_ALONE, ErrorType::Forbidden, path, message)
        .value(FORCE)
        .help(format!(
            "set `{NOW}` to `{FORCE}` and nothing else; ask for other operations afterwards"
        ))
}

fn check_operation(
    key: &str,
    operation: &str,
    shoot: &Shoot,
    pending: Option<&PendingWorkerUpdates>,
    findings: &mut Findings,
) {
    if ROTATIONS.contains(&operation) {
        let lists = pending.map_or_else(Vec::new, |it| {
            vec![
                ("autoInPlaceUpdate", &it.auto_in_place_update),
                ("manualInPlaceUpdate", &it.manual_in_place_update),
            ]
        });
        for (list, pools) in lists.into_iter().filter(|(_, pools)| !pools.is_empty()) {
            findings.add(blocked(key, operation, list, pools));
        }
    } else if operation.starts_with(ROLLOUT_WORKERS) {
        let pools = operation
            .strip_prefix("rollout-workers=")
            .unwrap_or(operation);
        let named = |name: &str| pools == "*" || pools.split(',').any(|pool| pool == name);
        for pool in pairs(shoot, None) {
            if pool.new.is_in_place() && named(&pool.new.name) {
                findings.add(rollout(key, &pool.new.name));
            }
        }
    }
}

fn blocked(key: &str, operation: &str, list: &str, pools: &[String]) -> Offence {
    let pools = pools.join("`, `");
    let message = format!(
        "`{operation}` cannot start while pools are being updated in place: `{pools}` in status.inPlaceUpdates.pendingWorkerUpdates.{list}"
    );
    Offence::new(&ROTATION, ErrorType::Forbidden, path(key), message)
        .value(operation)
        .help("wait until the list is empty")
}

fn rollout(key: &str, pool: &str) -> Offence {
    let message = format!(
        "`{ROLLOUT_WORKERS}` names pool `{pool}`, which is updated in place: its machines are not replaced"
    );
    Offence::new(&ROLLOUT, ErrorType::Invalid, path(key), message)
        .value(pool)
        .help("name only pools that roll")
}
