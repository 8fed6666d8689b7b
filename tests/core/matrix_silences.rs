// SPDX-License-Identifier: Apache-2.0
//! Warnings that an object silences, and annotations without an effect.

use std::collections::BTreeSet;

use garden_gate_core::admission::{Review, SILENCE_PREFIX, Silenced, Verdict};
use garden_gate_core::config::{Level, Profile, Silencing};
use garden_gate_core::rules::known_ids;
use rstest::rstest;
use serde_json::{Value, json};

use crate::judging::{Setup, request};
use crate::matrix_workers::{ROLLING, documented, pool, shoot};

const REMOVED: &str = "shoot/worker-pools-removed";
/// The last second of 2026.
const NOW: &str = "2026-12-31T23:59:59Z";

fn at_the_end_of_the_year() -> Setup {
    Setup { now: NOW, ..documented() }
}

fn annotated(mut object: Value, silences: &[(&str, &str)]) -> Value {
    for (id, text) in silences {
        let key = format!("{SILENCE_PREFIX}{}", id.replacen('/', ".", 1));
        object["metadata"]["annotations"][key] = json!(text);
    }
    object
}

/// Judges the removal of pool `a` from a Shoot with these annotations.
fn removal(setup: &Setup, silences: &[(&str, &str)]) -> Review {
    let old = shoot("1.33.1", &["a", "b"].map(|name| pool(name, ROLLING)));
    let new = annotated(shoot("1.33.1", &[pool("b", ROLLING)]), silences);
    setup.review(&request("shoots", "UPDATE", &new, Some(&old)))
}

fn ids(review: &Review) -> Vec<&str> {
    review.findings.iter().map(|it| it.finding).collect()
}

fn silenced(review: &Review) -> Vec<String> {
    let line = |it: &Silenced| format!("{}: {it}", it.id);
    review.silenced.iter().map(line).collect()
}

#[rstest]
#[case::without_a_day("moved by hand", "moved by hand")]
#[case::today("moved until 2026-12-31", "moved, until 2026-12-31")]
#[case::tomorrow("moved until 2027-01-01", "moved, until 2027-01-01")]
fn a_warning_is_silenced(#[case] text: &str, #[case] expected: &str) {
    let review = removal(&at_the_end_of_the_year(), &[(REMOVED, text)]);
    assert_eq!(ids(&review), [""; 0]);
    assert_eq!(silenced(&review), [format!("{REMOVED}: {expected}")]);
    assert_eq!(review.silenced[0].findings.len(), 1);
}

#[test]
fn a_silence_ends_with_its_day_and_the_warning_says_so() {
    let review = removal(&at_the_end_of_the_year(), &[(REMOVED, "moved until 2026-12-30")]);
    let messages: Vec<&str> = review.findings.iter().map(|it| it.message.as_str()).collect();
    let expected = "this change removes pool `a` (up to 3 machines, drained and deleted); its silence ended on 2026-12-30";
    assert_eq!(messages, [expected]);
    assert_eq!(silenced(&review), [""; 0]);
}

#[rstest]
#[case::empty("", "object/silence-without-reason")]
#[case::day_alone("until 2027-01-31", "object/silence-without-reason")]
#[case::no_such_day("moved until 2027-02-30", "object/silence-date-invalid")]
fn what_is_written_wrong_silences_nothing(#[case] text: &str, #[case] says: &str) {
    let review = removal(&at_the_end_of_the_year(), &[(REMOVED, text)]);
    let expected = BTreeSet::from([REMOVED, says]);
    assert_eq!(BTreeSet::from_iter(ids(&review)), expected);
    assert_eq!(silenced(&review), [""; 0]);
}

#[rstest]
#[case::a_slip(
    "shoot/worker-pool-removed",
    "no finding has the id `shoot/worker-pool-removed`, so nothing is silenced",
    "did you mean `shoot/worker-pools-removed`?"
)]
#[case::nothing_like_it(
    "x",
    "no finding has the id `x`, so nothing is silenced",
    "`garden-gate rules <rule>` shows the ids of its findings; write `.` for `/`"
)]
#[case::a_rule(
    "shoot/operation",
    "no finding has the id `shoot/operation`, so nothing is silenced",
    "that is a rule; its findings are "
)]
#[case::about_others(
    "cloudprofile/limit-below-shoot-minimum",
    "`cloudprofile/limit-below-shoot-minimum` is never found in a Shoot",
    "remove the annotation"
)]
fn what_is_no_finding_is_told(#[case] id: &str, #[case] says: &str, #[case] help: &str) {
    let review = removal(&at_the_end_of_the_year(), &[(id, "why not"), (REMOVED, "r")]);
    assert_eq!(ids(&review), ["object/silence-unknown"]);
    let finding = &review.findings[0];
    assert_eq!(finding.message, says);
    assert!(finding.help.starts_with(help), "{}", finding.help);
    let key = id.replacen('/', ".", 1);
    assert_eq!(finding.field, format!("metadata.annotations[{SILENCE_PREFIX}{key}]"));
}

#[test]
fn a_refusal_cannot_be_silenced() {
    let mut tolerant = shoot("1.33.1", &[pool("a", ROLLING)]);
    tolerant["spec"]["tolerations"] = json!([{"key": "k"}]);
    let new = annotated(tolerant, &[("shoot/toleration-not-whitelisted", "please")]);
    let review = documented().review(&request("shoots", "CREATE", &new, None));
    let expected =
        BTreeSet::from(["object/silence-of-refusal", "shoot/toleration-not-whitelisted"]);
    assert_eq!(BTreeSet::from_iter(ids(&review)), expected);
    assert_eq!(review.verdict(), Verdict::Denied);
}

#[test]
fn neither_can_what_the_operator_refuses() {
    let mut setup = documented();
    setup.config.levels = [(REMOVED.to_owned(), Level::Deny)].into();
    let review = removal(&setup, &[(REMOVED, "please")]);
    let expected = BTreeSet::from(["object/silence-of-refusal", REMOVED]);
    assert_eq!(BTreeSet::from_iter(ids(&review)), expected);
    assert_eq!(review.verdict(), Verdict::Denied);
    assert_eq!(silenced(&review), [""; 0]);
}

#[test]
fn an_operator_may_have_silences_ignored() {
    let mut setup = documented();
    setup.config.silencing = Silencing::Ignored;
    let review = removal(&setup, &[(REMOVED, "moved"), ("x", "")]);
    assert_eq!(ids(&review), [REMOVED]);
    assert_eq!(silenced(&review), [""; 0]);
}

/// Unused silences are reported for rules about states, but not for rules about changes.
#[rstest]
#[case::about_a_change(REMOVED, &[])]
#[case::about_a_state("shoot/status-label-stale", &["object/silence-unused"])]
fn a_new_object_has_what_it_silences(#[case] id: &str, #[case] expected: &[&str]) {
    let new = annotated(shoot("1.33.1", &[pool("a", ROLLING)]), &[(id, "why not")]);
    let review = |operation: &str, old: Option<&Value>| {
        let review = documented().review(&request("shoots", operation, &new, old));
        review.findings.into_iter().map(|it| it.finding).collect::<Vec<_>>()
    };
    assert_eq!(review("CREATE", None), expected);
    assert_eq!(review("UPDATE", Some(&new)), [""; 0]);
}

#[test]
fn what_is_said_about_silences_can_be_silenced() {
    let silences = [("x", "known in the next version"), ("object/silence-unknown", "see x")];
    let review = removal(&documented(), &[silences.as_slice(), &[(REMOVED, "moved")]].concat());
    assert_eq!(ids(&review), [""; 0]);
    assert_eq!(silenced(&review).len(), 2);
}

#[test]
fn on_removal_the_annotations_of_what_goes_count() {
    let mut setup = documented();
    let refused = "shoot/deletion-not-confirmed";
    setup.config.levels = [(refused.to_owned(), Level::Warn)].into();
    let old = annotated(shoot("1.33.1", &[pool("a", ROLLING)]), &[(refused, "wanted")]);
    let mut request = request("shoots", "DELETE", &old, Some(&old));
    request["object"] = Value::Null;
    let review = setup.review(&request);
    assert_eq!(silenced(&review), ["shoot/deletion-not-confirmed: wanted"]);
}

#[test]
fn other_profiles_say_nothing_about_silences() {
    let mut setup = documented();
    setup.config.profile = Profile::Gardener;
    assert_eq!(ids(&removal(&setup, &[("x", ""), (REMOVED, "moved")])), [""; 0]);
}

#[test]
fn many_silences_are_bounded() {
    let new = shoot("1.33.1", &[pool("b", ROLLING)]);
    let slips: Vec<String> = (0..1000).map(|number| format!("shoot/slip-{number}")).collect();
    let slips: Vec<(&str, &str)> = slips.iter().map(|id| (id.as_str(), "r")).collect();
    let review = documented().review(&request("shoots", "CREATE", &annotated(new, &slips), None));
    assert_eq!(review.findings.len(), 201);
}

/// After the `/`, the name of an annotation has at most 63 characters: lower case, digits, and `-`, `_` and `.` inside.
#[test]
fn every_finding_has_an_annotation() {
    let ids = known_ids().findings;
    let mut names = BTreeSet::new();
    for id in ids {
        let name = id.replacen('/', ".", 1);
        assert!(name.len() <= 63, "{name} has {} characters", name.len());
        let is_good =
            |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || "-.".contains(it);
        assert!(name.chars().all(is_good) && !name.ends_with(['-', '.']), "{name}");
        assert_eq!(name.replacen('.', "/", 1), id);
        names.insert(name);
    }
    assert!(names.len() > 100);
}
