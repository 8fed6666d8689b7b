// SPDX-License-Identifier: Apache-2.0
//! Quotas for the Shoots of a binding, and permissions to change the credentials of a Shoot.

use garden_gate_core::garden::{GardenObject, Knowledge, Snapshot};
use garden_gate_model::api::Kind;
use rstest::rstest;
use serde_json::{Value, json};

use crate::judging::{Setup, request};

fn object(kind: Kind, value: &Value) -> GardenObject {
    let object = GardenObject::read(kind, value.to_string().as_str());
    object.unwrap().unwrap()
}

fn profile() -> Value {
    json!({"metadata": {"name": "c"}, "spec": {
        "type": "stratus",
        "machineTypes": [
            {"name": "small", "cpu": "2", "gpu": "0", "memory": "4Gi"},
            {"name": "disk", "cpu": "2", "gpu": 1, "memory": "4Gi", "storage": {"class": "premium", "type": "nvme", "size": "30Gi"}},
            {"name": "bare", "cpu": "2", "gpu": 1, "memory": "4Gi", "storage": {"class": "premium", "type": "nvme", "minSize": "30Gi"}},
        ],
        "volumeTypes": [
            {"name": "slow", "class": "standard"},
            {"name": "fast", "class": "premium"},
            {"name": "odd", "class": "golden"},
        ],
    }})
}

fn quota(name: &str, scope: &str, metrics: &Value) -> Value {
    let api_version = if scope == "Project" { "core.gardener.cloud/v1beta1" } else { "v1" };
    json!({"metadata": {"name": name, "namespace": "garden-lent"}, "spec": {
        "scope": {"apiVersion": api_version, "kind": scope}, "clusterLifetimeDays": 7, "metrics": metrics,
    }})
}

/// Returns a binding with Quotas in the namespace `garden-lent`.
fn binding(namespace: &str, name: &str, secret: &str, quotas: &[&str]) -> Value {
    let quotas = quotas.iter().map(|name| json!({"name": name, "namespace": "garden-lent"}));
    let secret = json!({"apiVersion": "v1", "kind": "Secret", "name": secret});
    json!({
        "metadata": {"name": name, "namespace": namespace}, "provider": {"type": "stratus"},
        "credentialsRef": secret, "secretRef": secret, "quotas": quotas.collect::<Vec<_>>(),
    })
}

fn shoot(namespace: &str, name: &str, pools: &[Value]) -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {
            "cloudProfile": {"name": "c"},
            "region": "eu",
            "credentialsBindingName": "trial",
            "kubernetes": {"version": "1.34.7"},
            "provider": {"type": "stratus", "workers": pools},
        },
    })
}

fn pool(machine_type: &str, maximum: i32, volume: Value) -> Value {
    json!({
        "name": "pool", "minimum": 1, "maximum": maximum, "maxSurge": 1, "volume": volume,
        "machine": {"type": machine_type, "architecture": "amd64", "image": {"name": "i", "version": "1.0.0"}},
    })
}

fn small(maximum: i32) -> Value {
    pool("small", maximum, json!({"type": "slow", "size": "50Gi"}))
}

/// Returns a garden in which a Shoot of the same namespace has one small machine, and one of another namespace three.
fn garden(quotas: &[Value]) -> Snapshot {
    let mut garden = Snapshot::new(Knowledge::Everything);
    let names: Vec<&str> =
        quotas.iter().map(|it| it["metadata"]["name"].as_str().unwrap()).collect();
    let objects = [
        (Kind::CloudProfile, profile()),
        (Kind::CredentialsBinding, binding("garden-p", "trial", "account", &names)),
        (Kind::CredentialsBinding, binding("garden-p", "paid", "account", &[])),
        (Kind::SecretBinding, binding("garden-q", "trial", "account", &names)),
        (Kind::Shoot, shoot("garden-p", "near", &[small(1)])),
        (Kind::Shoot, {
            let mut far = shoot("garden-q", "far", &[small(3)]);
            far["spec"]["secretBindingName"] = far["spec"]["credentialsBindingName"].take();
            far
        }),
    ];
    let quotas = quotas.iter().map(|quota| (Kind::Quota, quota.clone()));
    for (kind, value) in objects.into_iter().chain(quotas) {
        garden.apply(object(kind, &value));
    }
    garden
}

const RULES: [&str; 2] = ["shoot/quota-exceeded", "shoot/credentials-change"];

/// Returns findings as `finding@field: message`.
fn told(garden: Snapshot, new: &Value, old: Option<&Value>) -> Vec<String> {
    let mut setup = Setup::with_project(None);
    setup.garden = garden;
    let operation = if old.is_some() { "UPDATE" } else { "CREATE" };
    let review = setup.review_wholly(&request("shoots", operation, new, old));
    let findings = review.findings.iter().filter(|it| RULES.contains(&it.rule));
    let told = findings.map(|it| format!("{}@{}: {}", it.finding, it.field, it.message));
    told.collect()
}

#[rstest]
#[case::cpu_of_a_project(("Project", json!({"cpu": "6"})), &[small(3)], "cpu 8 of 6")]
#[case::cpu_of_a_project_enough(("Project", json!({"cpu": "8"})), &[small(3)], "")]
#[case::cpu_of_all(("Secret", json!({"cpu": 13})), &[small(3)], "cpu 14 of 13")]
#[case::cpu_of_all_enough(("Secret", json!({"cpu": 14})), &[small(3)], "")]
#[case::memory(("Secret", json!({"memory": "27Gi"})), &[small(3)], "memory 28Gi of 27Gi")]
#[case::gpu(("Project", json!({"gpu": "1"})), &[pool("disk", 2, json!(null))], "gpu 2 of 1")]
#[case::volumes_by_class(("Project", json!({"storage.standard": "149Gi", "storage.premium": "99Gi"})), &[small(1), pool("small", 2, json!({"type": "fast", "size": "50Gi"}))], "storage.premium 100Gi of 99Gi")]
#[case::volume_that_the_machine_brings(("Project", json!({"storage.premium": "59Gi"})), &[pool("disk", 2, json!(null))], "storage.premium 60Gi of 59Gi")]
#[case::volume_on_a_machine_with_its_own(("Project", json!({"storage.premium": "39Gi"})), &[pool("disk", 2, json!({"type": "slow", "size": "20Gi"}))], "storage.premium 40Gi of 39Gi")]
#[case::load_balancers(("Secret", json!({"loadbalancer": "2"})), &[small(1)], "loadbalancer 3 of 2")]
#[case::several(("Project", json!({"cpu": "1", "memory": "1Gi"})), &[small(1)], "cpu 4 of 1, memory 8Gi of 1Gi")]
#[case::what_nobody_counts(("Project", json!({"pods": "0"})), &[small(9)], "")]
#[case::no_machine_at_all(("Project", json!({"cpu": "2"})), &[small(0)], "")]
#[case::fewer_than_none(("Project", json!({"cpu": "2"})), &[small(-5)], "")]
#[case::more_than_can_be_counted(("Project", json!({"cpu": "1e30"})), &[small(9)], "")]
fn shoots_of_one_quota_count_together(
    #[case] (scope, metrics): (&str, Value),
    #[case] pools: &[Value],
    #[case] expected: &str,
) {
    let garden = garden(&[quota("q", scope, &metrics)]);
    let told = told(garden, &shoot("garden-p", "new", pools), None);
    let field = if expected.starts_with("loadbalancer") {
        "spec.credentialsBindingName"
    } else {
        "spec.provider.workers"
    };
    let expected = (!expected.is_empty()).then(|| {
        format!("shoot/quota-exceeded@{field}: Quota `garden-lent/q` would be exceeded: {expected}")
    });
    assert_eq!(told, Vec::from_iter(expected));
}

#[rstest]
#[case::machine_type("huge", json!({"type": "slow", "size": "1Gi"}), "has machine type `huge`, which its profile does not list")]
#[case::volume_type("small", json!({"type": "none", "size": "1Gi"}), "has a volume of a type that its profile does not list")]
#[case::no_volume_type("small", json!({"size": "1Gi"}), "has a volume of a type that its profile does not list")]
#[case::class("small", json!({"type": "odd", "size": "1Gi"}), "has a volume of class `golden`, which is not counted")]
#[case::no_volume("small", json!(null), "has no volume, and machine type `small` brings none of a certain size")]
#[case::no_size("bare", json!(null), "has no volume, and machine type `bare` brings none of a certain size")]
fn what_cannot_be_counted_is_refused(
    #[case] machine_type: &str,
    #[case] volume: Value,
    #[case] why: &str,
) {
    let garden = garden(&[quota("q", "Secret", &json!({}))]);
    let new = shoot("garden-p", "new", &[pool(machine_type, 1, volume)]);
    let expected = format!(
        "shoot/quota-uncountable@spec.credentialsBindingName: Quota `garden-lent/q` cannot be counted: pool `pool` of Shoot `garden-p/new` {why}"
    );
    assert_eq!(told(garden, &new, None), [expected]);
}

#[test]
fn each_quota_of_a_binding_counts_and_what_stays_is_not_counted_again() {
    let metrics = json!({"cpu": "1"});
    let quotas = [quota("a", "Project", &metrics), quota("b", "Secret", &metrics)];
    let new = shoot("garden-p", "new", &[small(2)]);
    assert_eq!(told(garden(&quotas), &new, None).len(), 2);
    let cases: [(&str, Value, usize); 6] = [
        ("/metadata/labels", json!({"a": "b"}), 0),
        ("/spec/provider/workers/0/minimum", json!(2), 0),
        ("/spec/provider/workers/0/maximum", json!(1), 2),
        ("/spec/provider/workers/0/machine/type", json!("disk"), 2),
        ("/spec/provider/workers/0/volume/size", json!("49Gi"), 2),
        ("/spec/addons", json!({"nginxIngress": {"enabled": true}}), 2),
    ];
    for (pointer, value, findings) in cases {
        let mut changed = new.clone();
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        changed.pointer_mut(parent).unwrap()[name] = value;
        let found = told(garden(&quotas), &changed, Some(&new));
        assert_eq!(found.len(), findings, "{pointer}: {found:?}");
        changed["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
        let ending = told(garden(&quotas), &changed, Some(&new));
        assert_eq!(ending, [""; 0], "{pointer} while the Shoot is being deleted");
    }
}

#[test]
fn a_quota_that_is_gone_is_missed_where_there_are_others() {
    let new = shoot("garden-p", "new", &[small(2)]);
    let of = |quotas: &[&str]| {
        let mut garden = garden(&[quota("q", "Project", &json!({}))]);
        let binding = binding("garden-p", "trial", "account", quotas);
        garden.apply(object(Kind::CredentialsBinding, &binding));
        garden
    };
    let missing = "shoot/quota-missing@spec.credentialsBindingName: CredentialsBinding `trial` names Quota `garden-lent/gone`, which does not exist";
    assert_eq!(told(of(&["q", "gone"]), &new, None), [missing]);
    let mut without = of(&["gone"]);
    without.reset(Kind::Quota, []);
    assert_eq!(told(without, &new, None), [""; 0]);
}

#[rstest]
#[case::within("2026-01-08T00:00:00Z", None, false)]
#[case::beyond("2026-01-08T00:00:01Z", None, true)]
#[case::beyond_but_as_before("2027-01-01T00:00:00Z", Some("2027-01-01T00:00:00Z"), false)]
#[case::no_time("soon", None, true)]
fn the_life_of_a_shoot_is_prolonged_by_some_days(
    #[case] expiration: &str,
    #[case] before: Option<&str>,
    #[case] refused: bool,
) {
    let at = |time: Option<&str>| {
        let mut shoot = shoot("garden-p", "new", &[small(1)]);
        if let Some(time) = time {
            shoot["metadata"]["annotations"] =
                json!({"shoot.gardener.cloud/expiration-timestamp": time});
        }
        shoot
    };
    let garden = garden(&[quota("q", "Project", &json!({}))]);
    let told = told(garden, &at(Some(expiration)), Some(&at(before)));
    let field =
        "shoot/quota-lifetime@metadata.annotations[shoot.gardener.cloud/expiration-timestamp]";
    assert_eq!(told.len(), usize::from(refused));
    assert!(told.iter().all(|it| it.starts_with(field)), "{told:?}");
}

/// Alice may read Secret `account`, and nothing else.
fn lent() -> Snapshot {
    let mut garden = garden(&[]);
    let rule = json!({"verbs": ["get"], "apiGroups": [""], "resources": ["secrets"], "resourceNames": ["account"]});
    let subject = json!({"kind": "User", "name": "alice"});
    let mut other = binding("garden-p", "identity", "i", &[]);
    other["credentialsRef"] = json!({"apiVersion": "security.gardener.cloud/v1alpha1", "kind": "WorkloadIdentity", "name": "i"});
    let mut odd = binding("garden-p", "odd", "i", &[]);
    odd["credentialsRef"] = json!({"apiVersion": "v2", "kind": "Secret", "name": "account"});
    let objects = [
        (Kind::ClusterRole, json!({"metadata": {"name": "r"}, "rules": [rule]})),
        (
            Kind::ClusterRoleBinding,
            json!({"metadata": {"name": "b"}, "roleRef": {"kind": "ClusterRole", "name": "r"}, "subjects": [subject]}),
        ),
        (Kind::CredentialsBinding, binding("garden-p", "foreign", "foreign", &[])),
        (Kind::CredentialsBinding, other),
        (Kind::CredentialsBinding, odd),
        (Kind::SecretBinding, binding("garden-p", "old", "account", &[])),
    ];
    for (kind, value) in objects {
        garden.apply(object(kind, &value));
    }
    garden
}

const CHANGE: &str = "shoot/credentials-change";
const UNREADABLE: &str = "shoot/credentials-unreadable";
const GONE: &str = "shoot/credentials-previous-missing";

#[rstest]
#[case::stays(("credentials", "foreign"), "foreign", &[])]
#[case::readable(("credentials", "trial"), "paid", &[])]
#[case::new_unreadable(("credentials", "trial"), "foreign", &[UNREADABLE])]
#[case::old_unreadable(("credentials", "foreign"), "trial", &[UNREADABLE])]
#[case::workload_identity(("credentials", "trial"), "identity", &[UNREADABLE])]
#[case::both_unreadable(("credentials", "foreign"), "identity", &[UNREADABLE, UNREADABLE])]
#[case::no_credentials(("credentials", "trial"), "odd", &[UNREADABLE])]
#[case::gone(("credentials", "gone"), "trial", &[GONE])]
#[case::new_missing(("credentials", "trial"), "gone", &[])]
#[case::moves_with_its_secret(("secret", "old"), "trial", &[])]
#[case::moves_to_another_secret(("secret", "old"), "foreign", &[CHANGE])]
#[case::moves_to_no_secret(("secret", "old"), "identity", &[CHANGE])]
#[case::moves_from_what_is_gone(("secret", "gone"), "trial", &[GONE])]
fn other_credentials_come_from_who_may_read_both(
    #[case] (kind, before): (&str, &str),
    #[case] after: &str,
    #[case] expected: &[&str],
) {
    let mut new = shoot("garden-p", "new", &[small(1)]);
    let mut old = new.clone();
    old["spec"].as_object_mut().unwrap().remove("credentialsBindingName");
    old["spec"][format!("{kind}BindingName")] = json!(before);
    new["spec"]["credentialsBindingName"] = json!(after);
    let told = told(lent(), &new, Some(&old));
    let kinds = told.iter().map(|it| it.split_once('@').unwrap());
    let kinds: Vec<&str> = kinds.map(|(finding, _)| finding).collect();
    assert_eq!(kinds, expected, "{told:?}");
}
