// SPDX-License-Identifier: Apache-2.0
//! Findings of profile `documented` about CloudProfiles and NamespacedCloudProfiles: documented guarantees and advice.

use crate::judging::{Setup, request};
use crate::profiles::{date, in_garden, overlay, profile, shoot, versions};
use garden_gate_core::admission::Review;
use garden_gate_core::config::{Level, Profile};
use garden_gate_core::garden::{Knowledge, Snapshot};
use rstest::rstest;
use serde_json::{Value, json};

const IMAGE: &str = "1.0.0";
const OLD: &str = "1.32.0; 1.31.1; 1.30.5";

fn setup() -> Setup {
    let mut setup = Setup::with_project(None).user("root", &["system:masters"]);
    setup.now = crate::profiles::NOW;
    setup.config.profile = Profile::Documented;
    setup.config.feature_gates.version_classification_lifecycle = true;
    for other in OTHERS {
        setup.config.levels.insert(other.to_owned(), Level::Off);
    }
    setup
}

/// Findings that `matrix_advice` tests.
const OTHERS: [&str; 3] = [
    "advice/deprecated-without-expiration",
    "advice/dropped-version-extended",
    "advice/dropped-version-listed",
];

/// Returns all findings with their levels: the messages of warnings, the fields of denials.
fn found(review: &Review) -> Vec<String> {
    assert!(review.undetermined.is_empty());
    let found = review.findings.iter().map(|finding| match finding.level {
        Level::Deny => format!("deny {} {}", finding.finding, finding.field),
        _ => format!("warn {} {}", finding.finding, finding.message),
    });
    found.collect()
}

fn update(setup: &Setup, old: &Value, new: &Value) -> Vec<String> {
    found(&setup.review(&request("cloudprofiles", "UPDATE", new, Some(old))))
}

fn create(setup: &Setup, resource: &str, object: &Value) -> Vec<String> {
    found(&setup.review(&request(resource, "CREATE", object, None)))
}

const EXPIRED: &str = "deny cloudprofile/new-version-expired";

#[rstest]
#[case::dated("1.32.0; 1.31.1; 1.30.5; 1.29.0 @-1d", IMAGE, &["spec.kubernetes.versions[3].expirationDate"])]
#[case::lifecycle("1.32.0; 1.31.1; 1.30.5; 1.29.0 [supported -2d; expired -1d]", IMAGE, &["spec.kubernetes.versions[3].lifecycle"])]
#[case::image(OLD, "1.0.0; 0.9.0 @-1d", &["spec.machineImages[0].versions[1].expirationDate"])]
#[case::equal_to_now("1.32.0; 1.31.1; 1.30.5; 1.29.0 @0", IMAGE, &[])]
#[case::not_new("1.32.0; 1.31.1; 1.30.5 @-1d", IMAGE, &[])]
fn new_versions_must_not_have_expired(
    #[case] kubernetes: &str,
    #[case] image: &str,
    #[case] fields: &[&str],
) {
    let denied: Vec<String> = fields.iter().map(|field| format!("{EXPIRED} {field}")).collect();
    let (old, new) = (profile(OLD, IMAGE), profile(kubernetes, image));
    assert_eq!(update(&setup(), &old, &new), denied);
}

#[test]
fn an_expired_version_is_refused_rather_than_dropped() {
    let object = profile("1.31.1; 1.30.5 @-1d", IMAGE);
    let denied = [format!("{EXPIRED} spec.kubernetes.versions[1].expirationDate")];
    assert_eq!(create(&setup(), "cloudprofiles", &object), denied);
    let mut setup = setup();
    setup.garden.apply(in_garden("CloudProfile", &profile(OLD, IMAGE)));
    let object = overlay("p", json!({"kubernetes": {"versions": versions("1.30.5 @-1d")}}));
    let denied = [
        "deny namespacedcloudprofile/new-version-expired spec.kubernetes.versions[0].expirationDate",
    ];
    assert_eq!(create(&setup, "namespacedcloudprofiles", &object), denied);
}

#[test]
fn a_version_that_only_a_pool_runs_is_in_use() {
    let mut setup = setup();
    let pool = json!([{"name": "a", "kubernetes": {"version": "1.30.5"}}]);
    let spec = json!({"cloudProfileName": "p", "kubernetes": {"version": "1.31.1"}, "provider": {"workers": pool}});
    setup.garden.apply(in_garden("Shoot", &shoot(&spec)));
    let (old, new) = (profile(OLD, IMAGE), profile("1.32.0; 1.31.1", IMAGE));
    let denied = ["deny cloudprofile/kubernetes-version-in-use-by-pool spec.kubernetes.versions"];
    assert_eq!(update(&setup, &old, &new), denied);
}

#[rstest]
#[case::unclassified("1.31.2; 1.31.1 =supported", &["warn advice/supported-ambiguous Kubernetes versions `1.31.1` and `1.31.2` of one minor are all supported"])]
#[case::lifecycle("1.31.2 [supported]; 1.31.1 [supported]", &["warn advice/supported-ambiguous Kubernetes versions `1.31.1` and `1.31.2` of one minor are all supported"])]
#[case::deprecated("1.31.2; 1.31.1 =deprecated", &[])]
#[case::equal("01.31.1; 1.31.1", &[])]
#[case::other_minor("1.32.0; 1.31.1", &[])]
fn several_supported_versions_are_ambiguous(#[case] kubernetes: &str, #[case] warned: &[&str]) {
    let object = profile(kubernetes, IMAGE);
    assert_eq!(create(&setup(), "cloudprofiles", &object), warned);
    assert_eq!(update(&setup(), &object, &object), [""; 0]);
}

#[test]
fn several_supported_versions_of_an_image_are_ambiguous() {
    let warned = "warn advice/supported-ambiguous image `img` versions `1.0.0` and `1.0.1` of one minor are all supported";
    let of = |images: &str| profile("1.31.1", images);
    let created = create(&setup(), "cloudprofiles", &of("1.0.1; 1.0.0"));
    assert!(created.iter().any(|it| it == warned), "{created:?}");
    let (old, new) = (of("1.0.1 @-1d; 1.0.0 @-1d"), of("1.0.1 @+30d; 1.0.0 @+30d"));
    let updated = update(&setup(), &old, &new);
    assert!(updated.iter().any(|it| it == warned), "{updated:?}");
}

#[test]
fn single_supported_version_of_an_image_is_not_ambiguous() {
    let created = create(&setup(), "cloudprofiles", &profile("1.31.1", "2.0.0; 1.0.0"));
    let warns = |it: &String| it.starts_with("warn advice/supported-ambiguous");
    assert!(!created.iter().any(warns), "{created:?}");
}

#[rstest]
#[case::gap("1.32.0; 1.30.5", &["warn advice/minor-gap Shoots cannot leave `1.30.5`: no version of 1.31 is on offer; 1 Shoot runs them"])]
#[case::preview("1.32.0; 1.31.1 =preview; 1.30.5", &["warn advice/minor-gap Shoots cannot leave `1.30.5`: no version of 1.31 is on offer; 1 Shoot runs them"])]
#[case::expired("1.32.0; 1.31.1 @-1d; 1.30.5", &[])]
#[case::only_previews_above("1.31.1 =preview; 1.30.5", &[])]
fn a_missing_minor_strands_shoots(#[case] kubernetes: &str, #[case] warned: &[&str]) {
    let mut setup = setup();
    setup
        .garden
        .apply(in_garden("Shoot", &shoot(&json!({"cloudProfileName": "p", "provider": {}}))));
    let (old, new) = (profile(OLD, IMAGE), profile(kubernetes, IMAGE));
    assert_eq!(update(&setup, &old, &new), warned);
    assert_eq!(update(&setup, &new, &new), [""; 0]);
}

#[test]
fn shoots_are_forced_off_what_expires() {
    let mut setup = setup();
    let spec = json!({"cloudProfileName": "p"});
    setup.garden.apply(in_garden("Shoot", &shoot(&spec)));
    let old = profile(OLD, "2.0.0 =supported; 1.0.0 =deprecated");
    let new = profile("1.32.0; 1.31.1; 1.30.5 @+1d", "2.0.0 =supported; 1.0.0 =deprecated @+1d");
    let end = date("+1d");
    let warned = [
        format!(
            "warn advice/forces-shoots Kubernetes version `1.30.5` expires at `{end}`; then Shoot `garden-p/s` will be updated by force"
        ),
        format!(
            "warn advice/forces-shoots image `img/1.0.0` expires at `{end}`; then Shoot `garden-p/s` will be updated by force"
        ),
    ];
    assert_eq!(update(&setup, &old, &new), warned);
    assert_eq!(update(&setup, &new, &old), [""; 0]);
    setup.garden = Snapshot::new(Knowledge::Nothing);
    assert_eq!(update(&setup, &old, &new), [""; 0]);
}

#[test]
fn a_shoot_is_forced_by_the_version_of_a_pool_too() {
    let mut setup = setup();
    let pools = json!([{"name": "a", "kubernetes": {"version": "1.30.5"}}]);
    let both = json!({"cloudProfileName": "p", "provider": {"workers": pools}});
    let mut only_pool = both.clone();
    only_pool["kubernetes"] = json!({"version": "1.31.1"});
    setup.garden.apply(in_garden("Shoot", &shoot(&both)));
    let mut other = shoot(&only_pool);
    other["metadata"]["name"] = json!("t");
    setup.garden.apply(in_garden("Shoot", &other));
    let new = profile("1.32.0; 1.31.1; 1.30.5 @+1d", IMAGE);
    let warned = format!(
        "warn advice/forces-shoots Kubernetes version `1.30.5` expires at `{}`; then Shoots `garden-p/s` and `garden-p/t` will be updated by force",
        date("+1d")
    );
    assert_eq!(update(&setup, &profile(OLD, IMAGE), &new), [warned]);
}

#[test]
fn own_override_protects_a_project() {
    let mut setup = setup();
    let spec = json!({"cloudProfile": {"kind": "NamespacedCloudProfile", "name": "n"}});
    setup.garden.apply(in_garden("Shoot", &shoot(&spec)));
    let dated = |date: &str| {
        overlay("p", json!({"kubernetes": {"versions": versions(&format!("1.30.5 @{date}"))}}))
    };
    setup.garden.apply(in_garden("NamespacedCloudProfile", &dated("+9d")));
    let (old, new) = (profile(OLD, "2.0.0"), profile("1.32.0; 1.31.1; 1.30.5 @+1d", "2.0.0"));
    assert_eq!(update(&setup, &old, &new), [""; 0]);
    setup.garden.apply(in_garden("CloudProfile", &new));
    let request =
        request("namespacedcloudprofiles", "UPDATE", &overlay("p", json!({})), Some(&dated("+9d")));
    let warned = format!(
        "warn advice/override-forces-shoots Kubernetes version `1.30.5` expires at `{}`; then Shoot `garden-p/s` will be updated by force",
        date("+1d")
    );
    assert_eq!(found(&setup.review(&request)), [warned]);
}

#[rstest]
#[case::dated("2.0.0 =supported @+2d; 1.0.0 =deprecated @+3d", true)]
#[case::one_stays("2.0.0 =supported @+2d; 1.0.0 =supported", false)]
fn a_bastion_image_that_will_stop_qualifying(#[case] image: &str, #[case] warned: bool) {
    let mut object = profile(OLD, image);
    object["spec"]["bastion"] = json!({"machineImage": {"name": "img"}});
    let message = format!(
        "warn advice/bastion-expiry no image version for bastions is left after `{}`; then every update of the profile is refused",
        date("+2d")
    );
    let found = update(&setup(), &object, &object);
    assert_eq!(found, &[message][..usize::from(warned)]);
}

#[test]
fn without_a_garden_the_removal_of_a_version_is_undetermined() {
    let mut setup = setup();
    setup.garden = Snapshot::new(Knowledge::Nothing);
    let (old, new) = (profile(OLD, IMAGE), profile("1.32.0; 1.31.1", IMAGE));
    let review = setup.review(&request("cloudprofiles", "UPDATE", &new, Some(&old)));
    assert!(review.findings.is_empty());
    assert!(!review.undetermined.is_empty());
}
