// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;

use imbl::OrdSet;

use garden_gate_model::api::{PoolSize, PoolUse, ProfileKey, ShootName, ShootUse};

/// Minimum number of entries for which a search for unused ones is worthwhile.
const SMALL: usize = 4_096;

/// String interner for values that many Shoots have in common.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    known: OrdSet<Arc<str>>,
    used: usize,
    sizes: OrdSet<Arc<PoolSize>>,
    used_sizes: usize,
}

impl Interner {
    /// Returns the Shoot with shared strings.
    pub fn share(&mut self, shoot: ShootUse) -> ShootUse {
        self.forget_unused();
        let pools = shoot.pools.map(|pool| self.pool(pool));
        ShootUse {
            name: ShootName { namespace: self.one(shoot.name.namespace), name: shoot.name.name },
            profile: shoot.profile.map(|profile| ProfileKey {
                kind: profile.kind,
                namespace: self.one(profile.namespace),
                name: self.one(profile.name),
            }),
            kubernetes: self.one(shoot.kubernetes),
            pools,
            deleting: shoot.deleting,
            seed_name: shoot.seed_name.map(|name| self.one(name)),
            status_seed_name: shoot.status_seed_name.map(|name| self.one(name)),
            domain: shoot.domain,
            secret_binding: shoot.secret_binding.map(|name| self.one(name)),
            credentials_binding: shoot.credentials_binding.map(|name| self.one(name)),
            has_ingress: shoot.has_ingress,
            has_ssh_access: shoot.has_ssh_access,
            exposure_class: shoot.exposure_class.map(|name| self.one(name)),
            tolerations: shoot.tolerations,
            confirmation: shoot.confirmation,
            seed_base: shoot.seed_base,
        }
    }

    fn pool(&mut self, pool: PoolUse) -> PoolUse {
        PoolUse {
            name: self.one(pool.name),
            kubernetes: pool.kubernetes.map(|version| self.one(version)),
            image: pool.image.map(|(name, version)| (self.one(name), self.one(version))),
            minimum: pool.minimum,
            maximum: pool.maximum,
            size: one_of(&mut self.sizes, pool.size),
        }
    }

    fn one(&mut self, text: Arc<str>) -> Arc<str> {
        one_of(&mut self.known, text)
    }

    fn forget_unused(&mut self) {
        forget_unused(&mut self.known, &mut self.used);
        forget_unused(&mut self.sizes, &mut self.used_sizes);
    }
}

fn one_of<T: Ord + ?Sized>(known: &mut OrdSet<Arc<T>>, one: Arc<T>) -> Arc<T> {
    if let Some(known) = known.get(&one) {
        return Arc::clone(known);
    }
    known.insert(Arc::clone(&one));
    one
}

/// Drops unused entries.
///
/// Runs only after the number of entries has doubled, so that the cost per Shoot is low.
fn forget_unused<T: Ord + ?Sized>(known: &mut OrdSet<Arc<T>>, used: &mut usize) {
    if known.len() > SMALL.max(2 * *used) {
        let in_use = known.iter().filter(|it| Arc::strong_count(it) > 1);
        *known = in_use.cloned().collect();
        *used = known.len();
    }
}
