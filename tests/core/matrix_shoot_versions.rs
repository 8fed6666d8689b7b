// SPDX-License-Identifier: Apache-2.0
//! Kubernetes and machine image versions of Shoots; for maintenance see `matrix_maintenance`.

use crate::judging::{Setup, denials, request};
use crate::profiles::Calendar;

use garden_gate_core::admission::Review;
use garden_gate_core::config::{Level, Profile};
use garden_gate_core::garden::{GardenObject, Knowledge, Snapshot};
use garden_gate_model::api::{CloudProfile, ExpirableVersion, NamespacedCloudProfile};
use garden_gate_model::gardener::defaults::cloud_profile;
use garden_gate_model::gardener::version::current_classification;
use rstest::rstest;
use serde_json::{Value, json};

const NOW: &str = "2026-01-15T12:00:00Z";
const PAST: &str = "2024-01-31T23:59:59Z";
const FUTURE: &str = "2026-02-01T12:00:00Z";
const CONTROL_PLANE: &str = "/spec/kubernetes/version";
const POOL: &str = "/spec/provider/workers/0";

const CALENDAR: Calendar = Calendar { now: NOW, past: PAST, soon: FUTURE };

/// Returns versions with their architectures.
fn versions(texts: &[&str], architectures: &[&str]) -> Value {
    let mut versions = CALENDAR.versions(&texts.join("; "));
    for version in versions.as_array_mut().unwrap() {
        version["architectures"] = json!(architectures);
    }
    versions
}

const KP: [&str; 9] = [
    "1.33.0 =preview",
    "1.32.4",
    "1.32.3 =deprecated",
    "1.31.8 =deprecated @past",
    "1.31.7 =supported",
    "1.31.6 =deprecated @soon",
    "1.30.9 =deprecated @past",
    "1.29.12 =deprecated",
    "1.28.5 =deprecated",
];
const IP: [&str; 6] = ["3.0.0 =preview", "2.1.0", "2.0.1", "2.0.0", "1.2.1 @soon", "1.1.1 @past"];
const BOTH: [&str; 2] = ["amd64", "arm64"];

fn image(name: &str, versions: Value) -> Value {
    json!({"name": name, "versions": versions})
}

fn setup(images: Value) -> Setup {
    let types = json!([{"name": "large", "architecture": "amd64"}]);
    let spec = json!({"kubernetes": {"versions": versions(&KP, &[])}, "machineImages": images, "machineTypes": types});
    with_profile(json!({"metadata": {"name": "cp"}, "spec": spec}))
}

fn with_profile(profile: Value) -> Setup {
    let mut profile = serde_json::from_value(profile).unwrap();
    cloud_profile(&mut profile);
    let mut setup = Setup::with_project(None).with_seed("");
    setup.config.feature_gates.in_place_node_updates = true;
    setup.now = NOW;
    setup.garden.apply(GardenObject::from(profile));
    setup
}

fn standard() -> Setup {
    let os2 = versions(&["1.0.0", "1.1.0", "1.1.1 @past"], &BOTH);
    setup(json!([image("os", versions(&IP, &BOTH)), image("os2", os2)]))
}

fn documented() -> Setup {
    let mut setup = standard();
    setup.config.profile = Profile::Documented;
    setup
}

fn pool(name: &str, image: &[&str]) -> Value {
    let image = match image {
        [] => Value::Null,
        [name] => json!({"name": name}),
        [name, version, ..] => json!({"name": name, "version": version}),
    };
    json!({"name": name, "minimum": 1, "maximum": 3, "machine": {"type": "large", "architecture": "amd64", "image": image}})
}

fn shoot(version: &str, pools: &[Value]) -> Value {
    let spec = json!({
        "cloudProfile": {"name": "cp"},
        "kubernetes": {"version": version},
        "provider": {"workers": pools},
        "maintenance": {"timeWindow": {"begin": "220000+0000", "end": "230000+0000"}},
    });
    json!({"metadata": {"name": "s", "namespace": "garden-p"}, "spec": spec})
}

/// Returns a Shoot with one pool `a` of image `os` 2.0.0 and this Kubernetes version.
fn pinned(version: &str, own: Option<&str>) -> Value {
    let mut pool = pool("a", &["os", "2.0.0"]);
    if let Some(own) = own {
        pool["kubernetes"] = json!({"version": own});
    }
    shoot(version, &[pool])
}

fn with(object: &Value, pointer: &str, value: Value) -> Value {
    let mut object = object.clone();
    let (parent, field) = pointer.rsplit_once('/').unwrap();
    object.pointer_mut(parent).unwrap()[field] = value;
    object
}

fn labelled(object: &Value) -> Value {
    with(object, "/metadata/labels", json!({"a": "b"}))
}

fn reviewed(setup: &Setup, new: &Value, old: Option<&Value>) -> Review {
    let operation = if old.is_some() { "UPDATE" } else { "CREATE" };
    setup.review(&request("shoots", operation, new, old))
}

fn created(setup: &Setup, new: &Value) -> Vec<String> {
    denials(&reviewed(setup, new, None))
}

fn updated(setup: &Setup, old: &Value, new: &Value) -> Vec<String> {
    denials(&reviewed(setup, new, Some(old)))
}

/// Returns the stored value at `pointer`.
fn stored(setup: &Setup, new: &Value, old: Option<&Value>, pointer: &str) -> Value {
    let review = reviewed(setup, new, old);
    assert_eq!(denials(&review), [""; 0]);
    let mut after = new.clone();
    json_patch::patch(&mut after, &review.patch).unwrap();
    let again = reviewed(setup, &after, old);
    assert!(again.patch.is_empty(), "{}", again.patch);
    after.pointer(pointer).cloned().unwrap_or_default()
}

#[rstest]
#[case(json!({}), "supported")]
#[case::now(json!({"expirationDate": NOW}), "supported")]
#[case::before(json!({"expirationDate": "2026-01-15T11:59:59.999999999Z"}), "expired")]
#[case(json!({"classification": "preview", "expirationDate": PAST}), "expired")]
#[case(json!({"lifecycle": [{"classification": "preview", "startTime": FUTURE}]}), "unavailable")]
#[case(json!({"expirationDate": PAST, "lifecycle": [{"classification": "supported"}, {"classification": "deprecated", "startTime": PAST}, {"classification": "expired", "startTime": FUTURE}]}), "deprecated")]
fn classified(#[case] version: Value, #[case] expected: &str) {
    let version: ExpirableVersion = serde_json::from_value(version).unwrap();
    let now = NOW.parse().unwrap();
    assert_eq!(current_classification(&version, now), expected);
}

#[rstest]
#[case::empty("", "1.32.4")]
#[case::major("1", "1.32.4")]
#[case::dot("1.", "1.32.4")]
#[case::four_parts("1.31.7.0", "1.32.4")]
#[case("1.31", "1.31.7")]
#[case::minor_only(".31", "1.31.7")]
#[case::preview("1.33.0", "1.33.0")]
#[case::deprecated("1.32.3", "1.32.3")]
fn a_new_control_plane(#[case] given: &str, #[case] expected: &str) {
    let stored = stored(&standard(), &shoot(given, &[]), None, CONTROL_PLANE);
    assert_eq!(stored, expected);
}

#[rstest]
#[case::expired("1.30", "1.30")]
#[case::deprecated("1.29", "1.29")]
#[case::preview("1.33", "1.33")]
#[case::other_minor("1.3", "1.3")]
#[case("foo", "foo")]
#[case::minor("1.bar", "bar")]
#[case::v("v1.31", "v1")]
fn a_control_plane_that_cannot_be_resolved(#[case] given: &str, #[case] value: &str) {
    let review = reviewed(&standard(), &shoot(given, &[]), None);
    let id = "shoot/kubernetes-version-unresolved";
    let finding = review.findings.iter().find(|it| it.finding == id).unwrap();
    assert_eq!(finding.value, value);
    assert_eq!(finding.phase.code(), 403);
    assert!(review.patch.is_empty());
}

#[rstest]
#[case::preview("1.33", "use a version in full: `1.33.0` (preview)")]
#[case::deprecated("1.29", "use a version in full: `1.29.12`")]
#[case::other_minor(
    "1.3",
    "use a version in full; the profile offers `1.33.0` (preview), `1.32.4`, `1.32.3`, `1.31.7`, `1.31.6` and 2 more"
)]
#[case::malformed(
    "1.bar",
    "use a version in full; the profile offers `1.33.0` (preview), `1.32.4`, `1.32.3`, `1.31.7`, `1.31.6` and 2 more"
)]
fn help_for_an_unresolved_version_names_versions_of_the_profile(
    #[case] given: &str,
    #[case] help: &str,
) {
    let review = reviewed(&standard(), &shoot(given, &[]), None);
    let id = "shoot/kubernetes-version-unresolved";
    let finding = review.findings.iter().find(|it| it.finding == id).unwrap();
    assert_eq!(finding.help, help);
    let twice = denials(&review);
    assert!(!twice.iter().any(|it| it.contains("version-unknown")), "{twice:?}");
}

#[rstest]
#[case::expired("1.31.8", "shoot/kubernetes-version-expired")]
#[case::unknown("1.2.3", "shoot/kubernetes-version-unknown")]
#[case::other_spelling("v1.31.7", "shoot/kubernetes-version-unknown")]
fn a_control_plane_that_is_not_offered(#[case] given: &str, #[case] id: &str) {
    let review = reviewed(&standard(), &shoot(given, &[]), None);
    let expected = format!("{id} NotSupported spec.kubernetes.version");
    assert_eq!(denials(&review), [expected]);
    assert_eq!(
        review.findings[0].help,
        "the profile offers `1.33.0` (preview), `1.32.4`, `1.32.3`, `1.31.7`, `1.31.6` and 2 more"
    );
}

const DOWNGRADE: &str = "shoot/kubernetes-version-downgrade Forbidden spec.kubernetes.version";
const SKIP: &str = "shoot/kubernetes-version-skips-minor Forbidden spec.kubernetes.version";
const NOT_LISTED: &str = "shoot/kubernetes-version-unknown NotSupported spec.kubernetes.version";

#[rstest]
#[case::nothing_said("1.31.7", "1.31.8", &[])]
#[case("1.31.7", "1.31.9", &[NOT_LISTED])]
#[case("1.31.7", "1.31.6", &[DOWNGRADE])]
#[case("1.30.9", "1.32.4", &[SKIP])]
#[case::major("1.30.9", "2.0.0", &[SKIP, NOT_LISTED])]
#[case("1.32.4", "1.31", &[DOWNGRADE])]
#[case("1.31.8", "1.31", &[DOWNGRADE])]
fn an_existing_control_plane(#[case] old: &str, #[case] new: &str, #[case] expected: &[&str]) {
    assert_eq!(updated(&standard(), &shoot(old, &[]), &shoot(new, &[])), expected);
}

#[test]
fn listed_versions_are_available() {
    let (old, new) = (shoot("1.31.7", &[]), shoot("1.31.9", &[]));
    let review = reviewed(&standard(), &new, Some(&old));
    assert!(review.findings[0].help.contains("`1.31.8`"));
}

#[test]
fn a_version_that_stays_needs_no_profile_entry() {
    let object = shoot("1.28.1", &[]);
    assert_eq!(updated(&standard(), &object, &labelled(&object)), [""; 0]);
}

#[test]
fn following_pools_are_reported() {
    let (old, new) = (pinned("1.31.7", None), pinned("1.31.6", None));
    let pool = "shoot/worker-kubernetes-version-downgrade Forbidden spec.provider.workers[0].kubernetes.version";
    assert_eq!(updated(&standard(), &old, &new), [DOWNGRADE, pool]);
}

#[test]
fn a_pool_that_rolls_may_skip_a_minor_version() {
    let (old, new) = (pinned("1.30.9", None), pinned("1.32.4", None));
    assert_eq!(updated(&standard(), &old, &new), [SKIP]);
}

#[test]
fn a_version_that_is_removed_becomes_the_latest() {
    let (old, new) = (shoot("1.31.7", &[]), shoot("", &[]));
    assert_eq!(stored(&standard(), &new, Some(&old), CONTROL_PLANE), "1.32.4");
}

#[test]
fn a_pool_without_a_version_stays_without() {
    let new = with(&pinned("1.32.4", None), &format!("{POOL}/kubernetes"), json!({}));
    let own = stored(&standard(), &new, None, &format!("{POOL}/kubernetes"));
    assert_eq!(own, json!({}));
}

const OWN: &str = "spec.provider.workers[0].kubernetes.version";

#[rstest]
#[case::above_control_plane("1.31.6", "1.31", &["above-control-plane Forbidden"])]
#[case::three_behind("1.32.4", "1.29.12", &[])]
#[case::four_behind("1.32.4", "1.28.5", &["skew Forbidden"])]
#[case("1.32.4", "1.31.8", &["expired NotSupported"])]
#[case("1.32.4", "1.30.x", &["incomparable Invalid", "unknown NotSupported"])]
fn new_pool_with_a_separate_version(
    #[case] control_plane: &str,
    #[case] own: &str,
    #[case] expected: &[&str],
) {
    let found = created(&standard(), &pinned(control_plane, Some(own)));
    let expected: Vec<String> =
        expected.iter().map(|it| format!("shoot/worker-kubernetes-version-{it} {OWN}")).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_control_plane_version_that_cannot_be_read_is_compared_as_far_as_it_goes() {
    let found = created(&standard(), &pinned("1.31.x", Some("1.32.4")));
    let found: Vec<&str> = found.iter().filter_map(|it| it.strip_suffix(OWN)).collect();
    let expected = ["above-control-plane Forbidden ", "incomparable Invalid "];
    assert_eq!(found, expected.map(|it| format!("shoot/worker-kubernetes-version-{it}")));
}

#[test]
fn an_existing_pool_may_go_to_an_expired_version() {
    let (old, new) = (pinned("1.31.7", None), pinned("1.32.4", Some("1.31.8")));
    assert_eq!(updated(&standard(), &old, &new), [""; 0]);
}

#[rstest]
#[case::worker_kubernetes_version_expired(
    "1.31.7",
    "1.32.4",
    Some("shoot/worker-kubernetes-version-expired NotSupported")
)]
#[case::above(
    "1.31.7",
    "1.31.7",
    Some("shoot/worker-kubernetes-version-above-control-plane Forbidden")
)]
#[case("1.31.8", "1.31.8", None)]
fn an_added_pool(#[case] before: &str, #[case] after: &str, #[case] expected: Option<&str>) {
    let old = pinned(before, None);
    let mut new = pinned(after, None);
    let mut added = pool("b", &["os", "2.0.0"]);
    added["kubernetes"] = json!({"version": "1.31.8"});
    let pools = new.pointer_mut("/spec/provider/workers").unwrap();
    pools.as_array_mut().unwrap().push(added);
    let found = updated(&standard(), &old, &new);
    let path = "spec.provider.workers[1].kubernetes.version";
    let first = expected.map(|it| format!("{it} {path}"));
    assert_eq!(found.first(), first.as_ref());
}

#[rstest]
#[case::rolling("AutoRollingUpdate", Some("1.31.7"), &[])]
#[case::in_place("AutoInPlaceUpdate", Some("1.31.7"), &["shoot/in-place-minor-skip Forbidden spec.provider.workers[0].kubernetes.version"])]
#[case::nothing_said("AutoRollingUpdate", None, &[])]
fn a_pool_goes_on(#[case] strategy: &str, #[case] own: Option<&str>, #[case] expected: &[&str]) {
    let strategy = |object| with(&object, &format!("{POOL}/updateStrategy"), json!(strategy));
    let old = strategy(pinned("1.32.4", Some("1.29.12")));
    let new = strategy(pinned("1.32.4", own));
    assert_eq!(updated(&standard(), &old, &new), expected);
}

/// Returns a Shoot whose deletion was confirmed.
fn confirmed(object: &Value) -> Value {
    let annotations = json!({"confirmation.gardener.cloud/deletion": "true"});
    with(object, "/metadata/annotations", annotations)
}

fn deleting(object: &Value) -> Value {
    with(object, "/metadata/deletionTimestamp", json!(PAST))
}

#[test]
fn rows_30_and_31_expired_versions_do_not_keep_a_shoot_from_going() {
    let old = confirmed(&shoot("1.30.9", &[pool("a", &["os", "1.1.1"])]));
    let mut request = request("shoots", "DELETE", &Value::Null, Some(&old));
    request["namespace"] = json!("garden-p");
    assert_eq!(denials(&standard().review(&request)), [""; 0]);
    let old = with(&deleting(&old), "/metadata/finalizers", json!(["gardener"]));
    let new = with(&old, "/metadata/finalizers", json!([]));
    assert_eq!(updated(&standard(), &old, &new), [""; 0]);
}

/// A field of a Shoot in deletion: its stored value, the new value, and whether they are equal.
#[rstest]
#[case::duration("/spec/kubernetes/kubeAPIServer", json!({"eventTTL": "1h0m0s"}), json!({"eventTTL": "1h"}), true)]
#[case::other_duration("/spec/kubernetes/kubeAPIServer", json!({"eventTTL": "1h0m0s"}), json!({"eventTTL": "2h"}), false)]
#[case::quantity("/spec/kubernetes/kubelet", json!({"kubeReserved": {"memory": "1Gi"}}), json!({"kubeReserved": {"memory": "1024Mi"}}), true)]
#[case::other_quantity("/spec/kubernetes/kubelet", json!({"kubeReserved": {"memory": "1Gi"}}), json!({"kubeReserved": {"memory": "1G"}}), false)]
#[case::threshold("/spec/kubernetes/kubelet", json!({"evictionHard": {"memoryAvailable": "1Gi"}}), json!({"evictionHard": {"memoryAvailable": "1024Mi"}}), false)]
#[case::empty_list("/spec/tolerations", json!(null), json!([]), true)]
#[case::empty_map("/spec/seedSelector", json!({"matchLabels": {}}), json!({}), true)]
#[case::replaced_dns_mode("/spec/systemComponents/coreDNS", json!({"autoscaling": {"mode": "horizontal"}}), json!({"autoscaling": {"mode": "a"}}), true)]
#[case::other_dns_mode("/spec/systemComponents/coreDNS", json!({"autoscaling": {"mode": "cluster-proportional"}}), json!({"autoscaling": {"mode": "a"}}), false)]
#[case::provider_config("/spec/networking/providerConfig", json!({"a": []}), json!({"a": []}), true)]
#[case::provider_config_without_a_list("/spec/networking/providerConfig", json!({"a": []}), json!({}), false)]
#[case::provider_config_with_null("/spec/networking/providerConfig", json!({"a": null}), json!({}), false)]
#[case::provider_config_with_a_fraction("/spec/networking/providerConfig", json!({"a": 1}), json!({"a": 1.0}), false)]
#[case::provider_config_with_a_duration("/spec/networking/providerConfig", json!({"a": "1h"}), json!({"a": "60m"}), false)]
fn values_in_a_shoot_in_deletion_are_compared_after_decoding(
    #[case] pointer: &str,
    #[case] stored: Value,
    #[case] sent: Value,
    #[case] is_same: bool,
) {
    let base = deleting(&pinned("1.31.7", None));
    let [old, new] = [stored, sent].map(|value| {
        let (parent, field) = pointer.rsplit_once('/').unwrap();
        let mut object = base.clone();
        if object.pointer(parent).is_none() {
            object = with(&object, parent, json!({}));
        }
        object.pointer_mut(parent).unwrap()[field] = value;
        object
    });
    let expected: &[&str] =
        if is_same { &[] } else { &["shoot/spec-frozen-when-deleting Forbidden spec"] };
    assert_eq!(updated(&standard(), &old, &new), expected);
}

#[test]
fn nothing_changes_while_a_shoot_is_being_deleted() {
    let old = deleting(&pinned("1.31.7", None));
    let new = with(&old, CONTROL_PLANE, json!("1.31.6"));
    let review = reviewed(&standard(), &new, Some(&old));
    let frozen = "shoot/spec-frozen-when-deleting Forbidden spec";
    assert_eq!(denials(&review), [frozen]);
    assert!(review.findings[0].message.ends_with("differs in `kubernetes`"));
}

#[test]
fn nothing_is_asked_about_what_stays() {
    let object = shoot("1.28.1", &[pool("a", &["os", "0.0.1"])]);
    assert_eq!(updated(&standard(), &object, &object), [""; 0]);
    let mut status = request("shoots", "UPDATE", &labelled(&object), Some(&object));
    status["subResource"] = json!("status");
    assert_eq!(denials(&standard().review(&status)), [""; 0]);
}

const IMAGE: &str = "/spec/provider/workers/0/machine/image";

#[rstest]
#[case::nil(&[], "2.1.0")]
#[case::name(&["os"], "2.1.0")]
#[case::major(&["os", "2"], "2.1.0")]
#[case::with_v(&["os", "v2"], "2.1.0")]
#[case::four_parts(&["os", "2.0.0.1"], "2.1.0")]
#[case::minor(&["os", "2.0"], "2.0.1")]
#[case::major(&["os", "1"], "1.2.1")]
#[case(&["os", "3.0.0"], "3.0.0")]
fn a_new_image(#[case] given: &[&str], #[case] expected: &str) {
    let new = shoot("1.32.4", &[pool("a", given)]);
    let image = stored(&standard(), &new, None, IMAGE);
    assert_eq!(image, json!({"name": "os", "version": expected}));
}

const UNRESOLVED: &str = "shoot/machine-image-unresolved Invalid spec.provider.workers[0]";
const EXPIRED: &str = "shoot/machine-image-expired Invalid spec.provider.workers[0].machine.image";
const UNKNOWN: &str =
    "shoot/machine-image-unknown NotSupported spec.provider.workers[0].machine.image.version";

#[rstest]
#[case::preview(&["os", "3"], UNRESOLVED)]
#[case::absent(&["os", "1.0"], UNRESOLVED)]
#[case::text(&["os", "1.bar"], UNRESOLVED)]
#[case::name(&["nope"], UNRESOLVED)]
#[case::name_and_version(&["nope", "1.2.3"], UNRESOLVED)]
#[case(&["os", "1.1"], EXPIRED)]
#[case(&["os", "1.1.1"], EXPIRED)]
#[case(&["os", "1.2.baz"], UNKNOWN)]
fn an_image_that_is_refused(#[case] given: &[&str], #[case] expected: &str) {
    let found = created(&standard(), &shoot("1.32.4", &[pool("a", given)]));
    assert_eq!(found[0], expected);
}

#[rstest]
#[case(&["1.0.0 =deprecated", "1.1.0 =deprecated", "2.0.0 =preview"], &[], "1.1.0")]
#[case(&["1.0.0 =supported", "1.1.0 =deprecated"], &[], "1.0.0")]
#[case(&["24.0", "24.0.20260101"], &["os", "24.0"], "24.0")]
#[case::prefix(&["24.0", "24.0.20260101"], &["os", "24"], "24.0.20260101")]
fn the_image_that_is_chosen(
    #[case] offered: &[&str],
    #[case] given: &[&str],
    #[case] expected: &str,
) {
    let setup = setup(json!([image("os", versions(offered, &BOTH))]));
    let new = shoot("1.32.4", &[pool("a", given)]);
    let version = stored(&setup, &new, None, &format!("{IMAGE}/version"));
    assert_eq!(version, expected);
}

#[test]
fn the_first_image_is_taken_for_a_known_machine_type() {
    let arm = image("arm", versions(&["1.0.0"], &["arm64"]));
    let setup = setup(json!([arm, image("os", versions(&["1.0.0"], &["amd64"]))]));
    let known = shoot("1.32.4", &[pool("a", &[])]);
    assert_eq!(created(&setup, &known)[0], UNRESOLVED);
    let unknown = with(&known, &format!("{POOL}/machine/type"), json!("other"));
    let name = stored(&setup, &unknown, None, &format!("{IMAGE}/name"));
    assert_eq!(name, "os");
}

#[test]
fn a_pool_updated_in_place_needs_an_image_for_that() {
    let new = shoot("1.32.4", &[pool("a", &["os"])]);
    let new = with(&new, &format!("{POOL}/updateStrategy"), json!("AutoInPlaceUpdate"));
    assert_eq!(created(&standard(), &new)[0], UNRESOLVED);
}

#[rstest]
#[case::nil(Value::Null)]
#[case::empty_version(json!({"name": "gone"}))]
fn an_existing_pool_keeps_its_image(#[case] given: Value) {
    let old = shoot("1.32.4", &[pool("a", &["gone", "0.1.0"])]);
    let new = labelled(&with(&old, IMAGE, given));
    let image = stored(&standard(), &new, Some(&old), IMAGE);
    assert_eq!(image, json!({"name": "gone", "version": "0.1.0"}));
}

#[rstest]
#[case::listed("1.1.1", &[])]
#[case::removed("1.0.0", &[UNKNOWN])]
fn a_provider_config_asks_again(#[case] version: &str, #[case] expected: &[&str]) {
    let old = shoot("1.32.4", &[pool("a", &["os", version])]);
    let new = with(&old, &format!("{IMAGE}/providerConfig"), json!({"x": 1}));
    assert_eq!(updated(&standard(), &old, &new), expected);
}

#[rstest]
#[case::rolling(&["os", "2.0.0"], &["os", "1.2.1"], &[])]
#[case::lower(&["os", "2.0.0"], &["os", "1.1.1"], &[EXPIRED])]
#[case::higher(&["os", "1.0.0"], &["os", "1.1.1"], &[])]
#[case::higher(&["os", "1.0.0"], &["os2", "1.1.1"], &[])]
#[case::lower(&["os", "2.0.0"], &["os2", "1.1.1"], &[EXPIRED])]
fn an_existing_pool_changes_its_image(
    #[case] old: &[&str],
    #[case] new: &[&str],
    #[case] expected: &[&str],
) {
    let [old, new] = [old, new].map(|image| shoot("1.32.4", &[pool("a", image)]));
    assert_eq!(updated(&standard(), &old, &new), expected);
}

#[test]
fn a_pool_updated_in_place_does_not_go_back() {
    let in_place = |image: &[&str]| {
        let object = shoot("1.32.4", &[pool("a", image)]);
        with(&object, &format!("{POOL}/updateStrategy"), json!("AutoInPlaceUpdate"))
    };
    let (old, new) = (in_place(&["os", "2.0.0"]), in_place(&["os", "1.2.1"]));
    let downgrade =
        "shoot/in-place-image-downgrade Forbidden spec.provider.workers[0].machine.image.version";
    assert_eq!(updated(&standard(), &old, &new)[0], downgrade);
}

const CONSTRAINT: &str =
    "shoot/machine-image-kubelet-constraint Invalid spec.provider.workers[0].machine.image";

#[test]
fn a_tightened_constraint_refuses_even_a_label() {
    let mut constrained = versions(&["2.0.0"], &BOTH);
    constrained[0]["kubeletVersionConstraint"] = json!(">= 1.33");
    let setup = setup(json!([image("os", constrained)]));
    let object = pinned("1.31.7", None);
    assert_eq!(updated(&setup, &object, &labelled(&object)), [CONSTRAINT]);
    assert_eq!(updated(&setup, &object, &object), [""; 0]);
    let going = deleting(&object);
    assert_eq!(updated(&setup, &going, &labelled(&going)), [CONSTRAINT]);
}

#[test]
fn all_errors_are_reported_together() {
    let pools = [pool("a", &["os", "1.1.1"]), pool("b", &["os", "1.1.1"])];
    let found = created(&standard(), &shoot("1.2.3", &pools));
    let second = EXPIRED.replace("[0]", "[1]");
    assert_eq!(found, [NOT_LISTED, EXPIRED, &second]);
}

#[test]
fn a_container_runtime_must_be_in_the_image() {
    let cri = json!({"name": "containerd", "containerRuntimes": [{"type": "gvisor"}]});
    let new = with(&pinned("1.32.4", None), &format!("{POOL}/cri"), cri);
    let expected =
        "shoot/machine-image-cri Invalid spec.provider.workers[0].cri.containerRuntimes[0].type";
    assert_eq!(created(&standard(), &new), [expected]);
    assert_eq!(updated(&standard(), &new, &labelled(&new)), [""; 0]);
}

#[test]
fn an_image_must_have_the_capabilities_of_the_machine_type() {
    let flavors = json!([{"architecture": ["amd64"], "net": ["a"]}]);
    let spec = json!({
        "kubernetes": {"versions": versions(&KP, &[])},
        "machineCapabilities": [{"name": "architecture", "values": ["amd64", "arm64"]}, {"name": "net", "values": ["a", "b"]}],
        "machineImages": [{"name": "os", "versions": [{"version": "2.0.0", "capabilityFlavors": flavors}]}],
        "machineTypes": [{"name": "large", "capabilities": {"architecture": ["amd64"], "net": ["b"]}}],
    });
    let setup = with_profile(json!({"metadata": {"name": "cp"}, "spec": spec}));
    let object = pinned("1.32.4", None);
    let expected =
        "shoot/machine-image-capabilities Invalid spec.provider.workers[0].machine.image.version";
    assert_eq!(created(&setup, &object), [expected]);
    assert_eq!(updated(&setup, &object, &labelled(&object)), [expected]);
    assert_eq!(updated(&setup, &object, &object), [""; 0]);
    // An explicit default is no change.
    let same = with(&object, &format!("{POOL}/cri"), json!({"name": "containerd"}));
    assert_eq!(updated(&setup, &object, &same), [""; 0]);
    // Other properties of the image are not checked after this error.
    let cri = json!({"name": "containerd", "containerRuntimes": [{"type": "gvisor"}]});
    let new = with(&object, &format!("{POOL}/cri"), cri);
    assert_eq!(created(&setup, &new), [expected]);
}

fn namespaced(setup: &mut Setup, name: &str, object: Value) {
    let metadata = json!({"name": name, "namespace": "garden-p"});
    let mut object = object;
    object["metadata"] = metadata;
    let object: NamespacedCloudProfile = serde_json::from_value(object).unwrap();
    let profile = GardenObject::from(object);
    setup.garden.apply(profile);
}

fn following(kind: &str, name: &str, object: &Value) -> Value {
    with(object, "/spec/cloudProfile", json!({"kind": kind, "name": name}))
}

#[test]
fn a_namespaced_profile_prolongs_a_version() {
    let mut setup = standard();
    let versions = json!({"versions": [{"version": "1.31.8", "expirationDate": FUTURE}]});
    let parent = json!({"kind": "CloudProfile", "name": "cp"});
    namespaced(&mut setup, "own", json!({"spec": {"parent": parent, "kubernetes": versions}}));
    namespaced(
        &mut setup,
        "merged",
        json!({"spec": {"parent": parent}, "status": {"cloudProfileSpec": {"kubernetes": versions}}}),
    );
    let object = shoot("1.31.8", &[]);
    for name in ["own", "merged"] {
        let object = following("NamespacedCloudProfile", name, &object);
        assert_eq!(created(&setup, &object), [""; 0], "{name}");
    }
}

#[rstest]
#[case("CloudProfile", "there is no CloudProfile `gone`")]
#[case(
    "NamespacedCloudProfile",
    "there is no NamespacedCloudProfile `gone` in namespace `garden-p`"
)]
fn a_missing_profile_is_named(#[case] kind: &str, #[case] message: &str) {
    let object = confirmed(&following(kind, "gone", &pinned("1.32.4", None)));
    for (operation, new, old) in [
        ("CREATE", &object, None),
        ("UPDATE", &object, Some(&object)),
        ("DELETE", &Value::Null, Some(&object)),
    ] {
        let mut request = request("shoots", operation, new, old);
        request["namespace"] = json!("garden-p");
        let review = standard().review(&request);
        let missing = "shoot/profile-missing NotFound spec.cloudProfile.name";
        assert_eq!(denials(&review), [missing], "{operation}");
        assert_eq!(review.findings[0].message, message);
    }
}

#[test]
fn without_a_garden_versions_cannot_be_judged() {
    let mut setup = standard();
    setup.garden = Snapshot::new(Knowledge::Nothing);
    let review = reviewed(&setup, &pinned("1.32.4", None), None);
    assert!(review.findings.is_empty(), "{:?}", review.findings);
    let profile =
        |it: &garden_gate_core::admission::Undetermined| it.message.contains("CloudProfile `cp`");
    assert!(review.undetermined.iter().any(profile));
}

#[test]
fn another_profile_must_have_the_images_and_types_in_use() {
    let spec = |types: Value| {
        json!({"kubernetes": {"versions": versions(&KP, &[])}, "machineImages": [image("os", versions(&["2.1.0"], &BOTH))],
        "machineTypes": types["machine"], "volumeTypes": types["volume"]})
    };
    let parent = json!({"kind": "CloudProfile", "name": "cp"});
    let own = |types: Value| {
        let mut setup = standard();
        let own = json!({"spec": {"parent": parent}, "status": {"cloudProfileSpec": spec(types)}});
        namespaced(&mut setup, "own", own);
        setup
    };
    let setup = own(json!({"machine": [{"name": "large"}], "volume": [{"name": "ssd"}]}));
    let changed = |setup: &Setup, old: &Value| {
        updated(setup, old, &following("NamespacedCloudProfile", "own", old))
    };
    let old = pinned("1.28.1", None);
    let [image, kind] = ["image", "type"]
        .map(|it| format!("shoot/profile-change-{it}-dropped Forbidden spec.cloudProfile"));
    assert_eq!(changed(&setup, &old), [image]);
    let stays = with(&old, &format!("{IMAGE}/version"), json!("2.1.0"));
    assert_eq!(changed(&setup, &stays), [""; 0]);
    let pool = IMAGE.trim_end_matches("/machine/image");
    let on = |volume: &str| with(&stays, &format!("{pool}/volume"), json!({"type": volume}));
    assert_eq!(changed(&setup, &on("ssd")), [""; 0]);
    assert_eq!(changed(&setup, &on("hdd")), [&*kind]);
    let small = own(json!({"machine": [{"name": "small"}], "volume": []}));
    assert_eq!(changed(&small, &stays), [&*kind]);
    assert_eq!(changed(&small, &on("ssd")), [&*kind, &*kind]);
    let other = following("NamespacedCloudProfile", "own", &stays);
    let mut whole = standard();
    let types = json!([{"name": "large"}]);
    let listed = spec(json!({"machine": types, "volume": []}));
    let cp = json!({"metadata": {"name": "cp"}, "spec": listed});
    whole.garden.apply(GardenObject::from(serde_json::from_value::<CloudProfile>(cp).unwrap()));
    let status = spec(json!({"machine": types, "volume": []}));
    let own = json!({"spec": {"parent": parent}, "status": {"cloudProfileSpec": status}});
    namespaced(&mut whole, "own", own);
    assert_eq!(updated(&whole, &other, &stays), [""; 0]);
}

#[rstest]
#[case("CloudProfile", "other")]
#[case("NamespacedCloudProfile", "foreign")]
fn a_shoot_stays_with_its_cloud_profile(#[case] kind: &str, #[case] name: &str) {
    let mut setup = standard();
    let spec = json!({"kubernetes": {"versions": versions(&KP, &[])}, "machineImages": []});
    let other = json!({"metadata": {"name": "other"}, "spec": spec});
    let other = GardenObject::from(serde_json::from_value::<CloudProfile>(other).unwrap());
    setup.garden.apply(other);
    let parent = json!({"kind": "CloudProfile", "name": "other"});
    let foreign = json!({"spec": {"parent": parent}, "status": {"cloudProfileSpec": spec}});
    namespaced(&mut setup, "foreign", foreign);
    let old = pinned("1.28.1", None);
    let refused = "shoot/profile-change-other-cloudprofile Forbidden spec.cloudProfile";
    assert_eq!(updated(&setup, &old, &following(kind, name, &old)), [refused]);
}

#[rstest]
#[case("CloudProfile")]
#[case("NamespacedCloudProfile")]
fn a_shoot_whose_profile_is_gone_gets_no_other(#[case] kind: &str) {
    let new = pinned("1.28.1", None);
    let old = following(kind, "gone", &new);
    let refused = "shoot/profile-change-other-cloudprofile Forbidden spec.cloudProfile";
    assert_eq!(updated(&standard(), &old, &new), [refused]);
}

#[test]
fn a_prefix_that_resolves_to_the_stored_version_changes_nothing_during_a_migration() {
    let restoring = json!({"lastOperation": {"type": "Restore", "state": "Processing"}});
    let old = with(&pinned("1.31.7", None), "/status", restoring);
    let with_version = |version| with(&old, "/spec/kubernetes/version", json!(version));
    assert_eq!(updated(&standard(), &old, &with_version("1.31")), [""; 0]);
    let refused = "shoot/spec-change-during-migration Forbidden spec";
    let later = with_version("1.32.4");
    assert!(updated(&standard(), &old, &later).contains(&refused.to_owned()));
}

#[test]
fn new_shoot_is_not_in_deletion_despite_its_manifest() {
    let deleted = json!("2026-01-01T00:00:00Z");
    let object = with(&pinned("1.31", None), "/metadata/deletionTimestamp", deleted);
    let object = with(&object, IMAGE, json!({"name": "os"}));
    assert_eq!(created(&standard(), &object), [""; 0]);
}

#[test]
fn a_profile_of_an_unknown_kind_is_refused() {
    let object = following("ClusterProfile", "cp", &pinned("1.32.4", None));
    let refused = "shoot/profile-kind NotSupported spec.cloudProfile.kind";
    assert_eq!(created(&standard(), &object), [refused]);
}

/// Returns the advice of profile `documented`, without the warnings of other rules.
fn advised(new: &Value, old: Option<&Value>) -> Vec<String> {
    let review = reviewed(&documented(), new, old);
    let ours = review.findings.iter().filter(|it| {
        it.finding.starts_with("advice/version") || it.finding.starts_with("advice/prefix")
    });
    ours.map(|it| {
        assert_eq!(it.level, Level::Warn);
        format!("{}: {}", it.finding, it.message)
    })
    .collect()
}

#[rstest]
#[case::expiring("1.31.6", &["advice/version-deprecated: Kubernetes `1.31.6` is deprecated", "advice/version-expiring: Kubernetes `1.31.6` expires at `2026-02-01T12:00:00Z`; update to `1.31.7`"])]
#[case::preview("1.33.0", &["advice/version-preview: Kubernetes `1.33.0` is in preview"])]
#[case::supported("1.32.4", &[])]
#[case::prefix("1.31", &["advice/prefix-resolves-on-every-write: version `1.31` is resolved again with every write of the Shoot"])]
fn advice_about_a_new_control_plane(#[case] version: &str, #[case] expected: &[&str]) {
    assert_eq!(advised(&shoot(version, &[]), None), expected);
}

#[rstest]
#[case::expired("1.31.8", &["advice/version-expired-in-use: Kubernetes `1.31.8` has expired; maintenance forces `1.32.4`, from `2026-01-15T22:00:00Z` on"])]
#[case::gone("1.31.5", &["advice/version-gone-in-use: Kubernetes `1.31.5` has left the profile; maintenance forces `1.31.7`, from `2026-01-15T22:00:00Z` on"])]
#[case::nothing_to_go_to("1.27.0", &["advice/version-gone-in-use: Kubernetes `1.27.0` has left the profile; maintenance forces `1.28.5`, from `2026-01-15T22:00:00Z` on"])]
#[case::dead_end("1.26.0", &["advice/version-gone-in-use: Kubernetes `1.26.0` has left the profile, and the profile has nothing to go to"])]
#[case::deprecated_for_long("1.29.12", &[])]
fn advice_about_what_stays(#[case] version: &str, #[case] expected: &[&str]) {
    let old = shoot(version, &[]);
    assert_eq!(advised(&labelled(&old), Some(&old)), expected);
}

#[test]
fn advice_about_an_image() {
    let old = shoot("1.32.4", &[pool("a", &["os", "1.1.1"])]);
    let expected = "advice/version-expired-in-use: `os:1.1.1` of pool `a` has expired; maintenance forces `2.1.0`, from `2026-01-15T22:00:00Z` on";
    assert_eq!(advised(&labelled(&old), Some(&old)), [expected]);
    let expiring = shoot("1.32.4", &[pool("a", &["os", "1.2.1"])]);
    let expected = "advice/version-expiring: `os:1.2.1` of pool `a` expires at `2026-02-01T12:00:00Z`; update to `2.1.0`";
    assert_eq!(advised(&labelled(&expiring), Some(&expiring)), [expected]);
}

#[rstest]
#[case::new(None, "1.2", true)]
#[case::another_version(Some("2.1.0"), "1.2", true)]
#[case::kept(Some("4.0"), "4.0", false)]
#[case::full(None, "1.2.1", false)]
#[case::listed(None, "3.0", false)]
fn advice_about_a_partial_image(
    #[case] old: Option<&str>,
    #[case] version: &str,
    #[case] expected: bool,
) {
    let mut setup = setup(json!([image("os", versions(&["1.2.1", "2.1.0", "3.0"], &BOTH))]));
    setup.config.profile = Profile::Documented;
    let of = |version: &str| shoot("1.32.4", &[pool("a", &["os", version])]);
    let old = old.map(of);
    let review = reviewed(&setup, &labelled(&of(version)), old.as_ref());
    let fields =
        review.findings.iter().filter(|it| it.finding == "advice/prefix-resolves-on-every-write");
    let fields: Vec<String> = fields.map(|it| it.field.clone()).collect();
    let path = "spec.provider.workers[0].machine.image.version";
    assert_eq!(fields, vec![path; usize::from(expected)]);
}

#[test]
fn newest_version_chosen_in_any_order() {
    let listed = versions(&["1.31.6", "1.31.10", "1.31.9", "1.30.9"], &[]);
    let profile = json!({"metadata": {"name": "cp"}, "spec": {"kubernetes": {"versions": listed}}});
    let setup = with_profile(profile);
    assert_eq!(stored(&setup, &shoot("1.31", &[]), None, CONTROL_PLANE), "1.31.10");
}

/// `1.31.6` expires 408 hours from now.
#[rstest]
#[case::before(407, false)]
#[case::at_the_limit(408, true)]
fn the_configuration_says_what_soon_is(#[case] hours: i64, #[case] expected: bool) {
    let mut setup = documented();
    setup.config.advice.expiring_within = jiff::SignedDuration::from_hours(hours);
    let review = reviewed(&setup, &shoot("1.31.6", &[]), None);
    let expiring =
        |it: &garden_gate_core::admission::Finding| it.finding == "advice/version-expiring";
    assert_eq!(review.findings.iter().any(expiring), expected);
}

#[rstest]
#[case::cloud_profile_name("1.33.0", "/spec/cloudProfileName", json!("cp"), true)]
#[case::cloud_profile_name_before("1.32.4", "/spec/cloudProfileName", json!("cp"), false)]
#[case::bulk_delete("1.32.4", "/spec/kubernetes/clusterAutoscaler", json!({"maxEmptyBulkDelete": 1}), true)]
#[case::bulk_delete_from_1_33("1.33.0", "/spec/kubernetes/clusterAutoscaler", json!({"maxEmptyBulkDelete": 1}), false)]
#[case::addons("1.32.4", "/spec/addons", json!({}), true)]
#[case::secret_binding("1.32.4", "/spec/secretBindingName", json!("x"), true)]
#[case::dns("1.32.4", "/spec/dns", json!({"providers": [{"secretName": "x"}]}), true)]
#[case::volumes("1.32.4", "/spec/kubernetes/kubeScheduler", json!({"kubeMaxPDVols": "3"}), true)]
#[case::eviction("1.32.4", "/spec/kubernetes/kubeControllerManager", json!({"podEvictionTimeout": "1m"}), true)]
#[case::anonymous("1.32.4", "/spec/kubernetes/kubeAPIServer", json!({"enableAnonymousAuthentication": false}), true)]
#[case::watch_cache("1.32.4", "/spec/kubernetes/kubeAPIServer", json!({"watchCacheSizes": {"default": 1}}), true)]
#[case::null("1.32.4", "/spec/addons", Value::Null, false)]
#[case::rotation("1.32.4", "/metadata/annotations", json!({"gardener.cloud/operation": "rotate-etcd-encryption-key-start"}), true)]
fn deprecated_settings(
    #[case] version: &str,
    #[case] pointer: &str,
    #[case] value: Value,
    #[case] warned: bool,
) {
    let review = reviewed(&standard(), &with(&shoot(version, &[]), pointer, value), None);
    let warnings = review.findings.iter().filter(|it| it.level == Level::Warn);
    let warnings: Vec<&str> = warnings.map(|it| it.finding).collect();
    assert_eq!(warnings.len(), usize::from(warned), "{warnings:?}");
}

#[test]
fn ipvs_is_warned_of_where_an_update_brings_it() {
    let old = pinned("1.32.4", None);
    let proxy = json!({"enabled": true, "mode": "IPVS"});
    let new = with(&old, "/spec/kubernetes/kubeProxy", proxy);
    let warned = |new: &Value, old: Option<&Value>| {
        let review = reviewed(&standard(), new, old);
        let id = "shoot/warn-kube-proxy-ipvs";
        review.findings.iter().any(|it| it.finding == id)
    };
    assert!(warned(&new, Some(&old)));
    assert!(!warned(&new, None));
    assert!(!warned(&labelled(&new), Some(&new)));
}
