// SPDX-License-Identifier: Apache-2.0
//! Maintenance of a Shoot, window by window, with reasons.

use garden_gate_core::admission::World;
use garden_gate_core::config::{Config, Profile as Levels};
use garden_gate_core::garden::{GardenObject, Knowledge, Snapshot};
use garden_gate_core::rules;
use garden_gate_model::api::CloudProfile;
use garden_gate_model::gardener::defaults;
use garden_gate_products::forecast::{
    Disruption, Forecast, Part, Profile, Sleep, Status, forecast,
};
use jiff::Timestamp;
use rstest::rstest;
use serde_json::{Value, json};

use crate::judging::{project, usual_rules};
use crate::profiles::Calendar;

const NOW: &str = "2026-01-15T12:00:00Z";
const CALENDAR: Calendar =
    Calendar { now: NOW, past: "2024-01-31T23:59:59Z", soon: "2026-02-01T12:00:00Z" };

pub(crate) struct Case {
    shoot: Value,
    kubernetes: &'static str,
    images: &'static str,
    strategy: &'static str,
    until: &'static str,
    /// Whether nodes can be updated in place to every version of the image.
    is_in_place: bool,
    /// Further objects of the garden.
    objects: Vec<GardenObject>,
    config: Config,
    /// Rules in addition to the usual ones.
    rules: Vec<&'static str>,
}

/// Returns a Shoot with the first of these versions and images, which are in its profile.
pub(crate) fn case(kubernetes: &'static str, images: &'static str) -> Case {
    let machine = json!({"type": "large", "architecture": "amd64", "image": {"name": "os", "version": first(images)}});
    let window = json!({"begin": "220000+0100", "end": "230000+0100"});
    let shoot = json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": {"name": "s", "namespace": "garden-p", "creationTimestamp": "2026-01-01T00:00:00Z"},
        "spec": {
            "cloudProfile": {"kind": "CloudProfile", "name": "cp"},
            "kubernetes": {"version": first(kubernetes)},
            "maintenance": {
                "autoUpdate": {"kubernetesVersion": false, "machineImageVersion": false},
                "timeWindow": window,
            },
            "provider": {"workers": [{"name": "a", "minimum": 1, "maximum": 2, "machine": machine}]},
        },
    });
    Case {
        shoot,
        kubernetes,
        images,
        strategy: "major",
        until: "2026-04-15T12:00:00Z",
        is_in_place: false,
        objects: Vec::new(),
        config: Config { profile: Levels::Gardener, ..Config::default() },
        rules: Vec::new(),
    }
}

/// Returns the first version of a list, which the Shoot uses.
fn first(versions: &str) -> &str {
    versions.split([' ', ';']).next().unwrap()
}

impl Case {
    fn automatic(mut self) -> Self {
        let all = json!({"kubernetesVersion": true, "machineImageVersion": true});
        self.shoot["spec"]["maintenance"]["autoUpdate"] = all;
        self
    }

    pub(crate) fn with(mut self, pointer: &str, field: &str, value: Value) -> Self {
        self.shoot.pointer_mut(pointer).unwrap()[field] = value;
        self
    }

    pub(crate) fn object(mut self, object: GardenObject) -> Self {
        self.objects.push(object);
        self
    }

    pub(crate) fn config(mut self, change: impl FnOnce(&mut Config)) -> Self {
        change(&mut self.config);
        self
    }

    pub(crate) fn rules(mut self, ids: &[&'static str]) -> Self {
        self.rules.extend(ids);
        self
    }

    fn strategy(mut self, strategy: &'static str) -> Self {
        self.strategy = strategy;
        self
    }

    pub(crate) fn forecast(&self) -> Forecast {
        let mut images = CALENDAR.versions(self.images);
        for image in images.as_array_mut().unwrap() {
            if self.is_in_place {
                let from = json!({"supported": true, "minVersionForUpdate": "1.0.0"});
                image["inPlaceUpdates"] = from;
            }
        }
        let spec = json!({
            "kubernetes": {"versions": CALENDAR.versions(self.kubernetes)},
            "machineImages": [{"name": "os", "updateStrategy": self.strategy, "versions": images}],
            "machineTypes": [{"name": "large"}],
        });
        let profile = json!({"metadata": {"name": "cp"}, "spec": spec});
        let mut profile: CloudProfile = serde_json::from_value(profile).unwrap();
        defaults::cloud_profile(&mut profile);
        let offer = Profile::new("CloudProfile cp".to_owned(), profile.spec.clone());
        let mut garden = Snapshot::new(Knowledge::Everything);
        garden.apply(project("p", json!({"namespace": "garden-p"})));
        garden.apply(GardenObject::from(profile));
        for object in &self.objects {
            garden.apply(object.clone());
        }
        let mut config = self.config.clone();
        config.feature_gates.in_place_node_updates = true;
        let further = self.rules.iter().map(|id| rules::find(id).unwrap());
        let rules: Vec<_> = usual_rules().into_iter().chain(further).collect();
        let world = World {
            rules: (&rules).into(),
            garden: &garden,
            config: &config,
            now: NOW.parse().unwrap(),
        };
        let until = self.until.parse().unwrap();
        forecast(self.shoot.clone(), &offer, &world, until).unwrap()
    }

    /// Formats events as `2026-02-01 control plane 1.31.6→1.31.9 forced`, with `(blocked)` for blocked ones.
    pub(crate) fn told(&self) -> Vec<String> {
        let forecast = self.forecast();
        let events = forecast.windows.iter().flat_map(|window| {
            let blocked = if window.is_blocked() { " (blocked)" } else { "" };
            let day = window.earliest.strftime("%F").to_string();
            window.events.iter().map(move |it| {
                let to = it.to.as_deref().unwrap_or("?");
                let class = it.class.as_str();
                format!("{day} {} {}→{to} {class}{blocked}", it.part, it.from)
            })
        });
        events.collect()
    }

    pub(crate) fn causes(&self) -> Vec<String> {
        let windows = self.forecast().windows;
        let events = windows.into_iter().flat_map(|window| window.events);
        events.map(|event| event.cause).collect()
    }
}

pub(crate) const IMAGE: &str = "1.0.0";

#[rstest]
#[case::nothing(case("1.31.6; 1.31.9", IMAGE), &[])]
#[case::an_expiry_to_come(
    case("1.31.6 @soon; 1.31.9", IMAGE),
    &["2026-02-01 control plane 1.31.6→1.31.9 forced"]
)]
#[case::two_steps_in_two_windows(
    case("1.30.9 @soon; 1.31.8 @past; 1.32.4", IMAGE),
    &["2026-02-01 control plane 1.30.9→1.31.8 forced", "2026-02-02 control plane 1.31.8→1.32.4 forced"]
)]
#[case::the_update_after_the_next(
    case("1.31.6 @+5d; 1.31.9 @+40d; 1.32.4", IMAGE),
    &["2026-01-20 control plane 1.31.6→1.31.9 forced", "2026-02-24 control plane 1.31.9→1.32.4 forced"]
)]
#[case::a_preview_that_is_supported_later(
    case("1.31.6; 1.31.9 [preview; supported soon]", IMAGE).automatic(),
    &["2026-02-01 control plane 1.31.6→1.31.9 regular"]
)]
#[case::a_failure_is_told_once(
    case("1.30.9 @past; 1.32.4 @soon; 1.32.5 [preview; supported soon]", IMAGE),
    &["2026-01-15 control plane 1.30.9→? no update possible"]
)]
#[case::a_failure_ends_with_what_the_profile_gets(
    case("1.30.9 @past; 1.31.0 [preview; supported soon]", IMAGE),
    &["2026-01-15 control plane 1.30.9→? no update possible", "2026-02-01 control plane 1.30.9→1.31.0 forced"]
)]
#[case::what_can_be_done_is_done(
    case("1.30.9 @past; 1.32.4", "1.0.0 @past; 1.1.0"),
    &["2026-01-15 control plane 1.30.9→? no update possible", "2026-01-15 pool a, os 1.0.0→1.1.0 forced"]
)]
#[case::hibernated_shoots_are_maintained(
    case("1.31.6 @soon; 1.31.9", IMAGE).with("/spec", "hibernation", json!({"enabled": true})),
    &["2026-02-01 control plane 1.31.6→1.31.9 forced"]
)]
#[case::one_that_goes_is_left_alone(
    case("1.31.6 @soon; 1.31.9", IMAGE).with("/metadata", "deletionTimestamp", json!(NOW)),
    &[]
)]
#[case::on_demand_it_need_not_be_the_window(
    case("1.31.6 @past; 1.31.9", IMAGE).with("/metadata", "annotations", json!({"gardener.cloud/operation": "maintain"})),
    &["2026-01-15 control plane 1.31.6→1.31.9 forced"]
)]
#[case::versions_go_on_by_themselves(
    case("1.31.8 @+5d; 1.32.4", "1.0.0 @past; 1.1.0 @+9d; 1.2.0 [preview; supported +5d]"),
    &["2026-01-15 pool a, os 1.0.0→1.1.0 forced", "2026-01-20 control plane 1.31.8→1.32.4 forced", "2026-01-24 pool a, os 1.1.0→1.2.0 forced"]
)]
fn what_happens(#[case] case: Case, #[case] expected: &[&str]) {
    assert_eq!(case.told(), expected);
}

#[rstest]
// Dashboard: "a direct consequence of the fact that the version will expire in 11 months", while a deprecated patch is the
// cause.
#[case::a_far_expiry_is_no_cause(
    case("1.31.6 =deprecated @+330d; 1.31.9", IMAGE).automatic(),
    "`1.31.6` is deprecated, automatic updates of Kubernetes are on and the profile has `1.31.9`"
)]
#[case::a_far_expiry_of_an_image_is_no_cause(
    case("1.31.6", "1443.3.0 =deprecated @+330d; 1443.10.0").automatic().strategy("minor"),
    "`1443.3.0` is deprecated, automatic updates of machine images are on and the profile has `1443.10.0`"
)]
#[case::expired(case("1.31.6 @past; 1.31.9", IMAGE), "`1.31.6` expired at 2024-01-31T23:59:59Z")]
#[case::expires(case("1.31.6 @soon; 1.31.9", IMAGE), "`1.31.6` expires at 2026-02-01T12:00:00Z")]
#[case::expires_with_automatic_updates(
    case("1.31.9 @soon; 1.32.4", IMAGE).automatic(),
    "`1.31.9` expires at 2026-02-01T12:00:00Z, and the profile has no later 1.31"
)]
#[case::a_gap(
    case("1.30.9 @past; 1.32.4", IMAGE),
    "`1.30.9` expired at 2024-01-31T23:59:59Z, and the profile has no 1.31; `1.32.4` exists, but Kubernetes goes one minor version at a time"
)]
#[case::previews_only(
    case("1.30.9 @past; 1.31.0 =preview", IMAGE),
    "`1.30.9` expired at 2024-01-31T23:59:59Z, and the profile has nothing but previews of 1.31"
)]
#[case::the_end(
    case("1.30.9 @past; 1.29.1", IMAGE),
    "`1.30.9` expired at 2024-01-31T23:59:59Z, and the profile has no later version"
)]
#[case::left_the_profile(
    case("1.31.9", IMAGE).with("/spec/kubernetes", "version", json!("1.31.5")),
    "the profile does not list `1.31.5` any more"
)]
#[case::an_image_that_takes_a_step(
    case("1.31.6", "1.0.0 @past; 2.0.0"),
    "`1.0.0` expired at 2024-01-31T23:59:59Z (strategy `major`)"
)]
#[case::the_strategy_does_not_go_so_far(
    case("1.31.6", "1.0.0 @past; 2.0.0").strategy("patch"),
    "`1.0.0` expired at 2024-01-31T23:59:59Z, and `2.0.0` exists but needs strategy `major`, and the image has `patch`"
)]
#[case::an_image_without_any_successor(
    case("1.31.6", "1.0.0 @past; 0.9.0"),
    "`1.0.0` expired at 2024-01-31T23:59:59Z, and the profile has no later version of the image that fits"
)]
fn why_it_happens(#[case] case: Case, #[case] expected: &str) {
    assert_eq!(case.causes(), [expected]);
}

/// Dashboard: "there is no newer supported version available", while there is a newer major version.
#[test]
fn newer_major_excluded_by_the_strategy_is_reported() {
    let case = case("1.31.6", "1443.20.0 @+9d; 1592.1.0").automatic().strategy("minor");
    let mut before = case;
    before.until = "2026-01-20T12:00:00Z";
    let forecast = before.forecast();
    assert!(forecast.windows.is_empty());
    let part = Part::Image { pool: "a".to_owned(), image: "os".to_owned() };
    let standing = forecast.standing(&part).unwrap();
    assert_eq!(standing.status, Status::Paused);
    assert_eq!(
        standing.paused,
        "`1592.1.0` exists but needs strategy `major`, and the image has `minor`"
    );
}

#[test]
fn an_image_that_is_not_available_yet_blocks_the_run_until_it_is() {
    let case = case("1.31.6", "1.0.0; 1.1.0 [supported soon]").automatic();
    let forecast = case.forecast();
    let told: Vec<(String, bool)> =
        forecast.windows.iter().map(|it| (it.earliest.to_string(), it.is_blocked())).collect();
    let blocked = ("2026-01-15T21:00:00Z".to_owned(), true);
    let done = ("2026-02-01T21:00:00Z".to_owned(), false);
    assert_eq!(told, [blocked, done]);
    let blocker = &forecast.windows[0].blocked[0];
    assert_eq!(blocker.rule, "shoot/machine-image-unavailable");
    assert_eq!(blocker.field, "spec.provider.workers[0].machine.image");
}

#[rstest]
#[case::a_patch(case("1.31.6 @past; 1.31.9", IMAGE), &[Disruption::ApiServerRestarts, Disruption::KubeletsRestart])]
#[case::a_minor(case("1.31.6 @past; 1.32.4", IMAGE), &[Disruption::Rolls, Disruption::ApiServerRestarts])]
#[case::an_image(case("1.31.6", "1.0.0 @past; 1.0.1"), &[Disruption::Rolls])]
#[case::a_pool_without_machines(
    case("1.31.6", "1.0.0 @past; 1.0.1").with("/spec/provider/workers/0", "maximum", json!(0)),
    &[]
)]
fn what_it_does_to_the_cluster(#[case] case: Case, #[case] expected: &[Disruption]) {
    let forecast = case.forecast();
    let effects = &forecast.windows[0].events[0].effects;
    let mut happens: Vec<Disruption> = effects.iter().map(|it| it.happens).collect();
    happens.sort_by(|a, b| {
        expected.iter().position(|it| it == a).cmp(&expected.iter().position(|it| it == b))
    });
    assert_eq!(happens, expected);
}

#[rstest]
#[case::nodes(json!(2), true)]
#[case::none(json!(0), false)]
fn update_in_place_replaces_the_nodes_of_max_surge(#[case] surge: Value, #[case] expected: bool) {
    let pool = "/spec/provider/workers/0";
    let mut case = case("1.31.6", "1.0.0 @past; 1.0.1")
        .with(pool, "updateStrategy", json!("AutoInPlaceUpdate"))
        .with(pool, "maxSurge", surge);
    case.is_in_place = true;
    let forecast = case.forecast();
    let effects = &forecast.windows[0].events[0].effects;
    let replaces = effects.iter().find(|it| it.happens == Disruption::ReplacesSurge);
    let text = replaces.map(ToString::to_string);
    let expected = expected.then_some("replaces as many nodes as `maxSurge` of pool a");
    assert_eq!(text.as_deref(), expected);
}

#[rstest]
#[case::violated(
    "MaintenancePreconditionsSatisfied",
    "False",
    "1.0.0 @past; 1.0.1",
    "webhooks of the cluster may stop"
)]
#[case::satisfied("MaintenancePreconditionsSatisfied", "True", "1.0.0 @past; 1.0.1", "")]
#[case::nothing_rolls("MaintenancePreconditionsSatisfied", "False", "1.0.0", "")]
#[case::certificate_authority(
    "CACertificateValiditiesAcceptable",
    "False",
    "1.0.0",
    "a certificate authority expires"
)]
#[case::valid_long_enough("CACertificateValiditiesAcceptable", "True", "1.0.0", "")]
fn constraints_are_noted(
    #[case] kind: &str,
    #[case] status: &str,
    #[case] images: &'static str,
    #[case] expected: &str,
) {
    let constraint = json!([{"type": kind, "status": status, "message": "why"}]);
    let case = case("1.31.6", images).with("", "status", json!({"constraints": constraint}));
    let remarks = case.forecast().remarks;
    match expected {
        "" => assert_eq!(remarks, [""; 0]),
        text => assert!(remarks.len() == 1 && remarks[0].starts_with(text), "{remarks:?}"),
    }
}

#[rstest]
#[case::by_gardener("AutoInPlaceUpdate", Disruption::InPlace)]
#[case::by_hand("ManualInPlaceUpdate", Disruption::InPlaceByHand)]
fn nodes_may_be_updated_in_place(#[case] strategy: &str, #[case] expected: Disruption) {
    let mut case = case("1.31.6", "1.0.0 @past; 1.0.1").with(
        "/spec/provider/workers/0",
        "updateStrategy",
        json!(strategy),
    );
    case.is_in_place = true;
    let forecast = case.forecast();
    let window = &forecast.windows[0];
    assert!(!window.is_blocked(), "{:?}", window.blocked);
    let [effect] = &window.events[0].effects[..] else { unreachable!("{window:?}") };
    assert_eq!((effect.happens, effect.pools.as_slice()), (expected, &["a".to_owned()][..]));
}

#[test]
fn a_shoot_without_a_window_is_maintained_at_any_time_to_the_second() {
    let case =
        case("1.31.6 @soon; 1.31.9", IMAGE).with("/spec/maintenance", "timeWindow", Value::Null);
    let forecast = case.forecast();
    let window = &forecast.windows[0];
    assert_eq!(window.earliest.to_string(), "2026-02-01T12:00:00Z");
    let remark = "it has no maintenance window; any time of the day is taken for one";
    assert_eq!(forecast.remarks, [remark]);
}

#[test]
fn gates_plugins_and_fields_that_the_new_version_lacks_are_taken_out() {
    let case = case("1.32.9 @soon; 1.33.1", IMAGE)
        .with(
            "/spec/kubernetes",
            "kubeAPIServer",
            json!({
                "featureGates": {"APIListChunking": true, "AllAlpha": false},
            }),
        )
        .with("/spec/kubernetes", "clusterAutoscaler", json!({"maxEmptyBulkDelete": 10}));
    assert_eq!(
        case.told(),
        [
            "2026-02-01 control plane 1.32.9→1.33.1 forced",
            "2026-02-01 spec.kubernetes.clusterAutoscaler.maxEmptyBulkDelete →? forced",
            "2026-02-01 spec.kubernetes.kubeAPIServer.featureGates APIListChunking→? forced",
        ]
    );
}

#[test]
fn failed_operation_is_retried_on_request() {
    let annotations = json!({"maintenance.shoot.gardener.cloud/needs-retry-operation": "true"});
    let status = json!({"lastOperation": {"type": "Reconcile", "state": "Failed"}});
    let case = case("1.31.6", IMAGE)
        .with("/metadata", "annotations", annotations)
        .with("", "status", status);
    assert_eq!(case.told(), ["2026-01-15 operation retry→? regular"]);
}

#[rstest]
#[case::changed(2, &["2026-01-15 operation reconcile→? regular"])]
#[case::rolled_out(1, &[])]
fn what_was_changed_may_wait_for_the_window(#[case] generation: i64, #[case] expected: &[&str]) {
    let status = json!({"lastOperation": {"type": "Reconcile", "state": "Succeeded"}, "observedGeneration": 1});
    let case = case("1.31.6", IMAGE)
        .with("/metadata", "generation", json!(generation))
        .with("/spec/maintenance", "confineSpecUpdateRollout", json!(true))
        .with("", "status", status);
    assert_eq!(case.told(), expected);
}

#[test]
fn an_operation_that_waits_for_the_window_happens_once() {
    let annotations = json!({"maintenance.gardener.cloud/operation": "rotate-ca-start"});
    let case = case("1.31.6", IMAGE).with("/metadata", "annotations", annotations).with(
        "",
        "status",
        json!({"lastOperation": {"type": "Reconcile", "state": "Succeeded"}}),
    );
    assert_eq!(case.told(), ["2026-01-15 operation rotate-ca-start→? regular"]);
}

#[test]
fn window_has_the_utc_offset_of_its_owner_and_both_ends() {
    let forecast = case("1.31.6 @soon; 1.31.9", IMAGE).forecast();
    let window = &forecast.windows[0];
    let at = |text: &str| -> Timestamp { text.parse().unwrap() };
    assert_eq!(window.begin, at("2026-02-01T21:00:00Z"));
    assert_eq!(window.latest, at("2026-02-01T21:45:00Z"));
    assert_eq!(forecast.offset.to_string(), "+01");
}

#[rstest]
#[case::no_zone(
    case("1.31.6", IMAGE).with("/spec", "hibernation", json!({"schedules": [{"start": "0 20 * * *", "location": "Europe/Atlantis"}]})),
    "spec.hibernation.schedules[0] counts for nothing: there is no time zone `Europe/Atlantis`"
)]
#[case::never(
    case("1.31.6", IMAGE).with("/spec", "hibernation", json!({"schedules": [{"end": "0 6 31 2 *"}]})),
    "spec.hibernation.schedules[0] counts for nothing: `0 6 31 2 *` never comes"
)]
#[case::unreadable(
    case("1.31.6", IMAGE).with("/spec/maintenance", "timeWindow", json!({"begin": "22:00", "end": "23:00"})),
    "its maintenance window `22:00` to `23:00` cannot be read; Gardener takes any time of the day for one"
)]
#[case::too_short_a_time(
    Case { until: "2026-01-15T13:00:00Z", ..case("1.31.6", IMAGE) },
    "no maintenance window begins within the time of the forecast"
)]
fn what_else_there_is_to_know(#[case] case: Case, #[case] expected: &str) {
    assert_eq!(case.forecast().remarks, [expected]);
}

#[test]
fn a_cluster_that_sleeps_gets_its_nodes_updated_when_it_wakes_up() {
    let schedule = json!({"start": "0 20 * * *", "end": "0 6 * * *", "location": "Europe/Berlin"});
    let case = case("1.31.6 @soon; 1.31.9", IMAGE).with(
        "/spec",
        "hibernation",
        json!({"schedules": [schedule]}),
    );
    let wakes = Sleep::Until("2026-02-02T05:00:00Z".parse().unwrap());
    assert_eq!(case.forecast().windows[0].sleep, wakes);
}
