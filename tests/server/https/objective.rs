// SPDX-License-Identifier: Apache-2.0
//! The service objective of docs/reference/metrics.md, measured.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};

use crate::common::{Gate, GateArgs};

/// Reviews per second.
const RATE: u32 = 100;
const TIME: Duration = Duration::from_mins(1);
const CLIENTS: usize = 4;

fn bodies() -> Vec<(&'static str, String)> {
    let read = |(path, file): (&'static str, &str)| {
        let recorded = fs::read_to_string(format!("tests/requests/{file}.json")).unwrap();
        let recorded: Value = serde_json::from_str(&recorded).unwrap();
        (path, recorded["review"].to_string())
    };
    let files = [
        ("/mutate", "001-mutate-update-shoots"),
        ("/validate", "002-validate-update-shoots"),
        ("/mutate", "005-mutate-create-shoots"),
        ("/validate", "006-validate-create-shoots"),
        ("/validate", "008-validate-update-cloudprofiles"),
    ];
    files.map(read).into()
}

/// `GARDEN_GATE_BIN` names a release build, or a script that runs one on one processor.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes a minute; prints how long 100 reviews a second take"]
async fn objective_of_latency_is_measured() {
    let garden = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/garden");
    let gate = Gate::start(&GateArgs::new().garden_directory(&garden));
    let client = || gate.client_builder().http1_only().build().unwrap();
    let clients: Vec<_> = (0..CLIENTS).map(|_| client()).collect();
    let bodies = bodies();
    let (mut ticks, mut reviews) = (interval(Duration::from_secs(1) / RATE), JoinSet::new());
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let count = usize::try_from(TIME.as_secs() * u64::from(RATE)).unwrap();
    for number in 0..count {
        ticks.tick().await;
        let (path, body) = bodies[number % bodies.len()].clone();
        let request = clients[number % CLIENTS]
            .post(format!("{}{path}", gate.url))
            .header("content-type", "application/json")
            .body(body);
        reviews.spawn(async move {
            let start = Instant::now();
            let answer = request.send().await.unwrap();
            assert_eq!(answer.status(), 200);
            answer.bytes().await.unwrap();
            start.elapsed()
        });
    }
    let mut times = reviews.join_all().await;
    times.sort_unstable();
    let at = |thousandth: usize| times[times.len() * thousandth / 1000];
    let said = format!(
        "{} reviews answered, p50 {:.1?}, p99 {:.1?}, p99.9 {:.1?}, longest {:.1?}\n",
        times.len(),
        at(500),
        at(990),
        at(999),
        times[times.len() - 1],
    );
    std::io::stderr().write_all(said.as_bytes()).unwrap();
    assert!(at(990) < Duration::from_millis(50), "{said}");
}
