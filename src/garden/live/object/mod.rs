// SPDX-License-Identifier: Apache-2.0
mod credentials;

use std::borrow::Cow;
use std::fmt;

use kube::Resource;
use kube::api::ObjectMeta;
use kube::core::DynamicResourceScope;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use credentials::without_credentials;

use super::compression::reduce;
use garden_gate_core::garden::{GardenObject, ObjectKey};
use garden_gate_core::garden::{read, read_with_configuration};
use garden_gate_model::api::Kind;
use garden_gate_text::json::{without_position, without_values};

/// An object as received.
///
/// Only the fields that a watch needs are parsed, so that one invalid object does not break a list.
#[derive(Clone, Debug)]
pub(super) struct Object {
    metadata: ObjectMeta,
    json: Box<RawValue>,
}

impl Object {
    pub(super) fn key(&self, kind: Kind) -> ObjectKey {
        let part = |part: &Option<String>| part.clone().unwrap_or_default();
        let ObjectMeta { namespace, name, .. } = &self.metadata;
        ObjectKey::new(kind, part(namespace), part(name))
    }

    /// Returns the object as a manifest with `apiVersion` and `kind`, without `managedFields`.
    ///
    /// Credentials are left out, except in ShootStates, which are judged as a whole.
    pub(super) fn manifest(&self, kind: Kind) -> Box<RawValue> {
        self.manifest_if(|field| field != "managedFields", kind)
    }

    /// Returns the object like [`Self::manifest`], with the fields of its metadata for which `keeps` is true.
    fn manifest_if(&self, keeps: impl Fn(&str) -> bool, kind: Kind) -> Box<RawValue> {
        if kind.holds_credentials() && !kind.is_judged() {
            self.manifest_without_credentials(kind)
        } else {
            manifest(self.json.get(), kind, keeps).unwrap_or_else(|_| self.json.clone())
        }
    }

    /// Returns the object like [`Self::manifest`], without the credentials of any kind.
    pub(super) fn manifest_without_credentials(&self, kind: Kind) -> Box<RawValue> {
        if kind.holds_credentials() {
            without_credentials(self.json.get(), kind)
        } else {
            self.manifest(kind)
        }
    }

    /// Returns the object like [`Self::manifest`], with `managedFields`, which say what an apply on the server side removes.
    pub(super) fn manifest_with_managers(&self, kind: Kind) -> Box<RawValue> {
        self.manifest_if(|_| true, kind)
    }

    pub(super) fn resource_version(&self) -> Option<&str> {
        self.metadata.resource_version.as_deref()
    }

    pub(super) fn json(&self) -> &str {
        self.json.get()
    }

    /// Parses the object; returns [`GardenObject::Unreadable`] if it does not match the schema of its kind.
    pub(super) fn keep(&self, kind: Kind) -> GardenObject {
        self.kept(kind, read(kind, self.json.get()))
    }

    /// Parses the object like [`Self::keep`], with the configuration of a profile for its provider's extension.
    pub(super) fn keep_with_configuration(&self, kind: Kind) -> GardenObject {
        self.kept(kind, read_with_configuration(kind, self.json.get()))
    }

    fn kept(&self, kind: Kind, object: serde_json::Result<Option<GardenObject>>) -> GardenObject {
        let why = match object {
            Ok(Some(object)) => return object,
            Ok(None) => nothing_kept(kind),
            Err(error) => mismatch(kind, &error),
        };
        GardenObject::Unreadable(self.key(kind), why)
    }

    /// Parses the object like [`Self::keep`], and compresses or shortens it if it is large.
    pub(super) fn keep_reduced(&self, kind: Kind) -> GardenObject {
        reduce(self.keep(kind), self.json.get())
    }

    /// Parses the object.
    ///
    /// # Errors
    /// Fails with the reason if it does not match the schema of its kind.
    pub(super) fn read(&self, kind: Kind) -> Result<GardenObject, String> {
        let object = read(kind, self.json.get()).map_err(|error| {
            let ObjectKey { kind, name, .. } = self.key(kind);
            let error = mismatch(kind, &error);
            format!("the stored {kind} `{name}` does not have the shape of its kind: {error}")
        });
        object?.ok_or_else(|| nothing_kept(kind))
    }
}

/// Returns the reason why an object does not match the schema of its kind, without credentials.
fn mismatch(kind: Kind, error: &serde_json::Error) -> String {
    if kind.holds_credentials() { without_values(error) } else { without_position(error) }
}

/// Copies the JSON of the fields without building a `Value`.
///
/// A `Value` may be large, or unable to represent the object.
fn manifest(
    json: &str,
    kind: Kind,
    keeps: impl Fn(&str) -> bool,
) -> serde_json::Result<Box<RawValue>> {
    let api_version = kind.api_version();
    let mut text = String::with_capacity(json.len() + 128);
    text.push_str("{\"apiVersion\":");
    text.push_str(&serde_json::to_string(&api_version)?);
    text.push_str(",\"kind\":");
    text.push_str(&serde_json::to_string(kind.as_str())?);
    let Fields(fields) = serde_json::from_str(json)?;
    for (name, value) in fields {
        match &*name {
            "apiVersion" | "kind" => {}
            "metadata" => push_field(&mut text, &name, &only(value, &keeps)?)?,
            _ => push_field(&mut text, &name, value.get())?,
        }
    }
    text.push('}');
    RawValue::from_string(text)
}

/// Copies the JSON of the fields for which `keeps` is true.
fn only(metadata: &RawValue, keeps: impl Fn(&str) -> bool) -> serde_json::Result<String> {
    let Fields(fields) = serde_json::from_str(metadata.get())?;
    let mut text = "{".to_owned();
    for (name, value) in fields {
        if keeps(&name) {
            push_field(&mut text, &name, value.get())?;
        }
    }
    text.push('}');
    Ok(text)
}

fn push_field(text: &mut String, name: &str, value: &str) -> serde_json::Result<()> {
    if !text.ends_with('{') {
        text.push(',');
    }
    text.push_str(&serde_json::to_string(name)?);
    text.push(':');
    text.push_str(value);
    Ok(())
}

/// The fields of an object in their order, unparsed.
struct Fields<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(Fields(fields))
    }
}

fn nothing_kept(kind: Kind) -> String {
    format!("no {kind} can be looked up")
}

#[derive(Deserialize)]
struct Head {
    metadata: HeadMeta,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct HeadMeta {
    name: Option<String>,
    namespace: Option<String>,
    resource_version: Option<String>,
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Box::<RawValue>::deserialize(deserializer)?;
        let Head { metadata } = serde_json::from_str(json.get()).map_err(D::Error::custom)?;
        let metadata = ObjectMeta {
            name: metadata.name,
            namespace: metadata.namespace,
            resource_version: metadata.resource_version,
            ..ObjectMeta::default()
        };
        Ok(Self { metadata, json })
    }
}

impl Resource for Object {
    type DynamicType = Kind;
    type Scope = DynamicResourceScope;

    fn kind(kind: &Self::DynamicType) -> Cow<'_, str> {
        kind.as_str().into()
    }

    fn group(kind: &Self::DynamicType) -> Cow<'_, str> {
        kind.api().0.into()
    }

    fn version(kind: &Self::DynamicType) -> Cow<'_, str> {
        kind.api().1.into()
    }

    fn plural(kind: &Self::DynamicType) -> Cow<'_, str> {
        kind.resource().into()
    }

    fn meta(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn meta_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}
