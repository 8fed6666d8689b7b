use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use jiff::SignedDuration;
use prometheus_client::metrics::counter::Counter;

use crate::config::ConfigFiles;
use crate::garden::live::LiveSource;

/// What a server is made of.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// Where HTTPS is spoken; port 0 is any free one.
    pub listen: SocketAddr,
    /// Where metrics are told over plain HTTP; nowhere if `None`.
    pub metrics_listen: Option<SocketAddr>,
    /// The serving certificate.
    pub certificate: CertificateOptions,
    /// The CA bundle that client certificates must be signed by; anyone may connect if `None`.
    pub client_ca: Option<PathBuf>,
    /// Names of which a client certificate must carry one; any will do if there are none.
    pub client_names: Vec<String>,
    /// Where the garden is.
    pub garden: GardenOptions,
    /// How long a kind of object is judged by what was last seen of it while the API server refuses to show more.
    pub watch_patience: Duration,
    /// The configuration.
    pub config: ConfigFiles,
    /// How much memory the process may use, in bytes. If `None` as its control group allows, else 512 MiB.
    pub memory_limit: Option<u64>,
    /// How often the garden is audited; never if `None`.
    pub audit_every: Option<Duration>,
    /// How long requests are still accepted after the end was asked for; see [`ServerOptions::PAUSE`].
    pub pause: Duration,
    /// Number of log lines that were dropped, which is exported as a metric.
    pub dropped_log_lines: Counter,
}

impl ServerOptions {
    /// Endpoints of a Service lose a stopping pod only after a moment; until then new connections still arrive.
    pub const PAUSE: Duration = Duration::from_secs(2);
    /// The default of [`GardenOptions::Directory::removal_delay`]; `kubectl get` writes a file for seconds.
    pub const REMOVAL_DELAY: Duration = Duration::from_secs(30);
    /// How often a garden can be audited at most.
    pub const LEAST_AUDIT_EVERY: Duration = Duration::from_secs(1);
    /// The least memory limit that leaves room for anything, in bytes.
    pub const LEAST_MEMORY: u64 = 32 << 20;
}

/// Where the garden is.
#[derive(Clone, Debug)]
pub enum GardenOptions {
    /// In a directory of manifests, read again when they change.
    Directory {
        /// The directory.
        path: PathBuf,
        /// Whether it has all objects of every kind, whatever it looks like.
        is_whole: bool,
        /// How long a file must be unchanged before objects that vanished from it no longer exist.
        removal_delay: Duration,
    },
    /// Behind an API server, which is watched.
    Live(LiveSource),
    /// Nowhere: only what lives in Shoot clusters is judged. The API server there is asked for nothing but certificates.
    Absent(LiveSource),
}

/// Where the serving certificate comes from.
#[derive(Clone, Debug)]
pub enum CertificateOptions {
    /// PEM files, read again when they change.
    Files {
        /// The certificate, then those that sign it.
        certificate: PathBuf,
        /// Its private key.
        key: PathBuf,
    },
    /// Kept in a Secret that all replicas share, with its CA.
    Managed(ManagedOptions),
    /// Made at the start, by a CA that lives as long as the process.
    SelfMade {
        /// Where the CA's certificate is written, for clients to trust.
        ca_out: PathBuf,
    },
}

/// How a certificate is kept in a Secret of the live garden's API server.
#[derive(Clone, Debug)]
pub struct ManagedOptions {
    /// The namespace of the Secret and the Service.
    pub namespace: String,
    /// The name of the Secret.
    pub secret: String,
    /// The Service that the certificate is for.
    pub service: String,
    /// Other DNS names and addresses that it is for.
    pub names: Vec<String>,
    /// Our own webhook configurations, which are made to trust the CA; none if `None`.
    pub webhook_configuration: Option<String>,
    /// How long a serving certificate is valid.
    pub lifetime: SignedDuration,
}
