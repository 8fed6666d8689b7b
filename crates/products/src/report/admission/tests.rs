// SPDX-License-Identifier: Apache-2.0
//! Tests of the admission response, in a separate file because of their length.

use json_patch::Patch;
use serde_json::{Value, from_value, json};

use super::admission_review;
use garden_gate_core::admission::{
    EntryPoint, ErrorType, Finding, Origin, Phase, Request, Review, Undetermined,
};
use garden_gate_core::config::Level;
use garden_gate_text::escape::is_unsafe;

fn finding(level: Level, phase: Phase, field: &str, message: &str) -> Finding {
    Finding {
        rule: "shoot/some-rule",
        finding: "shoot/some-offence",
        level,
        would_deny: false,
        origin: Origin::Gardener,
        error: ErrorType::Invalid,
        field: field.to_owned(),
        pointer: String::new(),
        value: Value::Null,
        message: message.to_owned(),
        help: String::new(),
        machines: None,
        fixes: Vec::new(),
        phase,
    }
}

fn undetermined() -> Undetermined {
    Undetermined {
        rule: "project/owner-verb",
        field: "spec.owner".to_owned(),
        message: "nobody answered".to_owned(),
        level: Level::Deny,
        would_deny: false,
    }
}

fn patch() -> Patch {
    from_value(json!([{"op": "add", "path": "/spec", "value": {}}])).unwrap()
}

fn response(entry_point: EntryPoint, review: &Review) -> Value {
    let request = json!({
        "uid": "u-1", "name": "crazy", "operation": "UPDATE",
        "resource": {"group": "core.gardener.cloud", "version": "v1beta1", "resource": "shoots"},
    })
    .to_string();
    let request: Request<'_> = serde_json::from_str(&request).unwrap();
    serde_json::to_value(admission_review(entry_point, &request, review)).unwrap()
}

#[test]
fn nothing_found_is_a_bare_yes() {
    let expected = json!({
        "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
        "response": {"uid": "u-1", "allowed": true, "auditAnnotations": {"decision": "allowed"}},
    });
    assert_eq!(response(EntryPoint::Validate, &Review::default()), expected);
}

#[test]
fn a_refusal_and_its_warnings_are_escaped() {
    let text = "a\n\u{1b}[2K\u{202e}::error::\u{200b}".repeat(500);
    let review = Review {
        findings: [Level::Deny, Level::Warn]
            .map(|level| finding(level, Phase::Static, &format!("spec[{text}]"), &text))
            .into(),
        undetermined: vec![Undetermined {
            field: text.clone(),
            message: text.clone(),
            ..undetermined()
        }],
        ..Review::default()
    };
    let answer = response(EntryPoint::Validate, &review);
    let (status, warnings) = (&answer["response"]["status"], &answer["response"]["warnings"]);
    let causes = status["details"]["causes"].as_array().unwrap();
    let texts: Vec<&str> = causes
        .iter()
        .flat_map(|it| [&it["field"], &it["message"]])
        .chain([&status["message"], &warnings[0]])
        .map(|it| it.as_str().unwrap())
        .collect();
    assert_eq!(texts.len(), 6);
    for text in texts {
        assert!(text.contains("\\u{1b}[2K\\u{202e}"), "{text}");
        assert!(!text.contains(is_unsafe), "{text:?}");
    }
    assert!(warnings[0].as_str().unwrap().len() <= 256);
}

#[test]
fn a_refusal_lists_every_finding_as_message_and_as_cause() {
    let review = Review {
        findings: vec![
            finding(Level::Deny, Phase::Static, "spec.a", "`x` is wrong"),
            finding(Level::Warn, Phase::Static, "spec.b", "`y` is odd"),
            finding(Level::Deny, Phase::Admission, "", "no"),
        ],
        undetermined: vec![undetermined()],
        ..Review::default()
    };
    let expected = json!({
        "uid": "u-1",
        "allowed": false,
        "auditAnnotations": {
            "decision": "denied", "deny": "shoot/some-offence", "warn": "shoot/some-offence",
            "undetermined": "project/owner-verb",
        },
        "warnings": ["spec.b: `y` is odd (shoot/some-offence)"],
        "status": {
            "status": "Failure", "code": 422, "reason": "Invalid",
            "message": "spec.a: `x` is wrong (shoot/some-offence); no (shoot/some-offence); \
                spec.owner: undetermined: nobody answered (project/owner-verb)",
            "details": {
                "name": "crazy", "group": "core.gardener.cloud", "kind": "Shoot",
                "causes": [
                    {"reason": "FieldValueInvalid", "field": "spec.a", "message": "`x` is wrong (shoot/some-offence)"},
                    {"reason": "FieldValueInvalid", "message": "no (shoot/some-offence)"},
                    {"reason": "InternalError", "field": "spec.owner",
                     "message": "undetermined: nobody answered (project/owner-verb)"},
                ],
            },
        },
    });
    assert_eq!(response(EntryPoint::Validate, &review)["response"], expected);
}

#[test]
fn the_code_is_422_only_if_the_object_itself_is_wrong() {
    let denied = |phase| Review {
        findings: vec![finding(Level::Deny, phase, "spec", "no")],
        ..Review::default()
    };
    let unknown = Review { undetermined: vec![undetermined()], ..Review::default() };
    for (review, code, reason, decision) in [
        (denied(Phase::Static), 422, "Invalid", "denied"),
        (denied(Phase::Admission), 403, "Forbidden", "denied"),
        (denied(Phase::Mutating), 403, "Forbidden", "denied"),
        (unknown, 403, "Forbidden", "undetermined"),
    ] {
        let response = &response(EntryPoint::Validate, &review)["response"];
        assert_eq!(response["allowed"], false);
        assert_eq!(response["status"]["code"], code);
        assert_eq!(response["status"]["reason"], reason);
        assert_eq!(response["auditAnnotations"]["decision"], decision);
    }
}

#[test]
fn a_patch_is_sent_only_by_mutate_and_only_if_allowed() {
    let review = |findings| Review { findings, patch: patch(), ..Review::default() };
    let sent = &response(EntryPoint::Mutate, &review(vec![]))["response"];
    assert_eq!(sent["patchType"], "JSONPatch");
    assert_eq!(sent["patch"], "W3sib3AiOiJhZGQiLCJwYXRoIjoiL3NwZWMiLCJ2YWx1ZSI6e319XQ==");
    let denial = finding(Level::Deny, Phase::Mutating, "spec", "no");
    for (entry_point, review) in [
        (EntryPoint::Validate, review(vec![])),
        (EntryPoint::Mutate, review(vec![denial])),
        (EntryPoint::Mutate, Review::default()),
    ] {
        let response = &response(entry_point, &review)["response"];
        assert_eq!(response.get("patch"), None);
        assert_eq!(response.get("patchType"), None);
    }
}

#[test]
fn warnings_stay_within_what_the_api_server_shows() {
    let warning = finding(Level::Warn, Phase::Static, "spec.a", &"ä".repeat(300));
    let review = Review { findings: vec![warning; 100], ..Review::default() };
    let response = response(EntryPoint::Validate, &review);
    let warnings = response["response"]["warnings"].as_array().unwrap();
    let lengths: Vec<usize> = warnings.iter().map(|it| it.as_str().unwrap().len()).collect();
    assert!(lengths.iter().all(|length| *length <= 256));
    assert!(lengths.iter().sum::<usize>() <= 4096);
    assert!(warnings[0].as_str().unwrap().ends_with('…'));
    assert_eq!(warnings.last().unwrap(), "and 84 more");
}

#[test]
fn a_refusal_stays_small_however_much_is_wrong() {
    let field = "spec.a".repeat(10_000);
    let denial = finding(Level::Deny, Phase::Static, &field, &"x".repeat(10_000));
    let review = Review { findings: vec![denial; 10_000], ..Review::default() };
    let response = response(EntryPoint::Validate, &review);
    assert!(response.to_string().len() < 64 << 10);
    let causes = &response["response"]["status"]["details"]["causes"];
    let last = causes.as_array().unwrap().last().unwrap();
    assert_eq!(last["message"], "and 9988 more");
    let message = response["response"]["status"]["message"].as_str().unwrap();
    assert!(message.ends_with("; and 9993 more"), "{}", message.len());
}

#[test]
fn findings_lowered_by_configuration_are_marked() {
    let lowered = |finding| Finding { would_deny: true, ..finding };
    let warning = |message| finding(Level::Warn, Phase::Static, "spec.a", message);
    let review = Review {
        findings: vec![warning("odd"), lowered(warning("wrong"))],
        undetermined: vec![Undetermined { level: Level::Warn, would_deny: true, ..undetermined() }],
        patch: patch(),
        ..Review::default()
    };
    let expected = json!({
        "uid": "u-1",
        "allowed": true,
        "auditAnnotations": {
            "decision": "would_deny", "would_deny": "shoot/some-offence", "warn": "shoot/some-offence",
            "undetermined": "project/owner-verb",
        },
        "warnings": [
            "spec.a: odd (shoot/some-offence)",
            "would be refused: spec.a: wrong (shoot/some-offence)",
            "would be refused: spec.owner: undetermined: nobody answered (project/owner-verb)",
        ],
    });
    assert_eq!(response(EntryPoint::Validate, &review)["response"], expected);
}

#[test]
fn refusal_that_gardener_does_not_make_names_its_origin() {
    let own = Finding {
        origin: Origin::GardenGate,
        ..finding(Level::Deny, Phase::Static, "spec.a", "old")
    };
    let warned = Finding { level: Level::Warn, ..own.clone() };
    let lowered = Finding { would_deny: true, ..warned.clone() };
    let gardener = finding(Level::Deny, Phase::Static, "spec.b", "wrong");
    let review = Review { findings: vec![own, gardener, warned, lowered], ..Review::default() };
    let response = &response(EntryPoint::Validate, &review)["response"];
    let origin = "beyond Gardener: it accepts this today";
    let (old, wrong) =
        (format!("old ({origin}) (shoot/some-offence)"), "wrong (shoot/some-offence)");
    assert_eq!(response["status"]["message"], format!("spec.a: {old}; spec.b: {wrong}"));
    let causes = &response["status"]["details"]["causes"];
    assert_eq!(causes[0]["message"], old);
    assert_eq!(causes[1]["message"], wrong);
    assert_eq!(
        response["warnings"],
        json!(["spec.a: old (shoot/some-offence)", format!("would be refused: spec.a: {old}"),])
    );
}
