//! The versions of Gardener and of extensions by which a command judges.

mod extension;
mod gardener;

use std::collections::BTreeMap;
use std::ffi::OsString;

use anyhow::bail;
use clap::Args;

use self::extension::NamedVersions;
pub(crate) use self::gardener::{VersionLookup, gardener_version};
use garden_gate_core::config::Config;
use garden_gate_model::api::GardenerVersion;
use garden_gate_model::api::extensions::{Extension, ExtensionVersion};
use garden_gate_products::report::{ComparedVersions, JudgedExtension};

/// The versions by which objects are judged; several are compared.
#[derive(Args, Debug)]
#[command(next_help_heading = "Configuration")]
pub(crate) struct VersionArgs {
    /// Version of Gardener by which objects are judged, such as 1.145 [default: `gardenerVersion` of the configuration, then
    /// the ConfigMap `gardener-info` of the garden, then the newest known version].
    ///
    /// With several versions, such as 1.145,1.149, `review` prints where their verdicts differ, and `audit` reports only what
    /// the second version adds.
    #[arg(id = "versions", long = "gardener-version", value_name = "VERSION", value_parser = gardener_version, value_delimiter = ',')]
    gardener: Vec<GardenerVersion>,

    /// Version of an extension by which its configurations are judged, such as aws=1.66.0 [default: `extensions` of the
    /// configuration, then the ControllerDeployment in the garden, then the newest known version].
    ///
    /// Several versions, such as aws=1.70.0,1.74.0, are compared like those of Gardener. Every list has one version, or as
    /// many as the others.
    #[arg(long = "extension", value_name = "NAME=VERSION", value_parser = extension::parse)]
    extensions: Vec<NamedVersions>,
}

/// The versions of one judgement; others have their usual sources.
#[derive(Clone, Debug, Default)]
pub(crate) struct Variant {
    gardener: Option<GardenerVersion>,
    extensions: BTreeMap<&'static str, ExtensionVersion>,
}

impl VersionArgs {
    /// Returns the arguments that select the same versions again.
    pub(crate) fn words(&self) -> Vec<OsString> {
        let versions = self.gardener.iter().map(|it| format!("--gardener-version={it}"));
        let extensions = self.extensions().into_iter().flat_map(|(name, versions)| {
            versions.into_iter().map(move |it| format!("--extension={name}={it}"))
        });
        versions.chain(extensions).map(OsString::from).collect()
    }

    /// Returns the versions of each judgement: one, or several that are compared.
    ///
    /// # Errors
    /// Fails if the lists of versions have different lengths.
    pub(crate) fn variants(&self) -> anyhow::Result<Vec<Variant>> {
        let extensions = self.extensions();
        let lists = extensions
            .iter()
            .map(|(name, versions)| (format!("--extension {name}"), versions.len()));
        let gardener = ("--gardener-version".to_owned(), self.gardener.len());
        let mut lists: Vec<(String, usize)> = lists.chain([gardener]).collect();
        lists.retain(|(_, count)| *count > 1);
        let count = lists.first().map_or(1, |(_, count)| *count);
        if let Some((other, different)) = lists.iter().find(|(_, it)| *it != count) {
            bail!(
                "{} names {count} versions, but {other} {different}; name one, or as many",
                lists[0].0
            );
        }
        let variant = |index: usize| Variant {
            gardener: of_variant(&self.gardener, index),
            extensions: extensions
                .iter()
                .filter_map(|(name, versions)| Some((*name, of_variant(versions, index)?)))
                .collect(),
        };
        Ok((0..count).map(variant).collect())
    }

    /// Returns the versions of a command that judges once.
    ///
    /// # Errors
    /// Fails if several versions are named.
    pub(crate) fn only(&self) -> anyhow::Result<Variant> {
        let mut variants = self.variants()?;
        match (variants.pop(), variants.is_empty()) {
            (Some(only), true) => Ok(only),
            _ => {
                let flag =
                    if self.gardener.len() > 1 { "--gardener-version" } else { "--extension" };
                bail!("{flag} takes one version here; `review` and `audit` compare several")
            }
        }
    }

    /// Returns the versions of each extension, in the order of the names.
    fn extensions(&self) -> BTreeMap<&'static str, Vec<ExtensionVersion>> {
        let mut extensions: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for NamedVersions(named) in &self.extensions {
            for (Extension { name, .. }, version) in named {
                extensions.entry(*name).or_default().push(*version);
            }
        }
        extensions
    }
}

/// Returns the version of a judgement: the only one, or that with its index.
fn of_variant<T: Copy>(versions: &[T], index: usize) -> Option<T> {
    versions.get(index).or(versions.first()).copied()
}

impl Variant {
    /// Sets the versions in a configuration.
    pub(crate) fn apply(&self, config: &mut Config) {
        config.set_flag_version(self.gardener);
        for (name, version) in &self.extensions {
            config.extensions.entry(name).or_default().version = Some(*version);
        }
    }

    /// Returns the versions of extensions that are set.
    pub(crate) fn extensions(&self) -> Vec<JudgedExtension> {
        let set = self.extensions.iter();
        set.map(|(name, version)| JudgedExtension { name, version: *version }).collect()
    }

    /// Returns the versions of each variant that are not the same in all of them; if none differs, all versions.
    pub(crate) fn differences(variants: &[Self]) -> Vec<ComparedVersions> {
        let all = variants
            .iter()
            .map(|it| ComparedVersions { gardener: it.gardener, extensions: it.extensions() });
        let all: Vec<ComparedVersions> = all.collect();
        let is_common = |has: &dyn Fn(&ComparedVersions) -> bool| all.iter().all(has);
        let differing = all.iter().map(|own| ComparedVersions {
            gardener: own.gardener.filter(|_| !is_common(&|it| it.gardener == own.gardener)),
            extensions: own
                .extensions
                .iter()
                .filter(|own| !is_common(&|it| it.extensions.contains(own)))
                .cloned()
                .collect(),
        });
        let differing: Vec<ComparedVersions> = differing.collect();
        if differing.iter().all(ComparedVersions::is_empty) { all } else { differing }
    }
}
