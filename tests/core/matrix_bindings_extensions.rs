// SPDX-License-Identifier: Apache-2.0
//! References of a Shoot: its binding, the infrastructure, and the extensions.

use garden_gate_core::garden::{GardenObject, Knowledge, Snapshot};
use garden_gate_core::rules;
use garden_gate_model::api::{
    CloudProfile, ControllerRegistration, CredentialsBinding, SecretBinding,
};
use rstest::rstest;
use serde_json::{Value, from_value, json};

use crate::judging::{Setup, request};

fn profile() -> GardenObject {
    let profile = json!({"metadata": {"name": "c"}, "spec": {"type": "stratus"}});
    from_value::<CloudProfile>(profile).unwrap().into()
}

fn binding(name: &str, provider: &str) -> GardenObject {
    let metadata = json!({"name": name, "namespace": "garden-p"});
    let binding = json!({"metadata": metadata, "provider": {"type": provider}});
    from_value::<CredentialsBinding>(binding).unwrap().into()
}

fn secret_binding(name: &str, provider: &str) -> GardenObject {
    let metadata = json!({"name": name, "namespace": "garden-p"});
    let binding =
        json!({"metadata": metadata, "provider": {"type": provider}, "secretRef": {"name": "s"}});
    from_value::<SecretBinding>(binding).unwrap().into()
}

fn registration() -> GardenObject {
    let resource = |kind: &str, class: &str| json!({"kind": kind, "type": class});
    let resources = json!([
        resource("Infrastructure", "stratus"),
        resource("ControlPlane", "stratus"),
        resource("Worker", "stratus"),
        resource("Network", "calico"),
        resource("OperatingSystemConfig", "i"),
        {"kind": "Extension", "type": "anywhere", "workerlessSupported": true},
        {"kind": "Extension", "type": "with-workers"},
        {"kind": "Extension", "type": "seeds", "clusterCompatibility": ["seed"]},
        {"kind": "Extension", "type": "second", "primary": false},
    ]);
    let registration = json!({"metadata": {"name": "all"}, "spec": {"resources": resources}});
    from_value::<ControllerRegistration>(registration).unwrap().into()
}

fn shoot(provider: &str, binding: &str) -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": {"name": "web", "namespace": "garden-p"},
        "spec": {
            "cloudProfile": {"kind": "CloudProfile", "name": "c"},
            "region": "eu",
            "credentialsBindingName": binding,
            "kubernetes": {"version": "1.34.7"},
            "networking": {"type": "calico"},
            "provider": {"type": provider, "workers": [{
                "name": "pool", "minimum": 1, "maximum": 2, "maxSurge": 1,
                "machine": {"type": "m", "image": {"name": "i", "version": "1.0.0"}},
            }]},
        },
    })
}

/// Returns findings about references as `finding@field`, in a garden with all of `objects`.
fn told(objects: Vec<GardenObject>, shoot: &Value) -> Vec<String> {
    told_of(objects, &request("shoots", "CREATE", shoot, None))
}

fn told_of(objects: Vec<GardenObject>, request: &Value) -> Vec<String> {
    let mut setup = Setup::with_project(None);
    setup.garden = Snapshot::new(Knowledge::Everything);
    setup.garden.apply(profile());
    for object in objects {
        setup.garden.apply(object);
    }
    let review = setup.review_wholly(request);
    let rules = ["shoot/binding-missing", "shoot/provider-type", "shoot/extensions-unregistered"];
    let findings = review.findings.iter().filter(|it| rules.contains(&it.rule));
    let told = findings.map(|it| format!("{}@{}", it.finding, it.field));
    told.collect()
}

#[test]
fn a_garden_without_bindings_and_registrations_refuses_none() {
    let shoot = shoot("stratus", "account");
    assert_eq!(told(vec![], &shoot), Vec::<String>::new());
}

#[rstest]
#[case::fits("stratus", "account", &[])]
#[case::fits_as_one_of_several("stratus", "both", &[])]
#[case::no_such_binding("stratus", "acount", &["shoot/binding-missing@spec.credentialsBindingName"])]
#[case::no_name("stratus", "", &[])]
#[case::binding_for_another_provider("stratus", "other", &["shoot/provider-type-of-binding@spec.provider.type"])]
#[case::profile_for_another_provider("nimbus", "other", &["shoot/provider-type-of-profile@spec.provider.type"])]
fn a_shoot_fits_its_binding_and_profile(
    #[case] provider: &str,
    #[case] name: &str,
    #[case] expected: &[&str],
) {
    let bindings = vec![
        binding("account", "stratus"),
        binding("other", "nimbus"),
        binding("both", "nimbus,stratus"),
    ];
    assert_eq!(told(bindings, &shoot(provider, name)), expected);
}

#[rstest]
#[case::same("account", "account", &[])]
#[case::changed("account", "gone", &["shoot/binding-missing@spec.credentialsBindingName"])]
#[case::gone_before("gone", "gone", &["shoot/binding-missing@spec.credentialsBindingName"])]
fn binding_of_a_shoot_that_is_scheduled_exists(
    #[case] before: &str,
    #[case] after: &str,
    #[case] expected: &[&str],
) {
    let (old, mut new) = (shoot("stratus", before), shoot("stratus", after));
    new["spec"]["seedName"] = json!("s");
    let mut request = request("shoots", "UPDATE", &new, Some(&old));
    request["subResource"] = json!("binding");
    let bindings = vec![binding("account", "stratus")];
    assert_eq!(told_of(bindings, &request), expected);
}

#[test]
fn an_empty_name_beside_a_binding_is_refused() {
    let mut shoot = shoot("stratus", "account");
    shoot["spec"]["secretBindingName"] = json!("");
    let bindings = vec![binding("account", "stratus"), secret_binding("other", "stratus")];
    let expected = ["shoot/binding-missing@spec.secretBindingName"];
    assert_eq!(told(bindings, &shoot), expected);
}

const UNREGISTERED: &str = "shoot/extensions-unregistered";

#[rstest]
#[case::all_registered("/spec/networking/type", json!("calico"), None)]
#[case::network("/spec/networking/type", json!("callico"), Some("spec.networking.type"))]
#[case::image("/spec/provider/workers/0/machine/image/name", json!("j"), Some("spec.provider.workers[0].machine.image.name"))]
#[case::runtime("/spec/provider/workers/0/cri", json!({"name": "containerd", "containerRuntimes": [{"type": "gvisor"}]}), Some("spec.provider.workers[0].cri.containerRuntimes[0].type"))]
#[case::dns("/spec/dns", json!({"providers": [{"type": "d", "primary": true}]}), Some("spec.dns.providers[0].type"))]
#[case::dns_that_nobody_manages("/spec/dns", json!({"providers": [{"type": "unmanaged", "primary": true}]}), None)]
#[case::extension("/spec/extensions", json!([{"type": "with-workers"}]), None)]
#[case::unknown_extension("/spec/extensions", json!([{"type": "anywhere"}, {"type": "x"}]), Some("spec.extensions[1].type"))]
#[case::extension_of_seeds("/spec/extensions", json!([{"type": "seeds"}]), Some("spec.extensions[0].type"))]
#[case::only_a_secondary_one("/spec/extensions", json!([{"type": "second"}]), Some("spec.extensions[0].type"))]
fn what_a_shoot_uses_is_registered(
    #[case] pointer: &str,
    #[case] value: Value,
    #[case] field: Option<&str>,
) {
    let mut object = shoot("stratus", "account");
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    object.pointer_mut(parent).unwrap()[name] = value;
    let expected = field.map(|field| format!("{UNREGISTERED}@{field}"));
    assert_eq!(told(vec![registration()], &object), Vec::from_iter(expected));
}

#[rstest]
#[case::label("/metadata/labels", json!({"a": "b"}), "", false)]
#[case::spec("/spec/purpose", json!("production"), "", true)]
#[case::binding("/spec/seedName", json!("s"), "binding", true)]
fn stored_references_are_checked_when_the_spec_changes(
    #[case] pointer: &str,
    #[case] value: Value,
    #[case] subresource: &str,
    #[case] is_told: bool,
) {
    let mut old = shoot("stratus", "account");
    old["spec"]["extensions"] = json!([{"type": "x"}]);
    let mut new = old.clone();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    new.pointer_mut(parent).unwrap()[name] = value;
    let mut request = request("shoots", "UPDATE", &new, Some(&old));
    request["subResource"] = json!(subresource);
    let told = told_of(vec![registration()], &request);
    let expected = format!("{UNREGISTERED}@spec.extensions[0].type");
    assert_eq!(told.contains(&expected), is_told, "{told:?}");
}

#[test]
fn an_extension_has_to_support_shoots_without_workers() {
    let mut object = shoot("stratus", "account");
    object["spec"]["provider"]["workers"] = json!([]);
    object["spec"]["extensions"] = json!([{"type": "anywhere"}, {"type": "with-workers"}]);
    let expected = ["shoot/extension-needs-workers@spec.extensions[1].type"];
    assert_eq!(told(vec![registration()], &object), expected);
}

/// The provider type of a stored Shoot is immutable, so that only another profile helps.
#[rstest]
#[case::new(None, "write `stratus`, or name another profile")]
#[case::changed(Some("stratus"), "write `stratus`, or name another profile")]
#[case::stored(Some("nimbus"), "name a profile for `nimbus`")]
fn help_for_another_provider_than_that_of_the_profile(
    #[case] old: Option<&str>,
    #[case] expected: &str,
) {
    let mut setup = Setup::with_project(None);
    setup.garden = Snapshot::new(Knowledge::Everything);
    setup.garden.apply(profile());
    let old = old.map(|provider| shoot(provider, ""));
    let mut new = shoot("nimbus", "");
    new["spec"]["purpose"] = json!("production");
    let operation = if old.is_some() { "UPDATE" } else { "CREATE" };
    let rule = rules::find("shoot/provider-type").unwrap();
    let request = request("shoots", operation, &new, old.as_ref());
    let found = setup.review_with(&[rule], &request).findings;
    let help: Vec<&str> = found.iter().map(|it| &*it.help).collect();
    assert_eq!(help, [expected]);
}
