// SPDX-License-Identifier: Apache-2.0
//! The effect of Shoot changes on the nodes of pools, compared with Gardener.

use std::collections::BTreeMap;
use std::fs::File;

use flate2::read::GzDecoder;
use garden_gate_model::api::Shoot;
use garden_gate_model::gardener::defaults;
use garden_gate_model::gardener::rolling_update::{Effect, Reservation, Side, pool_changes};
use serde_json::Value;

fn shoot(manifest: &Value) -> Shoot {
    let mut shoot: Shoot = serde_json::from_value(manifest.clone()).unwrap();
    defaults::shoot(&mut shoot, "garden-dev");
    shoot
}

fn side(shoot: &Shoot) -> Side<'_> {
    Side { shoot, status: &shoot.status, reservation: Reservation::AsWritten }
}

#[test]
fn every_recorded_answer_agrees() {
    let file = File::open("tests/vectors/roll.json.gz").unwrap();
    let recorded: Value = serde_json::from_reader(GzDecoder::new(file)).unwrap();
    let vectors = recorded["vectors"].as_array().unwrap();
    assert!(vectors.len() > 300);
    for vector in vectors {
        let (old, new) = (shoot(&vector["old"]), shoot(&vector["new"]));
        let changes = pool_changes(side(&old), side(&new));
        let got: BTreeMap<&str, &str> =
            changes.iter().map(|change| (change.pool, verdict(change.effect))).collect();
        let expected: BTreeMap<String, String> =
            serde_json::from_value(vector["expect"]["pools"].clone()).unwrap();
        let expected: BTreeMap<&str, &str> =
            expected.iter().map(|(pool, verdict)| (pool.as_str(), verdict.as_str())).collect();
        assert_eq!(got, expected, "{}", vector["id"]);
    }
}

fn verdict(effect: Effect) -> &'static str {
    match effect {
        Effect::Roll => "roll",
        Effect::InPlace => "in-place",
        // The recording lacks the conditions of providers.
        Effect::None | Effect::MayRoll => "none",
        Effect::Created => "created",
        Effect::Removed => "removed",
    }
}
