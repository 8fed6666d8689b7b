// SPDX-License-Identifier: Apache-2.0
//! ManagedSeeds, ManagedSeedSets and Gardenlets.

use std::slice::from_ref;

use garden_gate_core::config::Level;
use garden_gate_core::garden::{GardenObject, Knowledge, Snapshot};
use garden_gate_model::api::Kind;
use rstest::rstest;
use serde_json::{Value, json};

use crate::judging::{Setup, request};
use crate::judging_extensions::set;

fn object(kind: &str, spec: Value) -> Value {
    json!({
        "apiVersion": "seedmanagement.gardener.cloud/v1alpha1",
        "kind": kind,
        "metadata": {"name": "mine", "namespace": "garden"},
        "spec": spec,
    })
}

fn reference(name: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "Secret", "name": name, "namespace": "garden"})
}

/// Returns a Seed with the values that Gardener does not derive from a Shoot.
fn seed() -> Value {
    let internal =
        json!({"type": "stub", "domain": "internal.io", "credentialsRef": reference("dns")});
    json!({"spec": {"dns": {"internal": internal}}})
}

fn managed_seed() -> Value {
    let config = json!({"seedConfig": seed()});
    object("ManagedSeed", json!({"shoot": {"name": "base"}, "gardenlet": {"config": config}}))
}

/// Returns a ManagedSeed as it is stored, with the values that Gardener derives from the Shoot.
fn stored() -> Value {
    let at = |field: &str| format!("/spec/gardenlet/config/seedConfig/spec/{field}");
    let networks =
        json!({"nodes": "10.250.0.0/16", "pods": "100.96.0.0/11", "services": "100.64.0.0/13"});
    let ingress = json!({"domain": "ingress.base.shoots.io", "controller": {"kind": "nginx"}});
    let provider = json!({"type": "stub", "credentialsRef": reference("dns")});
    with(
        managed_seed(),
        &[
            (at("provider").as_str(), json!({"type": "stub", "region": "eu", "zones": ["a", "b"]})),
            (at("networks").as_str(), networks),
            (at("ingress").as_str(), ingress),
            (at("dns/provider").as_str(), provider),
            (at("settings").as_str(), json!({"verticalPodAutoscaler": {"enabled": false}})),
        ],
    )
}

fn gardenlet() -> Value {
    let chart = json!({"ociRepository": {"ref": "example.com/gardenlet:v1"}});
    object("Gardenlet", json!({"deployment": {"helm": chart}, "config": {"seedConfig": seed()}}))
}

fn set_of_seeds() -> Value {
    let labels = json!({"labels": {"a": "b"}});
    let mut seed = seed();
    seed["metadata"] = labels.clone();
    let worker =
        json!({"name": "a", "machine": {"type": "m"}, "minimum": 1, "maximum": 1, "maxSurge": 1});
    let shoot = json!({
        "cloudProfile": {"kind": "CloudProfile", "name": "stub"},
        "region": "eu",
        "credentialsBindingName": "account",
        "kubernetes": {"version": "1.34.7"},
        "networking": {"type": "calico", "nodes": "10.250.0.0/16"},
        "provider": {"type": "stub", "workers": [worker]},
    });
    object(
        "ManagedSeedSet",
        json!({
            "selector": {"matchLabels": {"a": "b"}},
            "template": {"metadata": labels, "spec": {"gardenlet": {"config": {"seedConfig": seed}}}},
            "shootTemplate": {"metadata": labels, "spec": shoot},
        }),
    )
}

fn with(mut object: Value, changes: &[(&str, Value)]) -> Value {
    for (pointer, value) in changes {
        set(&mut object, pointer, value.clone());
    }
    object
}

fn shoot(name: &str, domain: &str) -> Value {
    let dns = if domain.is_empty() { Value::Null } else { json!({"domain": domain}) };
    let worker = json!({"name": "a", "machine": {"type": "m"}, "minimum": 1, "maximum": 1, "zones": ["a", "b"]});
    json!({
        "metadata": {"name": name, "namespace": "garden", "creationTimestamp": "2025-01-01T00:00:00Z"},
        "spec": {
            "region": "eu",
            "dns": dns,
            "kubernetes": {"version": "1.34.7", "verticalPodAutoscaler": {"enabled": true}},
            "networking": {"nodes": "10.250.0.0/16", "pods": "100.96.0.0/11", "services": "100.64.0.0/13"},
            "provider": {"type": "stub", "workers": [worker]},
        },
    })
}

/// Returns a garden with Shoots that can be Seeds, one without a domain, and Shoots on Seed `mine`.
fn garden() -> Setup {
    let mut setup = Setup::with_project(None);
    setup.garden = Snapshot::new(Knowledge::Everything).asking_for_verbs();
    let mut apply = |kind: Kind, fields: Value| {
        let read = GardenObject::read(kind, fields.to_string().as_str());
        setup.garden.apply(read.unwrap().unwrap());
    };
    apply(Kind::Namespace, json!({"metadata": {"name": "garden"}}));
    let annotations =
        json!({"dns.gardener.cloud/domain": "shoots.io", "dns.gardener.cloud/provider": "stub"});
    apply(
        Kind::Secret,
        json!({"metadata": {
            "name": "default", "namespace": "garden", "annotations": annotations,
            "labels": {"gardener.cloud/role": "default-domain"},
        }}),
    );
    for (name, domain) in [
        ("base", "base.shoots.io"),
        ("other", "other.shoots.io"),
        ("foreign", "foreign.example.com"),
        ("bare", ""),
    ] {
        apply(Kind::Shoot, shoot(name, domain));
    }
    let mut user = shoot("user", "user.shoots.io");
    user["spec"]["seedName"] = json!("mine");
    apply(Kind::Shoot, user);
    let taken = json!({"name": "taken", "namespace": "garden"});
    apply(Kind::Gardenlet, json!({"metadata": taken}));
    apply(Kind::ManagedSeed, json!({"metadata": taken, "spec": {"shoot": {"name": "other"}}}));
    setup
}

fn asked(new: Option<&Value>, old: Option<&Value>) -> Value {
    let object = new.or(old).unwrap();
    let kind = Kind::ALL.iter().find(|it| it.as_str() == object["kind"]).unwrap();
    let operation = match (new, old) {
        (Some(_), None) => "CREATE",
        (Some(_), Some(_)) => "UPDATE",
        _ => "DELETE",
    };
    let mut request = request(kind.resource(), operation, new.unwrap_or(&Value::Null), old);
    request["resource"]["group"] = json!("seedmanagement.gardener.cloud");
    request["resource"]["version"] = json!("v1alpha1");
    request["name"] = object["metadata"]["name"].clone();
    request["namespace"] = object["metadata"]["namespace"].clone();
    request
}

/// Returns the findings of a level, as `finding type field`.
fn told(level: Level, new: Option<&Value>, old: Option<&Value>) -> Vec<String> {
    let mut setup = garden();
    if level == Level::Warn {
        setup.config.profile = garden_gate_core::config::Profile::Documented;
    }
    let review = setup.review_wholly(&asked(new, old));
    let findings = review.findings.iter().filter(|it| it.level == level);
    let told = findings.map(|it| format!("{} {:?} {}", it.finding, it.error, it.field));
    told.collect()
}

#[rstest]
#[case::managed_seed(managed_seed())]
#[case::gardenlet(gardenlet())]
#[case::set(set_of_seeds())]
fn plain_object_is_allowed(#[case] object: Value) {
    let nothing = Vec::<String>::new();
    assert_eq!(told(Level::Deny, Some(&object), None), nothing);
    let old = if object["kind"] == "ManagedSeed" { stored() } else { object.clone() };
    assert_eq!(told(Level::Deny, Some(&object), Some(&old)), nothing);
}

const SEED: &str = "spec.gardenlet.config.seedConfig";

#[rstest]
#[case::missing(managed_seed(), "/spec/shoot/name", json!("gone"), "managedseed/shoot-missing Invalid spec.shoot.name")]
#[case::no_shoot(managed_seed(), "/spec/shoot", json!(null), "field/missing Required spec.shoot")]
#[case::no_domain(managed_seed(), "/spec/shoot/name", json!("bare"), "managedseed/shoot-without-domain Invalid spec.shoot.name")]
#[case::no_provider(managed_seed(), "/spec/shoot/name", json!("foreign"), "managedseed/dns-provider-missing Invalid spec.gardenlet.config.seedConfig.spec.ingress")]
#[case::taken(managed_seed(), "/spec/shoot/name", json!("other"), "managedseed/shoot-taken Invalid spec.shoot.name")]
#[case::no_seed(managed_seed(), "/spec/gardenlet/config", json!({}), "field/missing Required spec.gardenlet.config.seedConfig")]
#[case::name(managed_seed(), "/metadata/name", json!("taken"), "gardenlet/name-taken Forbidden metadata.name")]
#[case::name_of_a_managed_seed(gardenlet(), "/metadata/name", json!("taken"), "gardenlet/name-taken Forbidden metadata.name")]
#[case::kind(gardenlet(), "/spec/config/kind", json!("Foo"), "gardenlet/configuration-kind NotSupported spec.config.kind")]
#[case::type_inside(gardenlet(), "/spec/config/seedConfig/spec/dns", json!(1), "object/wrong-type TypeInvalid spec.config.seedConfig.spec.dns")]
#[case::taint(gardenlet(), "/spec/config/seedConfig/spec/taints", json!([{}]), "seed/taints-invalid Required spec.config.seedConfig.spec.taints[0].key")]
#[case::overlap(gardenlet(), "/spec/config/seedConfig/spec/networks", json!({"nodes": "10.0.0.0/8", "services": "10.1.0.0/16"}), "seed/ranges-overlap Invalid spec.config.seedConfig.spec.networks.nodes")]
#[case::chart(gardenlet(), "/spec/deployment/helm", json!({}), "field/missing Required spec.deployment.helm.ociRepository")]
#[case::namespace(gardenlet(), "/metadata/namespace", json!("garden-p"), "field/unfitting Forbidden metadata.namespace")]
#[case::log(gardenlet(), "/spec/config/logLevel", json!("loud"), "field/unsupported-value NotSupported logLevel")]
#[case::selector(set_of_seeds(), "/spec/template/metadata/labels", json!({}), "managedseedset/template-not-selected Invalid spec.template.metadata.labels")]
#[case::workerless(set_of_seeds(), "/spec/shootTemplate/spec/provider/workers", json!([]), "managedseedset/no-workers Invalid spec.shootTemplate.spec.provider.workers")]
#[case::no_surge(set_of_seeds(), "/spec/shootTemplate/spec/provider/workers/0/maxSurge", json!(null), "shoot/worker-surge-both-zero Invalid spec.shootTemplate.spec.provider.workers[0].maxUnavailable")]
fn new_object_is_refused(
    #[case] object: Value,
    #[case] pointer: &str,
    #[case] value: Value,
    #[case] expected: &str,
) {
    let new = with(object, &[(pointer, value)]);
    let told = told(Level::Deny, Some(&new), None);
    assert!(told.iter().any(|it| it == expected), "{told:?}");
}

#[rstest]
#[case::shoot(managed_seed(), "/spec/shoot/name", json!("other"), "field/immutable Invalid spec.shoot")]
#[case::bootstrap(managed_seed(), "/spec/gardenlet/bootstrap", json!("None"), "field/immutable Invalid spec.gardenlet.bootstrap")]
#[case::internal_domain(managed_seed(), "/spec/gardenlet/config/seedConfig/spec/dns/internal/domain", json!("b.io"), "seed/internal-domain-in-use Forbidden spec.gardenlet.config.seedConfig.spec.dns.internal.domain")]
#[case::set_selector(set_of_seeds(), "/spec/selector/matchLabels/a", json!("c"), "field/immutable Invalid spec.selector")]
#[case::no_networks(set_of_seeds(), "/spec/shootTemplate/spec/networking", json!(null), "managedseedset/networking-removed Invalid spec.shootTemplate.spec.networking")]
#[case::no_template(set_of_seeds(), "/spec/shootTemplate", json!(null), "managedseedset/networking-removed Invalid spec.shootTemplate.spec.networking")]
fn change_is_refused(
    #[case] old: Value,
    #[case] pointer: &str,
    #[case] value: Value,
    #[case] expected: &str,
) {
    let new = with(old.clone(), &[(pointer, value)]);
    let told = told(Level::Deny, Some(&new), Some(&old));
    assert!(told.iter().any(|it| it == expected), "{told:?}");
}

#[test]
fn derived_values_of_the_seed_are_those_of_the_shoot() {
    let seed = "/spec/gardenlet/config/seedConfig/spec";
    let value = |field: &str| format!("{seed}/{field}");
    let new = with(
        managed_seed(),
        &[
            (value("networks").as_str(), json!({"pods": "10.0.0.0/16"})),
            (value("provider").as_str(), json!({"region": "us", "zones": ["c"]})),
            (value("settings").as_str(), json!({"verticalPodAutoscaler": {"enabled": true}})),
        ],
    );
    let expected = [
        "networks.pods",
        "provider.region",
        "provider.zones",
        "settings.verticalPodAutoscaler.enabled",
    ];
    let expected =
        expected.map(|it| format!("managedseed/seed-differs-from-shoot Invalid {SEED}.spec.{it}"));
    assert_eq!(told(Level::Deny, Some(&new), None), expected);
}

/// Returns the rules about ManagedSeeds that refuse one, or are undetermined, with the objects of a change and no garden.
fn told_without_a_garden(objects: &[(Kind, Value)]) -> Vec<String> {
    let mut setup = garden();
    setup.garden = Snapshot::new(Knowledge::Nothing).asking_for_verbs();
    for (kind, object) in objects {
        let read = GardenObject::read(*kind, object.to_string().as_str());
        setup.garden.apply(read.unwrap().unwrap());
    }
    let review = setup.review_wholly(&asked(Some(&stored()), None));
    let refused = review.findings.iter().filter(|it| it.level == Level::Deny);
    let refused = refused.map(|it| it.finding.to_owned());
    let undetermined = review.undetermined.iter().map(|it| format!("{}?", it.rule));
    refused.chain(undetermined).filter(|it| it.starts_with("managedseed/")).collect()
}

#[test]
fn shoot_of_the_same_change_is_known_without_a_garden() {
    assert_eq!(told_without_a_garden(&[]), ["managedseed/shoot?"]);
    let base = (Kind::Shoot, shoot("base", "base.shoots.io"));
    assert_eq!(told_without_a_garden(from_ref(&base)), [""; 0]);
    let bare = told_without_a_garden(&[(Kind::Shoot, shoot("base", ""))]);
    assert!(bare.contains(&"managedseed/shoot-without-domain".to_owned()), "{bare:?}");
    let other = json!({"metadata": {"name": "other", "namespace": "garden"}, "spec": {"shoot": {"name": "base"}}});
    let both = told_without_a_garden(&[base, (Kind::ManagedSeed, other)]);
    assert_eq!(both, ["managedseed/shoot-taken"]);
}

#[test]
fn reconcile_replaces_a_pending_operation_unless_the_spec_changes() {
    let operation = |object: Value, it: &str| {
        with(object, &[("/metadata/annotations", json!({"gardener.cloud/operation": it}))])
    };
    let old = operation(stored(), "renew-kubeconfig");
    let new = operation(managed_seed(), "reconcile");
    let nothing = Vec::<String>::new();
    assert_eq!(told(Level::Deny, Some(&new), Some(&old)), nothing);
    let changed = with(new, &[("/spec/gardenlet/deployment", json!({"replicaCount": 3}))]);
    let overwritten =
        "managedseed/operation-overwrite Forbidden metadata.annotations[gardener.cloud/operation]";
    assert_eq!(told(Level::Deny, Some(&changed), Some(&old)), [overwritten]);
}

#[test]
fn managed_seed_with_shoots_is_not_deleted() {
    let mut object = managed_seed();
    let in_use = "managedseed/delete-in-use Forbidden metadata.name";
    assert_eq!(told(Level::Deny, None, Some(&object)), [in_use]);
    object["metadata"]["name"] = json!("empty");
    assert_eq!(told(Level::Deny, None, Some(&object)), Vec::<String>::new());
}

#[test]
fn dropped_field_of_a_configuration_is_a_warning() {
    let new = with(gardenlet(), &[("/spec/config/seedConfig/spec/setings", json!({}))]);
    let dropped = "gardenlet/dropped-field Invalid spec.config.seedConfig.spec.setings";
    assert!(told(Level::Warn, Some(&new), None).iter().any(|it| it == dropped));
    assert_eq!(told(Level::Deny, Some(&new), None), Vec::<String>::new());
}
