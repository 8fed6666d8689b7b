// SPDX-License-Identifier: Apache-2.0
//! Objects with unusually many items: the time must not grow with the square of their number.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::reviews::{recorded, set, update};
use crate::trial::Trial;

const SECONDS: Duration = Duration::from_secs(5);
/// Numbers of items, some of which are beyond the limits of an API server.
const NUMBERS: [usize; 5] = [1_000, 4_000, 10_000, 20_000, 60_000];

/// Sends UPDATEs with items on both sides, in opposite orders, from two clients at once.
fn withstands(name: &'static str, review: fn() -> Value, pointer: &str, item: fn(usize) -> Value) {
    let bodies = NUMBERS.map(|number| {
        let items: Vec<Value> = (0..number).map(item).collect();
        let mut review = review();
        set(&mut review, pointer, &Value::from(items));
        let new = review["request"]["object"].pointer_mut(pointer).unwrap();
        new.as_array_mut().unwrap().reverse();
        axum::body::Bytes::from(review.to_string())
    });
    Trial::new(name).withstands(async |target| {
        let start = Instant::now();
        for body in bodies.iter().cycle() {
            let posts = (0..2).map(|_| target.post("/validate?timeout=1s", body.clone()));
            join_all(posts).await;
            if start.elapsed() > SECONDS {
                break;
            }
        }
        vec![]
    });
}

#[test]
fn worker_pools() {
    let pool = |number| json!({"name": format!("p{number}")});
    withstands("A3 pools", update, "/spec/provider/workers", pool);
}

#[test]
fn tolerations() {
    let toleration = |number| json!({"key": format!("k{number}")});
    withstands("A3 tolerations", update, "/spec/tolerations", toleration);
}

#[test]
fn a_whitelist_of_tolerations() {
    let toleration = |number| json!({"key": format!("k{number}")});
    let pointer = "/spec/tolerations/whitelist";
    let project = || {
        let mut review = recorded("010-validate-update-projects");
        set(&mut review, "/spec/tolerations", &json!({}));
        review
    };
    withstands("A3 whitelist", project, pointer, toleration);
}

#[test]
fn kubernetes_versions() {
    let profile = || recorded("008-validate-update-cloudprofiles");
    let version = |number| json!({"version": format!("1.{}.{}", number / 100, number % 100)});
    withstands("A3 versions", profile, "/spec/kubernetes/versions", version);
}

#[test]
fn machine_images() {
    let profile = || recorded("008-validate-update-cloudprofiles");
    let image = |number| json!({"name": format!("i{number}"), "versions": [{"version": "1.0.0"}]});
    withstands("A3 images", profile, "/spec/machineImages", image);
}
