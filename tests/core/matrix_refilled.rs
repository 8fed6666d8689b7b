// SPDX-License-Identifier: Apache-2.0
//! Requests whose verdict depends on Gardener's mutating plugins, its early comparisons, or its exceptions.

use garden_gate_core::admission::Review;
use garden_gate_core::garden::GardenObject;
use garden_gate_model::api::{CloudProfile, DomainSecret};
use garden_gate_model::gardener::defaults;
use rstest::rstest;
use serde_json::{Value, json};

use crate::judging::{Setup, denials, request};

const DELETED: &str = "2026-01-01T00:00:00Z";
const NONE: [&str; 0] = [];

/// CloudProfile `c`, Seed `s` with default networks for Shoots, and a default domain.
fn setup() -> Setup {
    let mut setup = Setup::with_project(None).user("root", &["system:masters"]);
    let versions = ["1.32.1", "1.33.1", "1.34.1", "1.35.1"].map(|it| json!({"version": it}));
    let profile = json!({"metadata": {"name": "c"}, "spec": {
        "type": "stub",
        "regions": [{"name": "eu"}],
        "kubernetes": {"versions": versions},
        "machineImages": [{"name": "i", "versions": [{"version": "1.0.0", "cri": [{"name": "containerd"}]}]}],
        "machineTypes": [{"name": "m", "architecture": "amd64"}],
    }});
    let mut profile: CloudProfile = serde_json::from_value(profile).unwrap();
    defaults::cloud_profile(&mut profile);
    setup.garden.apply(GardenObject::from(profile));
    add_seed(&mut setup, json!({}));
    setup.labelled = vec![default_domain("example.com")];
    setup
}

fn default_domain(domain: &str) -> GardenObject {
    let annotations =
        json!({"dns.gardener.cloud/provider": "p", "dns.gardener.cloud/domain": domain});
    let labels = json!({"gardener.cloud/role": "default-domain"});
    let metadata = json!({"namespace": "garden", "name": domain, "labels": labels, "annotations": annotations});
    let secret: DomainSecret = serde_json::from_value(json!({"metadata": metadata})).unwrap();
    GardenObject::from(secret)
}

fn add_seed(setup: &mut Setup, metadata: Value) {
    let mut seed = json!({"metadata": metadata, "spec": {
        "provider": {"type": "stub", "region": "eu"},
        "networks": {"pods": "10.1.0.0/16", "services": "10.2.0.0/16", "shootDefaults": {"pods": "100.96.0.0/11", "services": "100.64.0.0/13"}},
    }});
    seed["metadata"]["name"] = json!("s");
    let mut seed = serde_json::from_value(seed).unwrap();
    defaults::seed(&mut seed);
    setup.garden.apply(GardenObject::from(seed));
}

/// Returns a Shoot on Seed `s` with defaults.
///
/// `changes` are JSON pointers with their new values; `null` removes a field.
fn shoot(version: &str, changes: &[(&str, Value)]) -> Value {
    let mut shoot = json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": {"name": "web", "namespace": "garden-p"},
        "spec": {
            "seedName": "s",
            "cloudProfile": {"kind": "CloudProfile", "name": "c"},
            "region": "eu",
            "credentialsBindingName": "b",
            "dns": {"domain": "web.p.example.com"},
            "kubernetes": {"version": version, "kubelet": {"kubeReserved": {"cpu": "80m", "memory": "1Gi", "pid": "20k"}}},
            "networking": {"type": "calico", "nodes": "10.250.0.0/16", "pods": "100.96.0.0/11", "services": "100.64.0.0/13"},
            "provider": {"type": "stub", "workers": [{
                "name": "pool", "minimum": 1, "maximum": 2, "maxSurge": 1,
                "machine": {"type": "m", "architecture": "amd64", "image": {"name": "i", "version": "1.0.0"}},
                "volume": {"size": "50Gi"},
                "cri": {"name": "containerd"},
            }]},
        },
    });
    for (pointer, value) in changes {
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        let parent = shoot.pointer_mut(parent).unwrap().as_object_mut().unwrap();
        match value {
            Value::Null => parent.remove(name),
            value => parent.insert(name.to_owned(), value.clone()),
        };
    }
    shoot
}

fn created(shoot: &Value) -> Vec<String> {
    denials(&setup().review_wholly(&request("shoots", "CREATE", shoot, None)))
}

fn updated(setup: &Setup, old: &Value, new: &Value) -> Vec<String> {
    denials(&setup.review_wholly(&request("shoots", "UPDATE", new, Some(old))))
}

/// Judges an update of the subresource `binding`.
fn bound(old: &Value, new: &Value) -> Review {
    let mut asked = request("shoots", "UPDATE", new, Some(old));
    asked["subResource"] = json!("binding");
    setup().review_wholly(&asked)
}

fn unscheduled(version: &str, changes: &[(&str, Value)]) -> Value {
    let mut changed = vec![("/spec/seedName", Value::Null), ("/spec/dns", Value::Null)];
    changed.extend_from_slice(changes);
    shoot(version, &changed)
}

#[rstest]
#[case::profile_name("1.34.1", &[("/spec/cloudProfile", json!(null)), ("/spec/cloudProfileName", json!("c"))], "field/removed Forbidden spec.cloudProfileName")]
#[case::binding("1.34.1", &[("/spec/credentialsBindingName", json!(null)), ("/spec/secretBindingName", json!("b"))], "field/removed Forbidden spec.secretBindingName")]
#[case::addons("1.35.1", &[("/spec/addons", json!({"nginxIngress": {"enabled": true}}))], "field/removed Forbidden spec.addons")]
#[case::anonymous("1.35.1", &[("/spec/kubernetes/kubeAPIServer", json!({"enableAnonymousAuthentication": false}))], "field/removed Forbidden spec.kubernetes.kubeAPIServer.enableAnonymousAuthentication")]
#[case::volumes("1.35.1", &[("/spec/kubernetes/kubeScheduler", json!({"kubeMaxPDVols": "1"}))], "field/removed Forbidden spec.kubernetes.kubeScheduler.kubeMaxPDVols")]
#[case::watch_cache("1.35.1", &[("/spec/kubernetes/kubeAPIServer", json!({"watchCacheSizes": {"default": 1}}))], "field/removed Forbidden spec.kubernetes.kubeAPIServer.watchCacheSizes.default")]
#[case::eviction("1.33.1", &[("/spec/kubernetes/kubeControllerManager", json!({"podEvictionTimeout": "1m"}))], "field/removed Forbidden spec.kubernetes.kubeControllerManager.podEvictionTimeout")]
#[case::bulk_delete("1.33.1", &[("/spec/kubernetes/clusterAutoscaler", json!({"maxEmptyBulkDelete": 1}))], "field/removed Forbidden spec.kubernetes.clusterAutoscaler.maxEmptyBulkDelete")]
#[case::dns_secret("1.35.1", &[("/spec/dns", json!({"domain": "a.io", "providers": [{"type": "p", "primary": true, "secretName": "x"}]}))], "field/removed Forbidden spec.dns.providers[0].secretName")]
#[case::two_profiles("1.33.1", &[("/spec/cloudProfileName", json!("c"))], "shoot/two-profiles Forbidden spec.cloudProfileName")]
#[case::no_profile("1.33.1", &[("/spec/cloudProfile", json!(null))], "shoot/no-profile Required spec.cloudProfile.name")]
fn what_a_version_forbids_a_new_shoot_does_not_have(
    #[case] version: &str,
    #[case] changes: &[(&str, Value)],
    #[case] denial: &str,
) {
    let denials = created(&unscheduled(version, changes));
    assert!(denials.iter().any(|it| it == denial), "{denials:?}");
}

#[test]
fn update_with_only_the_deprecated_profile_name_is_denied() {
    let named = ("/spec/cloudProfileName", json!("c"));
    let old = shoot("1.33.1", std::slice::from_ref(&named));
    let new = shoot("1.33.1", &[named, ("/spec/cloudProfile/name", json!(""))]);
    let denials = updated(&setup(), &old, &new);
    let expected = "shoot/no-profile Required spec.cloudProfile.name";
    assert!(denials.iter().any(|it| it == expected), "{denials:?}");
}

#[test]
fn binding_without_an_architecture_gets_it() {
    let path = "/spec/provider/workers/0/machine/architecture";
    let old = shoot("1.33.1", &[("/spec/seedName", json!(null))]);
    let new = shoot("1.33.1", &[(path, json!(null))]);
    let patch = bound(&old, &new).patch;
    assert!(patch.0.iter().any(|it| it.path().as_str() == path), "{patch}");
}

#[test]
fn binding_with_an_unknown_machine_type_is_denied() {
    let old = shoot("1.33.1", &[]);
    let new = shoot("1.33.1", &[("/spec/provider/workers/0/machine/type", json!("x"))]);
    let denials = denials(&bound(&old, &new));
    let expected = "shoot/machine-type-unknown NotSupported spec.provider.workers[0].machine.type";
    assert!(denials.iter().any(|it| it == expected), "{denials:?}");
}

#[test]
fn binding_of_a_shoot_for_another_provider_is_denied() {
    let other = ("/spec/provider/type", json!("other"));
    let old = shoot("1.33.1", &[other.clone(), ("/spec/seedName", json!(null))]);
    let new = shoot("1.33.1", &[other]);
    let denials = denials(&bound(&old, &new));
    let expected = "shoot/provider-type-of-profile Invalid spec.provider.type";
    assert!(denials.iter().any(|it| it == expected), "{denials:?}");
}

#[test]
fn binding_without_the_kind_of_its_profile_is_denied() {
    let old = shoot("1.33.1", &[("/spec/seedName", json!(null))]);
    let new = shoot("1.33.1", &[("/spec/cloudProfile/kind", json!(null))]);
    let expected = "shoot/profile-kind NotSupported spec.cloudProfile.kind";
    assert_eq!(denials(&bound(&old, &new)), [expected]);
    assert_eq!(updated(&setup(), &new, &new), NONE);
}

#[test]
fn binding_with_an_internal_version_is_denied() {
    let internal = json!({"apiVersion": "a/__internal", "kind": "A"});
    let old = shoot("1.33.1", &[("/spec/seedName", json!(null))]);
    let new = shoot("1.33.1", &[("/spec/provider/infrastructureConfig", internal)]);
    let expected = "shoot/internal-api-version Invalid spec.provider.infrastructureConfig";
    assert_eq!(denials(&bound(&old, &new)), [expected]);
}

#[test]
fn what_the_next_version_forbids_stops_the_update_to_it() {
    let bound =
        [("/spec/credentialsBindingName", json!(null)), ("/spec/secretBindingName", json!("b"))];
    let (old, new) = (shoot("1.33.1", &bound), shoot("1.34.1", &bound));
    assert_eq!(updated(&setup(), &old, &new), ["field/removed Forbidden spec.secretBindingName"]);
    assert_eq!(updated(&setup(), &old, &old), NONE);
}

#[test]
fn stored_profile_name_that_gardener_removes_is_allowed() {
    let named = [("/spec/cloudProfileName", json!("c"))];
    let (old, new) = (shoot("1.33.1", &named), shoot("1.34.1", &named));
    let denials = updated(&setup(), &old, &new);
    let removed = "field/removed Forbidden spec.cloudProfileName";
    assert!(!denials.iter().any(|it| it == removed), "{denials:?}");
}

#[test]
fn a_status_is_not_written_without_the_profile() {
    let object = shoot("1.33.1", &[("/spec/cloudProfile/name", json!("gone"))]);
    let mut asked = request("shoots", "UPDATE", &object, Some(&object));
    asked["subResource"] = json!("status");
    let denials = denials(&setup().review_wholly(&asked));
    let expected = "shoot/profile-missing NotFound spec.cloudProfile.name";
    assert!(denials.iter().any(|it| it == expected), "{denials:?}");
}

#[rstest]
#[case::domain(&[("/spec/dns", json!(null))])]
#[case::ranges(&[("/spec/networking/pods", json!(null)), ("/spec/networking/services", json!(null))])]
fn what_is_filled_in_again_may_be_left_out(#[case] changes: &[(&str, Value)]) {
    let stored = shoot("1.33.1", &[]);
    let new = shoot("1.33.1", changes);
    assert_eq!(updated(&setup(), &stored, &new), NONE);
}

#[test]
fn custom_domain_may_not_be_omitted() {
    let stored = shoot("1.33.1", &[("/spec/dns/domain", json!("web.elsewhere.io"))]);
    let new = shoot("1.33.1", &[("/spec/dns", json!(null))]);
    assert_eq!(
        updated(&setup(), &stored, &new),
        ["shoot/immutable-field-changed Invalid spec.dns.domain"]
    );
}

#[rstest]
#[case::domain(&[("/spec/dns", json!(null))])]
#[case::ranges(&[("/spec/networking/pods", json!(null))])]
fn what_is_filled_in_again_is_no_change_of_a_shoot_in_deletion(#[case] changes: &[(&str, Value)]) {
    let deleted = |changes: &[(&'static str, Value)]| {
        let mut shoot = shoot("1.33.1", changes);
        shoot["metadata"]["deletionTimestamp"] = json!(DELETED);
        shoot
    };
    let stored = deleted(&[]);
    let mut new = shoot("1.33.1", changes);
    new["metadata"]["deletionTimestamp"] = json!(DELETED);
    assert_eq!(updated(&setup(), &stored, &new), NONE);
}

/// The spec must not change while the control plane is migrated.
#[rstest]
#[case::domain("1.32.1", &[], &[("/spec/dns", json!(null))], false)]
#[case::ranges("1.32.1", &[], &[("/spec/networking/services", json!(null))], false)]
#[case::reserved("1.32.1", &[], &[("/spec/kubernetes/kubelet", json!(null))], false)]
#[case::reserved_otherwise("1.32.1", &[], &[("/spec/kubernetes/kubelet/kubeReserved", json!({"cpu": "90m"}))], true)]
#[case::profile_name("1.32.1", &[], &[("/spec/cloudProfile", json!(null)), ("/spec/cloudProfileName", json!("c"))], false)]
#[case::bulk_delete("1.32.1", &[("/spec/kubernetes/clusterAutoscaler", json!({}))], &[("/spec/kubernetes/clusterAutoscaler", json!({"maxEmptyBulkDelete": 1}))], false)]
#[case::anonymous("1.32.1", &[], &[("/spec/kubernetes/kubeAPIServer", json!({"enableAnonymousAuthentication": false}))], false)]
#[case::anonymous_on("1.32.1", &[], &[("/spec/kubernetes/kubeAPIServer", json!({"enableAnonymousAuthentication": true}))], true)]
#[case::addons("1.32.1", &[], &[("/spec/addons", json!({"kubernetesDashboard": {"enabled": false}}))], false)]
#[case::purpose("1.32.1", &[], &[("/spec/purpose", json!("production"))], true)]
// Gardener treats an empty list as a change.
#[case::empty_list("1.32.1", &[], &[("/spec/tolerations", json!([]))], false)]
fn what_is_filled_in_or_dropped_is_no_change_during_a_migration(
    #[case] version: &str,
    #[case] old: &[(&str, Value)],
    #[case] new: &[(&str, Value)],
    #[case] is_change: bool,
) {
    let moving = |changes: &[(&str, Value)]| {
        let mut shoot = shoot(version, changes);
        shoot["status"] =
            json!({"seedName": "s", "lastOperation": {"type": "Migrate", "state": "Processing"}});
        shoot
    };
    let denials = updated(&setup(), &moving(old), &moving(new));
    let expected = "shoot/spec-change-during-migration Forbidden spec";
    assert_eq!(denials.iter().any(|it| it == expected), is_change, "{denials:?}");
}

#[test]
fn the_last_finalizer_stays_on_a_profile_whose_parent_is_gone() {
    let mut old = json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "NamespacedCloudProfile",
        "metadata": {"name": "n", "namespace": "garden-p", "deletionTimestamp": DELETED, "finalizers": ["gardener"]},
        "spec": {"parent": {"kind": "CloudProfile", "name": "gone"}},
    });
    let stored = old.clone();
    old["metadata"]["finalizers"] = json!([]);
    for subresource in ["", "status"] {
        let mut asked = request("namespacedcloudprofiles", "UPDATE", &old, Some(&stored));
        asked["subResource"] = json!(subresource);
        let denials = denials(&setup().review_wholly(&asked));
        let expected = "namespacedcloudprofile/parent-missing NotFound spec.parent.name";
        assert!(denials.iter().any(|it| it == expected), "{denials:?}");
    }
}

#[test]
fn another_pool_cannot_take_over_the_control_plane() {
    let shoot = |owner: usize, region: &str| {
        let mut shoot = unscheduled("1.33.1", &[]);
        let pool = shoot["spec"]["provider"]["workers"][0].clone();
        let workers = ["a", "b"].map(|name| {
            let mut pool = pool.clone();
            pool["name"] = json!(name);
            pool["maximum"] = json!(1);
            pool
        });
        shoot["spec"]["provider"]["workers"] = json!(workers);
        shoot["spec"]["provider"]["workers"][owner]["controlPlane"] =
            json!({"backup": {"provider": "stub", "region": region}});
        shoot
    };
    let denials = updated(&setup(), &shoot(0, "eu"), &shoot(1, "eu"));
    let expected = "shoot/immutable-field-changed Forbidden spec.provider.workers";
    assert!(denials.iter().any(|it| it == expected), "{denials:?}");
    let denials = updated(&setup(), &shoot(0, "eu"), &shoot(0, "us"));
    let expected =
        "shoot/immutable-field-changed Invalid spec.provider.workers[0].controlPlane.backup.region";
    assert!(denials.iter().any(|it| it == expected), "{denials:?}");
}

#[test]
fn address_families_the_primary_provider_and_encryption_change_in_steps() {
    let bare = |families: Value| {
        let networking = json!({"type": "calico", "ipFamilies": families});
        unscheduled("1.33.1", &[("/spec/networking", networking)])
    };
    let denied = updated(&setup(), &bare(json!(["IPv4"])), &bare(json!(["IPv6"])));
    let expected = "shoot/immutable-field-changed Forbidden spec.networking.ipFamilies";
    assert!(denied.iter().any(|it| it == expected), "{denied:?}");

    let own = |providers: Value| {
        let dns = json!({"domain": "a.io", "providers": providers});
        shoot("1.35.1", &[("/spec/dns", dns)])
    };
    let reference = json!({"apiVersion": "v1", "kind": "Secret", "name": "x"});
    let primary = json!([{"type": "p", "primary": true, "credentialsRef": reference}]);
    let denied = updated(&setup(), &own(primary), &own(json!([])));
    let expected = "shoot/immutable-field-changed Forbidden spec.dns.providers";
    assert!(denied.iter().any(|it| it == expected), "{denied:?}");

    let encrypted = |resources: Value| {
        let server = json!({"encryptionConfig": {"resources": resources}});
        let mut shoot = shoot("1.33.1", &[("/spec/kubernetes/kubeAPIServer", server)]);
        shoot["status"] =
            json!({"credentials": {"rotation": {"etcdEncryptionKey": {"phase": "Prepared"}}}});
        shoot
    };
    let denied = updated(&setup(), &encrypted(json!([])), &encrypted(json!(["configmaps"])));
    let expected = "shoot/encryption-change-while-rotating Forbidden spec.kubernetes.kubeAPIServer.encryptionConfig.resources";
    assert!(denied.iter().any(|it| it == expected), "{denied:?}");
}

#[rstest]
#[case::no_type("/spec/type", json!(""), "field/missing Required spec.type")]
#[case::authority("/spec/caBundle", json!("x"), "field/malformed Invalid spec.caBundle")]
#[case::selector("/spec/seedSelector", json!({"matchExpressions": [{"key": "a", "operator": "Inn"}]}), "field/malformed Invalid spec.seedSelector.matchExpressions[0].operator")]
fn a_profile_is_judged_when_it_is_written(
    #[case] pointer: &str,
    #[case] value: Value,
    #[case] denial: &str,
) {
    let mut profile = json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "CloudProfile",
        "metadata": {"name": "c"},
        "spec": {"type": "stub", "regions": [{"name": "eu"}], "kubernetes": {"versions": [{"version": "1.33.1"}]},
            "machineImages": [], "machineTypes": []},
    });
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    profile.pointer_mut(parent).unwrap()[name] = value;
    let denials =
        denials(&setup().review_wholly(&request("cloudprofiles", "CREATE", &profile, None)));
    assert!(denials.iter().any(|it| it == denial), "{denials:?}");
}

/// Gardener fails here, since it looks up the old profile.
#[test]
fn a_profile_that_is_gone_can_be_left_for_one_of_the_same_parent() {
    let mut setup = setup();
    let nested = json!({
        "metadata": {"name": "n", "namespace": "garden-p"},
        "spec": {"parent": {"kind": "CloudProfile", "name": "gone"}},
        "status": {"cloudProfileSpec": {
            "type": "stub",
            "regions": [{"name": "eu"}],
            "kubernetes": {"versions": [{"version": "1.33.1"}]},
            "machineImages": [{"name": "i", "versions": [{"version": "1.0.0", "cri": [{"name": "containerd"}], "architectures": ["amd64"]}]}],
            "machineTypes": [{"name": "m", "architecture": "amd64"}],
        }},
    });
    let nested: garden_gate_model::api::NamespacedCloudProfile =
        serde_json::from_value(nested).unwrap();
    setup.garden.apply(GardenObject::from(nested));
    let of = |kind: &str, name: &str| {
        shoot("1.33.1", &[("/spec/cloudProfile", json!({"kind": kind, "name": name}))])
    };
    let (old, new) = (of("CloudProfile", "gone"), of("NamespacedCloudProfile", "n"));
    assert_eq!(updated(&setup, &old, &new), NONE);
}

/// In Gardener this depends on the order in which the domains are found.
#[test]
fn a_default_domain_stays_while_a_domain_below_one_below_it_is_used() {
    let mut setup = setup();
    setup.labelled.push(default_domain("sub.example.com"));
    let web = shoot("1.33.1", &[("/spec/dns/domain", json!("web.p.sub.example.com"))]);
    let web = serde_json::from_value(web).unwrap();
    setup.garden.apply(GardenObject::Shoot(Box::new(web)));
    let seed = |dns: Value| {
        json!({"metadata": {"name": "s"}, "spec": {
            "provider": {"type": "stub", "region": "eu"}, "networks": {"pods": "10.1.0.0/16", "services": "10.2.0.0/16"}, "dns": dns,
        }})
    };
    let new = seed(json!({"defaults": [{"domain": "sub.example.com"}]}));
    let asked = request("seeds", "UPDATE", &new, Some(&seed(json!({}))));
    let denials = denials(&setup.review_wholly(&asked));
    let expected = "seed/default-domains-not-covered Forbidden spec.dns.defaults";
    assert!(denials.iter().any(|it| it == expected), "{denials:?}");
}
