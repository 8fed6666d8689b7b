use std::path::PathBuf;
use std::str::FromStr;

use anyhow::Context as _;

use crate::cli::landscape::SelectedGarden;
use crate::notify::{ConfigMapName, Store};
use crate::review::cluster::Live;
use garden_gate_products::report::NotificationState;

/// The beginning of the name of a ConfigMap.
const CONFIG_MAP: &str = "configmap:";

/// The place of the state.
#[derive(Clone, Debug)]
pub(super) enum StatePlace {
    File(PathBuf),
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
    /// Reads the state; a file is locked if it `is_saved` later.
    ///
    /// # Errors
    /// Fails if it cannot be read, is not valid, or another run uses it.
    pub(super) fn open(
        &self,
        selected: &SelectedGarden<'_>,
        is_saved: bool,
    ) -> anyhow::Result<(Store, NotificationState)> {
        match self {
            Self::File(path) if is_saved => Ok(Store::of_file(path)?),
            Self::File(path) => Ok((Store::none().0, Store::peek_file(path)?)),
            Self::ConfigMap(name) => {
                let client = selected.live().map(Live::client);
                let client = client.context("a state in a ConfigMap needs --live")?;
                Ok(selected.block_on(Store::of_config_map(client, name.clone()))??)
            }
        }
    }
}
