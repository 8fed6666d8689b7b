use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use kube::config::KubeConfigOptions;
use kube::{Client, Config};

use super::error::complaint;
use super::{LiveError, kubeconfig};
use crate::files::{self, Limit};

/// How long a connection may take to be made; an API server that is there answers in milliseconds.
pub(super) const CONNECT: Duration = Duration::from_secs(5);

/// Where the API server of the garden is found.
#[derive(Clone, Debug, Default)]
pub struct LiveSource {
    /// A kubeconfig file; if not given, `KUBECONFIG` counts, and else what Kubernetes gives every pod.
    pub kubeconfig: Option<PathBuf>,
}

impl LiveSource {
    /// A client for that API server; connects when it is first used.
    ///
    /// # Errors
    /// When no API server is named, or what names it cannot be used.
    pub(super) async fn client(&self) -> Result<Client, LiveError> {
        let mut config = self.config().await?;
        config.connect_timeout = Some(CONNECT);
        let server = config.cluster_url.to_string();
        let source = |source| LiveError::Client {
            server,
            source: Box::new(source),
        };
        Client::try_from(config).map_err(source)
    }

    async fn config(&self) -> Result<Config, LiveError> {
        let options = KubeConfigOptions::default();
        if let Some(path) = &self.kubeconfig {
            let wrap = |why| LiveError::Kubeconfig {
                path: path.clone(),
                why,
            };
            let kubeconfig = kubeconfig::read(path).map_err(wrap)?;
            let config = Config::from_custom_kubeconfig(kubeconfig, &options);
            return config.await.map_err(|error| wrap(complaint(&error)));
        }
        match std::env::var("KUBECONFIG") {
            Ok(value) if !value.is_empty() => {
                let checked = kubeconfig::read_environment();
                checked.map_err(|why| LiveError::Environment {
                    value: value.clone(),
                    why,
                })?;
                let config = Config::from_kubeconfig(&options).await;
                config.map_err(|error| {
                    let why = error.to_string();
                    LiveError::Environment { value, why }
                })
            }
            _ => Config::incluster().map_err(LiveError::NoGarden),
        }
    }

    /// Differs once what [`Self::client`] reads does. Tokens in files are not part of it: the client itself reads those again.
    pub(super) fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        for kubeconfig in self.kubeconfigs() {
            hash_contents(&kubeconfig, Limit::KUBECONFIGS, &mut hasher);
            let kubeconfig = kubeconfig::read(&kubeconfig);
            for path in kubeconfig.iter().flat_map(kubeconfig::references) {
                hash_contents(&path, Limit::PEM, &mut hasher);
            }
        }
        hasher.finish()
    }

    fn kubeconfigs(&self) -> Vec<PathBuf> {
        match (&self.kubeconfig, std::env::var_os("KUBECONFIG")) {
            (Some(path), _) => vec![path.clone()],
            (None, Some(paths)) => std::env::split_paths(&paths).collect(),
            (None, None) => Vec::new(),
        }
    }
}

fn hash_contents(path: &Path, limit: Limit, hasher: &mut DefaultHasher) {
    files::read_within(path, limit).ok().hash(hasher);
}
