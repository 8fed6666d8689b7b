// SPDX-License-Identifier: Apache-2.0
//! The maximum resources of a Shoot, as Quotas count them.

use std::collections::BTreeMap;

use crate::admission::Context;
use crate::rules::shared::effective_profile::{EffectiveProfile, Missing, find_profile};
use garden_gate_model::api::{CloudProfileSpec, MachineType, PoolUse, ProfileKey, ShootUse};
use garden_gate_text::go::Quantity;

/// The metrics that a Quota can limit.
pub(super) const METRICS: [&str; 6] =
    ["cpu", "gpu", "memory", "storage.standard", "storage.premium", LOAD_BALANCERS];
/// Load balancers: the Shoot's own, and one for its ingress controller.
pub(super) const LOAD_BALANCERS: &str = "loadbalancer";

/// The amount of each of [`METRICS`], in billionths.
type Amounts = [i128; METRICS.len()];

/// The reason why the resources of Shoots cannot be counted.
#[derive(Clone)]
pub(super) struct Problem {
    /// The violation, or the reason why the amounts are unknown.
    pub why: String,
    /// Whether the amounts are unknown rather than invalid.
    pub is_unknown: bool,
}

/// Returns the total maximum amount of each of [`METRICS`] that `shoots` can use, in billionths.
///
/// Mirrors getShootResources in `plugin/pkg/shoot/quotavalidator/admission.go`.
pub(super) fn used_by<'a>(
    context: &Context<'_>,
    shoots: impl IntoIterator<Item = &'a ShootUse>,
) -> Result<Amounts, Problem> {
    let mut sum = Amounts::default();
    let mut offers = BTreeMap::new();
    for shoot in shoots {
        let offer = offers
            .entry(shoot.profile.as_ref())
            .or_insert_with(|| offered(context, shoot.profile.as_ref()))
            .as_ref()
            .map_err(|problem| Problem {
                why: format!("Shoot `{}` {}", shoot.name, problem.why),
                is_unknown: problem.is_unknown,
            })?;
        for pool in &*shoot.pools.list() {
            let used = by_pool(pool, offer.spec()).map_err(|why| Problem {
                why: format!("pool `{}` of Shoot `{}` {why}", pool.name, shoot.name),
                is_unknown: false,
            })?;
            add(&mut sum, used);
        }
        let balancers = 1 + i128::from(shoot.has_ingress);
        add(&mut sum, [0, 0, 0, 0, 0, balancers * Quantity::ONE]);
    }
    Ok(sum)
}

fn add(sum: &mut Amounts, more: Amounts) {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum = sum.saturating_add(more);
    }
}

fn offered(
    context: &Context<'_>,
    profile: Option<&ProfileKey>,
) -> Result<EffectiveProfile, Problem> {
    let absent =
        || Problem { why: "follows a profile that does not exist".to_owned(), is_unknown: false };
    let profile = profile.ok_or_else(absent)?;
    let profile = (profile.kind, &*profile.namespace, &*profile.name);
    match find_profile(context, profile) {
        Ok(offer) => Ok(offer),
        Err(Missing::Unknown(why)) => Err(Problem {
            why: format!("follows a profile of which nothing is known: {why}"),
            is_unknown: true,
        }),
        Err(_) => Err(absent()),
    }
}

fn by_pool(pool: &PoolUse, spec: &CloudProfileSpec) -> Result<Amounts, String> {
    let name = &*pool.size.machine_type;
    let mut types = spec.machine_types.iter();
    let machine_type = types
        .find(|it| it.name == name)
        .ok_or_else(|| format!("has machine type `{name}`, which its profile does not list"))?;
    let (class, size) = volume_of(pool, machine_type, spec)?;
    let times = |amount: Option<&Quantity>| {
        amount.map_or(0, Quantity::nanos).saturating_mul(pool.maximum.max(0).into())
    };
    let volume = times(Some(&size));
    let (standard, premium) = match class {
        "standard" => (volume, 0),
        "premium" => (0, volume),
        other => {
            return Err(format!("has a volume of class `{other}`, which is not counted"));
        }
    };
    Ok([
        times(machine_type.cpu.as_deref()),
        times(machine_type.gpu.as_deref()),
        times(machine_type.memory.as_deref()),
        standard,
        premium,
        0,
    ])
}

/// Returns class and size of the root volume of a pool.
fn volume_of<'a>(
    pool: &PoolUse,
    machine_type: &'a MachineType,
    spec: &'a CloudProfileSpec,
) -> Result<(&'a str, Quantity), String> {
    let storage = machine_type.storage.as_deref();
    let Some((volume_type, size)) = &pool.size.volume else {
        let own = storage.and_then(|it| Some((&*it.class, it.storage_size.clone()?)));
        return own.ok_or_else(|| {
            let name = &machine_type.name;
            format!("has no volume, and machine type `{name}` brings none of a certain size")
        });
    };
    let class = match (storage, volume_type) {
        (Some(storage), _) => Some(&*storage.class),
        (None, None) => None,
        (None, Some(volume_type)) => {
            let mut types = spec.volume_types.iter();
            let found = types.find(|it| *it.name == **volume_type);
            found.map(|it| &*it.class)
        }
    }
    .ok_or("has a volume of a type that its profile does not list")?;
    let size = Quantity::parse(size).map_err(|problem| format!("has a volume: {problem}"))?;
    Ok((class, size))
}
