//! The CloudProfileConfig of provider-openstack.

use crate::api::Constraint::{Enum, Filled, NotEmpty, Since, Until};
use crate::api::object;

object! {
    /// Machine images, networks and endpoints on OpenStack. A NamespacedCloudProfile may only set `machineImages`.
    CloudProfileConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Floating IP pools and load balancer providers for Shoots; required in a CloudProfile.
        "constraints": Constraints;
        /// IP addresses of DNS servers for new subnets.
        "dnsServers": [String];
        /// DHCP domain, as in `nova.conf`.
        "dhcpDomain": String => [NotEmpty];
        /// URL of Keystone for all regions. A CloudProfile must set `keystoneURL` or `keystoneURLs`.
        "keystoneURL": String;
        /// CA certificates of `keystoneURL`, in PEM.
        "keystoneCACert": String;
        /// Disables the verification of the certificate of Keystone.
        "keystoneForceInsecure": Boolean;
        /// URLs of Keystone by region.
        "keystoneURLs": [KeyStoneURL];
        /// Machine images; required in a CloudProfile.
        "machineImages": [MachineImages];
        /// Timeout of requests to OpenStack, for example `180s`.
        "requestTimeout": Duration;
        /// Checks the size of a block device before its file system is resized.
        "rescanBlockStorageOnResize": Boolean;
        /// Ignores the zones of volumes when Pods are scheduled, for zones with different names in Cinder and Nova.
        "ignoreVolumeAZ": Boolean;
        /// Maximum number of volumes that are attached to a node.
        "nodeVolumeAttachLimit": Integer32;
        /// Enables Octavia for load balancers; removed.
        "useOctavia": Boolean => [Until(50)];
        /// Enables SNAT on the routers that Gardener creates.
        "useSNAT": Boolean;
        /// Policies for server groups of worker pools, for example `soft-anti-affinity`.
        "serverGroupPolicies": [String];
        /// Options for `/etc/resolv.conf` of nodes, for example `rotate`.
        "resolvConfOptions": [String];
        /// StorageClasses of Shoots.
        "storageClasses": [StorageClassDefinition];
    }
}

object! {
    /// Floating IP pools and load balancer providers for Shoots.
    Constraints {
        /// Floating IP pools for Shoots; required in a CloudProfile.
        "floatingPools": [FloatingPool];
        /// Load balancer providers for Shoots; required in a CloudProfile.
        "loadBalancerProviders": [LoadBalancerProvider];
    }
}

object! {
    /// Floating IP pool for Shoots. It is unique by name, domain and region.
    FloatingPool {
        /// Name of the pool, or a pattern with `*` at the start or end.
        "name": String required => [Filled];
        /// Region of the pool. The default is all regions.
        "region": String => [NotEmpty];
        /// OpenStack domain of the pool. The default is all domains.
        "domain": String => [NotEmpty];
        /// Default subnet in the pool.
        "defaultFloatingSubnet": String;
        /// Makes the pool available in addition to pools that match the region or domain more closely.
        "nonConstraining": Boolean;
        /// Load balancer classes of the pool.
        "loadBalancerClasses": [LoadBalancerClass];
    }
}

object! {
    /// URL of Keystone in a region.
    KeyStoneURL {
        /// Region of the URL; it may occur once.
        "region": String required => [Filled];
        /// URL of Keystone, for example `https://keystone.example.com/v3`.
        "url": String required => [Filled];
        /// CA certificates of the URL, in PEM.
        "caCert": String;
    }
}

object! {
    /// Load balancer class. At most one of the ID, name and tags of the floating subnet can be set.
    LoadBalancerClass {
        /// Name of the class; it may occur once.
        "name": String required => [Filled];
        /// Purpose of the class; `vpn` is only possible in a CloudProfile.
        "purpose": String => [Enum(&["default", "private", "vpn"])];
        /// UUID of the subnet in the floating network.
        "floatingSubnetID": String;
        /// Tags of the subnets in the floating network, separated by commas.
        "floatingSubnetTags": String;
        /// Name or pattern of the subnet in the floating network.
        "floatingSubnetName": String;
        /// UUID of the floating network.
        "floatingNetworkID": String;
        /// ID of a local subnet, for load balancers without a floating IP address.
        "subnetID": String;
    }
}

object! {
    /// Load balancer provider for Shoots.
    LoadBalancerProvider {
        /// Name of the provider, for example `amphora`.
        "name": String required => [Filled];
        /// Region of the provider. The default is all regions without a provider.
        "region": String => [NotEmpty];
    }
}

object! {
    /// Versions of a machine image.
    MachineImages {
        /// Name of the image in `spec.machineImages`.
        "name": String required => [Filled];
        /// Versions of the image.
        "versions": [MachineImageVersion] required => [Filled];
    }
}

object! {
    /// Version of a machine image.
    MachineImageVersion {
        /// Version of the image in `spec.machineImages`.
        "version": String required => [Filled];
        /// Name of the image, for regions without an ID.
        "image": String;
        /// IDs of the image by region.
        "regions": [RegionIDMapping];
        /// Images of the version by capabilities, in place of `regions`; only with `spec.machineCapabilities`.
        "capabilityFlavors": [MachineImageFlavor] => [Since(52)];
    }
}

object! {
    /// Image of a version with certain capabilities.
    MachineImageFlavor {
        /// IDs of the image by region.
        "regions": [RegionIDMapping];
        /// Name of the image, for regions without an ID.
        "image": String;
        /// Capabilities of the image with their values, for example `architecture: [amd64]`.
        "capabilities": {[String]};
    }
}

object! {
    /// ID of an image in a region.
    RegionIDMapping {
        /// Name of the region.
        "name": String required => [Filled];
        /// ID of the image in the region.
        "id": String required => [Filled];
        /// CPU architecture of the image. The default is `amd64`; forbidden in `capabilityFlavors`.
        "architecture": String => [Enum(&["amd64", "arm64"])];
    }
}

object! {
    /// StorageClass of Shoots.
    StorageClassDefinition {
        /// Name of the StorageClass.
        "name": String;
        /// Marks the StorageClass as the default.
        "default": Boolean;
        /// Provisioner of the StorageClass, for example `cinder.csi.openstack.org`.
        "provisioner": String;
        /// Parameters of the StorageClass.
        "parameters": {String};
        /// Annotations of the StorageClass.
        "annotations": {String};
        /// Labels of the StorageClass.
        "labels": {String};
        /// Reclaim policy of the StorageClass, for example `Delete`.
        "reclaimPolicy": String;
        /// Volume binding mode of the StorageClass, for example `WaitForFirstConsumer`.
        "volumeBindingMode": String;
    }
}
