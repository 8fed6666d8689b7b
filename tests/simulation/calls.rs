// SPDX-License-Identifier: Apache-2.0
//! Requests to the API server and its responses.

use std::collections::BTreeMap;

use axum::extract::Query;
use axum::http::{HeaderMap, Method, Uri};
use serde_json::{Value, json};

use super::record::Answer;
use garden_gate_model::api::Kind;

/// A request for a resource.
pub(super) struct Target {
    pub(super) kind: Kind,
    pub(super) namespace: String,
    pub(super) name: Option<String>,
    pub(super) query: BTreeMap<String, String>,
    pub(super) is_metadata: bool,
}

/// A request, with the name of the question that it asks for a review.
pub(super) struct Call {
    pub(super) replica: u32,
    pub(super) method: Method,
    pub(super) uri: Uri,
    pub(super) target: Option<Target>,
    pub(super) question: Option<String>,
    pub(super) body: Value,
}

/// A response with the record of its delivery.
pub(super) struct Reply {
    pub(super) code: u16,
    pub(super) body: String,
    pub(super) delivery: Delivery,
}

/// The part of a response that is recorded once its last byte is delivered.
pub(super) enum Delivery {
    Nothing,
    List(Kind, u64),
    Refusal(Kind, u16),
    Lookup(String, Answer),
}

impl Target {
    pub(super) fn is_watch(&self) -> bool {
        self.query.contains_key("watch")
    }

    /// Parses a path such as `/apis/GROUP/VERSION/namespaces/NAMESPACE/PLURAL/NAME`.
    pub(super) fn of(uri: &Uri, headers: &HeaderMap) -> Option<Self> {
        let parts: Vec<&str> = uri.path().trim_matches('/').split('/').collect();
        let (group, version, rest) = match &parts[..] {
            ["api", version, rest @ ..] => ("", *version, rest),
            ["apis", group, version, rest @ ..] => (*group, *version, rest),
            _ => return None,
        };
        let (namespace, plural, name) = match rest {
            ["namespaces", namespace, plural] => (*namespace, plural, None),
            ["namespaces", namespace, plural, name] => (*namespace, plural, Some(name)),
            [plural] => ("", plural, None),
            [plural, name] => ("", plural, Some(name)),
            _ => return None,
        };
        let Query(query) = Query::try_from_uri(uri).ok()?;
        let accept = headers.get("accept").and_then(|it| it.to_str().ok());
        Some(Self {
            kind: *Kind::ALL
                .iter()
                .find(|it| it.api() == (group, version) && it.resource() == *plural)?,
            namespace: namespace.to_owned(),
            name: name.map(|it| (*it).to_owned()),
            query,
            is_metadata: accept.is_some_and(|it| it.contains("PartialObjectMetadata")),
        })
    }
}

impl Reply {
    pub(super) fn new(code: u16, body: String, delivery: Delivery) -> Self {
        Self { code, body, delivery }
    }

    /// Returns a `Status`; `name` is the missing object.
    pub(super) fn failure(code: u16, message: &str, name: &str) -> Self {
        let status = json!({
            "kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "message": message,
            "reason": "x", "details": {"name": name},
        });
        Self::new(code, status.to_string(), Delivery::Nothing)
    }

    /// Fails the lookup of a request, if it is one, with the last byte.
    pub(super) fn refusing(self, call: &Call) -> Self {
        match call.question.clone() {
            Some(question) => self.with(Delivery::Lookup(question, Answer::Failure)),
            None => self,
        }
    }

    pub(super) fn with(self, delivery: Delivery) -> Self {
        Self { delivery, ..self }
    }
}
