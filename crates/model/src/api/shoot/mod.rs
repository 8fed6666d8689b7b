// SPDX-License-Identifier: Apache-2.0
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
pub(super) mod placement;
pub(super) mod pool_use;
pub(super) mod pools;
pub(super) mod profile_key;
pub(super) mod provider;
pub(super) mod seed_base;
pub(super) mod status;
pub(super) mod uses;
pub(super) mod workers;

use serde::Serialize;

use crate::api::Constraint::{DistinctBy, Enum, Filled, RemovedFrom, Since, WithWorkers};
use crate::api::cloud_profile::machines::AccessRestriction;
use crate::api::object;
use crate::api::shared::by_name::ByName;
use crate::api::shared::extensions::Extension;
use crate::api::shared::metadata::ObjectMeta;
use crate::api::shared::references::{CloudProfileReference, NamedResourceReference};
use crate::api::shared::selectors::SeedSelector;
use crate::api::shared::taints::GardenToleration;
use crate::api::shared::toleration::Toleration;
use crate::api::shoot::addons::{Addons, SystemComponents};
use crate::api::shoot::dns::Dns;
use crate::api::shoot::kubernetes::Kubernetes;
use crate::api::shoot::maintenance::{Hibernation, Maintenance, Monitoring};
use crate::api::shoot::networking::Networking;
use crate::api::shoot::profile_key::{ProfileKey, ProfileKind};
use crate::api::shoot::provider::Provider;
use crate::api::shoot::status::ShootStatus;
use crate::api::shoot::workers::Worker;

object! {
    /// Kubernetes cluster managed by Gardener.
    #[derive(Serialize)]
    Shoot {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta -> #[serialized] metadata: ObjectMeta;
        /// Desired state of the cluster.
        "spec": ShootSpec -> #[serialized] spec: ShootSpec;
        /// Observed state of the cluster.
        "status": ShootStatus -> status: ShootStatus;
    }
}

object! {
    /// Desired state of a cluster.
    #[derive(Serialize)]
    ShootSpec {
        /// CloudProfile or NamespacedCloudProfile with the available versions, images and machine types.
        "cloudProfile": CloudProfileReference -> cloud_profile: Option<CloudProfileReference>;
        /// Name of the CloudProfile; replaced by `cloudProfile`.
        "cloudProfileName": String -> cloud_profile_name: String => [RemovedFrom(34, "use `spec.cloudProfile.name`")];
        /// Region of the infrastructure.
        "region": String required -> region: String => [Filled];
        /// Name of the CredentialsBinding with the infrastructure credentials.
        "credentialsBindingName": String -> credentials_binding_name: Option<String>;
        /// Name of the SecretBinding with the infrastructure credentials; replaced by `credentialsBindingName`.
        "secretBindingName": String -> secret_binding_name: Option<String>
            => [RemovedFrom(34, "use `spec.credentialsBindingName`")];
        /// Infrastructure provider and worker pools.
        "provider": Provider required -> #[serialized] provider: Provider;
        /// Kubernetes version and configuration of Kubernetes components.
        "kubernetes": Kubernetes filled -> #[serialized] kubernetes: Kubernetes;
        /// Networks of the cluster.
        "networking": Networking -> networking: Option<Networking>;
        /// Domain of the cluster and its DNS providers.
        "dns": Dns -> #[mutated] dns: Option<Dns>;
        /// Availability of the control plane.
        "controlPlane": ControlPlane -> control_plane: Option<ControlPlane>;
        /// Purpose of the cluster, for example `evaluation` or `production`.
        "purpose": String -> purpose: Option<String>;
        /// Time window and scope of automatic updates by Gardener.
        "maintenance": Maintenance -> maintenance: Maintenance;
        /// Hibernation of the cluster and its schedules.
        "hibernation": Hibernation -> hibernation: Option<Hibernation>;
        /// Addons managed by Gardener; only for clusters with purpose `evaluation`.
        "addons": Addons -> addons: Option<Addons>
            => [WithWorkers, RemovedFrom(35, "install what you need yourself")];
        /// Settings of system components in the cluster.
        "systemComponents": SystemComponents -> system_components: SystemComponents => [WithWorkers];
        /// Monitoring configuration: receivers of alerts.
        "monitoring": Monitoring;
        /// Enabled extensions.
        "extensions": [Extension] => [DistinctBy("type")];
        /// Objects in the Project's namespace that extensions can reference.
        "resources": [NamedResourceReference] => [DistinctBy("name")];
        /// Tolerations of Seed taints.
        "tolerations": [GardenToleration; by key] -> #[mutated] tolerations: Vec<Toleration>;
        /// Name of the Seed that hosts the control plane; selected by the scheduler if omitted.
        "seedName": String -> seed_name: Option<String>;
        /// Selector of the Seeds that can host the control plane.
        "seedSelector": SeedSelector -> #[mutated] seed_selector: Option<SeedSelector>;
        /// Name of the scheduler that selects the Seed.
        "schedulerName": String -> scheduler_name: Option<String>;
        /// Name of the ExposureClass for the control plane's endpoint.
        "exposureClassName": String -> #[mutated] exposure_class_name: Option<String>;
        /// Access restrictions that the control plane's Seed must support.
        "accessRestrictions": [AccessRestrictionWithOptions] -> access_restrictions: Vec<AccessRestriction>;
    }
}

object! {
    /// Access restriction with options.
    AccessRestrictionWithOptions {
        /// Name of the access restriction.
        "name": String required;
        /// Options of the access restriction.
        "options": {String};
    }
}

object! {
    /// High availability and zones of the control plane.
    ControlPlane {
        /// Failure tolerance of the control plane; cannot be removed once it is set.
        "highAvailability": HighAvailability -> high_availability: Option<HighAvailability>;
        /// Zones of the Seed in which the control plane runs.
        "zones": [String] -> zones: Vec<String> => [Since(150)];
    }
}

object! {
    /// High availability: failure tolerance of the control plane.
    HighAvailability {
        /// Failures that the control plane tolerates.
        "failureTolerance": FailureTolerance required -> failure_tolerance: FailureTolerance;
    }
}

object! {
    /// Failures that the control plane tolerates.
    FailureTolerance {
        /// Failure tolerance type: `node` or `zone`.
        "type": String required -> kind: String => [Enum(&["node", "zone"])];
    }
}

impl ShootSpec {
    /// The purposes of Shoots in any namespace.
    pub const PURPOSES: [&'static str; 4] = ["development", "evaluation", "production", "testing"];
    /// The further purpose of Shoots in the garden namespace.
    pub const INFRASTRUCTURE: &'static str = "infrastructure";
}

impl Shoot {
    /// Reports whether the Shoot is to be hibernated.
    pub fn wants_hibernation(&self) -> bool {
        let hibernation = self.spec.hibernation.as_ref();
        hibernation.and_then(|hibernation| hibernation.enabled) == Some(true)
    }

    /// Reports whether the Shoot is to be hibernated, is hibernated, or changes between the two states.
    pub fn is_in_hibernation(&self) -> bool {
        self.wants_hibernation() || self.status.is_hibernated
    }

    /// Reports whether a worker pool hosts the control plane.
    pub fn is_self_hosted(&self) -> bool {
        let mut workers = self.spec.provider.workers.iter();
        workers.any(|worker| worker.control_plane.is_some())
    }

    /// Reports whether the Shoot has the ingress controller.
    pub fn has_ingress(&self) -> bool {
        let addons = self.spec.addons.as_ref();
        addons.is_some_and(|addons| addons.nginx_ingress.enabled)
    }

    /// Reports whether SSH access to nodes is enabled.
    pub fn has_ssh_access(&self) -> bool {
        let provider = &self.spec.provider;
        !provider.workers.is_empty() && provider.workers_settings.ssh_access.enabled != Some(false)
    }

    /// Returns the value of an annotation.
    pub fn annotation(&self, key: &str) -> Option<&str> {
        self.metadata.annotations.get(key).map(String::as_str)
    }

    /// Returns the profile of a Shoot in `namespace`; `None` without a profile of a known kind.
    pub fn profile(&self, namespace: &str) -> Option<ProfileKey> {
        let reference = self.spec.cloud_profile.as_ref();
        ProfileKey::effective(reference, &self.spec.cloud_profile_name, namespace)
    }

    /// Returns kind and name of its profile; `None` as in [`Self::profile`].
    pub fn profile_name(&self) -> Option<(ProfileKind, &str)> {
        let reference = self.spec.cloud_profile.as_ref();
        ProfileKind::followed(reference, &self.spec.cloud_profile_name)
    }

    /// Returns its worker pools, by name.
    pub fn pools(&self) -> ByName<'_, Worker> {
        ByName::of(&self.spec.provider.workers, |pool| &pool.name)
    }

    /// Returns the Kubernetes version of a pool: its own, or the Shoot's.
    pub fn version_of<'a>(&'a self, pool: &'a Worker) -> &'a str {
        pool.own_version().unwrap_or(&self.spec.kubernetes.version)
    }

    /// Reports whether the Shoot hosts its own control plane on machines that Gardener does not manage.
    ///
    /// Mirrors IsShootSelfHosted and HasManagedInfrastructure in `pkg/api/core/helper/shoot.go`.
    pub fn is_on_unmanaged_machines(&self) -> bool {
        let spec = &self.spec;
        let self_hosted = spec.provider.workers.iter().any(|it| it.control_plane.is_some());
        let bound = spec.credentials_binding_name.is_some() || spec.secret_binding_name.is_some();
        self_hosted && !bound
    }

    /// Reports whether a DNS cache runs on every node.
    pub fn has_node_local_dns(&self) -> bool {
        self.spec.system_components.node_local_dns.enabled
    }

    /// Reports whether kube-proxy runs in IPVS mode.
    ///
    /// Mirrors IsKubeProxyIPVSMode in `pkg/api/core/helper/shoot.go`.
    pub fn uses_ipvs(&self) -> bool {
        self.spec.kubernetes.kube_proxy.as_ref().is_some_and(|proxy| {
            proxy.enabled == Some(true) && proxy.mode.as_deref() == Some("IPVS")
        })
    }
}
