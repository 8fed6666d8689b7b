// SPDX-License-Identifier: Apache-2.0
//! The versions of Gardener and of extensions by which a command judges.

mod components;
mod extension;
mod gardener;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{PathBuf, absolute};
use std::sync::OnceLock;

use anyhow::bail;
use clap::Args;

use self::components::ComponentFiles;
use self::extension::NamedVersions;
pub(crate) use self::gardener::{VersionLookup, gardener_version};
use crate::review::git::Revision;
use garden_gate_core::config::{Components, Config};
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

    /// Component vector of gardener-landscape-kit with the versions of Gardener and of extensions, such as components.yaml; may be
    /// given several times, and later files override earlier ones.
    ///
    /// --gardener-version and --extension take precedence. Several files, such as old.yaml,new.yaml, are compared. With `review
    /// --git`, the file is compared with that of the revision, and stored objects are audited with the new versions.
    #[arg(long, value_name = "FILE", value_parser = components::parse)]
    components: Vec<ComponentFiles>,

    /// The content of all component vectors. Each is read once, since it may be a pipe.
    #[arg(skip)]
    read: OnceLock<Vec<Vec<Components>>>,
}

/// The versions of one judgement; others have their usual sources.
#[derive(Clone, Debug, Default)]
pub(crate) struct Variant {
    /// The version of the flag.
    gardener: Option<GardenerVersion>,
    /// The versions of the flag and of component vectors.
    extensions: BTreeMap<&'static str, ExtensionVersion>,
    /// The component vectors.
    components: Components,
}

impl VersionArgs {
    /// Returns the arguments that select the same versions again.
    pub(crate) fn words(&self) -> Vec<OsString> {
        let versions = self.gardener.iter().map(|it| format!("--gardener-version={it}"));
        let extensions = self.extensions().into_iter().flat_map(|(name, versions)| {
            versions.into_iter().map(move |it| format!("--extension={name}={it}"))
        });
        let components = self.components.iter().map(|ComponentFiles(files)| {
            let files: Vec<OsString> = files
                .iter()
                .map(|it| absolute(it).unwrap_or_else(|_| it.clone()))
                .map(PathBuf::into_os_string)
                .collect();
            let mut word = OsString::from("--components=");
            word.push(files.join(OsStr::new(",")));
            word
        });
        versions.chain(extensions).map(OsString::from).chain(components).collect()
    }

    /// Returns the files with versions.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.components.iter().flat_map(|ComponentFiles(files)| files)
    }

    /// Reports whether component vectors are named.
    pub(crate) fn has_components(&self) -> bool {
        !self.components.is_empty()
    }

    /// Returns the component vectors as of a commit.
    ///
    /// # Errors
    /// Fails if one cannot be read or is not valid there.
    pub(crate) fn components_at(&self, revision: &Revision) -> anyhow::Result<Components> {
        let mut before = Components::default();
        for (ComponentFiles(files), now) in self.components.iter().zip(self.read()?) {
            for (file, now) in files.iter().zip(now) {
                let then = components::read_committed(file, revision)?;
                before.extend(then.unwrap_or_else(|| now.clone()));
            }
        }
        Ok(before)
    }

    /// Returns the only variant with other component vectors.
    pub(crate) fn with_components(&self, components: Components) -> Variant {
        self.variant(0, components)
    }

    /// Returns the content of each component vector, which is read once.
    fn read(&self) -> anyhow::Result<&Vec<Vec<Components>>> {
        if let Some(read) = self.read.get() {
            return Ok(read);
        }
        let read = self
            .components
            .iter()
            .map(|ComponentFiles(files)| {
                files.iter().map(|it| components::read(it)).collect::<anyhow::Result<Vec<_>>>()
            })
            .collect::<anyhow::Result<Vec<_>>>()?;
        Ok(self.read.get_or_init(|| read))
    }

    /// Returns the versions of each judgement: one, or several that are compared.
    ///
    /// # Errors
    /// Fails if the lists of versions have different lengths, or a component vector is not valid.
    pub(crate) fn variants(&self) -> anyhow::Result<Vec<Variant>> {
        let extensions = self.extensions();
        let lists = extensions
            .iter()
            .map(|(name, versions)| (format!("--extension {name}"), versions.len()));
        let gardener = ("--gardener-version".to_owned(), self.gardener.len());
        let components = self.components.iter().map(|it| ("--components".to_owned(), it.0.len()));
        let mut lists: Vec<(String, usize)> = lists.chain([gardener]).chain(components).collect();
        lists.retain(|(_, count)| *count > 1);
        let count = lists.first().map_or(1, |(_, count)| *count);
        if let Some((other, different)) = lists.iter().find(|(_, it)| *it != count) {
            bail!(
                "{} names {count} versions, but {other} {different}; name one, or as many",
                lists[0].0
            );
        }
        let read = self.read()?;
        let variant = |index: usize| {
            let mut components = Components::default();
            for files in read {
                components.extend(of_variant(files, index).unwrap_or_default());
            }
            self.variant(index, components)
        };
        Ok((0..count).map(variant).collect())
    }

    /// Returns the variant with this index of the flags, and component vectors.
    fn variant(&self, index: usize, components: Components) -> Variant {
        let mut extensions = components.extensions.clone();
        for (name, versions) in self.extensions() {
            extensions.extend(of_variant(&versions, index).map(|it| (name, it)));
        }
        Variant { gardener: of_variant(&self.gardener, index), extensions, components }
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
                let flag = match self.extensions().values().any(|it| it.len() > 1) {
                    _ if self.gardener.len() > 1 => "--gardener-version",
                    true => "--extension",
                    false => "--components",
                };
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
fn of_variant<T: Clone>(versions: &[T], index: usize) -> Option<T> {
    versions.get(index).or(versions.first()).cloned()
}

impl Variant {
    /// Sets the versions in a configuration.
    pub(crate) fn apply(&self, config: &mut Config) {
        config.set_components_version(self.components.gardener);
        config.set_flag_version(self.gardener);
        for (name, version) in &self.extensions {
            config.extensions.entry(name).or_default().version = Some(*version);
        }
    }

    /// Returns the component vectors.
    pub(crate) fn components(&self) -> &Components {
        &self.components
    }

    /// Returns the versions of extensions that are set.
    pub(crate) fn extensions(&self) -> Vec<JudgedExtension> {
        let set = self.extensions.iter();
        set.map(|(name, version)| JudgedExtension { name, version: *version }).collect()
    }

    /// Returns the versions of each variant that are not the same in all of them; if none differs, all versions.
    pub(crate) fn differences(variants: &[Self]) -> Vec<ComparedVersions> {
        let all: Vec<ComparedVersions> = variants
            .iter()
            .map(|it| ComparedVersions {
                gardener: it.gardener.or(it.components.gardener),
                extensions: it.extensions(),
            })
            .collect();
        let is_common = |has: &dyn Fn(&ComparedVersions) -> bool| all.iter().all(has);
        let differing: Vec<ComparedVersions> = all
            .iter()
            .map(|own| ComparedVersions {
                gardener: own.gardener.filter(|_| !is_common(&|it| it.gardener == own.gardener)),
                extensions: own
                    .extensions
                    .iter()
                    .filter(|own| !is_common(&|it| it.extensions.contains(own)))
                    .cloned()
                    .collect(),
            })
            .collect();
        if differing.iter().all(ComparedVersions::is_empty) { all } else { differing }
    }
}
