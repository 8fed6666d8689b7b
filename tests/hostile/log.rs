// SPDX-License-Identifier: Apache-2.0
//! Input of clients neither fills the log nor forges log lines.

use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, sleep};

use crate::common::Gate;
use crate::reviews::{create, update};
use crate::target::Target;
use crate::trial::Trial;

/// Maximum size of a line in bytes.
const LONGEST: usize = 4 << 10;
/// Maximum size of all lines of a few hundred requests, in bytes.
const MOST: usize = 256 << 10;
const SECONDS: Duration = Duration::from_secs(4);
/// The beginning of a log line.
const FORGED: &str = "2026-01-01T00:00:00.000000Z  INFO forged";

fn long_texts() -> Vec<String> {
    let long = |mebibytes: usize| json!("x".repeat(mebibytes << 20));
    let mut version = update();
    version["apiVersion"] = long(7);
    let mut operation = update();
    operation["request"]["operation"] = long(7);
    let mut name = create();
    name["request"]["name"] = long(3);
    name["request"]["uid"] = json!("u".repeat(3 << 20));
    name["request"]["object"]["spec"]["tolerations"] =
        json!([{"key": "seed.gardener.cloud/protected"}]);
    [version, operation, name].map(|review| review.to_string()).into()
}

fn forgeries() -> Vec<String> {
    let forged = |end: &str| json!(format!("v1{end}{FORGED}{end}"));
    let mut bodies = Vec::new();
    for end in ["\n", "\r", "\r\n", "\u{2028}", "\u{85}", "\x0b", "\x1b[2K\r"] {
        for field in ["/apiVersion", "/kind", "/request/operation", "/request/name", "/request/uid"]
        {
            let mut review = create();
            review["request"]["object"]["spec"]["tolerations"] =
                json!([{"key": "seed.gardener.cloud/protected"}]);
            *review.pointer_mut(field).unwrap() = forged(end);
            bodies.push(review.to_string());
        }
    }
    bodies
}

async fn post_all(target: &Target, bodies: &[String]) -> Vec<String> {
    let end = Instant::now() + SECONDS;
    while Instant::now() < end {
        for body in bodies {
            target.post("/validate", body.clone()).await;
            // Each refusal has a line. The pause limits their number, since their length is under test.
            sleep(Duration::from_millis(20)).await;
        }
    }
    vec![]
}

fn is_bounded(gate: &Gate) {
    let log = gate.log();
    let breaks = |c: char| c.is_control() || ['\u{2028}', '\u{2029}'].contains(&c);
    let mut lines = log.split(breaks);
    assert!(!lines.any(|line| line.starts_with(FORGED)), "forged:\n{log:.2000}");
    let longest = log.lines().map(str::len).max().unwrap_or(0);
    assert!(longest <= LONGEST, "a line of {longest} bytes");
    assert!(log.len() <= MOST, "{} bytes of log", log.len());
}

#[test]
fn long_texts_are_clipped() {
    let bodies = long_texts();
    for format in ["text", "json"] {
        let trial = Trial::new("A8 long texts").flag("--log-format", format);
        trial.withstands_and(async |target| post_all(target, &bodies).await, is_bounded);
    }
}

#[test]
fn no_line_can_be_forged() {
    let bodies = forgeries();
    for format in ["text", "json"] {
        let trial = Trial::new("A8 forged lines").flag("--log-format", format);
        trial.withstands_and(async |target| post_all(target, &bodies).await, is_bounded);
    }
}

#[test]
fn bad_requests_do_not_fill_it() {
    let trial = Trial::new("A8 many bad requests");
    let attack = async |target: &Target| {
        let client = target.client(crate::target::NEIGHBOUR).build().unwrap();
        let end = Instant::now() + SECONDS;
        while Instant::now() < end {
            let posts = (0..50).map(|_| {
                let request = client.post(target.url("/validate"));
                request.header("content-type", "application/json").body("{}").send()
            });
            futures_util::future::join_all(posts).await;
        }
        vec![]
    };
    trial.withstands_and(attack, is_bounded);
}
