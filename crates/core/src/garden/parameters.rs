// SPDX-License-Identifier: Apache-2.0
//! Objects that ValidatingAdmissionPolicies use as parameters. They may be of any kind, and are kept as a whole.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use garden_gate_model::api::{Kind, ParamKind, group_and_version};

/// An object of any kind, as in a file or from an API server.
#[derive(Clone, Debug)]
pub struct RawObject {
    /// The kind.
    pub kind: ParamKind,
    /// The namespace; empty if there is none.
    pub namespace: String,
    /// The name.
    pub name: String,
    /// The object.
    pub value: Value,
}

impl RawObject {
    /// Returns an object with its kind and name; `None` if it lacks one of them.
    pub fn of(value: Value) -> Option<Self> {
        let text = |pointer: &str| {
            let text = value.pointer(pointer).and_then(Value::as_str);
            text.unwrap_or_default().to_owned()
        };
        let kind = ParamKind { api_version: text("/apiVersion"), kind: text("/kind") };
        let (namespace, name) = (text("/metadata/namespace"), text("/metadata/name"));
        let is_named = !kind.api_version.is_empty() && !kind.kind.is_empty() && !name.is_empty();
        is_named.then_some(Self { kind, namespace, name, value })
    }

    /// Returns the approximate size as JSON, in bytes.
    pub fn size(&self) -> usize {
        size(&self.value)
    }
}

fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 2,
        Value::Array(items) => items.iter().map(|it| size(it) + 1).sum::<usize>() + 2,
        Value::Object(fields) => {
            fields.iter().map(|(name, it)| name.len() + size(it) + 4).sum::<usize>() + 2
        }
        _ => 8,
    }
}

/// A parameter of policies.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The labels.
    pub labels: BTreeMap<String, String>,
    /// The object.
    pub value: Arc<Value>,
}

/// Whether a kind has further objects that are not known.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum FurtherObjects {
    /// There are none.
    #[default]
    None,
    /// There may be some, for this reason.
    Possible(String),
    /// The garden has not a single one, so that it was probably written without them.
    Omitted,
}

/// The objects of a kind that policies may use as parameters.
#[derive(Clone, Debug, Default)]
pub struct Parameters {
    objects: BTreeMap<(String, String), Parameter>,
    /// Names of objects that do not exist.
    absent: BTreeSet<(String, String)>,
    further: FurtherObjects,
    is_namespaced: bool,
}

impl Parameters {
    /// Returns the parameters of a kind among `objects`; of several with one name, the last one counts.
    ///
    /// Objects in another version of the API are unknown, since only an API server converts them.
    pub fn of_kind<'o>(
        kind: &ParamKind,
        objects: impl IntoIterator<Item = &'o RawObject>,
        further: FurtherObjects,
    ) -> Self {
        let (group, _) = group_and_version(&kind.api_version);
        let known = Kind::of_manifest(group, &kind.kind);
        let mut parameters = Self {
            further,
            is_namespaced: known.is_some_and(Kind::is_namespaced),
            ..Self::default()
        };
        for object in objects {
            if object.kind == *kind {
                parameters.add(object, known.is_some());
            } else if object.kind.kind == kind.kind
                && group_and_version(&object.kind.api_version).0 == group
            {
                let written = &object.kind.api_version;
                parameters.further = FurtherObjects::Possible(format!(
                    "{} `{}` is written as `{written}`, not as `{}`",
                    kind.kind, object.name, kind.api_version
                ));
            }
        }
        if parameters.further == FurtherObjects::Omitted && !parameters.objects.is_empty() {
            let why = format!("the garden has no {}, only the change does", kind.kind);
            parameters.further = FurtherObjects::Possible(why);
        }
        parameters
    }

    fn add(&mut self, object: &RawObject, is_scope_known: bool) {
        self.is_namespaced |= !is_scope_known && !object.namespace.is_empty();
        let labels = object
            .value
            .pointer("/metadata/labels")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .map(|(key, value)| (key.clone(), value.as_str().unwrap_or_default().to_owned()));
        let parameter =
            Parameter { labels: labels.collect(), value: Arc::new(object.value.clone()) };
        let key = (object.namespace.clone(), object.name.clone());
        self.objects.insert(key, parameter);
    }

    /// Records that an object does not exist.
    pub fn add_absent(&mut self, namespace: &str, name: &str) {
        self.absent.insert((namespace.to_owned(), name.to_owned()));
    }

    /// Reports whether objects of the kind are in a namespace.
    pub fn is_namespaced(&self) -> bool {
        self.is_namespaced
    }

    /// Returns the number of known objects.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Reports whether no object is known.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// Returns whether there are further objects.
    pub fn further(&self) -> &FurtherObjects {
        &self.further
    }

    /// Returns the object with a name; `None` if it does not exist or is not known.
    pub fn get(&self, namespace: &str, name: &str) -> Option<&Parameter> {
        self.objects.get(&(namespace.to_owned(), name.to_owned()))
    }

    /// Reports whether an object certainly does not exist.
    pub fn lacks(&self, namespace: &str, name: &str) -> bool {
        let key = (namespace.to_owned(), name.to_owned());
        let is_known = self.further == FurtherObjects::None || self.absent.contains(&key);
        is_known && !self.objects.contains_key(&key)
    }

    /// Returns the known objects of a namespace, or all with `None`, by name.
    pub fn within<'a>(&'a self, namespace: Option<&'a str>) -> impl Iterator<Item = &'a Parameter> {
        let objects = self
            .objects
            .iter()
            .filter(move |((own, _), _)| namespace.is_none_or(|namespace| own == namespace));
        objects.map(|(_, parameter)| parameter)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn kind(api_version: &str) -> ParamKind {
        ParamKind { api_version: api_version.to_owned(), kind: "Limit".to_owned() }
    }

    fn object(api_version: &str, name: &str) -> RawObject {
        let value = json!({"apiVersion": api_version, "kind": "Limit", "metadata": {"namespace": "ns", "name": name}});
        RawObject::of(value).unwrap()
    }

    #[test]
    fn parameter_in_another_version_makes_the_kind_incomplete() {
        let objects = [object("example.com/v1", "a"), object("example.com/v2", "b")];
        let all = Parameters::of_kind(&kind("example.com/v1"), &objects, FurtherObjects::None);
        assert!(all.get("ns", "a").is_some() && all.is_namespaced());
        assert!(!all.lacks("ns", "b"), "{all:?}");
        assert!(matches!(all.further(), FurtherObjects::Possible(_)));
    }

    #[test]
    fn parameters_of_a_change_are_not_complete() {
        let other = [object("other.com/v1", "a")];
        let none = Parameters::of_kind(&kind("example.com/v1"), &other, FurtherObjects::Omitted);
        assert_eq!(none.further(), &FurtherObjects::Omitted);
        let own = [object("example.com/v1", "a")];
        let one = Parameters::of_kind(&kind("example.com/v1"), &own, FurtherObjects::Omitted);
        assert!(one.get("ns", "a").is_some() && !one.lacks("ns", "b"));
    }

    #[test]
    fn absent_parameter_is_certain_if_it_was_requested() {
        let why = FurtherObjects::Possible("few are requested".to_owned());
        let mut all = Parameters::of_kind(&kind("example.com/v1"), &[], why);
        all.add_absent("ns", "a");
        assert!(all.lacks("ns", "a") && !all.lacks("ns", "b"));
    }

    #[test]
    fn object_without_a_name_is_no_parameter() {
        let value = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {}});
        assert!(RawObject::of(value).is_none());
    }
}
