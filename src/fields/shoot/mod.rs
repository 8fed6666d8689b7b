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
    Shoot {
        apiVersion: String;
        kind: String;
        metadata: ObjectMeta;
        spec: ShootSpec;
        status: ShootStatus;
    }
}

object! {
    ShootSpec {
        accessRestrictions: [AccessRestrictionWithOptions];
        addons: Addons;
        cloudProfile: CloudProfileReference;
        cloudProfileName: String;
        controlPlane: ControlPlane;
        credentialsBindingName: String;
        dns: Dns;
        exposureClassName: String;
        extensions: [Extension];
        hibernation: Hibernation;
        kubernetes: Kubernetes required;
        maintenance: Maintenance;
        monitoring: Monitoring;
        networking: Networking;
        provider: Provider required;
        purpose: String;
        region: String required;
        resources: [NamedResourceReference];
        schedulerName: String;
        secretBindingName: String;
        seedName: String;
        seedSelector: SeedSelector;
        systemComponents: SystemComponents;
        tolerations: [GardenToleration; by key];
    }
}

object! {
    AccessRestrictionWithOptions {
        name: String required;
        options: {String};
    }
}

object! {
    ControlPlane {
        highAvailability: HighAvailability;
        zones: [String];
    }
}

object! {
    HighAvailability {
        failureTolerance: FailureTolerance required;
    }
}

object! {
    FailureTolerance {
        type: String required;
    }
}
