// SPDX-License-Identifier: Apache-2.0
use std::path::PathBuf;

use kube::client::AuthError;
use kube::config::{InClusterError, KubeconfigError};
use thiserror::Error;

use super::ApiServerAddress;
use garden_gate_text::json::without_values;

/// Maximum number of contexts in an error message.
const NAMED: usize = 20;

/// An error that prevents access to an API server.
#[derive(Debug, Error)]
pub enum LiveError {
    /// The file given with `--kubeconfig` is invalid or unreadable.
    #[error("failed to use the kubeconfig `{path}`: {why}")]
    Kubeconfig {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// A file listed in `KUBECONFIG` is invalid or unreadable.
    #[error("failed to use the kubeconfig that KUBECONFIG names, `{value}`: {why}")]
    Environment {
        /// The value of the variable.
        value: String,
        /// The reason.
        why: String,
    },
    /// No garden is configured.
    #[error(
        "no garden was given and this is not a pod; pass --garden DIR or --kubeconfig FILE, or set KUBECONFIG"
    )]
    NoGarden(#[source] InClusterError),
    /// A command-line user has no kubeconfig.
    #[error("there is no kubeconfig; pass --kubeconfig FILE, or set KUBECONFIG")]
    NoKubeconfig,
    /// No context was given, and the kubeconfig has no current context.
    #[error("the kubeconfig `{kubeconfig}` names no current context, so --context has to; {known}")]
    NoContext {
        /// The file or files.
        kubeconfig: String,
        /// The available contexts, as a clause.
        known: String,
    },
    /// The context does not exist.
    #[error("the kubeconfig `{kubeconfig}` has no context `{context}`; {known}")]
    UnknownContext {
        /// The file or files.
        kubeconfig: String,
        /// The given context.
        context: String,
        /// The available contexts, as a clause.
        known: String,
    },
    /// The API server does not respond.
    #[error("{address} cannot be asked: {why}")]
    Unreachable {
        /// The address of the API server.
        address: ApiServerAddress,
        /// The reason.
        why: String,
    },
    /// The API server rejects the credentials.
    #[error("{address} does not accept the credentials: {why}; log in again")]
    Unauthorized {
        /// The address of the API server.
        address: ApiServerAddress,
        /// The response.
        why: String,
    },
    /// The API server does not serve Gardener's API groups.
    #[error(
        "{address} is no garden cluster: it does not serve {resource}; pass --context or --kubeconfig of one"
    )]
    NotAGarden {
        /// The address of the API server.
        address: ApiServerAddress,
        /// One of the missing resources.
        resource: String,
    },
    /// The client cannot be created, for example because of an invalid certificate.
    #[error("failed to make a client for `{server}`: {why}")]
    Client {
        /// The API server.
        server: String,
        /// The cause, without credentials.
        why: String,
    },
}

/// The reason of a response that is not a Status of Kubernetes.
const NO_STATUS: &str = "Failed to parse error data";

/// Returns the error of a kubeconfig in one line, without the file name, the causes and credentials.
pub(super) fn complaint(error: &KubeconfigError) -> String {
    let text = match error {
        KubeconfigError::ReadConfig(error, _) => error.to_string(),
        KubeconfigError::Parse(error) => syntax(error),
        other => other.to_string(),
    };
    text.lines().next().unwrap_or_default().to_owned()
}

/// Returns the position of a YAML error.
///
/// Its message may quote the text, and with it a token.
fn syntax(error: &serde_saphyr::Error) -> String {
    let at = error.location().map(|it| format!(" (line {}, column {})", it.line(), it.column()));
    format!(
        "the YAML is invalid, or a field has another type than expected{}",
        at.unwrap_or_default()
    )
}

/// Returns the available contexts as a clause.
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

/// Returns a failed request's reason in one line.
///
/// A response that is not a Status may contain anything, and is left out.
pub(super) fn reason(error: &kube::Error) -> String {
    match error {
        kube::Error::Api(status) if status.message.is_empty() || status.reason == NO_STATUS => {
            format!("the API server answered {}", status.code)
        }
        kube::Error::Api(status) => {
            let message = status.message.trim();
            format!("the API server answered {}: {message}", status.code)
        }
        other => format!("the API server cannot be asked: {}", innermost(other)),
    }
}

/// Returns the innermost cause, without credentials.
/// The outer errors repeat it or add no information.
pub(crate) fn innermost(error: &(dyn std::error::Error + 'static)) -> String {
    let mut error = error;
    loop {
        if let Some(safe) = without_quotes(error) {
            return safe;
        }
        match error.source() {
            Some(cause) => error = cause,
            None => return error.to_string(),
        }
    }
}

/// Returns the message of an error that would otherwise quote a response or the output of a credential plugin.
fn without_quotes(error: &(dyn std::error::Error + 'static)) -> Option<String> {
    if let Some(error) = error.downcast_ref::<serde_json::Error>() {
        return Some(format!("the response cannot be decoded: {}", without_values(error)));
    }
    let plugin = match error.downcast_ref::<AuthError>()? {
        // Its output, its arguments and its environment may contain credentials.
        AuthError::AuthExecRun { out, .. } => {
            format!("failed with {}; run it to see why", out.status)
        }
        AuthError::AuthExecParse(error) => {
            format!("did not print an ExecCredential: {}", syntax(error))
        }
        _ => return None,
    };
    Some(format!("the credential plugin of the kubeconfig {plugin}"))
}
