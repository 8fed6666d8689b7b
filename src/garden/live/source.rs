// SPDX-License-Identifier: Apache-2.0
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use kube::config::KubeConfigOptions;
use kube::{Client, Config};

use super::error::{complaint, innermost};
use super::{LiveError, identity, kubeconfig};
use crate::files::{self, Limit};

/// Connection timeout; a reachable API server responds in milliseconds.
pub(super) const CONNECT: Duration = Duration::from_secs(5);

/// The location of the garden's API server.
#[derive(Clone, Debug, Default)]
pub struct LiveSource {
    /// A kubeconfig file.
    ///
    /// The default is `KUBECONFIG`, then the service account of the pod.
    pub kubeconfig: Option<PathBuf>,
}

impl LiveSource {
    /// Creates a client, which connects on first use.
    ///
    /// # Errors
    /// Fails if no API server is configured or the configuration is invalid.
    pub(super) async fn client(&self) -> Result<Client, LiveError> {
        let mut config = self.config().await?;
        config.connect_timeout = Some(CONNECT);
        let server = config.cluster_url.to_string();
        let failed = |error| LiveError::Client { server, why: innermost(&error) };
        Client::try_from(config).map_err(failed)
    }

    async fn config(&self) -> Result<Config, LiveError> {
        let options = KubeConfigOptions::default();
        if let Some(path) = &self.kubeconfig {
            let wrap = |why| LiveError::Kubeconfig { path: path.clone(), why };
            let kubeconfig = kubeconfig::read(path).map_err(wrap)?;
            let config = Config::from_custom_kubeconfig(kubeconfig, &options)
                .await
                .map_err(|error| complaint(&error));
            return check_identity(config).map_err(wrap);
        }
        match std::env::var("KUBECONFIG") {
            Ok(value) if !value.is_empty() => {
                let checked = kubeconfig::read_environment();
                checked.map_err(|why| LiveError::Environment { value: value.clone(), why })?;
                let config =
                    Config::from_kubeconfig(&options).await.map_err(|error| complaint(&error));
                check_identity(config).map_err(|why| LiveError::Environment { value, why })
            }
            _ => Config::incluster().map_err(LiveError::NoGarden),
        }
    }

    /// Returns a hash of the files that [`Self::client`] reads.
    /// Excludes token files, which the client itself reloads.
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

/// Checks the client certificate of a configuration.
fn check_identity(config: Result<Config, String>) -> Result<Config, String> {
    let config = config?;
    identity::check(&config.auth_info)?;
    Ok(config)
}

fn hash_contents(path: &Path, limit: Limit, hasher: &mut DefaultHasher) {
    files::read_within(path, limit).ok().hash(hasher);
}
