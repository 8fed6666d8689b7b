// SPDX-License-Identifier: Apache-2.0
//! Kinds that operators write: backups, extensions, InternalSecrets, ShootStates, WorkloadIdentities and Bastions.

use garden_gate_core::admission::EntryPoints;
use garden_gate_core::config::Level;
use garden_gate_core::garden::{GardenObject, Knowledge, ObjectKey, Snapshot};
use garden_gate_core::rules;
use garden_gate_model::api::Kind;
use rstest::rstest;
use serde_json::{Value, json};

use crate::judging::{Setup, request};
use crate::judging_extensions::set;

const KEY: &str =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKVNyhglMLsdbRMs3tYjey7ZHj9yH8sZcRdElNZJPJ1c";

fn object(api_version: &str, kind: &str, fields: Value) -> Value {
    let mut object = json!({
        "apiVersion": api_version,
        "kind": kind,
        "metadata": {"name": "mine", "namespace": "garden-p", "uid": "u", "resourceVersion": "1"},
    });
    for (name, value) in fields.as_object().unwrap() {
        object[name] = value.clone();
    }
    object
}

fn core(kind: &str, fields: Value) -> Value {
    object("core.gardener.cloud/v1beta1", kind, fields)
}

fn bucket() -> Value {
    let credentials =
        json!({"apiVersion": "v1", "kind": "Secret", "name": "account", "namespace": "garden-p"});
    core(
        "BackupBucket",
        json!({"spec": {"provider": {"type": "stub", "region": "eu"}, "seedName": "s", "credentialsRef": credentials}}),
    )
}

fn entry() -> Value {
    core("BackupEntry", json!({"spec": {"bucketName": "b", "seedName": "s"}}))
}

fn registration() -> Value {
    let resource = json!({"kind": "Extension", "type": "x"});
    let deployment = json!({"deploymentRefs": [{"name": "x"}]});
    core(
        "ControllerRegistration",
        json!({"spec": {"resources": [resource], "deployment": deployment}}),
    )
}

fn deployment() -> Value {
    let helm = json!({"ociRepository": {"ref": "e.com/x:v1"}});
    object("core.gardener.cloud/v1", "ControllerDeployment", json!({"helm": helm}))
}

fn legacy() -> Value {
    core("ControllerDeployment", json!({"type": "helm", "providerConfig": {"chart": "eA=="}}))
}

fn installation() -> Value {
    core(
        "ControllerInstallation",
        json!({"spec": {"registrationRef": {"name": "x"}, "seedRef": {"name": "s"}}}),
    )
}

fn secret() -> Value {
    core("InternalSecret", json!({"type": "Opaque", "data": {"a": "eA=="}}))
}

fn state() -> Value {
    let data = json!([{"name": "ca", "type": "secret", "data": {}}]);
    core("ShootState", json!({"spec": {"gardener": data, "extensions": [{"kind": "Worker"}]}}))
}

fn identity() -> Value {
    object(
        "security.gardener.cloud/v1alpha1",
        "WorkloadIdentity",
        json!({
            "spec": {"audiences": ["a"], "targetSystem": {"type": "stub"}},
            "status": {"sub": "gardener.cloud:workloadidentity:garden-p:mine:u"},
        }),
    )
}

fn bastion() -> Value {
    object(
        "operations.gardener.cloud/v1alpha1",
        "Bastion",
        json!({"spec": {
            "shootRef": {"name": "web"}, "sshPublicKey": KEY,
            "ingress": [{"ipBlock": {"cidr": "10.0.0.0/8"}}],
        }}),
    )
}

fn with(mut object: Value, changes: &[(&str, Value)]) -> Value {
    for (pointer, value) in changes {
        set(&mut object, pointer, value.clone());
    }
    object
}

fn asked(new: &Value, old: Option<&Value>, operation: &str) -> Value {
    let object = if new.is_null() { old.unwrap() } else { new };
    let kind = object["kind"].as_str().unwrap();
    let kind = Kind::ALL.iter().find(|it| it.as_str() == kind).unwrap();
    let mut request = request(kind.resource(), operation, new, old);
    let (group, version) = object["apiVersion"].as_str().unwrap().split_once('/').unwrap();
    request["resource"]["group"] = json!(group);
    request["resource"]["version"] = json!(version);
    request["name"] = json!("mine");
    request["namespace"] = json!(if kind.is_namespaced() { "garden-p" } else { "" });
    request
}

/// Returns denials of rules that run in `review` only, as `finding type field`.
fn told_in(setup: &Setup, request: &Value) -> Vec<String> {
    let review = setup.review_wholly(request);
    let of_review =
        |rule: &str| rules::find(rule).is_some_and(|it| it.entry_points != EntryPoints::All);
    let findings =
        review.findings.iter().filter(|it| of_review(it.rule)).filter(|it| it.level == Level::Deny);
    let told = findings.map(|it| format!("{} {:?} {}", it.finding, it.error, it.field));
    told.collect()
}

fn told(new: &Value, old: Option<&Value>) -> Vec<String> {
    let operation = if old.is_some() { "UPDATE" } else { "CREATE" };
    told_in(&garden(), &asked(new, old, operation))
}

/// Returns a garden with everything that the objects name.
fn garden() -> Setup {
    let mut setup = Setup::with_project(None);
    setup.garden = Snapshot::new(Knowledge::Everything).asking_for_verbs();
    let apply = |setup: &mut Setup, kind: Kind, fields: Value| {
        let read = GardenObject::read(kind, fields.to_string().as_str());
        setup.garden.apply(read.unwrap().unwrap());
    };
    let named = |name: &str| json!({"metadata": {"name": name}});
    for (kind, name) in [
        (Kind::Namespace, "garden-p"),
        (Kind::Seed, "s"),
        (Kind::Seed, "europe"),
        (Kind::ControllerDeployment, "x"),
    ] {
        apply(&mut setup, kind, named(name));
    }
    for (name, class) in [("b", "stub"), ("other", "other"), ("backups", "stub")] {
        let spec = json!({"provider": {"type": class}});
        let bucket = json!({"metadata": {"name": name}, "spec": spec});
        apply(&mut setup, Kind::BackupBucket, bucket);
    }
    let entry = json!({"metadata": {"name": "e", "namespace": "ns"}, "spec": {"bucketName": "b"}});
    apply(&mut setup, Kind::BackupEntry, entry);
    let resources = ["BackupBucket", "BackupEntry"].map(|it| json!({"kind": it, "type": "stub"}));
    let registered = json!({"metadata": {"name": "stub"}, "spec": {"resources": resources}});
    apply(&mut setup, Kind::ControllerRegistration, registered);
    let identity = json!({
        "metadata": {"name": "robot", "namespace": "garden-p"}, "spec": {"targetSystem": {"type": "other"}},
    });
    apply(&mut setup, Kind::WorkloadIdentity, identity);
    let workers = json!([{"name": "a", "machine": {"type": "m"}, "minimum": 1, "maximum": 1}]);
    for (name, seed, settings) in [
        ("web", json!("s"), json!(null)),
        ("waiting", json!(null), json!(null)),
        ("closed", json!("s"), json!({"sshAccess": {"enabled": false}})),
    ] {
        let provider = json!({"workers": workers, "workersSettings": settings});
        let shoot = json!({
            "metadata": {"name": name, "namespace": "garden-p"},
            "spec": {"seedName": seed, "provider": provider},
        });
        apply(&mut setup, Kind::Shoot, shoot);
    }
    for (name, exists) in [("account", true), ("gone", false)] {
        setup.garden.answer_named(ObjectKey::new(Kind::Secret, "garden-p", name), Ok(exists));
    }
    setup
}

#[rstest]
#[case::bucket(bucket())]
#[case::entry(entry())]
#[case::registration(registration())]
#[case::deployment(deployment())]
#[case::legacy(legacy())]
#[case::installation(installation())]
#[case::secret(secret())]
#[case::state(state())]
#[case::identity(identity())]
#[case::bastion(bastion())]
fn plain_object_of_an_operator_is_allowed(#[case] object: Value) {
    let new = with(object.clone(), &[("/metadata/uid", json!(null)), ("/status", json!(null))]);
    assert_eq!(told(&new, None), Vec::<String>::new());
    assert_eq!(told(&object, Some(&object)), Vec::<String>::new());
}

#[rstest]
#[case::region(bucket(), "/spec/provider/region", json!(null), "field/missing Invalid spec.provider.region")]
#[case::no_owner(bucket(), "/spec/seedName", json!(null), "field/missing Invalid spec.seedName")]
#[case::no_credentials(bucket(), "/spec/credentialsRef", json!(null), "field/missing Required spec.credentialsRef")]
#[case::seed(bucket(), "/spec/seedName", json!("gone"), "backup/seed-missing Forbidden spec.seedName")]
#[case::similar_seed(bucket(), "/spec/seedName", json!("eurpoe"), "backup/seed-missing Forbidden spec.seedName")]
#[case::similar_bucket(entry(), "/spec/bucketName", json!("bakcups"), "backupentry/bucket-missing Forbidden spec.bucketName")]
#[case::credentials(bucket(), "/spec/credentialsRef/name", json!("gone"), "backupbucket/credentials-missing Forbidden spec.credentialsRef.name")]
#[case::credentials_of_other(bucket(), "/spec/credentialsRef", json!({"apiVersion": "security.gardener.cloud/v1alpha1", "kind": "WorkloadIdentity", "name": "robot", "namespace": "garden-p"}), "backupbucket/credentials-unusable Forbidden spec.credentialsRef")]
#[case::internal(bucket(), "/spec/credentialsRef", json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "InternalSecret", "name": "a", "namespace": "garden-p"}), "backupbucket/credentials-unusable Forbidden spec.credentialsRef")]
#[case::provider(bucket(), "/spec/provider/type", json!("unknown"), "backup/provider-unregistered Forbidden spec.provider.type")]
#[case::dotted(bucket(), "/metadata/name", json!("a.b"), "field/malformed Invalid metadata.name")]
#[case::bucket_of_an_entry(entry(), "/spec/bucketName", json!("gone"), "backupentry/bucket-missing Forbidden spec.bucketName")]
#[case::no_bucket(entry(), "/spec/bucketName", json!(null), "backupentry/bucket-missing Forbidden spec.bucketName")]
#[case::provider_of_the_bucket(entry(), "/spec/bucketName", json!("other"), "backup/provider-unregistered Forbidden spec.bucketName")]
#[case::two_owners(entry(), "/spec/shootRef", json!({}), "field/unfitting Invalid spec.seedName")]
#[case::kind(registration(), "/spec/resources/0/kind", json!("Extensoin"), "field/unsupported-value NotSupported spec.resources[0].kind")]
#[case::twice(registration(), "/spec/resources", json!([{"kind": "Network", "type": "x"}, {"kind": "Network", "type": "x"}]), "field/repeated Duplicate spec.resources[1]")]
#[case::not_of_the_kind(registration(), "/spec/resources", json!([{"kind": "Network", "type": "x", "autoEnable": ["shoot"]}]), "field/unfitting Forbidden spec.resources[0].autoEnable")]
#[case::incompatible(registration(), "/spec/resources", json!([{"kind": "Extension", "type": "x", "autoEnable": ["seed"]}]), "field/unfitting Forbidden spec.resources[0].autoEnable[0]")]
#[case::policy(registration(), "/spec/deployment/policy", json!("Never"), "field/unsupported-value NotSupported spec.deployment.policy")]
#[case::selector(registration(), "/spec/deployment/seedSelector", json!({}), "field/unfitting Forbidden spec.deployment.seedSelector")]
#[case::deployment_missing(registration(), "/spec/deployment/deploymentRefs", json!([{"name": "gone"}]), "controllerregistration/deployment-missing Forbidden spec.deployment.deploymentRefs[0].name")]
#[case::deployments(registration(), "/spec/deployment/deploymentRefs", json!([{"name": "x"}, {"name": "x"}]), "field/unfitting Forbidden spec.deployment.deploymentRefs")]
#[case::taken(registration(), "/spec/resources", json!([{"kind": "BackupEntry", "type": "stub"}]), "controllerregistration/resource-taken Forbidden spec.resources[0]")]
#[case::no_chart(deployment(), "/helm", json!(null), "field/missing Forbidden []")]
#[case::empty_chart(deployment(), "/helm/ociRepository", json!(null), "field/missing Required helm")]
#[case::tag(deployment(), "/helm/ociRepository/tag", json!("v2"), "field/unfitting Forbidden helm.ociRepository.tag")]
#[case::digest(deployment(), "/helm/ociRepository", json!({"repository": "a", "digest": "md5:1"}), "field/malformed Invalid helm.ociRepository.digest")]
#[case::template(deployment(), "/helm/values", json!({"a": ["{{ .resources.gone.data.b }}"]}), "field/malformed Invalid helm.values")]
#[case::resource(deployment(), "/resources", json!([{"name": "a-b", "resourceRef": {"apiVersion": "v1", "kind": "Secret", "name": "a"}}]), "field/malformed Invalid resources[0].name")]
#[case::base64(deployment(), "/helm", json!({"rawChart": "%"}), "field/malformed Invalid helm.rawChart")]
#[case::no_type(legacy(), "/type", json!(""), "field/missing Forbidden []")]
#[case::legacy_chart(legacy(), "/providerConfig", json!({}), "field/missing Required helm")]
#[case::legacy_text(legacy(), "/providerConfig", json!("a"), "field/malformed Invalid providerConfig")]
#[case::nowhere(installation(), "/spec/seedRef", json!(null), "field/missing Forbidden spec.seedRef")]
#[case::unregistered(installation(), "/spec/registrationRef", json!({}), "field/missing Required spec.registrationRef.name")]
#[case::shoot_without_namespace(installation(), "/spec/shootRef", json!({"name": "a"}), "field/missing Required spec.shootRef.namespace")]
#[case::data_key(secret(), "/data", json!({"a b": "eA=="}), "field/malformed Invalid data[a b]")]
#[case::data(secret(), "/data", json!({"a": "%"}), "field/malformed Invalid data[a]")]
#[case::tls(secret(), "/type", json!("kubernetes.io/tls"), "field/missing Required data[tls.crt]")]
#[case::ssh(secret(), "/type", json!("kubernetes.io/ssh-auth"), "field/missing Required data[ssh-privatekey]")]
#[case::account(secret(), "/type", json!("kubernetes.io/service-account-token"), "field/missing Required metadata.annotations[kubernetes.io/service-account.name]")]
#[case::data_name(state(), "/spec/gardener/0/name", json!(""), "field/missing Invalid spec.gardener[0].name")]
#[case::purpose(state(), "/spec/extensions/0/purpose", json!(""), "field/missing Invalid spec.extensions[0].purpose")]
#[case::state_resource(state(), "/spec/resources", json!([{"apiVersion": "v1", "kind": "Pod", "name": "a"}]), "field/unsupported-value NotSupported spec.resources[0]")]
#[case::extension_resource(state(), "/spec/extensions/0/resources", json!([{"name": ""}]), "field/missing Required spec.resources[0].name")]
#[case::audience(identity(), "/spec/audiences", json!(["a", "a"]), "field/repeated Duplicate spec.audiences[1]")]
#[case::no_audience(identity(), "/spec/audiences", json!([]), "field/missing Required spec.audiences")]
#[case::targets(identity(), "/spec/targetSystem/type", json!("a,b"), "field/malformed Invalid spec.targetSystem.type")]
#[case::ssh_key(bastion(), "/spec/sshPublicKey", json!("abc"), "field/malformed Invalid spec.sshPublicKey")]
#[case::source(bastion(), "/spec/ingress", json!([{"ipBlock": {"cidr": "1.2.3.4"}}]), "field/malformed Invalid spec.ingress")]
#[case::shoot(bastion(), "/spec/shootRef/name", json!("gone"), "bastion/shoot-unusable Invalid spec.shootRef.name")]
#[case::waiting(bastion(), "/spec/shootRef/name", json!("waiting"), "bastion/shoot-unusable Invalid spec.shootRef.name")]
#[case::closed(bastion(), "/spec/shootRef/name", json!("closed"), "bastion/shoot-unusable Invalid spec.shootRef.name")]
#[case::no_shoot(bastion(), "/spec/shootRef", json!({}), "field/missing Required spec.shootRef.name")]
fn new_object_of_an_operator_is_refused(
    #[case] object: Value,
    #[case] pointer: &str,
    #[case] value: Value,
    #[case] expected: &str,
) {
    let new = with(object, &[("/status", json!(null)), (pointer, value)]);
    let told = told(&new, None);
    assert!(told.iter().any(|it| it == expected), "{told:?}");
}

#[rstest]
#[case::region(bucket(), "/spec/provider/region", json!("us"), "field/immutable Invalid spec.provider")]
#[case::seed(bucket(), "/spec/seedName", json!("t"), "field/immutable Invalid spec.seedName")]
#[case::primary(registration(), "/spec/resources", json!([{"kind": "Extension", "type": "x", "primary": false}]), "field/immutable Invalid spec.resources[0].primary")]
#[case::registration_name(installation(), "/spec/registrationRef/name", json!("y"), "field/immutable Invalid spec.registrationRef.name")]
#[case::seed_name(installation(), "/spec/seedRef/name", json!("t"), "field/immutable Invalid spec.seedRef.name")]
#[case::shoot_added(installation(), "/spec/shootRef", json!({"name": "a", "namespace": "b"}), "field/immutable Invalid spec.shootRef")]
#[case::secret_type(secret(), "/type", json!("other"), "field/immutable Invalid type")]
#[case::target(identity(), "/spec/targetSystem/type", json!("other"), "field/immutable Invalid spec.targetSystem.type")]
#[case::subject(identity(), "/status/sub", json!("forged"), "field/immutable Invalid status.sub")]
#[case::subject_of_other(identity(), "/status/sub", json!("forged"), "field/malformed Invalid status.sub")]
#[case::key(bastion(), "/spec/sshPublicKey", json!("abc"), "field/immutable Invalid spec.sshPublicKey")]
#[case::creator(bastion(), "/metadata/annotations", json!({"gardener.cloud/created-by": "a"}), "field/immutable Invalid metadata.annotations")]
#[case::name(state(), "/metadata/name", json!("other"), "field/immutable Invalid metadata.name")]
#[case::uid(entry(), "/metadata/uid", json!("v"), "field/immutable Invalid metadata.uid")]
#[case::version(deployment(), "/metadata/resourceVersion", json!(null), "field/missing Invalid metadata.resourceVersion")]
fn change_of_an_immutable_field_is_refused(
    #[case] old: Value,
    #[case] pointer: &str,
    #[case] value: Value,
    #[case] expected: &str,
) {
    let new = with(old.clone(), &[(pointer, value)]);
    let told = told(&new, Some(&old));
    assert!(told.iter().any(|it| it == expected), "{told:?}");
}

#[rstest]
#[case::registration(registration(), "/spec/resources", "controllerregistration/deleting")]
#[case::installation(installation(), "/spec/deploymentRef", "controllerinstallation/deleting")]
fn spec_is_frozen_during_deletion(
    #[case] object: Value,
    #[case] pointer: &str,
    #[case] expected: &str,
) {
    let changed = if pointer == "/spec/resources" { json!([]) } else { json!({"name": "y"}) };
    let old = with(object, &[("/metadata/deletionTimestamp", json!("2026-01-01T00:00:00Z"))]);
    let new = with(old.clone(), &[(pointer, changed)]);
    assert_eq!(told(&new, Some(&old)), [format!("{expected} Forbidden spec")]);
    assert_eq!(told(&old, Some(&old)), Vec::<String>::new());
}

#[test]
fn immutable_data_of_an_internal_secret_stays() {
    let old = with(secret(), &[("/immutable", json!(true))]);
    let same = with(old.clone(), &[("/data", json!(null)), ("/stringData", json!({"a": "x"}))]);
    assert_eq!(told(&same, Some(&old)), Vec::<String>::new());
    let other = with(old.clone(), &[("/data/a", json!("eQ=="))]);
    assert_eq!(told(&other, Some(&old)), ["field/immutable Forbidden data"]);
    assert_eq!(told(&secret(), Some(&old)), ["field/immutable Forbidden immutable"]);
}

#[rstest]
#[case::used("b", &["backupbucket/delete-in-use Forbidden metadata.name"])]
#[case::unused("other", &[])]
fn bucket_with_entries_is_not_deleted(#[case] name: &str, #[case] expected: &[&str]) {
    let old = with(bucket(), &[("/metadata/name", json!(name))]);
    let mut request = asked(&json!(null), Some(&old), "DELETE");
    request["name"] = json!(name);
    assert_eq!(told_in(&garden(), &request), expected);
}

/// Returns the findings and `?` for each undetermined rule of a kind, with the objects of a change and no garden.
fn told_without_a_garden(new: &Value, objects: &[(Kind, Value)]) -> Vec<String> {
    let mut setup = garden();
    setup.garden = Snapshot::new(Knowledge::Nothing).asking_for_verbs();
    for (kind, object) in objects {
        let read = GardenObject::read(*kind, object.to_string().as_str());
        setup.garden.apply(read.unwrap().unwrap());
    }
    let review = setup.review_wholly(&asked(new, None, "CREATE"));
    let findings = review.findings.iter().filter(|it| it.level == Level::Deny);
    let findings = findings.map(|it| it.finding.to_owned());
    let undetermined = review.undetermined.iter().map(|it| format!("{}?", it.rule));
    findings.chain(undetermined).collect()
}

#[test]
fn objects_of_the_same_change_are_known_without_a_garden() {
    let metadata = json!({"name": "web", "namespace": "garden-p"});
    let shoot = |spec: Value| (Kind::Shoot, json!({"metadata": metadata, "spec": spec}));
    let bastion = with(bastion(), &[("/status", json!(null))]);
    let unknown = told_without_a_garden(&bastion, &[]);
    assert!(unknown.contains(&"bastion/shoot-unusable?".to_owned()), "{unknown:?}");
    let waiting = told_without_a_garden(&bastion, &[shoot(json!({}))]);
    // The stored Shoot may be on a Seed.
    assert!(waiting.contains(&"bastion/shoot-unusable?".to_owned()), "{waiting:?}");
    let worker = json!({"name": "a", "machine": {"type": "m"}, "minimum": 1, "maximum": 1});
    let ready = shoot(json!({"seedName": "s", "provider": {"workers": [worker]}}));
    let ready = told_without_a_garden(&bastion, &[ready]);
    assert!(!ready.iter().any(|it| it.starts_with("bastion/")), "{ready:?}");

    let robot = json!({
        "apiVersion": "security.gardener.cloud/v1alpha1", "kind": "WorkloadIdentity",
        "name": "robot", "namespace": "garden-p",
    });
    let bucket = with(bucket(), &[("/spec/credentialsRef", robot)]);
    let identity = |class: &str| {
        let spec = json!({"targetSystem": {"type": class}});
        let metadata = json!({"name": "robot", "namespace": "garden-p"});
        (Kind::WorkloadIdentity, json!({"metadata": metadata, "spec": spec}))
    };
    let unusable = "backupbucket/credentials-unusable".to_owned();
    assert!(told_without_a_garden(&bucket, &[identity("other")]).contains(&unusable));
    assert!(!told_without_a_garden(&bucket, &[identity("stub")]).contains(&unusable));
    assert!(!told_without_a_garden(&bucket, &[]).contains(&unusable));
}

#[rstest]
#[case::unnamed("mine", &[], true)]
#[case::named("x", &["x"], false)]
#[case::second("y", &["x", "y"], false)]
#[case::misspelt("xx", &["x"], true)]
fn unused_deployment_is_a_warning(
    #[case] name: &str,
    #[case] named: &[&str],
    #[case] is_unused: bool,
) {
    let mut setup = garden();
    setup.config.profile = garden_gate_core::config::Profile::Documented;
    let references: Vec<Value> = named.iter().map(|it| json!({"name": it})).collect();
    let registration = json!({
        "metadata": {"name": "own"}, "spec": {"deployment": {"deploymentRefs": references}},
    });
    let read = GardenObject::read(Kind::ControllerRegistration, registration.to_string().as_str());
    setup.garden.apply(read.unwrap().unwrap());
    let is_warned = |setup: &Setup, object: &Value, old: Option<&Value>| {
        let operation = if old.is_some() { "UPDATE" } else { "CREATE" };
        let review = setup.review_wholly(&asked(object, old, operation));
        let found = review.findings.iter().filter(|it| it.finding == "controllerdeployment/unused");
        found.inspect(|it| assert_eq!(it.level, Level::Warn)).count() == 1
    };
    for object in [deployment(), legacy()] {
        let object = with(object, &[("/metadata/name", json!(name))]);
        assert_eq!(is_warned(&setup, &object, None), is_unused);
        assert_eq!(is_warned(&setup, &object, Some(&object)), is_unused);
        let deleted = [("/metadata/deletionTimestamp", json!("2026-01-01T00:00:00Z"))];
        let deleted = with(object.clone(), &deleted);
        assert!(!is_warned(&setup, &deleted, Some(&deleted)));
        let mut unknown = garden();
        unknown.config = setup.config.clone();
        unknown.garden = Snapshot::new(Knowledge::Nothing).asking_for_verbs();
        assert!(!is_warned(&unknown, &object, None));
        unknown.garden = Snapshot::new(Knowledge::Everything).asking_for_verbs();
        assert!(!is_warned(&unknown, &object, None));
        let key = ObjectKey::named(Kind::ControllerRegistration, "broken");
        unknown.garden = setup.garden.clone();
        unknown.garden.apply(GardenObject::Unreadable(key, "why".to_owned()));
        assert!(!is_warned(&unknown, &object, None));
    }
}

#[test]
fn namespace_of_a_new_object_exists() {
    let new = with(entry(), &[("/metadata/namespace", json!("gone"))]);
    let mut request = asked(&new, None, "CREATE");
    request["namespace"] = json!("gone");
    let expected = ["object/namespace-missing NotFound metadata.namespace"];
    assert_eq!(told_in(&garden(), &request), expected);
    let mut unknown = garden();
    unknown.garden = Snapshot::new(Knowledge::Everything);
    assert_eq!(told_in(&unknown, &request), ["backup/seed-missing Forbidden spec.seedName"]);
}

#[test]
fn heartbeat_of_a_bastion_is_not_in_the_future() {
    let new =
        with(bastion(), &[("/status", json!({"lastHeartbeatTimestamp": "2099-01-01T00:00:00Z"}))]);
    let mut request = asked(&new, Some(&bastion()), "UPDATE");
    request["subResource"] = json!("status");
    let expected = ["field/out-of-range Invalid status.lastHeartbeatTimestamp"];
    assert_eq!(told_in(&garden(), &request), expected);
}
