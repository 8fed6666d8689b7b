// SPDX-License-Identifier: Apache-2.0
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::Context as _;
use kube::Client;

use super::store::{ConfigMapName, Store};
use garden_gate_products::report::NotificationState;

/// The beginning of the name of a ConfigMap.
const CONFIG_MAP: &str = "configmap:";

/// The place of the state: a file, or `configmap:NAMESPACE/NAME` of the garden cluster.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum StatePlace {
    /// A file.
    File(PathBuf),
    /// A ConfigMap.
    ConfigMap(ConfigMapName),
}

impl FromStr for StatePlace {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix(CONFIG_MAP) {
            Some(name) => name.parse().map(Self::ConfigMap),
            None => Ok(Self::File(text.into())),
        }
    }
}

impl StatePlace {
    /// Reads the state, and locks it if it is a file.
    ///
    /// # Errors
    /// Fails if it cannot be read, is not valid, another run uses it, or there is no client for a ConfigMap.
    pub async fn open(&self, client: Option<Client>) -> anyhow::Result<(Store, NotificationState)> {
        match self {
            Self::File(path) => Ok(Store::of_file(path)?),
            Self::ConfigMap(name) => {
                let client = client.context("a state in a ConfigMap needs a live garden")?;
                Ok(Store::of_config_map(client, name.clone()).await?)
            }
        }
    }
}
