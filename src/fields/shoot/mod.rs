//! Shoot: a managed cluster.

pub(super) mod addons;
pub(super) mod api_server;
pub(super) mod autoscaling;
pub(super) mod credentials;
pub(super) mod dns;
pub(super) mod kubelet;
pub(super) mod kubernetes;
pub(super) mod maintenance;
pub(super) mod networking;
pub(super) mod provider;
pub(super) mod status;
pub(super) mod workers;

use crate::fields::Constraint::{DistinctBy, Enum, Filled, RemovedFrom, WithWorkers};
use crate::fields::object;
use crate::fields::shared::extensions::Extension;
use crate::fields::shared::metadata::ObjectMeta;
use crate::fields::shared::references::{CloudProfileReference, NamedResourceReference};
use crate::fields::shared::selectors::SeedSelector;
use crate::fields::shared::taints::GardenToleration;
use crate::fields::shoot::addons::{Addons, SystemComponents};
use crate::fields::shoot::dns::Dns;
use crate::fields::shoot::kubernetes::Kubernetes;
use crate::fields::shoot::maintenance::{Hibernation, Maintenance, Monitoring};
use crate::fields::shoot::networking::Networking;
use crate::fields::shoot::provider::Provider;
use crate::fields::shoot::status::ShootStatus;

object! {
    /// A cluster that Gardener manages.
    Shoot {
        /// API group and version.
        apiVersion: String;
        /// The kind.
        kind: String;
        /// Name, labels and the like.
        metadata: ObjectMeta;
        /// How the cluster should be.
        spec: ShootSpec;
        /// How the cluster is.
        status: ShootStatus;
    }
}

object! {
    /// How a cluster should be.
    ShootSpec {
        /// The profile with the versions, images and machine types to choose from.
        cloudProfile: CloudProfileReference;
        /// Name of the CloudProfile; `cloudProfile` takes its place.
        cloudProfileName: String => [RemovedFrom(34, "use `spec.cloudProfile.name`")];
        /// Region of the infrastructure.
        region: String required => [Filled];
        /// Name of the CredentialsBinding whose credentials are used.
        credentialsBindingName: String;
        /// Name of the SecretBinding whose credentials are used; `credentialsBindingName` takes its place.
        secretBindingName: String => [RemovedFrom(34, "use `spec.credentialsBindingName`")];
        /// Infrastructure and pools of machines.
        provider: Provider required;
        /// Version and components of the control plane.
        kubernetes: Kubernetes filled;
        /// Networks of the cluster.
        networking: Networking;
        /// Domain of the cluster.
        dns: Dns;
        /// How available the control plane is.
        controlPlane: ControlPlane;
        /// What the cluster is for, for example `evaluation` or `production`.
        purpose: String;
        /// When Gardener may update the cluster, and what.
        maintenance: Maintenance;
        /// Whether and when the cluster sleeps.
        hibernation: Hibernation;
        /// Tools that Gardener installs; only for clusters of purpose `evaluation`.
        addons: Addons => [WithWorkers, RemovedFrom(35, "install what you need yourself")];
        /// How components of the system are set up.
        systemComponents: SystemComponents => [WithWorkers];
        /// Receivers of alerts.
        monitoring: Monitoring;
        /// Extensions that are switched on.
        extensions: [Extension] => [DistinctBy("type")];
        /// Objects of the Project's namespace that extensions may use.
        resources: [NamedResourceReference] => [DistinctBy("name")];
        /// Taints of Seeds that are tolerated.
        tolerations: [GardenToleration; by key];
        /// Seed that hosts the control plane; chosen by the scheduler if it is left out.
        seedName: String;
        /// Seeds that may host the control plane.
        seedSelector: SeedSelector;
        /// Which scheduler chooses the Seed.
        schedulerName: String;
        /// Name of the ExposureClass by which the control plane is reached.
        exposureClassName: String;
        /// Who may have access to the control plane's Seed.
        accessRestrictions: [AccessRestrictionWithOptions];
    }
}

object! {
    /// A restriction of access, with its options.
    AccessRestrictionWithOptions {
        /// Name of the restriction.
        name: String required;
        /// Its options.
        options: {String};
    }
}

object! {
    /// How the control plane is set up.
    ControlPlane {
        /// What failures the control plane survives; cannot be taken back.
        highAvailability: HighAvailability;
        /// Zones of the Seed that it runs in.
        zones: [String];
    }
}

object! {
    /// What failures the control plane survives.
    HighAvailability {
        /// The component that may fail.
        failureTolerance: FailureTolerance required;
    }
}

object! {
    /// The component that may fail.
    FailureTolerance {
        /// `node` or `zone`.
        type: String required => [Enum(&["node", "zone"])];
    }
}
