// SPDX-License-Identifier: Apache-2.0
//! Snapshot of the workload of a cluster.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use garden_gate_model::api::{WebhookConfiguration, group_and_version};
use garden_gate_text::json::{JsonPath, decode};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::kinds::{Autoscaler, Controller, Labelled, Volume};
use super::pod::Pod;
use super::{Budget, ObjectName, RequestedApi};

/// Maximum number of objects in a snapshot.
const OBJECTS: usize = 500_000;
/// Maximum depth of lists in lists.
const LISTS: usize = 4;

/// The objects of a cluster, or of manifests, as far as checks read them.
///
/// An object that a cluster lists twice replaces the first one. In manifests, different ones of an object are unread.
#[derive(Debug, Default)]
pub struct Workload {
    /// The hashes of manifests, to find different ones of an object.
    hashes: HashMap<ObjectName, u64>,
    /// The number of manifests with the same `generateName`.
    generated: HashMap<ObjectName, usize>,
    /// Reports whether a resource of a cluster is added.
    is_listed: bool,
    pub(crate) pods: BTreeMap<ObjectName, Pod>,
    pub(crate) controllers: BTreeMap<ObjectName, Controller>,
    pub(crate) budgets: BTreeMap<ObjectName, Budget>,
    /// The minimum replicas of controllers that HorizontalPodAutoscalers scale.
    pub(crate) scaled: BTreeMap<ObjectName, u64>,
    pub(crate) claims: BTreeMap<ObjectName, Claim>,
    pub(crate) volumes: BTreeMap<ObjectName, Volume>,
    pub(crate) nodes: BTreeMap<ObjectName, Labelled>,
    pub(crate) webhooks: BTreeMap<ObjectName, WebhookConfiguration>,
    /// The managers of all objects, also of other kinds, by API version.
    pub(crate) uses: BTreeMap<ApiUse, Vec<Manager>>,
    /// The deprecated APIs that clients have requested since the start of the API server.
    pub(crate) requested: BTreeSet<RequestedApi>,
    /// The resources that could not be listed, with the reasons.
    pub(crate) unlisted: BTreeMap<String, String>,
    /// The documents that could not be read.
    pub(crate) unread: Vec<UnreadObject>,
}

/// A document of the input that could not be read.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct UnreadObject {
    /// The object, or its file.
    pub place: String,
    /// The reason.
    pub why: String,
}

/// An object with its API version.
#[derive(Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct ApiUse {
    pub(crate) api_version: String,
    pub(crate) object: ObjectName,
}

/// The manager of an object's fields, with the API version in which it wrote them.
pub(crate) type Manager = (String, String);

/// A PersistentVolumeClaim.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Claim {
    pub(crate) spec: ClaimSpec,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ClaimSpec {
    pub(crate) volume_name: String,
}

/// The fields that every manifest has; other documents may have them with other types.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Header<'a> {
    api_version: Value,
    kind: Value,
    #[serde(borrow)]
    items: Option<&'a RawValue>,
    #[serde(borrow)]
    metadata: Option<&'a RawValue>,
    #[serde(borrow)]
    spec: Option<&'a RawValue>,
    #[serde(borrow)]
    status: Option<&'a RawValue>,
}

impl Header<'_> {
    /// Returns the name of a part of the object that is not a mapping.
    fn mistyped(&self) -> Option<&'static str> {
        let parts = [("metadata", self.metadata), ("spec", self.spec), ("status", self.status)];
        let is_mistyped = |it: &RawValue| !it.get().starts_with('{') && it.get() != "null";
        parts.into_iter().find(|(_, it)| it.is_some_and(is_mistyped)).map(|(name, _)| name)
    }
}

impl Workload {
    /// Adds the object or the list of objects in a JSON document; documents of other sorts are ignored.
    ///
    /// An object that cannot be read is kept as unread, with `place` if it has no name.
    pub fn add(&mut self, place: &str, json: &str) {
        self.add_document(place, json, ("", ""), LISTS);
    }

    /// Adds the objects of a listed resource, whose API version and kind API servers leave out.
    pub fn add_list(&mut self, resource: &str, api_version: &str, kind: &str, json: &str) {
        if decode::<Header<'_>>(json).is_ok_and(|it| it.items.is_none()) {
            return self.add_unlisted(resource, "the response has no `items`");
        }
        self.is_listed = true;
        self.add_document(resource, json, (api_version, &format!("{kind}List")), LISTS);
        self.is_listed = false;
    }

    /// Records input that could not be read.
    pub fn add_unread(&mut self, place: impl Into<String>, why: impl Into<String>) {
        self.unread.push(UnreadObject { place: place.into(), why: why.into() });
    }

    /// Records a resource of the cluster that could not be listed, such as `pods`.
    pub fn add_unlisted(&mut self, resource: impl Into<String>, why: impl Into<String>) {
        self.unlisted.insert(resource.into(), why.into());
    }

    /// Adds the deprecated APIs in the metrics of an API server.
    pub fn add_metrics(&mut self, text: &str) {
        self.requested.extend(text.lines().filter_map(RequestedApi::of_line));
    }

    /// Reports whether the snapshot has no objects, and nothing failed.
    pub fn is_empty(&self) -> bool {
        self.uses.is_empty() && self.unread.is_empty() && self.unlisted.is_empty()
    }

    /// Returns the input that could not be read, and an entry if there is no input.
    pub(crate) fn all_unread(&self) -> Vec<UnreadObject> {
        if self.is_empty() {
            let why = "the input has no objects of a cluster".to_owned();
            return vec![UnreadObject { place: "the workload".to_owned(), why }];
        }
        self.unread.clone()
    }

    /// Adds a document; `of_list` are the API version and the kind of an object that has none of its own.
    fn add_document(&mut self, place: &str, json: &str, of_list: (&str, &str), lists: usize) {
        let header: Header<'_> = match decode(json) {
            Ok(header) => header,
            Err(error) => return self.add_unread(place, mistyped(json, &error)),
        };
        let api_version = header.api_version.as_str().unwrap_or(of_list.0);
        let kind = header.kind.as_str().unwrap_or(of_list.1);
        if api_version.is_empty() || kind.is_empty() {
            if lists < LISTS {
                self.add_unread(place, "an object in a list has no `apiVersion` or `kind`");
            }
            return;
        }
        if let (Some(items), Some(of_items)) = (header.items, kind.strip_suffix("List")) {
            let Some(lists) = lists.checked_sub(1) else {
                return self.add_unread(place, "it has too many lists inside of lists");
            };
            match decode::<Vec<&RawValue>>(items.get()) {
                Ok(items) => items.iter().for_each(|item| {
                    self.add_document(place, item.get(), (api_version, of_items), lists);
                }),
                Err(_) => self.add_unread(place, "`items` is not a list"),
            }
            return;
        }
        if self.uses.len() >= OBJECTS {
            // One entry is enough.
            if self.unread.last().is_none_or(|it| it.why != TOO_MANY) {
                self.add_unread(place, TOO_MANY);
            }
            return;
        }
        if let Err((place, why)) = self.add_object(&header, (api_version, kind), place, json) {
            self.add_unread(place, why);
        }
    }

    /// Records a manifest, and reports whether there was a different one of the object.
    fn is_duplicate(&mut self, name: &ObjectName, json: &str) -> bool {
        let mut hasher = DefaultHasher::new();
        json.hash(&mut hasher);
        let hash = hasher.finish();
        *self.hashes.entry(name.clone()).or_insert(hash) != hash
    }

    /// Adds an object.
    ///
    /// # Errors
    /// Fails with the name of the object, or else with `place`, and the reason.
    fn add_object(
        &mut self,
        header: &Header<'_>,
        (api_version, kind): (&str, &str),
        place: &str,
        json: &str,
    ) -> Result<(), (String, String)> {
        if let Some(part) = header.mistyped() {
            return Err((place.to_owned(), format!("`{part}` of a {kind} is not a mapping")));
        }
        let unreadable = |place: String| move |error| (place, mistyped(json, &error));
        let metadata = decode::<Labelled>(json).map_err(unreadable(place.to_owned()))?.metadata;
        let mut name = metadata.object(kind);
        if metadata.name.is_empty() {
            let count = self.generated.entry(name.clone()).or_default();
            *count += 1;
            if *count > 1 {
                name.name = format!("{} ({count})", name.name);
            }
        }
        let unreadable = || unreadable(name.to_string());
        let mut is_checked = true;
        match (group_and_version(api_version).0, kind) {
            ("", "Pod") => {
                self.pods.insert(name.clone(), decode(json).map_err(unreadable())?);
            }
            ("apps" | "extensions", "Deployment" | "StatefulSet" | "ReplicaSet" | "DaemonSet")
            | ("", "ReplicationController")
            | ("batch", "Job" | "CronJob") => {
                let controller: Controller = decode(json).map_err(unreadable())?;
                self.controllers.insert(name.clone(), controller.with_template(kind));
            }
            ("policy", "PodDisruptionBudget") => {
                self.budgets.insert(name.clone(), decode(json).map_err(unreadable())?);
            }
            ("autoscaling", "HorizontalPodAutoscaler") => {
                let spec = decode::<Autoscaler>(json).map_err(unreadable())?.spec;
                let target = ObjectName {
                    kind: spec.scale_target_ref.kind,
                    namespace: name.namespace.clone(),
                    name: spec.scale_target_ref.name,
                };
                self.scaled.insert(target, spec.min_replicas.unwrap_or(1));
            }
            ("", "PersistentVolumeClaim") => {
                self.claims.insert(name.clone(), decode(json).map_err(unreadable())?);
            }
            ("", "PersistentVolume") => {
                self.volumes.insert(name.clone(), decode(json).map_err(unreadable())?);
            }
            ("", "Node") => {
                self.nodes.insert(name.clone(), decode(json).map_err(unreadable())?);
            }
            (
                "admissionregistration.k8s.io",
                "ValidatingWebhookConfiguration" | "MutatingWebhookConfiguration",
            ) => {
                self.webhooks.insert(name.clone(), decode(json).map_err(unreadable())?);
            }
            _ => is_checked = false,
        }
        if is_checked && !self.is_listed && self.is_duplicate(&name, json) {
            self.add_unread(name.to_string(), DUPLICATE);
        }
        let managers = metadata.managed_fields.into_iter();
        let mut managers: Vec<Manager> = managers.map(|it| (it.manager, it.api_version)).collect();
        managers.sort_unstable();
        managers.dedup();
        let api_version = api_version.to_owned();
        self.uses.insert(ApiUse { api_version, object: name }, managers);
        Ok(())
    }
}

const DUPLICATE: &str = "the input has different manifests of it, of which the last is checked";

/// Returns a sentence on a field that cannot be decoded, without its value, which may be a credential.
fn mistyped(json: &str, error: &serde_json::Error) -> String {
    match JsonPath::of_error(json, error).to_string().as_str() {
        _ if !error.is_data() => "it is not valid JSON".to_owned(),
        "" => "it is not an object".to_owned(),
        field => format!("`{field}` has another type than expected"),
    }
}

const TOO_MANY: &str = "the input has more than 500,000 objects; name fewer files";
