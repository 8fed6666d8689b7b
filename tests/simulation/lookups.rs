// SPDX-License-Identifier: Apache-2.0
//! Lists, single objects and access reviews.

use std::fmt::Write as _;

use axum::http::Uri;
use serde_json::{Value, json};

use super::api_server::Inner;
use super::calls::{Delivery, Reply, Target};
use super::record::Answer;
use garden_gate_core::garden::{AccessQuestion, Collection, Question};
use garden_gate_model::api::{Confirmation, Kind, Named, ObjectKey};

/// Returns the name of the question that a request asks for a review; `None` for lists of watches and other requests.
pub(super) fn question(uri: &Uri, target: Option<&Target>, body: &Value) -> Option<String> {
    if uri.path().ends_with("/subjectaccessreviews") {
        return Some(access(&body["spec"]));
    }
    let target = target.filter(|it| !it.query.contains_key("watch"))?;
    let Target { kind, namespace, .. } = target;
    if let Some(name) = &target.name {
        return Some(object(*kind, namespace, name));
    }
    let selector = |field: &str| target.query.get(field).map(String::as_str);
    match (selector("fieldSelector"), selector("labelSelector")) {
        (Some(field), _) => Some(format!("owner {}", value(field))),
        (None, Some(_)) => Some(format!("labelled {kind}")),
        (None, None) => target.is_metadata.then(|| collection(*kind, namespace)),
    }
}

/// Returns the name of a question of the core.
pub(super) fn name(question: &Question, user: &str) -> String {
    match question {
        Question::Access(AccessQuestion {
            verb,
            group,
            resource,
            subresource,
            namespace,
            name,
        }) => format!("access {user} {verb} {group}/{resource}/{subresource} {namespace}/{name}"),
        Question::Object(key) => object(key.kind, &key.namespace, &key.name),
        Question::ProjectOfNamespace(namespace) => format!("owner {namespace}"),
        Question::Labelled(kind) => format!("labelled {kind}"),
        Question::Collection { kind, namespace } => collection(*kind, namespace),
    }
}

fn object(kind: Kind, namespace: &str, name: &str) -> String {
    format!("object {kind} {namespace}/{name}")
}

fn collection(kind: Kind, namespace: &str) -> String {
    format!("collection {kind} {namespace}")
}

fn access(spec: &Value) -> String {
    let of = |field: &str| spec["resourceAttributes"][field].as_str().unwrap_or_default();
    let user = spec["user"].as_str().unwrap_or_default();
    format!(
        "access {user} {} {}/{}/{} {}/{}",
        of("verb"),
        of("group"),
        of("resource"),
        of("subresource"),
        of("namespace"),
        of("name")
    )
}

fn value(selector: &str) -> &str {
    selector.split_once('=').map_or("", |(_, value)| value)
}

/// Answers a SubjectAccessReview, or a SelfSubjectAccessReview, which asks no question for a review.
pub(super) fn review(inner: &Inner, question: Option<String>, mut body: Value) -> Reply {
    let Some(question) = question else {
        let resource = body["spec"]["resourceAttributes"]["resource"].as_str();
        let denied = |kind: &Kind| Some(kind.resource()) == resource;
        let allowed = !inner.faults.denied.iter().any(denied);
        body["status"] = json!({"allowed": allowed});
        return Reply::new(201, body.to_string(), Delivery::Nothing);
    };
    if inner.faults.denies_reviews {
        let reply = Reply::failure(403, "may not create subjectaccessreviews", "");
        return reply.with(Delivery::Lookup(question, Answer::Failure));
    }
    let user = body["spec"]["user"].as_str().unwrap_or_default();
    let verb = &body["spec"]["resourceAttributes"]["verb"];
    let verbs = inner.verbs.get(user);
    let allowed = verbs.is_some_and(|verbs| verbs.iter().any(|it| verb == it));
    let delivery = Delivery::Lookup(question, Answer::Access(allowed));
    body["status"] = json!({"allowed": allowed});
    Reply::new(201, body.to_string(), delivery)
}

/// Answers a request for one object.
pub(super) fn get(inner: &Inner, target: &Target, name: &str, question: Option<String>) -> Reply {
    let Target { kind, namespace, .. } = target;
    let key = ObjectKey::new(*kind, namespace.clone(), name);
    let found = inner.store.get(&key).cloned();
    let reply = match &found {
        Some(version) => Reply::new(200, version.json.clone(), Delivery::Nothing),
        None => Reply::failure(404, "not found", name),
    };
    let answer = Answer::Object(found.map(|version| (key, version)));
    match question {
        Some(question) => reply.with(Delivery::Lookup(question, answer)),
        None => reply,
    }
}

/// Answers a request for one page of a list at the revision of its first page.
pub(super) fn list(inner: &Inner, target: &Target, question: Option<String>) -> Reply {
    let Target { kind, namespace, query, .. } = target;
    let token = query.get("continue").and_then(|it| it.split_once(':'));
    let (revision, start) = match token {
        None => (inner.store.revision(), 0),
        Some((revision, start)) => {
            (revision.parse().unwrap_or_default(), start.parse().unwrap_or_default())
        }
    };
    let selected = |field: &str| query.get(field).map(|it| value(it));
    let (owned, label) = (selected("fieldSelector"), query.get("labelSelector"));
    let label = label.and_then(|it| it.split_once('='));
    let objects = inner.store.list(*kind, namespace, revision);
    let objects: Vec<_> = objects
        .filter(|(_, it)| owned.is_none_or(|owned| it.field("/spec/namespace") == owned))
        .filter(|(_, it)| label.is_none_or(|(name, value)| it.has_label(name, value)))
        .collect();
    if revision < inner.store.compacted() {
        let reply = Reply::failure(410, "the provided continue parameter is too old", "");
        return match question {
            Some(question) => reply.with(Delivery::Lookup(question, Answer::Failure)),
            None => reply,
        };
    }
    let limit = query.get("limit").and_then(|it| it.parse().ok());
    let limit: usize = limit.unwrap_or(usize::MAX).min(inner.faults.page);
    let end = objects.len().min(start + limit);
    let mut body = format!("{{\"metadata\":{{\"resourceVersion\":\"{revision}\"");
    if end < objects.len() {
        let _ = write!(body, ",\"continue\":\"{revision}:{end}\"");
    }
    body += "},\"items\":[";
    for (index, (_, version)) in objects[start.min(end)..end].iter().enumerate() {
        body += if index > 0 { "," } else { "" };
        if target.is_metadata { body += &version.metadata() } else { body += &version.json }
    }
    body += "]}";
    let is_last = end == objects.len();
    let delivery = match question {
        _ if !is_last => Delivery::Nothing,
        None => Delivery::List(*kind, revision),
        Some(question) => {
            let mut all = objects.into_iter().map(|(key, it)| (key.clone(), it.clone()));
            let answer = match owned {
                Some(_) => Answer::Object(all.next()),
                None if label.is_some() => Answer::Labelled(all.collect()),
                None => Answer::Collection(confirmations(all.map(|(_, it)| it.value.clone()))),
            };
            Delivery::Lookup(question, answer)
        }
    };
    Reply::new(200, body, delivery)
}

fn confirmations(objects: impl Iterator<Item = Value>) -> Collection {
    let mut collection = Collection::default();
    for object in objects {
        if let Ok(Named { metadata }) = serde_json::from_value(object) {
            let confirmation = Confirmation::of(&metadata);
            collection.apply(metadata.name.into(), confirmation);
        }
    }
    collection
}
