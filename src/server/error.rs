use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use thiserror::Error;

use super::CertificateError;
use crate::config::ConfigError;
use crate::garden::directory::DirectoryError;
use crate::garden::live::LiveError;

/// Why a server could not start, or ended before it was told to.
#[derive(Debug, Error)]
pub enum ServerError {
    /// The address is taken, not ours, or not permitted.
    #[error("failed to listen on `{address}`, pass another {flag}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The flag that sets it.
        flag: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// The garden cannot be read, or has problems; all of them.
    #[error(transparent)]
    Garden(#[from] DirectoryError),
    /// The API server of the garden cannot be talked to.
    #[error(transparent)]
    Live(#[from] LiveError),
    /// The configuration cannot be read, or has problems; all of them.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The certificate, its key or the client CA cannot be used.
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    /// No certificate was given and the CA of the self-made one cannot be written.
    #[error(
        "failed to write the CA of the self-made certificate to `{path}`, pass another --ca-out"
    )]
    WriteCa {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A Secret was named, but no API server that has it.
    #[error(
        "a garden directory has no Secrets; pass --tls-cert and --tls-key instead of --cert-secret"
    )]
    NoApiServer,
    /// The system does not tell us when to stop.
    #[error("failed to listen for SIGTERM and SIGINT")]
    Signals(#[source] io::Error),
    /// A task that must run as long as the server does is gone.
    #[error("a task of the server ended early, which is a defect: {0}")]
    TaskEnded(String),
}
