// SPDX-License-Identifier: Apache-2.0
//! Configuration of a review: the named file, or the first one found from its first path upwards.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;

use crate::cli::versions::{Variant, VersionArgs};
use crate::cli::words::named;
use crate::config_files;
use crate::files::Trees;
use crate::review::repository::{absolute, boundary, shown};
use garden_gate_core::config::{Checked, ConfigFiles, KnownIds};
use garden_gate_products::report::ConfigFile;

/// The name of a discovered configuration file, in the style of linters.
pub(crate) const NAME: &str = ".garden-gate.yaml";

/// Source of the configuration of a review.
#[derive(Args, Debug)]
#[command(next_help_heading = "Configuration")]
pub(crate) struct Configuration {
    /// Configuration file of garden-gate.
    ///
    /// By default, the first `.garden-gate.yaml` in the directory of the first path (the working directory for `-`) or
    /// above, up to the root of the Git repository.
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    config: Option<PathBuf>,

    /// Do not search for a `.garden-gate.yaml`.
    #[arg(long)]
    no_config: bool,

    /// Gardener's AdmissionConfiguration file, for the global toleration lists.
    #[arg(long, value_name = "FILE")]
    admission_config: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) versions: VersionArgs,
}

impl Configuration {
    /// Returns Gardener's configuration file.
    pub(crate) fn admission_config(&self) -> Option<&PathBuf> {
        self.admission_config.as_ref()
    }

    /// Returns the arguments that select the same configuration again.
    pub(crate) fn words(&self) -> Vec<OsString> {
        let mut words: Vec<OsString> = Vec::new();
        words.extend(self.config.iter().map(|it| named("--config", it)));
        words.extend(self.no_config.then(|| OsString::from("--no-config")));
        words.extend(self.admission_config.iter().map(|it| named("--admission-config", it)));
        words.extend(self.versions.words());
        words
    }

    /// Returns the named files.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.config.iter().chain(&self.admission_config).chain(self.versions.paths())
    }

    /// Reports whether a configuration is searched for.
    pub(crate) fn is_found(&self) -> bool {
        self.config.is_none() && !self.no_config
    }

    /// Returns the file for a review of `paths`, and whether it was found rather than named.
    fn file(&self, paths: &[PathBuf]) -> anyhow::Result<Option<(PathBuf, bool)>> {
        match &self.config {
            Some(named) => Ok(Some((named.clone(), false))),
            None if self.no_config => Ok(None),
            None => {
                let found = find(paths.first().map_or(Path::new("."), PathBuf::as_path))?;
                Ok(found.map(|it| (it, true)))
            }
        }
    }

    /// Returns the definitions of extensions in the folder of the configuration for a review of `paths`.
    ///
    /// # Errors
    /// Fails if their folder cannot be read.
    pub(crate) fn definitions(&self, paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
        let Some((config, _)) = self.file(paths)? else { return Ok(Vec::new()) };
        let definitions = config_files::definitions(&config);
        definitions.with_context(|| {
            format!("cannot read the folder `extensions` beside `{}`", config.display())
        })
    }

    /// Loads the configuration for a review of `paths` by a variant of the versions, and returns its file.
    ///
    /// Rules in it must be `known`.
    ///
    /// # Errors
    /// Fails if a file cannot be read or is not valid.
    pub(crate) fn load(
        &self,
        paths: &[PathBuf],
        known: &KnownIds,
        variant: &Variant,
    ) -> anyhow::Result<(Checked, Option<ConfigFile>)> {
        let (config, is_found) = self.file(paths)?.unzip();
        let is_found = is_found.unwrap_or_default();
        let file = config
            .as_ref()
            .map(|path: &PathBuf| ConfigFile { path: path.display().to_string(), is_found });
        let files = ConfigFiles { config, admission_config: self.admission_config.clone() };
        let loaded = config_files::load(&files, known);
        let loaded = match file.as_ref().filter(|_| is_found) {
            Some(found) => loaded.with_context(|| {
                format!(
                    "found the configuration `{}`, which is not valid (--no-config ignores it)",
                    found.path
                )
            }),
            None => loaded.map_err(Into::into),
        };
        let mut checked = loaded?;
        if is_found {
            checked.review.tree = boundary(paths.first().map_or(Path::new("."), PathBuf::as_path))?;
        }
        variant.apply(&mut checked.config);
        Ok((checked, file))
    }
}

/// Returns the first configuration file in the folder of `path` or above.
///
/// The search ends at the root of the Git repository. Files outside of the repository are not in other clones, and
/// verdicts should be the same in all clones.
pub(crate) fn find(path: &Path) -> anyhow::Result<Option<PathBuf>> {
    let start = if path == Path::new("-") { Path::new(".") } else { path };
    let end = boundary(start)?;
    let start = absolute(start)?;
    for folder in start.ancestors().filter(|it| it.is_dir()) {
        let file = folder.join(NAME);
        if fs::symlink_metadata(&file).is_ok() {
            let file = PathBuf::from(shown(&file));
            if fs::metadata(&file).is_ok_and(|it| !it.is_file()) {
                bail!("`{}` is not a file; remove it, or use --no-config", file.display());
            }
            Trees::new([folder])
                .resolve(&file)
                .with_context(|| format!("cannot read the configuration `{}`", file.display()))?;
            return Ok(Some(file));
        }
        if end.as_deref() == Some(folder) {
            break;
        }
    }
    Ok(None)
}
