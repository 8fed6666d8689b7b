//! How often a review allocates, and how many bytes: the same on any machine and under any load.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a measurement that cannot go on should stop, and it is told where it was asked for"
)]

use std::fs;

use allocation_counter::measure;
use garden_gate::config::Config;
use garden_gate::engine::{Case, Door, Request, Rules, World};
use garden_gate::garden::{Knowledge, Snapshot};
use garden_gate::rules;
use serde_json::{Value, json};

/// A recorded change of a Shoot's hibernation, with so many worker pools.
fn hibernation(pools: usize) -> Value {
    let file = fs::read_to_string("tests/requests/013-mutate-update-shoots.json").unwrap();
    let mut review = serde_json::from_str::<Value>(&file).unwrap()["review"].take();
    for object in ["object", "oldObject"] {
        let workers = &mut review["request"][object]["spec"]["provider"]["workers"];
        let pool = workers[0].clone();
        let pool = |number| {
            let mut pool = pool.clone();
            pool["name"] = json!(format!("pool-{number}"));
            pool
        };
        *workers = (0..pools).map(pool).collect();
    }
    review
}

fn in_deletion(mut review: Value) -> Value {
    for object in ["object", "oldObject"] {
        let metadata = &mut review["request"][object]["metadata"];
        metadata["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
    }
    review
}

fn moved(mut review: Value) -> Value {
    review["request"]["subResource"] = json!("binding");
    for (object, seed) in [("object", "to"), ("oldObject", "from")] {
        review["request"][object]["spec"]["seedName"] = json!(seed);
    }
    review
}

fn tell(name: &str, review: &Value) {
    let body = review.to_string();
    let (garden, config) = (Snapshot::new(Knowledge::Everything), Config::default());
    let world = World {
        rules: Rules::Any(rules::ALL),
        garden: &garden,
        config: &config,
        now: "2026-01-01T00:00:00Z".parse().unwrap(),
    };
    let judge = || {
        let request = Request::from_review(body.as_bytes()).unwrap();
        let _ = Case::decide(Door::Validate, &request, &world, |_, _| {});
    };
    // What is made once and kept is not of a review.
    judge();
    let allocated = measure(judge);
    println!(
        "{name}: {} bytes of review, {} allocations, {} bytes allocated",
        body.len(),
        allocated.count_total,
        allocated.bytes_total
    );
}

fn main() {
    for pools in [1, 30] {
        let hibernation = hibernation(pools);
        tell(&format!("hibernation, {pools} pools"), &hibernation);
        tell(
            &format!("hibernation, {pools} pools, in deletion"),
            &in_deletion(hibernation.clone()),
        );
        tell(&format!("binding, {pools} pools"), &moved(hibernation));
    }
}
