use std::sync::Arc;

use imbl::OrdSet;

use crate::model::{PoolUse, ProfileKey, ShootName, ShootUse};

/// Below this many strings it is not worth looking for unused ones.
const SMALL: usize = 4_096;

/// One copy of every string that many Shoots have in common.
#[derive(Clone, Debug, Default)]
pub(super) struct Strings {
    known: OrdSet<Arc<str>>,
    used: usize,
}

impl Strings {
    /// The same Shoot with shared strings.
    pub(super) fn share(&mut self, shoot: ShootUse) -> ShootUse {
        self.forget_unused();
        let pools = shoot.pools.into_iter().map(|pool| self.pool(pool));
        let pools = pools.collect();
        ShootUse {
            name: ShootName {
                namespace: self.one(shoot.name.namespace),
                name: shoot.name.name,
            },
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
            confirmation: shoot.confirmation,
        }
    }

    fn pool(&mut self, pool: PoolUse) -> PoolUse {
        PoolUse {
            name: self.one(pool.name),
            kubernetes: pool.kubernetes.map(|version| self.one(version)),
            image: pool
                .image
                .map(|(name, version)| (self.one(name), self.one(version))),
            minimum: pool.minimum,
        }
    }

    fn one(&mut self, text: Arc<str>) -> Arc<str> {
        match self.known.get(&text) {
            Some(known) => known.clone(),
            None => {
                self.known.insert(text.clone());
                text
            }
        }
    }

    /// Looks through all strings only after their number has doubled, so that it costs little per Shoot.
    fn forget_unused(&mut self) {
        if self.known.len() > SMALL.max(2 * self.used) {
            let used = self.known.iter().filter(|text| Arc::strong_count(text) > 1);
            self.known = used.cloned().collect();
            self.used = self.known.len();
        }
    }
}
