//! Shoots: the model for rules, and the compact model of all Shoots of a garden.

mod hibernation;
mod kubelet;
mod kubernetes;
mod object;
mod parts;
mod placement;
mod pool_use;
mod pools;
mod profile_key;
mod status;
mod uses;
mod worker;

pub use hibernation::{HibernationSchedule, ShootHibernation};
pub use kubelet::{EvictionHard, KubeReserved, Kubelet};
pub use kubernetes::{
    ClusterAutoscaler, EncryptionConfig, EncryptionProvider, KubeApiServer, KubeControllerManager,
    KubeScheduler, WatchCacheSizes,
};
pub use object::{
    Addon, Addons, KubeProxy, MaintenanceAutoUpdate, MaintenanceTimeWindow, NodeLocalDns, Shoot,
    ShootKubernetes, ShootMaintenance, ShootProvider, ShootSpec, ShootSystemComponents,
};
pub use parts::{
    ControlPlane, CredentialsRef, Dns, DnsProvider, FailureTolerance, HighAvailability, Networking,
    NodeTaint, SshAccess, WorkersSettings,
};
pub use placement::DEFAULT_SCHEDULER;
pub use pool_use::{PoolSize, PoolUse};
pub use pools::Pools;
pub use profile_key::{CloudProfileReference, ProfileKey, ProfileKind};
pub use status::{
    Condition, EncryptionAtRest, InPlaceUpdatesStatus, LastError, LastOperation,
    PendingWorkerUpdates, PendingWorkersRollout, Rotation, ShootCredentials, ShootNetworkingStatus,
    ShootRotations, ShootStatus,
};
pub use uses::{BindingKey, BindingKind, ShootName, ShootUse};
pub use worker::{
    Machine, MachineControllerManager, ShootMachineImage, UpdateStrategy, Volume, Worker,
    WorkerCri, WorkerKubernetes, WorkerSystemComponents,
};
