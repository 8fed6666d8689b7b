// SPDX-License-Identifier: Apache-2.0
//! The frame of rules for extensions: the version, whether a component is registered, and decoding.

use garden_gate_core::admission::{Case, EntryPoint, Request, Review, Verdict, World};
use garden_gate_core::config::{Config, ExtensionSettings, Level};
use garden_gate_core::garden::{Knowledge, ObjectKey, Snapshot, read_with_configuration};
use garden_gate_core::rules;
use garden_gate_model::api::Kind;
use garden_gate_model::api::extensions::{EXTENSIONS, ExtensionVersion};
use garden_gate_products::audit::Auditor;
use garden_gate_products::forecast::dry_run;
use rstest::rstest;
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

use crate::judging::{Setup, request};

/// The webhook configurations of a garden.
#[derive(Clone, Copy)]
enum Told {
    /// Nothing.
    Nothing,
    /// Webhook configurations of other components.
    Others,
    /// The webhook configuration of cilium's admission component, under its usual name.
    ByName,
    /// The same under another name.
    ByLabel,
}

fn garden(told: Told) -> Snapshot {
    let mut garden = Snapshot::new(Knowledge::Everything);
    let project = json!({"metadata": {"name": "p"}, "spec": {"namespace": "garden-p"}});
    apply(&mut garden, Kind::Project, &project);
    let configuration = |name: &str, label: &str| {
        json!({"metadata": {"name": name}, "webhooks": [{"name": "validator",
            "objectSelector": {"matchLabels": {label: "true"}}}]})
    };
    let label = "networking.extensions.gardener.cloud/cilium";
    let found = match told {
        Told::Nothing => return garden,
        Told::Others => configuration("others", "other"),
        Told::ByName => configuration("gardener-extension-admission-cilium", "other"),
        Told::ByLabel => configuration("mine", label),
    };
    apply(&mut garden, Kind::ValidatingWebhookConfiguration, &found);
    garden
}

fn apply(garden: &mut Snapshot, kind: Kind, object: &Value) {
    let object = read_with_configuration(kind, object.to_string().as_str());
    garden.apply(object.unwrap().unwrap());
}

/// Adds cilium's registration, and its deployment with a version.
fn deploy(garden: &mut Snapshot, version: &str) {
    let registration = json!({"metadata": {"name": "networking-cilium"}, "spec": {
        "deployment": {"deploymentRefs": [{"name": "networking-cilium"}]},
        "resources": [{"kind": "Network", "type": "cilium"}]}});
    apply(garden, Kind::ControllerRegistration, &registration);
    let deployment = json!({"metadata": {"name": "networking-cilium"}, "helm": {"values": {"image": {"tag": version}}}});
    apply(garden, Kind::ControllerDeployment, &deployment);
}

fn shoot(network: &str, config: &Value) -> Value {
    json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
        "metadata": {"name": "web", "namespace": "garden-p"},
        "spec": {"cloudProfile": {"name": "c"}, "region": "eu", "kubernetes": {"version": "1.31.4"},
            "networking": {"type": network, "providerConfig": config},
            "provider": {"type": "stratus", "workers": [{"name": "pool", "minimum": 1, "maximum": 2,
                "machine": {"type": "m", "image": {"name": "i", "version": "1.0.0"}}}]}}})
}

/// Judges a new Shoot with the rules for extensions.
fn review(garden: &Snapshot, config: &Config, object: &Value) -> Review {
    review_of("shoots", garden, config, object)
}

fn review_of(plural: &str, garden: &Snapshot, config: &Config, object: &Value) -> Review {
    let setup =
        Setup { config: config.clone(), garden: garden.clone(), ..Setup::with_project(None) };
    let own: Vec<_> =
        rules::ALL.iter().copied().filter(|it| it.file.contains("/extensions/")).collect();
    setup.review_with(&own, &request(plural, "CREATE", object, None))
}

fn told(review: &Review) -> Vec<String> {
    let found =
        review.findings.iter().map(|it| format!("{:?} {} {}", it.level, it.finding, it.pointer));
    let unknown =
        review.undetermined.iter().map(|it| format!("{:?} undetermined {}", it.level, it.field));
    found.chain(unknown).collect()
}

const TUNNEL: &str = "/spec/networking/providerConfig/tunnel";

#[rstest]
#[case::unknown(Told::Nothing, None, Level::Warn)]
#[case::missing(Told::Others, None, Level::Warn)]
#[case::named(Told::ByName, None, Level::Deny)]
#[case::labelled(Told::ByLabel, None, Level::Deny)]
#[case::set(Told::Nothing, Some(true), Level::Deny)]
#[case::unset(Told::ByName, Some(false), Level::Warn)]
fn findings_deny_only_if_the_component_is_registered(
    #[case] told_of: Told,
    #[case] admission: Option<bool>,
    #[case] level: Level,
) {
    let mut config = Config::default();
    let version = None;
    let settings = ExtensionSettings { version, admission, ..ExtensionSettings::default() };
    config.extensions.insert("cilium", settings);
    let review = review(&garden(told_of), &config, &shoot("cilium", &json!({"tunnel": "x"})));
    assert_eq!(told(&review), [format!("{level:?} cilium/invalid {TUNNEL}")]);
    let help = &review.findings[0].help;
    assert_eq!(help.contains("only a warning: "), level == Level::Warn, "{help}");
}

#[rstest]
#[case::newest(None, None, &[])]
#[case::deployed("v1.45.0", None, &["Deny cilium/undecodable /spec/networking/providerConfig/encryption"])]
#[case::configured("v1.49.0", ExtensionVersion::new(1, 45), &["Deny cilium/undecodable /spec/networking/providerConfig/encryption"])]
#[case::unreadable("latest", None, &[])]
#[case::too_old("v1.20.0", None, &[])]
fn fields_are_those_of_the_extension_in_the_landscape(
    #[case] deployed: impl Into<Option<&'static str>>,
    #[case] configured: impl Into<Option<ExtensionVersion>>,
    #[case] expected: &[&str],
) {
    let (mut garden, mut config) = (garden(Told::ByName), Config::default());
    if let Some(version) = deployed.into() {
        deploy(&mut garden, version);
    }
    let settings = ExtensionSettings { version: configured.into(), ..ExtensionSettings::default() };
    config.extensions.insert("cilium", settings);
    let encryption = json!({"encryption": {"enabled": true, "mode": "wireguard"}});
    let review = review(&garden, &config, &shoot("cilium", &encryption));
    assert_eq!(told(&review), expected);
}

#[test]
fn unknown_fields_of_a_newer_version_are_undetermined() {
    let mut garden = garden(Told::ByName);
    deploy(&mut garden, "v1.99.0");
    let object = shoot("cilium", &json!({"fancy": true, "tunnel": "x"}));
    let review = review(&garden, &Config::default(), &object);
    let expected = [
        format!("Deny cilium/invalid {TUNNEL}"),
        "Deny undetermined spec.networking.providerConfig.fancy".to_owned(),
    ];
    assert_eq!(told(&review), expected);
}

#[test]
fn a_configuration_of_another_extension_is_named() {
    let config = json!({"apiVersion": "azure.provider.extensions.gardener.cloud/v1alpha1"});
    let review = review(&garden(Told::ByName), &Config::default(), &shoot("cilium", &config));
    let message = &review.findings[0].message;
    assert!(message.contains("but of `azure`"), "{message}");
}

/// The parent chooses the extension.
#[test]
fn configuration_of_a_namespaced_cloud_profile_is_decoded() {
    let mut garden = garden(Told::Nothing);
    let parent = json!({"metadata": {"name": "c"}, "spec": {"type": "gcp"}});
    apply(&mut garden, Kind::CloudProfile, &parent);
    let object = json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "NamespacedCloudProfile",
        "metadata": {"name": "n", "namespace": "garden-p"},
        "spec": {"parent": {"kind": "CloudProfile", "name": "c"}, "providerConfig": {
            "apiVersion": "gcp.provider.extensions.gardener.cloud/v1alpha1", "kind": "CloudProfileConfig", "image": []}}});
    let review = review_of("namespacedcloudprofiles", &garden, &Config::default(), &object);
    let expected = "Warn gcp/profile-undecodable /spec/providerConfig/image";
    assert_eq!(told(&review), [expected]);
}

#[test]
fn similar_fields_are_suggested() {
    let config = json!({"tunel": "vxlan"});
    let review = review(&garden(Told::ByName), &Config::default(), &shoot("cilium", &config));
    assert_eq!(review.findings[0].help, "did you mean `tunnel`?");
}

/// An empty method of an IP family is allowed.
#[test]
fn empty_deprecated_method_of_detection_is_refused() {
    let empty = json!({"ipv4": {"autoDetectionMethod": ""}, "ipAutodetectionMethod": ""});
    let review = review(&garden(Told::Others), &Config::default(), &shoot("calico", &empty));
    let found = review.findings.iter();
    let found: Vec<&str> = found.map(|it| &*it.message).collect();
    assert_eq!(found, ["the method of detection is empty"]);
}

#[test]
fn unknown_types_are_not_judged() {
    let object = shoot("my-network", &json!({"anything": 1}));
    let review = review(&garden(Told::ByName), &Config::default(), &object);
    assert_eq!(told(&review), [""; 0]);
}

/// A configuration of a megabyte, with many or deeply nested values, is judged in bounded time and memory.
#[rstest]
#[case::many(json!({"devices": vec!["eth0"; 100_000]}))]
#[case::invalid(json!({"devices": vec!["/"; 100_000]}))]
#[case::unknown((0..50_000).map(|it| (format!("field{it}"), json!(1))).collect::<serde_json::Map<_, _>>().into())]
#[case::deep((0..1_000).fold(json!({}), |inner, _| json!({"a": inner})))]
fn large_configurations_have_few_findings(#[case] config: Value) {
    let object = shoot("cilium", &config);
    let review = review(&garden(Told::ByName), &Config::default(), &object);
    assert!(review.findings.len() <= 201, "{}", review.findings.len());
}

/// The server leaves the decision to the landscape's components.
#[test]
fn servers_do_not_judge_configurations() {
    let complete = Config {
        admission: garden_gate_core::config::ServerAdmission::Complete,
        ..Config::default()
    };
    for rule in rules::served(&complete) {
        assert!(!rule.file.contains("/rules/extensions/"), "{}", rule.id);
    }
}

#[test]
fn stored_configurations_that_became_invalid_are_refused_even_in_deletion() {
    let mut object = shoot("cilium", &json!({"psp": true}));
    object["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
    let request = json!({"uid": "u", "operation": "UPDATE", "namespace": "garden-p", "name": "web",
        "resource": {"group": "core.gardener.cloud", "version": "v1beta1", "resource": "shoots"},
        "object": object, "oldObject": object});
    let body =
        json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request})
            .to_string();
    let request = Request::from_review(body.as_bytes()).unwrap();
    let (garden, config) = (garden(Told::ByName), Config::default());
    let own: Vec<_> = rules::ALL.iter().copied().filter(|it| it.id == "cilium/shoot").collect();
    let world = World {
        rules: (&own).into(),
        garden: &garden,
        config: &config,
        now: "2026-01-01T00:00:00Z".parse().unwrap(),
    };
    let review = Case::decide(EntryPoint::Audit, &request, &world, |_, _| {});
    assert_eq!(review.verdict(), Verdict::Denied);
}

#[test]
fn maintenance_of_an_invalid_stored_configuration_is_blocked() {
    let before = shoot("cilium", &json!({"psp": true}));
    let mut after = before.clone();
    after["spec"]["kubernetes"]["version"] = json!("1.31.5");
    let (garden, config) = (garden(Told::ByName), Config::default());
    let own: Vec<_> = rules::ALL.iter().copied().filter(|it| it.id == "cilium/shoot").collect();
    let world = World {
        rules: (&own).into(),
        garden: &garden,
        config: &config,
        now: "2026-01-01T00:00:00Z".parse().unwrap(),
    };
    let review = dry_run(&before, &after, &world).unwrap();
    assert_eq!(told(&review), ["Deny cilium/undecodable /spec/networking/providerConfig/psp"]);
}

#[test]
fn audits_find_invalid_stored_configurations() {
    let stored = to_raw_value(&shoot("cilium", &json!({"psp": true}))).unwrap();
    let (garden, config) = (garden(Told::ByName), Config::default());
    let key = ObjectKey::new(Kind::Shoot, "garden-p", "web");
    let is_found = |auditor: Auditor<'_>| {
        let audited = auditor.object(&key, &stored);
        let mut findings = audited.review.findings.iter();
        findings.any(|it| it.finding == "cilium/undecodable")
    };
    let auditor = || Auditor::new(&garden, &config, "2026-01-01T00:00:00Z".parse().unwrap());
    assert!(is_found(auditor()));
    assert!(!is_found(auditor().of_server()));
}

/// Extensions of operating systems have no admission component.
#[rstest]
#[case::valid(json!({"memoryTopology": "4"}), &[])]
#[case::unknown_field_is_ignored(json!({"memory": 4}), &[])]
#[case::wrong_type(json!({"memoryTopology": 4}), &["Warn extensions/controller-fails /spec/provider/workers/0/machine/image/providerConfig/memoryTopology"])]
fn configurations_that_a_controller_cannot_decode_are_warned_about(
    #[case] config: Value,
    #[case] expected: &[&str],
) {
    let mut object = shoot("my-network", &json!({}));
    let image = &mut object["spec"]["provider"]["workers"][0]["machine"]["image"];
    image["name"] = json!("memoryone-gardenlinux");
    image["providerConfig"] = config;
    let found = review(&garden(Told::Others), &Config::default(), &object);
    assert_eq!(told(&found), expected);
}

#[rstest]
#[case::newest(None, 2)]
#[case::before_the_known_versions(Some(ExtensionVersion::new(0, 1)), 0)]
fn configurations_of_two_pools_that_a_controller_cannot_decode(
    #[case] version: Option<ExtensionVersion>,
    #[case] count: usize,
) {
    let mut object = shoot("my-network", &json!({}));
    let workers = &mut object["spec"]["provider"]["workers"];
    workers[0]["machine"]["image"]["name"] = json!("memoryone-gardenlinux");
    workers[0]["machine"]["image"]["providerConfig"] = json!({"memoryTopology": 4});
    let mut second = workers[0].clone();
    second["name"] = json!("second");
    workers.as_array_mut().unwrap().push(second);
    let mut config = Config::default();
    let settings = ExtensionSettings { version, ..ExtensionSettings::default() };
    config.extensions.insert("os-gardenlinux", settings);
    let found = review(&garden(Told::Others), &config, &object);
    let found = found
        .findings
        .iter()
        .map(|it| it.finding)
        .filter(|it| *it == "extensions/controller-fails");
    assert_eq!(found.count(), count);
}

#[test]
fn every_extension_has_a_name_and_a_place_of_its_own() {
    let mut names: Vec<_> = EXTENSIONS.iter().map(|it| it.name).collect();
    names.dedup();
    assert_eq!(names.len(), EXTENSIONS.len());
    assert!(names.is_sorted(), "{names:?}");
}
