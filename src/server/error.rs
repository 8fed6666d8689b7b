// SPDX-License-Identifier: Apache-2.0
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use thiserror::Error;

use super::CertificateError;
use crate::garden::directory::DirectoryError;
use crate::garden::live::LiveError;
use crate::policy_files::PolicyFilesError;
use garden_gate_core::config::ConfigError;

/// An error that prevents a server from starting or ends it early.
#[derive(Debug, Error)]
pub enum ServerError {
    /// The address is in use, not local, or not permitted.
    #[error("failed to listen on `{address}`, pass another {flag}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The flag that sets it.
        flag: &'static str,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The garden cannot be read or has problems.
    #[error(transparent)]
    Garden(#[from] DirectoryError),
    /// The API server of the garden cannot be accessed.
    #[error(transparent)]
    Live(#[from] LiveError),
    /// The configuration cannot be read or has problems.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The policies cannot be read or have problems.
    #[error("{0}; correct the files of --policies")]
    Policies(#[from] PolicyFilesError),
    /// The certificate, its key or the client CA is unusable.
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    /// The CA of the generated certificate cannot be written.
    #[error(
        "failed to write the CA of the generated certificate to `{path}`, pass another --ca-out"
    )]
    WriteCa {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The destinations of messages cannot be used.
    #[error("{0:#}; correct the file of --notify-destinations")]
    Notify(anyhow::Error),
    /// No requests can be recorded.
    #[error(
        "failed to record requests in `{path}`, pass a directory that can be written in --record"
    )]
    Record {
        /// The directory.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The playground cannot be read.
    #[error("{0:#}; correct --publish-playground")]
    Playground(anyhow::Error),
    /// A Secret was configured without an API server.
    #[error(
        "a garden directory has no Secrets; pass --tls-cert and --tls-key instead of --cert-secret"
    )]
    NoApiServer,
    /// Pages are published for other machines without an API server that checks tokens.
    #[error(
        "without an API server, no token can be checked; pass --kubeconfig instead of --garden, or a loopback address such as 127.0.0.1 in --publish-listen"
    )]
    NoTokenReviews,
    /// The thread of the port for people cannot be started.
    #[error("failed to serve the port of --publish-listen")]
    Publish(#[source] io::Error),
    /// The operating system refuses signal handlers.
    #[error("failed to listen for SIGTERM and SIGINT")]
    Signals(#[source] io::Error),
    /// A task ended that must run as long as the server.
    #[error("a task of the server ended early, which is a bug: {0}")]
    TaskEnded(String),
}
