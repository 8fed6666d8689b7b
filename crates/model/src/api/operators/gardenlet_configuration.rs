// SPDX-License-Identifier: Apache-2.0
//! GardenletConfiguration: the configuration in ManagedSeeds and Gardenlets.

use crate::api::Constraint::{AtLeast, AtMost, Format, LastsAtLeast};
use crate::api::Format::{DnsLabel, LabelKey};
use crate::api::object;
use crate::api::operators::gardenlet_controllers::GardenletControllerConfiguration;
use crate::api::seed::SeedSpec;
use crate::api::shared::metadata::ObjectMeta;
use crate::api::shared::references::SecretReference;

object! {
    /// Configuration of a gardenlet.
    GardenletConfiguration {
        /// API group and version: `gardenlet.config.gardener.cloud/v1alpha1`.
        "apiVersion": String;
        /// Kind: `GardenletConfiguration`.
        "kind": String;
        /// Connection to the garden cluster.
        "gardenClientConnection": GardenClientConnection;
        /// Connection to the seed cluster.
        "seedClientConnection": ClientConnectionConfiguration;
        /// Connection to shoot clusters.
        "shootClientConnection": ClientConnectionConfiguration;
        /// Settings of the controllers.
        "controllers": GardenletControllerConfiguration;
        /// Capacity of the Seed.
        "resources": ResourcesConfiguration;
        /// Leader election of the replicas.
        "leaderElection": LeaderElectionConfiguration;
        /// Level of the log: `info`, `debug` or `error`.
        "logLevel": String;
        /// Format of the log: `json` or `text`.
        "logFormat": String;
        /// Addresses of health probes and metrics.
        "server": GardenletServerConfiguration;
        /// Profiling.
        "debugging": DebuggingConfiguration;
        /// Feature gates of the gardenlet.
        "featureGates": {Boolean};
        /// Seed that the gardenlet registers.
        "seedConfig": SeedTemplate;
        /// Logging stack of the seed cluster.
        "logging": GardenletLogging;
        /// Ingress gateway of the seed cluster.
        "sni": SNI;
        /// Settings of etcd-druid.
        "etcdConfig": GardenletETCDConfig;
        /// Handlers of exposure classes.
        "exposureClassHandlers": [ExposureClassHandler];
        /// Monitoring stack.
        "monitoring": MonitoringConfig;
        /// Default tolerations of pods in the seed cluster.
        "nodeToleration": NodeToleration;
    }
}

object! {
    /// Seed that a gardenlet registers.
    SeedTemplate {
        /// Metadata of the Seed, without a name.
        "metadata": ObjectMeta;
        /// Desired state of the Seed.
        "spec": SeedSpec filled;
    }
}

object! {
    /// Connection to the garden cluster.
    GardenClientConnection {
        /// Path of a kubeconfig file.
        "kubeconfig": String;
        /// `Accept` header of requests.
        "acceptContentTypes": String;
        /// Content type of requests.
        "contentType": String;
        /// Queries per second.
        "qps": Number;
        /// Queries that may exceed `qps` for a moment.
        "burst": Integer32 => [AtLeast(0.0)];
        /// External address of the garden cluster.
        "gardenClusterAddress": String;
        /// Secret with a kubeconfig for bootstrapping.
        "bootstrapKubeconfig": SecretReference;
        /// Secret in which the gardenlet stores its kubeconfig.
        "kubeconfigSecret": SecretReference;
        /// Validity and rotation of the kubeconfig.
        "kubeconfigValidity": KubeconfigValidity;
    }
}

object! {
    /// Validity and rotation of the kubeconfig of a gardenlet.
    KubeconfigValidity {
        /// Validity of the client certificate; at least `10m`.
        "validity": Duration => [LastsAtLeast(600.0)];
        /// Minimum percentage of the validity after which the certificate is rotated, by default 70.
        "autoRotationJitterPercentageMin": Integer32 => [AtLeast(1.0)];
        /// Maximum percentage of the validity after which the certificate is rotated, by default 90.
        "autoRotationJitterPercentageMax": Integer32 => [AtMost(100.0)];
    }
}

object! {
    /// Connection to a cluster.
    ClientConnectionConfiguration {
        /// Path of a kubeconfig file.
        "kubeconfig": String;
        /// `Accept` header of requests.
        "acceptContentTypes": String;
        /// Content type of requests.
        "contentType": String;
        /// Queries per second.
        "qps": Number;
        /// Queries that may exceed `qps` for a moment.
        "burst": Integer32 => [AtLeast(0.0)];
    }
}

object! {
    /// Capacity of a Seed.
    ResourcesConfiguration {
        /// Capacity by resource, such as `shoots`, by default 250.
        "capacity": {Quantity};
        /// Capacity that is reserved for Gardener, by resource.
        "reserved": {Quantity};
    }
}

object! {
    /// Leader election of replicas.
    LeaderElectionConfiguration {
        /// Whether a leader is elected.
        "leaderElect": Boolean;
        /// Duration after which others try to become the leader; longer than `renewDeadline`.
        "leaseDuration": Duration;
        /// Duration within which the leader renews its lease.
        "renewDeadline": Duration;
        /// Duration between two tries.
        "retryPeriod": Duration;
        /// Resource of the lock, such as `leases`.
        "resourceLock": String;
        /// Name of the lock.
        "resourceName": String;
        /// Namespace of the lock.
        "resourceNamespace": String;
    }
}

object! {
    /// Addresses of a gardenlet.
    GardenletServerConfiguration {
        /// Address of health probes.
        "healthProbes": GardenletServer;
        /// Address of metrics.
        "metrics": GardenletServer;
    }
}

object! {
    /// Address of a server.
    GardenletServer {
        /// IP address.
        "bindAddress": String;
        /// Port number.
        "port": Integer64;
    }
}

object! {
    /// Profiling.
    DebuggingConfiguration {
        /// Whether profiles can be read.
        "enableProfiling": Boolean;
        /// Whether profiles contain lock contention.
        "enableContentionProfiling": Boolean;
    }
}

object! {
    /// Logging stack of a seed cluster.
    GardenletLogging {
        /// Whether the stack is deployed.
        "enabled": Boolean;
        /// Vali.
        "vali": LogBackend;
        /// VictoriaLogs.
        "victoriaLogs": LogBackend;
        /// Logs of the nodes of Shoots.
        "shootNodeLogging": ShootNodeLogging;
        /// Events of Shoots.
        "shootEventLogging": ShootEventLogging;
    }
}

object! {
    /// Backend of a logging stack.
    LogBackend {
        /// Whether it is deployed.
        "enabled": Boolean;
        /// Its instance in the garden namespace.
        "garden": LogStorage;
    }
}

object! {
    /// Instance of a log backend in the garden namespace.
    LogStorage {
        /// Size of its volume, by default `100Gi`.
        "storage": Quantity;
    }
}

object! {
    /// Logs of the nodes of Shoots.
    ShootNodeLogging {
        /// Purposes of Shoots with such logs.
        "shootPurposes": [String];
    }
}

object! {
    /// Events of Shoots.
    ShootEventLogging {
        /// Whether the event logger is deployed.
        "enabled": Boolean;
    }
}

object! {
    /// Ingress gateway.
    SNI {
        /// Ingress gateway.
        "ingress": SNIIngress;
    }
}

object! {
    /// Service of an ingress gateway.
    SNIIngress {
        /// Name of the Service.
        "serviceName": String;
        /// External IP address of the Service.
        "serviceExternalIP": String;
        /// Namespace of the Service.
        "namespace": String;
        /// Labels of the gateway.
        "labels": {String};
    }
}

object! {
    /// Settings of etcd-druid.
    GardenletETCDConfig {
        /// Controller of Etcds.
        "etcdController": ETCDController;
        /// Custodian controller.
        "custodianController": CustodianController;
        /// Controller of backup compactions.
        "backupCompactionController": BackupCompactionController;
        /// Leader election of etcd-backup-restore.
        "backupLeaderElection": ETCDBackupLeaderElection;
        /// Feature gates of etcd-druid.
        "featureGates": {Boolean};
        /// Duration for which delta snapshots are kept.
        "deltaSnapshotRetentionPeriod": Duration;
    }
}

object! {
    /// Controller of Etcds.
    ETCDController {
        /// Number of workers, by default 50.
        "workers": Integer64;
    }
}

object! {
    /// Custodian controller of etcd-druid.
    CustodianController {
        /// Number of workers, by default 10.
        "workers": Integer64;
    }
}

object! {
    /// Controller of backup compactions.
    BackupCompactionController {
        /// Number of workers, by default 3.
        "workers": Integer64;
        /// Whether backups are compacted.
        "enableBackupCompaction": Boolean;
        /// Number of etcd events after which a backup is compacted.
        "eventsThreshold": Integer64;
        /// Duration after which a running compaction is stopped.
        "activeDeadlineDuration": Duration;
        /// Duration for which a finished compaction exports metrics.
        "metricsScrapeWaitDuration": Duration;
    }
}

object! {
    /// Leader election of etcd-backup-restore.
    ETCDBackupLeaderElection {
        /// Duration between two checks of the leadership.
        "reelectionPeriod": Duration;
        /// Timeout of connections to etcd.
        "etcdConnectionTimeout": Duration;
    }
}

object! {
    /// Handler of an exposure class.
    ExposureClassHandler {
        /// Name of the handler.
        "name": String required => [Format(DnsLabel)];
        /// Load balancer of the handler.
        "loadBalancerService": LoadBalancerServiceConfig required;
        /// Ingress gateway of the handler.
        "sni": SNI;
    }
}

object! {
    /// Load balancer of a handler.
    LoadBalancerServiceConfig {
        /// Annotations of the Service.
        "annotations": {String};
        /// Load balancer class of the Service.
        "class": String => [Format(LabelKey)];
    }
}

object! {
    /// Monitoring stack.
    MonitoringConfig {
        /// Monitoring stack of Shoots.
        "shoot": ShootMonitoringConfig;
    }
}

object! {
    /// Monitoring stack of Shoots.
    ShootMonitoringConfig {
        /// Whether the stack is deployed, by default `true`.
        "enabled": Boolean;
        /// Remote write of metrics.
        "remoteWrite": RemoteWriteMonitoringConfig;
        /// Additional external labels.
        "externalLabels": {String};
    }
}

object! {
    /// Remote write of metrics.
    RemoteWriteMonitoringConfig {
        /// URL of the receiver.
        "url": String required;
        /// Names of the metrics.
        "keep": [String];
    }
}

object! {
    /// Default tolerations of pods in a seed cluster.
    NodeToleration {
        /// Seconds for which pods tolerate nodes that are not ready.
        "defaultNotReadyTolerationSeconds": Integer64 => [AtLeast(0.0)];
        /// Seconds for which pods tolerate unreachable nodes.
        "defaultUnreachableTolerationSeconds": Integer64 => [AtLeast(0.0)];
    }
}
