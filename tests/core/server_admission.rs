// SPDX-License-Identifier: Apache-2.0
//! With `admission: complete`, a server makes the same decisions as `review`.
//!
//! Each recorded request is judged as by `review`, and as by a server: first by `/mutate`, then the patched object by
//! `/validate`. Requests that an API server refuses before or between these calls are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use garden_gate_core::admission::{Case, EntryPoint, EntryPoints, Request, Review, Verdict, World};
use garden_gate_core::config::{Config, Level, ServerAdmission};
use garden_gate_core::garden::{self, GardenObject, Knowledge, Question, Snapshot};
use garden_gate_core::rules;
use garden_gate_model::api::{Kind, Retrieval};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::recorded;

/// Findings of `review` that a server of a live garden does not have, since it reads no Secrets and ConfigMaps.
///
/// docs/how-to/replace-admission-plugins.md lists the reasons.
const UNKNOWN_TO_LIVE_SERVERS: [&str; 6] = [
    "binding/credentials-missing",
    "seed/reference-missing",
    "shoot/kubeconfig-secret-gone",
    "shoot/kubeconfig-secret-unusable",
    "shoot/managed-issuer-not-offered",
    "shoot/reference-missing",
];

/// A recorded garden, once as a directory and once as watched by a server.
struct Recorded {
    directory: Snapshot,
    watched: Snapshot,
    objects: BTreeMap<Kind, Vec<GardenObject>>,
    config: Config,
}

impl Recorded {
    fn of(recorded: &Value) -> Self {
        let (directory, mut config) = recorded::garden(recorded);
        config.admission = ServerAdmission::Complete;
        let mut objects: BTreeMap<Kind, Vec<GardenObject>> = BTreeMap::new();
        for manifest in recorded["manifests"].as_array().unwrap() {
            let (kind, object) = object(manifest);
            objects.entry(kind).or_default().extend(object);
        }
        let mut watched = Snapshot::new(Knowledge::Watched);
        // Some recorded gardens leave out kinds that no request of theirs needs.
        let if_read = Kind::watched_if_read().filter(|kind| directory.absence_is_known(*kind));
        for kind in Kind::watched().chain(if_read) {
            watched.list(kind, objects.get(&kind).cloned().unwrap_or_default());
        }
        Self { directory, watched, objects, config }
    }

    /// Returns the verdict of a server: of `/mutate` if it is not allowed, or else of `/validate`.
    fn serve(&self, garden: &Snapshot, request: &Value) -> Review {
        let mutated = self.judge(EntryPoint::Mutate, garden, request);
        if mutated.verdict() != Verdict::Allowed {
            return mutated;
        }
        let mut patched = request.clone();
        json_patch::patch(&mut patched["object"], &mutated.patch).unwrap();
        self.judge(EntryPoint::Validate, garden, &patched)
    }

    fn judge(&self, entry_point: EntryPoint, garden: &Snapshot, request: &Value) -> Review {
        let review = json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request});
        let body = review.to_string();
        let request = Request::from_review(body.as_bytes()).unwrap();
        let world = World {
            rules: rules::ALL.into(),
            garden,
            config: &self.config,
            now: "2026-01-01T00:00:00Z".parse::<Timestamp>().unwrap(),
        };
        Case::decide(entry_point, &request, &world, |garden, questions| {
            for question in questions {
                match garden.knowledge() {
                    Knowledge::Watched => self.answer(garden, &request, question),
                    _ => garden.answer_unknown(question, "offline there is no API server to ask"),
                }
            }
        })
    }

    /// Answers like the API server of this garden.
    fn answer(&self, garden: &mut Snapshot, request: &Request<'_>, question: Question) {
        match question {
            Question::Access(asked) => {
                let may = self.directory.access(&request.user_info, &asked);
                garden.answer_access(asked, may.map_err(|why| why.to_string()));
            }
            Question::Object(ref key) => {
                let mut found = self.objects.get(&key.kind).into_iter().flatten();
                let found = found.find(|it| it.key() == *key).cloned();
                garden.answer_object(question, found);
            }
            Question::ProjectOfNamespace(_) => garden.answer_object(question, None),
            Question::Labelled(kind) => {
                let objects = self.objects.get(&kind).cloned().unwrap_or_default();
                garden.answer_labelled(kind, objects);
            }
            Question::Collection { kind, namespace } => {
                let known = self.directory.collection(kind, &namespace, |_| false);
                garden.answer_collection(kind, namespace, known.unwrap_or_default());
            }
        }
    }
}

/// Returns an object of a garden as a server knows it; `None` if it ignores it.
fn object(manifest: &Value) -> (Kind, Option<GardenObject>) {
    let text = |member: &str| manifest[member].as_str().unwrap();
    let group = text("apiVersion").split_once('/').map_or("", |(group, _)| group);
    let kind = Kind::of_manifest(group, text("kind")).unwrap();
    if let Retrieval::Labelled { label, .. } = kind.known()
        && manifest["metadata"]["labels"][label.0] != label.1
    {
        return (kind, None);
    }
    let json = manifest.to_string();
    (kind, garden::read(kind, json.as_str()).unwrap())
}

/// Returns the verdict of `review` by the decisions that a server can make.
///
/// Returns `None` if an API server refuses the request itself, whatever its admission plugins are.
fn expected(review: &Review) -> Option<Verdict> {
    let denials = || {
        let findings = review.findings.iter();
        findings.filter(|it| it.level == Level::Deny)
    };
    let is_of_server = |id: &str| {
        let rule = rules::find(id);
        rule.is_some_and(|it| matches!(it.entry_points, EntryPoints::All | EntryPoints::Plugin))
    };
    match denials().any(|it| is_of_server(it.rule)) {
        true => Some(Verdict::Denied),
        false if denials().next().is_some() => None,
        false => Some(review.verdict()),
    }
}

fn families() -> Vec<Value> {
    let mut families = Vec::new();
    for folder in ["tests/conformance", "tests/cluster/parity/recorded"] {
        for file in fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            // Extensions make their decisions themselves.
            if path.extension().is_some_and(|it| it == "gz") && !name.starts_with("ext_") {
                families.push(recorded::read(&path));
            }
        }
    }
    families
}

fn denied_ids(review: &Review) -> BTreeSet<&'static str> {
    let findings = review.findings.iter();
    let denials = findings.filter(|it| it.level == Level::Deny);
    denials.map(|it| it.finding).collect()
}

/// The result of a comparison.
#[derive(Default)]
struct Compared {
    count: usize,
    /// The number of requests that only decisions of plugins refuse.
    refused_by_plugins: usize,
    /// The findings of a directory that a live server does not have.
    unknown: BTreeSet<&'static str>,
    differing: Vec<String>,
}

impl Compared {
    fn add(&mut self, recorded: &Recorded, case: &Value) {
        let request = &recorded::review(case)["request"];
        let offline = recorded.judge(EntryPoint::Review, &recorded.directory, request);
        let Some(expected) = expected(&offline) else {
            return;
        };
        self.count += 1;
        let served = recorded.serve(&recorded.directory, request);
        let denied = denied_ids(&served);
        let is_refused = expected == Verdict::Denied && denied.iter().all(|id| is_of_plugin(id));
        self.refused_by_plugins += usize::from(is_refused);
        let live = recorded.serve(&recorded.watched, request);
        let is_unknown = live.verdict() == Verdict::Allowed
            && expected == Verdict::Denied
            && denied.iter().all(|it| UNKNOWN_TO_LIVE_SERVERS.contains(it));
        if is_unknown {
            self.unknown.extend(&denied);
        }
        for (garden, review, is_same) in [
            ("directory", &served, served.verdict() == expected),
            ("live", &live, live.verdict() == expected || is_unknown),
        ] {
            if !is_same {
                let (id, why) = (&case["id"], denied_ids(review));
                let verdict = review.verdict();
                self.differing.push(format!(
                    "{id} ({garden}): {verdict:?}, not {expected:?}: {why:?} {:?}",
                    review.undetermined
                ));
            }
        }
    }
}

fn is_of_plugin(finding: &str) -> bool {
    let mut rules = rules::ALL.iter().filter(|rule| rule.reports(finding));
    rules.any(|rule| rule.entry_points == EntryPoints::Plugin)
}

#[test]
fn complete_server_decides_like_review() {
    let mut compared = Compared::default();
    for family in families() {
        for garden in family["gardens"].as_array().unwrap() {
            let recorded = Recorded::of(garden);
            let cases = garden["cases"].as_array().unwrap();
            for case in cases {
                compared.add(&recorded, case);
            }
        }
    }
    let differing = &compared.differing;
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    assert!(compared.count > 4_000, "{}", compared.count);
    let refused = compared.refused_by_plugins;
    assert!(refused > 250, "{refused}");
    let unknown: Vec<_> = compared.unknown.into_iter().collect();
    let known: Vec<_> = UNKNOWN_TO_LIVE_SERVERS
        .into_iter()
        .filter(|it| *it != "shoot/kubeconfig-secret-gone")
        .collect();
    assert_eq!(unknown, known);
}

/// Objects that gardener-apiserver has changed before it calls webhooks are allowed, and not changed again.
#[test]
fn complete_server_allows_mutated_objects() {
    let mut count = 0;
    for family in families() {
        for garden in family["gardens"].as_array().unwrap() {
            let recorded = Recorded::of(garden);
            for case in garden["cases"].as_array().unwrap() {
                let Some(request) = mutated(case) else {
                    continue;
                };
                let mutated = recorded.judge(EntryPoint::Mutate, &recorded.watched, &request);
                let review = recorded.serve(&recorded.watched, &request);
                let id = &case["id"];
                assert!(mutated.patch.0.is_empty(), "{id}: {:?}", mutated.patch);
                assert_eq!(review.verdict(), Verdict::Allowed, "{id}: {review:?}");
                count += 1;
            }
        }
    }
    assert!(count > 500, "{count}");
}

/// Returns the request with the object that Gardener stores, if that is recorded completely.
fn mutated(case: &Value) -> Option<Value> {
    let expect = &case["expect"];
    let patch = expect["patch"].as_array().filter(|_| expect["allowed"] == true)?;
    // Random values replace placeholders in a real server.
    let is_random = |it: &Value| it.to_string().contains("<made up by the server>");
    if patch.iter().any(is_random) || !case["request"]["subResource"].is_null() {
        return None;
    }
    let mut request = recorded::review(case)["request"].clone();
    let patch: json_patch::Patch = serde_json::from_value(expect["patch"].clone()).unwrap();
    json_patch::patch(&mut request["object"], &patch).unwrap();
    Some(request)
}
