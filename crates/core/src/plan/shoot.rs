// SPDX-License-Identifier: Apache-2.0
//! The plan of a changed Shoot.

use std::collections::BTreeSet;

use garden_gate_model::api::{ByName, CloudProfileSpec, Shoot, Worker};
use garden_gate_model::gardener::rolling_update::{
    Effect, PoolChange, reaches_machines, requested_pool_changes,
};
use garden_gate_model::gardener::version::maintenance::Window;

use super::pools::{Pools, duplicates, machine_type};
use super::{Action, Capacity, Estimates, NodeNetwork, Plan, Pool, PoolPlan};

/// The providers whose division of `maxSurge` and `maxUnavailable` over zones is known.
///
/// From `pkg/controller/worker/machines.go` of their extensions.
const KNOWN_PROVIDERS: [&str; 6] = ["alicloud", "aws", "azure", "gcp", "local", "openstack"];

/// A Shoot before and after a change, with defaults.
#[derive(Clone, Copy, Debug)]
pub struct ShootChange<'a> {
    /// The Shoot before the change; `None` if it is created.
    pub old: Option<&'a Shoot>,
    /// The Shoot after the change; `None` if it is deleted.
    pub new: Option<&'a Shoot>,
    /// The profile, or the reason why it is unknown.
    pub profile: Result<&'a CloudProfileSpec, &'a str>,
    /// The durations that no setting states.
    pub estimates: &'a Estimates,
}

/// The time at which machines begin to change.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub enum Start {
    /// When Gardener reconciles the Shoot after the write.
    AtOnce,
    /// In the next maintenance window; `None` if any time of the day counts as one.
    InWindow(Option<(String, String)>),
    /// When the cluster wakes up from hibernation.
    AtWakeUp,
    /// Never; the string is the reason as a sentence.
    Never(&'static str),
}

/// A pool without a plan.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct UnplannedPool {
    /// The name of the pool.
    pub pool: String,
    /// The reason as a sentence about the pool.
    pub why: String,
}

/// The plan of a Shoot.
#[derive(Clone, Debug, PartialEq)]
pub struct ShootPlan {
    /// The namespace.
    pub namespace: String,
    /// The name.
    pub name: String,
    /// The region of its infrastructure.
    pub region: String,
    /// The time at which machines begin to change.
    pub start: Start,
    /// The pools whose machines change, and their sums.
    pub plan: Plan,
    /// The pools without a plan.
    pub undetermined: Vec<UnplannedPool>,
    /// The resources of the additional machines at a time.
    pub extra: Capacity,
    /// Unknown facts that the plan depends on, one sentence each.
    pub unknown: Vec<String>,
    /// The node network; `None` if it is unknown, has IPv6 addresses, or no machine is added.
    pub network: Option<NodeNetwork>,
    /// The first finding that refuses the change, so that no machine changes before it is corrected.
    pub refusal: Option<String>,
}

impl ShootPlan {
    /// Plans the change of a Shoot.
    pub fn of((namespace, name): (&str, &str), change: &ShootChange<'_>) -> Self {
        let (start, changes, is_forced) = start(change);
        let mut plan = Self {
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            region: change.new.or(change.old).map(|it| it.spec.region.clone()).unwrap_or_default(),
            start,
            plan: Plan::default(),
            undetermined: Vec::new(),
            extra: Capacity::default(),
            unknown: Vec::new(),
            network: None,
            refusal: None,
        };
        let provider = change.new.or(change.old).map(|it| it.spec.provider.kind.as_str());
        let pools = Pools {
            old: pools_of(change.old),
            new: pools_of(change.new),
            provider: provider.unwrap_or_default(),
            is_forced,
            profile: change.profile,
            estimates: change.estimates,
        };
        let inputs = plan.inputs(change, &changes, &pools);
        plan.plan = Plan::of(&inputs);
        let beyond = std::mem::take(&mut plan.plan.undetermined).into_iter();
        let why = "too many numbers of machines are possible; the Shoot has too many zones, or percentages of a very high maximum";
        plan.undetermined.extend(beyond.map(|pool| UnplannedPool { pool, why: why.to_owned() }));
        plan.plan.pools.retain(|pool| !pool.totals.is_idle());
        plan.add_unknown(&pools, &inputs);
        plan.add_extra(change.profile);
        plan.add_network(change, &inputs);
        plan
    }

    /// Returns the title, such as `garden-dev/web`.
    pub fn title(&self) -> String {
        format!("{}/{}", self.namespace, self.name)
    }

    /// Returns the names of the pools whose nodes are or may be drained.
    pub fn drained_pools(&self) -> BTreeSet<String> {
        let drains = |it: &&PoolPlan| {
            let totals = &it.totals;
            [totals.replaced, totals.updated, totals.deleted].iter().any(|it| !it.is_zero())
        };
        let drained = self.plan.pools.iter().filter(drains).map(|it| &it.name);
        drained.chain(self.undetermined.iter().map(|it| &it.pool)).cloned().collect()
    }

    /// Returns the input of the pools' plans, and records pools without one.
    fn inputs(
        &mut self,
        change: &ShootChange<'_>,
        changes: &[PoolChange<'_>],
        pools: &Pools<'_>,
    ) -> Vec<Pool> {
        let sides = [change.old, change.new];
        let mut twice: Vec<&str> = sides.into_iter().flatten().flat_map(duplicates).collect();
        twice.sort_unstable();
        twice.dedup();
        let mut inputs = Vec::new();
        for change in changes {
            let pool = if twice.contains(&change.pool) {
                Err("two pools have this name".to_owned())
            } else {
                pools.pool(change)
            };
            match pool {
                Ok(pool) => inputs.push(pool),
                Err(why) => {
                    self.undetermined.push(UnplannedPool { pool: change.pool.to_owned(), why });
                }
            }
        }
        self.undetermined.dedup();
        inputs
    }

    /// Adds sentences on facts that manifests do not contain.
    fn add_unknown(&mut self, sources: &Pools<'_>, inputs: &[Pool]) {
        let provider = sources.provider;
        let pools = &self.plan.pools;
        if pools.iter().any(|it| it.totals.before.least != it.totals.before.most) {
            self.unknown.push("the current numbers of machines, which are between `minimum` and `maximum` of each zone; ranges cover all of them".to_owned());
        }
        if let Err(why) = sources.profile
            && pools.iter().any(|it| sources.lacks_creation_timeout(&it.name))
        {
            self.unknown.push(format!(
                "`machineCreationTimeout` of machine types: {why}; assumed is the default"
            ));
        }
        for pool in pools.iter().filter(|it| !it.is_certain) {
            self.unknown.push(format!(
                "whether the provider `{provider}` replaces the machines of pool `{}` because of {}",
                pool.name,
                pool.causes.join(", ")
            ));
        }
        let is_divided = |it: &PoolPlan| it.action != Action::Keep && it.zones.len() > 1;
        let is_planned = |name: &str| inputs.iter().any(|it| it.name == name);
        if !KNOWN_PROVIDERS.contains(&provider)
            && pools.iter().any(|it| is_divided(it) && is_planned(&it.name))
        {
            self.unknown.push(format!(
                "how the provider `{provider}` divides `maxSurge` and `maxUnavailable` over zones; assumed is the division of other providers"
            ));
        }
    }

    /// Adds the node network if machines are added.
    fn add_network(&mut self, change: &ShootChange<'_>, inputs: &[Pool]) {
        let totals = &self.plan.totals;
        let Some(shoot) = change.new.filter(|_| !totals.extra.plus(totals.created).is_zero())
        else {
            return;
        };
        match NodeNetwork::of(shoot, inputs) {
            Ok(network) => self.network = network,
            Err(why) => {
                self.unknown.push(format!("whether the node network holds all machines: {why}"));
            }
        }
    }

    /// Adds the resources of additional machines.
    fn add_extra(&mut self, profile: Result<&CloudProfileSpec, &str>) {
        let extra = self.plan.pools.iter().filter(|it| !it.totals.extra.is_zero());
        let mut unknown = Vec::new();
        for pool in extra {
            match machine_type(profile, &pool.machine_type) {
                Ok(machine_type) => self.extra.add(machine_type, pool.totals.extra.most),
                Err(why) => unknown.push(format!("the resources of additional machines: {why}")),
            }
        }
        unknown.dedup();
        self.unknown.extend(unknown);
    }
}

fn pools_of(shoot: Option<&Shoot>) -> ByName<'_, Worker> {
    let workers = shoot.map_or(&[][..], |it| &it.spec.provider.workers);
    ByName::of(workers, |pool| &pool.name)
}

/// Returns when machines change, the effects on pools, and whether machines are deleted by force.
fn start<'a>(change: &ShootChange<'a>) -> (Start, Vec<PoolChange<'a>>, bool) {
    let never = |why| (Start::Never(why), Vec::new(), false);
    let (old, new) = match (change.old, change.new) {
        (None, None) => return never("it exists neither before nor after the change"),
        (Some(old), _) if old.is_on_unmanaged_machines() => return never(UNMANAGED),
        (_, Some(new)) if new.is_on_unmanaged_machines() => return never(UNMANAGED),
        (_, Some(new)) if new.metadata.deletion_timestamp.is_some() => {
            return never("the Shoot is being deleted");
        }
        (None, Some(new)) => {
            let start = if new.wants_hibernation() { Start::AtWakeUp } else { Start::AtOnce };
            return (start, whole(new, Effect::Created), false);
        }
        (Some(old), None) if old.wants_hibernation() => {
            return never("the cluster is hibernated and has no machines");
        }
        (Some(old), None) => return (Start::AtOnce, whole(old, Effect::Removed), true),
        (Some(old), Some(new)) => (old, new),
    };
    if reaches_machines(new, old) {
        return (window(new), requested_pool_changes(old, new), false);
    }
    // `confineSpecUpdateRollout` does not apply to hibernation: mustIncreaseGenerationForSpecChanges in
    // `pkg/apiserver/registry/core/shoot/strategy.go`.
    match (old.wants_hibernation(), new.wants_hibernation()) {
        (true, true) => (Start::AtWakeUp, whole(new, Effect::Created), false),
        (true, false) => (Start::AtOnce, whole(new, Effect::Created), false),
        (false, _) => (Start::AtOnce, whole(old, Effect::Removed), true),
    }
}

const UNMANAGED: &str = "Gardener does not manage the machines of this Shoot";

fn whole(shoot: &Shoot, effect: Effect) -> Vec<PoolChange<'_>> {
    let pools = shoot.spec.provider.workers.iter();
    pools.map(|pool| PoolChange { pool: &pool.name, effect, causes: Vec::new() }).collect()
}

/// Returns when a change of the spec takes effect.
fn window(new: &Shoot) -> Start {
    let maintenance = &new.spec.maintenance;
    if !maintenance.confine_spec_update_rollout {
        return Start::AtOnce;
    }
    let window = maintenance.time_window.as_ref().filter(|_| Window::is_readable(new));
    Start::InWindow(window.map(|it| (it.begin.clone(), it.end.clone())))
}
