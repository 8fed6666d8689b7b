// SPDX-License-Identifier: Apache-2.0
use std::fmt;

/// The address of an API server and the configuration that contains it, for messages.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ApiServerAddress {
    /// The URL.
    pub server: String,
    /// The context; empty for a service account of a pod.
    pub context: String,
    /// The path of the kubeconfig.
    pub kubeconfig: String,
    /// The namespace of the context, or of the pod.
    pub namespace: Box<str>,
}

impl fmt::Display for ApiServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { server, context, kubeconfig, .. } = self;
        match context.as_str() {
            "" => write!(f, "the API server `{server}` (as the account of this pod)"),
            _ => write!(
                f,
                "the API server `{server}` (context `{context}` of the kubeconfig `{kubeconfig}`)"
            ),
        }
    }
}
