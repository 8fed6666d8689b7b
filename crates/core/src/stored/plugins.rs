// SPDX-License-Identifier: Apache-2.0
use serde_json::{Value, json};

use super::json_access::{MADE_UP, at, object_at, pools, text_at};
use crate::admission::{Operation, Request};
use crate::garden::Snapshot;
use garden_gate_model::api::{GardenerVersion, Seed, Versions};
use garden_gate_model::gardener::defaults::RESERVED;

const CREATED_BY: &str = "gardener.cloud/created-by";
const TASKS: &str = "shoot.gardener.cloud/tasks";
const RETRY: &str = "maintenance.shoot.gardener.cloud/needs-retry-operation";
const INFRASTRUCTURE: [&str; 1] = ["deployInfrastructure"];
const DNS_RECORDS: [&str; 3] =
    ["deployDNSRecordInternal", "deployDNSRecordExternal", "deployDNSRecordIngress"];

/// Applies the changes of admission plugins that no configurable rule makes.
pub(super) fn complete(
    request: &Request<'_>,
    shoot: &mut Value,
    old: Option<&Value>,
    (garden, gardener): (&Snapshot, GardenerVersion),
) {
    let is_new = request.operation == Operation::Create;
    let has_workers = !pools(shoot).is_empty();
    give_networks(shoot, garden);
    if is_new {
        let annotations = object_at(shoot, &["metadata", "annotations"]);
        let user = request.user_info.username.as_str();
        annotations.insert(CREATED_BY.to_owned(), user.into());
        fill_in_new(shoot, gardener);
    }
    add_tasks(shoot, old);
    let is_going = at(shoot, &["metadata", "deletionTimestamp"]).is_some();
    if has_workers && !is_going && request.sub_resource.is_empty() {
        reserve(shoot);
    }
}

/// Adds the defaults that only new Shoots get.
pub(super) fn fill_in_new(shoot: &mut Value, gardener: GardenerVersion) {
    if ROTATES_ENCRYPTION_KEY.contains(gardener) {
        rotate_encryption_key(shoot);
    }
    let has_workers = !pools(shoot).is_empty();
    let kubernetes = object_at(shoot, &["spec", "kubernetes"]);
    if has_workers && !kubernetes.contains_key("verticalPodAutoscaler") {
        kubernetes.insert("verticalPodAutoscaler".to_owned(), json!({"enabled": true}));
    }
}

/// Mirrors defaultShootNetworks in `plugin/pkg/shoot/mutator/admission.go`.
fn give_networks(shoot: &mut Value, garden: &Snapshot) {
    let is_workerless = pools(shoot).is_empty();
    let Ok(Some(seed)) = garden.get::<Seed>(text_at(shoot, &["spec", "seedName"])) else {
        return;
    };
    let families = at(shoot, &["spec", "networking", "ipFamilies"])
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    let has = |family: &str| families.iter().any(|it| it == family);
    let fits = |range: &&String| has(if range.contains(':') { "IPv6" } else { "IPv4" });
    let defaults = &seed.spec.networks.shoot_defaults;
    let pods = defaults.pods.as_ref().filter(fits);
    let services = defaults.services.as_ref().filter(fits);
    let networking = object_at(shoot, &["spec", "networking"]);
    if let Some(pods) = pods.filter(|_| !is_workerless) {
        let pods = pods.as_str();
        networking.entry("pods").or_insert_with(|| pods.into());
    }
    let made_up = (is_workerless && has("IPv6")).then_some(MADE_UP);
    if let Some(services) = services.map(String::as_str).or(made_up) {
        let services = || services.into();
        networking.entry("services").or_insert_with(services);
    }
}

/// The versions that rotate the encryption key of new Shoots by default.
const ROTATES_ENCRYPTION_KEY: Versions = Versions::since(141);

/// Mirrors defaultMaintenanceWindow in `plugin/pkg/shoot/mutator/admission.go`.
fn rotate_encryption_key(shoot: &mut Value) {
    let credentials = ["spec", "maintenance", "autoRotation", "credentials"];
    let credentials = object_at(shoot, &credentials);
    let every = || json!({"rotationPeriod": "672h0m0s"});
    credentials.entry("etcdEncryptionKey").or_insert_with(every);
}

/// Mirrors setStaticResourceReservationDefaults in `plugin/pkg/shoot/resourcereservation/admission.go`.
///
/// This is the behaviour of the plugin without a configuration.
fn reserve(shoot: &mut Value) {
    let reserved = ["spec", "kubernetes", "kubelet", "kubeReserved"];
    let reserved = object_at(shoot, &reserved);
    for (name, amount) in RESERVED {
        reserved.entry(name).or_insert_with(|| amount.into());
    }
}

/// Mirrors addMetadataAnnotations in `plugin/pkg/shoot/mutator/admission.go`.
///
/// The rule `shoot/wake-up-tasks` handles operations and wake-up from hibernation.
fn add_tasks(shoot: &mut Value, old: Option<&Value>) {
    let Some(old) = old else {
        add(shoot, &INFRASTRUCTURE);
        return add(shoot, &DNS_RECORDS);
    };
    let differs = |path: &[&str]| at(old, path) != at(shoot, path);
    let families = |shoot| {
        let families = at(shoot, &["spec", "networking", "ipFamilies"]);
        families.and_then(Value::as_array).map(Vec::len)
    };
    let grows = families(old).is_some_and(|old| Some(old) < families(shoot));
    let access = ["spec", "provider", "workersSettings", "sshAccess"];
    let opens = at(old, &access).is_some() && differs(&[&access[..], &["enabled"]].concat());
    let retries = at(shoot, &["spec", "maintenance", "confineSpecUpdateRollout"])
        == Some(&true.into())
        && differs(&["spec"])
        && text_at(old, &["status", "lastOperation", "state"]) == "Failed";
    let rebuilds = differs(&["spec", "provider", "infrastructureConfig"]) || grows || opens;
    let renames = differs(&["spec", "dns"]);
    if rebuilds {
        add(shoot, &INFRASTRUCTURE);
    }
    if renames {
        add(shoot, &DNS_RECORDS);
    }
    if retries {
        let annotations = object_at(shoot, &["metadata", "annotations"]);
        annotations.insert(RETRY.to_owned(), "true".into());
    }
}

fn add(shoot: &mut Value, tasks: &[&str]) {
    let annotations = object_at(shoot, &["metadata", "annotations"]);
    let there = annotations
        .get(TASKS)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .split(',')
        .map(str::trim);
    let mut all: Vec<&str> = there.filter(|task| !task.is_empty()).collect();
    for task in tasks {
        if !all.contains(task) {
            all.push(task);
        }
    }
    annotations.insert(TASKS.to_owned(), all.join(",").into());
}
