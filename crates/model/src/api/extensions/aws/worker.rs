// SPDX-License-Identifier: Apache-2.0
//! The machines of a worker pool on AWS. Source: `types_worker.go`.

use std::collections::BTreeMap;

use crate::api::Constraint::Since;
use crate::api::object;
use garden_gate_text::go::Quantity;

object! {
    /// Machines of a worker pool on AWS.
    WorkerConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Resources of a node, for scaling from zero.
        "nodeTemplate": NodeTemplate -> node_template: Option<NodeTemplate>;
        /// The root volume.
        "volume": Volume -> volume: Option<Volume>;
        /// Data volumes, by the names in `dataVolumes` of the pool.
        "dataVolumes": [DataVolume] -> data_volumes: Vec<DataVolume>;
        /// IAM instance profile of the machines.
        "iamInstanceProfile": IAMInstanceProfile -> iam_instance_profile: Option<IAMInstanceProfile>;
        /// Instance metadata service.
        "instanceMetadataOptions": InstanceMetadataOptions
            -> instance_metadata_options: Option<InstanceMetadataOptions>;
        /// Options of the CPU.
        "cpuOptions": CpuOptions -> cpu_options: Option<CpuOptions> => [Since(56)];
        /// Capacity reservation of the machines.
        "capacityReservation": CapacityReservation -> capacity_reservation: Option<CapacityReservation> => [Since(66)];
        /// Network interfaces of the machines.
        "networkInterfaces": [NetworkInterface] -> network_interfaces: Vec<NetworkInterface> => [Since(70)];
        /// Placement of the machines on hosts.
        "placement": Placement -> placement: Option<Placement> => [Since(70)];
        /// Purchasing option of the machines.
        "instanceMarketOptions": InstanceMarketOptions
            -> instance_market_options: Option<InstanceMarketOptions> => [Since(70)];
    }
}

object! {
    /// Resources of a node, for scaling from zero.
    NodeTemplate {
        /// Resources, by name.
        "capacity": {Quantity} required -> capacity: BTreeMap<String, Option<Quantity>>;
        /// Resources that are added to those of the machine, by name.
        "virtualCapacity": {Quantity} -> virtual_capacity: BTreeMap<String, Option<Quantity>> => [Since(63)];
    }
}

object! {
    /// Performance of a volume.
    Volume {
        /// Operations per second.
        "iops": Integer32 -> iops: Option<i32>;
        /// Throughput in MiB per second.
        "throughput": Integer32 -> throughput: Option<i32>;
    }
}

object! {
    /// A data volume.
    DataVolume {
        /// Name of the data volume in the pool.
        "name": String required -> name: String;
        /// Operations per second.
        "iops": Integer32 -> iops: Option<i32>;
        /// Throughput in MiB per second.
        "throughput": Integer32 -> throughput: Option<i32>;
        /// ID of a snapshot with which the volume begins, for example `snap-0123456789abcdef0`.
        "snapshotID": String -> snapshot_id: Option<String>;
    }
}

object! {
    /// IAM instance profile of the machines, by name or by ARN.
    IAMInstanceProfile {
        /// Name of the profile.
        "name": String -> name: Option<String>;
        /// ARN of the profile.
        "arn": String -> arn: Option<String>;
    }
}

object! {
    /// Instance metadata service.
    InstanceMetadataOptions {
        /// Whether requests need a token (IMDSv2): `required` or `optional`.
        "httpTokens": String -> http_tokens: Option<String>;
        /// Maximum number of hops of answers, from 1 to 64.
        "httpPutResponseHopLimit": Integer64 -> http_put_response_hop_limit: Option<i64>;
    }
}

object! {
    /// Options of the CPU.
    CpuOptions {
        /// Number of cores.
        "coreCount": Integer64 -> core_count: Option<i64>;
        /// Threads per core: 1 or 2.
        "threadsPerCore": Integer64 -> threads_per_core: Option<i64>;
        /// AMD SEV-SNP: `enabled` or `disabled`.
        "amdSevSnp": String -> amd_sev_snp: Option<String> => [Since(68)];
    }
}

object! {
    /// Capacity reservation of the machines.
    CapacityReservation {
        /// Preference: `capacity-reservations-only`, `open` or `none`.
        "capacityReservationPreference": String -> preference: Option<String>;
        /// ID of a capacity reservation, for example `cr-0123456789abcdef0`.
        "capacityReservationId": String -> id: Option<String>;
        /// ARN of a resource group of capacity reservations.
        "capacityReservationResourceGroupArn": String -> resource_group_arn: Option<String>;
    }
}

object! {
    /// Network interfaces of the machines.
    NetworkInterface {
        /// Index of the network card.
        "networkCardIndex": Integer64 -> network_card_index: Option<i64>;
        /// Range of network cards, each of which gets such an interface.
        "networkCardIndexRange": IndexRange -> network_card_index_range: Option<IndexRange>;
        /// Index of the device on the network card.
        "deviceIndex": Integer64 -> device_index: Option<i64>;
        /// Type: `interface`, `efa` or `efa-only`.
        "type": String -> kind: Option<String>;
        /// Description.
        "description": String;
        /// ID of the subnet.
        "subnetID": String;
    }
}

object! {
    /// Range of indexes.
    IndexRange {
        /// First index.
        "from": Integer64 required -> from: i64;
        /// Last index.
        "to": Integer64 required -> to: i64;
    }
}

object! {
    /// Placement of the machines on hosts.
    Placement {
        /// ID of the placement group.
        "groupId": String;
        /// Tenancy: `default`, `dedicated` or `host`.
        "tenancy": String -> tenancy: Option<String>;
        /// ID of the dedicated host; only for the tenancy `host`.
        "hostId": String -> host_id: Option<String>;
        /// Number of the partition in the placement group.
        "partitionNumber": Integer64 -> partition_number: Option<i64>;
        /// Affinity to the dedicated host: `default` or `host`.
        "affinity": String -> affinity: Option<String>;
    }
}

object! {
    /// Purchasing option of the machines.
    InstanceMarketOptions {
        /// Option: `spot`, `capacity-block` or `interruptible-capacity-reservation`.
        "marketType": String required -> market_type: String;
    }
}
