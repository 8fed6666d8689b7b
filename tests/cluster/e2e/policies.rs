// SPDX-License-Identifier: Apache-2.0
//! Random ValidatingAdmissionPolicies, put to a kube-apiserver and to garden-gate.
//!
//! `POLICIES=N` sets their number, and `RECORD_POLICIES=FILE` writes the answers of the API server.

use std::collections::BTreeSet;
use std::fs::File;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use http::header::WARNING;
use http::{Method, StatusCode};
use http_body_util::BodyExt as _;
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};

use super::random_policies::{Drawn, drawn, namespace};
use super::world::garden;
use crate::cluster::TestCluster;
use crate::cluster::control_plane::Options;
use crate::cluster::waiting::eventually;
use crate::recorded_policies::{Answer, RecordedPolicy, RecordedRequest};

pub(super) const REGISTRATION: &str = "/apis/admissionregistration.k8s.io/v1";
const SHOOTS: &str = "/apis/core.gardener.cloud/v1beta1/namespaces/garden-dev/shoots";
/// Time in which an API server uses changed parameters; policies and bindings are awaited.
const SETTLED: Duration = Duration::from_secs(3);

pub(super) struct Response {
    pub(super) status: StatusCode,
    warnings: BTreeSet<String>,
    pub(super) body: Value,
}

pub(super) async fn send(
    client: &Client,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> Response {
    let body = body.map(ToString::to_string).unwrap_or_default();
    let request = http::Request::builder()
        .method(method)
        .uri(path)
        .header("content-type", "application/json");
    let response = client.send(request.body(Body::from(body.into_bytes())).unwrap()).await.unwrap();
    let (head, body) = response.into_parts();
    let warnings = head.headers.get_all(WARNING).iter().filter_map(|it| {
        let text =
            std::str::from_utf8(it.as_bytes()).ok()?.strip_prefix("299 - \"")?.strip_suffix('"')?;
        Some(text.replace("\\\"", "\"").replace("\\\\", "\\"))
    });
    Response {
        status: head.status,
        warnings: warnings.collect(),
        // Some answers have no JSON.
        body: serde_json::from_slice(&body.collect().await.unwrap().to_bytes()).unwrap_or_default(),
    }
}

impl Response {
    fn answer(self) -> Answer {
        let message = self.body["message"].as_str().unwrap_or_default();
        let message = message.split_once("is forbidden: ").map_or(message, |(_, it)| it);
        let refused = (!self.status.is_success()).then(|| self.status.as_u16());
        Answer {
            message: refused.map_or_else(String::new, |_| message.to_owned()),
            refused,
            warnings: self.warnings,
        }
    }
}

/// Creates an object, and returns it as stored, or the error.
pub(super) async fn create(client: &Client, path: &str, object: &Value) -> Result<Value, String> {
    let response = send(client, Method::POST, path, Some(object)).await;
    if response.status.is_success() {
        Ok(response.body)
    } else {
        Err(response.body["message"].as_str().unwrap().to_owned())
    }
}

/// Waits until a policy that was created last refuses requests.
async fn are_effective(client: &Client) {
    let policy = json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": "last"},
        "spec": {
            "matchConstraints": {
                "objectSelector": {"matchLabels": {"policy": "last"}},
                "resourceRules": [{"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["*"]}],
            },
            "validations": [{"expression": "false"}],
        },
    });
    let binding = json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding",
        "metadata": {"name": "last"},
        "spec": {"policyName": "last", "validationActions": ["Deny"]},
    });
    let resources =
        [("validatingadmissionpolicies", policy), ("validatingadmissionpolicybindings", binding)];
    for (resource, object) in resources {
        create(client, &format!("{REGISTRATION}/{resource}"), &object).await.unwrap();
    }
    let probe = json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
        "metadata": {"name": "probe", "namespace": "garden-dev", "labels": {"policy": "last"}},
    });
    eventually("policies are effective", async || {
        let answer =
            send(client, Method::POST, &format!("{SHOOTS}?dryRun=All"), Some(&probe)).await;
        (!answer.status.is_success()).then_some(())
    })
    .await;
    tokio::time::sleep(SETTLED).await;
}

/// Sends the request of a drawn change as a dry run.
async fn ask(client: &Client, [new, old]: [Option<&Value>; 2]) -> Answer {
    let name = |object: &Value| object["metadata"]["name"].as_str().unwrap().to_owned();
    let (method, path) = match (new, old) {
        (Some(_), None) => (Method::POST, SHOOTS.to_owned()),
        (Some(_), Some(old)) => (Method::PUT, format!("{SHOOTS}/{}", name(old))),
        (None, Some(old)) => (Method::DELETE, format!("{SHOOTS}/{}", name(old))),
        (None, None) => panic!("a request has an object"),
    };
    let mut sent = new.cloned();
    if let (Some(sent), Some(old)) = (&mut sent, old) {
        sent["metadata"]["resourceVersion"] = old["metadata"]["resourceVersion"].clone();
    }
    send(client, method, &format!("{path}?dryRun=All"), sent.as_ref()).await.answer()
}

async fn recorded(cluster: &TestCluster, all: Vec<Drawn>) -> Vec<RecordedPolicy> {
    let client = &cluster.admin.client;
    let labelled =
        send(client, Method::PUT, "/api/v1/namespaces/garden-dev", Some(&namespace())).await;
    assert!(labelled.status.is_success(), "{}", labelled.body);
    let mut recorded = Vec::new();
    for Drawn { landscape, mut changes } in all {
        for [_, old] in &mut changes {
            if let Some(object) = old {
                *object = create(client, SHOOTS, object).await.unwrap();
                object["metadata"].as_object_mut().unwrap().remove("managedFields");
            }
        }
        for parameter in &landscape.parameters {
            create(client, "/api/v1/namespaces/garden/configmaps", parameter).await.unwrap();
        }
        let policies = format!("{REGISTRATION}/validatingadmissionpolicies");
        let refused = create(client, &policies, &landscape.policy).await.err();
        if refused.is_none() {
            for binding in &landscape.bindings {
                let bindings = format!("{REGISTRATION}/validatingadmissionpolicybindings");
                create(client, &bindings, binding).await.unwrap();
            }
        }
        let requests = changes.into_iter().map(|[object, old_object]| RecordedRequest {
            object,
            old_object,
            answer: Answer::default(),
        });
        recorded.push(RecordedPolicy { landscape, refused, requests: requests.collect() });
    }
    are_effective(client).await;
    for policy in recorded.iter_mut().filter(|it| it.refused.is_none()) {
        for request in &mut policy.requests {
            let objects = [&request.object, &request.old_object].map(Option::as_ref);
            request.answer = ask(client, objects).await;
        }
    }
    recorded
}

#[tokio::test(flavor = "multi_thread")]
async fn random_policies_decide_as_those_of_an_api_server() {
    let Some(cluster) = garden(Options::default()).await else {
        return;
    };
    let count = std::env::var("POLICIES").map_or(60, |it| it.parse().unwrap());
    let recorded = recorded(&cluster, (0..count).map(drawn).collect()).await;
    if let Some(path) = std::env::var_os("RECORD_POLICIES") {
        let file = GzEncoder::new(File::create(path).unwrap(), Compression::best());
        serde_json::to_writer(file, &recorded).unwrap();
    }
    let differences: Vec<String> = recorded.iter().flat_map(RecordedPolicy::differences).collect();
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
    let answers = recorded.iter().flat_map(|it| &it.requests).map(|it| &it.answer);
    let refused = answers.clone().filter(|it| it.refused.is_some()).count();
    let warned = answers.filter(|it| !it.warnings.is_empty()).count();
    assert!(
        refused > usize::try_from(count).unwrap() / 2 && warned > 0,
        "{refused} refused, {warned} with warnings"
    );
}
