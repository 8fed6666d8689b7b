use std::fmt;

/// Where an API server is, and how it was found, in words that people know.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Place {
    /// Its URL.
    pub server: String,
    /// The context; empty for the account of a pod.
    pub context: String,
    /// The kubeconfig with the context.
    pub kubeconfig: String,
    /// The namespace of the context, or of the pod.
    pub namespace: Box<str>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            server,
            context,
            kubeconfig,
            ..
        } = self;
        match context.as_str() {
            "" => write!(f, "the API server `{server}` (as the account of this pod)"),
            _ => write!(
                f,
                "the API server `{server}` (context `{context}` of the kubeconfig `{kubeconfig}`)"
            ),
        }
    }
}
