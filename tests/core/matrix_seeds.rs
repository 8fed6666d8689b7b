// SPDX-License-Identifier: Apache-2.0
//! Seeds of Shoots: selection, migration, and changes of Seeds.

use crate::judging::{Setup, denials, request, tolerations};

use garden_gate_core::config::{Level, Profile, Strategy};
use garden_gate_core::garden::{GardenObject, Knowledge, Snapshot};
use garden_gate_core::rules;
use garden_gate_model::api::{CloudProfile, DomainSecret, RegionConfig, WorkloadIdentity};
use garden_gate_model::gardener::defaults;
use garden_gate_text::json::decode_value;
use rstest::rstest;
use serde_json::{Value, json};

/// The rules in these cases, next to those for Seeds; other rules require a more complete Shoot.
const RULES: &[&str] = &[
    "shoot/access-restrictions",
    "shoot/control-plane-zones-invalid",
    "shoot/control-plane-zones-vs-seed",
    "shoot/cp-seed-selector",
    "shoot/delete-during-migration",
    "shoot/deleting-seed-frozen",
    "shoot/deletion-confirmed-by",
    "shoot/immutable-fields",
    "shoot/live-migration",
    "shoot/migration-prerequisites",
    "shoot/networks-vs-seed",
    "shoot/no-seed-accepts",
    "shoot/scheduler-name-invalid",
    "shoot/seed-access-restrictions",
    "shoot/seed-capacity",
    "shoot/seed-deleting",
    "shoot/seed-name-change",
    "shoot/seed-name-create-unauthorized",
    "shoot/seed-name-invalid",
    "shoot/seed-not-found",
    "shoot/seed-selector-change",
    "shoot/seed-selector-invalid",
    "shoot/seed-taints-not-tolerated",
    "shoot/seed-zones-for-zone-ha",
    "shoot/spec-change-during-migration",
    "shoot/spec-frozen-when-deleting",
    "shoot/toleration-not-whitelisted",
];

/// Seed `s` in region `eu`, selected by CloudProfile `c`; the requesting user may bind Shoots.
fn setup(changes: &[(&str, Value)]) -> Setup {
    let mut setup = Setup::with_project(Some(json!({"whitelist": tolerations(&["foo", "bar"])})));
    setup.verbs = vec!["update"];
    for rule in rules::ALL {
        if !rule.id.starts_with("seed/") && !RULES.contains(&rule.id) {
            setup.config.levels.insert(rule.id.to_owned(), Level::Off);
            for finding in rule.findings {
                setup.config.levels.insert(finding.id.to_owned(), Level::Off);
            }
        }
    }
    add_profile(&mut setup, json!({}));
    add_seed(&mut setup, "s", changes);
    setup
}

fn add_profile(setup: &mut Setup, mut spec: Value) {
    spec["regions"] = json!([{"name": "eu", "accessRestrictions": [{"name": "eu-only"}]}]);
    spec["kubernetes"] = json!({"versions": [{"version": "1.31.1"}]});
    let profile = json!({"metadata": {"name": "c"}, "spec": spec});
    let profile: CloudProfile = serde_json::from_value(profile).unwrap();
    setup.garden.apply(GardenObject::from(profile));
}

/// Returns a Seed with backup and domains; `changes` are JSON pointers with their new values.
fn seed(name: &str, changes: &[(&str, Value)]) -> Value {
    let mut seed = json!({
        "metadata": {"name": name, "labels": {"env": "live"}},
        "spec": {
            "provider": {"type": "aws", "region": "eu", "zones": ["a", "b", "c"]},
            "backup": {"provider": "aws"},
            "dns": {"internal": {"domain": "internal.io"}, "defaults": [{"domain": "example.com"}]},
            "networks": {"nodes": "10.0.0.0/16", "pods": "fd00:1::/48", "services": "10.2.0.0/16"},
            "taints": [],
        },
        "status": {"gardener": {"version": "v1"}},
    });
    change(&mut seed, changes);
    seed
}

fn change(object: &mut Value, changes: &[(&str, Value)]) {
    for (pointer, value) in changes {
        let mut place = &mut *object;
        for key in pointer.split('/').skip(1) {
            let key = key.replace("~1", "/");
            place = match key.parse::<usize>() {
                Ok(index) => &mut place[index],
                Err(_) => &mut place[key],
            };
        }
        *place = value.clone();
    }
}

fn add_seed(setup: &mut Setup, name: &str, changes: &[(&str, Value)]) {
    let mut seed = decode_value(&seed(name, changes)).unwrap();
    defaults::seed(&mut seed);
    setup.garden.apply(GardenObject::from(seed));
}

fn shoot(changes: &[(&str, Value)]) -> Value {
    let mut shoot = json!({
        "metadata": {"name": "shoot", "namespace": "garden-p"},
        "spec": {
            "cloudProfile": {"kind": "CloudProfile", "name": "c"},
            "region": "eu",
            "kubernetes": {"version": "1.31.1"},
            "provider": {"type": "aws"},
            "networking": {"pods": "100.64.0.0/11", "services": "100.96.0.0/13"},
        },
    });
    change(&mut shoot, changes);
    shoot
}

fn on(seed: &str) -> (&'static str, Value) {
    ("/spec/seedName", json!(seed))
}

fn add_shoot(setup: &mut Setup, name: &str, changes: &[(&str, Value)]) {
    let mut shoot = shoot(changes);
    shoot["metadata"]["name"] = json!(name);
    let shoot = serde_json::from_value(shoot).unwrap();
    setup.garden.apply(GardenObject::Shoot(Box::new(shoot)));
}

/// Returns the ids of denials.
fn ids(setup: &Setup, request: &Value) -> Vec<String> {
    let denials = denials(&setup.review(request)).into_iter();
    denials.map(|line| line.split(' ').next().unwrap().to_owned()).collect()
}

fn create(setup: &Setup, changes: &[(&str, Value)]) -> Vec<String> {
    ids(setup, &request("shoots", "CREATE", &shoot(changes), None))
}

fn update(
    setup: &Setup,
    subresource: &str,
    old: &[(&str, Value)],
    new: &[(&str, Value)],
) -> Vec<String> {
    let (old, new) = (shoot(old), shoot(new));
    let mut request = request("shoots", "UPDATE", &new, Some(&old));
    request["subResource"] = json!(subresource);
    ids(setup, &request)
}

fn delete(setup: &Setup, changes: &[(&str, Value)]) -> Vec<String> {
    let old = shoot(changes);
    let mut request = request("shoots", "DELETE", &old, Some(&old));
    request["object"] = json!(null);
    ids(setup, &request)
}

const ALLOWED: [&str; 0] = [];
const DELETED: &str = "2026-01-01T00:00:00Z";

#[test]
fn a_seed_is_named_only_by_who_may_bind() {
    let mut setup = setup(&[]);
    assert_eq!(create(&setup, &[on("s")]), ALLOWED);
    setup.verbs = vec![];
    assert_eq!(create(&setup, &[on("s")]), ["shoot/seed-name-create-unauthorized"]);
    assert_eq!(create(&setup, &[]), ALLOWED);
    setup.groups = vec!["system:masters"];
    assert_eq!(create(&setup, &[on("s")]), ALLOWED);
}

#[test]
fn an_unknown_seed_is_refused() {
    let setup = setup(&[]);
    assert_eq!(create(&setup, &[on("gone")]), ["shoot/seed-not-found"]);
    assert_eq!(delete(&setup, &[on("gone")]), ["shoot/seed-not-found"]);
    assert_eq!(update(&setup, "status", &[on("gone")], &[on("gone")]), ["shoot/seed-not-found"]);
}

#[test]
fn an_empty_seed_name_is_refused() {
    let review = setup(&[]).review(&request("shoots", "CREATE", &shoot(&[on("")]), None));
    assert_eq!(denials(&review), ["shoot/seed-name-empty Invalid spec.seedName"]);
    assert_eq!(review.findings[0].phase.code(), 422);
}

#[rstest]
#[case::set_by_an_update("", None, Some("s"), Some("shoot/seed-name-not-via-binding"))]
#[case::changed_by_an_update("", Some("s"), Some("t"), Some("shoot/seed-name-not-via-binding"))]
#[case::removed_by_an_update("", Some("s"), None, Some("shoot/seed-name-unset"))]
#[case::removed_by_a_binding("binding", Some("s"), None, Some("shoot/seed-name-unset"))]
#[case::same("binding", Some("s"), Some("s"), Some("shoot/binding-same-seed"))]
#[case::absent("binding", None, None, Some("shoot/binding-same-seed"))]
#[case::bound("binding", None, Some("s"), None)]
#[case::moved("binding", Some("s"), Some("t"), None)]
fn seeds_change_through_binding_only(
    #[case] subresource: &str,
    #[case] old: Option<&str>,
    #[case] new: Option<&str>,
    #[case] denial: Option<&str>,
) {
    let mut setup = setup(&[]);
    // The taint does not matter if the endpoint is already wrong.
    let taints = if subresource.is_empty() { json!([{"key": "x"}]) } else { json!([]) };
    add_seed(&mut setup, "t", &[("/spec/taints", taints)]);
    let named = |seed: Option<&str>| [("/spec/seedName", json!(seed))];
    let denied = update(&setup, subresource, &named(old), &named(new));
    assert_eq!(denied, Vec::from_iter(denial));
}

#[test]
fn only_the_first_binding_may_change_more() {
    let mut setup = setup(&[]);
    add_seed(&mut setup, "t", &[]);
    let asleep = ("/spec/hibernation", json!({"enabled": true}));
    assert_eq!(update(&setup, "binding", &[], &[on("s"), asleep.clone()]), ALLOWED);
    let denied = update(&setup, "binding", &[on("s")], &[on("t"), asleep]);
    assert_eq!(denied, ["shoot/binding-only-seed-name"]);
}

/// Returns the denials of a binding of a Shoot with a field to Seed `t` instead of `s`.
fn move_to_other_seed(setup: &Setup, field: (&str, Value)) -> Vec<String> {
    update(setup, "binding", &[on("s"), field.clone()], &[on("t"), field])
}

#[test]
fn ranges_that_the_new_seed_fills_in_are_a_change_too() {
    let mut setup = setup(&[]);
    let defaults = json!({"services": "100.96.0.0/16"});
    add_seed(&mut setup, "t", &[("/spec/networks/shootDefaults", defaults)]);
    let bare = ("/spec/networking/services", json!(null));
    let denied = move_to_other_seed(&setup, bare);
    assert_eq!(denied, ["shoot/binding-only-seed-name"]);
    let ipv6 = json!({"ipFamilies": ["IPv6"]});
    let bare = ("/spec/networking", ipv6);
    add_seed(&mut setup, "t", &[]);
    let denied = move_to_other_seed(&setup, bare);
    assert_eq!(denied, ["shoot/binding-only-seed-name"]);
}

#[test]
fn missing_range_that_no_seed_fills_in_is_no_change() {
    let mut setup = setup(&[]);
    add_seed(&mut setup, "t", &[]);
    let bare = ("/spec/networking/services", json!(null));
    let denied = move_to_other_seed(&setup, bare);
    assert!(denied.iter().all(|it| it != "shoot/binding-only-seed-name"), "{denied:?}");
}

#[test]
fn a_deleting_seed_takes_no_shoots() {
    let setup = setup(&[("/metadata/deletionTimestamp", json!(DELETED))]);
    assert_eq!(create(&setup, &[on("s")]), ["shoot/seed-deleting"]);
    let denied = update(&setup, "binding", &[], &[on("s")]);
    assert_eq!(denied, ["shoot/deleting-seed-frozen", "shoot/seed-deleting"]);
}

#[rstest]
#[case::bare_by_bare(&["foo"], &["foo"], true)]
#[case::bare_by_value(&["foo"], &["foo=x"], true)]
#[case::value_by_bare(&["foo=x"], &["foo"], false)]
#[case::empty_value_by_bare(&["foo="], &["foo"], true)]
#[case::last_value_wins(&["foo=x"], &["foo=x", "foo=y"], false)]
#[case::last_value_is_right(&["foo=x"], &["foo=y", "foo=x"], true)]
#[case::more_taints_than_tolerations(&["foo", "foo=x"], &["foo=x"], false)]
#[case::as_many_tolerations(&["foo", "foo=x"], &["foo=x", "bar"], true)]
#[case::cannot_be_satisfied(&["foo=x", "foo=y"], &["foo=x", "foo=y"], false)]
#[case::no_taints(&[], &[], true)]
fn taints_need_tolerations(#[case] taints: &[&str], #[case] own: &[&str], #[case] tolerated: bool) {
    let setup = setup(&[("/spec/taints", tolerations(taints))]);
    let own = ("/spec/tolerations", tolerations(own));
    let denial = "shoot/seed-taints-not-tolerated".to_owned();
    let expected: Vec<String> = (!tolerated).then_some(denial).into_iter().collect();
    assert_eq!(create(&setup, &[on("s"), own.clone()]), expected);
    assert_eq!(
        update(&setup, "binding", std::slice::from_ref(&own), &[on("s"), own.clone()]),
        expected
    );
}

#[test]
fn a_bare_toleration_after_one_with_a_value_overrides_it() {
    let setup = setup(&[("/spec/taints", tolerations(&["foo=x"]))]);
    let own = ("/spec/tolerations", tolerations(&["foo=x", "foo"]));
    assert_eq!(create(&setup, &[on("s"), own]), ["shoot/seed-taints-not-tolerated"]);
}

#[test]
fn the_message_names_seed_taints_and_toleration() {
    let setup = setup(&[("/spec/taints", tolerations(&["foo", "bar=x"]))]);
    let review = setup.review(&request("shoots", "CREATE", &shoot(&[on("s")]), None));
    let finding = &review.findings[0];
    assert_eq!(
        finding.message,
        "the Shoot does not tolerate these taints of seed `s`: `foo`, `bar=x`"
    );
    assert!(finding.help.contains("add tolerations for `foo`, `bar=x`"), "{}", finding.help);
}

#[test]
fn taints_matter_only_when_a_seed_is_assigned() {
    let setup = setup(&[("/spec/taints", tolerations(&["foo"]))]);
    assert_eq!(delete(&setup, &[on("s")]), ALLOWED);
    let tolerating = ("/spec/tolerations", tolerations(&["foo"]));
    assert_eq!(update(&setup, "", &[on("s"), tolerating], &[on("s")]), ALLOWED);
}

#[rstest]
#[case::free(json!("1"), &[], false)]
#[case::exact(json!("1"), &[on("s")], true)]
#[case::moving_away(json!(1), &[on("t"), ("/status/seedName", json!("s"))], true)]
#[case::once(json!("2"), &[on("s"), ("/status/seedName", json!("s"))], false)]
#[case::rounded_up(json!("1500m"), &[on("s")], false)]
#[case::none(json!(0), &[on("t")], true)]
#[case::deleting(json!("1"), &[on("s"), ("/metadata/deletionTimestamp", json!(DELETED))], true)]
#[case::no_limit(json!(null), &[on("s")], false)]
fn capacity(#[case] limit: Value, #[case] other: &[(&str, Value)], #[case] full: bool) {
    let status = match limit {
        Value::Null => json!({}),
        limit => json!({"allocatable": {"shoots": limit}}),
    };
    let mut setup = setup(&[("/status", status)]);
    if !other.is_empty() {
        add_shoot(&mut setup, "other", other);
    }
    let expected: Vec<&str> = full.then_some("shoot/seed-capacity").into_iter().collect();
    assert_eq!(create(&setup, &[on("s")]), expected);
    assert_eq!(update(&setup, "binding", &[], &[on("s")]), expected);
    assert_eq!(
        update(&setup, "", &[on("s")], &[on("s"), ("/metadata/labels", json!({"a": "b"}))]),
        ALLOWED
    );
}

#[rstest]
#[case::other_labels(json!({"matchLabels": {"env": "test"}}), Some("shoot/cp-seed-selector-labels"))]
#[case::same_labels(json!({"matchLabels": {"env": "live"}}), None)]
#[case::region_label(json!({"matchLabels": {"seed.gardener.cloud/region": "eu"}}), None)]
#[case::unreadable(json!({"matchExpressions": [{"key": "env", "operator": "In"}]}), Some("shoot/cp-seed-selector-labels"))]
#[case::other_providers(json!({"providerTypes": ["a", "b"]}), Some("shoot/cp-seed-selector-provider"))]
#[case::own_provider(json!({"providerTypes": ["aws"]}), None)]
#[case::any_provider(json!({"providerTypes": ["*"]}), None)]
#[case::empty(json!({}), None)]
fn the_selector_of_the_profile(#[case] selector: Value, #[case] denial: Option<&str>) {
    let mut setup = setup(&[]);
    add_profile(&mut setup, json!({"seedSelector": selector}));
    assert_eq!(create(&setup, &[on("s")]), Vec::from_iter(denial));
    assert_eq!(update(&setup, "binding", &[], &[on("s")]), Vec::from_iter(denial));
}

#[test]
fn the_selector_of_the_shoot() {
    let setup = setup(&[]);
    let selector = |selector| ("/spec/seedSelector", selector);
    let live = || selector(json!({"matchLabels": {"env": "live"}}));
    let test = || selector(json!({"matchLabels": {"env": "test"}}));
    let any = || selector(json!({"matchLabels": {"env": "live"}, "providerTypes": ["*"]}));
    let denied = ["shoot/seed-selector-change"];
    assert_eq!(create(&setup, &[on("s"), test()]), denied);
    assert_eq!(update(&setup, "", &[on("s")], &[on("s"), live()]), ALLOWED);
    assert_eq!(update(&setup, "", &[on("s"), live()], &[on("s")]), denied);
    assert_eq!(update(&setup, "", &[on("s"), live()], &[on("s"), any()]), denied);
    let own = || selector(json!({"matchLabels": {"env": "live"}, "providerTypes": ["aws"]}));
    assert_eq!(update(&setup, "", &[on("s"), live()], &[on("s"), own()]), ALLOWED);
    assert_eq!(update(&setup, "", &[], &[test()]), ALLOWED);
    assert_eq!(update(&setup, "binding", &[test()], &[on("s"), test()]), ALLOWED);
}

#[rstest]
#[case::no_backup_there(&[("/spec/backup", json!(null))], &[], Some("shoot/migration-old-seed-no-backup"))]
#[case::no_backup_here(&[], &[("/spec/backup", json!(null))], Some("shoot/migration-new-seed-no-backup"))]
#[case::no_internal_domain(&[("/spec/dns/internal", json!(null))], &[], Some("shoot/migration-internal-domain"))]
#[case::no_default_domain(&[], &[("/spec/dns/defaults", json!([]))], Some("shoot/migration-default-domain"))]
#[case::no_default_domain_there(&[("/spec/dns/defaults", json!([]))], &[], None)]
#[case::other_provider(&[], &[("/spec/provider/type", json!("gcp"))], None)]
fn moving(
    #[case] old: &[(&str, Value)],
    #[case] new: &[(&str, Value)],
    #[case] denial: Option<&str>,
) {
    let mut setup = setup(old);
    add_seed(&mut setup, "t", new);
    let domain = ("/spec/dns/domain", json!("shoot.p.example.com"));
    let denied = update(&setup, "binding", &[on("s"), domain.clone()], &[on("t"), domain]);
    assert_eq!(denied, Vec::from_iter(denial));
}

#[test]
fn a_domain_of_ones_own_moves_anywhere_and_a_first_seed_needs_no_backup() {
    let mut setup = setup(&[("/spec/backup", json!(null))]);
    assert_eq!(update(&setup, "binding", &[], &[on("s")]), ALLOWED);
    add_seed(&mut setup, "s", &[]);
    add_seed(&mut setup, "t", &[("/spec/dns/defaults", json!([]))]);
    let domain = ("/spec/dns/domain", json!("shoot.my.org"));
    assert_eq!(update(&setup, "binding", &[on("s"), domain.clone()], &[on("t"), domain]), ALLOWED);
}

fn last_operation(kind: &str, state: &str) -> (&'static str, Value) {
    ("/status/lastOperation", json!({"type": kind, "state": state}))
}

#[rstest]
#[case::migrated("Migrate", "Succeeded", "s", Some("shoot/spec-change-during-migration"))]
#[case::migrating("Migrate", "Processing", "t", Some("shoot/spec-change-during-migration"))]
#[case::restored("Restore", "Succeeded", "s", None)]
#[case::restoring("Restore", "Processing", "s", Some("shoot/spec-change-during-migration"))]
#[case::rescheduled("Reconcile", "Succeeded", "t", Some("shoot/spec-change-after-reschedule"))]
#[case::reconciled("Reconcile", "Succeeded", "s", None)]
fn around_migration(
    #[case] kind: &str,
    #[case] state: &str,
    #[case] seed: &str,
    #[case] denial: Option<&str>,
) {
    let mut setup = setup(&[]);
    add_seed(&mut setup, "t", &[]);
    let stored = [on("s"), last_operation(kind, state), ("/status/seedName", json!(seed))];
    let changed = |change: (&'static str, Value)| [on("s"), change];
    let spec = changed(("/spec/purpose", json!("production")));
    assert_eq!(update(&setup, "", &stored, &spec), Vec::from_iter(denial));
    let annotation = changed(("/metadata/annotations", json!({"a": "b"})));
    assert_eq!(update(&setup, "", &stored, &annotation), ALLOWED);
    assert_eq!(update(&setup, "binding", &stored, &[on("t")]), ALLOWED);
    let moving = denial == Some("shoot/spec-change-during-migration");
    let denied: &[&str] = if moving { &["shoot/delete-during-migration"] } else { &[] };
    assert_eq!(delete(&setup, &stored), denied);
}

fn tolerance(kind: &str) -> (&'static str, Value) {
    ("/spec/controlPlane/highAvailability", json!({"failureTolerance": {"type": kind}}))
}

#[test]
fn three_zones_for_zone_ha() {
    let setup = setup(&[("/spec/provider/zones", json!(["a", "b"]))]);
    let labelled = ("/metadata/labels", json!({"a": "b"}));
    let denied = ["shoot/seed-zones-for-zone-ha"];
    assert_eq!(create(&setup, &[on("s"), tolerance("zone")]), denied);
    let stored = [on("s"), tolerance("zone")];
    let new = [on("s"), tolerance("zone"), labelled];
    assert_eq!(update(&setup, "", &stored, &new), denied);
    assert_eq!(update(&setup, "", &stored, &stored), ALLOWED);
    assert_eq!(create(&setup, &[on("s"), tolerance("node")]), ALLOWED);
}

const CONFIRMATION: &str = "/metadata/annotations/confirmation.gardener.cloud~1deletion";
const CONFIRMED_BY: &str = "/metadata/annotations/deletion.gardener.cloud~1confirmed-by";
const OPERATION: &str = "/metadata/annotations/gardener.cloud~1operation";
/// The value is long, and parsed only if necessary.
const APPLIED: &str = "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration";

#[rstest]
#[case::confirmed(&[], &[(CONFIRMATION, json!("true"))], false)]
#[case::confirmed_anew(&[(CONFIRMATION, json!("1"))], &[(CONFIRMATION, json!("true"))], false)]
#[case::confirmation_removed(&[(CONFIRMATION, json!("true"))], &[], true)]
#[case::name_without_confirmation(&[], &[(CONFIRMED_BY, json!("bob"))], false)]
#[case::signal(&[last_operation("Reconcile", "Succeeded")], &[(OPERATION, json!("reconcile"))], false)]
#[case::no_signal_yet(&[], &[(OPERATION, json!("reconcile"))], true)]
#[case::operation(&[last_operation("Reconcile", "Succeeded")], &[(OPERATION, json!("rotate-ca-start"))], true)]
#[case::retry(&[last_operation("Reconcile", "Failed")], &[(OPERATION, json!("retry"))], false)]
#[case::no_retry(&[last_operation("Reconcile", "Failed")], &[(OPERATION, json!("reconcile"))], true)]
#[case::operation_removed(&[(OPERATION, json!("rotate-ca-start"))], &[], true)]
#[case::other_annotation(&[], &[("/metadata/annotations/a", json!("b"))], true)]
#[case::applied_first(&[], &[(APPLIED, json!("{}"))], true)]
#[case::applied_anew(&[(APPLIED, json!("{}"))], &[(APPLIED, json!("{\"a\": 1}"))], true)]
#[case::applied_as_before(&[(APPLIED, json!("{}"))], &[(APPLIED, json!("{}"))], false)]
#[case::never_applied_any_more(&[(APPLIED, json!("{}"))], &[], true)]
#[case::finalizer(&[], &[("/metadata/finalizers", json!(["a"]))], false)]
#[case::label(&[], &[("/metadata/labels", json!({"a": "b"}))], false)]
#[case::spec(&[], &[("/spec/purpose", json!("production"))], true)]
#[case::nothing(&[], &[], false)]
fn frozen_on_a_deleting_seed(
    #[case] old: &[(&'static str, Value)],
    #[case] new: &[(&'static str, Value)],
    #[case] frozen: bool,
) {
    let setup = setup(&[("/metadata/deletionTimestamp", json!(DELETED))]);
    let stay = |changes: &[(&'static str, Value)]| [&[on("s")], changes].concat();
    let expected: &[&str] = if frozen { &["shoot/deleting-seed-frozen"] } else { &[] };
    assert_eq!(update(&setup, "", &stay(old), &stay(new)), expected);
}

#[test]
fn user_who_confirms_a_deletion_is_recorded() {
    let setup = setup(&[]);
    let mut new = shoot(&[(CONFIRMATION, json!("true"))]);
    let review = setup.review(&request("shoots", "UPDATE", &new, Some(&shoot(&[]))));
    json_patch::patch(&mut new, &review.patch).unwrap();
    assert_eq!(new.pointer(CONFIRMED_BY), Some(&json!(setup.user)));
}

fn live(value: &str) -> (&'static str, Value) {
    ("/metadata/annotations/migration.gardener.cloud~1live-migrate", json!(value))
}

#[test]
fn the_gate_and_the_annotation() {
    let mut setup = setup(&[]);
    let gate = ["shoot/live-migration-feature-gate"];
    assert_eq!(update(&setup, "", &[on("s")], &[on("s"), live("true")]), gate);
    assert_eq!(delete(&setup, &[on("s"), live("1")]), gate);
    assert_eq!(create(&setup, &[live("false")]), ALLOWED);
    assert_eq!(create(&setup, &[live("yes")]), ALLOWED);
    setup.config.feature_gates.live_control_plane_migration = true;
    assert_eq!(create(&setup, &[live("true")]), ["shoot/live-migration-on-create"]);
    assert_eq!(update(&setup, "", &[on("s")], &[on("s"), live("true")]), ALLOWED);
}

#[rstest]
#[case::near(Some("us: 50"), &[], &[], None)]
#[case::far(Some("us: 999"), &[], &[], Some("shoot/live-migration-distance"))]
#[case::just_allowed(Some("us: 180"), &[], &[], None)]
#[case::no_distance(Some("ap: 1"), &[], &[], Some("shoot/live-migration-distance"))]
#[case::unreadable(Some("us: far"), &[], &[], Some("shoot/live-migration-distance-unreadable"))]
#[case::no_config(None, &[], &[], Some("shoot/live-migration-distance"))]
#[case::distance_allowed(None, &[("/metadata/annotations/migration.gardener.cloud~1allow-distant-regions", json!("true"))], &[], None)]
#[case::same_region(None, &[], &[("/spec/provider/region", json!("eu"))], None)]
#[case::other_provider(Some("us: 1"), &[], &[("/spec/provider/type", json!("gcp"))], Some("shoot/live-migration-provider"))]
#[case::other_version(Some("us: 1"), &[], &[("/status/gardener/version", json!("v2"))], Some("shoot/live-migration-gardenlet-version"))]
#[case::no_version(Some("us: 1"), &[], &[("/status/gardener", json!(null))], Some("shoot/live-migration-gardenlet-version"))]
#[case::in_hibernation(Some("us: 1"), &[("/status/hibernated", json!(true))], &[], Some("shoot/live-migration-hibernated"))]
#[case::hibernated(Some("us: 1"), &[("/spec/hibernation", json!({"enabled": true}))], &[], Some("shoot/live-migration-hibernated"))]
#[case::not_ha(Some("us: 1"), &[("/spec/controlPlane", json!(null))], &[], Some("shoot/live-migration-not-highly-available"))]
fn live_moves(
    #[case] distances: Option<&str>,
    #[case] own: &[(&'static str, Value)],
    #[case] seed: &[(&'static str, Value)],
    #[case] denial: Option<&str>,
) {
    let mut setup = setup(&[]);
    setup.config.feature_gates.live_control_plane_migration = true;
    add_seed(&mut setup, "t", &[&[("/spec/provider/region", json!("us"))], seed].concat());
    let distances = distances.into_iter().map(region_config);
    setup.labelled = distances.map(GardenObject::from).collect();
    let own = [&[live("true"), tolerance("node")], own].concat();
    let moved = |seed| [own.as_slice(), &[on(seed)]].concat();
    assert_eq!(update(&setup, "binding", &moved("s"), &moved("t")), Vec::from_iter(denial));
}

fn default_domain(domain: &str) -> GardenObject {
    let annotations =
        json!({"dns.gardener.cloud/provider": "p", "dns.gardener.cloud/domain": domain});
    let labels = json!({"gardener.cloud/role": "default-domain"});
    let metadata = json!({"namespace": "garden", "name": domain, "labels": labels, "annotations": annotations});
    let secret: DomainSecret = serde_json::from_value(json!({"metadata": metadata})).unwrap();
    GardenObject::from(secret)
}

fn region_config(distances: &str) -> RegionConfig {
    let annotations = json!({"scheduling.gardener.cloud/cloudprofiles": "other, c"});
    let labels = json!({"scheduling.gardener.cloud/purpose": "region-config"});
    let metadata = json!({"namespace": "garden", "name": "regions", "labels": labels, "annotations": annotations});
    serde_json::from_value(json!({"metadata": metadata, "data": {"eu": distances}})).unwrap()
}

fn documented(mut setup: Setup, strategy: Option<Strategy>) -> Setup {
    setup.config.profile = Profile::Documented;
    setup.config.scheduler_strategy = strategy;
    setup
}

/// Returns the warning about a new Shoot that no seed accepts.
fn warning(setup: &Setup, changes: &[(&str, Value)]) -> Option<String> {
    let review = setup.review(&request("shoots", "CREATE", &shoot(changes), None));
    let mut findings = review.findings.into_iter();
    let found = findings.find(|finding| finding.finding == "shoot/no-seed-accepts");
    found.map(|finding| finding.message)
}

#[rstest]
#[case::invisible(("/spec/settings/scheduling", json!({})), "is not visible to the scheduler")]
#[case::not_ready(("/status/conditions", json!([{"type": "GardenletReady", "status": "False"}])), "is not ready")]
fn a_seed_that_is_not_usable_is_for_who_names_it(
    #[case] change: (&str, Value),
    #[case] reason: &str,
) {
    let setup = documented(setup(&[change]), None);
    assert_eq!(create(&setup, &[on("s")]), ALLOWED);
    let expected = format!("no seed would take this Shoot: `s` {reason}");
    assert_eq!(warning(&setup, &[]), Some(expected));
    assert_eq!(warning(&setup, &[on("s")]), None);
}

fn on_seed(setup: &Setup, operation: &str, old: Option<&Value>, new: &Value) -> Vec<String> {
    ids(setup, &request("seeds", operation, new, old))
}

#[rstest]
#[case::hosted(&[on("s")], true)]
#[case::hosted_in_fact(&[on("t"), ("/status/seedName", json!("s"))], true)]
#[case::elsewhere(&[on("t")], false)]
fn a_seed_in_use_is_not_deleted(#[case] other: &[(&str, Value)], #[case] in_use: bool) {
    let mut setup = setup(&[]);
    add_shoot(&mut setup, "other", other);
    let seed = seed("s", &[]);
    let mut by_name = request("seeds", "DELETE", &seed, Some(&seed));
    by_name["object"] = json!(null);
    let mut together = by_name.clone();
    together["name"] = json!("");
    let denial = |id| Vec::from_iter(in_use.then_some(id));
    assert_eq!(ids(&setup, &by_name), denial("seed/delete-in-use"));
    assert_eq!(ids(&setup, &together), ALLOWED);
    let setup = documented(setup, None);
    assert_eq!(ids(&setup, &together), denial("seed/deletecollection-in-use"));
}

#[rstest]
#[case::twice(&["foo", "foo"], Some("seed/taints-invalid"))]
#[case::with_and_without_value(&["foo", "foo=x"], None)]
#[case::no_label_key(&["a b=c d"], None)]
fn taints_are_not_repeated(#[case] taints: &[&str], #[case] denial: Option<&str>) {
    let seed = seed("s", &[("/spec/taints", tolerations(taints))]);
    assert_eq!(on_seed(&setup(&[]), "CREATE", None, &seed), Vec::from_iter(denial));
}

#[rstest]
#[case::zone_removed(&[], &[("/spec/provider/zones", json!(["a"]))], Some("seed/zones-removed-in-use"))]
#[case::zone_added(&[], &[("/spec/provider/zones", json!(["a", "b", "c", "d"]))], None)]
#[case::internal_domain(&[], &[("/spec/dns/internal/domain", json!("other.io"))], Some("seed/internal-domain-in-use"))]
#[case::internal_domain_removed(&[], &[("/spec/dns/internal", json!(null))], None)]
#[case::default_domain(&[], &[("/spec/dns/defaults", json!([]))], Some("seed/default-domains-in-use"))]
#[case::first_defaults(&[("/spec/dns/defaults", json!([]))], &[("/spec/dns/defaults", json!([{"domain": "new.io"}]))], Some("seed/default-domains-not-covered"))]
#[case::no_defaults(&[("/spec/dns/defaults", json!([]))], &[("/spec/dns/defaults", json!([])), ("/spec/taints", json!([{"key": "foo"}]))], None)]
#[case::first_defaults_cover(&[("/spec/dns/defaults", json!([]))], &[], None)]
#[case::label_kept(&[("/metadata/labels/seed.gardener.cloud~1self-hosted-shoot-cluster", json!(""))], &[("/metadata/labels/seed.gardener.cloud~1self-hosted-shoot-cluster", json!("")), ("/spec/taints", json!([{"key": "foo"}]))], None)]
#[case::label_removed(&[("/metadata/labels/seed.gardener.cloud~1self-hosted-shoot-cluster", json!(""))], &[], Some("seed/self-hosted-label-removed"))]
#[case::tainted(&[], &[("/spec/taints", json!([{"key": "foo"}]))], None)]
fn a_seed_in_use_keeps(
    #[case] old: &[(&str, Value)],
    #[case] new: &[(&str, Value)],
    #[case] denial: Option<&str>,
) {
    let mut setup = setup(&[]);
    setup.labelled = ["example.com", "unused.com"].map(default_domain).into();
    let (old, new) = (seed("s", old), seed("s", new));
    let update = |setup: &Setup| on_seed(setup, "UPDATE", Some(&old), &new);
    let always = denial.filter(|id| id.ends_with("label-removed"));
    assert_eq!(update(&setup), Vec::from_iter(always));
    add_shoot(&mut setup, "other", &[on("s"), ("/spec/dns/domain", json!("other.p.example.com"))]);
    assert_eq!(update(&setup), Vec::from_iter(denial));
}

#[test]
fn the_identity_of_a_backup_is_for_its_provider() {
    let mut setup = setup(&[]);
    let reference = json!({"apiVersion": "security.gardener.cloud/v1alpha1", "kind": "WorkloadIdentity", "namespace": "garden", "name": "backup"});
    let seed = seed("new", &[("/spec/backup/credentialsRef", reference)]);
    let judge = |setup: &Setup| on_seed(setup, "CREATE", None, &seed);
    assert_eq!(judge(&setup), ["seed/backup-workload-identity-missing"]);
    for (kind, denial) in [("gcp", Some("seed/backup-workload-identity-type")), ("aws", None)] {
        let identity = json!({"metadata": {"namespace": "garden", "name": "backup"}, "spec": {"targetSystem": {"type": kind}}});
        let identity: WorkloadIdentity = serde_json::from_value(identity).unwrap();
        setup.garden.apply(GardenObject::from(identity));
        assert_eq!(judge(&setup), Vec::from_iter(denial));
    }
}

/// The API server removes a new `reconcile`, unless the bytes of a configuration change with it.
#[rstest]
#[case::same(json!(1), None)]
#[case::respelled(json!(1.0), Some("seed/operation-overwrite"))]
fn reconciliation_of_a_seed_with_its_configuration(
    #[case] number: Value,
    #[case] denial: Option<&str>,
) {
    let seed = |operation: &str, number: &Value| {
        let config = ("/spec/provider/providerConfig", json!({"a": number}));
        seed("s", &[(OPERATION, json!(operation)), config])
    };
    let old = seed("renew-kubeconfig", &json!(1));
    let denied = on_seed(&setup(&[]), "UPDATE", Some(&old), &seed("reconcile", &number));
    assert_eq!(denied, Vec::from_iter(denial));
}

#[rstest]
#[case::version("v1", "WorkloadIdentity")]
#[case::kind("security.gardener.cloud/v1alpha1", "CredentialsBinding")]
fn backup_credentials_of_another_type_are_not_looked_up(#[case] version: &str, #[case] kind: &str) {
    let reference =
        json!({"apiVersion": version, "kind": kind, "namespace": "garden", "name": "backup"});
    let seed = seed("new", &[("/spec/backup/credentialsRef", reference)]);
    assert_eq!(on_seed(&setup(&[]), "CREATE", None, &seed), ALLOWED);
}

#[test]
fn all_seeds_tainted() {
    let mut setup = documented(setup(&[("/spec/taints", tolerations(&["x"]))]), None);
    for name in ["a", "b", "c", "d", "e"] {
        add_seed(&mut setup, name, &[("/spec/taints", tolerations(&["y"]))]);
    }
    let expected = "no seed would take this Shoot: `a` has taints `y`; `b` has taints `y`; `c` has taints `y`; `d` has taints `y`; `e` has taints `y`; and 1 more";
    assert_eq!(warning(&setup, &[]).as_deref(), Some(expected));
    assert_eq!(warning(&setup, &[("/spec/schedulerName", json!("other"))]), None);
    assert_eq!(create(&setup, &[("/spec/schedulerName", json!("other"))]), ALLOWED);
    setup.config.profile = Profile::Gardener;
    assert_eq!(warning(&setup, &[]), None);
}

#[rstest]
#[case::same_region(Some(Strategy::SameRegion), true)]
#[case::minimal_distance(Some(Strategy::MinimalDistance), false)]
#[case::unknown(None, false)]
fn only_a_seed_in_another_region(#[case] strategy: Option<Strategy>, #[case] warns: bool) {
    let setup = documented(setup(&[("/spec/provider/region", json!("us"))]), strategy);
    let expected = warns.then(|| "no seed would take this Shoot: `s` is in region `us`".to_owned());
    assert_eq!(warning(&setup, &[]), expected);
    let testing = ("/spec/purpose", json!("testing"));
    assert_eq!(warning(&setup, &[testing]), None);
}

#[rstest]
#[case::ipv4_overlap(&[("/spec/networking/nodes", json!("10.0.0.0/16"))], &[], None)]
#[case::ipv6_overlap(&[("/spec/networking", json!({"ipFamilies": ["IPv6"], "pods": "fd00:1::/64"}))], &[], Some("does not fit: `fd00:1::/64` overlaps `fd00:1::/48`, the pods of the seed"))]
#[case::reserved(&[("/spec/networking/pods", json!("242.1.0.0/16"))], &[], Some("does not fit: `242.1.0.0/16` overlaps `242.0.0.0/8`, which is reserved for the nodes of Shoots, mapped"))]
#[case::deleting(&[], &[("/metadata/deletionTimestamp", json!(DELETED))], Some("is being deleted"))]
#[case::shoot_selector(&[("/spec/seedSelector", json!({"matchLabels": {"env": "test"}}))], &[], Some("is not selected by spec.seedSelector"))]
#[case::provider_types_of_the_shoot(&[("/spec/seedSelector", json!({"providerTypes": ["gcp"]}))], &[], None)]
#[case::provider(&[], &[("/spec/provider/type", json!("gcp"))], Some("has provider type `gcp`"))]
#[case::zone_count(&[tolerance("zone")], &[("/spec/provider/zones", json!(["a"]))], Some("has 1 zones, not 3"))]
#[case::pinned_zone(&[("/spec/controlPlane/zones", json!(["x"]))], &[], Some("lacks a zone of spec.controlPlane.zones"))]
#[case::enforced_zones(&[("/spec/provider/workers", json!([{"name": "w", "zones": ["x"]}]))], &[("/spec/settings/zoneSelection/mode", json!("Enforce"))], Some("has no zone in common with the worker pools"))]
#[case::preferred_zones(&[("/spec/provider/workers", json!([{"name": "w", "zones": ["x"]}]))], &[("/spec/settings/zoneSelection/mode", json!("Prefer"))], None)]
#[case::enforced_zones_without_workers(&[], &[("/spec/settings/zoneSelection/mode", json!("Enforce"))], None)]
#[case::shared_preferred_zones(&[("/spec/provider/workers", json!([{"name": "w", "zones": ["a"]}]))], &[("/spec/settings/zoneSelection/mode", json!("Prefer"))], None)]
#[case::restriction(&[("/spec/accessRestrictions", json!([{"name": "eu-only"}]))], &[], Some("lacks an access restriction"))]
#[case::own_domain(&[("/spec/dns/domain", json!("shoot.p.example.com"))], &[], None)]
#[case::other_domain(&[("/spec/dns/domain", json!("x.example.com"))], &[], Some("does not serve domain `x.example.com`"))]
#[case::free_domain(&[("/spec/dns/domain", json!("x.org"))], &[], None)]
#[case::emergency_stop(&[], &[("/metadata/annotations", json!({"shoot.gardener.cloud/emergency-stop-reconciliations": "true"}))], Some("does not reconcile Shoots at present"))]
#[case::full(&[], &[("/status/allocatable", json!({"shoots": 0}))], Some("is full with 0 Shoots"))]
fn what_excludes_a_seed(
    #[case] own: &[(&str, Value)],
    #[case] seed: &[(&str, Value)],
    #[case] reason: Option<&str>,
) {
    let setup = documented(setup(seed), None);
    let expected = reason.map(|reason| format!("no seed would take this Shoot: `s` {reason}"));
    assert_eq!(warning(&setup, own), expected);
}

#[rstest]
#[case::ipv4_overlap(&[("/spec/networking/nodes", json!("10.0.0.0/16"))], &[])]
#[case::reserved(&[("/spec/networking/nodes", json!("240.1.0.0/16"))], &["shoot/networks-vs-seed Invalid spec.networking.nodes"])]
#[case::ipv6_of_the_seed(&[("/spec/networking/ipFamilies", json!(["IPv4", "IPv6"])), ("/spec/networking/nodes", json!("fd00:1::/64"))], &["shoot/networks-vs-seed Invalid spec.networking.nodes"])]
#[case::overlapping_itself(&[("/spec/networking/nodes", json!("100.64.0.0/16")), ("/spec/provider/workers", json!([{"name": "w"}]))], &["shoot/networks-overlap Invalid spec.networking.pods"])]
#[case::no_range(&[("/spec/networking/pods", json!("100.64.0.0"))], &["shoot/networks-overlap Invalid spec.networking.pods", "shoot/networks-vs-seed Invalid spec.networking.pods"])]
#[case::no_services(&[("/spec/networking/services", json!(null))], &["shoot/networks-missing Required spec.networking.services"])]
#[case::no_pods_and_no_workers(&[("/spec/networking/pods", json!(null))], &[])]
#[case::no_pods(&[("/spec/networking/pods", json!(null)), ("/spec/provider/workers", json!([{"name": "w"}]))], &["shoot/networks-missing Required spec.networking.pods"])]
fn networks(#[case] own: &[(&'static str, Value)], #[case] expected: &[&str]) {
    let shoot = shoot(&[&[on("s")], own].concat());
    let review = setup(&[]).review(&request("shoots", "CREATE", &shoot, None));
    assert_eq!(denials(&review), expected);
}

#[rstest]
#[case::nothing_observed(json!({}), &[])]
#[case::fits(json!({"services": ["100.96.0.0/13"], "egressCIDRs": ["1.2.3.4/32"]}), &[])]
#[case::reserved(json!({"services": ["100.96.0.0/13"], "nodes": ["10.0.0.0/16", "244.0.0.0/16"]}), &["shoot/networks-vs-seed Invalid status.networking.nodes"])]
#[case::no_services(json!({"nodes": ["10.0.0.0/16"]}), &["shoot/networks-missing Required status.networking.services"])]
fn observed_networks_move_too(#[case] observed: Value, #[case] expected: &[&str]) {
    let mut setup = setup(&[]);
    add_seed(&mut setup, "t", &[]);
    let old = shoot(&[on("s"), ("/status/networking", observed)]);
    let mut request = request("shoots", "UPDATE", &shoot(&[on("t")]), Some(&old));
    request["subResource"] = json!("binding");
    assert_eq!(denials(&setup.review(&request)), expected);
}

#[rstest]
#[case::offered(&[("/spec/accessRestrictions", json!([{"name": "eu-only"}]))], &[])]
#[case::not_offered(&[("/spec/accessRestrictions", json!([{"name": "x"}]))], &["shoot/access-restrictions-not-offered NotSupported spec.accessRestrictions[0]"])]
#[case::unknown_region(&[("/spec/region", json!("x")), ("/spec/accessRestrictions", json!([{"name": "eu-only"}]))], &["shoot/access-restrictions-region Invalid spec.region"])]
#[case::not_on_the_seed(&[on("s"), ("/spec/accessRestrictions", json!([{"name": "eu-only"}]))], &[
    "shoot/access-restrictions-not-on-seed Forbidden spec.accessRestrictions[0]",
    "shoot/seed-access-restrictions Forbidden spec.seedName",
])]
fn access_restrictions(#[case] own: &[(&str, Value)], #[case] expected: &[&str]) {
    let review = setup(&[]).review(&request("shoots", "CREATE", &shoot(own), None));
    assert_eq!(denials(&review), expected);
}

#[rstest]
#[case::not_allowed(false, &["a"], "node", &["shoot/control-plane-zones-not-allowed Forbidden spec.controlPlane.zones"])]
#[case::on_the_seed(true, &["a"], "node", &[])]
#[case::not_on_the_seed(true, &["x"], "node", &["shoot/control-plane-zones-vs-seed Invalid spec.controlPlane.zones[0]"])]
#[case::too_many(true, &["a", "b"], "node", &["shoot/control-plane-zones-count Invalid spec.controlPlane.zones"])]
#[case::three(true, &["a", "b", "c"], "zone", &[])]
#[case::twice(true, &["a", "b", "b"], "zone", &[
    "shoot/control-plane-zones-count Invalid spec.controlPlane.zones",
    "shoot/control-plane-zones-duplicate Duplicate spec.controlPlane.zones[2]",
])]
fn control_plane_zones(
    #[case] pinning: bool,
    #[case] zones: &[&str],
    #[case] kind: &str,
    #[case] expected: &[&str],
) {
    let mut setup = setup(&[]);
    add_profile(&mut setup, json!({"controlPlane": {"allowZonePinning": pinning}}));
    let shoot = shoot(&[on("s"), tolerance(kind), ("/spec/controlPlane/zones", json!(zones))]);
    assert_eq!(denials(&setup.review(&request("shoots", "CREATE", &shoot, None))), expected);
}

#[rstest]
#[case::kept(&["a"], "node", &["a"], "node", false)]
#[case::cleared(&["a"], "node", &[], "node", false)]
#[case::changed(&["a"], "node", &["b"], "node", true)]
#[case::set(&[], "node", &["a"], "node", true)]
#[case::grown(&["a"], "node", &["a", "b", "c"], "zone", false)]
#[case::replaced_in_all_zones(&["a", "b", "c"], "zone", &["a", "b", "d"], "zone", true)]
#[case::replaced_while_growing(&["a"], "node", &["b", "c", "d"], "zone", true)]
fn control_plane_zones_stay(
    #[case] old: &[&str],
    #[case] old_kind: &str,
    #[case] new: &[&str],
    #[case] new_kind: &str,
    #[case] refused: bool,
) {
    let mut setup = setup(&[]);
    add_profile(&mut setup, json!({"controlPlane": {"allowZonePinning": true}}));
    let with = |zones: &[&str], kind| [tolerance(kind), ("/spec/controlPlane/zones", json!(zones))];
    let expected: &[&str] = if refused { &["shoot/immutable-field-changed"] } else { &[] };
    assert_eq!(update(&setup, "", &with(old, old_kind), &with(new, new_kind)), expected);
}

#[test]
fn control_plane_zones_of_a_first_binding_are_compared_with_the_seed() {
    let mut setup = setup(&[]);
    add_profile(&mut setup, json!({"controlPlane": {"allowZonePinning": true}}));
    let zones = |zones: &[&str]| ("/spec/controlPlane/zones", json!(zones));
    let old = [tolerance("node"), zones(&["a"])];
    let new = [on("s"), tolerance("zone"), zones(&["a", "b", "x"])];
    let denied = update(&setup, "binding", &old, &new);
    let expected = "shoot/control-plane-zones-vs-seed";
    assert!(denied.iter().any(|it| it == expected), "{denied:?}");
}

#[rstest]
#[case::self_hosted(&[on("s"), ("/spec/provider/workers", json!([{"name": "w", "controlPlane": {}}]))], "shoot/seed-name-self-hosted")]
#[case::selector(&[("/spec/seedSelector", json!({"matchExpressions": [{"key": "a", "operator": "In"}]}))], "shoot/seed-selector-invalid")]
#[case::scheduler(&[("/spec/schedulerName", json!("My Scheduler"))], "shoot/scheduler-name-invalid")]
fn statically_wrong(#[case] own: &[(&str, Value)], #[case] denial: &str) {
    let mut setup = setup(&[]);
    setup.verbs = vec!["update", "mark-self-hosted"];
    assert_eq!(create(&setup, own), [denial]);
}

#[test]
fn the_scheduler_stays_and_so_does_the_spec_of_a_deleting_shoot() {
    let setup = setup(&[]);
    let scheduler = |name: &str| [("/spec/schedulerName", json!(name))];
    assert_eq!(update(&setup, "", &[], &scheduler("default-scheduler")), ALLOWED);
    assert_eq!(update(&setup, "", &[], &scheduler("other")), ["shoot/immutable-field-changed"]);
    let deleting = ("/metadata/deletionTimestamp", json!(DELETED));
    let denied =
        update(&setup, "binding", std::slice::from_ref(&deleting), &[deleting.clone(), on("s")]);
    assert_eq!(denied, ["shoot/spec-frozen-when-deleting"]);
}

#[test]
fn what_a_seed_is_like_is_missed_once() {
    let mut setup = setup(&[]);
    setup.garden = Snapshot::new(Knowledge::Nothing);
    let review = setup.review(&request("shoots", "CREATE", &shoot(&[on("s")]), None));
    let messages = review.undetermined.iter().map(|it| it.message.as_str());
    let about_seed =
        messages.filter(|message| message.starts_with("cannot tell what Seed `s` is like"));
    assert_eq!(about_seed.count(), 1, "{:?}", review.undetermined);
}

const NODES: &str = "/spec/networking/nodes";
const PODS: &str = "/spec/networking/pods";
const SERVICES: &str = "/spec/networking/services";
const FAMILIES: &str = "/spec/networking/ipFamilies";

fn with_workers() -> (&'static str, Value) {
    ("/spec/provider/workers", json!([{"name": "w"}]))
}

/// Returns a seed with the default networks `100.96.0.0/11` and `100.64.0.0/13`, unless other defaults are given.
fn filling_in(defaults: Option<Value>) -> Setup {
    let usual = || json!({"pods": "100.96.0.0/11", "services": "100.64.0.0/13"});
    let defaults = defaults.unwrap_or_else(usual);
    documented(setup(&[("/spec/networks/shootDefaults", defaults)]), None)
}

#[rstest]
#[case::services_in_pods(&[(PODS, json!("100.64.0.0/14")), (SERVICES, json!(null))], None, Some("would fill in services `100.64.0.0/13`, which overlap the pods `100.64.0.0/14`"))]
#[case::pods_over_services(&[(PODS, json!(null)), (SERVICES, json!("100.100.0.0/16"))], None, Some("would fill in pods `100.96.0.0/11`, which overlap the services `100.100.0.0/16`"))]
#[case::pods_over_nodes(&[(PODS, json!(null)), (NODES, json!("100.100.0.0/16")), (SERVICES, json!("100.64.0.0/13"))], None, Some("would fill in pods `100.96.0.0/11`, which overlap the nodes `100.100.0.0/16`"))]
#[case::services_over_nodes(&[(SERVICES, json!(null)), (NODES, json!("100.64.0.0/16")), (PODS, json!("10.1.0.0/16"))], None, Some("would fill in services `100.64.0.0/13`, which overlap the nodes `100.64.0.0/16`"))]
#[case::nothing_filled_in(&[(PODS, json!("10.1.0.0/16")), (SERVICES, json!("10.2.0.0/16")), (NODES, json!("100.64.0.0/16"))], None, None)]
#[case::all_filled_in(&[(PODS, json!(null)), (SERVICES, json!(null)), (NODES, json!("10.250.0.0/16"))], None, None)]
#[case::no_networking(&[("/spec/networking", json!(null))], None, None)]
#[case::unreadable(&[(PODS, json!("100.64.0.0")), (SERVICES, json!(null))], None, Some("does not fit: `100.64.0.0` is not a valid CIDR"))]
#[case::dual_stack(&[(FAMILIES, json!(["IPv4", "IPv6"])), (PODS, json!("100.64.0.0/14")), (SERVICES, json!(null))], None, Some("would fill in services `100.64.0.0/13`, which overlap the pods `100.64.0.0/14`"))]
#[case::dual_stack_by_ipv6(&[(FAMILIES, json!(["IPv4", "IPv6"])), (PODS, json!("100.64.0.0/14")), (SERVICES, json!(null))], Some(json!({"services": "fd00:9::/112"})), None)]
#[case::dual_stack_in_ipv6(&[(FAMILIES, json!(["IPv4", "IPv6"])), (PODS, json!("fd00:9::/64")), (SERVICES, json!(null))], Some(json!({"services": "fd00:9::/112"})), Some("would fill in services `fd00:9::/112`, which overlap the pods `fd00:9::/64`"))]
#[case::ipv6(&[(FAMILIES, json!(["IPv6"])), (PODS, json!("fd00:9::/64")), (SERVICES, json!(null))], Some(json!({"services": "fd00:9::/112"})), None)]
#[case::no_default(&[(PODS, json!(null))], Some(json!({})), Some("has no default IPv4 range for pods"))]
#[case::no_default_for_services(&[(SERVICES, json!(null))], Some(json!({"pods": "10.1.0.0/16"})), Some("has no default IPv4 range for services"))]
#[case::no_default_of_the_family(&[(PODS, json!(null))], Some(json!({"pods": "fd00:9::/64"})), Some("has no default IPv4 range for pods"))]
fn ranges_that_a_seed_fills_in(
    #[case] own: &[(&'static str, Value)],
    #[case] defaults: Option<Value>,
    #[case] reason: Option<&str>,
) {
    let setup = filling_in(defaults);
    let own = [&[with_workers()], own].concat();
    let expected = reason.map(|reason| format!("no seed would take this Shoot: `s` {reason}"));
    assert_eq!(warning(&setup, &own), expected);
    let refused = create(&setup, &[own.as_slice(), &[on("s")]].concat());
    let is_refused = refused.iter().any(|id| id.starts_with("shoot/networks-"));
    assert_eq!(is_refused, reason.is_some(), "{refused:?}");
    assert_eq!(warning(&setup, &[own.as_slice(), &[on("s")]].concat()), None);
}

#[test]
fn own_ranges_that_overlap_are_refused_at_once() {
    let own = [with_workers(), (NODES, json!("100.64.0.0/16"))];
    let setup = filling_in(None);
    assert_eq!(create(&setup, &own), ["shoot/networks-overlap"]);
    assert_eq!(warning(&setup, &own), None);
}

#[test]
fn a_shoot_without_workers_needs_no_range_for_pods() {
    let bare = [(PODS, json!(null)), (SERVICES, json!(null))];
    assert_eq!(warning(&filling_in(None), &bare), None);
    let overlapping = [(NODES, json!("100.96.0.0/16")), (PODS, json!(null))];
    let own_services = (SERVICES, json!("10.2.0.0/16"));
    let own = [&overlapping[..], &[own_services]].concat();
    assert_eq!(warning(&filling_in(None), &own), None);
}

#[test]
fn one_seed_with_ranges_that_fit_is_enough() {
    let mut setup = filling_in(None);
    let own = [with_workers(), (PODS, json!("100.64.0.0/14")), (SERVICES, json!(null))];
    let review = setup.review(&request("shoots", "CREATE", &shoot(&own), None));
    let finding = review.findings.iter().find(|it| it.finding == "shoot/no-seed-accepts");
    assert_eq!(finding.unwrap().field, "spec.networking");
    let other = json!({"services": "10.2.0.0/16"});
    add_seed(&mut setup, "t", &[("/spec/networks/shootDefaults", other)]);
    assert_eq!(warning(&setup, &own), None);
    add_seed(&mut setup, "t", &[("/spec/taints", tolerations(&["x"]))]);
    let expected = "no seed would take this Shoot: `s` would fill in services `100.64.0.0/13`, which overlap the pods `100.64.0.0/14`; `t` has taints `x`";
    assert_eq!(warning(&setup, &own).as_deref(), Some(expected));
}

#[rstest]
#[case::labels(json!({"matchLabels": {"env": "live"}}), "aws", None, None)]
#[case::other_labels(json!({"matchLabels": {"env": "test"}}), "aws", None, Some("is not selected by the profile"))]
#[case::unreadable(json!({"matchExpressions": [{"key": "env", "operator": "In"}]}), "aws", None, Some("is not selected by the profile"))]
#[case::provider_type(json!({"providerTypes": ["azure", "gcp"]}), "gcp", None, None)]
#[case::any_provider_type(json!({"providerTypes": ["*"]}), "gcp", None, None)]
#[case::other_provider_type(json!({"providerTypes": ["azure"]}), "aws", None, Some("has provider type `aws`"))]
#[case::same_region_has_the_same_provider(json!({"providerTypes": ["*"]}), "gcp", Some(Strategy::SameRegion), Some("has provider type `gcp`"))]
fn profile_excludes_a_seed(
    #[case] selector: Value,
    #[case] provider: &str,
    #[case] strategy: Option<Strategy>,
    #[case] reason: Option<&str>,
) {
    let mut setup = documented(setup(&[("/spec/provider/type", json!(provider))]), strategy);
    add_profile(&mut setup, json!({"seedSelector": selector}));
    let expected = reason.map(|reason| format!("no seed would take this Shoot: `s` {reason}"));
    assert_eq!(warning(&setup, &[]), expected);
}

#[rstest]
#[case::same(("renew-kubeconfig", false), ("renew-kubeconfig", false), None)]
#[case::other(("renew-kubeconfig", false), ("renew-garden-access-secrets", false), Some("seed/operation-overwrite"))]
#[case::signal_during_deletion(("renew-kubeconfig", true), ("reconcile", true), None)]
#[case::signal_with_deletion(("renew-kubeconfig", false), ("reconcile", true), Some("seed/operation-overwrite"))]
fn operation_of_a_seed(
    #[case] old: (&str, bool),
    #[case] new: (&str, bool),
    #[case] denial: Option<&str>,
) {
    let [old, new] = [old, new].map(|(operation, is_deleted)| {
        let deletion = is_deleted.then_some(DELETED);
        seed(
            "s",
            &[(OPERATION, json!(operation)), ("/metadata/deletionTimestamp", json!(deletion))],
        )
    });
    let denied = on_seed(&setup(&[]), "UPDATE", Some(&old), &new);
    assert_eq!(denied, Vec::from_iter(denial));
}
