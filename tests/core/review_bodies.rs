// SPDX-License-Identifier: Apache-2.0
//! Answers to AdmissionReviews with JSON that API servers do not write: malformed, duplicate, of other types, in another order.
//!
//! `review_bodies/answers.txt` has the answers of both endpoints to each body. `UPDATE_BODIES=1` writes the file. A change is a change for
//! users: a body that was refused and is allowed now must not hide a part of an object from the rules.

mod body;
mod other_kinds;
mod shoots;
mod spellings;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::Path;

use axum::body::Bytes;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use garden_gate::garden::directory;
use garden_gate::server::Endpoints;
use garden_gate_core::config::Config;
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};

use body::Body;

const ANSWERS: &str = "tests/core/review_bodies/answers.txt";
const HEAD: &str = "\
# Answers to the bodies of tests/core/review_bodies.rs: in each section the answers, and below each answer the names of the bodies that get it.
# `as usual` is the answer to the unchanged review. Of other verdicts, the differences are listed: causes of a refusal, warnings, operations of the patch.
";
/// Longer parts of an answer are cut.
const MOST_CHARACTERS: usize = 300;
const ENDPOINTS: [&str; 2] = ["/validate", "/mutate"];

/// Bodies that differ from one review in the same way, or at the same place.
struct Group {
    title: String,
    review: Body,
    /// Names and bodies.
    cases: Vec<(String, Vec<u8>)>,
}

impl Group {
    fn new(title: impl Into<String>, review: &Body, cases: Vec<(String, Vec<u8>)>) -> Self {
        let (title, review) = (title.into(), review.clone());
        Self { title, review, cases }
    }
}

/// The endpoints of a server with the garden of the examples.
struct Server {
    endpoints: Endpoints,
    /// Its clock only advances if nothing else happens, so that no deadline passes.
    runtime: Runtime,
}

impl Server {
    fn start() -> Self {
        let garden = directory::load(Path::new("examples/garden")).unwrap();
        let now = "2026-12-01T00:00:00Z".parse().unwrap();
        let endpoints = Endpoints::new(garden.snapshot, Config::default(), Vec::new(), now);
        let runtime =
            Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        Self { endpoints, runtime }
    }

    /// Returns the status code and the answer of an endpoint.
    fn post(&self, path: &str, body: &[u8]) -> (u16, Value) {
        let body = Bytes::copy_from_slice(body);
        let post = self.endpoints.post(path, body);
        let (status, answer) = self.runtime.block_on(post).unwrap();
        (status, serde_json::from_slice(&answer).unwrap())
    }

    /// Returns the response to an unchanged review.
    fn usual(&self, path: &str, review: &Body) -> BTreeSet<String> {
        let (status, answer) = self.post(path, review.text().as_bytes());
        assert_eq!(status, 200, "{answer}");
        remarks(&answer["response"])
    }

    /// Describes an answer, compared with the usual one.
    fn describe(&self, path: &str, body: &[u8], usual: &BTreeSet<String>) -> String {
        let (status, answer) = self.post(path, body);
        if status != 200 {
            let [reason, message] =
                ["reason", "message"].map(|field| answer[field].as_str().unwrap());
            return format!("{status} {reason}: {message}");
        }
        let remarks = remarks(&answer["response"]);
        let added = remarks.difference(usual).map(|it| shortened(it));
        let gone = usual.difference(&remarks).map(|it| format!("no longer {}", shortened(it)));
        let differences: Vec<String> = added.chain(gone).collect();
        if differences.is_empty() {
            "200 as usual".to_owned()
        } else {
            format!("200 {}", differences.join("; "))
        }
    }

    /// Returns the answers to all bodies of a group, each with the names of its bodies.
    fn answers(&self, group: &Group) -> String {
        let usual = ENDPOINTS.map(|path| self.usual(path, &group.review));
        let mut names: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for (name, body) in &group.cases {
            let answers = [0, 1].map(|at| self.describe(ENDPOINTS[at], body, &usual[at]));
            let answer = match &answers {
                [validate, mutate] if validate == mutate => format!("- both: {validate}"),
                [validate, mutate] => format!("- /validate: {validate}\n  /mutate: {mutate}"),
            };
            names.entry(answer).or_default().push(name);
        }
        let answers = names.into_iter().map(|(answer, names)| {
            let names = names.into_iter().map(|name| format!("    {name}\n"));
            format!("{answer}\n{}", names.collect::<String>())
        });
        answers.collect()
    }
}

/// Returns the parts of a response: its verdict, the causes of a refusal, warnings, and the operations of its patch.
fn remarks(response: &Value) -> BTreeSet<String> {
    let decision = &response["auditAnnotations"]["decision"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    assert_eq!(response["allowed"], decision == "allowed");
    let mut remarks = BTreeSet::from([text(decision), format!("uid {}", text(&response["uid"]))]);
    for cause in list(&response["status"]["details"]["causes"]) {
        let [field, message] = ["field", "message"].map(|name| text(&cause[name]));
        remarks.insert(format!("{field}: {message}"));
    }
    let warnings = list(&response["warnings"]);
    remarks.extend(warnings.iter().map(|it| format!("warning: {}", text(it))));
    let patch = BASE64_STANDARD.decode(text(&response["patch"])).unwrap();
    if !patch.is_empty() {
        let operations: Vec<Value> = serde_json::from_slice(&patch).unwrap();
        remarks.extend(operations.iter().map(|it| format!("patch {it}")));
    }
    remarks
}

/// Cuts a long text.
fn shortened(text: &str) -> String {
    let start: String = text.chars().take(MOST_CHARACTERS).collect();
    if start.len() < text.len() { format!("{start}… ({} bytes)", text.len()) } else { start }
}

#[test]
fn bodies_have_the_recorded_answers() {
    let server = Server::start();
    let groups: Vec<Group> = shoots::groups().into_iter().chain(other_kinds::groups()).collect();
    // Kinds with the same answers share a section.
    let mut sections: Vec<(Vec<&str>, String)> = Vec::new();
    for group in &groups {
        let answers = server.answers(group);
        match sections.iter_mut().find(|(_, other)| *other == answers) {
            Some((titles, _)) => titles.push(&group.title),
            None => sections.push((vec![&group.title], answers)),
        }
    }
    let sections = sections.iter();
    let sections =
        sections.map(|(titles, answers)| format!("\n## {}\n{answers}", titles.join(", ")));
    let text = HEAD.to_owned() + &sections.collect::<String>();
    if env::var_os("UPDATE_BODIES").is_some() {
        fs::write(ANSWERS, &text).unwrap();
    }
    let recorded = fs::read_to_string(ANSWERS).unwrap();
    for (line, (found, recorded)) in text.lines().zip(recorded.lines()).enumerate() {
        assert_eq!(found, recorded, "line {} of {ANSWERS}", line + 1);
    }
    assert_eq!(text.len(), recorded.len());
    let count: usize = groups.iter().map(|group| group.cases.len()).sum();
    assert!(count > 600, "{count} bodies");
}

/// Returns the body with a skipped field that is no UTF-8, so that the objects are neither scanned nor compared.
fn unscanned(body: &[u8]) -> Option<Vec<u8>> {
    let start = b"\"request\":{";
    let at = body.windows(start.len()).position(|it| it == start)? + start.len();
    let (before, after) = body.split_at(at);
    Some([before, b"\"skipped\":\"\xff\",", after].concat())
}

#[test]
fn scanned_objects_get_the_answers_of_unscanned_ones() {
    let server = Server::start();
    let groups = shoots::groups().into_iter().chain(other_kinds::groups());
    let (mut reviews, mut refusals) = (0, 0);
    for group in groups.chain(spellings::groups()) {
        for (name, body) in &group.cases {
            let Some(unscanned) = unscanned(body) else { continue };
            for path in ENDPOINTS {
                let [scanned, unscanned] = [body, &unscanned].map(|it| server.post(path, it));
                // The values in it are not counted; that many could take too much memory.
                if unscanned.0 == 413 {
                    continue;
                }
                let name = format!("{path} {}: {name}", group.title);
                assert_eq!(scanned.0, unscanned.0, "{name}: {} {}", scanned.1, unscanned.1);
                if scanned.0 == 200 {
                    assert_eq!(scanned.1, unscanned.1, "{name}");
                    reviews += 1;
                } else {
                    // Messages have positions.
                    assert_eq!(scanned.1["reason"], unscanned.1["reason"], "{name}");
                    refusals += 1;
                }
            }
        }
    }
    assert!(reviews > 2_000 && refusals > 200, "{reviews} reviews and {refusals} refusals");
}
