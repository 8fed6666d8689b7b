//! The rule about the operation annotations of Shoots.

mod combinations;
mod context;
mod findings;
mod names;
mod normalise;
mod pools;

pub(super) use names::{MAINTENANCE, NOW, needs_awake};
pub(super) use normalise::{FORCE_DELETION, split};

use crate::engine::{
    Change, Check, Context, ErrorType, FieldPath, FindingKind, Findings, Offence, rule,
};
use crate::model::Shoot;
use findings::{
    CONFLICT, CONTEXT, ENCRYPTION_ROLLOUT, ETCD_SPLIT, HIBERNATED, IN_BOTH, INCOMPATIBLE,
    NOT_PARALLEL, POOLS, SELF_HOSTED_ROLLOUT, UNSUPPORTED,
};
use normalise::{Operations, operations};

rule! {
    /// ## What it checks
    /// The annotations `gardener.cloud/operation` and `maintenance.gardener.cloud/operation` hold operations that exist, that may
    /// stand together, and that are possible now: a rotation is started only when the Shoot has been created and nothing of
    /// the kind is under way, it is completed only when it is prepared, no sleeping Shoot is asked for what needs its control
    /// plane, and pools that are rolled out exist and are not updated in place.
    ///
    /// ## Why
    /// An operation that cannot be done would wait in the annotation, or break the cluster's credentials.
    ///
    /// ## Applies to
    /// Shoots, on CREATE and UPDATE, the `binding` subresource included; unchanged annotations too. Several operations are
    /// separated by `;`. On UPDATE the API server cleans the annotations up first, and so does this rule: repetitions
    /// go, and so do `reconcile` and whatever a stronger operation does anyway. The stored status counts. For a Shoot that
    /// is being deleted, the maintenance annotation is not asked whether it is possible.
    ///
    /// ## Example
    /// ```yaml
    /// metadata:
    ///   annotations:
    ///     gardener.cloud/operation: rotate-ca-start;retry   # retry stands alone
    /// ```
    ///
    /// ## How to fix
    /// Remove the operation, or wait until the Shoot's status allows it.
    ///
    /// ## Gardener
    /// `validateShootOperation` in `pkg/api/core/validation/shoot.go` and `cleanUpOperation` in
    /// `pkg/apiserver/registry/core/shoot/strategy.go`, by static validation (422). No differences.
    pub(crate) static RULE {
        id: "shoot/operation",
        summary: "operation annotations ask for what exists, fits together, and is possible now",
        phase: Static,
        scopes: [Shoot [Create, Update] ["", "binding"]],
        documented: Deny,
        gardener: Deny,
        findings: [
            UNSUPPORTED,
            NOT_PARALLEL,
            SELF_HOSTED_ROLLOUT,
            IN_BOTH,
            ETCD_SPLIT,
            INCOMPATIBLE,
            HIBERNATED,
            ENCRYPTION_ROLLOUT,
            CONFLICT,
            CONTEXT,
            POOLS,
        ],
        check: Check::Shoot(check),
    }
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(new) = shoot.new else { return };
    if new.annotation(NOW).is_none() && new.annotation(MAINTENANCE).is_none() {
        return;
    }
    let Operations { now, maintenance } = operations(context, new, shoot);
    for (key, list) in [(NOW, &now), (MAINTENANCE, &maintenance)] {
        if let Some((operation, offence)) = first_misfit(key, list, new) {
            if operation != names::FORCE {
                findings.add(offence);
            }
            return;
        }
    }
    combinations::check(new, &now, &maintenance, findings);
    context::check(NOW, &now, new, findings);
    if new.metadata.deletion_timestamp.is_none() {
        context::check(MAINTENANCE, &maintenance, new, findings);
    }
}

/// The operations to be started at once, as validation sees them.
pub(super) fn requested(
    context: &Context<'_>,
    new: &Shoot,
    shoot: Change<'_, Shoot>,
) -> Vec<String> {
    operations(context, new, shoot).now
}

/// The first operation of an annotation that cannot stand there whatever the state of the Shoot.
///
/// Of `force-in-place-update` speaks `shoot/in-place-operations`.
fn first_misfit<'a>(
    key: &str,
    operations: &'a [String],
    shoot: &Shoot,
) -> Option<(&'a str, Offence)> {
    let unmanaged = shoot.is_self_hosted()
        && shoot.spec.credentials_binding_name.is_none()
        && shoot.spec.secret_binding_name.is_none();
    let misfit = |operation: &str| {
        if !names::is_known(operation) {
            return Some(unsupported(key, operation));
        }
        if operations.len() > 1 && !names::is_combinable(operation) {
            let message = format!("operation `{operation}` cannot be combined with others");
            let offence = offence(&NOT_PARALLEL, key, operation, message);
            return Some(
                offence.help("let it stand alone, and ask for the others when it is done"),
            );
        }
        if unmanaged && names::is_rollout(operation) {
            let message = format!(
                "operation `{operation}` is not possible for a self-hosted Shoot whose machines Gardener does not manage"
            );
            return Some(offence(&SELF_HOSTED_ROLLOUT, key, operation, message));
        }
        None
    };
    let mut named = operations.iter().map(String::as_str);
    named.find_map(|operation| Some((operation, misfit(operation)?)))
}

fn unsupported(key: &str, operation: &str) -> Offence {
    let message = format!("`{operation}` is not an operation");
    let field = annotation(key);
    let offence = Offence::new(&UNSUPPORTED, ErrorType::NotSupported, field, message);
    let known = names::all().join(", ");
    offence.value(operation).help(format!(
        "use one of {known}; separate several by `;`, and write pools as `rollout-workers=pool-a,pool-b`"
    ))
}

/// An operation that is not permitted.
fn offence(
    kind: &'static FindingKind,
    key: &str,
    operation: &str,
    message: impl Into<String>,
) -> Offence {
    Offence::new(kind, ErrorType::Forbidden, annotation(key), message).value(operation)
}

fn annotation(key: &str) -> FieldPath {
    FieldPath::new("metadata.annotations").key(key)
}
