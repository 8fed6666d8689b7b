// SPDX-License-Identifier: Apache-2.0
//! Static validation that an API server performs before it calls webhooks, and that only `review` judges.

use garden_gate_core::admission::{Case, EntryPoint, EntryPoints, Request, Rule, World};
use garden_gate_core::config::ServerAdmission;
use garden_gate_core::garden::GardenObject;
use garden_gate_core::rules;
use rstest::rstest;
use serde_json::{Value, json};

use crate::judging::{Setup, request};

fn shoot() -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": {"name": "web", "namespace": "garden-p"},
        "spec": {
            "cloudProfile": {"name": "c"},
            "region": "eu",
            "credentialsBindingName": "b",
            "kubernetes": {"version": "1.34.7"},
            "networking": {"type": "calico"},
            "provider": {"type": "stub", "workers": [{
                "name": "pool", "minimum": 1, "maximum": 2, "maxSurge": 1,
                "machine": {"type": "m", "image": {"name": "i", "version": "1.0.0"}},
                "volume": {"size": "50Gi"},
            }]},
        },
    })
}

fn with(pointer: &str, value: Value) -> Value {
    let mut object = shoot();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    object.pointer_mut(parent).unwrap()[name] = value;
    object
}

/// Returns findings of rules that run in `review` only, as `finding@field`.
fn told(object: &Value) -> Vec<String> {
    told_of(&request("shoots", "CREATE", object, None))
}

fn told_of(request: &Value) -> Vec<String> {
    let review = Setup::with_project(None).review_wholly(request);
    let of_review =
        |rule: &str| rules::find(rule).is_some_and(|it| it.entry_points != EntryPoints::All);
    let findings = review.findings.iter().filter(|it| of_review(it.rule));
    let told = findings.map(|it| format!("{}@{}", it.finding, it.field));
    told.collect()
}

#[test]
fn nothing_is_said_about_a_plain_shoot() {
    assert_eq!(told(&shoot()), Vec::<String>::new());
}

fn project(spec: &Value) -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Project",
        "metadata": {"name": "team"},
        "spec": spec,
    })
}

#[test]
fn who_creates_a_project_is_judged_once_it_is_stored() {
    let new = project(&json!({"createdBy": {}}));
    assert!(told_of(&request("projects", "CREATE", &new, None)).is_empty());
    let told = told_of(&request("projects", "UPDATE", &new, Some(&new)));
    assert!(told.contains(&"field/missing@spec.createdBy.name".to_owned()), "{told:?}");
}

#[rstest]
#[case::another("alice", true)]
#[case::this_one("bob", false)]
fn an_owner_who_is_no_member_becomes_one(#[case] owner: &str, #[case] is_second: bool) {
    let new = project(&json!({
        "owner": {"kind": "User", "name": owner},
        "members": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "bob", "role": "owner"}],
    }));
    let told = told_of(&request("projects", "CREATE", &new, None));
    let expected = "project/two-owners@spec.members[1].roles[1]".to_owned();
    assert_eq!(told.contains(&expected), is_second, "{told:?}");
}

/// The name becomes a part of the name of a ClusterRole.
#[rstest]
#[case::name("extension:auditor", false)]
#[case::dot("extension:.", true)]
#[case::two_dots("extension:..", true)]
#[case::slash("extension:a/b", true)]
fn role_of_an_extension_is_a_path_segment(#[case] role: &str, #[case] is_refused: bool) {
    let member = |name: &str, role: &str| json!({"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": name, "role": role});
    let new = project(&json!({
        "owner": {"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "bob"},
        "members": [member("bob", "owner"), member("carol", role)],
    }));
    let told = told_of(&request("projects", "CREATE", &new, None));
    let is_found = told.iter().any(|it| it.starts_with("field/malformed@spec.members[1]"));
    assert_eq!(is_found, is_refused, "{told:?}");
}

#[rstest]
#[case::binding("/spec/secretBindingName", "spec.secretBindingName")]
#[case::profile("/spec/cloudProfileName", "spec.cloudProfileName")]
fn a_field_that_its_version_forbids_is_refused(#[case] pointer: &str, #[case] field: &str) {
    let told = told(&with(pointer, json!("a")));
    assert!(told.contains(&format!("field/removed@{field}")), "{told:?}");
}

#[rstest]
#[case::eviction(
    "kubeControllerManager",
    json!({"podEvictionTimeout": "1m"}),
    "kubeControllerManager.podEvictionTimeout"
)]
#[case::bulk_delete(
    "clusterAutoscaler",
    json!({"maxEmptyBulkDelete": 1}),
    "clusterAutoscaler.maxEmptyBulkDelete"
)]
fn the_version_below_does_not_forbid_it(
    #[case] component: &str,
    #[case] value: Value,
    #[case] field: &str,
) {
    let mut object = with(&format!("/spec/kubernetes/{component}"), value);
    let expected = format!("field/removed@spec.kubernetes.{field}");
    assert!(told(&object).contains(&expected));
    object["spec"]["kubernetes"]["version"] = json!("1.32.5");
    assert!(!told(&object).contains(&expected));
}

#[rstest]
#[case::two_hyphens("/metadata/name", json!("a--b"), "shoot/name-with-two-hyphens@metadata.name")]
#[case::upper_case("/metadata/name", json!("Web"), "field/malformed@metadata.name")]
#[case::long("/metadata/name", json!("a-name-that-is-too-long"), "shoot/name-too-long@name")]
#[case::label("/metadata/labels", json!({"a b": "c"}), "field/malformed@metadata.labels")]
#[case::region("/spec/region", json!(""), "field/missing@spec.region")]
#[case::no_binding("/spec/credentialsBindingName", json!(null), "shoot/no-binding@spec.secretBindingName")]
#[case::no_profile("/spec/cloudProfile", json!(null), "shoot/no-profile@spec.cloudProfile.name")]
#[case::tolerance(
    "/spec/controlPlane",
    json!({"highAvailability": {"failureTolerance": {"type": "region"}}}),
    "field/unsupported-value@spec.controlPlane.highAvailability.failureTolerance.type"
)]
#[case::network_type("/spec/networking/type", json!(""), "field/missing@spec.networking.type")]
#[case::range("/spec/networking/pods", json!("100.96.0.1/11"), "shoot/range-not-canonical@spec.networking.pods")]
#[case::range_of_other_family("/spec/networking/pods", json!("fd00::/48"), "shoot/range-of-other-family@spec.networking.pods")]
#[case::range_with_leading_zero("/spec/networking/pods", json!("010.241.128.0/17"), "field/malformed@spec.networking.pods")]
#[case::pool_name(
    "/spec/provider/workers/0/name",
    json!("a-pool-of-many-machines"),
    "field/too-long@spec.provider.workers[0].name"
)]
#[case::size("/spec/provider/workers/0/volume/size", json!("50G"), "field/malformed@spec.provider.workers[0].volume.size")]
#[case::maximum("/spec/provider/workers/0/minimum", json!(3), "shoot/pool-maximum-below-minimum@spec.provider.workers[0].maximum")]
#[case::autoscaler(
    "/spec/provider/workers/0/clusterAutoscaler",
    json!({"scaleDownUtilizationThreshold": 2.0}),
    "field/out-of-range@spec.provider.workers[0].autoscaler.scaleDownUtilizationThreshold"
)]
#[case::kubelet(
    "/spec/kubernetes/kubelet",
    json!({"podPidsLimit": 10}),
    "field/out-of-range@spec.kubernetes.kubelet.podPIDsLimit"
)]
#[case::eviction(
    "/spec/kubernetes/kubelet",
    json!({"evictionHard": {"memoryAvailable": "120%"}}),
    "field/malformed@spec.kubernetes.kubelet.evictionHard.memoryAvailable"
)]
#[case::window(
    "/spec/maintenance",
    json!({"timeWindow": {"begin": "220000+0100", "end": "221000+0100"}}),
    "shoot/maintenance-window-length@spec.maintenance.timeWindow"
)]
#[case::window_that_cannot_be_parsed(
    "/spec/maintenance",
    json!({"timeWindow": {"begin": "220000+0100", "end": "230000"}}),
    "shoot/maintenance-window-malformed@spec.maintenance.timeWindow.begin/end"
)]
#[case::rotation_too_often(
    "/spec/maintenance",
    json!({"autoRotation": {"credentials": {"observability": {"rotationPeriod": "29m59s"}}}}),
    "field/out-of-range@spec.maintenance.autoRotation.credentials.observability.rotationPeriod"
)]
#[case::rotation_too_rarely(
    "/spec/maintenance",
    json!({"autoRotation": {"credentials": {"etcdEncryptionKey": {"rotationPeriod": "2160h0m1s"}}}}),
    "field/out-of-range@spec.maintenance.autoRotation.credentials.etcdEncryptionKey.rotationPeriod"
)]
#[case::suffix_without_dot(
    "/spec/systemComponents",
    json!({"coreDNS": {"rewriting": {"commonSuffixes": [".io"]}}}),
    "field/malformed@spec.systemComponents.coreDNS.rewriting.commonSuffixes[0]"
)]
#[case::suffix_in_upper_case(
    "/spec/systemComponents",
    json!({"coreDNS": {"rewriting": {"commonSuffixes": ["A.io"]}}}),
    "field/malformed@spec.systemComponents.coreDNS.rewriting.commonSuffixes[0]"
)]
#[case::suffix_twice(
    "/spec/systemComponents",
    json!({"coreDNS": {"rewriting": {"commonSuffixes": ["a.io", ".a.io"]}}}),
    "field/repeated@spec.systemComponents.coreDNS.rewriting.commonSuffixes[1]"
)]
#[case::token_lifetime(
    "/spec/kubernetes/kubeAPIServer",
    json!({"serviceAccountConfig": {"maxTokenExpiration": "719h"}}),
    "field/out-of-range@spec.kubernetes.kubeAPIServer.serviceAccountConfig.maxTokenExpiration"
)]
#[case::key_of_aesgcm_that_is_not_rotated(
    "/spec",
    {
        let mut spec = shoot()["spec"].clone();
        spec["kubernetes"]["kubeAPIServer"] = json!({"encryptionConfig": {"provider": {"type": "aesgcm"}, "resources": []}});
        spec["maintenance"] = json!({"autoRotation": {"credentials": {"etcdEncryptionKey": {"rotationPeriod": "0s"}}}});
        spec
    },
    "field/unfitting@spec.kubernetes.kubeAPIServer.encryptionConfig.provider.type"
)]
#[case::extension("/spec/extensions", json!([{"type": "a"}, {"type": "a"}]), "field/repeated@spec.extensions[1].type")]
#[case::provider("/spec/dns", json!({"providers": [{"type": "a"}]}), "field/missing@spec.dns.providers[0].credentialsRef")]
#[case::requests(
    "/spec/kubernetes/kubeAPIServer",
    json!({"requests": {"maxMutatingInflight": 3000}}),
    "field/out-of-range@spec.kubernetes.kubeAPIServer.requests.maxMutatingInflight"
)]
#[case::expander(
    "/spec/kubernetes/clusterAutoscaler",
    json!({"expander": "Random"}),
    "field/unsupported-value@spec.kubernetes.clusterAutoscaler.expander"
)]
#[case::no_pool_for_the_system(
    "/spec/provider/workers/0/systemComponents",
    json!({"allow": false}),
    "shoot/no-pool-for-system-components@spec.provider.workers"
)]
#[case::system_components_of_which_nothing_is_said(
    "/spec/provider/workers/0/systemComponents",
    json!({}),
    "shoot/no-pool-for-system-components@spec.provider.workers"
)]
#[case::issuer(
    "/spec/kubernetes/kubeAPIServer",
    json!({"serviceAccountConfig": {"issuer": "https://a.io:https"}}),
    "shoot/issuer-malformed@spec.kubernetes.kubeAPIServer.serviceAccountConfig.issuer"
)]
#[case::accepted_issuer(
    "/spec/kubernetes/kubeAPIServer",
    json!({"serviceAccountConfig": {"issuer": "https://a.io/x y", "acceptedIssuers": ["HTTPS://a.io", "https://a.io/%zz"]}}),
    "shoot/issuer-malformed@spec.kubernetes.kubeAPIServer.serviceAccountConfig.acceptedIssuers[1]"
)]
fn what_does_not_fit_its_field_is_refused(
    #[case] pointer: &str,
    #[case] value: Value,
    #[case] expected: &str,
) {
    let told = told(&with(pointer, value));
    assert!(told.iter().any(|it| it == expected), "{told:?}");
}

#[rstest]
#[case::window_of_six_hours_in_two_offsets("/spec/maintenance", json!({"timeWindow": {"begin": "220000-0100", "end": "055959.9+0060"}}))]
#[case::rotation("/spec/maintenance", json!({"autoRotation": {"credentials": {
    "observability": {"rotationPeriod": "30m"}, "etcdEncryptionKey": {"rotationPeriod": "2160h"}, "sshKeypair": {"rotationPeriod": "0s"}}}}))]
#[case::suffixes("/spec/systemComponents", json!({"coreDNS": {"rewriting": {"commonSuffixes": [".a.io", "b.io."]}}}))]
#[case::as_many_nodes_as_allowed("/spec/provider/workers/0/minimum", json!(2))]
#[case::token_lifetime("/spec/kubernetes/kubeAPIServer", json!({"serviceAccountConfig": {"maxTokenExpiration": "720h"}}))]
#[case::no_token_lifetime("/spec/kubernetes/kubeAPIServer", json!({"serviceAccountConfig": {"maxTokenExpiration": "0s"}}))]
#[case::key_of_aesgcm("/spec/kubernetes/kubeAPIServer", json!({"encryptionConfig": {"provider": {"type": "aesgcm"}, "resources": []}}))]
fn what_fits_its_field_is_allowed(#[case] pointer: &str, #[case] value: Value) {
    assert_eq!(told(&with(pointer, value)), [""; 0]);
}

/// Kubernetes checks a prefix beside a name, too.
#[rstest]
#[case::of_the_name("web-", true)]
#[case::hyphens("--", true)]
#[case::one_hyphen("-", false)]
#[case::upper_case("Web-", false)]
#[case::end("web.-", true)]
#[case::dot("web.", false)]
fn prefix_beside_a_name_is_checked(#[case] prefix: &str, #[case] is_allowed: bool) {
    let object = with("/metadata/generateName", json!(prefix));
    let refused = told(&object).iter().any(|it| it == "field/malformed@metadata.generateName");
    assert_eq!(refused, !is_allowed);
}

/// Gardener sets the rotation of new Shoots only.
#[rstest]
#[case::omitted(json!({}), true)]
#[case::credentials(json!({"autoRotation": {"credentials": {}}}), true)]
#[case::null(json!({"autoRotation": {"credentials": {"etcdEncryptionKey": null}}}), true)]
#[case::without_a_period(json!({"autoRotation": {"credentials": {"etcdEncryptionKey": {}}}}), false)]
#[case::set(json!({"autoRotation": {"credentials": {"etcdEncryptionKey": {"rotationPeriod": "1h"}}}}), true)]
fn only_new_shoots_rotate_their_key_by_default(
    #[case] maintenance: Value,
    #[case] is_created: bool,
) {
    let mut object = with("/spec/maintenance", maintenance);
    let is_set = object
        .pointer("/spec/maintenance/autoRotation/credentials/etcdEncryptionKey/rotationPeriod")
        .is_some();
    object["spec"]["kubernetes"]["kubeAPIServer"] =
        json!({"encryptionConfig": {"provider": {"type": "aesgcm"}, "resources": []}});
    let refused = "field/unfitting@spec.kubernetes.kubeAPIServer.encryptionConfig.provider.type";
    let is_refused = |told: Vec<String>| told.iter().any(|it| it == refused);
    assert_eq!(is_refused(told(&object)), !is_created);
    let mut old = object.clone();
    old["spec"]["purpose"] = json!("testing");
    let update = request("shoots", "UPDATE", &object, Some(&old));
    assert_eq!(is_refused(told_of(&update)), !is_set);
}

#[rstest]
#[case::all_are_listed(20, false)]
#[case::one_is_not_listed(21, true)]
fn unknown_fields_that_are_not_listed_are_counted(#[case] count: usize, #[case] expected: bool) {
    let mut object = shoot();
    for index in 0..count {
        object["spec"][format!("unknown{index}")] = json!(1);
    }
    let told = told(&object);
    let is_counted = told.iter().any(|it| it == "object/unknown-field@");
    assert_eq!(is_counted, expected, "{told:?}");
}

#[test]
fn very_long_name_of_an_unknown_field_is_not_part_of_the_path() {
    let mut object = shoot();
    object["spec"]["x".repeat(1000)] = json!(1);
    let told = told(&object);
    assert!(told.contains(&"object/unknown-field@spec".to_owned()), "{told:?}");
}

#[test]
fn a_shoot_without_workers_has_nothing_for_nodes() {
    let mut object = with("/spec/provider", json!({"type": "stub"}));
    object["spec"]["networking"] = json!({"type": "calico", "services": "10.0.0.0/16"});
    object["spec"]["kubernetes"]["kubelet"] = json!({});
    let told = told(&object);
    for expected in [
        "field/unfitting@spec.networking.type",
        "field/unfitting@spec.kubernetes.kubelet",
        "shoot/binding-without-workers@spec.credentialsBindingName",
    ] {
        assert!(told.iter().any(|it| it == expected), "{expected}: {told:?}");
    }
}

#[test]
fn a_project_that_is_being_deleted_gets_no_shoots() {
    let mut setup = Setup::with_project(None);
    let project: garden_gate_model::api::Project = serde_json::from_value(json!({
        "metadata": {"name": "p", "deletionTimestamp": "2026-01-01T00:00:00Z"},
        "spec": {"namespace": "garden-p"},
    }))
    .unwrap();
    setup.garden.apply(GardenObject::from(project));
    let review = setup.review_wholly(&request("shoots", "CREATE", &shoot(), None));
    let found: Vec<_> = review.findings.iter().map(|it| it.finding).collect();
    assert!(found.contains(&"shoot/project-deleting"), "{found:?}");
}

/// At the entry points of the server, an object with all of these errors costs no more than before.
#[rstest]
fn a_server_runs_none_of_these_rules(
    #[values(EntryPoint::Validate, EntryPoint::Mutate)] entry_point: EntryPoint,
    #[values(ServerAdmission::Webhook, ServerAdmission::Complete)] admission: ServerAdmission,
) {
    let mut setup = Setup::with_project(None);
    setup.config.admission = admission;
    let is_of_review = |it: &&&Rule| match it.entry_points {
        EntryPoints::Review => true,
        EntryPoints::Plugin => admission == ServerAdmission::Webhook,
        _ => false,
    };
    let of_review = rules::ALL.iter().filter(is_of_review);
    assert!(of_review.clone().count() > 40);
    assert!(of_review.clone().all(|it| !it.runs_at(entry_point, &setup.config)));
    let mut object = with("/metadata/name", json!("a--B"));
    object["spec"]["region"] = json!("");
    let mut asked = request("shoots", "CREATE", &object, None);
    asked["uid"] = json!("u");
    let review =
        json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": asked});
    let body = review.to_string();
    let asked = Request::from_review(body.as_bytes()).unwrap();
    let world = World {
        rules: rules::ALL.into(),
        garden: &setup.garden,
        config: &setup.config,
        now: setup.now.parse().unwrap(),
    };
    let answer = Case::decide(entry_point, &asked, &world, |_, _| {});
    let ids: Vec<_> = of_review.map(|it| it.id).collect();
    assert!(answer.findings.iter().all(|it| !ids.contains(&it.rule)));
}

#[rstest]
#[case::kept(json!(["gardener", "example.com/a"]), true, &[])]
#[case::fewer(json!(["gardener"]), true, &[])]
#[case::another(json!(["gardener", "example.com/b"]), true, &["object/finalizer-added@metadata.finalizers"])]
#[case::of_one_that_stays(json!(["gardener", "example.com/b"]), false, &[])]
fn what_is_on_its_way_out_gets_no_finalizers(
    #[case] finalizers: Value,
    #[case] goes: bool,
    #[case] expected: &[&str],
) {
    let mut old = with("/metadata/finalizers", json!(["gardener", "example.com/a"]));
    if goes {
        old["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
    }
    let mut new = old.clone();
    new["metadata"]["finalizers"] = finalizers;
    assert_eq!(told_of(&request("shoots", "UPDATE", &new, Some(&old))), expected);
}

#[test]
fn settings_of_the_ingress_controller_have_a_size() {
    let mut shoot = with("/spec/kubernetes/version", json!("1.34.7"));
    shoot["spec"]["purpose"] = json!("evaluation");
    for (size, expected) in
        [(512, None), (513, Some("field/too-long@spec.addons.nginxIngress.config"))]
    {
        let value = "x".repeat(size * 1024);
        let config = json!({"a": value, "b": "x".repeat(512 * 1024)});
        shoot["spec"]["addons"] = json!({"nginxIngress": {"enabled": true, "config": config}});
        let told = told(&shoot).into_iter();
        let told: Vec<_> = told.filter(|it| !it.starts_with("shoot/warn")).collect();
        assert_eq!(told, expected.into_iter().collect::<Vec<_>>());
    }
}

#[rstest]
#[case::name("keep-alive", true)]
#[case::all_characters("A.b_9", true)]
#[case::longest(&"k".repeat(253), true)]
#[case::too_long(&"k".repeat(254), false)]
#[case::empty("", false)]
#[case::dot(".", false)]
#[case::two_dots("..a", false)]
#[case::space("a b", false)]
fn keys_of_settings_of_the_ingress_controller(#[case] key: &str, #[case] is_allowed: bool) {
    let mut shoot = with("/spec/purpose", json!("evaluation"));
    shoot["spec"]["addons"] = json!({"nginxIngress": {"enabled": true, "config": {key: "x"}}});
    let told = told(&shoot);
    let is_refused =
        told.iter().any(|it| it.starts_with("field/malformed@spec.addons.nginxIngress.config"));
    assert_eq!(is_refused, !is_allowed, "{told:?}");
}

/// Gardener does not validate accepted issuers that are stored already.
#[rstest]
#[case::kept(json!({"acceptedIssuers": ["http://a.io"]}), json!({"acceptedIssuers": ["http://a.io"]}), false)]
#[case::another(json!({"acceptedIssuers": ["http://a.io"]}), json!({"acceptedIssuers": ["http://b.io"]}), true)]
#[case::one_more(json!({"acceptedIssuers": ["http://a.io"]}), json!({"acceptedIssuers": ["http://a.io", "https://b.io"]}), true)]
#[case::new(json!(null), json!({"acceptedIssuers": ["http://a.io"]}), true)]
fn accepted_issuers_that_are_stored_are_kept(
    #[case] old: Value,
    #[case] new: Value,
    #[case] is_refused: bool,
) {
    let [old, new] = [old, new]
        .map(|it| with("/spec/kubernetes/kubeAPIServer", json!({"serviceAccountConfig": it})));
    let told = told_of(&request("shoots", "UPDATE", &new, Some(&old)));
    let is_found = told.iter().any(|it| it.starts_with("shoot/issuer-malformed@"));
    assert_eq!(is_found, is_refused, "{told:?}");
}

const TOO_FEW: &str =
    "shoot/too-few-addresses-per-node@spec.kubernetes.kubeControllerManager.nodeCIDRMaskSize";
const NO_SIZE: &str = "field/out-of-range@spec.kubernetes.kubeControllerManager.nodeCIDRMaskSize";

#[rstest]
#[case::usual(&["IPv4"], None, None, &[])]
#[case::default_size_too_large(&["IPv4"], None, Some(4), &[NO_SIZE])]
#[case::largest_default_size(&["IPv4"], None, Some(5), &[])]
#[case::smallest_default_size(&["IPv4"], None, Some(32_768), &[])]
#[case::default_size_too_small(&["IPv4"], None, Some(32_769), &[NO_SIZE])]
#[case::default_size_overflows(&["IPv4"], None, Some(1 << 30), &[NO_SIZE, TOO_FEW])]
#[case::default_size_of_both_overflows(&["IPv4", "IPv6"], None, Some(1 << 30), &[TOO_FEW])]
#[case::bits_overflow(&["IPv4", "IPv6"], Some(-2_147_483_616), None, &[TOO_FEW])]
#[case::least_number(&["IPv4", "IPv6"], Some(i32::MIN), None, &[TOO_FEW])]
#[case::greatest_number(&["IPv4", "IPv6"], Some(i32::MAX), None, &[TOO_FEW])]
#[case::negative_without_overflow(&["IPv4", "IPv6"], Some(-1_000), None, &[])]
#[case::as_many_as_fit(&["IPv4"], Some(24), Some(254), &[])]
#[case::one_more(&["IPv4"], Some(24), Some(255), &[TOO_FEW])]
#[case::ipv6(&["IPv6"], Some(121), Some(126), &[])]
#[case::ipv6_one_more(&["IPv6"], Some(121), Some(127), &[TOO_FEW])]
#[case::most_pods(&["IPv6"], Some(64), Some(i32::MAX), &[])]
fn node_mask_size_computed_as_gardener(
    #[case] families: &[&str],
    #[case] size: Option<i32>,
    #[case] pods: Option<i32>,
    #[case] expected: &[&str],
) {
    let mut object = shoot();
    let spec = &mut object["spec"];
    spec["networking"]["ipFamilies"] = json!(families);
    spec["kubernetes"]["kubeControllerManager"] = json!({"nodeCIDRMaskSize": size});
    spec["kubernetes"]["kubelet"] = json!({"maxPods": pods});
    assert_eq!(told(&object), expected);
}

/// Gardener replaces the labels of extensions before it validates an object.
#[rstest]
fn malformed_extension_label_allowed_in_every_write(
    #[values("CREATE", "UPDATE", "status", "binding")] write: &str,
    #[values(
        "provider.extensions.gardener.cloud/a b",
        "containerruntime.extensions.gardener.cloud/"
    )]
    label: &str,
) {
    let asked = |label: &str| {
        let new = with("/metadata/labels", json!({label: "c"}));
        let old = shoot();
        match write {
            "CREATE" => request("shoots", write, &new, None),
            "UPDATE" => request("shoots", write, &new, Some(&old)),
            _ => {
                let mut request = request("shoots", "UPDATE", &new, Some(&old));
                request["subResource"] = json!(write);
                request
            }
        }
    };
    assert_eq!(told_of(&asked(label)), Vec::<String>::new());
    for kept in ["a b", "name.seed.gardener.cloud/a b"] {
        assert_eq!(told_of(&asked(kept)), ["field/malformed@metadata.labels"]);
    }
}

#[rstest]
#[case::null(json!(null), &["shoot/too-little-for-component@spec.kubernetes.etcd.main.autoscaling.minAllowed.memory"])]
#[case::less(json!("299M"), &["shoot/too-little-for-component@spec.kubernetes.etcd.main.autoscaling.minAllowed.memory"])]
#[case::least(json!("300M"), &[])]
fn null_amount_is_zero(#[case] memory: Value, #[case] expected: &[&str]) {
    let etcd = json!({"main": {"autoscaling": {"minAllowed": {"cpu": null, "memory": memory}}}});
    assert_eq!(told(&with("/spec/kubernetes/etcd", etcd)), expected);
}

#[test]
fn null_in_a_list_of_strings_is_an_empty_string() {
    let monitoring = json!({"alerting": {"emailReceivers": ["a@example.com", null]}});
    let expected = "field/malformed@spec.monitoring.alerting.emailReceivers[1]";
    assert_eq!(told(&with("/spec/monitoring", monitoring)), [expected]);
    let server = json!({"serviceAccountConfig": {"acceptedIssuers": ["https://a.io", null]}});
    let expected = "shoot/issuer-malformed@spec.kubernetes.kubeAPIServer.serviceAccountConfig.acceptedIssuers[1]";
    assert_eq!(told(&with("/spec/kubernetes/kubeAPIServer", server)), [expected]);
}

/// A setting has at most 4086 bytes, and each part between dots 255.
#[rstest]
#[case::longest_part(format!("net.{}", "a".repeat(255)), false)]
#[case::too_long_part(format!("net.{}", "a".repeat(256)), true)]
#[case::longest(format!("{}.", "a".repeat(254)).repeat(16) + &"a".repeat(6), false)]
#[case::too_long(format!("{}.", "a".repeat(254)).repeat(16) + &"a".repeat(7), true)]
fn length_of_a_kernel_setting(#[case] setting: String, #[case] is_refused: bool) {
    let sysctls = json!({ setting: "1" });
    let told = told(&with("/spec/provider/workers/0/sysctls", sysctls));
    assert_eq!(!told.is_empty(), is_refused, "{told:?}");
}
