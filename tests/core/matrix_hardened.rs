// SPDX-License-Identifier: Apache-2.0
//! Rules of profile `hardened`: each case has the result of diki, from the documentation and the code of its guide for Shoots.

use std::collections::BTreeMap;
use std::sync::Arc;

use garden_gate_core::admission::{Case, EntryPoint, Origin, Request, Review, World};
use garden_gate_core::catalogue;
use garden_gate_core::config::{Config, Level, Profile};
use garden_gate_core::garden::{GardenObject, Knowledge, NamedObject, ObjectKey, Snapshot};
use garden_gate_core::rules;
use garden_gate_model::api::{ConfigMapData, ControllerRegistration, Kind, UserInfo};
use rstest::rstest;
use serde_json::value::RawValue;
use serde_json::{Value, from_value, json};

use crate::judging::{Setup, request};
use crate::profiles::{NOW, in_garden, overlay, profile, versions};

/// The result of diki with its default options.
enum Diki {
    /// All checks passed.
    Passed,
    /// These checks failed, or diki warns about them; given by the fields of the findings here.
    Failed(&'static [&'static str]),
    /// diki cannot decide, and another rule reports why.
    Errored,
    /// diki reads the object from the API server, which is unknown here.
    Unknown,
}

use Diki::{Errored, Failed, Passed, Unknown};

/// The rules and their numbers in diki.
const NUMBERS: [(&str, &str); 11] = [
    ("hardened/extension-missing", "1000"),
    ("hardened/kubernetes-version-unsupported", "1001"),
    ("hardened/machine-image-unsupported", "1002"),
    ("hardened/lakom-missing", "1003"),
    ("hardened/anonymous-authentication", "2000"),
    ("hardened/ssh-access", "2001"),
    ("hardened/alpha-features", "2002"),
    ("hardened/kernel-unprotected", "2003"),
    ("hardened/validating-webhooks-disabled", "2004"),
    ("hardened/streaming-timeout", "2005"),
    ("hardened/pod-security-missing", "2007"),
];

fn setup(objects: impl IntoIterator<Item = GardenObject>) -> Setup {
    let mut setup = Setup::with_project(None);
    setup.config.profile = Profile::Hardened;
    setup.garden = Snapshot::new(Knowledge::Everything).asking_for_verbs();
    for object in objects {
        setup.garden.apply(object);
    }
    setup.now = NOW;
    setup
}

/// Returns a Shoot with pool `a`, and other values at paths such as `spec.region`, in which `0` is the first item of a list.
fn shoot(changes: &[(&str, Value)]) -> Value {
    let mut shoot = json!({
        "metadata": {"name": "s", "namespace": "garden-p"},
        "spec": {
            "cloudProfile": {"name": "p"},
            "kubernetes": {"version": "1.31.1"},
            "provider": {"type": "t", "workers": [
                {"name": "a", "machine": {"image": {"name": "img", "version": "1.0.0"}}},
            ]},
        },
    });
    for (path, value) in changes {
        let at = path.split('.').fold(&mut shoot, |at, step| match step.parse::<usize>() {
            Ok(index) => &mut at[index],
            Err(_) => &mut at[step],
        });
        *at = value.clone();
    }
    shoot
}

fn review(setup: &Setup, rule: &str, shoot: &Value) -> Review {
    let rule = rules::find(rule).unwrap();
    setup.review_with(&[rule], &request("shoots", "CREATE", shoot, None))
}

/// Asserts the findings that correspond to the result of diki.
fn assert_result(review: &Review, diki: &Diki) {
    let fields: Vec<&str> = review.findings.iter().map(|it| it.field.as_str()).collect();
    let is_unknown = matches!(diki, Unknown);
    match diki {
        Failed(expected) => assert_eq!(fields, *expected, "{:?}", review.findings),
        Passed | Errored | Unknown => assert_eq!(fields, [""; 0], "{:?}", review.findings),
    }
    assert_eq!(review.undetermined.len(), usize::from(is_unknown), "{:?}", review.undetermined);
    assert!(review.undetermined.iter().all(|it| it.level == Level::Warn));
    for finding in &review.findings {
        assert_eq!((finding.level, finding.origin), (Level::Warn, Origin::GardenGate));
        assert!(!finding.help.is_empty(), "{finding:?}");
    }
}

fn check(rule: &str, changes: &[(&str, Value)], diki: &Diki) {
    assert_result(&review(&setup([]), rule, &shoot(changes)), diki);
}

#[test]
fn pages_name_rules_of_diki() {
    let of_hardened = rules::ALL.iter().filter(|it| it.id.starts_with("hardened/"));
    let ids: Vec<&str> = of_hardened.map(|it| it.id).collect();
    assert_eq!(ids, NUMBERS.map(|(id, _)| id));
    for (id, number) in NUMBERS {
        let page = catalogue::page(rules::find(id).unwrap());
        assert!(page.contains(&format!("diki {number} of ")), "{page}");
        assert!(page.contains("| off | off | warn |"), "{page}");
    }
}

#[rstest]
#[case::documented(Profile::Documented, false)]
#[case::gardener(Profile::Gardener, false)]
#[case::hardened(Profile::Hardened, true)]
fn rules_enabled_in_one_profile(#[case] profile: Profile, #[case] expected: bool) {
    let config = Config { profile, ..Config::default() };
    for (id, _) in NUMBERS {
        assert_eq!(rules::find(id).unwrap().is_on(&config), expected, "{id}");
    }
}

#[test]
fn other_rules_as_in_documented() {
    for rule in rules::ALL.iter().filter(|it| !it.id.starts_with("hardened/")) {
        assert_eq!(rule.levels.hardened, rule.levels.documented, "{}", rule.id);
    }
    let config = Config { profile: Profile::Hardened, ..Config::default() };
    assert!(config.documented());
}

/// Violations of all rules, except that of disabled webhooks.
#[test]
fn shoots_in_deletion_not_judged() {
    let violations = [
        ("spec.kubernetes.kubeAPIServer", json!({"enableAnonymousAuthentication": true})),
        (
            "spec.kubernetes.kubelet",
            json!({"protectKernelDefaults": false, "streamingConnectionIdleTimeout": "1s", "featureGates": {"AllAlpha": true}}),
        ),
    ];
    let mut setup =
        setup([registrations(), in_garden("CloudProfile", &profile("1.31.1", "1.0.0"))]);
    setup.config.hardened.required_extensions = vec!["foo".to_owned()];
    let mut shoot = shoot(&violations);
    let judge = |shoot: &Value| {
        let request = request("shoots", "UPDATE", shoot, Some(shoot));
        let found = NUMBERS.map(|(id, _)| {
            let rule = rules::find(id).unwrap();
            setup.review_with(&[rule], &request).findings.len()
        });
        found.iter().sum::<usize>()
    };
    assert_eq!(judge(&shoot), NUMBERS.len() - 1);
    shoot["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
    assert_eq!(judge(&shoot), 0);
}

/// Returns a registration of extension `everywhere`, which is enabled for all Shoots, of `shoot-lakom-service` and of `foo`.
fn registrations() -> GardenObject {
    let resources = json!([
        {"kind": "Extension", "type": "everywhere", "autoEnable": ["shoot"]},
        {"kind": "Extension", "type": "shoot-lakom-service"},
        {"kind": "Extension", "type": "foo", "autoEnable": ["seed"]},
    ]);
    let registration = json!({"metadata": {"name": "all"}, "spec": {"resources": resources}});
    from_value::<ControllerRegistration>(registration).unwrap().into()
}

const EXTENSIONS: &str = "spec.extensions";

#[rstest]
#[case::nothing_required(&[], json!([]), Passed)]
#[case::no_entry(&["foo"], json!([{"type": "bar"}]), Failed(&[EXTENSIONS]))]
#[case::entry(&["foo"], json!([{"type": "bar"}, {"type": "foo"}]), Passed)]
#[case::entry_enabled(&["foo"], json!([{"type": "foo", "disabled": false}]), Passed)]
#[case::entry_disabled(&["foo"], json!([{"type": "foo", "disabled": true}]), Failed(&["spec.extensions[0].disabled"]))]
#[case::default(&["everywhere"], json!([]), Passed)]
#[case::default_disabled(&["everywhere"], json!([{"type": "everywhere", "disabled": true}]), Failed(&["spec.extensions[0].disabled"]))]
#[case::several(&["everywhere", "foo", "bar"], json!([{"type": "bar"}]), Failed(&[EXTENSIONS]))]
fn extensions_required(#[case] required: &[&str], #[case] entries: Value, #[case] diki: Diki) {
    let mut setup = setup([registrations()]);
    setup.config.hardened.required_extensions =
        required.iter().map(|it| (*it).to_owned()).collect();
    let shoot = shoot(&[(EXTENSIONS, entries)]);
    assert_result(&review(&setup, "hardened/extension-missing", &shoot), &diki);
}

const PROVIDER: &str = "provider.extensions.gardener.cloud/t";
const LAKOM: &str = "extensions.extensions.gardener.cloud/shoot-lakom-service";

/// Without ControllerRegistrations, as in diki, the labels count.
#[rstest]
#[case::label(json!({PROVIDER: "true", LAKOM: "true"}), json!([]), Passed)]
#[case::no_label(json!({PROVIDER: "true"}), json!([]), Failed(&[EXTENSIONS]))]
#[case::odd_label(json!({PROVIDER: "true", LAKOM: "false"}), json!([]), Failed(&[EXTENSIONS]))]
#[case::label_of_disabled(json!({PROVIDER: "true", LAKOM: "true"}), json!([{"type": "shoot-lakom-service", "disabled": true}]), Failed(&["spec.extensions[0].disabled"]))]
#[case::entry(json!({}), json!([{"type": "shoot-lakom-service"}]), Passed)]
#[case::manifest(json!({}), json!([]), Unknown)]
#[case::own_labels(json!({LAKOM: "true"}), json!([]), Unknown)]
fn extensions_from_labels(#[case] labels: Value, #[case] entries: Value, #[case] diki: Diki) {
    let shoot = shoot(&[("metadata.labels", labels), (EXTENSIONS, entries)]);
    for garden in [Knowledge::Everything, Knowledge::Watched] {
        let mut setup = setup([]);
        setup.garden = Snapshot::new(garden);
        assert_result(&review(&setup, "hardened/lakom-missing", &shoot), &diki);
    }
}

#[rstest]
#[case::kept(json!([]), json!([]), Passed)]
#[case::entry_removed(json!([{"type": "shoot-lakom-service"}]), json!([]), Unknown)]
fn labels_of_a_manifest_may_be_outdated(
    #[case] old: Value,
    #[case] new: Value,
    #[case] diki: Diki,
) {
    let labels = ("metadata.labels", json!({PROVIDER: "true", LAKOM: "true"}));
    let texts = [new, old].map(|entries| {
        let shoot = shoot(&[labels.clone(), (EXTENSIONS, entries)]);
        RawValue::from_string(shoot.to_string()).unwrap()
    });
    let objects = texts.each_ref().map(|it| Some(&**it));
    let request = Request::of_objects(Kind::Shoot, UserInfo::default(), objects);
    let setup = setup([]);
    let rules = [rules::find("hardened/lakom-missing").unwrap()];
    let world = World {
        rules: (&rules).into(),
        garden: &setup.garden,
        config: &setup.config,
        now: NOW.parse().unwrap(),
    };
    let review = Case::decide(EntryPoint::Review, &request, &world, |_, _| {});
    assert_result(&review, &diki);
}

#[rstest]
#[case::nothing(Value::Null, Passed)]
#[case::no_scope(json!({"apiVersion": "lakom.extensions.gardener.cloud/v1alpha1", "kind": "LakomConfig"}), Passed)]
#[case::managed(json!({"scope": "KubeSystemManagedByGardener"}), Passed)]
#[case::kube_system(json!({"scope": "KubeSystem"}), Passed)]
#[case::cluster(json!({"scope": "Cluster"}), Passed)]
#[case::unsupported(json!({"scope": "Fake"}), Failed(&["spec.extensions[0].providerConfig.scope"]))]
#[case::undecodable(json!({"scope": 1}), Errored)]
fn scopes_of_lakom(#[case] configuration: Value, #[case] diki: Diki) {
    let entry = json!({"type": "shoot-lakom-service", "providerConfig": configuration});
    check("hardened/lakom-missing", &[(EXTENSIONS, json!([entry]))], &diki);
}

/// The versions of a CloudProfile: one for each classification.
const VERSIONS: &str = "1.0.0 =supported; 2.0.0 =deprecated; 3.0.0 =preview; 4.0.0; 5.0.0 =supported @past; \
    6.0.0 [preview past; supported -1d; deprecated soon]; 7.0.0 [supported past; deprecated -1d]";
/// The merged versions of a NamespacedCloudProfile.
const MERGED: &str = "1.0.0 =supported; 2.0.0 =supported; 3.0.0 =preview; 4.0.0; 8.0.0 =deprecated";
/// Its own versions, which are looked up first.
const OWN: &str = "2.0.0 @soon; 8.0.0 =supported; 9.0.0 =preview";

/// Returns the results for each version: of a CloudProfile, and of a NamespacedCloudProfile.
fn results(field: &'static [&'static str]) -> [BTreeMap<&'static str, Diki>; 2] {
    let failed = || Failed(field);
    let cluster = [
        ("1.0.0", Passed),
        ("2.0.0", failed()),
        ("3.0.0", failed()),
        ("4.0.0", failed()),
        ("5.0.0", Passed),
        // diki does not read stages, and considers both unclassified.
        ("6.0.0", Passed),
        ("7.0.0", failed()),
        ("8.0.0", Errored),
    ];
    let namespaced = [
        ("1.0.0", Passed),
        ("2.0.0", failed()),
        ("3.0.0", failed()),
        ("4.0.0", failed()),
        ("8.0.0", Passed),
        ("9.0.0", failed()),
        ("5.0.0", Errored),
    ];
    [cluster.into(), namespaced.into()]
}

/// Returns a NamespacedCloudProfile with own and merged versions.
fn merged() -> GardenObject {
    let images = |list| json!([{"name": "img", "versions": versions(list)}]);
    let own = json!({"kubernetes": {"versions": versions(OWN)}, "machineImages": images(OWN)});
    let mut profile = overlay("p", own);
    profile["status"]["cloudProfileSpec"] = json!({
        "type": "t",
        "kubernetes": {"versions": versions(MERGED)},
        "machineImages": images(MERGED),
    });
    in_garden("NamespacedCloudProfile", &profile)
}

/// Judges a Shoot with each version, for both kinds of profiles.
fn check_versions(rule: &str, path: &str, field: &'static [&'static str]) {
    let profiles = [in_garden("CloudProfile", &profile(VERSIONS, VERSIONS)), merged()];
    let setup = setup(profiles);
    let references = [
        json!({"kind": "CloudProfile", "name": "p"}),
        json!({"kind": "NamespacedCloudProfile", "name": "n"}),
    ];
    for (reference, results) in references.into_iter().zip(results(field)) {
        for (version, diki) in results {
            let changes = [(path, json!(version)), ("spec.cloudProfile", reference.clone())];
            assert_result(&review(&setup, rule, &shoot(&changes)), &diki);
        }
    }
}

const KUBERNETES: &str = "hardened/kubernetes-version-unsupported";
const IMAGES: &str = "hardened/machine-image-unsupported";
const IMAGE: &str = "spec.provider.workers.0.machine.image.version";

#[test]
fn classifications_of_kubernetes_versions() {
    check_versions(KUBERNETES, "spec.kubernetes.version", &["spec.kubernetes.version"]);
}

#[test]
fn classifications_of_machine_images() {
    check_versions(IMAGES, IMAGE, &["spec.provider.workers[0].machine.image.version"]);
}

#[test]
fn finding_lists_supported_versions() {
    let setup = setup([in_garden("CloudProfile", &profile(VERSIONS, "1.0.0"))]);
    let shoot = shoot(&[("spec.kubernetes.version", json!("2.0.0"))]);
    let finding = &review(&setup, KUBERNETES, &shoot).findings[0];
    assert_eq!(finding.message, "the profile classifies Kubernetes `2.0.0` as `deprecated`");
    assert_eq!(finding.help, "use a supported version: `1.0.0`, `6.0.0`");
    let finding = &review(&setup, IMAGES, &shoot).findings[0];
    assert_eq!(finding.message, "the profile does not classify `img:1.0.0` of pool `a`");
    assert!(finding.help.contains("no supported version"), "{finding:?}");
}

/// Each pool has its own result.
#[test]
fn pools_have_own_images() {
    let setup = setup([in_garden("CloudProfile", &profile("1.31.1", VERSIONS))]);
    let pools = ["1.0.0", "3.0.0", "2.0.0"].map(
        |version| json!({"name": "a", "machine": {"image": {"name": "img", "version": version}}}),
    );
    let failed = Failed(&[
        "spec.provider.workers[1].machine.image.version",
        "spec.provider.workers[2].machine.image.version",
    ]);
    let with = |pools: &[Value]| shoot(&[("spec.provider.workers", json!(pools))]);
    assert_result(&review(&setup, IMAGES, &with(&pools)), &failed);
    assert_result(&review(&setup, IMAGES, &with(&[])), &Passed);
    let other = json!({"name": "a", "machine": {"image": {"name": "other", "version": "2.0.0"}}});
    assert_result(&review(&setup, IMAGES, &with(&[other])), &Errored);
}

#[test]
fn profile_before_its_merge_is_that_of_the_parent() {
    let own = overlay("p", json!({"kubernetes": {"versions": versions("1.0.0 @soon")}}));
    let parent = in_garden(
        "CloudProfile",
        &profile("1.0.0 =supported; 2.0.0 =supported", "1.0.0 =supported"),
    );
    let setup = setup([parent, in_garden("NamespacedCloudProfile", &own)]);
    let reference = ("spec.cloudProfile", json!({"kind": "NamespacedCloudProfile", "name": "n"}));
    for (version, diki) in [("1.0.0", Failed(&["spec.kubernetes.version"])), ("2.0.0", Passed)] {
        let shoot = shoot(&[("spec.kubernetes.version", json!(version)), reference.clone()]);
        assert_result(&review(&setup, KUBERNETES, &shoot), &diki);
        assert_result(&review(&setup, IMAGES, &shoot), &Passed);
    }
}

#[rstest]
#[case::missing(None, Errored)]
#[case::unreadable(Some("machine: expected an object"), Unknown)]
fn profile_not_found(#[case] why: Option<&str>, #[case] diki: Diki) {
    let key = ObjectKey::new(Kind::CloudProfile, "", "p");
    let unreadable = why.map(|why| GardenObject::Unreadable(key, why.to_owned()));
    let setup = setup(unreadable);
    for rule in [KUBERNETES, IMAGES] {
        assert_result(&review(&setup, rule, &shoot(&[])), &diki);
    }
}

const ANONYMOUS: &str = "hardened/anonymous-authentication";
const SERVER: &str = "spec.kubernetes.kubeAPIServer";
const ENABLED: &str = "spec.kubernetes.kubeAPIServer.enableAnonymousAuthentication";
const REFERENCE: &str = "spec.kubernetes.kubeAPIServer.structuredAuthentication.configMapName";

#[rstest]
#[case::no_server(Value::Null, Passed)]
#[case::defaults(json!({"featureGates": {"foo": true}}), Passed)]
#[case::disabled(json!({"enableAnonymousAuthentication": false}), Passed)]
#[case::enabled(json!({"enableAnonymousAuthentication": true}), Failed(&[ENABLED]))]
fn anonymous_authentication_by_field(#[case] server: Value, #[case] diki: Diki) {
    check(ANONYMOUS, &[(SERVER, server)], &diki);
}

/// Returns a garden with ConfigMap `c`, which has this configuration.
fn with_config_map(garden: &Snapshot, text: Option<&str>) -> Snapshot {
    let data = ConfigMapData::of(|key| text.filter(|_| key == "config.yaml").map(str::to_owned));
    garden.with_named([NamedObject {
        key: ObjectKey::new(Kind::ConfigMap, "garden-p", "c"),
        data: data.map(Arc::new),
    }])
}

const HEADER: &str =
    "apiVersion: apiserver.config.k8s.io/v1beta1\nkind: AuthenticationConfiguration\n";

#[rstest]
#[case::unset("", Passed)]
#[case::empty("anonymous: {}", Passed)]
#[case::disabled("anonymous:\n  enabled: false", Passed)]
#[case::enabled("anonymous:\n  enabled: true", Failed(&[REFERENCE]))]
#[case::conditions("anonymous:\n  enabled: true\n  conditions:\n  - path: /healthz\n  - path: /livez\n", Failed(&[REFERENCE]))]
#[case::wrong_type("anonymous: [true]", Errored)]
#[case::no_yaml("anonymous: {", Errored)]
fn anonymous_authentication_by_config_map(#[case] rest: &str, #[case] diki: Diki) {
    let mut setup = setup([]);
    setup.garden = with_config_map(&setup.garden, Some(&format!("{HEADER}{rest}")));
    let structured = json!({"structuredAuthentication": {"configMapName": "c"}});
    let review = review(&setup, ANONYMOUS, &shoot(&[(SERVER, structured)]));
    assert_result(&review, &diki);
    for finding in &review.findings {
        let place = "at 4:12 of `config.yaml` in ConfigMap `garden-p/c`";
        assert!(finding.message.contains(place), "{}", finding.message);
    }
}

#[test]
fn field_precedes_config_map() {
    let mut setup = setup([]);
    let text = format!("{HEADER}anonymous:\n  enabled: true");
    setup.garden = with_config_map(&setup.garden, Some(&text));
    let server = json!({"enableAnonymousAuthentication": false, "structuredAuthentication": {"configMapName": "c"}});
    assert_result(&review(&setup, ANONYMOUS, &shoot(&[(SERVER, server)])), &Passed);
}

#[test]
fn config_map_without_configuration() {
    let shoot = shoot(&[(SERVER, json!({"structuredAuthentication": {"configMapName": "c"}}))]);
    let judge = |garden: Snapshot, diki: Diki| {
        let mut setup = setup([]);
        setup.garden = garden;
        assert_result(&review(&setup, ANONYMOUS, &shoot), &diki);
    };
    let everything = Snapshot::new(Knowledge::Everything);
    judge(with_config_map(&everything, None), Errored);
    let mut without = everything.clone();
    without.answer_config_map(ObjectKey::new(Kind::ConfigMap, "garden-p", "c"), Ok(None));
    judge(without, Errored);
    judge(everything, Unknown);
    judge(Snapshot::new(Knowledge::Nothing), Unknown);
    // A server does not read ConfigMaps of Projects.
    judge(Snapshot::new(Knowledge::Watched), Errored);
}

const SSH: &str = "spec.provider.workersSettings.sshAccess.enabled";

#[rstest]
#[case::no_settings(Value::Null, Failed(&[SSH]))]
#[case::no_setting(json!({}), Failed(&[SSH]))]
#[case::enabled(json!({"sshAccess": {"enabled": true}}), Failed(&[SSH]))]
#[case::disabled(json!({"sshAccess": {"enabled": false}}), Passed)]
#[case::no_value(json!({"sshAccess": {}}), Passed)]
fn ssh_access(#[case] settings: Value, #[case] diki: Diki) {
    check("hardened/ssh-access", &[("spec.provider.workersSettings", settings)], &diki);
}

#[test]
fn ssh_access_without_workers_to_be_silenced() {
    let review =
        review(&setup([]), "hardened/ssh-access", &shoot(&[("spec.provider.workers", json!([]))]));
    assert_result(&review, &Failed(&[SSH]));
    assert!(review.findings[0].help.contains("ignore.garden-gate.dev/hardened.ssh-access"));
}

#[rstest]
#[case::server("spec.kubernetes.kubeAPIServer.featureGates", &["spec.kubernetes.kubeAPIServer.featureGates.AllAlpha"])]
#[case::controller_manager("spec.kubernetes.kubeControllerManager.featureGates", &["spec.kubernetes.kubeControllerManager.featureGates.AllAlpha"])]
#[case::scheduler("spec.kubernetes.kubeScheduler.featureGates", &["spec.kubernetes.kubeScheduler.featureGates.AllAlpha"])]
#[case::proxy("spec.kubernetes.kubeProxy.featureGates", &["spec.kubernetes.kubeProxy.featureGates.AllAlpha"])]
#[case::kubelet("spec.kubernetes.kubelet.featureGates", &["spec.kubernetes.kubelet.featureGates.AllAlpha"])]
#[case::pool("spec.provider.workers.0.kubernetes.kubelet.featureGates", &["spec.provider.workers[0].kubernetes.kubelet.featureGates.AllAlpha"])]
fn alpha_features(#[case] path: &str, #[case] fields: &'static [&'static str]) {
    for (gates, diki) in [
        (json!({"AllAlpha": true}), Failed(fields)),
        (json!({"AllAlpha": false}), Passed),
        (json!({"foo": true}), Passed),
        (json!({}), Passed),
        (Value::Null, Passed),
    ] {
        check("hardened/alpha-features", &[(path, gates)], &diki);
    }
}

#[test]
fn alpha_features_of_all_components() {
    let gates = json!({"featureGates": {"AllAlpha": true}});
    let fields =
        ["kubeAPIServer", "kubeControllerManager", "kubeScheduler", "kubeProxy", "kubelet"];
    let kubernetes = fields.map(|field| (field.to_owned(), gates.clone()));
    let kubernetes: serde_json::Map<String, Value> = kubernetes.into_iter().collect();
    let review = review(
        &setup([]),
        "hardened/alpha-features",
        &shoot(&[("spec.kubernetes", json!(kubernetes))]),
    );
    assert_eq!(review.findings.len(), fields.len(), "{:?}", review.findings);
}

const KUBELET: &str = "spec.kubernetes.kubelet";
const OF_POOL: &str = "spec.provider.workers.0.kubernetes";

#[rstest]
#[case::unset(KUBELET, Value::Null, Passed)]
#[case::defaults(KUBELET, json!({}), Passed)]
#[case::enabled(KUBELET, json!({"protectKernelDefaults": true}), Passed)]
#[case::disabled(KUBELET, json!({"protectKernelDefaults": false}), Failed(&["spec.kubernetes.kubelet.protectKernelDefaults"]))]
#[case::pool_defaults(OF_POOL, json!({}), Passed)]
#[case::pool_enabled(OF_POOL, json!({"kubelet": {"protectKernelDefaults": true}}), Passed)]
#[case::pool_disabled(OF_POOL, json!({"kubelet": {"protectKernelDefaults": false}}), Failed(&["spec.provider.workers[0].kubernetes.kubelet.protectKernelDefaults"]))]
fn kernel_protection(#[case] path: &str, #[case] kubelet: Value, #[case] diki: Diki) {
    check("hardened/kernel-unprotected", &[(path, kubelet)], &diki);
}

const PLUGINS: &str = "spec.kubernetes.kubeAPIServer.admissionPlugins";
const DISABLED: &[&str] = &["spec.kubernetes.kubeAPIServer.admissionPlugins[0].disabled"];

#[rstest]
#[case::no_plugins(Value::Null, Passed)]
#[case::others(json!([{"name": "foo", "disabled": true}]), Passed)]
#[case::listed(json!([{"name": "ValidatingAdmissionWebhook"}]), Passed)]
#[case::enabled(json!([{"name": "ValidatingAdmissionWebhook", "disabled": false}]), Passed)]
#[case::disabled(json!([{"name": "ValidatingAdmissionWebhook", "disabled": true}]), Failed(DISABLED))]
#[case::both(json!([{"name": "ValidatingAdmissionWebhook", "disabled": true}, {"name": "ValidatingAdmissionWebhook", "disabled": false}]), Failed(DISABLED))]
fn validating_webhooks(#[case] plugins: Value, #[case] diki: Diki) {
    check("hardened/validating-webhooks-disabled", &[(PLUGINS, plugins)], &diki);
}

const TIMEOUT: &[&str] = &["spec.kubernetes.kubelet.streamingConnectionIdleTimeout"];
const TIMEOUT_OF_POOL: &[&str] =
    &["spec.provider.workers[0].kubernetes.kubelet.streamingConnectionIdleTimeout"];

#[rstest]
#[case::unset(Value::Null, true)]
#[case::short(json!("3s"), false)]
#[case::nearly("4m59.999999999s".into(), false)]
#[case::shortest(json!("5m"), true)]
#[case::otherwise_written(json!("300s"), true)]
#[case::between(json!("2h45m"), true)]
#[case::longest(json!("4h"), true)]
#[case::just_above("4h0m0.000000001s".into(), false)]
#[case::long(json!("5h12s"), false)]
#[case::none(json!("0s"), false)]
fn streaming_timeouts(#[case] timeout: Value, #[case] passed: bool) {
    let kubelet = json!({"streamingConnectionIdleTimeout": timeout});
    for (path, kubelet, fields) in [
        (KUBELET, kubelet.clone(), TIMEOUT),
        (OF_POOL, json!({"kubelet": kubelet}), TIMEOUT_OF_POOL),
    ] {
        let diki = if passed { Passed } else { Failed(fields) };
        check("hardened/streaming-timeout", &[(path, kubelet)], &diki);
    }
}

/// Returns `PodSecurity` with this configuration.
fn pod_security(configuration: Value) -> Value {
    json!([{"name": "PodSecurity", "disabled": false, "config": configuration}])
}

fn defaults(defaults: Value) -> Value {
    pod_security(json!({
        "apiVersion": "pod-security.admission.config.k8s.io/v1",
        "kind": "PodSecurityConfiguration",
        "defaults": defaults,
    }))
}

const CONFIGURATION: &[&str] = &["spec.kubernetes.kubeAPIServer.admissionPlugins[0].config"];
const AUDIT: &str = "spec.kubernetes.kubeAPIServer.admissionPlugins[0].config.defaults.audit";
const ENFORCE: &str = "spec.kubernetes.kubeAPIServer.admissionPlugins[0].config.defaults.enforce";
const WARN: &str = "spec.kubernetes.kubeAPIServer.admissionPlugins[0].config.defaults.warn";
const MODES: &[&str] = &[AUDIT, ENFORCE, WARN];

#[rstest]
#[case::no_plugins(Value::Null, Failed(&[PLUGINS]))]
#[case::others(json!([{"name": "foo"}, {"name": "bar"}]), Failed(&[PLUGINS]))]
#[case::disabled(json!([{"name": "PodSecurity", "disabled": true}]), Failed(DISABLED))]
#[case::both(json!([{"name": "PodSecurity", "disabled": true}, {"name": "PodSecurity", "disabled": false}]), Failed(DISABLED))]
#[case::no_configuration(json!([{"name": "PodSecurity", "disabled": false}]), Failed(CONFIGURATION))]
#[case::no_kind(pod_security(json!({"defaults": {"enforce": "baseline", "audit": "baseline", "warn": "baseline"}})), Passed)]
#[case::no_defaults(pod_security(json!({})), Failed(MODES))]
#[case::no_level(defaults(json!({})), Failed(MODES))]
#[case::strict(defaults(json!({"enforce": "baseline", "audit": "baseline", "warn": "restricted"})), Passed)]
#[case::restricted(defaults(json!({"enforce": "restricted", "audit": "restricted", "warn": "restricted"})), Passed)]
#[case::some(defaults(json!({"enforce": "baseline", "audit": "privileged"})), Failed(&[AUDIT, WARN]))]
#[case::audit(defaults(json!({"enforce": "baseline", "audit": "privileged", "warn": "restricted"})), Failed(&[AUDIT]))]
#[case::unknown(defaults(json!({"enforce": "Baseline", "audit": "baseline", "warn": "baseline"})), Failed(&[ENFORCE]))]
#[case::wrong_type(defaults(json!({"enforce": 1, "audit": "baseline", "warn": "baseline"})), Failed(&[ENFORCE]))]
fn pod_security_standards(#[case] plugins: Value, #[case] diki: Diki) {
    check("hardened/pod-security-missing", &[(PLUGINS, plugins)], &diki);
}
