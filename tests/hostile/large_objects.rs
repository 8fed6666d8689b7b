// SPDX-License-Identifier: Apache-2.0
//! Objects whose text is small, but whose parsed form is large.

use std::time::{Duration, Instant};

use futures_util::future::join_all;

use crate::reviews::{CONFIG, create, empty_fields, update_in_deletion, with_text};
use crate::target::Target;
use crate::trial::Trial;

/// Duration of each attack.
const SECONDS: Duration = Duration::from_secs(6);

/// A verdict, body too large, too many requests.
const ANSWERS: [u16; 3] = [200, 413, 503];

/// Posts the same body repeatedly from `at_once` clients; each must get a response.
async fn flood(target: &Target, path: &str, body: String, at_once: usize) -> Vec<String> {
    let start = Instant::now();
    let body = bytes(body);
    while start.elapsed() < SECONDS {
        let posts = (0..at_once).map(|_| target.post(path, body.clone()));
        for answer in join_all(posts).await {
            let status = answer.map(|answer| answer.status);
            if !status.is_some_and(|it| ANSWERS.contains(&it)) {
                return vec![format!("it was answered with {status:?}")];
            }
        }
    }
    vec![]
}

fn bytes(text: String) -> axum::body::Bytes {
    text.into()
}

#[test]
fn a_create_with_as_many_fields_as_an_api_server_takes() {
    let body = with_text(create(), CONFIG, &empty_fields(2_900 << 10));
    let trial = Trial::new("A1 one CREATE of 2.9 MiB").repeats();
    trial.withstands(async |target| flood(target, "/mutate", body.clone(), 1).await);
}

#[test]
fn two_creates_with_many_fields_at_once() {
    let body = with_text(create(), CONFIG, &empty_fields(2_150 << 10));
    let trial = Trial::new("A1 two CREATEs of 2.15 MiB").repeats();
    trial.withstands(async |target| flood(target, "/mutate", body.clone(), 2).await);
}

#[test]
fn an_update_in_deletion_with_many_fields_on_both_sides() {
    let body = with_text(update_in_deletion(), CONFIG, &empty_fields(1_400 << 10));
    let trial = Trial::new("A1 UPDATE in deletion, 1.4 MiB twice").repeats();
    trial.withstands(async |target| flood(target, "/validate", body.clone(), 2).await);
}
