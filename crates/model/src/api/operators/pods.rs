// SPDX-License-Identifier: Apache-2.0
//! Parts of pods in manifests of operators.

use crate::api::object;
use crate::api::operators::bastion::LocalObjectReference;

object! {
    /// Resources of a container.
    ContainerResources {
        /// Limits by resource.
        "limits": {Quantity};
        /// Requests by resource.
        "requests": {Quantity};
        /// Resource claims of the pod that the container uses.
        "claims": [ResourceClaim; by name];
    }
}

object! {
    /// Resource claim of a container.
    ResourceClaim {
        /// Name of the claim in the pod.
        "name": String required;
        /// Name of a request in the claim.
        "request": String;
    }
}

object! {
    /// Environment variable of a container.
    EnvVar {
        /// Name of the variable.
        "name": String required;
        /// Value of the variable.
        "value": String;
        /// Source of the value; excludes `value`.
        "valueFrom": EnvVarSource;
    }
}

object! {
    /// Source of the value of an environment variable.
    EnvVarSource {
        /// Field of the pod.
        "fieldRef": ObjectFieldSelector;
        /// Resource of the container.
        "resourceFieldRef": ResourceFieldSelector;
        /// Key of a ConfigMap.
        "configMapKeyRef": KeySelector;
        /// Key of a Secret.
        "secretKeyRef": KeySelector;
        /// Key of a file in a volume.
        "fileKeyRef": FileKeySelector;
    }
}

object! {
    /// Field of a pod.
    ObjectFieldSelector {
        /// API version of the path.
        "apiVersion": String;
        /// Path of the field.
        "fieldPath": String required;
    }
}

object! {
    /// Resource of a container.
    ResourceFieldSelector {
        /// Name of the container.
        "containerName": String;
        /// Resource, such as `limits.cpu`.
        "resource": String required;
        /// Unit of the value.
        "divisor": Quantity;
    }
}

object! {
    /// Key of a ConfigMap or Secret.
    KeySelector {
        /// Name of the ConfigMap or Secret.
        "name": String;
        /// Key.
        "key": String required;
        /// Whether the object and the key may be missing.
        "optional": Boolean;
    }
}

object! {
    /// Key of a file in a volume.
    FileKeySelector {
        /// Name of the volume.
        "volumeName": String required;
        /// Path of the file.
        "path": String required;
        /// Key.
        "key": String required;
        /// Whether the file and the key may be missing.
        "optional": Boolean;
    }
}

object! {
    /// Volume mount of a container.
    VolumeMount {
        /// Name of the volume.
        "name": String required;
        /// Whether the mount is read-only.
        "readOnly": Boolean;
        /// Whether nested mounts are read-only, too.
        "recursiveReadOnly": String;
        /// Path in the container.
        "mountPath": String required;
        /// Path in the volume.
        "subPath": String;
        /// Propagation of mounts between the container and its node.
        "mountPropagation": String;
        /// Path in the volume with environment variables.
        "subPathExpr": String;
    }
}

/// Declares a volume; sources without fields are not decoded.
macro_rules! volume {
    ($($(#[doc = $about:literal])* $name:literal: $shape:ident;)*) => {
        object! {
            /// Volume of a pod.
            PodVolume {
                /// Name of the volume.
                "name": String required;
                $($(#[doc = $about])* $name: $shape;)*
            }
        }
    };
}

volume! {
    /// Directory or file of the node.
    "hostPath": HostPathVolumeSource;
    /// Empty directory.
    "emptyDir": EmptyDirVolumeSource;
    /// Disk of GCP.
    "gcePersistentDisk": Any;
    /// Disk of AWS.
    "awsElasticBlockStore": Any;
    /// Git repository.
    "gitRepo": Any;
    /// Secret.
    "secret": SecretVolumeSource;
    /// NFS.
    "nfs": NFSVolumeSource;
    /// iSCSI.
    "iscsi": Any;
    /// GlusterFS.
    "glusterfs": Any;
    /// PersistentVolumeClaim.
    "persistentVolumeClaim": PersistentVolumeClaimVolumeSource;
    /// Ceph block device.
    "rbd": Any;
    /// FlexVolume.
    "flexVolume": Any;
    /// Disk of OpenStack.
    "cinder": Any;
    /// Ceph file system.
    "cephfs": Any;
    /// Flocker.
    "flocker": Any;
    /// Fields of the pod as files.
    "downwardAPI": DownwardAPIVolumeSource;
    /// Fibre Channel.
    "fc": Any;
    /// File share of Azure.
    "azureFile": Any;
    /// ConfigMap.
    "configMap": ConfigMapVolumeSource;
    /// Disk of vSphere.
    "vsphereVolume": Any;
    /// Quobyte.
    "quobyte": Any;
    /// Disk of Azure.
    "azureDisk": Any;
    /// Disk of Photon.
    "photonPersistentDisk": Any;
    /// Several sources in one directory.
    "projected": ProjectedVolumeSource;
    /// Portworx.
    "portworxVolume": Any;
    /// ScaleIO.
    "scaleIO": Any;
    /// StorageOS.
    "storageos": Any;
    /// Inline volume of a CSI driver.
    "csi": CSIVolumeSource;
    /// PersistentVolumeClaim with the lifetime of the pod.
    "ephemeral": Any;
    /// OCI image or artifact.
    "image": ImageVolumeSource;
}

object! {
    /// Directory or file of a node.
    HostPathVolumeSource {
        /// Path on the node.
        "path": String required;
        /// Type of the path, such as `Directory`.
        "type": String;
    }
}

object! {
    /// Empty directory.
    EmptyDirVolumeSource {
        /// Storage medium, such as `Memory`.
        "medium": String;
        /// Maximum size.
        "sizeLimit": Quantity;
    }
}

object! {
    /// Secret as a volume.
    SecretVolumeSource {
        /// Name of the Secret.
        "secretName": String;
        /// Keys and their paths; all keys by default.
        "items": [KeyToPath];
        /// Mode of the files.
        "defaultMode": Integer32;
        /// Whether the Secret and its keys may be missing.
        "optional": Boolean;
    }
}

object! {
    /// Key and its path.
    KeyToPath {
        /// Key.
        "key": String required;
        /// Path of the file.
        "path": String required;
        /// Mode of the file.
        "mode": Integer32;
    }
}

object! {
    /// Directory of an NFS server.
    NFSVolumeSource {
        /// Address of the server.
        "server": String required;
        /// Exported path.
        "path": String required;
        /// Whether the volume is read-only.
        "readOnly": Boolean;
    }
}

object! {
    /// PersistentVolumeClaim as a volume.
    PersistentVolumeClaimVolumeSource {
        /// Name of the PersistentVolumeClaim.
        "claimName": String required;
        /// Whether the volume is read-only.
        "readOnly": Boolean;
    }
}

object! {
    /// Fields of the pod as files.
    DownwardAPIVolumeSource {
        /// Files.
        "items": [DownwardAPIVolumeFile];
        /// Mode of the files.
        "defaultMode": Integer32;
    }
}

object! {
    /// Field of the pod as a file.
    DownwardAPIVolumeFile {
        /// Path of the file.
        "path": String required;
        /// Field of the pod.
        "fieldRef": ObjectFieldSelector;
        /// Resource of a container.
        "resourceFieldRef": ResourceFieldSelector;
        /// Mode of the file.
        "mode": Integer32;
    }
}

object! {
    /// ConfigMap as a volume.
    ConfigMapVolumeSource {
        /// Name of the ConfigMap.
        "name": String;
        /// Keys and their paths; all keys by default.
        "items": [KeyToPath];
        /// Mode of the files.
        "defaultMode": Integer32;
        /// Whether the ConfigMap and its keys may be missing.
        "optional": Boolean;
    }
}

object! {
    /// Several sources in one directory.
    ProjectedVolumeSource {
        /// Sources.
        "sources": [VolumeProjection];
        /// Mode of the files.
        "defaultMode": Integer32;
    }
}

object! {
    /// Source of a projected volume.
    VolumeProjection {
        /// Secret.
        "secret": ObjectProjection;
        /// Fields of the pod.
        "downwardAPI": DownwardAPIProjection;
        /// ConfigMap.
        "configMap": ObjectProjection;
        /// Token of the ServiceAccount.
        "serviceAccountToken": ServiceAccountTokenProjection;
        /// Trust anchors.
        "clusterTrustBundle": Any;
        /// Certificate of the pod.
        "podCertificate": Any;
    }
}

object! {
    /// Secret or ConfigMap in a projected volume.
    ObjectProjection {
        /// Name of the Secret or ConfigMap.
        "name": String;
        /// Keys and their paths; all keys by default.
        "items": [KeyToPath];
        /// Whether the object and its keys may be missing.
        "optional": Boolean;
    }
}

object! {
    /// Fields of the pod in a projected volume.
    DownwardAPIProjection {
        /// Files.
        "items": [DownwardAPIVolumeFile];
    }
}

object! {
    /// Token of a ServiceAccount.
    ServiceAccountTokenProjection {
        /// Audience of the token.
        "audience": String;
        /// Validity of the token, in seconds.
        "expirationSeconds": Integer64;
        /// Path of the file.
        "path": String required;
    }
}

object! {
    /// Inline volume of a CSI driver.
    CSIVolumeSource {
        /// Name of the driver.
        "driver": String required;
        /// Whether the volume is read-only.
        "readOnly": Boolean;
        /// Type of the file system.
        "fsType": String;
        /// Parameters for the driver.
        "volumeAttributes": {String};
        /// Secret for the driver.
        "nodePublishSecretRef": LocalObjectReference;
    }
}

object! {
    /// OCI image or artifact as a volume.
    ImageVolumeSource {
        /// Reference of the image.
        "reference": String;
        /// Pull policy.
        "pullPolicy": String;
    }
}
