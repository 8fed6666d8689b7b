// SPDX-License-Identifier: Apache-2.0
//! The WorkerConfig of provider-gcp.

use std::collections::BTreeMap;

use crate::api::Constraint::{AtLeast, Enum, Filled, Since};
use crate::api::object;
use garden_gate_text::go::Quantity;

object! {
    /// Machines of a worker pool on Google Cloud.
    WorkerConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// GPUs that are attached to a machine.
        "gpu": GPU -> gpu: Option<GPU>;
        /// Settings of all volumes of a machine.
        "volume": Volume -> volume: Option<Volume>;
        /// Performance of the boot disk.
        "bootVolume": BootVolume -> boot_volume: Option<BootVolume> => [Since(49)];
        /// Settings of individual data volumes.
        "dataVolumes": [DataVolume] -> data_volumes: Vec<DataVolume> => [Since(37)];
        /// Minimum CPU platform of the machines, for example `Intel Ice Lake`.
        "minCpuPlatform": String -> min_cpu_platform: Option<String>;
        /// Service account of the machines; it must exist.
        "serviceAccount": ServiceAccount -> service_account: Option<ServiceAccount>;
        /// Resources of a node, with which the cluster autoscaler scales the pool from zero.
        "nodeTemplate": NodeTemplate -> node_template: Option<NodeTemplate>;
    }
}

object! {
    /// GPUs that are attached to a machine.
    GPU {
        /// Type of the GPUs, for example `nvidia-tesla-t4`.
        "acceleratorType": String required -> accelerator_type: String;
        /// Number of GPUs of a machine.
        "count": Integer32 required -> count: i32 => [AtLeast(1.0)];
    }
}

object! {
    /// Settings of all volumes of a machine.
    Volume {
        /// Interface of local SSDs; required for volumes of type `SCRATCH`, and forbidden for others.
        "interface": String -> interface: Option<String> => [Enum(&["NVME", "SCSI"])];
        /// Encryption with a key of Cloud KMS; not possible for volumes of type `SCRATCH`.
        "encryption": DiskEncryption -> encryption: Option<DiskEncryption>;
    }
}

object! {
    /// Encryption of disks with a key of Cloud KMS.
    DiskEncryption {
        /// Resource name of the key.
        "kmsKeyName": String required -> kms_key_name: String;
        /// Service account that may use the key. The default is the service agent of Compute Engine.
        "kmsKeyServiceAccount": String -> kms_key_service_account: Option<String>;
    }
}

object! {
    /// Performance of the boot disk.
    BootVolume {
        /// Provisioned IOPS; only for disks of type `pd-extreme`, `hyperdisk-extreme` and `hyperdisk-balanced`.
        "provisionedIops": Integer64 -> provisioned_iops: Option<i64>;
        /// Provisioned throughput, in MiB per second; only for disks of type `hyperdisk-throughput` and `hyperdisk-balanced`.
        "provisionedThroughput": Integer64 -> provisioned_throughput: Option<i64>;
        /// Storage pool of the disk.
        "storagePool": String;
    }
}

object! {
    /// Settings of a data volume.
    DataVolume {
        /// Name of the volume in `dataVolumes` of the worker pool.
        "name": String required -> name: String;
        /// Image for the initial content of the disk.
        "sourceImage": String -> source_image: Option<String>;
        /// Provisioned IOPS; only for disks of type `pd-extreme`, `hyperdisk-extreme` and `hyperdisk-balanced`.
        "provisionedIops": Integer64 -> provisioned_iops: Option<i64>;
        /// Provisioned throughput, in MiB per second; only for disks of type `hyperdisk-throughput` and `hyperdisk-balanced`.
        "provisionedThroughput": Integer64 -> provisioned_throughput: Option<i64>;
        /// Storage pool of the disk.
        "storagePool": String => [Since(49)];
    }
}

object! {
    /// Service account of the machines.
    ServiceAccount {
        /// E-mail address of the service account, for example `name@project.iam.gserviceaccount.com`.
        "email": String required -> email: String;
        /// OAuth scopes of the service account, for example `https://www.googleapis.com/auth/cloud-platform`.
        "scopes": [String] required -> scopes: Vec<String> => [Filled];
    }
}

object! {
    /// Resources of a node.
    NodeTemplate {
        /// Capacity by resource name, for example `cpu`, `gpu` and `memory`.
        "capacity": {Quantity} -> capacity: BTreeMap<String, Option<Quantity>>;
        /// Capacity of virtual extended resources by resource name, in whole numbers.
        "virtualCapacity": {Quantity} -> virtual_capacity: BTreeMap<String, Option<Quantity>> => [Since(44)];
    }
}
