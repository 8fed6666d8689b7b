// SPDX-License-Identifier: Apache-2.0
//! Worker pools: surge, update strategies, fields that are immutable with in-place updates, and reserved resources.

use crate::judging::{Setup, request};

use garden_gate_core::admission::Review;
use garden_gate_core::config::Profile;
use garden_gate_core::garden::GardenObject;
use garden_gate_model::gardener::defaults::cloud_profile;
use rstest::rstest;
use serde_json::{Value, json};

pub(crate) const ROLLING: &str = "AutoRollingUpdate";
const AUTO: &str = "AutoInPlaceUpdate";
const MANUAL: &str = "ManualInPlaceUpdate";
const POOL: &str = "/spec/provider/workers/0";
const OPERATION: &str = "gardener.cloud/operation";
const MAINTENANCE: &str = "maintenance.gardener.cloud/operation";

/// The rules under test; other tests cover the others.
const RULES: &[&str] = &[
    "shoot/force-in-place-update",
    "shoot/in-place",
    "shoot/update-strategy",
    "shoot/worker-",
    "cloudprofile/machine-images",
];

/// A change: a JSON pointer and the new value; `null` is the same as a missing field.
pub(crate) type Edit<'a> = (&'a str, Value);

fn image(version: &str, in_place: Value) -> Value {
    json!({"version": version, "architectures": ["amd64"], "inPlaceUpdates": in_place})
}

fn profile(images: Value) -> GardenObject {
    let kubernetes = ["1.31.1", "1.32.1", "1.33.1", "1.33.2", "1.33.9", "1.34.0"]
        .map(|it| json!({"version": it}));
    let spec = json!({"type": "t", "kubernetes": {"versions": kubernetes}, "machineImages": [{"name": "os", "versions": images}, {"name": "other", "versions": images}]});
    let profile = json!({"metadata": {"name": "cp"}, "spec": spec});
    let mut profile = serde_json::from_value(profile).unwrap();
    cloud_profile(&mut profile);
    GardenObject::from(profile)
}

/// Enables the feature gate, with a CloudProfile whose images can be updated in place from any version.
fn setup() -> Setup {
    let any = json!({"supported": true, "minVersionForUpdate": "0.0.1"});
    let versions = ["1.9.9", "2.0.0", "2.0.0-beta", "2.1.0"];
    let images = versions.map(|version| image(version, any.clone()));
    with_images(json!(images))
}

fn with_images(images: Value) -> Setup {
    let mut setup = Setup::with_project(None).with_seed("t");
    setup.config.feature_gates.in_place_node_updates = true;
    setup.garden.apply(profile(images));
    setup
}

fn gate_off() -> Setup {
    let mut setup = setup();
    setup.config.feature_gates.in_place_node_updates = false;
    setup
}

pub(crate) fn documented() -> Setup {
    let mut setup = setup();
    setup.config.profile = Profile::Documented;
    setup
}

/// Returns a stored pool, with the defaults of its strategy.
pub(crate) fn pool(name: &str, strategy: &str) -> Value {
    let (surge, unavailable, settings) = match strategy {
        ROLLING => (json!(1), json!(0), Value::Null),
        AUTO => (json!(0), json!(1), json!({"disableHealthTimeout": true})),
        _ => (Value::Null, Value::Null, json!({"disableHealthTimeout": true})),
    };
    json!({
        "name": name,
        "minimum": 1,
        "maximum": 3,
        "machine": {"type": "m", "architecture": "amd64", "image": {"name": "os", "version": "2.0.0"}},
        "volume": {"type": "gp3", "size": "50Gi"},
        "cri": {"name": "containerd"},
        "systemComponents": {"allow": true},
        "updateStrategy": strategy,
        "maxSurge": surge,
        "maxUnavailable": unavailable,
        "machineControllerManager": settings,
    })
}

pub(crate) fn shoot(version: &str, pools: &[Value]) -> Value {
    let spec = json!({
        "cloudProfile": {"name": "cp"},
        "credentialsBindingName": "account",
        "kubernetes": {"version": version},
        "provider": {"type": "t", "workers": pools},
    });
    json!({"metadata": {"name": "s", "namespace": "garden-p"}, "spec": spec})
}

/// Returns a Shoot with one pool `a`.
fn one(strategy: &str) -> Value {
    shoot("1.33.1", &[pool("a", strategy)])
}

fn pending(mut shoot: Value, list: &str, pools: &[&str]) -> Value {
    shoot["status"] = json!({"inPlaceUpdates": {"pendingWorkerUpdates": {list: pools}}});
    shoot
}

fn annotated(mut shoot: Value, key: &str, operations: &str) -> Value {
    shoot["metadata"]["annotations"] = json!({key: operations});
    shoot
}

/// Returns `shoot` with changes; those that do not begin with `/spec` apply to the first pool.
pub(crate) fn with(shoot: &Value, edits: &[Edit<'_>]) -> Value {
    let mut shoot = shoot.clone();
    for (pointer, value) in edits {
        let pointer = if pointer.starts_with("/spec") {
            (*pointer).to_owned()
        } else {
            format!("{POOL}{pointer}")
        };
        let mut place = &mut shoot;
        for segment in pointer.split('/').skip(1) {
            place = match segment.parse::<usize>() {
                Ok(index) => &mut place[index],
                Err(_) => &mut place[segment],
            };
        }
        *place = value.clone();
    }
    shoot
}

/// Returns the findings of these rules, as `<id> <type> <field>`.
fn found(review: &Review) -> Vec<String> {
    assert!(review.undetermined.is_empty(), "{:?}", review.undetermined);
    let ours = |rule: &str| {
        RULES.iter().any(|ours| rule.starts_with(ours))
            && !rule.starts_with("shoot/worker-kubernetes-version")
    };
    let findings = review.findings.iter().filter(|it| ours(it.rule));
    let mut found: Vec<String> = findings
        .map(|it| {
            let field = it.field.replace("spec.provider.workers", "workers");
            format!("{} {:?} {field}", it.finding, it.error)
        })
        .collect();
    found.sort();
    found
}

fn created(setup: &Setup, shoot: &Value) -> Vec<String> {
    found(&setup.review(&request("shoots", "CREATE", shoot, None)))
}

fn updated(setup: &Setup, old: &Value, new: &Value) -> Vec<String> {
    found(&setup.review(&request("shoots", "UPDATE", new, Some(old))))
}

/// Returns warnings about pools that are rolled.
/// Returns the warnings, without the numbers of machines.
fn warned(old: &Value, new: &Value) -> Vec<String> {
    let messages = warned_with_numbers(old, new).into_iter();
    messages.map(|it| it.split(": ").next().unwrap_or_default().to_owned()).collect()
}

fn warned_with_numbers(old: &Value, new: &Value) -> Vec<String> {
    let review = documented().review(&request("shoots", "UPDATE", new, Some(old)));
    let findings = review.findings.into_iter();
    let ours = findings.filter(|finding| finding.rule == "shoot/worker-pools-roll");
    ours.map(|finding| finding.message).collect()
}

#[rstest]
#[case(json!(null), json!({"updateStrategy": ROLLING, "maxSurge": 1, "maxUnavailable": 0}))]
#[case(json!(AUTO), json!({"updateStrategy": AUTO, "maxSurge": 0, "maxUnavailable": 1, "machineControllerManager": {"disableHealthTimeout": true}}))]
#[case(json!(MANUAL), json!({"updateStrategy": MANUAL, "machineControllerManager": {"disableHealthTimeout": true}}))]
fn defaults(#[case] strategy: Value, #[case] filled: Value) {
    let machine =
        json!({"type": "m", "architecture": "amd64", "image": {"name": "os", "version": "2.0.0"}});
    let bare = json!({"name": "a", "maximum": 3, "machine": machine, "updateStrategy": strategy});
    let mut shoot = shoot("1.33.1", &[bare]);
    for _ in 0..2 {
        let review = setup().review(&request("shoots", "CREATE", &shoot, None));
        assert_eq!(found(&review), [""; 0]);
        json_patch::patch(&mut shoot, &review.patch).unwrap();
        let pool = shoot.pointer(POOL).unwrap();
        let fields = ["updateStrategy", "maxSurge", "maxUnavailable", "machineControllerManager"];
        for field in fields {
            assert_eq!(pool[field], filled[field], "{field}");
        }
    }
    let review = setup().review(&request("shoots", "CREATE", &shoot, None));
    assert!(review.patch.is_empty(), "a second run changes nothing");
}

#[rstest]
#[case::worker_manual_surge(MANUAL, &[("/maxSurge", json!(0))], &["shoot/worker-manual-surge Invalid workers[0].maxSurge"])]
#[case::worker_surge_both_zero(AUTO, &[("/maxSurge", json!(null)), ("/maxUnavailable", json!(0))], &["shoot/worker-surge-both-zero Invalid workers[0].maxUnavailable"])]
#[case::worker_surge_both_zero(ROLLING, &[("/maxSurge", json!(0)), ("/maxUnavailable", json!(null))], &["shoot/worker-surge-both-zero Invalid workers[0].maxUnavailable"])]
#[case::worker_max_unavailable_over_100(ROLLING, &[("/maxSurge", json!("0%")), ("/maxUnavailable", json!("101%"))], &["shoot/worker-max-unavailable-over-100 Invalid workers[0].maxUnavailable"])]
#[case::worker_surge_malformed(ROLLING, &[("/maxSurge", json!("90%")), ("/maxUnavailable", json!("-90%"))], &["shoot/worker-surge-malformed Invalid workers[0].maxUnavailable"])]
#[case::unknown(ROLLING, &[("/updateStrategy", json!("Foo"))], &["shoot/worker-update-strategy-unsupported NotSupported workers[0].updateStrategy"])]
#[case::empty(ROLLING, &[("/updateStrategy", json!(""))], &["shoot/worker-update-strategy-unsupported NotSupported workers[0].updateStrategy"])]
#[case::worker_mcm_in_place_timeout(ROLLING, &[("/machineControllerManager/inPlaceUpdateTimeout", json!("0s"))], &["shoot/worker-mcm-in-place-timeout Forbidden workers[0].machineControllerManagerSettings.inPlaceUpdateTimeout"])]
#[case::is_true(ROLLING, &[("/machineControllerManager/disableHealthTimeout", json!(true))], &["shoot/worker-mcm-disable-health-timeout Forbidden workers[0].machineControllerManagerSettings.disableHealthTimeout"])]
#[case::is_false(ROLLING, &[("/machineControllerManager/disableHealthTimeout", json!(false))], &[])]
#[case::worker_mcm_duration_negative(AUTO, &[("/machineControllerManager/inPlaceUpdateTimeout", json!("-1ns"))], &["shoot/worker-mcm-duration-negative Invalid workers[0].machineControllerManagerSettings.inPlaceUpdateTimeout"])]
#[case::allowed(ROLLING, &[("/machineControllerManager/autoPreserveFailedMachineMax", json!(3))], &["shoot/worker-mcm-auto-preserve-out-of-range Invalid workers[0].machineControllerManagerSettings.autoPreserveFailedMachineMax"])]
#[case::not(ROLLING, &[("/machineControllerManager/autoPreserveFailedMachineMax", json!(3)), ("/systemComponents/allow", json!(false))], &[])]
#[case::negative_number(ROLLING, &[("/maxSurge", json!(-1))], &["shoot/worker-surge-negative Invalid workers[0].maxSurge"])]
#[case::number_in_quotes(ROLLING, &[("/maxSurge", json!("5"))], &["shoot/worker-surge-malformed Invalid workers[0].maxSurge"])]
#[case::negative_retries(ROLLING, &[("/machineControllerManager/maxEvictRetries", json!(-1))], &["shoot/worker-mcm-evict-retries-negative Invalid workers[0].machineControllerManagerSettings.maxEvictRetries"])]
#[case::no_retries(ROLLING, &[("/machineControllerManager/maxEvictRetries", json!(0))], &[])]
fn a_pool_alone(#[case] strategy: &str, #[case] edits: &[Edit<'_>], #[case] expected: &[&str]) {
    let new = with(&one(strategy), edits);
    assert_eq!(created(&setup(), &new), expected);
}

#[test]
fn the_pointer_of_a_setting_is_its_real_place() {
    let new = with(&one(ROLLING), &[("/machineControllerManager/maxEvictRetries", json!(-1))]);
    let review = setup().review(&request("shoots", "CREATE", &new, None));
    let pointers: Vec<&str> = review.findings.iter().map(|it| it.pointer.as_str()).collect();
    assert_eq!(pointers, ["/spec/provider/workers/0/machineControllerManager/maxEvictRetries"]);
}

#[test]
fn new_shoots_need_the_gate() {
    let new = shoot("1.33.1", &[pool("a", AUTO), pool("b", ROLLING), pool("c", MANUAL)]);
    let expected = [0, 2].map(|index| {
        format!("shoot/in-place-feature-gate-create Invalid workers[{index}].updateStrategy")
    });
    assert_eq!(created(&gate_off(), &new), expected);
    assert_eq!(created(&setup(), &new), [""; 0]);
}

#[rstest]
#[case::nothing_said(&[("/labels", json!({"a": "b"}))], &[])]
#[case::nothing_said(&[("/updateStrategy", json!(MANUAL)), ("/maxSurge", json!(null)), ("/maxUnavailable", json!(null))], &[])]
#[case::in_place_feature_gate_new_pool(&[("/name", json!("renamed"))], &["shoot/in-place-feature-gate-new-pool Invalid workers[0].updateStrategy"])]
fn with_the_gate_off(#[case] edits: &[Edit<'_>], #[case] expected: &[&str]) {
    let old = one(AUTO);
    assert_eq!(updated(&gate_off(), &old, &with(&old, edits)), expected);
}

#[test]
fn new_pool_of_a_shoot_in_deletion_does_not_need_the_gate() {
    let deleted = |pools: &[Value]| {
        let mut shoot = shoot("1.33.1", pools);
        shoot["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
        shoot
    };
    let old = deleted(&[pool("a", ROLLING)]);
    let new = deleted(&[pool("a", ROLLING), pool("b", AUTO)]);
    assert_eq!(updated(&gate_off(), &old, &new), [""; 0]);
}

const NO_SURGE: [Edit<'static>; 2] = [("/maxSurge", Value::Null), ("/maxUnavailable", Value::Null)];

#[rstest]
#[case::update_strategy_rolling_to_in_place(ROLLING, &[("/updateStrategy", json!(AUTO))], &["shoot/update-strategy-rolling-to-in-place Invalid workers[0].updateStrategy"])]
#[case::update_strategy_in_place_to_rolling(MANUAL, &[("/updateStrategy", json!(ROLLING))], &[
    "shoot/update-strategy-in-place-to-rolling Invalid workers[0].updateStrategy",
    "shoot/worker-mcm-disable-health-timeout Forbidden workers[0].machineControllerManagerSettings.disableHealthTimeout",
])]
#[case::update_strategy_in_place_to_rolling(AUTO, &[("/updateStrategy", json!("Foo")), ("/machineControllerManager", json!(null))], &[
    "shoot/update-strategy-in-place-to-rolling Invalid workers[0].updateStrategy",
    "shoot/worker-update-strategy-unsupported NotSupported workers[0].updateStrategy",
])]
#[case::worker_manual_surge(AUTO, &[("/updateStrategy", json!(MANUAL))], &[
    "shoot/worker-manual-surge Invalid workers[0].maxSurge",
    "shoot/worker-manual-surge Invalid workers[0].maxUnavailable",
])]
#[case::in_place_immutable_image_name(AUTO, &[("/machine/type", json!("n")), ("/volume/size", json!("60Gi")), ("/machine/image/name", json!("other"))], &[
    "shoot/in-place-immutable-image-name Invalid workers[0].machine.image.name",
    "shoot/in-place-immutable-machine-type Invalid workers[0].machine.type",
    "shoot/in-place-immutable-volume Invalid workers[0].volume",
])]
#[case::in_place_immutable_volume(AUTO, &[("/volume/encrypted", json!(true))], &["shoot/in-place-immutable-volume Invalid workers[0].volume"])]
#[case::nothing_said(AUTO, &[("/updateStrategy", json!(MANUAL)), NO_SURGE[0].clone(), NO_SURGE[1].clone(), ("/machine/type", json!("n"))], &[])]
#[case::nothing_said(AUTO, &[("/dataVolumes", json!([{"name": "d", "size": "10Gi"}]))], &[])]
fn a_strategy_and_what_it_keeps(
    #[case] strategy: &str,
    #[case] edits: &[Edit<'_>],
    #[case] expected: &[&str],
) {
    let old = one(strategy);
    assert_eq!(updated(&setup(), &old, &with(&old, edits)), expected);
}

#[test]
fn in_profile_documented() {
    let old = one(AUTO);
    let mut new = with(&old, &NO_SURGE);
    new = with(&new, &[("/updateStrategy", json!(MANUAL)), ("/machine/type", json!("n"))]);
    assert_eq!(
        updated(&documented(), &old, &new),
        ["shoot/in-place-immutable-while-switching Invalid workers[0].machine.type"]
    );
    let mut switched = old.clone();
    switched = with(&switched, &NO_SURGE);
    switched = with(&switched, &[("/updateStrategy", json!(MANUAL))]);
    assert_eq!(updated(&documented(), &old, &switched), [""; 0]);
}

#[test]
fn the_place_of_a_pool_does_not_matter() {
    let old = shoot("1.33.1", &[pool("a", AUTO), pool("b", ROLLING)]);
    let new = shoot("1.33.1", &[pool("b", ROLLING), pool("a", AUTO)]);
    assert_eq!(updated(&documented(), &old, &new), [""; 0]);
}

#[rstest]
#[case::in_place_minor_skip(AUTO, json!("1.33.1"), &["shoot/in-place-minor-skip Forbidden workers[0].kubernetes.version"])]
#[case::in_place_minor_skip(AUTO, json!(null), &["shoot/in-place-minor-skip Forbidden workers[0].kubernetes.version"])]
#[case::one_minor(AUTO, json!("1.32.1"), &[])]
#[case::nothing_said(ROLLING, json!("1.33.1"), &[])]
fn minor_versions(#[case] strategy: &str, #[case] pin: Value, #[case] expected: &[&str]) {
    let old = with(&one(strategy), &[("/kubernetes/version", json!("1.31.1"))]);
    let new = with(&old, &[("/kubernetes/version", pin)]);
    assert_eq!(updated(&setup(), &old, &new), expected);
    if strategy == ROLLING {
        let rolls = "this change rolls, replacing every machine of `a` (kubernetes.version)";
        assert_eq!(warned(&old, &new), [rolls]);
    }
}

#[rstest]
#[case::in_place_image_downgrade(AUTO, "2.0.0", "1.9.9", &["shoot/in-place-image-downgrade Forbidden workers[0].machine.image.version"])]
#[case::rolling(ROLLING, "2.0.0", "1.9.9", &[])]
#[case::nothing_said(AUTO, "2.0.0", "2.0.0-beta", &[])]
#[case::in_place_image_version_unreadable(AUTO, "1.2.3.4", "1.2.3.4", &["shoot/in-place-image-version-unreadable Invalid workers[0].machine.image.version"])]
#[case::empty_stays_as_it_was(AUTO, "2.0.0", "", &[])]
fn image_versions(
    #[case] strategy: &str,
    #[case] old: &str,
    #[case] new: &str,
    #[case] expected: &[&str],
) {
    let old = with(&one(strategy), &[("/machine/image/version", json!(old))]);
    let new = with(&old, &[("/machine/image/version", json!(new)), ("/labels", json!({"a": "b"}))]);
    assert_eq!(updated(&setup(), &old, &new), expected);
}

const DNS: &str = "/spec/systemComponents/nodeLocalDNS";
const TOGGLE: &str =
    "shoot/in-place-node-local-dns-toggle Forbidden spec.systemComponents.nodeLocalDNS";

#[rstest]
#[case("1.33.1", "1.33.1", json!(null), &[TOGGLE])]
#[case::iptables("1.34.0", "1.34.0", json!(null), &[])]
#[case::ipvs("1.34.0", "1.34.0", json!({"enabled": true, "mode": "IPVS"}), &[TOGGLE])]
#[case("1.33.1", "1.34.0", json!(null), &[TOGGLE])]
fn node_local_dns(
    #[case] old: &str,
    #[case] new: &str,
    #[case] proxy: Value,
    #[case] expected: &[&str],
) {
    let old = with(&shoot(old, &[pool("a", AUTO)]), &[("/spec/kubernetes/kubeProxy", proxy)]);
    let on = [(DNS, json!({"enabled": true})), ("/spec/kubernetes/version", json!(new))];
    assert_eq!(updated(&setup(), &old, &with(&old, &on)), expected);
}

#[test]
fn node_local_dns_stays_if_the_stored_version_cannot_be_read() {
    let old = shoot("1.x", &[pool("a", AUTO)]);
    let on = [(DNS, json!({"enabled": true})), ("/spec/kubernetes/version", json!("1.34.0"))];
    let found = updated(&setup(), &old, &with(&old, &on));
    let expected = "shoot/in-place-node-local-dns-toggle Invalid spec.kubernetes.version";
    assert!(found.iter().any(|it| it == expected), "{found:?}");
}

#[test]
fn a_new_in_place_pool_has_the_new_setting_from_the_start() {
    let old = one(ROLLING);
    let new = shoot("1.33.1", &[pool("a", ROLLING), pool("b", AUTO)]);
    let new = with(&new, &[(DNS, json!({"enabled": true}))]);
    assert_eq!(updated(&setup(), &old, &new), [""; 0]);
    let rolls = "this change rolls, replacing every machine of `a` (node-local DNS)";
    assert_eq!(warned(&old, &new), [rolls]);
}

#[test]
fn absent_is_off() {
    let old = one(AUTO);
    let new = with(&old, &[(DNS, json!({"enabled": false}))]);
    assert_eq!(updated(&setup(), &old, &new), [""; 0]);
}

const PENDING: &str = "shoot/in-place-update-pending Forbidden workers[0]";
const KUBELET: &str = "/spec/kubernetes/kubelet/maxPods";

#[rstest]
#[case("autoInPlaceUpdate", &[("/maximum", json!(4))], &[PENDING])]
#[case::inherited("autoInPlaceUpdate", &[(KUBELET, json!(50))], &[PENDING])]
#[case("manualInPlaceUpdate", &[("/labels", json!({"a": "b"}))], &[PENDING])]
#[case("autoInPlaceUpdate", &[("/spec/kubernetes/version", json!("1.33.2"))], &[PENDING])]
#[case::configuration("autoInPlaceUpdate", &[("/providerConfig", json!({"a": 1}))], &[PENDING])]
#[case::nothing("autoInPlaceUpdate", &[], &[])]
#[case::an_image_that_is_kept("autoInPlaceUpdate", &[("/machine/image", json!(null))], &[])]
#[case::another_pool("autoInPlaceUpdate", &[("/spec/provider/workers/1/maximum", json!(4))], &[])]
#[case::a_respelled_duration("autoInPlaceUpdate", &[("/machineControllerManager/machineDrainTimeout", json!("1m"))], &[])]
fn while_updated_in_place(
    #[case] list: &str,
    #[case] edits: &[Edit<'_>],
    #[case] expected: &[&str],
) {
    let old = shoot("1.33.1", &[pool("a", AUTO), pool("b", ROLLING)]);
    let old = with(&old, &[("/machineControllerManager/machineDrainTimeout", json!("60s"))]);
    let old = pending(old, list, &["a"]);
    assert_eq!(updated(&setup(), &old, &with(&old, edits)), expected);
}

#[test]
fn an_image_without_a_version_that_stays_is_no_change() {
    let old = with(&one(AUTO), &[("/machine/image", json!({"name": "os", "version": ""}))]);
    let old = pending(old, "autoInPlaceUpdate", &["a"]);
    assert!(!updated(&setup(), &old, &old).contains(&PENDING.to_owned()));
}

#[test]
fn image_of_a_shoot_in_deletion_is_not_filled_in() {
    let mut object = with(&one(ROLLING), &[("/machine/image", json!(null))]);
    object["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
    let review = setup().review(&request("shoots", "UPDATE", &object, Some(&object)));
    let patch = review.patch.to_string();
    assert!(!patch.contains("machine/image"), "{patch}");
}

#[test]
fn own_kubelet_settings_shield_a_pool() {
    let old = with(&one(AUTO), &[("/kubernetes/kubelet/maxPods", json!(40))]);
    let old = pending(old, "autoInPlaceUpdate", &["a"]);
    assert_eq!(updated(&setup(), &old, &with(&old, &[(KUBELET, json!(50))])), [""; 0]);
}

#[test]
fn the_pool_may_go() {
    let old = shoot("1.33.1", &[pool("a", AUTO), pool("b", ROLLING)]);
    let old = pending(old, "autoInPlaceUpdate", &["a"]);
    let new = with(&shoot("1.33.1", &[pool("b", ROLLING)]), &[("/maximum", json!(9))]);
    assert_eq!(updated(&setup(), &old, &new), [""; 0]);
}

const NOT_ALONE: &str = "shoot/force-in-place-update-not-alone Forbidden metadata.annotations[gardener.cloud/operation]";

#[rstest]
#[case::nothing_said(OPERATION, "force-in-place-update", &[])]
#[case::spaces_do_not_matter(OPERATION, " force-in-place-update ;force-in-place-update", &[])]
#[case(OPERATION, "force-in-place-update;reconcile", &[NOT_ALONE, PENDING])]
#[case(MAINTENANCE, "force-in-place-update", &[PENDING])]
fn forced(#[case] key: &str, #[case] operations: &str, #[case] expected: &[&str]) {
    let old = pending(one(AUTO), "autoInPlaceUpdate", &["a"]);
    let new = annotated(with(&old, &[("/maximum", json!(4))]), key, operations);
    assert_eq!(updated(&setup(), &old, &new), expected);
}

#[test]
fn forcing_lifts_no_other_rule() {
    let old = pending(one(AUTO), "autoInPlaceUpdate", &["a"]);
    let new = with(&old, &[("/machine/type", json!("n"))]);
    assert_eq!(
        updated(&setup(), &old, &annotated(new, OPERATION, "force-in-place-update")),
        ["shoot/in-place-immutable-machine-type Invalid workers[0].machine.type"]
    );
}

#[test]
fn the_stored_status_counts() {
    let old = pending(one(AUTO), "autoInPlaceUpdate", &["a"]);
    let mut new = with(&old, &[("/maximum", json!(4))]);
    new["status"] = json!({});
    assert_eq!(updated(&setup(), &old, &new), [PENDING]);
}

#[test]
fn forcing_needs_no_pool_in_place() {
    let old = one(ROLLING);
    let new = annotated(old.clone(), OPERATION, "force-in-place-update");
    assert_eq!(updated(&documented(), &old, &new), [""; 0]);
    assert_eq!(created(&setup(), &new), [""; 0]);
}

#[rstest]
#[case(OPERATION, "rotate-ca-start", true)]
#[case::maintenance(MAINTENANCE, "rotate-ca-start", true)]
#[case::without_rollout(
    OPERATION,
    "reconcile;rotate-credentials-start-without-workers-rollout",
    true
)]
#[case(OPERATION, "rotate-ca-complete", false)]
fn rotations_wait(#[case] key: &str, #[case] operations: &str, #[case] denied: bool) {
    for list in ["autoInPlaceUpdate", "manualInPlaceUpdate"] {
        let old = pending(one(AUTO), list, &["a"]);
        let new = annotated(old.clone(), key, operations);
        let finding = "shoot/in-place-pending-blocks-rotation Forbidden metadata.annotations";
        let expected: Vec<String> =
            denied.then(|| format!("{finding}[{key}]")).into_iter().collect();
        assert_eq!(updated(&setup(), &old, &new), expected, "{list}");
    }
}

#[rstest]
#[case("rollout-workers=*", true)]
#[case::named("rollout-workers=a,m", true)]
#[case::others("rollout-workers=a", false)]
#[case::rotation("rotate-rollout-workers=m", false)]
fn machines_in_place_are_not_replaced(#[case] operation: &str, #[case] denied: bool) {
    let old = shoot("1.33.1", &[pool("a", ROLLING), pool("m", MANUAL)]);
    let new = annotated(old.clone(), OPERATION, operation);
    let review = setup().review(&request("shoots", "UPDATE", &new, Some(&old)));
    let field = "metadata.annotations[gardener.cloud/operation]";
    let finding = format!("shoot/rollout-workers-in-place Invalid {field}");
    let expected: Vec<String> = denied.then_some(finding).into_iter().collect();
    assert_eq!(found(&review), expected);
    if denied {
        assert_eq!(review.findings[0].value, "m");
    }
}

const UNSUPPORTED: &str = "shoot/in-place-image-unsupported Invalid workers[0].machine.image";
const MIN_VERSION: &str = "shoot/in-place-image-min-version Invalid workers[0].machine.image";

#[rstest]
#[case::nothing_said(json!({"supported": true}), &[])]
#[case(json!({"supported": false}), &[UNSUPPORTED])]
#[case::no_block(json!(null), &[UNSUPPORTED])]
fn images_of_new_pools(#[case] in_place: Value, #[case] expected: &[&str]) {
    let setup = with_images(json!([image("2.0.0", in_place)]));
    assert_eq!(created(&setup, &one(AUTO)), expected);
    let old = one(ROLLING);
    let new = shoot("1.33.1", &[pool("b", AUTO), pool("a", ROLLING)]);
    assert_eq!(updated(&setup, &old, &new), expected);
}

#[rstest]
#[case("1.2.2", json!({"supported": true}), &[MIN_VERSION])]
#[case::below("1.2.2", json!({"supported": true, "minVersionForUpdate": "1.2.4"}), &[MIN_VERSION])]
#[case::equal("1.2.4", json!({"supported": true, "minVersionForUpdate": "1.2.4"}), &[])]
#[case::candidate("1.2.4-rc1", json!({"supported": true, "minVersionForUpdate": "1.2.4"}), &[])]
fn images_of_existing_pools(#[case] old: &str, #[case] in_place: Value, #[case] expected: &[&str]) {
    let setup = with_images(json!([image("2.0.0", in_place)]));
    let new = one(AUTO);
    let old = with(&new, &[("/machine/image/version", json!(old))]);
    assert_eq!(updated(&setup, &old, &new), expected);
}

#[test]
fn settings_of_an_image_are_part_of_it() {
    let setup = with_images(json!([image("2.0.0", json!({"supported": true}))]));
    let old = one(AUTO);
    let new = with(&old, &[("/machine/image/providerConfig", json!({"a": 1}))]);
    assert_eq!(updated(&setup, &old, &new), [MIN_VERSION]);
}

#[test]
fn an_unchanged_image_is_not_judged() {
    let setup = with_images(json!([image("2.0.0", json!({"supported": false}))]));
    let old = one(AUTO);
    let new = with(&old, &[("/maximum", json!(9))]);
    assert_eq!(updated(&setup, &old, &new), [""; 0]);
}

#[test]
fn the_lowest_version_to_update_from_is_a_version() {
    let in_place = json!({"supported": false, "minVersionForUpdate": "abc"});
    let kubernetes = ["1.31.1", "1.32.1", "1.33.1", "1.33.2", "1.33.9", "1.34.0"]
        .map(|it| json!({"version": it}));
    let spec = json!({"type": "t", "kubernetes": {"versions": kubernetes}, "machineImages": [{"name": "os", "versions": [image("2.0.0", in_place)]}]});
    let profile = json!({"metadata": {"name": "cp"}, "spec": spec});
    let review = setup().review(&request("cloudprofiles", "CREATE", &profile, None));
    let field = "spec.machineImages[0].versions[0].minVersionForInPlaceUpdate";
    let denied = review.findings.iter().filter(|it| it.field == field);
    assert_eq!(denied.count(), 1, "{:?}", review.findings);
}

#[test]
fn a_minor_version_rolls_the_pools_that_follow_it() {
    let mut b = pool("b", ROLLING);
    b["kubernetes"] = json!({"version": "1.33.1"});
    let old = shoot("1.33.1", &[pool("a", ROLLING), b]);
    let new = with(&old, &[("/spec/kubernetes/version", json!("1.34.0"))]);
    let rolls = "this change rolls, replacing every machine of `a` (kubernetes.version)";
    assert_eq!(warned(&old, &new), [rolls]);
}

#[rstest]
#[case::known_number(
    3,
    3,
    "3 machines in 1 pool are replaced in 3 waves, 9 min to 30 min; 1 extra machine at a time"
)]
#[case::range(
    1,
    2,
    "1 to 2 machines in 1 pool are replaced in 1 to 2 waves, 3 min to 20 min; 1 extra machine at a time"
)]
fn warning_has_the_numbers_of_the_plan(
    #[case] minimum: i64,
    #[case] maximum: i64,
    #[case] expected: &str,
) {
    let size = [("/minimum", json!(minimum)), ("/maximum", json!(maximum))];
    let old = with(&one(ROLLING), &size);
    let new = with(&old, &[("/machine/type", json!("n"))]);
    let rolls = "this change rolls, replacing every machine of `a` (machine.type)";
    assert_eq!(warned_with_numbers(&old, &new), [format!("{rolls}: {expected}")]);
}

const POLICY: &str = "/spec/kubernetes/kubelet/cpuManagerPolicy";
const RESERVED: &str = "/spec/kubernetes/kubelet/kubeReserved";

#[rstest]
#[case(&[], &[("/spec/kubernetes/version", json!("1.33.9"))], None)]
#[case(&[], &[(POLICY, json!("none"))], Some("kubelet.cpuManagerPolicy"))]
#[case::own(&[("/kubernetes/kubelet/maxPods", json!(9))], &[(POLICY, json!("none"))], None)]
#[case::none(&[(RESERVED, json!({"memory": "1Gi"}))], &[(RESERVED, json!({"memory": "1024Mi"}))], None)]
#[case::roll(&[(RESERVED, json!({"memory": "1Gi"}))], &[(RESERVED, json!({"memory": 1_073_741_824}))], Some("kubelet.kubeReserved"))]
#[case(&[("/spec/kubernetes/kubelet/evictionHard/memoryAvailable", json!("1Gi"))], &[("/spec/kubernetes/kubelet/evictionHard/memoryAvailable", json!("1024Mi"))], Some("kubelet.evictionHard"))]
#[case(&[(RESERVED, json!({"cpu": "80m", "memory": "1Gi", "pid": "20k"}))], &[(RESERVED, json!(null))], None)]
#[case(&[], &[("/kubernetes/kubelet/maxPods", json!(50))], Some("kubelet.kubeReserved"))]
#[case::at_1_34(&[("/spec/kubernetes/version", json!("1.34.0")), (DNS, json!({"enabled": true})), ("/spec/kubernetes/kubeProxy/mode", json!("IPVS"))], &[("/spec/kubernetes/kubeProxy/mode", json!("IPTables"))], Some("node-local DNS"))]
#[case::at_1_33(&[(DNS, json!({"enabled": true})), ("/spec/kubernetes/kubeProxy/mode", json!("IPVS"))], &[("/spec/kubernetes/kubeProxy/mode", json!("IPTables"))], None)]
#[case(&[], &[("/labels", json!({"a": "b"})), ("/taints", json!([{"key": "a", "effect": "NoSchedule"}])), ("/zones", json!(["z"])), ("/caBundle", json!("x")), ("/maxSurge", json!(2))], None)]
#[case(&[("/spec/hibernation/enabled", json!(true))], &[("/machine/type", json!("n"))], None)]
#[case::no_machines(&[("/maximum", json!(0)), ("/minimum", json!(0))], &[("/machine/type", json!("n"))], None)]
fn rolls(#[case] base: &[Edit<'_>], #[case] edits: &[Edit<'_>], #[case] cause: Option<&str>) {
    let old = with(&one(ROLLING), base);
    let expected: Vec<String> = cause
        .map(|cause| format!("this change rolls, replacing every machine of `a` ({cause})"))
        .into_iter()
        .collect();
    assert_eq!(warned(&old, &with(&old, edits)), expected);
}

#[rstest]
#[case::volume("/volume/encrypted", json!(true), "volume")]
#[case::provider("/providerConfig", json!({"spot": true}), "providerConfig")]
fn may_roll(#[case] field: &str, #[case] value: Value, #[case] cause: &str) {
    let old = one(ROLLING);
    let said = format!("this change may roll, if the provider says so, `a` ({cause})");
    assert_eq!(warned(&old, &with(&old, &[(field, value)])), [said]);
}

#[test]
fn a_new_image_updates_in_place() {
    let old = one(AUTO);
    let new = with(&old, &[("/machine/image/version", json!("2.1.0"))]);
    let said = "this change updates in place the nodes of `a` (machine.image.version)";
    assert_eq!(warned(&old, &new), [said]);
}

#[rstest]
#[case("rotate-ca-start", &[
    "this change rolls, replacing every machine of `a`, `b` (rotate-ca-start)",
    "this change updates in place the nodes of `c` (rotate-ca-start)",
])]
#[case::without("rotate-ca-start-without-workers-rollout", &[])]
#[case::chosen_pools("rollout-workers=b", &["this change rolls, replacing every machine of `b` (rollout-workers)"])]
fn operations(#[case] operation: &str, #[case] expected: &[&str]) {
    let old = shoot("1.33.1", &[pool("a", ROLLING), pool("b", ROLLING), pool("c", AUTO)]);
    let new = annotated(old.clone(), OPERATION, operation);
    let mut said = warned(&old, &new);
    said.sort();
    assert_eq!(said, expected);
    assert_eq!(warned(&new, &new), [""; 0], "what was asked before is not new");
}

#[test]
fn raw_manifests_are_defaulted_first() {
    let new = one(ROLLING);
    let old = with(&new, &[("/cri", json!(null)), ("/updateStrategy", json!(null))]);
    assert_eq!(warned(&old, &new), [""; 0]);
}

#[test]
fn effects_are_grouped_with_pools_in_order() {
    let old = shoot("1.33.1", &["a", "b", "c", "d", "e", "f", "g"].map(|name| pool(name, ROLLING)));
    let mut new = with(&old, &[("/machine/type", json!("n")), ("/volume/size", json!("9Gi"))]);
    for index in 1..7 {
        new["spec"]["provider"]["workers"][index]["machine"]["type"] = json!("n");
    }
    new["spec"]["maintenance"] = json!({"confineSpecUpdateRollout": true});
    let said = "in the maintenance window, this change rolls, replacing every machine of \
        `a` (machine.type, volume.size), `b`, `c`, `d`, `e` (machine.type) and 2 more";
    assert_eq!(warned(&old, &new), [said]);
}
