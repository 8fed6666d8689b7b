use std::path::PathBuf;

use kube::config::{InClusterError, KubeconfigError};
use thiserror::Error;

use super::Place;

/// So many contexts are named to somebody who looks for one.
const NAMED: usize = 20;

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
    /// Somebody at a terminal is to be served, and nothing says which API server is meant.
    #[error("there is no kubeconfig; pass --kubeconfig FILE, or set KUBECONFIG")]
    NoKubeconfig,
    /// No context was given, and none is the current one.
    #[error("the kubeconfig `{kubeconfig}` names no current context, so --context has to; {known}")]
    NoContext {
        /// The file or files.
        kubeconfig: String,
        /// The contexts that there are, as a clause.
        known: String,
    },
    /// There is no such context.
    #[error("the kubeconfig `{kubeconfig}` has no context `{context}`; {known}")]
    UnknownContext {
        /// The file or files.
        kubeconfig: String,
        /// What was given.
        context: String,
        /// The contexts that there are, as a clause.
        known: String,
    },
    /// The API server does not answer at all.
    #[error("{place} cannot be asked: {why}")]
    Unreachable {
        /// Where it should be.
        place: Place,
        /// What is wrong.
        why: String,
    },
    /// The API server does not know who asks.
    #[error("{place} does not accept the credentials: {why}; log in anew")]
    Unauthorized {
        /// Where it is.
        place: Place,
        /// What it answered.
        why: String,
    },
    /// The API server serves none of Gardener's kinds.
    #[error(
        "{place} is no garden cluster: it does not serve {resource}; pass --context or --kubeconfig of one"
    )]
    NotAGarden {
        /// Where it is.
        place: Place,
        /// One of the kinds that were looked for.
        resource: String,
    },
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
    let text = match error {
        KubeconfigError::ReadConfig(error, _) => error.to_string(),
        other => other.to_string(),
    };
    // Behind the first line of what is no YAML comes an excerpt, perhaps with a token in it.
    text.lines().next().unwrap_or_default().to_owned()
}

/// Which contexts there are, as a clause.
pub(super) fn names(contexts: &[&str]) -> String {
    let mut named: Vec<String> = contexts.iter().map(|it| format!("`{it}`")).collect();
    named.sort();
    let more = named.len().saturating_sub(NAMED);
    named.truncate(NAMED);
    match (named.is_empty(), more) {
        (true, _) => "it has none".to_owned(),
        (false, 0) => format!("there are {}", named.join(", ")),
        (false, more) => format!("there are {} and {more} more", named.join(", ")),
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
pub(crate) fn innermost(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(cause) = error.source() {
        error = cause;
    }
    error.to_string()
}
