// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;

use jiff::Timestamp;

use crate::api::{
    ByName, KubeletConfig, KubeletConfigEviction, KubeletConfigReserved, PendingWorkersRollout,
    Rotation, Shoot, ShootCredentialsRotation, ShootStatus, Worker,
};
use garden_gate_text::go::{Quantity, Version};

/// One side of a change: a Shoot, defaulted, and its status.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The Shoot.
    pub shoot: &'a Shoot,
    /// The status, which contains the credential rotations.
    pub status: &'a ShootStatus,
    /// The interpretation of missing values in the Shoot's `kubeReserved`.
    pub reservation: Reservation,
}

/// The interpretation of missing values in a Shoot's `kubeReserved`.
/// Those of a pool are always used as written.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Reservation {
    /// Missing values remain missing.
    AsWritten,
    /// Missing values are those of Gardener's ShootResourceReservation: cpu 80m, memory 1Gi, pid 20k.
    #[default]
    Static,
}

/// Values whose changes affect nodes, each with its field.
pub(super) struct Key<'a>(Vec<(&'static str, Cow<'a, str>)>);

const VERSION: &str = "kubernetes.version";
const NODE_LOCAL_DNS: &str = "node-local DNS";
/// The first minor version of Kubernetes in which node-local DNS does not affect nodes.
const NODE_LOCAL_DNS_FREE: (u64, u64) = (1, 34);

/// The keys of a Shoot's pools; values that pools share are computed once.
pub(super) struct Keys<'a> {
    side: Side<'a>,
    rotations: Vec<(&'static str, RotationOfPools<'a>)>,
    kubelet: OfKubelet<'a>,
}

impl<'a> Keys<'a> {
    /// Prepares the keys of one side.
    pub(super) fn of(side: Side<'a>) -> Self {
        let rotations = side.status.credentials.rotation.as_deref();
        let rotation =
            |of: fn(&ShootCredentialsRotation) -> &Option<Rotation>| rotations.map(of)?.as_ref();
        let rotations = [
            ("rotation of the CA", rotation(|it| &it.certificate_authorities)),
            ("rotation of the service account key", rotation(|it| &it.service_account_key)),
        ]
        .into_iter();
        let kubelet = side.shoot.spec.kubernetes.kubelet.as_deref();
        Self {
            side,
            rotations: rotations
                .filter_map(|(name, rotation)| Some((name, RotationOfPools::of(rotation?))))
                .collect(),
            kubelet: OfKubelet::of(kubelet, side.reservation),
        }
    }

    /// Returns the key of a rolling pool.
    pub(super) fn rolling<'k>(&'k self, pool: &'k Worker) -> Key<'k> {
        let mut key = Key(Vec::with_capacity(12));
        let side = self.side;
        key.add(VERSION, minor(side, pool));
        key.add("machine.type", pool.machine.machine_type.as_str());
        if let Some(image) = &pool.machine.image {
            key.add("machine.image", [&*image.name, &*image.version].concat());
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
        key.add_rotations(&self.rotations, pool);
        let is_older = || {
            let version = Version::parse(side.shoot.version_of(pool));
            version.is_ok_and(|v| (v.major, v.minor) < NODE_LOCAL_DNS_FREE)
        };
        if side.shoot.has_node_local_dns() && (is_older() || side.shoot.uses_ipvs()) {
            key.add(NODE_LOCAL_DNS, "node-local-dns");
        }
        key.add_kubelet(&self.kubelet, pool);
        key
    }

    /// Returns the key of a pool that is updated in place.
    pub(super) fn in_place<'k>(&'k self, pool: &'k Worker) -> Key<'k> {
        let mut key = Key(Vec::with_capacity(7));
        key.add(VERSION, minor(self.side, pool));
        key.add("machine.image.version", pool.image_version());
        key.add_rotations(&self.rotations, pool);
        key.add_kubelet(&self.kubelet, pool);
        key
    }
}

impl<'a> Key<'a> {
    /// Returns the fields that cause different keys; empty if the lists of values are equal.
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

    fn add_rotations(&mut self, rotations: &[(&'static str, RotationOfPools<'_>)], pool: &Worker) {
        for (name, rotation) in rotations {
            if let Some(time) = rotation.initiation(&pool.name) {
                self.add(name, time.to_string());
            }
        }
    }

    fn add_kubelet(&mut self, shared: &'a OfKubelet<'a>, pool: &'a Worker) {
        match pool.own_kubelet() {
            None => self.add_texts(shared.texts()),
            Some(own) => {
                let own = OfKubelet::of(Some(own), Reservation::AsWritten);
                self.add_texts(own.into_texts());
            }
        }
    }

    fn add_texts(&mut self, [reserved, eviction, policy]: [Option<Cow<'a, str>>; 3]) {
        let texts = [
            ("kubelet.kubeReserved", reserved),
            ("kubelet.evictionHard", eviction),
            ("kubelet.cpuManagerPolicy", policy),
        ]
        .into_iter();
        self.0.extend(texts.filter_map(|(field, text)| Some((field, text?))));
    }
}

/// The relevant settings of a kubelet.
struct OfKubelet<'a> {
    reserved: Option<String>,
    eviction: Option<String>,
    policy: Option<&'a str>,
}

impl<'a> OfKubelet<'a> {
    fn of(kubelet: Option<&'a KubeletConfig>, reservation: Reservation) -> Self {
        let reserved = kubelet.and_then(|kubelet| kubelet.kube_reserved.as_ref());
        let eviction = kubelet.and_then(|kubelet| kubelet.eviction_hard.as_ref());
        Self {
            reserved: reserved_text(reserved, reservation),
            eviction: eviction.map(eviction_text),
            policy: kubelet.and_then(|kubelet| kubelet.cpu_manager_policy.as_deref()),
        }
    }

    fn texts(&self) -> [Option<Cow<'_, str>>; 3] {
        let texts = [self.reserved.as_deref(), self.eviction.as_deref(), self.policy];
        texts.map(|text| text.map(Cow::from))
    }

    fn into_texts(self) -> [Option<Cow<'a, str>>; 3] {
        [self.reserved.map(Cow::from), self.eviction.map(Cow::from), self.policy.map(Cow::from)]
    }
}

/// Returns `major.minor` of the pool's version, or the version itself if it cannot be parsed.
fn minor<'a>(side: Side<'a>, pool: &'a Worker) -> Cow<'a, str> {
    let version = side.shoot.version_of(pool);
    match Version::parse(version) {
        Ok(v) => format!("{}.{}", v.major, v.minor).into(),
        Err(_) => version.into(),
    }
}

/// The creation times of the credentials on the nodes of each pool.
struct RotationOfPools<'a> {
    rotation: &'a Rotation,
    pending: ByName<'a, PendingWorkersRollout>,
}

impl<'a> RotationOfPools<'a> {
    fn of(rotation: &'a Rotation) -> Self {
        let pending = &rotation.pending_workers_rollouts;
        Self { rotation, pending: ByName::of(pending, |pending| &pending.name) }
    }

    /// Mirrors LastInitiationTimeForWorkerPool.
    /// A pool with a pending rollout keeps its own initiation time, even an absent one.
    fn initiation(&self, pool: &str) -> Option<Timestamp> {
        match self.pending.get(pool) {
            Some(pending) => pending.last_initiation_time,
            None => self.rotation.last_initiation_time,
        }
    }
}

fn reserved_text(
    reserved: Option<&KubeletConfigReserved>,
    reservation: Reservation,
) -> Option<String> {
    let defaults = match reservation {
        Reservation::AsWritten => ["<nil>"; 3],
        Reservation::Static => ["80m", "1Gi", "20k"],
    };
    if reserved.is_none() && reservation == Reservation::AsWritten {
        return None;
    }
    let [cpu, memory, pid] = defaults;
    let cpu = reserved_of(reserved, |it| &it.cpu, cpu);
    let memory = reserved_of(reserved, |it| &it.memory, memory);
    let pid = reserved_of(reserved, |it| &it.pid, pid);
    let storage = reserved_of(reserved, |it| &it.ephemeral_storage, "<nil>");
    Some([&*cpu, &*memory, &*pid, &*storage].join("-"))
}

fn reserved_of<'a>(
    reserved: Option<&'a KubeletConfigReserved>,
    what: impl Fn(&'a KubeletConfigReserved) -> &'a Option<Quantity>,
    default: &'static str,
) -> Cow<'a, str> {
    let quantity = reserved.and_then(|reserved| what(reserved).as_ref());
    quantity.map_or(default.into(), Quantity::printed)
}

fn eviction_text(eviction: &KubeletConfigEviction) -> String {
    let thresholds = [
        &eviction.image_fs_available,
        &eviction.image_fs_inodes_free,
        &eviction.memory_available,
        &eviction.node_fs_available,
        &eviction.node_fs_inodes_free,
    ];
    thresholds.map(|threshold| threshold.as_deref().unwrap_or_default()).join("-")
}
