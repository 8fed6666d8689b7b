// SPDX-License-Identifier: Apache-2.0
//! Removed and renamed worker pools.

use rstest::rstest;
use serde_json::{Value, json};

use crate::judging::request;
use crate::matrix_workers::{ROLLING, documented, pool, shoot, with};

const LIST: &str = "spec.provider.workers";

/// Returns a pool with a few individual settings.
fn like(name: &str, settings: Value) -> Value {
    let mut pool = pool(name, ROLLING);
    for (field, value) in settings.as_object().unwrap() {
        pool[field] = value.clone();
    }
    pool
}

fn of(pools: &[Value]) -> Value {
    shoot("1.33.1", pools)
}

/// Returns findings about removed pools, as `<field>: <message>`.
fn said(old: &Value, new: &Value) -> Vec<String> {
    let review = documented().review(&request("shoots", "UPDATE", new, Some(old)));
    let findings = review.findings.into_iter();
    let ours = findings.filter(|finding| finding.rule == "shoot/worker-pools-removed");
    ours.map(|finding| format!("{}: {}", finding.field, finding.message)).collect()
}

fn goes(name: &str, machines: &str) -> String {
    format!("this change removes pool `{name}` (up to {machines}, drained and deleted)")
}

#[rstest]
#[case::of_many(json!({"maximum": 10}), Some("10 machines"))]
#[case::of_one(json!({"maximum": 1}), Some("1 machine"))]
#[case::of_none(json!({"minimum": 0, "maximum": 0}), None)]
fn a_pool_goes_with_its_machines(#[case] settings: Value, #[case] machines: Option<&str>) {
    let stays = like("b", json!({"machine": {"type": "n"}}));
    let old = of(&[like("a", settings), stays.clone()]);
    let expected = machines.map(|machines| format!("{LIST}: {}", goes("a", machines)));
    assert_eq!(said(&old, &of(&[stays])), Vec::from_iter(expected));
}

#[rstest]
#[case::but_for_the_name(json!({}), true)]
#[case::with_other_numbers(json!({"minimum": 2, "maximum": 5}), true)]
#[case::with_another_version_of_the_image(json!({"machine": {"type": "m", "architecture": "amd64", "image": {"name": "os", "version": "2.1.0"}}}), true)]
#[case::with_another_volume(json!({"volume": {"type": "gp3", "size": "99Gi"}}), true)]
#[case::with_zones_in_another_order(json!({"zones": ["y", "x"]}), true)]
#[case::in_other_zones(json!({"zones": ["x", "z"]}), false)]
#[case::with_another_machine_type(json!({"machine": {"type": "n", "architecture": "amd64", "image": {"name": "os", "version": "2.0.0"}}}), false)]
#[case::with_another_image(json!({"machine": {"type": "m", "architecture": "amd64", "image": {"name": "other", "version": "2.0.0"}}}), false)]
#[case::of_another_architecture(json!({"machine": {"type": "m", "architecture": "arm64", "image": {"name": "os", "version": "2.0.0"}}}), false)]
fn a_new_pool_of_the_same_shape_looks_like_a_rename(#[case] settings: Value, #[case] same: bool) {
    let old =
        of(&[like("x", json!({"zones": ["x", "y"]})), like("a", json!({"zones": ["x", "y"]}))]);
    let mut new = like("b", json!({"zones": ["x", "y"]}));
    for (field, value) in settings.as_object().unwrap() {
        new[field] = value.clone();
    }
    let new = of(&[like("x", json!({"zones": ["x", "y"]})), new]);
    let expected = if same {
        format!("{LIST}[1].name: {} and adds `b`; looks like a rename", goes("a", "3 machines"))
    } else {
        format!("{LIST}: {}", goes("a", "3 machines"))
    };
    assert_eq!(said(&old, &new), [expected]);
}

#[test]
fn pools_are_paired_one_to_one_and_the_most_alike_first() {
    let small = json!({"maximum": 3});
    let large = json!({"maximum": 9});
    let old = of(&[like("a", small.clone()), like("b", large.clone()), like("c", small)]);
    // `b` equals `y` exactly, so `a` is matched with `x`, and `c` has no match.
    let new = of(&[like("x", json!({"maximum": 4})), like("y", large)]);
    let renamed = |from: &str, machines: &str, index: usize, to: &str| {
        format!(
            "{LIST}[{index}].name: {} and adds `{to}`; looks like a rename",
            goes(from, machines)
        )
    };
    let expected = [
        format!("{LIST}: {}", goes("c", "3 machines")),
        renamed("a", "3 machines", 0, "x"),
        renamed("b", "9 machines", 1, "y"),
    ];
    assert_eq!(said(&old, &new), expected);
    assert_eq!(said(&old, &new), said(&old, &new));
}

#[test]
fn a_pool_that_comes_or_moves_in_the_list_takes_no_machines() {
    let [a, b] = ["a", "b"].map(|name| pool(name, ROLLING));
    assert_eq!(said(&of(std::slice::from_ref(&a)), &of(&[b.clone(), a.clone()])), [""; 0]);
    assert_eq!(said(&of(&[a.clone(), b.clone()]), &of(&[b, a])), [""; 0]);
}

#[rstest]
#[case::asleep("/spec/hibernation/enabled", json!(true))]
#[case::in_deletion("/metadata/deletionTimestamp", json!("2026-01-01T00:00:00Z"))]
fn a_shoot_without_machines_loses_none(#[case] pointer: &str, #[case] value: Value) {
    let mut old = of(&["a", "b"].map(|name| pool(name, ROLLING)));
    match pointer.strip_prefix("/metadata/") {
        Some(field) => old["metadata"][field] = value,
        None => old = with(&old, &[(pointer, value)]),
    }
    let mut new = old.clone();
    new["spec"]["provider"]["workers"] = json!([pool("b", ROLLING)]);
    assert_eq!(said(&old, &new), [""; 0]);
    let awake = with(&of(&[pool("a", ROLLING), pool("b", ROLLING)]), &[]);
    assert_eq!(said(&awake, &of(&[pool("b", ROLLING)])).len(), 1);
}

#[test]
fn it_happens_in_the_maintenance_window_if_changes_wait_for_it() {
    let old = of(&["a", "b"].map(|name| pool(name, ROLLING)));
    let mut new = of(&[pool("b", ROLLING)]);
    new["spec"]["maintenance"] = json!({"confineSpecUpdateRollout": true});
    let expected = format!("{LIST}: in the maintenance window, {}", goes("a", "3 machines"));
    assert_eq!(said(&old, &new), [expected]);
}
