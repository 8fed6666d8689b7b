// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::error::Error;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::config_files;
use crate::files::{self, Limit};
use crate::policy_files::{self, PolicyFilesError};
use garden_gate_core::config::{Config, ConfigError, ConfigFiles, KnownIds};
use garden_gate_core::policies::OwnPolicy;
use garden_gate_core::rules::known_ids;
use garden_gate_model::api::GardenerVersion;
use garden_gate_text::escape;

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
pub(super) type Read<S> =
    (<S as Source>::Fingerprint, Result<<S as Source>::Output, <S as Source>::Error>);

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

/// The files of the configuration and of the policies whose ids it may contain.
#[derive(Debug)]
pub(super) struct SettingsSource {
    files: ConfigFiles,
    /// The version of Gardener that takes precedence over that of the files.
    version: Option<GardenerVersion>,
    policies: PolicyPaths,
    /// All files of the last load; Gardener's file may reference others.
    seen: Mutex<BTreeSet<PathBuf>>,
    /// The last valid policies, with the fingerprint of their files.
    loaded: Mutex<(u64, Arc<[OwnPolicy]>)>,
}

/// The files and directories with policies of operators.
#[derive(Clone, Debug, Default)]
pub(super) struct PolicyPaths {
    pub(super) paths: Vec<PathBuf>,
    /// Whether the garden may have Namespaces.
    pub(super) has_namespaces: bool,
}

/// The configuration and the policies, each of which is replaced if it is valid.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) config: Result<Config, ConfigError>,
    pub(super) policies: Result<Arc<[OwnPolicy]>, PolicyFilesError>,
}

impl SettingsSource {
    pub(super) fn new(
        files: ConfigFiles,
        version: Option<GardenerVersion>,
        policies: PolicyPaths,
    ) -> Self {
        let named = files.config.iter().chain(&files.admission_config).cloned();
        let seen = Mutex::new(named.collect());
        Self { files, version, policies, seen, loaded: Mutex::new((0, Arc::from([]))) }
    }

    /// Logs the number of policies, if files with policies are configured.
    pub(super) fn report(&self, policies: &[OwnPolicy]) {
        match policies.len() {
            _ if self.policies.paths.is_empty() => {}
            0 => tracing::warn!("there is no GardenPolicy in the files of --policies"),
            count => tracing::info!("loaded {count} GardenPolicies"),
        }
    }

    fn loaded(&self) -> MutexGuard<'_, (u64, Arc<[OwnPolicy]>)> {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Loads the policies, unless their files are those of the last valid ones.
    fn load_policies(&self) -> Result<Arc<[OwnPolicy]>, PolicyFilesError> {
        let PolicyPaths { paths, has_namespaces } = &self.policies;
        let fingerprint = policy_files::fingerprint(paths);
        let mut loaded = self.loaded();
        if loaded.0 != fingerprint {
            let policies = policy_files::load_for_server(paths, *has_namespaces)?;
            *loaded = (fingerprint, policies.into());
        }
        Ok(Arc::clone(&loaded.1))
    }

    fn load_config(&self) -> Result<Config, ConfigError> {
        let policies = Arc::clone(&self.loaded().1);
        let known = KnownIds {
            policies: Some(policies.iter().map(OwnPolicy::id).collect()),
            extensions: policies.iter().filter_map(OwnPolicy::known_extension).collect(),
            ..known_ids()
        };
        let mut checked = config_files::load(&self.files, &known)?;
        checked.config.set_flag_version(self.version);
        for warning in &checked.warnings {
            tracing::warn!("{warning}");
        }
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.extend(checked.files);
        Ok(checked.config)
    }
}

impl Source for SettingsSource {
    type Output = Settings;
    type Error = Infallible;
    type Fingerprint = u64;

    fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        for path in &*seen {
            hash_contents(path, Limit::CONFIGURATIONS, &mut hasher);
        }
        policy_files::fingerprint(&self.policies.paths).hash(&mut hasher);
        hasher.finish()
    }

    /// Loads the policies first: the configuration may contain the ids of new ones.
    fn load(&self) -> Result<Settings, Infallible> {
        let policies = self.load_policies();
        let config = self.load_config();
        Ok(Settings { config, policies })
    }
}
