// SPDX-License-Identifier: Apache-2.0
//! The `matchConditions` of `/mutate`: they lose no mutation.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use cel::{Context, Env, Program};
use garden_gate::garden::directory;
use garden_gate_core::admission::{EntryPoint, Judgement, Request, Review, Verdict, World, judge};
use garden_gate_core::config::{Config, Profile};
use garden_gate_core::garden::Snapshot;
use garden_gate_core::rules;
use garden_gate_products::report::{
    Cluster, Endpoint, FailurePolicy, WebhookOptions, webhook_configurations,
};
use jiff::Timestamp;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestRunner;
use rstest::rstest;
use serde_json::{Value, json};

use crate::recorded;

/// A CEL environment with optional values, which `.?` needs.
static ENVIRONMENT: LazyLock<Arc<Env>> = LazyLock::new(|| Arc::new(Env::stdlib()));

/// The conditions of `/mutate` by resource.
struct Conditions(BTreeMap<String, Option<Program>>);

impl Conditions {
    fn of(config: &Config) -> Self {
        let options = WebhookOptions {
            cluster: Cluster::Garden,
            name: "garden-gate".to_owned(),
            endpoint: Endpoint::Url("https://gate".to_owned()),
            ca_bundle: None,
            failure_policy: FailurePolicy::Fail,
            of_policies: Vec::new(),
        };
        let [mutating, _] = webhook_configurations(rules::ALL, config, &options);
        let webhooks = mutating["webhooks"].as_array().unwrap().iter();
        Self(webhooks.map(condition).collect())
    }

    /// Reports whether an API server sends the request to `/mutate`.
    fn sends(&self, request: &Value) -> bool {
        let resource = request["resource"]["resource"].as_str().unwrap();
        let Some(program) = &self.0[resource] else {
            return true;
        };
        let mut context = Context::with_env(Arc::clone(&ENVIRONMENT));
        for (variable, value) in [
            ("request", request),
            ("object", &request["object"]),
            ("oldObject", &request["oldObject"]),
        ] {
            context.add_variable(variable, value).unwrap();
        }
        match program.execute(&context) {
            Ok(cel::Value::Bool(sends)) => sends,
            other => panic!("not a boolean: {other:?} of {request}"),
        }
    }
}

/// Returns the resource of a webhook, and its condition if it has one.
fn condition(webhook: &Value) -> (String, Option<Program>) {
    let resource = webhook["rules"][0]["resources"][0].as_str().unwrap();
    let conditions = webhook["matchConditions"].as_array().unwrap();
    assert!(conditions.len() <= 1, "{webhook}");
    let expressions = conditions.iter().map(|it| it["expression"].as_str().unwrap());
    let mut programs = expressions.map(|it| ENVIRONMENT.compile(it).unwrap());
    (resource.to_owned(), programs.next())
}

/// Recorded requests that match a rule of `/mutate`, with their garden.
struct Recorded {
    garden: Snapshot,
    requests: Vec<Value>,
}

static RECORDED: LazyLock<Vec<Recorded>> = LazyLock::new(|| {
    let mut all = vec![Recorded {
        garden: directory::load(Path::new("examples/garden")).unwrap().snapshot,
        requests: sent_by_api_servers(),
    }];
    for file in fs::read_dir("tests/conformance").unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy();
        // Rules for extensions change nothing.
        if !name.ends_with(".gz") || name.starts_with("ext_") {
            continue;
        }
        let family = recorded::read(&path);
        let gardens = family["gardens"].as_array().unwrap().iter();
        all.extend(gardens.map(|garden| Recorded {
            requests: cases(garden),
            garden: recorded::garden(garden).0,
        }));
    }
    for recorded in &mut all {
        recorded.requests.retain(is_registered);
    }
    all
});

fn sent_by_api_servers() -> Vec<Value> {
    let files = fs::read_dir("tests/requests").unwrap();
    let read = |path| serde_json::from_str::<Value>(&fs::read_to_string(path).unwrap()).unwrap();
    let requests = files.map(|file| read(file.unwrap().path())["review"]["request"].clone());
    requests.collect()
}

fn cases(garden: &Value) -> Vec<Value> {
    let cases = garden["cases"].as_array().unwrap().iter();
    cases.map(|case| recorded::review(case)["request"].clone()).collect()
}

fn is_registered(request: &Value) -> bool {
    let kinds = ["shoots", "projects", "cloudprofiles", "namespacedcloudprofiles"];
    let resource = request["resource"]["resource"].as_str().unwrap();
    let operation = request["operation"].as_str().unwrap();
    kinds.contains(&resource)
        && ["CREATE", "UPDATE"].contains(&operation)
        && request["subResource"].as_str().unwrap_or_default().is_empty()
}

/// Returns the review of `/mutate`; `None` if the objects cannot be parsed.
fn mutated(request: &Value, garden: &Snapshot, config: &Config) -> Option<Review> {
    let review = json!({
        "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request,
    });
    let body = review.to_string();
    let request = Request::from_review(body.as_bytes()).ok()?;
    let served: Vec<_> = rules::served(config).collect();
    let world = World {
        rules: (&served).into(),
        garden,
        config,
        now: "2026-01-01T00:00:00Z".parse::<Timestamp>().unwrap(),
    };
    match judge(EntryPoint::Mutate, &request, &world) {
        Judgement::Review(review) => Some(review),
        Judgement::Questions(questions) => unreachable!("{questions:?}"),
    }
}

fn is_unreadable(review: &Review) -> bool {
    let mut findings = review.findings.iter();
    findings.any(|it| it.finding == "object/undecodable")
}

fn says_nothing(review: &Review) -> bool {
    review.patch.0.is_empty() && review.verdict() == Verdict::Allowed && review.findings.is_empty()
}

fn config(profile: Profile) -> Config {
    Config { profile, ..Config::default() }
}

#[rstest]
#[case::documented(Profile::Documented)]
#[case::gardener(Profile::Gardener)]
#[case::hardened(Profile::Hardened)]
fn recorded_mutations_are_sent(#[case] profile: Profile) {
    let config = config(profile);
    let conditions = Conditions::of(&config);
    let (mut patched, mut answered, mut skipped) = (0, 0, 0);
    for Recorded { garden, requests } in RECORDED.iter() {
        for request in requests {
            let sends = conditions.sends(request);
            let review = mutated(request, garden, &config);
            // An API server refuses an invalid object before it calls webhooks.
            let is_silent = review.as_ref().is_none_or(|it| is_unreadable(it) || says_nothing(it));
            assert!(sends || is_silent, "{request}: {review:?}");
            patched += usize::from(review.is_some_and(|review| !review.patch.0.is_empty()));
            answered += usize::from(!is_silent);
            skipped += usize::from(!sends);
        }
    }
    assert!(patched > 1_500 && answered > patched, "{patched} {answered}");
    assert!(skipped > 0, "every recorded request is sent");
}

/// One in this many recorded requests is tested; all of them take long in a debug build.
const STEP: usize = 7;

/// The recorded objects after `/mutate` has completed them.
static STORED: LazyLock<Vec<(&'static Snapshot, Value)>> = LazyLock::new(|| {
    let config = Config::default();
    let mut stored = Vec::new();
    for Recorded { garden, requests } in RECORDED.iter() {
        for request in requests.iter().step_by(STEP) {
            let mut request = request.clone();
            let Some(review) = mutated(&request, garden, &config) else {
                continue;
            };
            if review.verdict() == Verdict::Allowed {
                json_patch::patch(&mut request["object"], &review.patch).unwrap();
                stored.push((garden, request));
            }
        }
    }
    stored
});

/// Returns an UPDATE that changes only a label of the stored object.
fn relabelled(stored: &Value, object: &Value) -> Value {
    let mut request = stored.clone();
    request["operation"] = json!("UPDATE");
    request["oldObject"] = object.clone();
    request["object"] = object.clone();
    request["object"]["metadata"]["labels"] = json!({"written": "again"});
    request
}

#[test]
fn label_updates_of_completed_objects_are_not_sent() {
    let conditions = Conditions::of(&Config::default());
    let mut sent: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (_, request) in STORED.iter() {
        let update = relabelled(request, &request["object"]);
        let resource = request["resource"]["resource"].as_str().unwrap();
        let counts = sent.entry(resource).or_default();
        counts[usize::from(conditions.sends(&update))] += 1;
    }
    for (resource, [skipped, sent]) in &sent {
        assert!(skipped > &(2 * sent), "{resource}: {skipped} skipped, {sent} sent");
    }
    assert_eq!(sent.len(), 4);
}

/// A change of one field of a stored object.
#[derive(Clone, Debug)]
enum Edit {
    Remove,
    Put(Value),
    Repeat,
}

fn edit() -> impl Strategy<Value = Edit> {
    let values = prop::sample::select(vec![
        json!(null),
        json!(""),
        json!("1.31"),
        json!("1.31.1.1"),
        json!("garden"),
        json!("User"),
        json!("ManualInPlaceUpdate"),
        json!("AutoInPlaceUpdate"),
        json!({}),
        json!([]),
        json!(0),
        json!(true),
    ]);
    prop_oneof![
        3 => Just(Edit::Remove),
        3 => values.prop_map(Edit::Put),
        1 => Just(Edit::Repeat),
    ]
}

const ANNOTATIONS: [(&str, &str); 6] = [
    ("gardener.cloud/operation", "rotate-ssh-keypair"),
    ("gardener.cloud/operation", "reconcile"),
    ("shoot.gardener.cloud/tasks", "deployInfrastructure"),
    ("confirmation.gardener.cloud/deletion", "true"),
    ("confirmation.gardener.cloud/deletion", "no"),
    ("deletion.gardener.cloud/confirmed-by", "alice"),
];

/// Adds the JSON pointers of all values below `at`.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    let mut below = |name: &str, value: &Value| {
        let at = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
        places(value, &at, found);
        found.push(at);
    };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| below(name, value)),
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(index, value)| below(&index.to_string(), value));
        }
        _ => {}
    }
}

fn apply(object: &mut Value, place: Index, edit: &Edit) {
    let mut all = Vec::new();
    places(&object["spec"], "/spec", &mut all);
    if all.is_empty() {
        return;
    }
    let place = place.get(&all);
    let (parent, name) = place.rsplit_once('/').unwrap();
    let parent = object.pointer_mut(parent).unwrap();
    match (edit, parent) {
        (Edit::Put(value), parent) => {
            let name = name.replace("~1", "/").replace("~0", "~");
            match parent {
                Value::Object(fields) => fields[&name] = value.clone(),
                parent => parent[name.parse::<usize>().unwrap()] = value.clone(),
            }
        }
        (Edit::Remove, Value::Object(fields)) => {
            fields.remove(&name.replace("~1", "/").replace("~0", "~"));
        }
        (Edit::Remove, Value::Array(items)) => drop(items.remove(name.parse().unwrap())),
        (Edit::Repeat, Value::Array(items)) => {
            let item = items[name.parse::<usize>().unwrap()].clone();
            items.push(item);
        }
        _ => {}
    }
}

/// Reports whether pool names are unique; otherwise no API server stores the object, and only a refusal may be lost.
fn pools_have_names_of_their_own(object: &Value) -> bool {
    let pools = object["spec"]["provider"]["workers"].as_array();
    let names: Vec<_> = pools.into_iter().flatten().map(|pool| pool["name"].to_string()).collect();
    names.iter().collect::<BTreeSet<_>>().len() == names.len()
}

#[test]
fn updates_that_are_not_sent_would_not_be_mutated() {
    let config = Config::default();
    let conditions = Conditions::of(&config);
    let (sent, skipped) = (Cell::new(0), Cell::new(0));
    let annotations = prop::collection::vec(prop::sample::select(&ANNOTATIONS[..]), 0..3);
    let annotations = prop_oneof![3 => Just(vec![]), 1 => annotations];
    let edits = prop::collection::vec((any::<Index>(), edit()), 0..4);
    let strategy = (any::<Index>(), edits, annotations);
    let mut runner = TestRunner::new(ProptestConfig::with_cases(1_500));
    let checked = runner.run(&strategy, |(which, edits, annotations)| {
        let (garden, request) = which.get(&STORED);
        let mut object = request["object"].clone();
        for (place, edit) in &edits {
            apply(&mut object, *place, edit);
        }
        for (key, value) in annotations {
            object["metadata"]["annotations"][key] = json!(value);
        }
        let update = relabelled(request, &object);
        if conditions.sends(&update) {
            sent.set(sent.get() + 1);
            return Ok(());
        }
        skipped.set(skipped.get() + 1);
        let Some(review) = mutated(&update, garden, &config) else {
            return Ok(());
        };
        prop_assert!(review.patch.0.is_empty(), "{update}: {:?}", review.patch);
        if !is_unreadable(&review) && pools_have_names_of_their_own(&object) {
            prop_assert!(says_nothing(&review), "{update}: {review:?}");
        }
        Ok(())
    });
    checked.unwrap();
    assert!(sent.get() > 100 && skipped.get() > 100, "{sent:?} {skipped:?}");
}

#[rstest]
#[case::spec(json!({"spec": null}))]
#[case::no_spec(json!({}))]
#[case::pools(json!({"spec": {"provider": {"workers": "many"}}}))]
#[case::pool(json!({"spec": {"provider": {"workers": ["a"]}}}))]
#[case::provider(json!({"spec": {"provider": 7}}))]
#[case::version(json!({"spec": {"kubernetes": {"version": 1.31}}}))]
#[case::image(json!({"spec": {"provider": {"workers": [{"machine": {"image": "a"}}]}}}))]
fn malformed_shoots_are_sent(#[case] stored: Value) {
    let mut object = stored;
    object["metadata"] = json!({"name": "web", "namespace": "garden-dev"});
    let request = json!({"operation": "UPDATE", "resource": {"resource": "shoots"}});
    let conditions = Conditions::of(&Config::default());
    assert!(conditions.sends(&relabelled(&request, &object)));
}
