// SPDX-License-Identifier: Apache-2.0
//! Objects as Gardener validates them: with defaults, and with the values that it derives from the Shoot of a ManagedSeed.

use serde_json::{Map, Value, json};

use super::shoot_base::base;
use crate::admission::{Context, FieldPath};
use crate::rules::shared::validation::Part;
use garden_gate_model::api::{Kind, SeedBase, StrictErrors};
use garden_gate_text::json::Json;

/// The configuration of the gardenlet by the kind of the object.
pub(super) fn configuration_path(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::ManagedSeed => &["spec", "gardenlet", "config"],
        Kind::ManagedSeedSet => &["spec", "template", "spec", "gardenlet", "config"],
        _ => &["spec", "config"],
    }
}

/// The deployment of the gardenlet by the kind of the object.
pub(super) fn deployment_path(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::ManagedSeed => &["spec", "gardenlet", "deployment"],
        Kind::ManagedSeedSet => &["spec", "template", "spec", "gardenlet", "deployment"],
        _ => &["spec", "deployment"],
    }
}

/// The new and the stored object of a request, completed; `null` if there is none.
pub(super) struct Completed {
    pub kind: Kind,
    pub new: Value,
    pub old: Value,
}

impl Completed {
    /// Completes the objects of a request; `None` if an API server cannot decode the new one.
    pub(super) fn of(context: &Context<'_>) -> Option<Self> {
        let kind = context.request.kind()?;
        if context.strict_errors().is_some_and(|(_, errors)| has_wrong_types(errors)) {
            return None;
        }
        let [mut new, mut old] = [context.new_opened(), context.old_opened()].map(Json::to_value);
        let base = match kind {
            Kind::ManagedSeed => {
                base(context).ok().flatten().and_then(|it| it.seed_base.as_deref())
            }
            _ => None,
        };
        if kind == Kind::ManagedSeed {
            keep_provider(&mut new, &old);
        }
        complete(kind, base, &mut new);
        if !old.is_null() {
            // A manifest was completed when it was stored.
            let base = base.filter(|_| context.request.is_converted);
            default(kind, &mut old);
            if kind == Kind::ManagedSeed && base.is_some() {
                fill_in(base, &mut old);
            }
        }
        Some(Self { kind, new, old })
    }

    /// Calls `check` with the new and the stored object.
    pub(super) fn parts<T>(&self, check: impl FnOnce(&Part<'_>, &Part<'_>) -> T) -> T {
        let [new, old] = [&self.new, &self.old].map(Value::to_string);
        let [new, old] = [&new, &old].map(|it| Json::text(it).opened());
        check(&Part::whole(&new), &Part::whole(&old))
    }

    /// Returns the new and the stored value at a path; `null` if there is none.
    pub(super) fn at(&self, path: &[&str]) -> [&Value; 2] {
        [&self.new, &self.old].map(|it| at(it, path))
    }
}

fn has_wrong_types(errors: &StrictErrors<'_>) -> bool {
    errors.wrong.count > 0
}

/// Returns the value at a path of field names; `null` if there is none.
pub(super) fn at<'v>(value: &'v Value, path: &[&str]) -> &'v Value {
    path.iter().fold(value, |value, name| value.get(name).unwrap_or(&Value::Null))
}

/// Returns the path of field names as that of a field.
pub(super) fn field(path: &[&'static str]) -> FieldPath {
    path.iter().fold(FieldPath::root(), |path, name| path.child(name))
}

fn complete(kind: Kind, base: Option<&SeedBase>, object: &mut Value) {
    default(kind, object);
    if kind == Kind::ManagedSeed {
        fill_in(base, object);
    }
}

/// Keeps the stored DNS provider, which Gardener has derived from the Shoot, if the new object has none.
fn keep_provider(new: &mut Value, old: &Value) {
    const DNS: [&str; 6] = ["spec", "gardenlet", "config", "seedConfig", "spec", "dns"];
    let stored = &at(old, &DNS)["provider"];
    if !stored.is_null() && at(new, &DNS[..5]).is_object() {
        fill(new, &DNS, "provider", stored.clone());
    }
}

/// Returns the object at a path, which is created if it is absent; `None` if there is another value.
fn object_at<'v>(value: &'v mut Value, path: &[&str]) -> Option<&'v mut Map<String, Value>> {
    let mut value = value;
    for name in path {
        if value.is_null() {
            *value = json!({});
        }
        value = value.as_object_mut()?.entry(*name).or_insert(Value::Null);
    }
    if value.is_null() {
        *value = json!({});
    }
    value.as_object_mut()
}

/// Sets a field unless it has a value.
fn fill(value: &mut Value, path: &[&str], name: &str, default: Value) {
    if let Some(fields) = object_at(value, path)
        && fields.get(name).is_none_or(Value::is_null)
    {
        fields.insert(name.to_owned(), default);
    }
}

/// Sets a string unless it has a value that is not empty.
fn fill_text(value: &mut Value, path: &[&str], name: &str, text: &str) {
    if let Some(fields) = object_at(value, path)
        && fields.get(name).is_none_or(|it| it.is_null() || it == "")
    {
        fields.insert(name.to_owned(), text.into());
    }
}

/// Fills in the defaults.
///
/// Mirrors `pkg/apis/seedmanagement/v1alpha1/defaults_*.go`; the templates of a ManagedSeedSet have none.
fn default(kind: Kind, object: &mut Value) {
    if kind == Kind::ManagedSeedSet {
        fill(object, &["spec"], "replicas", 1.into());
        fill(object, &["spec", "updateStrategy"], "type", "RollingUpdate".into());
        fill(object, &["spec"], "revisionHistoryLimit", 10.into());
        return;
    }
    let deployment = deployment_path(kind);
    for (name, value) in [
        ("replicaCount", 2.into()),
        ("revisionHistoryLimit", 2.into()),
        ("enableHealthProbes", true.into()),
    ] {
        fill(object, deployment, name, value);
    }
    let image = [deployment, &["image"]].concat();
    let is_latest = at(object, &image).get("tag").is_some_and(|it| it == "latest");
    let policy = if is_latest { "Always" } else { "IfNotPresent" };
    fill(object, &image, "pullPolicy", policy.into());
    let configuration = configuration_path(kind);
    for (name, value) in [
        ("apiVersion", "gardenlet.config.gardener.cloud/v1alpha1"),
        ("kind", "GardenletConfiguration"),
        ("logLevel", ""),
        ("logFormat", ""),
    ] {
        fill(object, configuration, name, value.into());
    }
    fill(object, configuration, "server", json!({}));
    fill(object, &[configuration, &["resources", "capacity"]].concat(), "shoots", "250".into());
    if !at(object, configuration).get("seedConfig").is_none_or(Value::is_null) {
        fill(object, &[configuration, &["seedConfig"]].concat(), "metadata", json!({}));
    }
    if kind == Kind::ManagedSeed {
        fill(object, &["spec", "gardenlet"], "bootstrap", "BootstrapToken".into());
        fill(object, &["spec", "gardenlet"], "mergeWithParent", true.into());
    }
}

/// A valid DNS provider, in place of the one that Gardener derives from the Shoot.
fn some_provider() -> Value {
    let credentials =
        json!({"apiVersion": "v1", "kind": "Secret", "name": "dns", "namespace": "garden"});
    json!({"type": "dns", "credentialsRef": credentials})
}

/// Fills in the values of the Seed that Gardener derives from the Shoot.
///
/// Mirrors admitSeedSpec in `plugin/pkg/managedseed/validator/admission.go`. Without a known Shoot, only values that static validation
/// requires are filled in.
fn fill_in(base: Option<&SeedBase>, object: &mut Value) {
    const SEED: [&str; 4] = ["spec", "gardenlet", "config", "seedConfig"];
    if !at(object, &["spec", "gardenlet", "config", "seedConfig"]).is_object() {
        return;
    }
    let path = |path: &[&'static str]| [&SEED[..], &["spec"], path].concat();
    let own_type = at(object, &path(&["backup", "provider"])).as_str();
    let own_type = own_type.filter(|it| !it.is_empty()).unwrap_or("unknown");
    let provider = base.map_or(own_type, |it| it.provider.as_str()).to_owned();
    if !at(object, &path(&["backup"])).is_null() {
        fill_text(object, &path(&["backup"]), "provider", &provider);
    }
    if at(object, &path(&["ingress"])).is_null() {
        fill(object, &path(&["ingress", "controller"]), "kind", "nginx".into());
    }
    fill(object, &path(&["dns"]), "provider", some_provider());
    let domain = base.and_then(|it| it.domain.as_deref()).unwrap_or("shoot.example.com");
    fill_text(object, &path(&["ingress"]), "domain", &format!("ingress.{domain}"));
    fill_text(object, &path(&["provider"]), "type", &provider);
    let Some(base) = base else { return };
    let [nodes, pods, services] = &base.networks;
    if let Some(nodes) = nodes {
        fill(object, &path(&["networks"]), "nodes", nodes.as_str().into());
    }
    for (name, range) in [("pods", pods), ("services", services)] {
        if let Some(range) = range {
            fill_text(object, &path(&["networks"]), name, range);
        }
    }
    fill_text(object, &path(&["provider"]), "region", &base.region);
    let zones = at(object, &path(&["provider", "zones"]));
    if zones.as_array().is_none_or(Vec::is_empty) && !base.zones.is_empty() {
        let zones: Vec<&String> = base.zones.iter().collect();
        if let Some(fields) = object_at(object, &path(&["provider"])) {
            fields.insert("zones".to_owned(), json!(zones));
        }
    }
    fill(object, &path(&["settings", "verticalPodAutoscaler"]), "enabled", false.into());
}
