// SPDX-License-Identifier: Apache-2.0
//! Responses of a gardener-apiserver to a request.

use std::collections::BTreeSet;

use axum::http::Method;
use serde_json::{Value, json};

use crate::http::{InNameOf, Reply, send};
use crate::parity::case::Case;
use crate::parity::landscape::{Landscape, as_recorded};
use crate::parity::server::Servers;

/// A dry run changes nothing, and returns the object as it would be stored.
const DRY_RUN: &str = "dryRun=All&fieldValidation=Strict";

/// The prefix of refusals by webhooks.
const WEBHOOK: &str = "admission webhook \"";

/// The type of a webhook's refusal that is no field error, such as that of a configuration that cannot be decoded.
pub(crate) const NO_FIELD_ERROR: &str = "Denied";

/// Field errors as formatted in messages, and their types.
const ERRORS: &[(&str, &str)] = &[
    ("Required value", "Required"),
    ("Invalid value", "Invalid"),
    ("Unsupported value", "NotSupported"),
    ("Duplicate value", "Duplicate"),
    ("Forbidden", "Forbidden"),
    ("Not found", "NotFound"),
    ("Too long", "TooLong"),
    ("Too many", "TooMany"),
    ("Internal error", "Internal"),
];

/// A response.
#[derive(Clone, Debug)]
pub(crate) struct Theirs {
    /// The status code; 0 if the server closed the connection.
    pub(crate) code: u16,
    pub(crate) reason: String,
    pub(crate) message: String,
    /// The type and field of each cause.
    pub(crate) findings: BTreeSet<(String, String)>,
    pub(crate) warnings: Vec<String>,
    /// The object as it would be stored.
    pub(crate) stored: Option<Value>,
}

impl Theirs {
    pub(crate) fn is_allowed(&self) -> bool {
        (200..300).contains(&self.code)
    }

    /// Reports whether the response judges the object.
    ///
    /// A conflict, or an existing or missing object, is no verdict.
    pub(crate) fn is_verdict(&self) -> bool {
        ![401, 404, 409, 429].contains(&self.code) && !self.is_about_rights()
    }

    /// Returns the cause of a known panic of Gardener, which closes the connection without a verdict.
    pub(crate) fn known_panic(&self, case: &Case) -> Option<&'static str> {
        let has =
            |object: &str, part: &str| !case.request[object]["spec"]["provider"][part].is_null();
        let is_so = case.asked_of() == "Shoot/status"
            && has("oldObject", "workersSettings")
            && !has("object", "workersSettings")
            && !has("object", "workers");
        (self.code == 0 && is_so).then_some("a status update of a Shoot omits its workers")
    }

    /// Reports whether a webhook of an extension refuses the object, after or between the checks of Gardener.
    pub(crate) fn is_of_webhook(&self) -> bool {
        self.message.starts_with(WEBHOOK) && self.message.contains(" denied the request")
    }

    /// Reports whether the user lacks permission for such requests, so that nothing was judged.
    fn is_about_rights(&self) -> bool {
        self.code == 403
            && self.message.contains("is forbidden: User \"")
            && self.message.contains("cannot")
            && self.message.contains(" resource \"")
    }

    /// Returns the recorded response.
    pub(crate) fn recorded(case: &Value) -> Self {
        let expect = &case["expect"];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let findings = expect["findings"].as_array().into_iter().flatten();
        let is_allowed = expect["allowed"] == true;
        let patch = serde_json::from_value::<json_patch::Patch>(expect["patch"].clone());
        let stored = patch.ok().filter(|_| is_allowed).map(|patch| {
            let mut object = case["request"]["object"].clone();
            json_patch::patch(&mut object, &patch).unwrap();
            object
        });
        let warnings = expect["warnings"].as_array().into_iter().flatten();
        Self {
            code: u16::try_from(expect["code"].as_u64().unwrap()).unwrap(),
            reason: text(&expect["reason"]),
            message: text(&expect["message"]),
            findings: findings.map(|it| (text(&it["type"]), text(&it["field"]))).collect(),
            warnings: warnings.map(text).collect(),
            stored,
        }
    }

    fn replied(reply: Reply) -> Self {
        let Reply { code, warnings, body } = reply;
        let is_allowed = (200..300).contains(&code);
        let text = |member: &str| body[member].as_str().unwrap_or_default().to_owned();
        let (reason, message) = (text("reason"), text("message"));
        let mut theirs =
            Self { code, reason, message, findings: BTreeSet::new(), warnings, stored: None };
        if is_allowed {
            theirs.stored = Some(body).filter(|it| it["kind"] != "Status");
        } else {
            theirs.findings = theirs.found(&body);
        }
        theirs
    }

    fn found(&self, body: &Value) -> BTreeSet<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let causes = body["details"]["causes"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|it| it["field"].is_string())
            .map(|it| {
                let reason = text(&it["reason"]);
                let kind = reason.strip_prefix("FieldValue").unwrap_or(&reason);
                let kind = if kind == "InternalError" { "Internal" } else { kind };
                (kind.to_owned(), text(&it["field"]))
            });
        let mut found: BTreeSet<_> = causes.collect();
        if found.is_empty() && self.code != 400 {
            found = told(&self.message);
        }
        if found.is_empty() && self.is_of_webhook() {
            found.insert((NO_FIELD_ERROR.to_owned(), String::new()));
        }
        if found.is_empty() {
            let kind = match self.code {
                0 => "Panic",
                400 => "BadRequest",
                403 => "Forbidden",
                _ => "Internal",
            };
            let fields = undecodable(&self.message).into_iter();
            found.extend(fields.map(|field| (kind.to_owned(), field)));
        }
        found
    }

    /// Returns the response in the recorded format.
    pub(crate) fn expect(&self, case: &Case) -> Value {
        let (stage, source) = match self.code {
            400 => ("decode", "apiserver"),
            422 => ("strategy", "strategy"),
            _ => ("validating", "admission"),
        };
        let findings = self.findings.iter().map(
            |(kind, field)| json!({"stage": stage, "source": source, "type": kind, "field": field}),
        );
        let mut expect = json!({
            "allowed": self.is_allowed(),
            "code": self.code,
            "findings": findings.collect::<Vec<_>>(),
        });
        if !self.is_allowed() {
            expect["reason"] = json!(self.reason);
            expect["partial"] = json!(true);
            if self.findings.iter().any(|(_, field)| field.is_empty()) {
                expect["message"] = json!(self.message);
            }
        }
        if !self.warnings.is_empty() {
            expect["warnings"] = json!(self.warnings);
        }
        if let Some(stored) = &self.stored {
            expect["patch"] = json!(json_patch::diff(&case.request["object"], stored));
        }
        expect
    }
}

/// Sends a request to a server with all plugins.
pub(crate) async fn ask(servers: &Servers, landscape: &Landscape, case: &Case) -> Theirs {
    let method = match case.operation() {
        "CREATE" => Method::POST,
        "UPDATE" => Method::PUT,
        _ => Method::DELETE,
    };
    let body = match (&case.text, case.operation()) {
        (_, "DELETE") => String::new(),
        (Some(text), _) => text.clone(),
        (None, _) => landscape.as_sent(case).to_string(),
    };
    let path = format!("{}?{DRY_RUN}", case.path());
    let client = servers.next();
    let user = case.user();
    let user = InNameOf { user: &user.name, groups: &user.groups };
    let reply = send(client, method, &path, body, Some(user)).await;
    let mut theirs = Theirs::replied(reply);
    let is_answered = !theirs.message.contains("failed calling webhook");
    assert!(is_answered, "{}: {}", case.id, theirs.message);
    theirs.stored = theirs.stored.map(|stored| as_recorded(stored, case));
    theirs
}

/// Parses the field errors in a message.
///
/// An example is `[spec.a: Invalid value: "x": why, spec.b: Forbidden: why]`.
fn told(message: &str) -> BTreeSet<(String, String)> {
    let mut found = BTreeSet::new();
    for (phrase, kind) in ERRORS {
        for (at, _) in message.match_indices(&format!(": {phrase}")) {
            let before = message[..at].rsplit([' ', '\n']).next().unwrap_or_default();
            let field = if before.matches('[').count() > before.matches(']').count() {
                before.trim_start_matches('[')
            } else {
                before
            };
            let is_field =
                field.starts_with(|it: char| it.is_ascii_lowercase()) && !field.contains('"');
            if is_field {
                found.insert(((*kind).to_owned(), field.to_owned()));
            }
        }
    }
    for line in message
        .lines()
        .filter(|it| it.contains(" extension type: ") || it.contains("non-registered"))
    {
        let field = line.split_once(" (\"").and_then(|(begin, _)| begin.rsplit(' ').next());
        found.extend(field.map(|field| ("Forbidden".to_owned(), field.to_owned())));
    }
    found
}

/// Parses the fields in decoding errors; returns an empty field if none is named.
///
/// Examples are `unknown field "spec.foo"` and `cannot unmarshal … into Go struct field Shoot.spec.foo of type …`.
fn undecodable(message: &str) -> Vec<String> {
    let quoted = message.split("field \"").skip(1).filter_map(|rest| rest.split_once('"'));
    let plain = message.split_once("struct field ").and_then(|(_, rest)| {
        let (_type, path) = rest.split_once('.')?;
        path.split_once(" of type ")
    });
    let fields = quoted.chain(plain).map(|(field, _)| field.to_owned());
    let fields: Vec<String> = fields.collect();
    if fields.is_empty() { vec![String::new()] } else { fields }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_errors_are_read_from_messages() {
        let found = told(
            "shoots.core.gardener.cloud \"web\" is forbidden: [spec.a[0].b: Invalid value: \"x: Forbidden\": no, spec.c: Unsupported value: 3]",
        );
        let found: Vec<_> =
            found.iter().map(|(kind, field)| (kind.as_str(), field.as_str())).collect();
        assert_eq!(found, [("Invalid", "spec.a[0].b"), ("NotSupported", "spec.c")]);
        let found = told(
            "1 error occurred:\n\t* given Shoot uses non-registered extension type: spec.a[0].type (\"x\")\n",
        );
        let expected = ("Forbidden".to_owned(), "spec.a[0].type".to_owned());
        assert!(found.iter().eq([&expected]), "{found:?}");
    }
}
