use crate::model::{Rotation, Shoot, ShootStatus};

/// An operation that reaches nodes, asked for by an annotation.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeOperation<'a> {
    /// The operation, without the pools it names.
    pub name: &'static str,
    /// The pools that it reaches.
    pub scope: Scope<'a>,
}

/// The pools that an operation reaches.
#[derive(Clone, Debug, PartialEq)]
pub enum Scope<'a> {
    /// All of them.
    All,
    /// Those of these names.
    Pools(Vec<&'a str>),
}

impl Scope<'_> {
    /// Whether a pool is reached.
    #[must_use]
    pub fn contains(&self, pool: &str) -> bool {
        match self {
            Scope::All => true,
            Scope::Pools(pools) => pools.contains(&pool),
        }
    }
}

const ROLLOUT: &str = "rollout-workers";
const ROTATE_ROLLOUT: &str = "rotate-rollout-workers";
/// The operations that reach nodes.
const REACHING: &[&str] = &[
    ROLLOUT,
    ROTATE_ROLLOUT,
    "rotate-ca-start",
    "rotate-credentials-start",
    "rotate-serviceaccount-key-start",
];
const WAITING: &str = "WaitingForWorkersRollout";

/// The operations of an annotation's value (separated by `;`) that reach nodes now; the others are left out.
///
/// A rotation that is started `…-without-workers-rollout` reaches none, and one that is completed reaches none any more.
#[must_use]
pub fn node_operations<'a>(
    operations: &'a str,
    shoot: &'a Shoot,
    status: &'a ShootStatus,
) -> Vec<NodeOperation<'a>> {
    operations
        .split(';')
        .map(str::trim)
        .filter_map(|operation| {
            let (name, pools) = operation.split_once('=').unwrap_or((operation, ""));
            let name = *REACHING.iter().find(|known| **known == name)?;
            let scope = match (name, pools) {
                (ROLLOUT, "*") => Scope::All,
                (ROLLOUT, pools) => Scope::Pools(pools.split(',').collect()),
                (ROTATE_ROLLOUT, pools) => Scope::Pools(waiting(pools, shoot, status)),
                (_, "") => Scope::All,
                _ => return None,
            };
            Some(NodeOperation { name, scope })
        })
        .collect()
}

/// Of the named pools, those that a rotation waits for.
fn waiting<'a>(pools: &'a str, shoot: &Shoot, status: &ShootStatus) -> Vec<&'a str> {
    let rotation = status.credentials.rotation.clone().unwrap_or_default();
    let rotations = [
        &rotation.certificate_authorities,
        &rotation.service_account_key,
    ];
    let waits = |rotation: &Rotation, pool: &str| {
        let pending = &rotation.pending_workers_rollouts;
        rotation.phase == WAITING && pending.iter().any(|pending| pending.name == pool)
    };
    pools
        .split(',')
        .filter(|pool| shoot.pool(pool).is_some())
        .filter(|pool| {
            rotations
                .iter()
                .any(|it| it.as_ref().is_some_and(|it| waits(it, pool)))
        })
        .collect()
}
