// SPDX-License-Identifier: Apache-2.0
//! Pools that an operation rolls out.

use std::collections::BTreeSet;

use super::findings::{POOLS, annotation, forbid};
use super::names::{ROLLOUT_WORKERS, ROTATE_ROLLOUT_WORKERS};
use crate::admission::{ErrorType, Findings};
use garden_gate_model::api::{ByName, Worker};

/// The pools of the Shoot, by name.
type Own<'a> = ByName<'a, Worker>;

/// Checks a rollout that belongs to a rotation; it names its pools.
pub(super) fn check_rotation(key: &str, operation: &str, own: &Own<'_>, findings: &mut Findings) {
    let pools = named(operation, ROTATE_ROLLOUT_WORKERS);
    check_names(key, ROTATE_ROLLOUT_WORKERS, &pools, own, findings);
}

/// Checks a rollout outside of a rotation, which may also name all pools by `*`.
pub(super) fn check_rollout(key: &str, operation: &str, own: &Own<'_>, findings: &mut Findings) {
    let mut pools = named(operation, ROLLOUT_WORKERS);
    if pools == ["*"] {
        pools = own.all().iter().map(|worker| worker.name.as_str()).collect();
    }
    if pools.contains(&"*") {
        let message = format!("`{operation}` names `*`, which means all pools, beside others");
        forbid(&POOLS, key, operation, message, findings)
            .help("keep either `*` or the names of pools");
    }
    check_names(key, ROLLOUT_WORKERS, &pools, own, findings);
}

/// Returns the names after `=`; without it the operation itself is used as the name of a pool.
fn named<'a>(operation: &'a str, name: &str) -> Vec<&'a str> {
    let pools = operation.strip_prefix(name).and_then(|rest| rest.strip_prefix('='));
    pools.unwrap_or(operation).split(',').collect()
}

fn check_names(key: &str, name: &str, pools: &[&str], own: &Own<'_>, findings: &mut Findings) {
    let known: Vec<&str> = own.all().iter().map(|it| it.name.as_str()).take(2).collect();
    let help = if known.is_empty() {
        "remove the operation; the Shoot has no pools".to_owned()
    } else {
        format!("name pools of the Shoot, as in `{name}={}`", known.join(","))
    };
    let mut add = |error, pool: &str, message: String| {
        findings.report(&POOLS, error, annotation(key), message).value(pool).help(help.clone());
    };
    if pools.contains(&"") {
        let message = format!("operation `{name}` lacks the name of a pool");
        add(ErrorType::Required, "", message);
    }
    let mut seen = BTreeSet::new();
    for pool in pools {
        if !seen.insert(pool) {
            let message = format!("pool `{pool}` stands twice in operation `{name}`");
            add(ErrorType::Duplicate, pool, message);
        }
        if own.get(pool).is_none() {
            let message = format!("the Shoot has no pool `{pool}`");
            add(ErrorType::Invalid, pool, message);
        }
    }
}
