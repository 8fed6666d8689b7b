//! Admission control for Gardener landscapes.
//!
//! A verdict is a pure function of four inputs: an admission request, a snapshot of the garden, the configuration, and
//! the current time. An HTTPS server and a command line call this function, so both give the same verdicts.
//!
//! ```text
//! AdmissionReview (HTTPS) ─┐                                        ┌─► AdmissionReview (patch, causes, warnings)
//! manifests (CLI) ─────────┼─► Request ─► default ─► mutate ─► judge ┼─► text, JSON
//!                          │                ▲          ▲        ▲    └─► metrics, logs
//! directory of manifests ──┴─► Snapshot ────┴──────────┴────────┘
//! ```
//!
//! A module imports only modules of the lines above it in this list.
//!
//! - [`compat`]
//! - [`escape`]
//! - [`source`], [`model`], [`fields`]
//! - [`files`]
//! - [`version`], [`status`], [`webhooks`], [`rolls`], [`config`]
//! - [`defaults`]
//! - [`garden`]
//! - [`engine`]
//! - [`rules`]
//! - [`catalogue`], [`coverage`], [`forecast`], [`stored`]
//! - [`audit`]
//! - [`report`]
//! - [`review`], [`server`]
//! - [`cli`]

#![cfg_attr(
    test,
    expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")
)]

pub mod api;
pub mod audit;
pub mod catalogue;
#[expect(clippy::disallowed_methods, reason = "I/O and clocks")]
pub mod cli;
pub mod compat;
pub mod config;
pub mod coverage;
pub mod defaults;
pub mod engine;
pub mod escape;
#[expect(clippy::disallowed_methods, reason = "I/O and clocks")]
pub mod files;
pub mod forecast;
#[expect(clippy::disallowed_methods, reason = "I/O and clocks")]
pub mod garden;
pub mod report;
#[expect(clippy::disallowed_methods, reason = "I/O and clocks")]
pub mod review;
pub mod rolls;
pub mod rules;
#[expect(clippy::disallowed_methods, reason = "I/O and clocks")]
pub mod server;
pub mod source;
pub mod status;
pub mod stored;
pub mod version;
pub mod webhooks;

/// Temporary.
pub mod model {
    pub use crate::api::*;
    pub use crate::api::{
        Backup as SeedBackup, CloudProfileControlPlane as ControlPlaneOffer,
        CloudProfileReference as ParentReference, CredentialsBindingProvider as BindingProvider,
        Cri as WorkerCri, CrossVersionObjectReference as CredentialsRef,
        DNSProvider as DnsProvider, DualApprovalForDeletion as DualApproval,
        EncryptionProviderStatus as EncryptionAtRestProvider, Gardener as SeedGardener,
        Hibernation as ShootHibernation, KubeAPIServerConfig as KubeApiServer,
        KubeControllerManagerConfig as KubeControllerManager, KubeProxyConfig as KubeProxy,
        KubeSchedulerConfig as KubeScheduler, KubeletConfig as Kubelet,
        KubeletConfigEviction as EvictionHard, KubeletConfigReserved as KubeReserved,
        Kubernetes as ShootKubernetes, KubernetesSettings as NamespacedCloudProfileKubernetes,
        LastOperation as SeedLastOperation,
        MachineControllerManagerSettings as MachineControllerManager,
        MachineTypeStorage as MachineStorage, Maintenance as ShootMaintenance,
        NetworkingStatus as ShootNetworkingStatus, NginxIngress as Addon,
        NodeLocalDNS as NodeLocalDns, ProjectMember as Member, Provider as ShootProvider,
        SSHAccess as SshAccess, SeedDNS as SeedDns, SeedDNSProviderConfig as SeedDomain,
        SeedSettingScheduling as SeedScheduling, SeedSettingZoneSelection as SeedZoneSelection,
        ShootCredentialsRotation as ShootRotations, ShootNetworks as ShootNetworkDefaults,
        SystemComponents as ShootSystemComponents,
    };
}
/// Temporary.
pub mod fields {
    pub use crate::api::*;
}
