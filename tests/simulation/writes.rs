// SPDX-License-Identifier: Apache-2.0
//! Writes of Secrets and webhook configurations by replicas, with optimistic concurrency.

use axum::http::Method;
use json_patch::Patch;
use serde_json::{Value, json};

use super::api_server::Inner;
use super::calls::{Delivery, Reply, Target};
use garden_gate_model::api::{Kind, ObjectKey};

/// Answers a request for a managed Secret or for webhook configurations; `None` for other resources.
pub(super) fn process(
    inner: &mut Inner,
    method: &Method,
    target: &Target,
    body: &Value,
) -> Option<Reply> {
    let is_managed = matches!(
        target.kind,
        Kind::Secret | Kind::MutatingWebhookConfiguration | Kind::ValidatingWebhookConfiguration
    );
    if !is_managed || (target.name.is_none() && method == Method::GET) {
        return None;
    }
    let name = target.name.as_deref();
    let name = name.or_else(|| body["metadata"]["name"].as_str());
    let key = ObjectKey::new(target.kind, target.namespace.clone(), name.unwrap_or_default());
    let stored = inner.store.get(&key).map(|it| it.value.clone());
    let written = match (method.as_str(), stored) {
        ("GET", Some(stored)) => {
            return Some(Reply::new(200, stored.to_string(), Delivery::Nothing));
        }
        ("POST", None) => body.clone(),
        ("PUT", Some(stored)) if has_version(body, &stored) => body.clone(),
        ("PATCH", Some(mut stored)) => {
            let patch: Patch = serde_json::from_value(body.clone()).unwrap_or_default();
            match json_patch::patch(&mut stored, &patch) {
                Ok(()) => stored,
                Err(error) => return Some(Reply::failure(422, &error.to_string(), "")),
            }
        }
        (_, Some(_)) => return Some(Reply::failure(409, "conflict", &key.name)),
        (_, None) => return Some(Reply::failure(404, "not found", &key.name)),
    };
    inner.trace.add(&format!("{method} writes {key}"));
    inner.store.put(key.clone(), written);
    let stored = inner.store.get(&key).map(|it| it.json.clone());
    Some(Reply::new(200, stored.unwrap_or_default(), Delivery::Nothing))
}

fn has_version(body: &Value, stored: &Value) -> bool {
    let version = |object: &Value| object["metadata"]["resourceVersion"].clone();
    version(body) == version(stored) || version(body) == json!("")
}
