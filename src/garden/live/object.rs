use std::borrow::Cow;

use kube::Resource;
use kube::api::ObjectMeta;
use kube::core::DynamicResourceScope;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::compat::without_position;
use crate::garden::read::read;
use crate::garden::{GardenObject, ObjectKey};
use crate::model::Kind;

/// An object as it came, with its JSON unread but for the few fields that a watch needs; so one bad object spoils no list.
///
/// Relies on watch events naming their `type` before their `object`, as every API server written in Go does.
#[derive(Clone, Debug)]
pub(super) struct Object {
    metadata: ObjectMeta,
    json: Box<RawValue>,
}

impl Object {
    /// An object that came in another form.
    ///
    /// # Errors
    /// Why it cannot be written as JSON.
    pub(super) fn of(object: &(impl Resource + Serialize)) -> serde_json::Result<Self> {
        Ok(Self {
            metadata: object.meta().clone(),
            json: to_raw_value(object)?,
        })
    }

    pub(super) fn key(&self, kind: Kind) -> ObjectKey {
        let part = |part: &Option<String>| part.clone().unwrap_or_default();
        let ObjectMeta {
            namespace, name, ..
        } = &self.metadata;
        ObjectKey::new(kind, part(namespace), part(name))
    }

    /// All of the object, as a manifest: with its kind, which items of a list leave out, and without who manages which field.
    pub(super) fn manifest(&self, kind: Kind) -> Value {
        let mut manifest = serde_json::from_str(self.json.get()).unwrap_or(Value::Null);
        if let Value::Object(fields) = &mut manifest {
            let api_version = match kind.api() {
                ("", version) => version.to_owned(),
                (group, version) => format!("{group}/{version}"),
            };
            fields.insert("apiVersion".to_owned(), api_version.into());
            fields.insert("kind".to_owned(), kind.as_str().into());
        }
        if let Some(Value::Object(metadata)) = manifest.get_mut("metadata") {
            metadata.remove("managedFields");
        }
        manifest
    }

    /// What is kept of the object; if it does not have the shape of its kind, that.
    pub(super) fn keep(&self, kind: Kind) -> GardenObject {
        let why = match read(kind, self.json.get()) {
            Ok(Some(object)) => return object,
            Ok(None) => nothing_kept(kind),
            Err(error) => without_position(&error),
        };
        GardenObject::Unreadable(self.key(kind), why)
    }

    /// What is kept of the object.
    ///
    /// # Errors
    /// When it does not have the shape of its kind, with what is wrong.
    pub(super) fn read(&self, kind: Kind) -> Result<GardenObject, String> {
        let object = read(kind, self.json.get()).map_err(|error| {
            let ObjectKey { kind, name, .. } = self.key(kind);
            let error = without_position(&error);
            format!("the stored {kind} `{name}` does not have the shape of its kind: {error}")
        });
        object?.ok_or_else(|| nothing_kept(kind))
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
