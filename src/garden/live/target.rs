// SPDX-License-Identifier: Apache-2.0
use std::env;
use std::path::PathBuf;
use std::sync::Arc;

use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};

use super::api_server::ApiServerAddress;
use super::error::{complaint, innermost, names};
use super::source::CONNECT;
use super::{LiveClient, LiveError, identity, kubeconfig};

/// An API server as configured for `kubectl`: a kubeconfig and a context.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// The kubeconfig.
    ///
    /// The default is `KUBECONFIG`, then `~/.kube/config`, then the pod's service account.
    pub kubeconfig: Option<PathBuf>,
    /// The context; the default is the current one.
    pub context: Option<String>,
}

/// A client for the API server that a command-line user has selected; it is never recreated.
#[derive(Clone, Debug)]
pub struct Connection {
    /// The client, which connects on first use.
    pub client: Arc<LiveClient>,
    /// The address of the API server.
    pub address: ApiServerAddress,
}

impl Target {
    /// Creates a client for the API server.
    ///
    /// # Errors
    /// Fails if the kubeconfig or context does not exist or is invalid.
    pub async fn connection(&self) -> Result<Connection, LiveError> {
        let (mut config, address) = match self.kubeconfig()? {
            Some((name, kubeconfig)) => self.of_kubeconfig(name, kubeconfig).await?,
            None => of_pod()?,
        };
        config.connect_timeout = Some(CONNECT);
        let client = Client::try_from(config).map_err(|error| LiveError::Client {
            server: address.server.clone(),
            why: innermost(&error),
        })?;
        let client = Arc::new(LiveClient::fixed(client));
        Ok(Connection { client, address })
    }

    /// Returns the names of the contexts in the kubeconfig.
    ///
    /// # Errors
    /// Fails if the kubeconfig does not exist or is invalid.
    pub fn contexts(&self) -> Result<Vec<String>, LiveError> {
        let contexts = self.kubeconfig()?.map(|(_, kubeconfig)| kubeconfig.contexts);
        Ok(contexts.unwrap_or_default().into_iter().map(|it| it.name).collect())
    }

    /// Returns the kubeconfig and its path; `None` if only a pod's service account may exist.
    fn kubeconfig(&self) -> Result<Option<(String, Kubeconfig)>, LiveError> {
        if let Some(path) = &self.kubeconfig {
            return read(path.clone()).map(Some);
        }
        let variable = env::var_os("KUBECONFIG").unwrap_or_default();
        let value = variable.to_string_lossy();
        let listed = kubeconfig::read_environment()
            .map_err(|why| LiveError::Environment { value: value.clone().into_owned(), why });
        if let Some(kubeconfig) = listed? {
            return Ok(Some((value.into_owned(), kubeconfig)));
        }
        let home = env::home_dir().map(|home| home.join(".kube/config"));
        match home.filter(|path| path.exists()) {
            Some(path) => read(path).map(Some),
            None if self.context.is_some() => Err(LiveError::NoKubeconfig),
            None => Ok(None),
        }
    }

    async fn of_kubeconfig(
        &self,
        name: String,
        kubeconfig: Kubeconfig,
    ) -> Result<(Config, ApiServerAddress), LiveError> {
        let contexts: Vec<&str> = kubeconfig.contexts.iter().map(|it| it.name.as_str()).collect();
        let current = kubeconfig.current_context.as_deref().filter(|context| !context.is_empty());
        let Some(context) = self.context.as_deref().or(current).map(str::to_owned) else {
            return Err(LiveError::NoContext { kubeconfig: name, known: names(&contexts) });
        };
        if !contexts.contains(&context.as_str()) {
            return Err(LiveError::UnknownContext {
                known: names(&contexts),
                kubeconfig: name,
                context,
            });
        }
        let options =
            KubeConfigOptions { context: Some(context.clone()), ..KubeConfigOptions::default() };
        let wrap = |why| LiveError::Kubeconfig { path: name.clone().into(), why };
        let config = Config::from_custom_kubeconfig(kubeconfig, &options)
            .await
            .map_err(|error| wrap(complaint(&error)))?;
        identity::check(&config.auth_info).map_err(wrap)?;
        let address = ApiServerAddress {
            server: config.cluster_url.to_string(),
            context,
            kubeconfig: name,
            namespace: config.default_namespace.as_str().into(),
        };
        Ok((config, address))
    }
}

fn read(path: PathBuf) -> Result<(String, Kubeconfig), LiveError> {
    let kubeconfig =
        kubeconfig::read(&path).map_err(|why| LiveError::Kubeconfig { path: path.clone(), why })?;
    Ok((path.display().to_string(), kubeconfig))
}

fn of_pod() -> Result<(Config, ApiServerAddress), LiveError> {
    let config = Config::incluster().map_err(|_| LiveError::NoKubeconfig)?;
    let address = ApiServerAddress {
        server: config.cluster_url.to_string(),
        context: String::new(),
        kubeconfig: String::new(),
        namespace: config.default_namespace.as_str().into(),
    };
    Ok((config, address))
}
