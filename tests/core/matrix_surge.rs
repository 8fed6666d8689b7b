// SPDX-License-Identifier: Apache-2.0
//! Distribution of a worker pool's numbers over its zones, and the effect on machines.

use rstest::rstest;
use serde_json::{Value, json};

use crate::judging::request;
use crate::matrix_workers::{ROLLING, documented, pool, shoot, with};

/// Returns a pool `a` of 3 to 6 machines in three zones, with a few individual settings.
fn zoned(settings: &Value) -> Value {
    let mut pool = pool("a", ROLLING);
    for of in [&json!({"minimum": 3, "maximum": 6, "zones": ["x", "y", "z"]}), settings] {
        for (field, value) in of.as_object().unwrap() {
            pool[field] = value.clone();
        }
    }
    pool
}

fn of(pools: &[Value]) -> Value {
    shoot("1.33.1", pools)
}

/// Returns the findings of a rule, as `<field>: <message>`.
fn said(rule: &str, old: Option<&Value>, new: &Value) -> Vec<String> {
    let operation = if old.is_some() { "UPDATE" } else { "CREATE" };
    let review = documented().review(&request("shoots", operation, new, old));
    let findings = review.findings.into_iter();
    let ours = findings.filter(|finding| finding.rule == rule);
    ours.map(|finding| format!("{}: {}", finding.field, finding.message)).collect()
}

fn surge(old: Option<&Value>, new: &Value) -> Vec<String> {
    said("shoot/worker-surge-below-zones", old, new)
}

fn below(surge: i32, shares: &str, unavailable: &str, missing: &str, zones: &str) -> String {
    format!(
        "spec.provider.workers[0].maxSurge: maxSurge `{surge}` of pool `a`, divided over 3 zones, is {shares}, and maxUnavailable `{unavailable}` is {missing}; in {zones} a rolling update starts to delete a machine before it creates the new one"
    )
}

#[rstest]
#[case::one_for_three(json!({}), Some(below(1, "1, 0, 0", "0", "0, 0, 0", "`y`, `z`")))]
#[case::two_for_three(json!({"maxSurge": 2}), Some(below(2, "1, 1, 0", "0", "0, 0, 0", "`z`")))]
#[case::three_for_three(json!({"maxSurge": 3}), None)]
#[case::more(json!({"maxSurge": 4}), None)]
#[case::percentage(json!({"maxSurge": "1%"}), None)]
#[case::no_surge_wanted(json!({"maxSurge": 0, "maxUnavailable": 1}), None)]
#[case::one_may_be_missing(json!({"maxUnavailable": 1}), Some(below(1, "1, 0, 0", "1", "1, 0, 0", "`y`, `z`")))]
#[case::one_per_zone_may_be_missing(json!({"maxUnavailable": 3}), None)]
#[case::a_share_may_be_missing(json!({"maxUnavailable": "50%"}), None)]
#[case::less_than_one_may_be_missing(json!({"maxUnavailable": "40%"}), Some(below(1, "1, 0, 0", "40%", "0, 0, 0", "`y`, `z`")))]
#[case::no_machines_in_the_others(json!({"minimum": 1, "maximum": 1, "systemComponents": {"allow": false}}), None)]
#[case::no_machines_in_the_last(json!({"minimum": 2, "maximum": 2, "systemComponents": {"allow": false}}), Some(below(1, "1, 0, 0", "0", "0, 0, 0", "`y`")))]
#[case::no_machines(json!({"minimum": 0, "maximum": 0}), None)]
#[case::one_zone(json!({"zones": ["x"]}), None)]
#[case::no_zones(json!({"zones": []}), None)]
#[case::in_place(json!({"updateStrategy": "AutoInPlaceUpdate"}), None)]
fn a_zone_without_a_share(#[case] settings: Value, #[case] expected: Option<String>) {
    let new = of(&[zoned(&settings)]);
    assert_eq!(surge(None, &new), Vec::from_iter(expected));
}

#[rstest]
#[case::unrelated(json!({"labels": {"a": "b"}}), false)]
#[case::other_machines(json!({"machine": {"type": "n", "architecture": "amd64", "image": {"name": "os", "version": "2.0.0"}}}), false)]
#[case::minimum(json!({"minimum": 4}), true)]
#[case::maximum(json!({"maximum": 9}), true)]
#[case::surge(json!({"maxSurge": 2}), true)]
#[case::unavailable(json!({"maxUnavailable": 1}), true)]
#[case::zones(json!({"zones": ["x", "y"]}), true)]
#[case::mended(json!({"maxSurge": 3}), false)]
fn only_changes_of_the_numbers_count(#[case] settings: Value, #[case] warns: bool) {
    let old = of(&[zoned(&json!({}))]);
    let new = of(&[zoned(&settings)]);
    assert_eq!(surge(Some(&old), &new).len(), usize::from(warns));
}

#[test]
fn a_new_pool_counts_and_others_do_not() {
    let (a, mut b) = (zoned(&json!({})), zoned(&json!({})));
    b["name"] = json!("b");
    let (old, new) = (of(std::slice::from_ref(&a)), of(&[a, b]));
    let found = surge(Some(&old), &new);
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("spec.provider.workers[1].maxSurge: maxSurge `1` of pool `b`"));
}

#[rstest]
#[case::in_deletion("/metadata/deletionTimestamp", json!("2026-01-01T00:00:00Z"))]
#[case::on_unmanaged_machines("/spec/credentialsBindingName", json!(null))]
fn a_shoot_without_machines_of_gardener(#[case] pointer: &str, #[case] value: Value) {
    let [old, new] = [3, 1].map(|surge| {
        let mut control_plane = zoned(&json!({"maxSurge": surge}));
        control_plane["controlPlane"] = json!({});
        of(&[control_plane])
    });
    assert_eq!(surge(Some(&old), &new).len(), 1);
    let changed = |shoot: &Value| {
        let mut shoot = shoot.clone();
        match pointer.strip_prefix("/metadata/") {
            Some(field) => shoot["metadata"][field] = value.clone(),
            None => shoot = with(&shoot, &[(pointer, value.clone())]),
        }
        shoot
    };
    assert_eq!(surge(Some(&changed(&old)), &changed(&new)), [""; 0]);
}

fn lowered(old: &Value, new: &Value) -> Vec<String> {
    let of = |settings| of(&[zoned(settings)]);
    said("shoot/worker-zone-maximum-lowered", Some(&of(old)), &of(new))
}

/// Adding zones to the pool of a Shoot that is hibernated before or after the change deletes no machines.
#[rstest]
#[case::never(false, false, 1)]
#[case::hibernated(true, true, 0)]
#[case::wakes_up(true, false, 0)]
#[case::to_be_hibernated(false, true, 0)]
fn hibernated_shoot_has_no_machines(
    #[case] before: bool,
    #[case] after: bool,
    #[case] count: usize,
) {
    let [old, new] =
        [(json!(["x"]), before), (json!(["x", "y", "z"]), after)].map(|(zones, enabled)| {
            let shoot = of(&[zoned(&json!({"maximum": 30, "zones": zones}))]);
            with(&shoot, &[("/spec/hibernation", json!({"enabled": enabled}))])
        });
    let found = said("shoot/worker-zone-maximum-lowered", Some(&old), &new);
    assert_eq!(found.len(), count);
}

fn divided(maximum: i32, after: usize, before: usize, zones: &str) -> String {
    format!(
        "spec.provider.workers[0].zones: maximum `{maximum}` of pool `a` is divided over {after} zones instead of {before}: {zones}; machines above that are drained and deleted"
    )
}

#[rstest]
#[case::two_more(json!({"maximum": 30, "zones": ["x"]}), json!({"maximum": 30}), Some(divided(30, 3, 1, "`x` from 30 to 10 (minimum 3 to 1)")))]
#[case::one_more(json!({"maximum": 9, "zones": ["x", "y"]}), json!({"maximum": 9}), Some(divided(9, 3, 2, "`x` from 5 to 3 (minimum 2 to 1), `y` from 4 to 3")))]
#[case::raised_enough(json!({"zones": ["x", "y"]}), json!({"minimum": 6, "maximum": 9}), None)]
#[case::exchanged(json!({"zones": ["x", "y"]}), json!({"zones": ["x", "z"]}), None)]
#[case::one_less(json!({}), json!({"zones": ["x", "y"]}), None)]
#[case::in_another_order(json!({"maximum": 7}), json!({"maximum": 7, "zones": ["y", "x", "z"]}), Some(divided(7, 3, 3, "`x` from 3 to 2")))]
#[case::lowered_on_purpose(json!({"maximum": 9}), json!({}), None)]
#[case::no_zones_before(json!({"zones": []}), json!({}), None)]
fn zones_that_come_take_from_those_that_are_there(
    #[case] old: Value,
    #[case] new: Value,
    #[case] expected: Option<String>,
) {
    assert_eq!(lowered(&old, &new), Vec::from_iter(expected));
}

#[test]
fn more_zones_than_five_are_counted() {
    let zones = |count| -> Vec<String> { (0..count).map(|zone| format!("z{zone}")).collect() };
    let (old, new) = (zones(7), zones(8));
    let settings = |zones| json!({"minimum": 0, "maximum": 56, "zones": zones});
    let named = "`z0` from 8 to 7, `z1` from 8 to 7, `z2` from 8 to 7, `z3` from 8 to 7, `z4` from 8 to 7 and 2 more";
    let expected = divided(56, 8, 7, named);
    assert_eq!(lowered(&settings(old), &settings(new)), [expected]);
}

#[test]
fn a_hibernated_shoot_has_no_machines_to_lose() {
    let [mut old, mut new] = [json!({"zones": ["x"]}), json!({})].map(|it| of(&[zoned(&it)]));
    for shoot in [&mut old, &mut new] {
        shoot["spec"]["hibernation"] = json!({"enabled": true});
    }
    assert_eq!(said("shoot/worker-zone-maximum-lowered", Some(&old), &new), [""; 0]);
}
