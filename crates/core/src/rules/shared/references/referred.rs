// SPDX-License-Identifier: Apache-2.0
use crate::admission::FieldPath;
use crate::garden::ObjectKey;
use crate::rules::shared::validation::Part;
use garden_gate_model::api::{Kind, group_and_version};

/// An object that another one references.
pub struct Referred {
    /// The object.
    pub key: ObjectKey,
    /// The field with the reference.
    pub field: FieldPath,
    /// The part of the referencing object that has to change for the object to be looked up.
    pub(crate) part: &'static [&'static str],
}

/// The path of the references to objects for extensions.
pub(crate) const RESOURCES: &[&str] = &["spec", "resources"];

/// The kinds that may be referenced; an API server refuses other kinds.
const KINDS: [Kind; 3] = [Kind::Secret, Kind::ConfigMap, Kind::WorkloadIdentity];

/// Returns the objects for extensions, all of one namespace.
pub(crate) fn resources(object: &Part<'_>, namespace: &str) -> Vec<Referred> {
    let mut all = Collected::new(namespace);
    for resource in object.items_at(RESOURCES) {
        all.add_reference(RESOURCES, resource.at(&["resourceRef"]));
    }
    all.all
}

/// The references that were collected so far.
pub(crate) struct Collected<'a> {
    namespace: &'a str,
    pub(crate) all: Vec<Referred>,
}

impl<'a> Collected<'a> {
    /// Returns an empty collection for an object of this namespace.
    pub(crate) fn new(namespace: &'a str) -> Self {
        Self { namespace, all: Vec::new() }
    }

    /// Adds an object of the namespace by its name.
    pub(crate) fn add(
        &mut self,
        part: &'static [&'static str],
        kind: Kind,
        name: Option<Part<'_>>,
    ) {
        if let Some(field) = name {
            self.push(part, (kind, self.namespace), &field);
        }
    }

    /// Adds an object of the namespace by `apiVersion`, `kind` and `name`.
    pub(crate) fn add_reference(
        &mut self,
        part: &'static [&'static str],
        reference: Option<Part<'_>>,
    ) {
        let Some(reference) = reference else { return };
        let [version, name] = ["apiVersion", "kind"].map(|field| reference.text_at(&[field]));
        let is_meant = |kind: &&Kind| kind.as_str() == name && is_of(**kind, &version);
        if let Some(kind) = KINDS.iter().find(is_meant) {
            self.add(part, *kind, reference.at(&["name"]));
        }
    }

    /// Adds an object by its name and, unless it is the same, its namespace.
    pub(crate) fn add_of_any_namespace(&mut self, kind: Kind, reference: &Part<'_>) {
        let named = reference.text_at(&["namespace"]);
        let namespace = if named.is_empty() { self.namespace } else { &named };
        if let Some(name) = reference.at(&["name"]) {
            self.push(&[], (kind, namespace), &name);
        }
    }

    fn push(
        &mut self,
        part: &'static [&'static str],
        (kind, namespace): (Kind, &str),
        field: &Part<'_>,
    ) {
        let name = field.text().unwrap_or_default();
        if !name.is_empty() {
            self.all.push(Referred {
                key: ObjectKey::new(kind, namespace, name),
                field: field.path().clone(),
                part,
            });
        }
    }
}

fn is_of(kind: Kind, api_version: &str) -> bool {
    group_and_version(api_version) == kind.api()
}
