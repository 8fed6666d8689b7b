use std::collections::BTreeSet;
use std::error::Error;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::api::GardenerVersion;
use crate::config::{self, Config, ConfigError, ConfigFiles};
use crate::escape;
use crate::files::{self, Limit};
use crate::rules::known_ids;

/// Maximum attempts per load.
///
/// If files change faster, the result may be inconsistent until the next check.
const ATTEMPTS: usize = 3;

/// Files that are loaded and reloaded when they change.
/// Both methods block.
pub(super) trait Source: Send + Sync + 'static {
    /// The loaded value.
    type Output: Send;
    /// The problems of the files.
    type Error: Error + Send;
    /// A value that changes with the files.
    type Fingerprint: PartialEq + Send + 'static;

    /// Returns the fingerprint of the files; cheap enough for one call per second.
    fn fingerprint(&self) -> Self::Fingerprint;

    /// Loads the files.
    fn load(&self) -> Result<Self::Output, Self::Error>;
}

/// The result of loading a source, with the fingerprint of the files.
pub(super) type Read<S> = (
    <S as Source>::Fingerprint,
    Result<<S as Source>::Output, <S as Source>::Error>,
);

/// Loads a source.
///
/// Repeats if it has changed in the meantime or references further files.
pub(super) fn read<S: Source>(source: &S) -> Read<S> {
    let mut fingerprint = source.fingerprint();
    let mut result = source.load();
    for _ in 1..ATTEMPTS {
        let after = source.fingerprint();
        if after == fingerprint {
            break;
        }
        fingerprint = after;
        result = source.load();
    }
    (fingerprint, result)
}

/// Formats an error with its causes for a log line.
pub(super) fn chain(error: &dyn Error) -> String {
    let mut causes = vec![error.to_string()];
    let mut cause = error.source();
    while let Some(error) = cause {
        causes.push(error.to_string());
        cause = error.source();
    }
    escape::causes(causes.into_iter())
}

/// Hashes the contents of a file, or the fact that it is unreadable.
pub(super) fn hash_contents(path: &Path, limit: Limit, hasher: &mut DefaultHasher) {
    files::read_within(path, limit).ok().hash(hasher);
}

/// The files of the configuration.
#[derive(Debug)]
pub(super) struct ConfigSource {
    files: ConfigFiles,
    /// The version of Gardener that takes precedence over that of the files.
    version: Option<GardenerVersion>,
    /// All files of the last load; Gardener's file may reference others.
    seen: Mutex<BTreeSet<PathBuf>>,
}

impl ConfigSource {
    pub(super) fn new(files: ConfigFiles, version: Option<GardenerVersion>) -> Self {
        let named = files.config.iter().chain(&files.admission_config).cloned();
        let seen = Mutex::new(named.collect());
        Self {
            files,
            version,
            seen,
        }
    }
}

impl Source for ConfigSource {
    type Output = Config;
    type Error = ConfigError;
    type Fingerprint = u64;

    fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        for path in &*seen {
            hash_contents(path, Limit::CONFIGURATIONS, &mut hasher);
        }
        hasher.finish()
    }

    fn load(&self) -> Result<Config, ConfigError> {
        let mut checked = config::load(&self.files, &known_ids())?;
        checked.config.set_flag_version(self.version);
        for warning in &checked.warnings {
            tracing::warn!("{warning}");
        }
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.extend(checked.files);
        Ok(checked.config)
    }
}
