//! Seed: a cluster that hosts control planes.

pub(super) mod settings;

use crate::fields::cloud_profile::machines::AccessRestriction;
use crate::fields::object;
use crate::fields::seed::settings::SeedSettings;
use crate::fields::shared::extensions::{Backup, Extension};
use crate::fields::shared::metadata::ObjectMeta;
use crate::fields::shared::references::{NamedResourceReference, ObjectReference};
use crate::fields::shared::status::{Condition, Gardener, LastOperation};

object! {
    Seed {
        apiVersion: String;
        kind: String;
        metadata: ObjectMeta;
        spec: SeedSpec;
        status: SeedStatus;
    }
}

object! {
    SeedSpec {
        accessRestrictions: [AccessRestriction];
        backup: Backup;
        dns: SeedDNS required;
        extensions: [Extension];
        ingress: Ingress;
        networks: SeedNetworks required;
        provider: SeedProvider required;
        resources: [NamedResourceReference];
        settings: SeedSettings;
        taints: [SeedTaint];
        volume: SeedVolume;
    }
}

object! {
    SeedDNS {
        defaults: [SeedDNSProviderConfig];
        internal: SeedDNSProviderConfig;
        provider: SeedDNSProvider;
    }
}

object! {
    SeedDNSProvider {
        credentialsRef: ObjectReference;
        type: String required;
    }
}

object! {
    SeedDNSProviderConfig {
        credentialsRef: ObjectReference required;
        domain: String required;
        type: String required;
        zone: String;
    }
}

object! {
    Ingress {
        controller: IngressController required;
        domain: String required;
    }
}

object! {
    IngressController {
        kind: String required;
        providerConfig: Any;
    }
}

object! {
    SeedNetworks {
        blockCIDRs: [String];
        ipFamilies: [String];
        nodes: String;
        pods: String required;
        services: String required;
        shootDefaults: ShootNetworks;
    }
}

object! {
    ShootNetworks {
        pods: String;
        services: String;
    }
}

object! {
    SeedProvider {
        providerConfig: Any;
        region: String required;
        type: String required;
        zones: [String];
    }
}

object! {
    SeedTaint {
        key: String required;
        value: String;
    }
}

object! {
    SeedVolume {
        minimumSize: Quantity;
        providers: [SeedVolumeProvider; by name];
    }
}

object! {
    SeedVolumeProvider {
        name: String required;
        purpose: String required;
    }
}

object! {
    SeedStatus {
        allocatable: {Quantity};
        capacity: {Quantity};
        clientCertificateExpirationTimestamp: Time;
        clusterIdentity: String;
        conditions: [Condition; by type];
        gardener: Gardener;
        kubernetesVersion: String;
        lastOperation: LastOperation;
        observedGeneration: Integer64;
    }
}
