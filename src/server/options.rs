use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use crate::config::ConfigFiles;

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
    /// The directory of manifests that the garden is read from.
    pub garden: PathBuf,
    /// The configuration.
    pub config: ConfigFiles,
    /// How long requests are still accepted after the end was asked for; see [`ServerOptions::PAUSE`].
    pub pause: Duration,
}

impl ServerOptions {
    /// Endpoints of a Service lose a stopping pod only after a moment; until then new connections still arrive.
    pub const PAUSE: Duration = Duration::from_secs(2);
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
    /// Made at the start, by a CA that lives as long as the process.
    SelfMade {
        /// Where the CA's certificate is written, for clients to trust.
        ca_out: PathBuf,
    },
}
