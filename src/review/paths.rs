// SPDX-License-Identifier: Apache-2.0
//! Files that the configuration excludes, or that have levels of their own.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::anyhow;

use super::repository::absolute;
use garden_gate_core::config::PathPatterns;
use garden_gate_core::config::{Config, PathLevels, ReviewDefaults};
use garden_gate_products::review::Subject;

/// The parts of a configuration that depend on files.
#[derive(Debug)]
pub(crate) struct PathRules {
    /// The folder to which patterns are relative.
    folder: PathBuf,
    exclude: PathPatterns,
    levels: Vec<(PathPatterns, PathLevels)>,
}

impl PathRules {
    /// Compiles the patterns.
    ///
    /// # Errors
    /// Fails if a pattern is not valid.
    pub(crate) fn new(defaults: &ReviewDefaults) -> anyhow::Result<Self> {
        let patterns = |texts: &[String]| {
            let texts = texts.iter().map(String::as_str);
            PathPatterns::new(texts).map_err(|why| anyhow!("{why}"))
        };
        let levels = defaults.per_path.iter().map(|it| Ok((patterns(&it.paths)?, it.clone())));
        let folder =
            if defaults.folder.as_os_str().is_empty() { Path::new(".") } else { &defaults.folder };
        Ok(Self {
            folder: absolute(folder)?,
            exclude: patterns(&defaults.exclude)?,
            levels: levels.collect::<anyhow::Result<_>>()?,
        })
    }

    /// Reports whether a file in a directory, by its absolute path, is excluded.
    pub(crate) fn excludes(&self, place: &Path) -> bool {
        let inside = place.strip_prefix(&self.folder);
        inside.is_ok_and(|inside| self.exclude.matches(inside))
    }

    /// Returns the configurations of files with levels of their own; `adjust` takes precedence.
    pub(crate) fn configs(
        &self,
        subjects: &[Subject],
        (config, adjust): (&Config, impl Fn(&mut Config) -> anyhow::Result<()>),
    ) -> anyhow::Result<HashMap<Arc<str>, Arc<Config>>> {
        let mut configs = HashMap::new();
        if self.levels.is_empty() {
            return Ok(configs);
        }
        let mut known: BTreeMap<Vec<usize>, Arc<Config>> = BTreeMap::new();
        for subject in subjects {
            if configs.contains_key(&subject.file) {
                continue;
            }
            let place = absolute(Path::new(&*subject.file)).ok();
            let inside = place.as_deref().and_then(|it| it.strip_prefix(&self.folder).ok());
            let levels = self.levels.iter().enumerate();
            let matching =
                levels.filter(|(_, (paths, _))| inside.is_some_and(|it| paths.matches(it)));
            let matching: Vec<usize> = matching.map(|(index, _)| index).collect();
            if matching.is_empty() {
                continue;
            }
            let own = match known.get(&matching) {
                Some(own) => Arc::clone(own),
                None => {
                    let mut own = config.clone();
                    for index in &matching {
                        own.extend_levels(&self.levels[*index].1);
                    }
                    adjust(&mut own)?;
                    Arc::clone(known.entry(matching).or_insert(Arc::new(own)))
                }
            };
            configs.insert(Arc::clone(&subject.file), own);
        }
        Ok(configs)
    }
}
