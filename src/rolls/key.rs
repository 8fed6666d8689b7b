use std::borrow::Cow;

use jiff::Timestamp;

use super::Side;
use crate::compat::{Quantity, Version};
use crate::model::{EvictionHard, KubeReserved, Kubelet, Rotation, Worker};

/// How missing values of a Shoot's `kubeReserved` are read; those of a pool are always read as written.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Reservation {
    /// As missing.
    AsWritten,
    /// As what Gardener's ShootResourceReservation plugin fills in by default: cpu 80m, memory 1Gi, pid 20k.
    #[default]
    Static,
}

/// A list of values whose change reaches the nodes, each with the field that it comes from.
pub(super) struct Key<'a>(Vec<(&'static str, Cow<'a, str>)>);

const VERSION: &str = "kubernetes.version";
const NODE_LOCAL_DNS: &str = "node-local DNS";
/// The first minor version of Kubernetes where node-local DNS needs nothing from the nodes.
const NODE_LOCAL_DNS_FREE: (u64, u64) = (1, 34);

/// The list of a rolling pool.
pub(super) fn rolling_key<'a>(side: Side<'a>, pool: &'a Worker) -> Key<'a> {
    let mut key = Key(Vec::with_capacity(12));
    let version = Version::parse(side.shoot.version_of(pool));
    key.add(VERSION, minor(side, pool));
    key.add("machine.type", pool.machine.machine_type.as_str());
    if let Some(image) = &pool.machine.image {
        key.add("machine.image", format!("{}{}", image.name, image.version));
    }
    if let Some(volume) = &pool.volume {
        key.add("volume.size", volume.size.as_str());
        if let Some(volume_type) = &volume.volume_type {
            key.add("volume.type", volume_type.as_str());
        }
    }
    if let Some(cri) = &pool.cri {
        key.add("cri.name", cri.name.as_str());
    }
    key.add_rotations(side, pool);
    let older = version.is_ok_and(|v| (v.major, v.minor) < NODE_LOCAL_DNS_FREE);
    if side.shoot.has_node_local_dns() && (older || side.shoot.uses_ipvs()) {
        key.add(NODE_LOCAL_DNS, "node-local-dns");
    }
    key.add_kubelet(side, pool);
    key
}

/// The list of a pool that is updated in place.
pub(super) fn in_place_key<'a>(side: Side<'a>, pool: &'a Worker) -> Key<'a> {
    let mut key = Key(Vec::with_capacity(7));
    key.add(VERSION, minor(side, pool));
    key.add("machine.image.version", pool.image_version());
    key.add_rotations(side, pool);
    key.add_kubelet(side, pool);
    key
}

impl<'a> Key<'a> {
    /// The fields that make two lists differ; empty if the lists are equal, from whatever fields their values come.
    pub(super) fn causes(old: &Key<'_>, new: &Key<'_>) -> Vec<Cow<'static, str>> {
        if old.values().eq(new.values()) {
            return Vec::new();
        }
        let mut causes = Vec::new();
        for (field, _) in old.0.iter().chain(&new.0) {
            let cause = Cow::from(*field);
            if !causes.contains(&cause) && old.value(field) != new.value(field) {
                causes.push(cause);
            }
        }
        causes
    }

    fn values(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(_, value)| value.as_ref())
    }

    fn value(&self, field: &str) -> Option<&str> {
        let entry = self.0.iter().find(|(name, _)| *name == field);
        entry.map(|(_, value)| value.as_ref())
    }

    fn add(&mut self, field: &'static str, value: impl Into<Cow<'a, str>>) {
        self.0.push((field, value.into()));
    }

    fn add_rotations(&mut self, side: Side<'a>, pool: &Worker) {
        let rotations = side.status.credentials.rotation.clone();
        let rotation = rotations.unwrap_or_default();
        let rotations = [
            ("rotation of the CA", &rotation.certificate_authorities),
            (
                "rotation of the service account key",
                &rotation.service_account_key,
            ),
        ];
        for (name, rotation) in rotations {
            if let Some(time) = rotation.as_ref().and_then(|it| initiation(it, &pool.name)) {
                self.add(name, time.to_string());
            }
        }
    }

    fn add_kubelet(&mut self, side: Side<'a>, pool: &'a Worker) {
        let (kubelet, reservation) = match pool.own_kubelet() {
            Some(kubelet) => (Some(kubelet), Reservation::AsWritten),
            None => (
                side.shoot.spec.kubernetes.kubelet.as_ref(),
                side.reservation,
            ),
        };
        let reserved = kubelet.and_then(|kubelet| kubelet.kube_reserved.as_ref());
        if let Some(reserved) = reserved_text(reserved, reservation) {
            self.add("kubelet.kubeReserved", reserved);
        }
        let Some(kubelet) = kubelet else { return };
        let Kubelet {
            eviction_hard,
            cpu_manager_policy,
            ..
        } = kubelet;
        if let Some(eviction) = eviction_hard {
            self.add("kubelet.evictionHard", eviction_text(eviction));
        }
        if let Some(policy) = cpu_manager_policy {
            self.add("kubelet.cpuManagerPolicy", policy.as_str());
        }
    }
}

/// `major.minor` of the pool's version; as written if it cannot be read.
fn minor<'a>(side: Side<'a>, pool: &'a Worker) -> Cow<'a, str> {
    let version = side.shoot.version_of(pool);
    match Version::parse(version) {
        Ok(v) => format!("{}.{}", v.major, v.minor).into(),
        Err(_) => version.into(),
    }
}

/// When the credentials that the pool's nodes have were made.
///
/// Mirrors LastInitiationTimeForWorkerPool: a pool that is still to be rolled keeps its own time, even if that is none.
fn initiation(rotation: &Rotation, pool: &str) -> Option<Timestamp> {
    let pending = &rotation.pending_workers_rollouts;
    match pending.iter().find(|pending| pending.name == pool) {
        Some(pending) => pending.last_initiation_time,
        None => rotation.last_initiation_time,
    }
}

fn reserved_text(reserved: Option<&KubeReserved>, reservation: Reservation) -> Option<String> {
    let defaults = match reservation {
        Reservation::AsWritten => ["<nil>"; 3],
        Reservation::Static => ["80m", "1Gi", "20k"],
    };
    if reserved.is_none() && reservation == Reservation::AsWritten {
        return None;
    }
    let text = |quantity: Option<&Quantity>, default: &str| {
        quantity.map_or_else(|| default.to_owned(), ToString::to_string)
    };
    let [cpu, memory, pid] = defaults;
    let cpu = text(reserved.and_then(|it| it.cpu.as_ref()), cpu);
    let memory = text(reserved.and_then(|it| it.memory.as_ref()), memory);
    let pid = text(reserved.and_then(|it| it.pid.as_ref()), pid);
    let storage = reserved.and_then(|it| it.ephemeral_storage.as_ref());
    let storage = text(storage, "<nil>");
    Some(format!("{cpu}-{memory}-{pid}-{storage}"))
}

fn eviction_text(eviction: &EvictionHard) -> String {
    let thresholds = [
        &eviction.image_fs_available,
        &eviction.image_fs_inodes_free,
        &eviction.memory_available,
        &eviction.node_fs_available,
        &eviction.node_fs_inodes_free,
    ];
    thresholds
        .map(|threshold| threshold.as_deref().unwrap_or_default())
        .join("-")
}
