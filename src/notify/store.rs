// SPDX-License-Identifier: Apache-2.0
//! Where the state of notifications is kept: a file or a ConfigMap.

use std::fs::{File, TryLockError};
use std::io::{Cursor, ErrorKind};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::{fmt, io};

use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{ObjectMeta, PostParams};
use kube::{Api, Client, Error};
use thiserror::Error as ThisError;

use super::failure::{causes, found};
use crate::files::{self, Trees, cannot_write};
use garden_gate_products::report::{NotificationState, StateError};

/// The key of the state in a ConfigMap.
const KEY: &str = "state.json";
/// Maximum size of the state in a ConfigMap in bytes: Kubernetes permits 1 MiB for all of its data.
const CONFIG_MAP: usize = 1_000_000;
/// Maximum size of the state in a file in bytes.
const FILE: usize = 32 << 20;

/// The name of a ConfigMap: `NAMESPACE/NAME`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ConfigMapName {
    namespace: String,
    name: String,
}

/// The place of the state, locked against other runs if it is a file.
pub struct Store(Place);

enum Place {
    /// There is no state: everything is new, and nothing is saved.
    None,
    File {
        path: PathBuf,
        _lock: File,
    },
    ConfigMap(Box<StoredConfigMap>),
}

/// The ConfigMap with the state.
struct StoredConfigMap {
    name: ConfigMapName,
    api: Api<ConfigMap>,
    /// As it was read or written last; `None` if it does not exist.
    current: Option<ConfigMap>,
}

/// An error of the state.
#[derive(Debug, ThisError)]
pub enum StoreError {
    /// Another run uses the file.
    #[error("another run uses the state `{}`; wait until it ends", .0.display())]
    Busy(PathBuf),
    /// The file cannot be read.
    #[error("{0}")]
    Read(String),
    /// The content is not valid.
    #[error("the state {place} cannot be used: {why}. Without it, everything is sent again")]
    Invalid {
        /// The file or ConfigMap.
        place: String,
        /// The reason.
        why: StateError,
    },
    /// The file cannot be written.
    #[error("{place}: {why}")]
    Write {
        /// What cannot be written.
        place: String,
        /// The reason.
        why: io::Error,
    },
    /// The state is too large.
    #[error(
        "the state has {size} bytes, and {place} permits {limit}; use a file, or fewer Projects per run"
    )]
    TooLarge {
        /// The file or ConfigMap.
        place: String,
        /// The size in bytes.
        size: usize,
        /// The limit in bytes.
        limit: usize,
    },
    /// Another run has changed the ConfigMap.
    #[error("another run has changed the ConfigMap {0}; run the command again")]
    Conflict(ConfigMapName),
    /// The API server refuses a request.
    #[error("the ConfigMap {name} cannot be used: {why}")]
    ApiServer {
        /// The ConfigMap.
        name: ConfigMapName,
        /// The reason.
        why: String,
    },
    /// The document cannot be formatted.
    #[error("the state cannot be formatted")]
    Format(#[source] serde_json::Error),
}

impl FromStr for ConfigMapName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/');
        let is_name = |it: &str| {
            let is_character =
                |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-' || it == b'.';
            !it.is_empty() && it.len() <= 253 && it.bytes().all(is_character)
        };
        match parts.filter(|(namespace, name)| is_name(namespace) && is_name(name)) {
            Some((namespace, name)) => {
                Ok(Self { namespace: namespace.to_owned(), name: name.to_owned() })
            }
            None => Err(format!("`{text}` is not a ConfigMap; write `NAMESPACE/NAME`")),
        }
    }
}

impl ConfigMapName {
    /// Returns the namespace.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Display for ConfigMapName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.namespace, self.name)
    }
}

impl Store {
    /// Returns a store that keeps nothing.
    pub fn none() -> (Self, NotificationState) {
        (Self(Place::None), NotificationState::default())
    }

    /// Locks a file with the state, and reads it if it exists.
    ///
    /// # Errors
    /// Fails if another run has locked it, it cannot be read, or it is not valid.
    pub fn of_file(path: &Path) -> Result<(Self, NotificationState), StoreError> {
        // Fails before a lock is created, for example for a device.
        Self::peek_file(path)?;
        let mut lock_path = path.as_os_str().to_owned();
        lock_path.push(".lock");
        let lock_path = PathBuf::from(lock_path);
        let write = |why| StoreError::Write { place: cannot_write(&lock_path), why };
        let mut options = File::options();
        options.create(true).write(true).truncate(false);
        let lock = options.open(&lock_path).map_err(write)?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(StoreError::Busy(path.to_owned())),
            // Some file systems have no locks.
            Err(TryLockError::Error(_)) | Ok(()) => {}
        }
        let state = Self::peek_file(path)?;
        Ok((Self(Place::File { path: path.to_owned(), _lock: lock }), state))
    }

    /// Reads a file with the state, without a lock; the state is empty if it does not exist.
    ///
    /// # Errors
    /// Fails if it cannot be read, or is not valid.
    pub fn peek_file(path: &Path) -> Result<NotificationState, StoreError> {
        match std::fs::symlink_metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(NotificationState::default());
            }
            _ => {}
        }
        let bytes = files::read(path).map_err(|problem| StoreError::Read(problem.to_string()))?;
        let place = || format!("`{}`", path.display());
        let text = String::from_utf8(bytes).map_err(|error| StoreError::Invalid {
            place: place(),
            why: StateError::Invalid { why: error.to_string() },
        })?;
        NotificationState::parse(&text).map_err(|why| StoreError::Invalid { place: place(), why })
    }

    /// Reads a ConfigMap with the state; it is created when the state is saved.
    ///
    /// # Errors
    /// Fails if the API server refuses it, or it is not valid.
    pub async fn of_config_map(
        client: Client,
        name: ConfigMapName,
    ) -> Result<(Self, NotificationState), StoreError> {
        let api: Api<ConfigMap> = Api::namespaced(client, &name.namespace);
        let current = found(api.get(&name.name).await).map_err(|error| refused(&name, &error))?;
        let text = current.as_ref().and_then(|it| it.data.as_ref()?.get(KEY));
        let state = text
            .map(|it| NotificationState::parse(it))
            .transpose()
            .map_err(|why| StoreError::Invalid { place: format!("ConfigMap {name}"), why })?;
        let place = Place::ConfigMap(Box::new(StoredConfigMap { name, api, current }));
        Ok((Self(place), state.unwrap_or_default()))
    }

    /// Saves the state.
    ///
    /// # Errors
    /// Fails if it is too large, cannot be written, or another run has changed it.
    pub async fn save(&mut self, state: &NotificationState) -> Result<(), StoreError> {
        let text = state.to_json().map_err(StoreError::Format)?;
        let too_large = |place: String, limit: usize| {
            let size = text.len();
            if size > limit { Err(StoreError::TooLarge { place, size, limit }) } else { Ok(()) }
        };
        match &mut self.0 {
            Place::None => Ok(()),
            Place::File { path, _lock } => {
                too_large(format!("`{}`", path.display()), FILE)?;
                let write = || {
                    let destination = files::Destination::open(path, &Trees::default())?;
                    destination.private().write(&mut Cursor::new(format!("{text}\n")))
                };
                write().map_err(|why| StoreError::Write { place: cannot_write(path), why })
            }
            Place::ConfigMap(stored) => {
                too_large(format!("ConfigMap {}", stored.name), CONFIG_MAP)?;
                stored.save(text).await
            }
        }
    }
}

impl StoredConfigMap {
    /// Creates the ConfigMap, or replaces it if it is the one that was read.
    ///
    /// # Errors
    /// Fails if another run has changed it, or the API server refuses it.
    async fn save(&mut self, text: String) -> Result<(), StoreError> {
        let Self { name, api, current } = self;
        let is_new = current.is_none();
        let mut map = current.clone().unwrap_or_else(|| ConfigMap {
            metadata: ObjectMeta {
                name: Some(name.name.clone()),
                namespace: Some(name.namespace.clone()),
                ..ObjectMeta::default()
            },
            ..ConfigMap::default()
        });
        map.data.get_or_insert_default().insert(KEY.to_owned(), text);
        let parameters = PostParams::default();
        let saved = if is_new {
            api.create(&parameters, &map).await
        } else {
            api.replace(&name.name, &parameters, &map).await
        };
        *current = Some(saved.map_err(|error| refused(name, &error))?);
        Ok(())
    }
}

fn refused(name: &ConfigMapName, error: &Error) -> StoreError {
    match error {
        Error::Api(status) if status.code == 409 => StoreError::Conflict(name.clone()),
        Error::Api(status) => {
            StoreError::ApiServer { name: name.clone(), why: status.message.clone() }
        }
        error => StoreError::ApiServer { name: name.clone(), why: causes(error) },
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").finish_non_exhaustive()
    }
}
