// SPDX-License-Identifier: Apache-2.0
//! The `matchConditions` of `/validate`: they skip no update that a rule or a policy refuses.

use std::collections::BTreeMap;
use std::fs;

use garden_gate_cel::{Activation, Environment, Expression, ResultType, Value};
use garden_gate_core::admission::{EntryPoint, Kind, Operation, Request, World};
use garden_gate_core::config::Config;
use garden_gate_core::garden::{Knowledge, Snapshot};
use garden_gate_core::policies::{OwnPolicy, Policies, judge, own_policies, policies_in};
use garden_gate_core::rules;
use garden_gate_model::api::described;
use garden_gate_products::report::{
    Cluster, Endpoint, FailurePolicy, WebhookOptions, webhook_configurations,
};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value as Json, json};

/// Fields of the metadata that an update may change.
const METADATA: [&str; 8] = [
    "labels",
    "annotations",
    "finalizers",
    "ownerReferences",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "managedFields",
    "generation",
];

/// The conditions by resource, which an update must meet.
struct Conditions(BTreeMap<String, Vec<Expression>>);

impl Conditions {
    fn of(policies: &[OwnPolicy]) -> Self {
        let options = WebhookOptions {
            cluster: Cluster::Garden,
            name: "garden-gate".to_owned(),
            endpoint: Endpoint::Url("https://gate".to_owned()),
            ca_bundle: None,
            failure_policy: FailurePolicy::Fail,
            of_policies: policies.iter().flat_map(OwnPolicy::requests).collect(),
        };
        let [_, validating] = webhook_configurations(rules::ALL, &Config::default(), &options);
        let environment = Environment::admission();
        let compiled = |it: &Json| {
            let text = it["expression"].as_str().unwrap();
            Expression::compile_as(text, &[ResultType::Bool], &environment).unwrap()
        };
        let webhooks = validating["webhooks"].as_array().unwrap().iter();
        let conditions = webhooks.map(|webhook| {
            let resource = webhook["rules"][0]["resources"][0].as_str().unwrap();
            let conditions = webhook["matchConditions"].as_array().into_iter().flatten();
            (resource.to_owned(), conditions.map(compiled).collect())
        });
        Self(conditions.collect())
    }

    /// Reports whether an API server sends the request.
    fn send(&self, request: &Json) -> bool {
        let resource = request["resource"]["resource"].as_str().unwrap();
        let activation = ["object", "oldObject"].into_iter().fold(
            Activation::new().bind("request", Value::from_json(request)),
            |activation, name| activation.bind(name, Value::from_json(&request[name])),
        );
        let mut conditions = self.0[resource].iter();
        conditions.all(|it| it.evaluate(&activation).unwrap().is_true())
    }
}

/// Returns a policy for all objects of all kinds.
fn policy(expression: &str) -> OwnPolicy {
    let policy = json!({
        "apiVersion": "garden-gate.dev/v1alpha1", "kind": "GardenPolicy",
        "metadata": {"name": "own"},
        "spec": {
            "matchConstraints": {"resourceRules": [{
                "apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["*"],
            }]},
            "validations": [{"expression": expression}],
        },
    });
    let documents = policies_in(&policy.to_string()).unwrap();
    own_policies(&documents).unwrap().remove(0)
}

/// Reports whether rules or policies refuse a request.
fn is_refused(request: &Json, policies: &[OwnPolicy]) -> bool {
    let body = json!({
        "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request,
    })
    .to_string();
    let request = Request::from_review(body.as_bytes()).unwrap();
    let config = Config::default();
    let world = World {
        rules: rules::ALL.into(),
        garden: &Snapshot::new(Knowledge::Everything),
        config: &config,
        now: "2026-01-01T00:00:00Z".parse().unwrap(),
    };
    let judged = garden_gate_core::admission::judge(EntryPoint::Validate, &request, &world);
    let garden_gate_core::admission::Judgement::Review(mut review) = judged else {
        return false;
    };
    let policies = Policies { cache: None, own: policies, is_user_known: true, is_enforced: true };
    judge(&request, &mut review, &world, policies);
    review.verdict() != garden_gate_core::admission::Verdict::Allowed
}

fn update(kind: Kind, new: &Json, old: &Json) -> Json {
    let (group, version) = kind.api();
    json!({
        "uid": "u", "operation": "UPDATE", "name": "it", "namespace": "garden-p",
        "resource": {"group": group, "version": version, "resource": kind.resource()},
        "object": new, "oldObject": old,
    })
}

/// Returns the names of all fields in which objects of a kind may differ.
fn fields(kind: Kind) -> Vec<&'static str> {
    match described(kind.as_str()) {
        Some(table) => table.object.fields.iter().map(|it| it.name).collect(),
        None => vec!["spec"],
    }
}

fn of_garden() -> impl Iterator<Item = Kind> {
    Kind::judged().filter(|kind| !kind.is_outside_garden())
}

#[test]
fn change_of_any_field_is_sent() {
    let all = policy("object == oldObject");
    let conditions = Conditions::of(&[all]);
    for kind in of_garden() {
        let old = json!({"metadata": {"name": "it"}});
        let own = fields(kind)
            .into_iter()
            .map(|name| format!("/{name}"))
            .filter(|it| !["/apiVersion", "/kind", "/metadata"].contains(&it.as_str()));
        let metadata = METADATA.iter().map(|name| format!("/metadata/{name}"));
        for pointer in own.chain(metadata) {
            let (parent, name) = pointer.rsplit_once('/').unwrap();
            for (before, after) in
                [(json!(null), json!({"a": "b"})), (json!({"a": 1}), json!({"a": 2}))]
            {
                let with = |value: &Json| {
                    let mut object = old.clone();
                    object.pointer_mut(parent).unwrap()[name] = value.clone();
                    object
                };
                let request = update(kind, &with(&after), &with(&before));
                assert!(conditions.send(&request), "{kind} {pointer}");
            }
        }
        assert!(!conditions.send(&update(kind, &old, &old)), "{kind}");
    }
}

#[test]
fn provider_of_a_secret_binding_cannot_be_set_past_a_policy() {
    let policies = [policy("object.provider.type != 'other'")];
    let old = json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "SecretBinding",
        "metadata": {"name": "it", "namespace": "garden-p"}, "secretRef": {"name": "s"}});
    let mut new = old.clone();
    new["provider"] = json!({"type": "other"});
    let request = update(Kind::SecretBinding, &new, &old);
    assert!(is_refused(&request, &policies));
    assert!(Conditions::of(&policies).send(&request));
}

/// Returns the recorded updates of objects themselves.
fn recorded() -> Vec<Json> {
    let files = fs::read_dir("tests/requests").unwrap();
    let read = |path| serde_json::from_str::<Json>(&fs::read_to_string(path).unwrap()).unwrap();
    let requests = files.map(|file| read(file.unwrap().path())["review"]["request"].clone());
    let is_update = |it: &Json| {
        it["object"].is_object() && it["subResource"].as_str().unwrap_or_default().is_empty()
    };
    let updates = requests.filter(is_update).map(|mut request| {
        request["operation"] = json!(Operation::Update.as_str());
        request["oldObject"] = request["object"].clone();
        request
    });
    let is_of_garden = |it: &Json| {
        let part = |name: &str| it["resource"][name].as_str().unwrap_or_default();
        let kind = Kind::of_resource(part("group"), part("version"), part("resource"));
        kind.is_some_and(|kind| of_garden().any(|it| it == kind))
    };
    updates.filter(is_of_garden).collect()
}

/// Adds the JSON pointers of all values below `at`.
fn places(value: &Json, at: &str, found: &mut Vec<String>) {
    let mut below = |name: &str, value: &Json| {
        let at = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
        places(value, &at, found);
        found.push(at);
    };
    match value {
        Json::Object(fields) => fields.iter().for_each(|(name, value)| below(name, value)),
        Json::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(index, value)| below(&index.to_string(), value));
        }
        _ => {}
    }
}

/// Changes a value, or removes it, and keeps the rest.
fn change(object: &mut Json, place: Index, value: Option<&Json>) {
    let mut all = Vec::new();
    places(object, "", &mut all);
    let place = place.get(&all);
    let (parent, name) = place.rsplit_once('/').unwrap();
    match (object.pointer_mut(parent).unwrap(), value) {
        (Json::Object(fields), value) => {
            let name = name.replace("~1", "/").replace("~0", "~");
            match value {
                Some(value) => fields.insert(name, value.clone()),
                None => fields.remove(&name),
            };
        }
        (parent, value) => {
            parent[name.parse::<usize>().unwrap()] = value.cloned().unwrap_or_default();
        }
    }
}

/// Policies that refuse every change, and those about single fields.
const POLICIES: [&str; 4] = [
    "object == oldObject",
    "object.?provider == oldObject.?provider",
    "object.metadata.?managedFields == oldObject.metadata.?managedFields",
    "object.all(name, name in oldObject) && oldObject.all(name, name in object)",
];

#[test]
fn refused_random_updates_are_sent() {
    let policies: Vec<OwnPolicy> = POLICIES.into_iter().map(policy).collect();
    let (recorded, conditions) = (recorded(), Conditions::of(&policies));
    assert!(recorded.len() > 5, "{}", recorded.len());
    let values = prop::sample::select(vec![
        json!(null),
        json!(""),
        json!("other"),
        json!({}),
        json!([]),
        json!(0),
        json!(true),
    ]);
    let input = (any::<Index>(), any::<Index>(), prop::option::of(values));
    let (mut refused, mut skipped) = (0, 0);
    let runner = &mut proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(400));
    let result = runner.run(&input, |(request, place, value)| {
        let mut request = request.get(&recorded).clone();
        let mut object = request["object"].take();
        change(&mut object, place, value.as_ref());
        request["object"] = object;
        prop_assume!(request["object"].is_object());
        let (is_changed, sends) =
            (request["object"] != request["oldObject"], conditions.send(&request));
        // An update without a change stores the same object.
        prop_assert!(sends == is_changed, "{request}");
        prop_assert!(!is_changed || is_refused(&request, &policies), "{request}");
        Ok(())
    });
    result.unwrap();
    for request in &recorded {
        skipped += usize::from(!conditions.send(request));
        let mut request = request.clone();
        request["object"]["metadata"]["labels"] = json!({"written": "again"});
        refused += usize::from(is_refused(&request, &policies) && conditions.send(&request));
    }
    assert_eq!([refused, skipped], [recorded.len(); 2]);
}
