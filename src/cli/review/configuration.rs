//! Configuration of a review: the named file, or the first one found from its first path upwards.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;

use crate::cli::gardener_version::gardener_version;
use crate::cli::words::named;
use crate::config_files;
use crate::files::Trees;
use crate::review::repository::{absolute, boundary, shown};
use garden_gate_core::config::{Checked, ConfigFiles, KnownIds};
use garden_gate_model::api::GardenerVersion;
use garden_gate_model::api::extensions::{EXTENSIONS, Extension, ExtensionVersion};
use garden_gate_products::report::ConfigFile;
use garden_gate_text::nearest::did_you_mean;

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

    /// Version of Gardener by which objects are judged, such as 1.145 [default: `gardenerVersion` of the configuration, then
    /// the ConfigMap `gardener-info` of the garden, then the newest known version].
    ///
    /// With several versions, such as 1.145,1.149, `review` prints where their verdicts differ, and `audit` reports only what
    /// the second version adds.
    #[arg(long = "gardener-version", value_name = "VERSION", value_parser = gardener_version, value_delimiter = ',')]
    versions: Vec<GardenerVersion>,

    /// Version of an extension by which its configurations are judged, such as aws=1.66.0 [default: `extensions` of the
    /// configuration, then the ControllerDeployment in the garden, then the newest known version].
    #[arg(long = "extension", value_name = "NAME=VERSION", value_parser = extension, value_delimiter = ',')]
    extensions: Vec<(&'static Extension, ExtensionVersion)>,
}

/// Parses the value of `--extension`.
fn extension(text: &str) -> Result<(&'static Extension, ExtensionVersion), String> {
    let names = || EXTENSIONS.iter().map(|it| it.name).collect::<Vec<_>>();
    let (name, version) = text.split_once('=').ok_or("write it like aws=1.66.0")?;
    let extension = Extension::named(name).ok_or_else(|| {
        let help = did_you_mean(name, &names())
            .unwrap_or_else(|| format!("the known ones are {}", names().join(", ")));
        format!("this is no known extension; {help}")
    })?;
    let version = ExtensionVersion::parse(version)
        .map_err(|why| format!("{why}; write it like {}", extension.newest()))?;
    Ok((extension, version))
}

impl Configuration {
    /// Returns Gardener's configuration file.
    pub(super) fn admission_config(&self) -> Option<&PathBuf> {
        self.admission_config.as_ref()
    }

    /// Returns the arguments that select the same configuration again.
    pub(crate) fn words(&self) -> Vec<OsString> {
        let mut words: Vec<OsString> = Vec::new();
        words.extend(self.config.iter().map(|it| named("--config", it)));
        words.extend(self.no_config.then(|| OsString::from("--no-config")));
        words.extend(self.admission_config.iter().map(|it| named("--admission-config", it)));
        let versions = self.versions.iter();
        words.extend(versions.map(|it| format!("--gardener-version={it}").into()));
        let extensions = self.extensions.iter();
        words.extend(extensions.map(|(it, at)| format!("--extension={}={at}", it.name).into()));
        words
    }

    /// Returns the named files.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.config.iter().chain(&self.admission_config)
    }

    /// Reports whether a configuration is searched for.
    pub(crate) fn is_found(&self) -> bool {
        self.config.is_none() && !self.no_config
    }

    /// Returns the versions of `--gardener-version`, of which the last one is in the configuration.
    pub(crate) fn versions(&self) -> &[GardenerVersion] {
        &self.versions
    }

    /// Loads the configuration for a review of `paths`, which may contain known ids, and returns its file.
    ///
    /// # Errors
    /// Fails if a file cannot be read or is not valid.
    pub(crate) fn load(
        &self,
        paths: &[PathBuf],
        known: &KnownIds,
    ) -> anyhow::Result<(Checked, Option<ConfigFile>)> {
        let found = if self.no_config || self.config.is_some() {
            None
        } else {
            find(paths.first().map_or(Path::new("."), PathBuf::as_path))?
        };
        let is_found = found.is_some();
        let config = self.config.clone().or(found);
        let file =
            config.as_ref().map(|path| ConfigFile { path: path.display().to_string(), is_found });
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
        checked.config.set_flag_version(self.versions.last().copied());
        for (extension, version) in &self.extensions {
            let settings = checked.config.extensions.entry(extension.name);
            settings.or_default().version = Some(*version);
        }
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
