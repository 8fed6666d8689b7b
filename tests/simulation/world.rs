// SPDX-License-Identifier: Apache-2.0
//! The objects of the simulated garden. Each has several variants, so that writes change verdicts.

use serde_json::{Value, json};

use garden_gate_model::api::{Kind, ObjectKey};

/// The object at each index, which actions refer to.
const OBJECTS: [(Kind, &str, &str); 17] = [
    (Kind::Project, "", "dev"),
    (Kind::Project, "", "platform"),
    (Kind::CloudProfile, "", "stratus"),
    (Kind::CloudProfile, "", "nimbus"),
    (Kind::Seed, "", "eu"),
    (Kind::Seed, "", "us"),
    (Kind::ExposureClass, "", "internal"),
    (Kind::NamespacedCloudProfile, "garden-dev", "own"),
    (Kind::Shoot, "garden-dev", "web"),
    (Kind::Shoot, "garden-dev", "api"),
    (Kind::Shoot, "garden-platform", "registry"),
    (Kind::Project, "", "new"),
    (Kind::Shoot, "garden-new", "first"),
    (Kind::WorkloadIdentity, "garden-dev", "identity"),
    (Kind::ShootState, "garden-dev", "web"),
    (Kind::ConfigMap, "garden", "regions"),
    (Kind::Secret, "garden", "domain"),
];

/// The number of objects.
pub(super) const COUNT: usize = OBJECTS.len();
/// The number of objects that exist at the start.
pub(super) const INITIAL: usize = 11;
/// The number of different variants of each object.
pub(super) const VARIANTS: usize = 6;

pub(super) const USERS: [&str; 3] = ["alice", "bob", "system:serviceaccount:garden:robot"];
pub(super) const VERBS: [&str; 5] = [
    "modify-spec-tolerations-whitelist",
    "manage-members",
    "modify-spec-kubernetes",
    "modify-spec-machineimages",
    "mark-self-hosted",
];

/// Returns the key of the object at an index.
pub(super) fn key(index: usize) -> ObjectKey {
    let (kind, namespace, name) = OBJECTS[index % COUNT];
    ObjectKey::new(kind, namespace, name)
}

/// Returns a variant of an object; the last one of some kinds does not match the schema.
pub(super) fn object(key: &ObjectKey, variant: usize) -> Value {
    let mut object = match key.kind {
        Kind::Project => project(&key.name, variant),
        Kind::CloudProfile => cloud_profile(variant),
        Kind::NamespacedCloudProfile => namespaced_cloud_profile(variant),
        Kind::Seed => seed(&key.name, variant),
        Kind::ExposureClass => exposure_class(variant),
        Kind::Shoot => shoot(&key.namespace, variant),
        Kind::ConfigMap => json!({
            "metadata": {"labels": {"scheduling.gardener.cloud/purpose": "region-config"}},
            "data": {"europe-central-1": format!("us-east-1: {}", 10 + variant)},
        }),
        Kind::Secret => json!({
            "metadata": {
                "labels": {"gardener.cloud/role": "default-domain"},
                "annotations": {"dns.gardener.cloud/domain": format!("d{}.example.com", variant % 2), "dns.gardener.cloud/provider": "p"},
            },
        }),
        _ => json!({"metadata": {}, "spec": {}}),
    };
    if variant == 4 {
        object["metadata"]["annotations"]["confirmation.gardener.cloud/deletion"] = json!("true");
    }
    object["apiVersion"] = json!(key.kind.api_version());
    object["kind"] = json!(key.kind.as_str());
    object["metadata"]["name"] = json!(key.name);
    if !key.namespace.is_empty() {
        object["metadata"]["namespace"] = json!(key.namespace);
    }
    object
}

fn project(name: &str, variant: usize) -> Value {
    let whitelist = match variant % 3 {
        0 => json!([]),
        1 => json!([{"key": "reserved"}]),
        _ => json!([{"key": "reserved"}, {"key": "zone", "value": "internal"}]),
    };
    let role = if variant == 3 { "viewer" } else { "admin" };
    let spec = json!({
        "namespace": format!("garden-{name}"),
        "owner": {"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "alice"},
        "members": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "alice", "role": role}],
        "tolerations": {"whitelist": whitelist, "defaults": if variant == 2 { json!([{"key": "reserved"}]) } else { json!([]) }},
    });
    match variant {
        5 => json!({"metadata": {}, "spec": {"namespace": 5}}),
        _ => json!({"metadata": {}, "spec": spec}),
    }
}

fn cloud_profile(variant: usize) -> Value {
    let version = |version: &str, end: Option<&str>| match end {
        None => json!({"version": version, "classification": "supported"}),
        Some(end) => {
            json!({"version": version, "classification": "deprecated", "expirationDate": end})
        }
    };
    let mut versions = vec![version("1.34.7", None), version("1.33.11", None)];
    // Expires in the middle of many runs.
    versions.push(version("1.33.9", Some("2026-03-01T00:02:00Z")));
    if !variant.is_multiple_of(2) {
        versions.push(version("1.35.2", None));
    }
    if variant == 4 {
        versions.remove(0);
    }
    // Large profiles are stored compressed.
    let padding = if variant == 3 { "p".repeat(150_000) } else { String::new() };
    json!({
        "metadata": {"annotations": {"padding": padding}},
        "spec": {
            "type": "stratus",
            "kubernetes": {"versions": versions},
            "machineImages": [{"name": "gardenlinux", "updateStrategy": "minor", "versions": [
                {"version": "1877.5.0", "classification": "supported", "architectures": ["amd64"], "cri": [{"name": "containerd"}]},
                {"version": "1592.9.0", "classification": "deprecated", "expirationDate": "2026-03-01T00:03:00Z", "architectures": ["amd64"], "cri": [{"name": "containerd"}]},
            ]}],
            "machineTypes": [{"name": if variant == 5 { "m5.small" } else { "m5.large" }, "cpu": "2", "gpu": "0", "memory": "8Gi", "architecture": "amd64", "usable": true}],
            "volumeTypes": [{"name": "gp3", "class": "standard", "usable": true}],
            "regions": [{"name": "europe-central-1", "zones": [{"name": "a"}, {"name": "b"}]}, {"name": "us-east-1", "zones": [{"name": "a"}]}],
        },
    })
}

fn namespaced_cloud_profile(variant: usize) -> Value {
    let parent = if variant == 3 { "nimbus" } else { "stratus" };
    let end = format!("2026-04-0{}T00:00:00Z", variant + 1);
    json!({
        "metadata": {},
        "spec": {
            "parent": {"kind": "CloudProfile", "name": parent},
            "kubernetes": {"versions": [{"version": "1.33.9", "expirationDate": end}]},
        },
    })
}

fn seed(name: &str, variant: usize) -> Value {
    let taints = match (name, variant % 3) {
        ("us", 0 | 1) => json!([{"key": "reserved"}]),
        (_, 2) => json!([{"key": "zone", "value": "internal"}]),
        _ => json!([]),
    };
    let number = if name == "us" { 43 } else { 41 };
    json!({
        "metadata": {"labels": {"zone": if variant.is_multiple_of(2) { "public" } else { "internal" }}},
        "spec": {
            "provider": {"type": "stratus", "region": "europe-central-1", "zones": ["a"]},
            "ingress": {"domain": format!("ingress.{name}.example.com"), "controller": {"kind": "nginx"}},
            "dns": {"internal": {"type": "d", "domain": format!("internal.{name}.example.com")}},
            "networks": {"ipFamilies": ["IPv4"], "nodes": format!("10.{number}.0.0/16"), "pods": "10.241.128.0/17", "services": "10.241.0.0/17"},
            "taints": taints,
            "settings": {"scheduling": {"visible": variant != 4}},
        },
        "status": {"gardener": {"version": "v1"}, "allocatable": {"shoots": "100"}},
    })
}

fn exposure_class(variant: usize) -> Value {
    json!({
        "metadata": {},
        "handler": "internal",
        "scheduling": {
            "seedSelector": {"matchLabels": {"zone": if variant.is_multiple_of(2) { "internal" } else { "public" }}},
            "tolerations": [{"key": "zone", "value": "internal"}],
        },
    })
}

fn shoot(namespace: &str, variant: usize) -> Value {
    let (profile_kind, profile) = match (variant, namespace) {
        (1, "garden-dev") => ("NamespacedCloudProfile", "own"),
        (2, _) => ("CloudProfile", "nimbus"),
        _ => ("CloudProfile", "stratus"),
    };
    let versions = ["1.34.7", "1.33.9", "1.33.11", "1.35.2", "1.33", "1.34.7"];
    let version = versions[variant % versions.len()];
    let mut shoot = json!({
        "metadata": {},
        "spec": {
            "cloudProfile": {"kind": profile_kind, "name": profile},
            "credentialsBindingName": "account",
            "region": "europe-central-1",
            "purpose": "evaluation",
            "tolerations": match variant % 3 {
                0 => json!([]),
                1 => json!([{"key": "reserved"}]),
                _ => json!([{"key": "zone", "value": "internal"}]),
            },
            "kubernetes": {"version": version},
            "networking": {"type": "calico", "ipFamilies": ["IPv4"], "nodes": "10.250.0.0/16", "pods": "100.96.0.0/11", "services": "100.64.0.0/13"},
            "provider": {"type": "stratus", "workers": [{
                "name": "pool", "cri": {"name": "containerd"},
                "machine": {"architecture": "amd64", "type": "m5.large", "image": {"name": "gardenlinux", "version": if variant == 3 { "1592.9.0" } else { "1877.5.0" }}},
                "minimum": 1, "maximum": 3, "maxSurge": 1, "maxUnavailable": 0,
                "volume": {"size": "50Gi", "type": "gp3"}, "zones": ["a"],
            }]},
            "maintenance": {"autoUpdate": {"kubernetesVersion": true, "machineImageVersion": true}, "timeWindow": {"begin": "220000+0100", "end": "230000+0100"}},
        },
    });
    let spec = &mut shoot["spec"];
    match variant {
        0 | 1 => spec["seedName"] = json!("eu"),
        4 => spec["seedName"] = json!("us"),
        5 => spec["exposureClassName"] = json!("internal"),
        _ => {}
    }
    shoot
}
