// SPDX-License-Identifier: Apache-2.0
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use jiff::SignedDuration;
use prometheus_client::metrics::counter::Counter;

use crate::garden::live::LiveSource;
use crate::notify::NotifyOptions;
use garden_gate_core::config::ConfigFiles;
use garden_gate_model::api::GardenerVersion;

/// The options of a server.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// The HTTPS listen address; port 0 selects any free port.
    pub listen: SocketAddr,
    /// The listen address of metrics over plain HTTP; `None` disables them.
    pub metrics_listen: Option<SocketAddr>,
    /// The HTTPS listen address of forecasts for people; `None` disables them.
    pub publish_listen: Option<SocketAddr>,
    /// The folder of a built playground that is published, too; `None` publishes none.
    pub publish_playground: Option<PathBuf>,
    /// The serving certificate.
    pub certificate: CertificateOptions,
    /// The CA bundle for client certificates; `None` disables the check.
    pub client_ca: Option<PathBuf>,
    /// Names of which a client certificate must have one; any if empty.
    pub client_names: Vec<String>,
    /// The source of the garden.
    pub garden: GardenOptions,
    /// The time for which a kind's last known state is used while the API server refuses to send updates.
    pub watch_patience: Duration,
    /// The configuration.
    pub config: ConfigFiles,
    /// Files and directories with policies of operators.
    pub policies: Vec<PathBuf>,
    /// The version of Gardener by which objects are judged; `None` takes that of the configuration or the garden.
    pub gardener_version: Option<GardenerVersion>,
    /// The memory limit of the process in bytes.
    /// The default is that of the cgroup, or 512 MiB.
    pub memory_limit: Option<u64>,
    /// The interval of audits of the garden; `None` disables them.
    pub audit_every: Option<Duration>,
    /// The interval of forecasts of maintenance; `None` disables them.
    pub forecast_every: Option<Duration>,
    /// The destinations of messages about each forecast; `None` disables them.
    pub notify: Option<NotifyOptions>,
    /// The record of requests; `None` disables it.
    pub record: Option<RecordOptions>,
    /// The time for which requests are still accepted after the stop signal; see [`ServerOptions::PAUSE`].
    pub pause: Duration,
    /// Number of log lines that were dropped, which is exported as a metric.
    pub dropped_log_lines: Counter,
}

impl ServerOptions {
    /// Endpoints of a Service drop a stopping pod with a delay, during which new connections still arrive.
    pub const PAUSE: Duration = Duration::from_secs(2);
    /// The default of [`GardenOptions::Directory::removal_delay`]; `kubectl get` writes a file for seconds.
    pub const REMOVAL_DELAY: Duration = Duration::from_secs(30);
    /// Minimum interval of audits.
    pub const LEAST_AUDIT_EVERY: Duration = Duration::from_secs(1);
    /// Minimum interval of forecasts, each of which lists all Shoots.
    pub const LEAST_FORECAST_EVERY: Duration = Duration::from_mins(1);
    /// The interval of forecasts that are published.
    pub const FORECAST_EVERY: Duration = Duration::from_mins(10);
    /// Minimum memory limit in bytes.
    pub const LEAST_MEMORY: u64 = 32 << 20;
}

/// The options of a record of requests.
#[derive(Clone, Debug)]
pub struct RecordOptions {
    /// The directory.
    pub directory: PathBuf,
    /// The recorded share of requests, from 0 to 1.
    pub share: f64,
    /// Maximum size of all files in bytes.
    pub size: u64,
    /// The time after which a file is removed.
    pub age: Duration,
}

/// The source of the garden.
#[derive(Clone, Debug)]
pub enum GardenOptions {
    /// A directory of manifests, which is reloaded when it changes.
    Directory {
        /// The directory.
        path: PathBuf,
        /// Whether the directory is declared to contain all objects of every kind.
        is_whole: bool,
        /// The time for which a file must be unchanged before vanished objects are removed.
        removal_delay: Duration,
    },
    /// An API server, which is watched.
    Live(LiveSource),
    /// No garden: only objects in Shoot clusters are reviewed.
    /// The API server there is used for certificates only.
    Absent(LiveSource),
}

/// The source of the serving certificate.
#[derive(Clone, Debug)]
pub enum CertificateOptions {
    /// PEM files, which are reloaded when they change.
    Files {
        /// The certificate, followed by its issuers.
        certificate: PathBuf,
        /// Its private key.
        key: PathBuf,
    },
    /// Stored in a Secret, with its CA, and shared by all replicas.
    Managed(ManagedOptions),
    /// Generated at startup by a CA that exists as long as the process.
    SelfMade {
        /// The file to which the CA certificate is written for clients.
        ca_out: PathBuf,
    },
}

/// The options of a certificate in a Secret of the live garden cluster.
#[derive(Clone, Debug)]
pub struct ManagedOptions {
    /// The namespace of the Secret and the Service.
    pub namespace: String,
    /// The name of the Secret.
    pub secret: String,
    /// The Service for which the certificate is issued.
    pub service: String,
    /// Other DNS names and IP addresses for which the certificate is issued.
    pub names: Vec<String>,
    /// The name of garden-gate's webhook configurations, whose CA bundle is updated; `None` disables that.
    pub webhook_configuration: Option<String>,
    /// The validity of a serving certificate.
    pub lifetime: SignedDuration,
}
