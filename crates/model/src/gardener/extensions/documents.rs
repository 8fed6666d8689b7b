// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::api::Kind;
use crate::api::extensions::ConfigurationPlace;
use garden_gate_text::json::{decode, decode_value};

/// A configuration in an object: a JSON text with its position.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    /// The field that contains it.
    pub place: ConfigurationPlace,
    /// The index of the worker pool or extension; 0 where there is only one.
    pub index: usize,
    /// The index of the container runtime in the worker pool; 0 for other configurations.
    pub runtime: usize,
    /// The type next to it that chooses it. That of a NamespacedCloudProfile is its parent's: see [`Documents::choose`].
    pub class: Cow<'a, str>,
    /// The JSON text, as written or as a mutating webhook has rewritten it.
    pub text: Cow<'a, str>,
}

/// The configurations in an object, in its order. `null` counts as absent.
#[derive(Clone, Debug, Default)]
pub struct Documents<'a> {
    /// The configurations.
    pub all: Vec<Document<'a>>,
    /// The kinds and types of extensions that the object names, with or without a configuration.
    pub types: Vec<(&'static str, Cow<'a, str>)>,
}

impl<'a> Documents<'a> {
    /// Finds the configurations in the JSON text of an object; none in an object that cannot be decoded.
    pub fn of(kind: Kind, text: &'a str) -> Self {
        let object: Object<'a> = serde_json::from_str(text).unwrap_or_default();
        let spec = object.spec;
        let mut documents = Self::default();
        match kind {
            Kind::Shoot => documents.add_shoot(spec),
            Kind::CloudProfile => {
                documents.name("Infrastructure", spec.kind.clone());
                documents.add(ConfigurationPlace::CloudProfile, 0, spec.kind, spec.provider_config);
            }
            Kind::NamespacedCloudProfile => {
                documents.add(
                    ConfigurationPlace::CloudProfile,
                    0,
                    Cow::Borrowed(""),
                    spec.provider_config,
                );
            }
            Kind::Seed => {
                let (provider, backup) = (spec.provider, spec.backup);
                documents.name("Infrastructure", provider.kind.clone());
                documents.name("BackupBucket", backup.provider.clone());
                documents.add(
                    ConfigurationPlace::SeedProvider,
                    0,
                    provider.kind,
                    provider.provider_config,
                );
                documents.add(
                    ConfigurationPlace::Backup,
                    0,
                    backup.provider,
                    backup.provider_config,
                );
                documents.add_extensions(spec.extensions);
            }
            _ => {}
        }
        documents
    }

    /// Sets the type of the configurations of a NamespacedCloudProfile.
    pub fn choose(&mut self, class: &str) {
        for document in &mut self.all {
            document.class = Cow::Owned(class.to_owned());
        }
        self.name("Infrastructure", Cow::Owned(class.to_owned()));
    }

    fn name(&mut self, kind: &'static str, class: Cow<'a, str>) {
        if !class.is_empty() {
            self.types.push((kind, class));
        }
    }

    fn add_shoot(&mut self, spec: Spec<'a>) {
        let (provider, networking) = (spec.provider, spec.networking);
        let kind = provider.kind;
        self.name("Infrastructure", kind.clone());
        self.name("Network", networking.kind.clone());
        let class = || kind.clone();
        self.add(ConfigurationPlace::Infrastructure, 0, class(), provider.infrastructure_config);
        self.add(ConfigurationPlace::ControlPlane, 0, class(), provider.control_plane_config);
        for (index, pool) in provider.workers.into_iter().enumerate() {
            let image = pool.machine.image;
            self.name("OperatingSystemConfig", image.name.clone());
            for (runtime, part) in pool.cri.container_runtimes.into_iter().enumerate() {
                self.name("ContainerRuntime", part.kind.clone());
                let place = ConfigurationPlace::ContainerRuntime;
                self.add_at((place, index, runtime), part.kind, part.provider_config);
            }
            self.add(ConfigurationPlace::Worker, index, class(), pool.provider_config);
            self.add(ConfigurationPlace::MachineImage, index, image.name, image.provider_config);
        }
        self.add(ConfigurationPlace::Network, 0, networking.kind, networking.provider_config);
        self.add_extensions(spec.extensions);
    }

    fn add_extensions(&mut self, extensions: Vec<Part<'a>>) {
        for (index, extension) in extensions.into_iter().enumerate() {
            let Part { kind, provider_config, .. } = extension;
            self.name("Extension", kind.clone());
            self.add(ConfigurationPlace::Extension, index, kind, provider_config);
        }
    }

    fn add(
        &mut self,
        place: ConfigurationPlace,
        index: usize,
        class: Cow<'a, str>,
        text: Option<&'a RawValue>,
    ) {
        self.add_at((place, index, 0), class, text);
    }

    fn add_at(
        &mut self,
        (place, index, runtime): (ConfigurationPlace, usize, usize),
        class: Cow<'a, str>,
        text: Option<&'a RawValue>,
    ) {
        let Some(text) = text.map(RawValue::get).filter(|text| *text != "null") else {
            return;
        };
        self.all.push(Document { place, index, runtime, class, text: Cow::Borrowed(text) });
    }

    /// Returns the configuration at a place where there is only one.
    pub fn at(&self, place: ConfigurationPlace) -> Option<&Document<'a>> {
        self.nth(place, 0)
    }

    /// Returns the configuration of the worker pool or extension with an index.
    pub fn nth(&self, place: ConfigurationPlace, index: usize) -> Option<&Document<'a>> {
        let mut all = self.all.iter();
        all.find(|it| it.place == place && it.index == index)
    }

    /// Returns the configurations at a place, such as those of all worker pools.
    pub fn each(&self, place: ConfigurationPlace) -> impl Iterator<Item = &Document<'a>> {
        self.all.iter().filter(move |it| it.place == place)
    }

    /// Replaces or adds a configuration.
    pub(super) fn set(
        &mut self,
        (place, index): (ConfigurationPlace, usize),
        class: &str,
        value: &Value,
    ) {
        let text = Cow::Owned(value.to_string());
        let mut all = self.all.iter_mut();
        match all.find(|it| it.place == place && it.index == index) {
            Some(document) => document.text = text,
            None => {
                let class = Cow::Owned(class.to_owned());
                self.all.push(Document { place, index, runtime: 0, class, text });
            }
        }
    }
}

/// The header of a configuration; absent parts are empty.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct DocumentHeader {
    /// API group and version.
    pub api_version: String,
    /// Kind.
    pub kind: String,
}

impl Document<'_> {
    /// Decodes the header.
    ///
    /// # Errors
    /// Fails if the configuration is not an object, or the header contains other values than strings.
    pub fn header(&self) -> serde_json::Result<DocumentHeader> {
        decode(&self.text)
    }

    /// Returns the names of the fields below the header.
    ///
    /// # Errors
    /// Fails if the configuration is not an object.
    pub fn field_names(&self) -> serde_json::Result<Vec<String>> {
        #[expect(clippy::zero_sized_map_values, reason = "serde skips the values of a map")]
        let fields: BTreeMap<String, IgnoredAny> = serde_json::from_str(&self.text)?;
        let names = fields.into_keys();
        Ok(names.filter(|it| it != "apiVersion" && it != "kind").collect())
    }

    /// Decodes the configuration.
    ///
    /// # Errors
    /// Fails if it does not match the type, or has a repeated field.
    pub fn decode<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        decode(&self.text)
    }

    /// Decodes the configuration with the last of repeated fields.
    ///
    /// # Errors
    /// Fails if it does not match the type.
    pub fn decode_leniently<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        let tree: Value = serde_json::from_str(&self.text)?;
        decode_value(&tree)
    }

    /// Returns the JSON pointer to the configuration in its object.
    pub fn pointer(&self) -> String {
        pointer(self.place, self.index, self.runtime)
    }
}

/// Returns the JSON pointer to a configuration in its object.
pub(super) fn pointer(place: ConfigurationPlace, index: usize, runtime: usize) -> String {
    match place {
        ConfigurationPlace::Infrastructure => "/spec/provider/infrastructureConfig".to_owned(),
        ConfigurationPlace::ControlPlane => "/spec/provider/controlPlaneConfig".to_owned(),
        ConfigurationPlace::Worker => format!("/spec/provider/workers/{index}/providerConfig"),
        ConfigurationPlace::MachineImage => {
            format!("/spec/provider/workers/{index}/machine/image/providerConfig")
        }
        ConfigurationPlace::ContainerRuntime => {
            format!("/spec/provider/workers/{index}/cri/containerRuntimes/{runtime}/providerConfig")
        }
        ConfigurationPlace::Network => "/spec/networking/providerConfig".to_owned(),
        ConfigurationPlace::Extension => format!("/spec/extensions/{index}/providerConfig"),
        ConfigurationPlace::CloudProfile => "/spec/providerConfig".to_owned(),
        ConfigurationPlace::SeedProvider => "/spec/provider/providerConfig".to_owned(),
        ConfigurationPlace::Backup => "/spec/backup/providerConfig".to_owned(),
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Object<'a> {
    #[serde(borrow)]
    spec: Spec<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Spec<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    provider_config: Option<&'a RawValue>,
    #[serde(borrow)]
    provider: Part<'a>,
    #[serde(borrow)]
    networking: Part<'a>,
    #[serde(borrow)]
    backup: Part<'a>,
    #[serde(borrow)]
    extensions: Vec<Part<'a>>,
}

/// A part of an object that contains configurations, with the fields of all such parts.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Part<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    provider: Cow<'a, str>,
    #[serde(borrow)]
    provider_config: Option<&'a RawValue>,
    #[serde(borrow)]
    infrastructure_config: Option<&'a RawValue>,
    #[serde(borrow)]
    control_plane_config: Option<&'a RawValue>,
    #[serde(borrow)]
    workers: Vec<Pool<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Pool<'a> {
    #[serde(borrow)]
    provider_config: Option<&'a RawValue>,
    #[serde(borrow)]
    machine: PoolMachine<'a>,
    #[serde(borrow)]
    cri: PoolCri<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct PoolCri<'a> {
    #[serde(borrow)]
    container_runtimes: Vec<Part<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PoolMachine<'a> {
    #[serde(borrow)]
    image: Part<'a>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurations_are_found_with_the_type_that_chooses_them() {
        let text = r#"{"spec": {"networking": {"type": "calico", "providerConfig": null},
            "provider": {"type": "aws", "infrastructureConfig": {"a": 1}, "workers": [
                {"machine": {"image": {"name": "gardenlinux", "providerConfig": {}}}}, {"providerConfig": {"b": 1, "b": 2}}]},
            "extensions": [{"type": "x"}, {"type": "registry-cache", "providerConfig": {"c": 1}}]}}"#;
        let documents = Documents::of(Kind::Shoot, text);
        let found: Vec<_> = documents
            .all
            .iter()
            .map(|it| (it.pointer(), it.class.to_string(), it.text.to_string()))
            .collect();
        let expected = [
            ("/spec/provider/infrastructureConfig", "aws", r#"{"a": 1}"#),
            ("/spec/provider/workers/0/machine/image/providerConfig", "gardenlinux", "{}"),
            ("/spec/provider/workers/1/providerConfig", "aws", r#"{"b": 1, "b": 2}"#),
            ("/spec/extensions/1/providerConfig", "registry-cache", r#"{"c": 1}"#),
        ];
        assert_eq!(found, expected.map(|(a, b, c)| (a.to_owned(), b.to_owned(), c.to_owned())));
    }
}
