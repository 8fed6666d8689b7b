// SPDX-License-Identifier: Apache-2.0
//! Names and metadata of objects.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;

/// The name of an object in a cluster.
#[derive(Clone, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct ObjectName {
    /// The kind, such as `Deployment`.
    pub kind: String,
    /// The namespace; empty if the object has none.
    pub namespace: String,
    /// The name.
    pub name: String,
}

impl fmt::Display for ObjectName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, namespace, name } = self;
        match namespace.as_str() {
            "" => write!(f, "{kind} {name}"),
            _ => write!(f, "{kind} {namespace}/{name}"),
        }
    }
}

/// The part of an object's metadata that checks read.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Metadata {
    pub(crate) name: String,
    pub(crate) generate_name: String,
    pub(crate) namespace: String,
    pub(crate) labels: BTreeMap<String, String>,
    pub(crate) annotations: BTreeMap<String, String>,
    pub(crate) owner_references: Vec<Owner>,
    pub(crate) managed_fields: Vec<ManagedFields>,
    pub(crate) generation: Option<i64>,
    pub(crate) deletion_timestamp: Option<String>,
}

/// A reference to the owner of an object.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Owner {
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) controller: Option<bool>,
}

/// The manager of some fields, and the version of the API in which it wrote them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ManagedFields {
    pub(crate) manager: String,
    pub(crate) api_version: String,
}

impl Metadata {
    /// Returns the name of the object.
    pub(crate) fn object(&self, kind: &str) -> ObjectName {
        let name = if self.name.is_empty() { &self.generate_name } else { &self.name };
        ObjectName { kind: kind.to_owned(), namespace: self.namespace.clone(), name: name.clone() }
    }

    /// Returns the owner that controls the object.
    pub(crate) fn controller(&self) -> Option<&Owner> {
        self.owner_references.iter().find(|it| it.controller == Some(true))
    }
}
