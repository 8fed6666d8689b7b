// SPDX-License-Identifier: Apache-2.0
//! The CloudProfileConfig of provider-openstack.

use crate::api::Constraint::{Enum, Filled, NotEmpty, Since, Until};
use crate::api::{Capabilities, object};

object! {
    /// Machine images, networks and endpoints on OpenStack. A NamespacedCloudProfile may only set `machineImages`.
    #[derive(PartialEq)]
    CloudProfileConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Floating IP pools and load balancer providers for Shoots; required in a CloudProfile.
        "constraints": Constraints -> constraints: Constraints;
        /// IP addresses of DNS servers for new subnets.
        "dnsServers": [String] -> dns_servers: Vec<String>;
        /// DHCP domain, as in `nova.conf`.
        "dhcpDomain": String -> dhcp_domain: Option<String> => [NotEmpty];
        /// URL of Keystone for all regions. A CloudProfile must set `keystoneURL` or `keystoneURLs`.
        "keystoneURL": String -> keystone_url: String;
        /// CA certificates of `keystoneURL`, in PEM.
        "keystoneCACert": String -> keystone_ca_cert: Option<String>;
        /// Disables the verification of the certificate of Keystone.
        "keystoneForceInsecure": Boolean -> keystone_force_insecure: bool;
        /// URLs of Keystone by region.
        "keystoneURLs": [KeyStoneURL] -> keystone_urls: Vec<KeyStoneURL>;
        /// Machine images; required in a CloudProfile.
        "machineImages": [MachineImages] -> machine_images: Vec<MachineImages>;
        /// Timeout of requests to OpenStack, for example `180s`.
        "requestTimeout": Duration -> request_timeout: Option<String>;
        /// Checks the size of a block device before its file system is resized.
        "rescanBlockStorageOnResize": Boolean -> rescan_block_storage_on_resize: Option<bool>;
        /// Ignores the zones of volumes when Pods are scheduled, for zones with different names in Cinder and Nova.
        "ignoreVolumeAZ": Boolean -> ignore_volume_az: Option<bool>;
        /// Maximum number of volumes that are attached to a node.
        "nodeVolumeAttachLimit": Integer32 -> node_volume_attach_limit: Option<i32>;
        /// Enables Octavia for load balancers; removed.
        "useOctavia": Boolean -> use_octavia: Option<bool> => [Until(50)];
        /// Enables SNAT on the routers that Gardener creates.
        "useSNAT": Boolean -> use_snat: Option<bool>;
        /// Policies for server groups of worker pools, for example `soft-anti-affinity`.
        "serverGroupPolicies": [String] -> server_group_policies: Vec<String>;
        /// Options for `/etc/resolv.conf` of nodes, for example `rotate`.
        "resolvConfOptions": [String] -> resolv_conf_options: Vec<String>;
        /// StorageClasses of Shoots.
        "storageClasses": [StorageClassDefinition] -> storage_classes: Vec<StorageClassDefinition>;
    }
}

object! {
    /// Floating IP pools and load balancer providers for Shoots.
    #[derive(PartialEq)]
    Constraints {
        /// Floating IP pools for Shoots; required in a CloudProfile.
        "floatingPools": [FloatingPool] -> floating_pools: Vec<FloatingPool>;
        /// Load balancer providers for Shoots; required in a CloudProfile.
        "loadBalancerProviders": [LoadBalancerProvider] -> load_balancer_providers: Vec<LoadBalancerProvider>;
    }
}

object! {
    /// Floating IP pool for Shoots. It is unique by name, domain and region.
    #[derive(PartialEq)]
    FloatingPool {
        /// Name of the pool, or a pattern with `*` at the start or end.
        "name": String required -> name: String => [Filled];
        /// Region of the pool. The default is all regions.
        "region": String -> region: Option<String> => [NotEmpty];
        /// OpenStack domain of the pool. The default is all domains.
        "domain": String -> domain: Option<String> => [NotEmpty];
        /// Default subnet in the pool.
        "defaultFloatingSubnet": String;
        /// Makes the pool available in addition to pools that match the region or domain more closely.
        "nonConstraining": Boolean -> non_constraining: Option<bool>;
        /// Load balancer classes of the pool.
        "loadBalancerClasses": [LoadBalancerClass] -> load_balancer_classes: Vec<LoadBalancerClass>;
    }
}

object! {
    /// URL of Keystone in a region.
    #[derive(PartialEq)]
    KeyStoneURL {
        /// Region of the URL; it may occur once.
        "region": String required -> region: String => [Filled];
        /// URL of Keystone, for example `https://keystone.example.com/v3`.
        "url": String required -> url: String => [Filled];
        /// CA certificates of the URL, in PEM.
        "caCert": String -> ca_cert: Option<String>;
    }
}

object! {
    /// Load balancer class. At most one of the ID, name and tags of the floating subnet can be set.
    #[derive(PartialEq)]
    LoadBalancerClass {
        /// Name of the class; it may occur once.
        "name": String required -> name: String => [Filled];
        /// Purpose of the class; `vpn` is only possible in a CloudProfile.
        "purpose": String -> purpose: Option<String> => [Enum(&["default", "private", "vpn"])];
        /// UUID of the subnet in the floating network.
        "floatingSubnetID": String -> floating_subnet_id: Option<String>;
        /// Tags of the subnets in the floating network, separated by commas.
        "floatingSubnetTags": String -> floating_subnet_tags: Option<String>;
        /// Name or pattern of the subnet in the floating network.
        "floatingSubnetName": String -> floating_subnet_name: Option<String>;
        /// UUID of the floating network.
        "floatingNetworkID": String -> floating_network_id: Option<String>;
        /// ID of a local subnet, for load balancers without a floating IP address.
        "subnetID": String -> subnet_id: Option<String>;
    }
}

object! {
    /// Load balancer provider for Shoots.
    #[derive(PartialEq)]
    LoadBalancerProvider {
        /// Name of the provider, for example `amphora`.
        "name": String required -> name: String => [Filled];
        /// Region of the provider. The default is all regions without a provider.
        "region": String -> region: Option<String> => [NotEmpty];
    }
}

object! {
    /// Versions of a machine image.
    #[derive(PartialEq)]
    MachineImages {
        /// Name of the image in `spec.machineImages`.
        "name": String required -> name: String => [Filled];
        /// Versions of the image.
        "versions": [MachineImageVersion] required -> versions: Vec<MachineImageVersion> => [Filled];
    }
}

object! {
    /// Version of a machine image.
    #[derive(PartialEq)]
    MachineImageVersion {
        /// Version of the image in `spec.machineImages`.
        "version": String required -> version: String => [Filled];
        /// Name of the image, for regions without an ID.
        "image": String;
        /// IDs of the image by region.
        "regions": [RegionIDMapping] -> regions: Vec<RegionIDMapping>;
        /// Images of the version by capabilities, in place of `regions`; only with `spec.machineCapabilities`.
        "capabilityFlavors": [MachineImageFlavor] -> capability_flavors: Vec<MachineImageFlavor> => [Since(52)];
    }
}

object! {
    /// Image of a version with certain capabilities.
    #[derive(PartialEq)]
    MachineImageFlavor {
        /// IDs of the image by region.
        "regions": [RegionIDMapping] -> regions: Vec<RegionIDMapping>;
        /// Name of the image, for regions without an ID.
        "image": String;
        /// Capabilities of the image with their values, for example `architecture: [amd64]`.
        "capabilities": {[String]} -> capabilities: Capabilities;
    }
}

object! {
    /// ID of an image in a region.
    #[derive(PartialEq)]
    RegionIDMapping {
        /// Name of the region.
        "name": String required -> name: String => [Filled];
        /// ID of the image in the region.
        "id": String required -> id: String => [Filled];
        /// CPU architecture of the image. The default is `amd64`; forbidden in `capabilityFlavors`.
        "architecture": String -> architecture: Option<String> => [Enum(&["amd64", "arm64"])];
    }
}

object! {
    /// StorageClass of Shoots.
    #[derive(PartialEq)]
    StorageClassDefinition {
        /// Name of the StorageClass.
        "name": String -> name: String;
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
