// SPDX-License-Identifier: Apache-2.0
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use garden_gate_core::admission::{EntryPoint, Judgement, Request, Review, Verdict, World, judge};
use garden_gate_core::rules;
use garden_gate_products::report::admission_review;
use garden_gate_text::yaml;
use jiff::Timestamp;
use json_patch::Patch;
use serde_json::Value;

use super::gardens::{self, Garden};

/// Maximum sizes of warnings; the API server drops longer ones.
const LONGEST_WARNING: usize = 256;
const LONGEST_WARNINGS: usize = 4096;
/// Maximum size of a response without its patch and its uid, in which control characters are escaped.
const LONGEST_RESPONSE: usize = 512 << 10;

/// Judges an AdmissionReview at every entry point; the uid selects the garden.
pub(crate) fn check(body: &[u8]) {
    let request = match Request::from_review(body) {
        Ok(request) => request,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let garden = gardens::named(&request.uid);
    let entry_points = [EntryPoint::Mutate, EntryPoint::Validate, EntryPoint::Review];
    let reviews = entry_points.map(|entry_point| judged(entry_point, &request, garden));
    for (entry_point, review) in entry_points.into_iter().zip(&reviews) {
        response(entry_point, &request, review);
    }
    let [mutated, _, both] = &reviews;
    if mutated.verdict() == Verdict::Denied {
        assert_eq!(both.verdict(), Verdict::Denied, "refused by /mutate alone");
    }
    slowly(body, garden, &entry_points, &reviews);
    if mutated.verdict() == Verdict::Allowed {
        patched(body, garden, &mutated.patch);
        validated(body, garden, both);
    }
}

fn judged(entry_point: EntryPoint, request: &Request<'_>, garden: &Garden) -> Review {
    let world = World {
        rules: rules::ALL.into(),
        garden: &garden.snapshot,
        config: &garden.config,
        now: Timestamp::constant(1_796_083_200, 0),
    };
    match judge(entry_point, request, &world) {
        Judgement::Review(review) => review,
        Judgement::Questions(questions) => panic!("a whole garden left questions: {questions:?}"),
    }
}

/// The response has a limited size, and contains the decision.
fn response(entry_point: EntryPoint, request: &Request<'_>, review: &Review) {
    let verdict = review.verdict();
    assert!(
        review.patch.is_empty()
            || (entry_point != EntryPoint::Validate && verdict == Verdict::Allowed)
            || entry_point == EntryPoint::Review
    );
    assert!(verdict != Verdict::Denied || !review.findings.is_empty());
    let response = admission_review(entry_point, request, review);
    let text = serde_json::to_vec(&response).unwrap();
    let response = response.response;
    assert_eq!(response.allowed, verdict == Verdict::Allowed);
    assert_eq!(response.status.is_none(), response.allowed);
    assert!(response.warnings.iter().all(|it| it.len() <= LONGEST_WARNING));
    assert!(response.warnings.iter().map(String::len).sum::<usize>() <= LONGEST_WARNINGS);
    if let Some(patch) = &response.patch {
        let patch = STANDARD.decode(patch).unwrap();
        let patch: Patch = serde_json::from_slice(&patch).unwrap();
        assert_eq!(patch, review.patch);
    }
    let patch = response.patch.map_or(0, |patch| patch.len());
    // Each byte of the uid may need an escape of six bytes.
    let rest = text.len() - patch;
    assert!(rest <= LONGEST_RESPONSE + 6 * request.uid.len(), "{rest} bytes");
    let _: Value = serde_json::from_slice(&text).unwrap();
}

/// A body with escaped names, which `serde_json` has to decode, gets the same verdicts.
fn slowly(body: &[u8], garden: &Garden, entry_points: &[EntryPoint], reviews: &[Review]) {
    let Some(open) = body.trim_ascii_end().strip_suffix(b"}") else {
        panic!("an AdmissionReview that is no object");
    };
    let body = [open, br#","\u0061":0}"#].concat();
    let request = Request::from_review(&body).unwrap();
    for (entry_point, expected) in entry_points.iter().zip(reviews) {
        let review = judged(*entry_point, &request, garden);
        assert_eq!(review.verdict(), expected.verdict(), "{entry_point:?}");
        assert_eq!(review.findings, expected.findings, "{entry_point:?}");
        assert_eq!(review.patch, expected.patch, "{entry_point:?}");
        let [own, others] = [&review, expected].map(|it| format!("{:?}", it.undetermined));
        assert_eq!(own, others, "{entry_point:?}");
    }
}

/// The patch applies, and a second mutation changes nothing.
fn patched(body: &[u8], garden: &Garden, patch: &Patch) {
    let Some(body) = with_patch(body, patch) else {
        return;
    };
    let request = Request::from_review(body.as_bytes()).unwrap();
    let again = judged(EntryPoint::Mutate, &request, garden);
    assert_eq!(again.verdict(), Verdict::Allowed, "{:?}", again.findings);
    assert!(again.patch.is_empty(), "{}", again.patch);
}

/// `/validate` and `review` agree about the mutated object.
fn validated(body: &[u8], garden: &Garden, both: &Review) {
    // An API server sets some fields before it calls webhooks, such as the domain of a Shoot; `review` sets them as well.
    let Some(body) = with_patch(body, &both.patch) else {
        return;
    };
    let request = Request::from_review(body.as_bytes()).unwrap();
    let validated = judged(EntryPoint::Validate, &request, garden);
    // `review` also refuses requests that an API server refuses before it calls a webhook, such as unknown fields.
    let [own, both] = [validated.verdict(), both.verdict()];
    let findings = validated.findings;
    assert!(own != Verdict::Denied || both == Verdict::Denied, "{findings:?}");
    assert!(both != Verdict::Allowed || own == Verdict::Allowed, "{findings:?}");
}

/// Applies a patch to the object of a review.
///
/// Returns `None` for duplicate keys, of which a tree has the last value only.
fn with_patch(body: &[u8], patch: &Patch) -> Option<String> {
    let documents = yaml::parse(str::from_utf8(body).ok()?).ok()?;
    let mut body = documents.first()?.to_value();
    match body.pointer_mut("/request/object") {
        Some(object) => json_patch::patch(object, patch).unwrap(),
        None => assert!(patch.is_empty(), "a patch of nothing"),
    }
    Some(body.to_string())
}
