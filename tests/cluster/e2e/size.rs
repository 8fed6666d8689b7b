// SPDX-License-Identifier: Apache-2.0
use std::io::Write as _;
use std::time::Instant;

use kube::api::PostParams;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::cluster::control_plane::Options;
use crate::common::GateArgs;
use crate::e2e::world::{api, garden, gate, ready, shoot};

const SHOOTS: usize = 10_000;
/// Number of clients that fill the garden.
const WRITERS: usize = 16;

/// Returns a typical Shoot of 17 KB, with three worker pools and a long history.
fn spec(number: usize) -> Value {
    let worker = |pool: usize| {
        json!({
            "name": format!("pool-{pool}"), "minimum": 3, "maximum": 10,
            "machine": {"type": "m5.large", "image": {"name": "gardenlinux", "version": format!("1877.{}.0", number % 7)}},
            "kubernetes": {"version": format!("1.33.{}", number % 5)},
            "annotations": {"filler": "x".repeat(4_000)},
        })
    };
    json!({
        "cloudProfile": {"kind": "CloudProfile", "name": format!("profile-{}", number % 50)},
        "kubernetes": {"version": format!("1.34.{}", number % 4)},
        "provider": {"type": "aws", "workers": [worker(0), worker(1), worker(2)]},
        "filler": "x".repeat(4_000),
    })
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes to fill the garden; says how long a start takes, and how much memory"]
async fn ten_thousand_shoots_are_seen_soon_and_kept_small() {
    let Some(cluster) = garden(Options::default()).await else {
        return;
    };
    let mut writers = JoinSet::new();
    for writer in 0..WRITERS {
        let shoots = api(&cluster.admin, "Shoot");
        writers.spawn(async move {
            for number in (writer..SHOOTS).step_by(WRITERS) {
                let mut object = shoot(&format!("s{number}"), &json!([]));
                object.data["spec"] = spec(number);
                shoots.create(&PostParams::default(), &object).await.unwrap();
            }
        });
    }
    writers.join_all().await;
    let start = Instant::now();
    let gate = gate(&cluster, GateArgs::new()).await;
    ready(&gate).await;
    let took = start.elapsed();
    let seen = gate.metric("garden_objects{kind=\"Shoot\"}").await;
    assert_eq!(seen, 10_000.0);
    let memory = gate.memory();
    let said = format!("{SHOOTS} Shoots: ready after {took:?}, {memory} MiB");
    writeln!(std::io::stderr(), "{said}").unwrap();
    assert!(took.as_secs() < 30 && memory < 250, "{said}");
}
