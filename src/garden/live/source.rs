use std::fs::File;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};

use super::LiveError;
use super::error::complaint;

/// How long a connection may take to be made; an API server that is there answers in milliseconds.
pub(super) const CONNECT: Duration = Duration::from_secs(5);
/// More than any kubeconfig or certificate needs; a path may name something endless.
const MOST_BYTES: u64 = 4 << 20;

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
            let wrap = |error| LiveError::Kubeconfig {
                path: path.clone(),
                why: complaint(&error),
            };
            let kubeconfig = Kubeconfig::read_from(path).map_err(wrap)?;
            let config = Config::from_custom_kubeconfig(kubeconfig, &options);
            return config.await.map_err(wrap);
        }
        match std::env::var("KUBECONFIG") {
            Ok(value) if !value.is_empty() => {
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
            contents(&kubeconfig).hash(&mut hasher);
            for path in references(&kubeconfig) {
                contents(&path).hash(&mut hasher);
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

/// The files with certificates and keys that a kubeconfig names.
fn references(kubeconfig: &Path) -> Vec<PathBuf> {
    let Ok(kubeconfig) = Kubeconfig::read_from(kubeconfig) else {
        return Vec::new();
    };
    let clusters = kubeconfig.clusters.into_iter().filter_map(|it| it.cluster);
    let users = kubeconfig.auth_infos.into_iter();
    let users = users.filter_map(|it| it.auth_info);
    let paths = clusters.filter_map(|cluster| cluster.certificate_authority);
    let paths = paths.chain(users.flat_map(|user| {
        [user.client_certificate, user.client_key]
            .into_iter()
            .flatten()
    }));
    paths.map(PathBuf::from).collect()
}

fn contents(path: &Path) -> Option<Vec<u8>> {
    let mut contents = Vec::new();
    let file = File::open(path).ok()?;
    file.take(MOST_BYTES).read_to_end(&mut contents).ok()?;
    Some(contents)
}
