// SPDX-License-Identifier: Apache-2.0
//! The pools of a Shoot as the input of a plan.

use std::time::Duration;

use garden_gate_model::api::{
    ByName, CloudProfileSpec, DurationText, IntOrPercent, MachineType, Shoot, UpdateStrategy,
    Worker,
};
use garden_gate_model::gardener::rolling_update::{Effect, PoolChange};

use super::{Action, Amount, Estimates, Pool, Size, Span, Steps, Timeouts};

/// The provider that gives each zone the whole `maxSurge` and `maxUnavailable`.
///
/// From updateConfiguration in `pkg/provider-local/controller/worker/machines.go`.
const UNDIVIDED: &str = "local";

/// The pools of a Shoot before and after a change.
pub(super) struct Pools<'a> {
    pub(super) old: ByName<'a, Worker>,
    pub(super) new: ByName<'a, Worker>,
    /// The type of the infrastructure provider.
    pub(super) provider: &'a str,
    /// Reports whether machines are deleted without a drain, since the cluster is hibernated or deleted.
    pub(super) is_forced: bool,
    /// The profile, or the reason why it is unknown.
    pub(super) profile: Result<&'a CloudProfileSpec, &'a str>,
    pub(super) estimates: &'a Estimates,
}

impl Pools<'_> {
    /// Returns the input of a pool's plan.
    ///
    /// # Errors
    /// Fails with the reason as a sentence if a value of the pool is not valid or its effect is unknown.
    pub(super) fn pool(&self, change: &PoolChange<'_>) -> Result<Pool, String> {
        let (old, new) = (self.old.get(change.pool), self.new.get(change.pool));
        let Some(pool) = new.or(old) else {
            return Err("it is in neither state".to_owned());
        };
        if let (Some(old), Some(new)) = (old, new) {
            check_zones(old, new)?;
        }
        let action = match (change.effect, pool.strategy()) {
            (Effect::Roll | Effect::MayRoll, _) => Action::Replace,
            (Effect::InPlace, UpdateStrategy::ManualInPlace) => Action::UpdateByHand,
            (Effect::InPlace, _) => Action::UpdateInPlace,
            (Effect::Created | Effect::Removed | Effect::None, _) => Action::Keep,
        };
        let (surge, unavailable) = limits(pool)?;
        Ok(Pool {
            name: pool.name.clone(),
            // A pool of a hibernated cluster is in both states, and has no machines.
            before: old.filter(|_| change.effect != Effect::Created).map(size).transpose()?,
            after: new.filter(|_| change.effect != Effect::Removed).map(size).transpose()?,
            current: Vec::new(),
            surge,
            unavailable,
            is_undivided: self.provider == UNDIVIDED,
            action,
            is_certain: change.effect != Effect::MayRoll,
            causes: change.causes.iter().map(ToString::to_string).collect(),
            machine_type: pool.machine.machine_type.clone(),
            old_machine_type: old
                .map(|it| &it.machine.machine_type)
                .filter(|it| **it != pool.machine.machine_type)
                .cloned(),
            steps: self.steps(pool)?,
        })
    }

    /// Returns the durations of a pool.
    ///
    /// With `is_forced`, machines are deleted at once. From markAllMachinesForcefulDeletion in
    /// `extensions/pkg/controller/worker/genericactuator/actuator_reconcile.go`.
    fn steps(&self, pool: &Worker) -> Result<Steps, String> {
        let mut timeouts = timeouts(pool)?;
        if let Some(creation) = self.creation_timeout_of_type(pool)? {
            timeouts.creation = creation;
        }
        let mut steps = Steps::new(&timeouts, self.estimates);
        if self.is_forced {
            let best = self.estimates.removal_best;
            let worst = self.estimates.deletion_worst.max(best);
            steps.remove = Span::within(best, best, worst);
        }
        Ok(steps)
    }

    /// Reports whether a pool leaves `machineCreationTimeout` to its machine type.
    pub(super) fn lacks_creation_timeout(&self, pool: &str) -> bool {
        let pool = self.new.get(pool).or_else(|| self.old.get(pool));
        pool.is_some_and(|pool| creation_timeout(pool).is_none())
    }

    /// Returns `machineCreationTimeout` of a pool's machine type, if the pool has none of its own and the profile is known.
    ///
    /// From `pkg/component/extensions/worker/worker.go`.
    fn creation_timeout_of_type(&self, pool: &Worker) -> Result<Option<Duration>, String> {
        if creation_timeout(pool).is_some() {
            return Ok(None);
        }
        let machine_type = machine_type(self.profile, &pool.machine.machine_type).ok();
        let settings = machine_type.and_then(|it| it.machine_controller_manager.as_deref());
        let timeout = settings.and_then(|it| it.machine_creation_timeout.as_ref());
        timeout.map(|it| duration("machineCreationTimeout of its machine type", it)).transpose()
    }
}

/// Returns a machine type of a profile.
///
/// # Errors
/// Fails with the reason if the profile is unknown or lacks the type.
pub(super) fn machine_type<'p>(
    profile: Result<&'p CloudProfileSpec, &str>,
    name: &str,
) -> Result<&'p MachineType, String> {
    let mut types = profile?.machine_types.iter();
    let found = types.find(|it| it.name == name);
    found.ok_or_else(|| format!("the profile has no machine type `{name}`"))
}

fn creation_timeout(pool: &Worker) -> Option<&DurationText> {
    pool.machine_controller_manager.as_ref()?.machine_creation_timeout.as_ref()
}

fn duration(field: &str, value: &DurationText) -> Result<Duration, String> {
    Duration::try_from(value.value)
        .map_err(|_negative| format!("its {field} `{}` is negative", value.text))
}

/// Returns the names of pools that occur twice in a Shoot.
pub(super) fn duplicates(shoot: &Shoot) -> Vec<&str> {
    let mut names: Vec<&str> =
        shoot.spec.provider.workers.iter().map(|pool| pool.name.as_str()).collect();
    names.sort_unstable();
    let mut twice: Vec<&str> =
        names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    twice.dedup();
    twice
}

/// Checks that a zone keeps its index, by which the names of MachineDeployments identify it.
fn check_zones(old: &Worker, new: &Worker) -> Result<(), String> {
    let common = old.zones.len().min(new.zones.len());
    if old.zones[..common] == new.zones[..common] {
        return Ok(());
    }
    Err("its zones are reordered or replaced, and providers treat that differently; only append zones".to_owned())
}

fn size(pool: &Worker) -> Result<Size, String> {
    let number = |field: &str, value: i32| {
        let negative = |_| format!("its {field} `{value}` is negative");
        u32::try_from(value).map_err(negative)
    };
    let (minimum, maximum) = (number("minimum", pool.minimum)?, number("maximum", pool.maximum)?);
    if minimum > maximum {
        return Err(format!("its minimum {minimum} is above its maximum {maximum}"));
    }
    Ok(Size { minimum, maximum, zones: pool.zones.clone() })
}

/// Returns `maxSurge` and `maxUnavailable`, or their defaults.
///
/// From SetDefaults_Worker in `pkg/apis/core/v1beta1/defaults_shoot.go`.
fn limits(pool: &Worker) -> Result<(Amount, Amount), String> {
    let (surge, unavailable) = match pool.strategy() {
        UpdateStrategy::Rolling => (1, 0),
        UpdateStrategy::AutoInPlace => (0, 1),
        UpdateStrategy::ManualInPlace => (0, 0),
    };
    let amount = |field: &str, value: &Option<IntOrPercent>, default| match value {
        None => Ok(Amount::Machines(default)),
        Some(value) => Amount::of_field(value).ok_or_else(|| {
            format!("its {field} `{value}` is neither a number of machines nor a percentage")
        }),
    };
    let surge = amount("maxSurge", &pool.max_surge, surge)?;
    Ok((surge, amount("maxUnavailable", &pool.max_unavailable, unavailable)?))
}

fn timeouts(pool: &Worker) -> Result<Timeouts, String> {
    let mut timeouts = Timeouts::default();
    let Some(settings) = &pool.machine_controller_manager else {
        return Ok(timeouts);
    };
    let set = |field: &str, timeout: &mut Duration, value: &Option<DurationText>| {
        if let Some(value) = value {
            *timeout = duration(field, value)?;
        }
        Ok::<_, String>(())
    };
    set("machineCreationTimeout", &mut timeouts.creation, &settings.machine_creation_timeout)?;
    set("machineDrainTimeout", &mut timeouts.drain, &settings.machine_drain_timeout)?;
    set("inPlaceUpdateTimeout", &mut timeouts.in_place, &settings.in_place_update_timeout)?;
    Ok(timeouts)
}
