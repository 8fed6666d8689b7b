//! Which configuration a review has: the file that is named, or the first that is found from its first path upwards.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;

use crate::config::{self, Checked, ConfigFiles};
use crate::report::ConfigFile;
use crate::review::repository::{absolute, boundary, shown};
use crate::rules::known_ids;

/// What is looked for; linters name theirs alike.
const NAME: &str = ".garden-gate.yaml";

/// Where the configuration of a review comes from.
#[derive(Args, Debug)]
pub(in crate::cli) struct Configuration {
    /// The gate's configuration file. Without it, it is the first `.garden-gate.yaml` in the folder of the first path (the working
    /// directory for `-`) or above, up to the root of the Git repository.
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    config: Option<PathBuf>,

    /// Do not look for a `.garden-gate.yaml`.
    #[arg(long)]
    no_config: bool,

    /// Gardener's AdmissionConfiguration file, for the global toleration lists.
    #[arg(long, value_name = "FILE")]
    admission_config: Option<PathBuf>,
}

impl Configuration {
    /// Gardener's configuration file.
    pub(super) fn admission_config(&self) -> Option<&PathBuf> {
        self.admission_config.as_ref()
    }

    /// What is in force for a review of `paths`, and the file that says so.
    ///
    /// # Errors
    /// When a file cannot be read or has mistakes.
    pub(in crate::cli) fn load(
        &self,
        paths: &[PathBuf],
    ) -> anyhow::Result<(Checked, Option<ConfigFile>)> {
        let found = match self.no_config || self.config.is_some() {
            true => None,
            false => find(paths.first().map_or(Path::new("."), PathBuf::as_path))?,
        };
        let is_found = found.is_some();
        let config = self.config.clone().or(found);
        let file = config.as_ref().map(|path| ConfigFile {
            path: path.display().to_string(),
            is_found,
        });
        let files = ConfigFiles {
            config,
            admission_config: self.admission_config.clone(),
        };
        let loaded = config::load(&files, &known_ids());
        let loaded = match file.as_ref().filter(|_| is_found) {
            Some(found) => loaded.with_context(|| {
                format!(
                    "found the configuration `{}`, which is not valid (--no-config ignores it)",
                    found.path
                )
            }),
            None => loaded.map_err(Into::into),
        };
        Ok((loaded?, file))
    }
}

/// The first file of the name in the folder of `path` or above. A Git repository is where it ends: what lies outside is not in the
/// clones of others, and verdicts should be the same in all of them.
fn find(path: &Path) -> anyhow::Result<Option<PathBuf>> {
    let start = if path == Path::new("-") {
        Path::new(".")
    } else {
        path
    };
    let end = boundary(start)?;
    let start = absolute(start)?;
    for folder in start.ancestors().filter(|it| it.is_dir()) {
        let file = folder.join(NAME);
        if fs::symlink_metadata(&file).is_ok() {
            let file = PathBuf::from(shown(&file));
            if fs::metadata(&file).is_ok_and(|it| !it.is_file()) {
                bail!(
                    "`{}` is not a file; remove it, or use --no-config",
                    file.display()
                );
            }
            return Ok(Some(file));
        }
        if end.as_deref() == Some(folder) {
            break;
        }
    }
    Ok(None)
}
