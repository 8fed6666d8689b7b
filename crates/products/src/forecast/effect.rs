// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt;

use super::Part;
use garden_gate_model::api::{Shoot, UpdateStrategy, Worker};
use garden_gate_model::gardener::rolling_update::{
    self, PoolChange, Reservation, Side, pool_changes,
};

/// The effect of an update on a cluster.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Effect {
    /// The type of effect.
    pub happens: Disruption,
    /// The affected pools in the order of the Shoot; empty for the control plane.
    pub pools: Vec<String>,
}

/// The effect on a control plane or on nodes.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Disruption {
    /// The API server and its dependents restart.
    ApiServerRestarts,
    /// Kubelets restart; nodes stay.
    KubeletsRestart,
    /// Nodes are updated; their machines stay.
    InPlace,
    /// Like `InPlace`, but each node only after a user selects it.
    InPlaceByHand,
    /// During an update in place, as many nodes as `maxSurge` are replaced.
    ReplacesSurge,
    /// Every machine is replaced if the infrastructure provider requires it.
    MayRoll,
    /// Every machine is replaced.
    Rolls,
}

impl Disruption {
    /// Returns the name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Disruption::ApiServerRestarts => "api-server-restarts",
            Disruption::KubeletsRestart => "kubelets-restart",
            Disruption::InPlace => "in-place",
            Disruption::InPlaceByHand => "in-place-by-hand",
            Disruption::ReplacesSurge => "replaces-surge",
            Disruption::MayRoll => "may-roll",
            Disruption::Rolls => "rolls",
        }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.happens {
            Disruption::ApiServerRestarts => "API server restarts",
            Disruption::KubeletsRestart => "kubelets restart",
            Disruption::InPlace => "updates in place",
            Disruption::InPlaceByHand => "updates in place, node by node when you select it,",
            Disruption::ReplacesSurge => "replaces as many nodes as `maxSurge`",
            Disruption::MayRoll => "may roll",
            Disruption::Rolls => "rolls",
        })?;
        let of = match self.happens {
            Disruption::KubeletsRestart | Disruption::ReplacesSurge => " of",
            _ => "",
        };
        match &self.pools[..] {
            [] => Ok(()),
            [pool] => write!(f, "{of} pool {pool}"),
            pools => write!(f, "{of} pools {}", pools.join(", ")),
        }
    }
}

/// The effects of a run on the pools of a Shoot.
pub(super) struct Effects<'a> {
    new: &'a Shoot,
    old: &'a Shoot,
    changes: Vec<PoolChange<'a>>,
}

impl<'a> Effects<'a> {
    pub(super) fn of(old: &'a Shoot, new: &'a Shoot) -> Self {
        let side = |shoot| Side { shoot, status: &old.status, reservation: Reservation::Static };
        Self { new, old, changes: pool_changes(side(old), side(new)) }
    }

    /// Returns the effects of updating one part.
    pub(super) fn on(&self, part: &Part) -> Vec<Effect> {
        let follows = |pool: &&Worker| pool.own_version().is_none();
        match part {
            Part::ControlPlane => {
                let restart = Effect { happens: Disruption::ApiServerRestarts, pools: Vec::new() };
                let mut effects = vec![restart];
                effects.extend(self.grouped(follows, "kubernetes"));
                effects
            }
            Part::Pool { pool } => self.grouped(|it| it.name == *pool, "kubernetes"),
            Part::Image { pool, .. } => self.grouped(|it| it.name == *pool, "machine.image"),
            Part::Field { .. } | Part::Operation => Vec::new(),
        }
    }

    /// Returns the effects of a field on the selected pools, worst first.
    fn grouped(&self, is_meant: impl Fn(&&Worker) -> bool, field: &str) -> Vec<Effect> {
        let mut effects: Vec<Effect> = Vec::new();
        let pools = self.new.spec.provider.workers.iter();
        for pool in pools.filter(is_meant).filter(|pool| pool.maximum != 0) {
            let Some(happens) = self.happens(pool, field) else {
                continue;
            };
            let surge = happens == Disruption::InPlace && pool.replaces_surge();
            for happens in [happens].into_iter().chain(surge.then_some(Disruption::ReplacesSurge)) {
                add(&mut effects, happens, &pool.name);
            }
        }
        effects.sort_by_key(|effect| Reverse(effect.happens));
        effects
    }

    fn happens(&self, pool: &Worker, field: &str) -> Option<Disruption> {
        let change = self.changes.iter().find(|it| it.pool == pool.name)?;
        let is_cause = |cause: &Cow<'_, str>| cause.starts_with(field);
        let is_meant = change.causes.iter().any(is_cause);
        match change.effect {
            rolling_update::Effect::Roll if is_meant => Some(Disruption::Rolls),
            rolling_update::Effect::MayRoll if is_meant => Some(Disruption::MayRoll),
            rolling_update::Effect::InPlace if is_meant => Some(match pool.strategy() {
                UpdateStrategy::ManualInPlace => Disruption::InPlaceByHand,
                _ => Disruption::InPlace,
            }),
            _ => self.restarts(pool, field).then_some(Disruption::KubeletsRestart),
        }
    }

    fn restarts(&self, pool: &Worker, field: &str) -> bool {
        let pools = self.old.pools();
        let before = pools.get(&pool.name);
        let is_new = |it: &Worker| self.old.version_of(it) != self.new.version_of(pool);
        field == "kubernetes" && before.is_some_and(is_new)
    }
}

/// Adds a pool to an effect.
fn add(effects: &mut Vec<Effect>, happens: Disruption, pool: &str) {
    match effects.iter_mut().find(|it| it.happens == happens) {
        Some(effect) => effect.pools.push(pool.to_owned()),
        None => effects.push(Effect { happens, pools: vec![pool.to_owned()] }),
    }
}
