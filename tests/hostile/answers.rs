// SPDX-License-Identifier: Apache-2.0
//! Responses that are larger than their requests, or that clients do not read.

use std::time::Duration;

use axum::body::Bytes;
use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout};

use crate::reviews::{create, set, update, with_text};
use crate::target::{JSON, NEIGHBOUR, Target};
use crate::trial::Trial;

/// Maximum size of a response that is not truncated; the patch has a few hundred KiB at most.
const LARGEST: usize = 1 << 20;
/// Time for which responses are not read.
const UNREAD: Duration = Duration::from_secs(6);

fn empty_pools(number: usize) -> Bytes {
    let pools = format!("[{}]", vec!["{}"; number].join(","));
    with_text(create(), "/spec/provider/workers", &pools).into()
}

/// Opens an HTTP/2 connection without a window for responses, with `streams` requests and a pause after each.
async fn unread(target: &Target, body: &Bytes, streams: u32, pause: Duration) -> Option<()> {
    let stream = target.http2(NEIGHBOUR).await.ok()?;
    let mut builder = h2::client::Builder::new();
    let builder = builder.initial_window_size(0);
    let (mut client, connection) = builder.handshake::<_, Bytes>(stream).await.ok()?;
    let connection = tokio::spawn(connection);
    let mut answers = Vec::new();
    for _ in 0..streams {
        client = client.ready().await.ok()?;
        let request = http::Request::post(target.url("/mutate"))
            .header("content-type", JSON)
            .body(())
            .ok()?;
        let (answer, mut sending) = client.send_request(request, false).ok()?;
        sending.send_data(body.clone(), true).ok()?;
        answers.push(answer);
        sleep(pause).await;
    }
    sleep(UNREAD).await;
    drop(answers);
    connection.abort();
    Some(())
}

#[test]
fn answers_are_not_read() {
    let body = empty_pools(5_000);
    let trial = Trial::new("A4 unread answers, 150 streams");
    trial.withstands(async |target| {
        let _ = timeout(UNREAD * 2, unread(target, &body, 150, Duration::ZERO)).await;
        vec![]
    });
}

#[test]
fn answers_of_several_connections_are_not_read() {
    let body = empty_pools(100);
    let trial = Trial::new("A4 unread answers, 4 connections");
    trial.withstands(async |target| {
        // The rate is so low that judging the requests is no attack.
        let pause = Duration::from_millis(100);
        let one = || timeout(UNREAD * 2, unread(target, &body, 60, pause));
        let connections = (0..4).map(|_| one());
        join_all(connections).await;
        vec![]
    });
}

/// Posts bodies repeatedly; no response may be huge.
async fn post_all(target: &Target, path: &str, bodies: &[Bytes], limit: usize) -> Vec<String> {
    let end = Instant::now() + Duration::from_secs(6);
    let mut complaints = Vec::new();
    while Instant::now() < end && complaints.is_empty() {
        for body in bodies {
            let posts = (0..2).map(|_| target.post(path, body.clone()));
            let answers = join_all(posts).await.into_iter().flatten();
            let lengths = answers.map(|answer| answer.length);
            let huge = lengths.filter(|length| *length > limit);
            let complaint = |length| format!("{length} bytes answer {} bytes", body.len());
            complaints.extend(huge.map(complaint));
        }
    }
    complaints
}

#[test]
fn patches_of_empty_items() {
    let bodies = [16, 118, 235].map(|kibibytes| empty_pools((kibibytes << 10) / 3));
    let trial = Trial::new("A4 patches").repeats();
    trial.withstands(async |target| post_all(target, "/mutate", &bodies, LARGEST).await);
}

/// Returns a request with a huge value in a field.
fn huge(pointer: &str, value: Value) -> Bytes {
    let mut review = update();
    *review.pointer_mut(pointer).unwrap() = value;
    review.to_string().into()
}

#[test]
fn huge_names() {
    let long = |mebibytes: usize| Value::from("x".repeat(mebibytes << 20));
    let mut object = update();
    set(&mut object, "/metadata/name", &long(2));
    let bodies = [
        huge("/request/uid", long(6)),
        huge("/request/name", long(6)),
        huge("/request/namespace", long(6)),
        object.to_string().into(),
    ];
    let trial = Trial::new("A4 huge names").repeats();
    trial.withstands(async |target| post_all(target, "/validate", &bodies, 128 << 10).await);
}

#[test]
fn huge_lists_of_groups() {
    let bodies: Vec<Bytes> = (0..20)
        .map(|number| {
            let group = format!("group-{number}-{}", "x".repeat(1000));
            huge("/request/userInfo/groups", json!(vec![group; 7_000]))
        })
        .collect();
    let trial = Trial::new("A4 huge groups").repeats();
    trial.withstands(async |target| post_all(target, "/validate", &bodies, 128 << 10).await);
}
