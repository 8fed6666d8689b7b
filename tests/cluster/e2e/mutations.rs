// SPDX-License-Identifier: Apache-2.0
//! Random MutatingAdmissionPolicies, put to a kube-apiserver and to garden-gate.
//!
//! `POLICIES=N` sets their number, and `RECORD_POLICIES=FILE` writes the answers of the API server.

use std::collections::BTreeSet;
use std::fs::File;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use http::Method;
use kube::Client;
use serde_json::{Map, Value, json};

use super::policies::{REGISTRATION, create, send};
use super::random_mutations::{DrawnMutation, drawn_mutation, widgets};
use crate::cluster::TestCluster;
use crate::cluster::waiting::eventually;
use crate::recorded_mutations::{
    Mutated, RecordedMutation, RecordedMutations, RecordedObject, difference, mutate, type_name,
};

/// A label value that no policy selects.
const NONE: &str = "none";

fn path(object: &Value) -> &'static str {
    match object["kind"].as_str().unwrap() {
        "ConfigMap" => "/api/v1/namespaces/default/configmaps?dryRun=All&fieldValidation=Strict",
        "Deployment" => {
            "/apis/apps/v1/namespaces/default/deployments?dryRun=All&fieldValidation=Strict"
        }
        // Fields that a policy adds are not decoded.
        _ => "/apis/example.com/v1/namespaces/default/widgets?dryRun=All&fieldValidation=Ignore",
    }
}

/// Returns an object without the fields that an API server sets.
fn without_system_fields(mut object: Value) -> Value {
    let metadata = object["metadata"].as_object_mut().unwrap();
    for name in ["uid", "creationTimestamp", "generation", "managedFields", "resourceVersion"] {
        metadata.remove(name);
    }
    // Empty ones are omitted, or not.
    let is_empty = |it: &Value| match it {
        Value::Object(fields) => fields.is_empty(),
        Value::Array(items) => items.is_empty(),
        it => it.is_null(),
    };
    metadata.retain(|_, it| !is_empty(it));
    object.as_object_mut().unwrap().remove("status");
    object
}

/// Returns a copy of an object with another value of the label that selects a policy, if it can have labels.
fn for_policy(object: &Value, policy: &str) -> Value {
    let mut object = object.clone();
    let labels = object.pointer("/metadata/labels");
    if object["metadata"].is_object() && labels.is_none_or(|it| it.is_object() || it.is_null()) {
        object["metadata"]["labels"]["policy"] = json!(policy);
    }
    object
}

/// Creates an object in a dry run, and returns it without fields that the API server sets, or the refusal.
async fn dry_run(client: &Client, object: &Value) -> Result<Value, (u16, String)> {
    let response = send(client, Method::POST, path(object), Some(object)).await;
    if response.status.is_success() {
        return Ok(without_system_fields(response.body));
    }
    let message = response.body["message"].as_str().unwrap_or_default().to_owned();
    Err((response.status.as_u16(), message))
}

/// Returns the schemas of the kinds, and all that they refer to.
async fn schemas(client: &Client) -> Value {
    let mut all = Map::new();
    for group in ["api/v1", "apis/apps/v1", "apis/example.com/v1"] {
        let document = send(client, Method::GET, &format!("/openapi/v3/{group}"), None).await.body;
        let schemas = document["components"]["schemas"].as_object().unwrap().clone();
        all.extend(schemas);
    }
    let mut needed = BTreeSet::new();
    let mut open: Vec<String> =
        ["ConfigMap", "Deployment", "Widget"].map(|it| type_name(it).to_owned()).to_vec();
    while let Some(name) = open.pop() {
        let text = all.get(&name).unwrap_or_else(|| panic!("no {name}")).to_string();
        let references = text.split("#/components/schemas/").skip(1);
        let references = references.map(|it| it.split('"').next().unwrap().to_owned());
        open.extend(references.filter(|it| !needed.contains(it)));
        needed.insert(name);
    }
    let mut needed: Map<String, Value> =
        needed.into_iter().map(|it| (it.clone(), all[&it].clone())).collect();
    needed.values_mut().for_each(without_descriptions);
    needed.into()
}

fn without_descriptions(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.retain(|name, it| name != "description" || !it.is_string());
            fields.values_mut().for_each(without_descriptions);
        }
        Value::Array(items) => items.iter_mut().for_each(without_descriptions),
        _ => {}
    }
}

/// Creates a policy with its binding; returns the refusal.
async fn bind(client: &Client, policy: &Value) -> Option<String> {
    let policies = format!("{REGISTRATION}/mutatingadmissionpolicies");
    let refused = create(client, &policies, policy).await.err();
    if refused.is_none() {
        let name = &policy["metadata"]["name"];
        let binding = json!({
            "apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingAdmissionPolicyBinding",
            "metadata": {"name": name}, "spec": {"policyName": name},
        });
        let bindings = format!("{REGISTRATION}/mutatingadmissionpolicybindings");
        create(client, &bindings, &binding).await.unwrap();
    }
    refused
}

/// Waits until a policy that was created last changes objects of all kinds.
async fn are_effective(client: &Client) {
    let mut policy = drawn_mutation(0).policy;
    policy["metadata"]["name"] = json!("last");
    let spec = &mut policy["spec"];
    spec["matchConstraints"]["objectSelector"]["matchLabels"]["policy"] = json!("last");
    spec.as_object_mut().unwrap().remove("matchConditions");
    spec["mutations"] = json!([{
        "patchType": "ApplyConfiguration",
        "applyConfiguration": {"expression": "Object{metadata: Object.metadata{labels: {'seen': 'true'}}}"},
    }]);
    assert_eq!(bind(client, &policy).await, None);
    for kind in ["ConfigMap", "Deployment", "Widget"] {
        let drawn = (0..).map(drawn_mutation).flat_map(|it| it.objects);
        let probe = drawn.into_iter().find(|it| it["kind"] == kind).unwrap();
        let probe = for_policy(&probe, "last");
        eventually("policies are effective", async || {
            let changed = dry_run(client, &probe).await.ok()?;
            (changed["metadata"]["labels"]["seen"] == "true").then_some(())
        })
        .await;
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
}

/// Returns the answer to an object, and the words for a difference.
async fn answered(
    client: &Client,
    (policy, object): (&Value, &Value),
    schemas: &Value,
) -> (RecordedObject, Option<String>) {
    let name = policy["metadata"]["name"].as_str().unwrap();
    let base = dry_run(client, &for_policy(object, NONE)).await.unwrap();
    let base = for_policy(&base, name);
    let theirs = dry_run(client, &for_policy(object, name)).await;
    let ours = mutate(policy, &base, schemas).unwrap();
    let recorded = |changed, refused| RecordedObject { object: base.clone(), changed, refused };
    let Mutated::Changed(changed) = &ours else {
        let answer = match theirs {
            Ok(theirs) => recorded(theirs, None),
            Err(refused) => recorded(Value::Null, Some(refused)),
        };
        let difference = difference(&ours, &answer);
        return (answer, difference);
    };
    // Defaults of Deployments and validation follow, which are the same for our object.
    let is_widget = changed["kind"] == "Widget";
    let normalized = match (&theirs, is_widget) {
        (Ok(_), true) => Ok(without_system_fields(changed.clone())),
        _ => dry_run(client, &for_policy(changed, NONE)).await.map(|mut it| {
            let label = changed.pointer("/metadata/labels/policy");
            match label.and_then(Value::as_str) {
                Some(label) => it = for_policy(&it, label),
                None => {
                    it["metadata"]["labels"].as_object_mut().unwrap().remove("policy");
                }
            }
            without_system_fields(it)
        }),
    };
    let is_same = match (&theirs, &normalized) {
        (Ok(theirs), Ok(normalized)) => theirs == normalized,
        // A patch that cannot be decoded is an internal error.
        (Err((500, _)), Err((400, _))) => !is_widget,
        (Err((theirs, _)), Err((normalized, _))) => theirs == normalized && *theirs != 403,
        _ => false,
    };
    let difference = (!is_same).then(|| {
        let [theirs, normalized] = [&theirs, &normalized].map(|it| match it {
            Ok(object) => object.to_string(),
            Err(refused) => format!("{refused:?}"),
        });
        format!("ours {normalized}\ntheirs {theirs}")
    });
    let changed = match theirs {
        Ok(theirs) if is_widget => theirs,
        _ if is_same => changed.clone(),
        _ => Value::Null,
    };
    (recorded(changed, None), difference)
}

#[tokio::test(flavor = "multi_thread")]
async fn random_mutations_change_objects_as_those_of_an_api_server() {
    let Some(cluster) = TestCluster::start().await else {
        return;
    };
    let client = &cluster.admin.client;
    create(client, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", &widgets())
        .await
        .unwrap();
    let document = "/openapi/v3/apis/example.com/v1";
    eventually("the schema of Widgets is published", async || {
        let answer = send(client, Method::GET, document, None).await;
        answer.body["components"]["schemas"].get(type_name("Widget")).map(|_| ())
    })
    .await;
    let schemas = schemas(client).await;
    let count = std::env::var("POLICIES").map_or(40, |it| it.parse().unwrap());
    let drawn: Vec<DrawnMutation> = (0..count).map(drawn_mutation).collect();
    let mut refusals = Vec::new();
    for it in &drawn {
        refusals.push(bind(client, &it.policy).await);
    }
    are_effective(client).await;
    let (mut policies, mut differences) = (Vec::new(), Vec::new());
    for (DrawnMutation { policy, objects }, refused) in drawn.into_iter().zip(refusals) {
        let mut recorded = RecordedMutation { policy, refused, objects: Vec::new() };
        if recorded.refused.is_none() && mutate(&recorded.policy, &objects[0], &schemas).is_ok() {
            for object in &objects {
                let request = (&recorded.policy, object);
                let (answer, difference) = answered(client, request, &schemas).await;
                let spec = &recorded.policy["spec"];
                differences
                    .extend(difference.map(|it| format!("{it}\n{}\n{spec:#}", answer.object)));
                recorded.objects.push(answer);
            }
        }
        policies.push(recorded);
    }
    let recorded = RecordedMutations { schemas, policies };
    if let Some(path) = std::env::var_os("RECORD_POLICIES") {
        let file = GzEncoder::new(File::create(path).unwrap(), Compression::best());
        serde_json::to_writer(file, &recorded).unwrap();
    }
    differences.extend(recorded.differences());
    let count = differences.len();
    assert!(differences.is_empty(), "{count} differ:\n{}", differences.join("\n----\n"));
    let undetermined = recorded.undetermined();
    // One policy more or less counts much among few.
    assert!(undetermined.len() * 10 < recorded.objects(), "{undetermined:#?}");
    let objects = recorded.policies.iter().flat_map(|it| &it.objects);
    let changed = objects.filter(|it| it.refused.is_none() && it.changed != it.object).count();
    assert!(changed > recorded.policies.len(), "{changed} are changed");
}
