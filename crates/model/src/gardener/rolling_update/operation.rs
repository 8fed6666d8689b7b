// SPDX-License-Identifier: Apache-2.0
use std::cell::LazyCell;
use std::collections::{BTreeSet, HashSet};

use crate::api::{Shoot, ShootStatus};

/// An operation that affects nodes, requested by an annotation.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeOperation<'a> {
    /// The operation without its pools.
    pub name: &'static str,
    /// The affected pools.
    pub scope: Scope<'a>,
}

/// The pools that an operation affects.
#[derive(Clone, Debug, PartialEq)]
pub enum Scope<'a> {
    /// All pools.
    All,
    /// The pools with these names.
    Pools(BTreeSet<&'a str>),
}

impl<'a> Scope<'a> {
    fn extend(&mut self, other: Scope<'a>) {
        match (&mut *self, other) {
            (Scope::Pools(pools), Scope::Pools(others)) => pools.extend(others),
            (Scope::All, _) => {}
            (_, Scope::All) => *self = Scope::All,
        }
    }

    /// Reports whether a pool is affected.
    pub fn contains(&self, pool: &str) -> bool {
        match self {
            Scope::All => true,
            Scope::Pools(pools) => pools.contains(pool),
        }
    }
}

const ROLLOUT: &str = "rollout-workers";
const ROTATE_ROLLOUT: &str = "rotate-rollout-workers";
/// The operations that affect nodes.
const REACHING: &[&str] = &[
    ROLLOUT,
    ROTATE_ROLLOUT,
    "rotate-ca-start",
    "rotate-credentials-start",
    "rotate-serviceaccount-key-start",
];
const WAITING: &str = "WaitingForWorkersRollout";

/// Returns the operations in an annotation (separated by `;`) that affect nodes, deduplicated.
///
/// Rotations started with `…-without-workers-rollout`, and completed ones, affect no nodes.
pub fn node_operations<'a>(
    operations: &'a str,
    shoot: &'a Shoot,
    status: &'a ShootStatus,
) -> Vec<NodeOperation<'a>> {
    let waiting = LazyCell::new(|| waiting(shoot, status));
    let mut reaching: Vec<NodeOperation<'_>> = Vec::new();
    for operation in operations.split(';').map(str::trim) {
        let (name, pools) = operation.split_once('=').unwrap_or((operation, ""));
        let Some(name) = REACHING.iter().copied().find(|known| *known == name) else {
            continue;
        };
        let scope = match (name, pools) {
            (ROLLOUT, "*") => Scope::All,
            (ROLLOUT, pools) => Scope::Pools(pools.split(',').collect()),
            (ROTATE_ROLLOUT, pools) => {
                Scope::Pools(pools.split(',').filter(|pool| waiting.contains(pool)).collect())
            }
            (_, "") => Scope::All,
            _ => continue,
        };
        match reaching.iter_mut().find(|it| it.name == name) {
            Some(known) => known.scope.extend(scope),
            None => reaching.push(NodeOperation { name, scope }),
        }
    }
    reaching
}

/// Returns the pools of the Shoot for which a rotation waits.
fn waiting<'a>(shoot: &Shoot, status: &'a ShootStatus) -> HashSet<&'a str> {
    let rotation = status.credentials.rotation.as_ref();
    let rotations = rotation.into_iter().flat_map(|rotation| {
        let rotations = [&rotation.certificate_authorities, &rotation.service_account_key];
        rotations.into_iter().flatten()
    });
    let pools = shoot.pools();
    rotations
        .filter(|rotation| rotation.phase == WAITING)
        .flat_map(|rotation| &rotation.pending_workers_rollouts)
        .map(|pending| pending.name.as_str())
        .filter(|pool| pools.get(pool).is_some())
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;

    #[test]
    fn rotation_affects_named_pools_that_wait_for_it() {
        let pools = ["a", "b"].map(|name| json!({"name": name, "machine": {"type": "m"}}));
        let shoot: Shoot = from_value(json!({"spec": {"provider": {"workers": pools}}})).unwrap();
        let authorities = json!({"phase": WAITING, "pendingWorkersRollouts": [{"name": "a"}]});
        let rotation = json!({"certificateAuthorities": authorities});
        let status: ShootStatus =
            from_value(json!({"credentials": {"rotation": rotation}})).unwrap();
        let scope = Scope::Pools(BTreeSet::from(["a"]));
        let name = ROTATE_ROLLOUT;
        let found = node_operations("rotate-rollout-workers=a,b", &shoot, &status);
        assert_eq!(found, [NodeOperation { name, scope }]);
    }
}
