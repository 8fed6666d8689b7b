// SPDX-License-Identifier: Apache-2.0
//! JSON that no API server writes.

use std::time::Duration;

use axum::body::Bytes;
use futures_util::future::join_all;
use tokio::time::Instant;

use crate::reviews::{CONFIG, create, update, with_text};
use crate::trial::Trial;

const SECONDS: Duration = Duration::from_secs(5);

/// Posts bodies from two clients repeatedly; all get a response.
fn withstands(name: &'static str, bodies: &[String]) {
    let bodies: Vec<Bytes> = bodies.iter().map(|body| body.clone().into()).collect();
    Trial::new(name).withstands(async |target| {
        let end = Instant::now() + SECONDS;
        let mut complaints = Vec::new();
        while Instant::now() < end && complaints.is_empty() {
            for (body, path) in bodies.iter().flat_map(|it| [(it, "/validate"), (it, "/mutate")]) {
                let posts = (0..2).map(|_| target.post(path, body.clone()));
                let unanswered = |answer: &Option<_>| answer.is_none();
                if join_all(posts).await.iter().any(unanswered) {
                    complaints.push(format!("{path} does not answer {body:.100?}"));
                }
            }
        }
        complaints
    });
}

#[test]
fn nested() {
    let nested = |open: &str, close: &str| {
        let levels = 100_000;
        format!("{}{}", open.repeat(levels), close.repeat(levels))
    };
    let (lists, objects) = (nested("[", "]"), nested("{\"a\":", "}").replace(":}", ":0}"));
    withstands(
        "JSON nested 100,000 deep",
        &[
            with_text(create(), CONFIG, &lists),
            with_text(update(), CONFIG, &objects),
            with_text(update(), "/spec/provider/workers", &lists),
            with_text(update(), "/spec", &objects),
            with_text(update(), "/metadata/annotations", &objects),
            with_text(update(), "/metadata/managedFields", &lists),
            lists,
            objects,
        ],
    );
}

#[test]
fn many_keys() {
    let keys = |number: usize, key: fn(usize) -> String| {
        let fields: Vec<String> = (0..number).map(|it| format!("\"{}\":\"\"", key(it))).collect();
        format!("{{{}}}", fields.join(","))
    };
    let different = keys(150_000, |number| format!("k{number}"));
    let alike = keys(300_000, |_| "a".to_owned());
    withstands(
        "JSON with many keys",
        &[
            with_text(create(), CONFIG, &different),
            with_text(update(), "/metadata/labels", &different),
            with_text(update(), "/metadata/annotations", &alike),
            with_text(update(), "/spec", &different),
            with_text(update(), "/spec", &alike),
            alike,
        ],
    );
}

#[test]
fn long_texts_and_numbers() {
    let escaped = format!("\"{}\"", "\\u0000".repeat(500_000));
    let digits = "9".repeat(1_000_000);
    withstands(
        "JSON with long texts and numbers",
        &[
            with_text(create(), CONFIG, &format!("{{\"a\":{escaped}}}")),
            with_text(update(), "/spec/purpose", &escaped),
            with_text(update(), "/metadata/labels/team", &escaped),
            with_text(update(), "/spec/kubernetes/version", &escaped),
            with_text(create(), CONFIG, &format!("{{\"a\":{digits}}}")),
            with_text(update(), "/spec/provider/workers/0/maximum", &digits),
            with_text(update(), "/spec/provider/workers/0/maxSurge", &format!("\"{digits}%\"")),
            with_text(update(), "/spec/provider/workers/0/volume/size", &format!("\"{digits}Gi\"")),
            with_text(update(), "/spec/provider/workers/0/volume/size", "\"1e99999999Gi\""),
        ],
    );
}
