// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;

use crate::api::{Volume, Worker};

/// The compact model of a worker pool.
#[derive(Clone, Debug, PartialEq)]
pub struct PoolUse {
    /// The name of the pool.
    pub name: Arc<str>,
    /// Its own Kubernetes version; `None` if it follows the control plane.
    pub kubernetes: Option<Arc<str>>,
    /// Name and version of its machine image.
    pub image: Option<(Arc<str>, Arc<str>)>,
    /// Minimum number of machines.
    pub minimum: i32,
    /// Maximum number of machines.
    pub maximum: i32,
    /// Its machines and their volumes, shared by many pools.
    pub size: Arc<PoolSize>,
}

/// The size of the machines of a worker pool.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct PoolSize {
    /// The machine type.
    pub machine_type: Box<str>,
    /// Type and size of the root volume, as written; `None` for that of the machine type.
    pub volume: Option<(Option<Box<str>>, Box<str>)>,
}

impl PoolUse {
    /// Returns the sum of the minimums of pools; it overflows as in Gardener.
    pub fn total_minimum(pools: &[Self]) -> i32 {
        let minimums = pools.iter().map(|pool| pool.minimum);
        minimums.fold(0, i32::wrapping_add)
    }
}

impl From<&Worker> for PoolUse {
    fn from(worker: &Worker) -> Self {
        let image = worker.machine.image.as_ref().filter(|image| !image.version.is_empty());
        Self {
            name: worker.name.as_str().into(),
            kubernetes: worker.own_version().map(Arc::from),
            image: image.map(|it| (it.name.as_str().into(), it.version.as_str().into())),
            minimum: worker.minimum,
            maximum: worker.maximum,
            size: PoolSize::new(&worker.machine.machine_type, worker.volume.as_ref()),
        }
    }
}

impl PoolSize {
    fn new(machine_type: &str, volume: Option<&Volume>) -> Arc<Self> {
        let volume = volume.map(|it| {
            let volume_type = it.volume_type.as_deref();
            (volume_type.map(Box::from), Box::from(it.size.as_str()))
        });
        Arc::new(Self { machine_type: machine_type.into(), volume })
    }
}
