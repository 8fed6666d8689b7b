// SPDX-License-Identifier: Apache-2.0
//! Findings and questions of a rule are dropped in updates without a relevant change.

use garden_gate_core::admission::{EntryPoint, Judgement, Request, World, judge};
use garden_gate_core::config::Config;
use garden_gate_core::garden::{Knowledge, Snapshot};
use garden_gate_core::rules;
use jiff::Timestamp;
use rstest::rstest;
use serde_json::{Value, json};

/// Returns a Shoot that requires a seed with three zones.
fn shoot(purpose: &str) -> Value {
    json!({
        "metadata": {"name": "s", "namespace": "garden-p"},
        "spec": {
            "purpose": purpose,
            "seedName": "unseen",
            "controlPlane": {"highAvailability": {"failureTolerance": {"type": "zone"}}},
        },
    })
}

/// Returns the number of questions about an update, and the number of undetermined checks.
fn told(knowledge: Knowledge, new: &Value, old: &Value) -> (usize, usize) {
    let request = json!({
        "uid": "uid",
        "resource": {"group": "core.gardener.cloud", "version": "v1beta1", "resource": "shoots"},
        "operation": "UPDATE",
        "namespace": "garden-p",
        "name": "s",
        "object": new,
        "oldObject": old,
    })
    .to_string();
    let request: Request<'_> = serde_json::from_str(&request).unwrap();
    let rules = [rules::find("shoot/seed-zones-for-zone-ha").unwrap()];
    let world = World {
        rules: (&rules).into(),
        garden: &Snapshot::new(knowledge),
        config: &Config::default(),
        now: Timestamp::UNIX_EPOCH,
    };
    match judge(EntryPoint::Validate, &request, &world) {
        Judgement::Questions(questions) => (questions.len(), 0),
        Judgement::Review(review) => (0, review.undetermined.len()),
    }
}

#[rstest]
#[case::changed("production", (1, 0), (0, 1))]
#[case::unchanged("evaluation", (0, 0), (0, 0))]
fn an_update_that_changes_nothing_leads_to_no_questions(
    #[case] purpose: &str,
    #[case] watched: (usize, usize),
    #[case] unknown: (usize, usize),
) {
    let (new, old) = (shoot(purpose), shoot("evaluation"));
    assert_eq!(told(Knowledge::Watched, &new, &old), watched);
    assert_eq!(told(Knowledge::Nothing, &new, &old), unknown);
}
