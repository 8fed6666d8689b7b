//! Seed: a cluster that hosts control planes.

pub(super) mod settings;

use crate::fields::Constraint::{
    Distinct, DistinctBy, Enum, Filled, Format, Immutable, ImmutableOnceSet,
};
use crate::fields::Format::{Amount, Cidr, DnsSubdomain};
use crate::fields::cloud_profile::machines::AccessRestriction;
use crate::fields::object;
use crate::fields::seed::settings::SeedSettings;
use crate::fields::shared::extensions::{Backup, Extension};
use crate::fields::shared::metadata::ObjectMeta;
use crate::fields::shared::references::{NamedResourceReference, ObjectReference};
use crate::fields::shared::status::{Condition, Gardener, LastOperation};

object! {
    /// A cluster that hosts control planes.
    Seed {
        /// API group and version.
        apiVersion: String;
        /// The kind.
        kind: String;
        /// Name, labels and the like.
        metadata: ObjectMeta;
        /// How the Seed should be.
        spec: SeedSpec;
        /// How the Seed is.
        status: SeedStatus;
    }
}

object! {
    /// How a Seed should be.
    SeedSpec {
        /// Its infrastructure.
        provider: SeedProvider required;
        /// Its networks.
        networks: SeedNetworks required;
        /// Domains, and who serves them.
        dns: SeedDNS filled;
        /// How ingresses are reached.
        ingress: Ingress => [Filled];
        /// Where backups of the control planes go.
        backup: Backup;
        /// Settings, most of which enable or disable a feature.
        settings: SeedSettings;
        /// What keeps Shoots off unless they tolerate it.
        taints: [SeedTaint];
        /// Volumes.
        volume: SeedVolume;
        /// Restrictions of access that it keeps.
        accessRestrictions: [AccessRestriction];
        /// Extensions that are switched on.
        extensions: [Extension] => [DistinctBy("type")];
        /// Objects that extensions may use.
        resources: [NamedResourceReference] => [DistinctBy("name")];
    }
}

object! {
    /// Domains of a Seed.
    SeedDNS {
        /// Who serves the Seed's own domain.
        provider: SeedDNSProvider;
        /// The domain for internal addresses of Shoots.
        internal: SeedDNSProviderConfig => [Filled];
        /// Domains that Shoots get if they name none.
        defaults: [SeedDNSProviderConfig] => [DistinctBy("domain")];
    }
}

object! {
    /// Who serves the Seed's own domain.
    SeedDNSProvider {
        /// Which service it is.
        type: String required => [Filled];
        /// Credentials for it.
        credentialsRef: ObjectReference => [Filled];
    }
}

object! {
    /// A domain and who serves it.
    SeedDNSProviderConfig {
        /// The domain.
        domain: String required => [Filled, Format(DnsSubdomain)];
        /// Which service it is.
        type: String required => [Filled];
        /// The zone of the service.
        zone: String;
        /// Credentials for it.
        credentialsRef: ObjectReference required;
    }
}

object! {
    /// How ingresses of a Seed are reached.
    Ingress {
        /// Their domain; immutable.
        domain: String required => [Filled, Format(DnsSubdomain), Immutable];
        /// What serves them.
        controller: IngressController required;
    }
}

object! {
    /// What serves ingresses.
    IngressController {
        /// `nginx`.
        kind: String required => [Enum(&["nginx"])];
        /// Its configuration.
        providerConfig: Any;
    }
}

object! {
    /// Networks of a Seed.
    SeedNetworks {
        /// Network of the nodes, as a CIDR; immutable once it is set.
        nodes: String => [Format(Cidr), ImmutableOnceSet];
        /// Network of the pods, as a CIDR; immutable.
        pods: String required => [Format(Cidr), Immutable];
        /// Network of the services, as a CIDR; immutable.
        services: String required => [Format(Cidr), Immutable];
        /// `IPv4`, `IPv6`, or both; immutable.
        ipFamilies: [String] => [Enum(&["IPv4", "IPv6"]), Distinct];
        /// Networks that Shoots must not reach.
        blockCIDRs: [String];
        /// Networks that Shoots get if they name none.
        shootDefaults: ShootNetworks;
    }
}

object! {
    /// Networks that Shoots get if they name none.
    ShootNetworks {
        /// Network of the pods, as a CIDR.
        pods: String => [Format(Cidr)];
        /// Network of the services, as a CIDR.
        services: String => [Format(Cidr)];
    }
}

object! {
    /// Infrastructure of a Seed.
    SeedProvider {
        /// Which one it is.
        type: String required => [Filled];
        /// Its region.
        region: String required => [Filled];
        /// Its zones.
        zones: [String] => [Distinct];
        /// What the provider extension reads.
        providerConfig: Any;
    }
}

object! {
    /// What keeps Shoots off a Seed unless they tolerate it.
    SeedTaint {
        /// Its key.
        key: String required;
        /// Its value.
        value: String;
    }
}

object! {
    /// Volumes of a Seed.
    SeedVolume {
        /// The smallest size.
        minimumSize: Quantity => [Format(Amount)];
        /// Who provides them.
        providers: [SeedVolumeProvider; by name] => [DistinctBy("purpose")];
    }
}

object! {
    /// Who provides volumes.
    SeedVolumeProvider {
        /// Its name.
        name: String required => [Filled];
        /// What for, `etcd-main` for one.
        purpose: String required => [Filled];
    }
}

object! {
    /// How a Seed is; written by Gardener.
    SeedStatus {
        /// Resources available to Shoots, by name.
        allocatable: {Quantity};
        /// Total resources, by name.
        capacity: {Quantity};
        /// When the gardenlet's certificate expires.
        clientCertificateExpirationTimestamp: Time;
        /// Identity of the cluster, unique in the world; immutable once it is set.
        clusterIdentity: String => [ImmutableOnceSet];
        /// How parts of it are.
        conditions: [Condition; by type];
        /// The Gardener that reconciled it.
        gardener: Gardener;
        /// Its version of Kubernetes.
        kubernetesVersion: String;
        /// The last operation.
        lastOperation: LastOperation;
        /// The specification that was reconciled.
        observedGeneration: Integer64;
    }
}
