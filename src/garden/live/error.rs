use std::path::PathBuf;

use kube::config::{InClusterError, KubeconfigError};
use thiserror::Error;

/// Why an API server cannot be talked to.
#[derive(Debug, Error)]
pub enum LiveError {
    /// The file given with `--kubeconfig` cannot be used.
    #[error("failed to use the kubeconfig `{path}`: {why}")]
    Kubeconfig {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// What `KUBECONFIG` names cannot be used.
    #[error("failed to use the kubeconfig that KUBECONFIG names, `{value}`: {why}")]
    Environment {
        /// The value of the variable.
        value: String,
        /// What is wrong with it.
        why: String,
    },
    /// There is no hint at all where the garden is.
    #[error(
        "no garden was given and this is not a pod; pass --garden DIR or --kubeconfig FILE, or set KUBECONFIG"
    )]
    NoGarden(#[source] InClusterError),
    /// The client could not be made, for example because of a certificate.
    #[error("failed to make a client for `{server}`")]
    Client {
        /// The API server.
        server: String,
        /// What is wrong.
        #[source]
        source: Box<kube::Error>,
    },
}

/// What is wrong with a kubeconfig, in one line. (The errors say their causes themselves, and the file's name is said already.)
pub(super) fn complaint(error: &KubeconfigError) -> String {
    match error {
        KubeconfigError::ReadConfig(error, _) => error.to_string(),
        other => other.to_string(),
    }
}

/// One line that says what an API server, or the way to it, had against a request.
pub(super) fn reason(error: &kube::Error) -> String {
    match error {
        kube::Error::Api(status) if !status.message.is_empty() => {
            let message = status.message.trim();
            format!("the API server answered {}: {message}", status.code)
        }
        kube::Error::Api(status) => format!("the API server answered {}", status.code),
        other => format!("the API server cannot be asked: {}", innermost(other)),
    }
}

/// The deepest cause: what wraps it repeats it, or says nothing.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(cause) = error.source() {
        error = cause;
    }
    error.to_string()
}
