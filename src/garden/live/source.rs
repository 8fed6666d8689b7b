use std::path::PathBuf;
use std::time::Duration;

use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};

use super::LiveError;

/// How long a connection may take to be made; an API server that is there answers in milliseconds.
const CONNECT: Duration = Duration::from_secs(5);

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
    pub async fn client(&self) -> Result<Client, LiveError> {
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
            let wrap = |source| LiveError::Kubeconfig {
                path: path.clone(),
                source: Box::new(source),
            };
            let kubeconfig = Kubeconfig::read_from(path).map_err(wrap)?;
            let config = Config::from_custom_kubeconfig(kubeconfig, &options);
            return config.await.map_err(wrap);
        }
        match std::env::var("KUBECONFIG") {
            Ok(value) if !value.is_empty() => {
                Config::from_kubeconfig(&options).await.map_err(|source| {
                    let source = Box::new(source);
                    LiveError::Environment { value, source }
                })
            }
            _ => Config::incluster().map_err(LiveError::NoGarden),
        }
    }
}
