// SPDX-License-Identifier: Apache-2.0
//! Decides whether the answer to a review is one that the program may give, without the code of watches, lookups and caches.
//!
//! The core judges the request again, in every garden that the replica may have had, with every answer that it got:
//!
//! - A watched kind is at one of the revisions that were delivered last when the review began.
//! - The answer to a question is one that the API server sent to this replica during the review, or one that may be cached.
//! - A question has no answer if the API server failed during the review, or if it lasted until a timeout.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::api_server::Inner;
use super::lookups;
use super::record::{Answer, Known, Lookup};
use super::reviews::Review;
use super::settings::Settings;
use garden_gate_core::admission::{self, EntryPoint, Judgement, Question, Request, World};
use garden_gate_core::garden::{GardenObject, Knowledge, Snapshot};
use garden_gate_core::policies::{self, Policies};
use garden_gate_core::rules;
use garden_gate_model::api::Kind;
use garden_gate_products::report::admission_review;

/// The time after which a replica no longer waits for an answer.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The cache lifetimes of absent objects and of collections, as documented.
const ABSENT: Duration = Duration::from_secs(1);
/// The documented cache lifetimes of access reviews: allowed and denied.
const ACCESS: (Duration, Duration) = (Duration::from_secs(10), Duration::from_secs(2));
/// The tolerance of timers, in both directions.
const TOLERANCE: Duration = Duration::from_millis(5);
/// The maximum number of gardens and answers that are tried for a review.
const MOST: usize = 2_000;

/// A review with its answer.
pub(super) struct Answered {
    pub(super) number: u64,
    pub(super) replica: u32,
    pub(super) review: Review,
    pub(super) body: String,
    /// The settings and the time of the replica at the start.
    pub(super) settings: Arc<Settings>,
    pub(super) now: Timestamp,
    pub(super) start: Instant,
    pub(super) end: Instant,
    pub(super) code: u16,
    pub(super) answer: Value,
}

/// The garden of a replica, with the knowledge that its messages depend on data that the oracle does not have.
#[derive(Clone)]
struct Possible {
    garden: Snapshot,
    is_partial: bool,
}

struct Search<'a> {
    inner: &'a Inner,
    answered: &'a Answered,
    request: &'a Request<'a>,
    left: usize,
    /// The verdicts that were possible, for the message.
    possible: Vec<Value>,
}

/// Checks that an answer is possible. Returns whether it was found; it is not if there are more combinations than [`MOST`].
///
/// # Errors
/// Returns a description of the violation.
pub(super) fn check(inner: &Inner, answered: &Answered) -> Result<bool, String> {
    let request = Request::from_review(answered.body.as_bytes())
        .map_err(|error| format!("invalid request: {error}"))?;
    let record = inner.recorded(answered.replica);
    if let Some(kind) = Kind::watched().find(|it| !record.has_listed(*it, answered.start)) {
        return Err(format!("a verdict before the first list of {kind}"));
    }
    let mut search =
        Search { inner, answered, request: &request, left: MOST, possible: Vec::new() };
    for possible in gardens(inner, answered)? {
        if search.explore(possible, &admission::Case::default()) {
            return Ok(true);
        }
    }
    if search.left == 0 {
        return Ok(false);
    }
    let possible: Vec<String> = search.possible.iter().map(Value::to_string).collect();
    Err(format!(
        "the answer is not possible: {}\npossible:\n{}",
        essence(&answered.answer),
        possible.join("\n")
    ))
}

/// Returns all gardens that the replica may have had when the review began.
fn gardens(inner: &Inner, answered: &Answered) -> Result<Vec<Possible>, String> {
    let record = inner.recorded(answered.replica);
    let garden = Snapshot::new(Knowledge::Watched);
    let mut all = vec![Possible { garden, is_partial: false }];
    for kind in Kind::watched() {
        let (range, mut known) = record.known(kind, answered.start);
        let revisions = range.map(|(first, last)| inner.store.revisions(kind, first, last));
        known.extend(revisions.into_iter().flatten().map(Known::At));
        let with = |known: &Known| all.iter().map(|it| it.with(inner, kind, *known)).collect();
        all = known.iter().flat_map::<Vec<_>, _>(with).collect();
        if all.is_empty() || all.len() > MOST {
            return Err(format!("{} gardens, because of {kind}", all.len()));
        }
    }
    Ok(all)
}

impl Possible {
    fn with(&self, inner: &Inner, kind: Kind, known: Known) -> Self {
        let mut possible = self.clone();
        match known {
            Known::At(revision) => {
                for (key, version) in inner.store.list(kind, "", revision) {
                    possible.garden.apply(version.object(key));
                }
            }
            Known::Withheld | Known::NotServed => {
                possible.garden.withhold(kind, "unknown".to_owned());
                possible.is_partial = true;
            }
        }
        possible
    }
}

impl Search<'_> {
    /// Reports whether the answer follows from a garden and some answers to further questions.
    fn explore(&mut self, possible: Possible, case: &admission::Case) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        match self.judge(&possible.garden, case) {
            Judgement::Review(review) => self.matches(&review, possible.is_partial),
            Judgement::Questions(questions) => {
                let before = Possible { garden: case.garden(&possible.garden).clone(), ..possible };
                self.answers(before, &questions).into_iter().any(|after| {
                    let mut case = case.clone();
                    case.answer(after.garden.clone());
                    let next =
                        Possible { garden: possible.garden.clone(), is_partial: after.is_partial };
                    self.explore(next, &case)
                })
            }
        }
    }

    /// Judges by the rules, and then by the policies.
    fn judge(&self, garden: &Snapshot, case: &admission::Case) -> Judgement {
        let Answered { settings, now, review, .. } = self.answered;
        let mut world =
            World { rules: rules::ALL.into(), garden, config: &settings.config, now: *now };
        let entry_point = review.entry_point;
        let mut judgement = case.judge(entry_point, self.request, &world);
        if let Judgement::Review(review) = &mut judgement
            && entry_point == EntryPoint::Validate
        {
            world.garden = case.garden(garden);
            let policies = Policies {
                cache: None,
                own: &settings.policies,
                is_user_known: true,
                is_enforced: true,
            };
            let remarks = policies::judge(self.request, review, &world, policies);
            if !remarks.questions.is_empty() && case.has_rounds() {
                return Judgement::Questions(remarks.questions);
            }
        }
        judgement
    }

    /// Returns the gardens after all combinations of answers.
    fn answers(&self, before: Possible, questions: &BTreeSet<Question>) -> Vec<Possible> {
        let mut all = vec![before];
        for question in questions {
            let answers = self.possible_answers(question);
            let with = |answer: &Answer| -> Vec<Possible> {
                let added = all.iter().cloned();
                added.map(|it| it.answered(question, answer)).collect()
            };
            all = answers.iter().flat_map(with).collect();
        }
        all
    }

    /// Returns the answers to a question that the replica may have used.
    fn possible_answers(&self, question: &Question) -> Vec<Answer> {
        let Answered { start, end, review, replica, .. } = self.answered;
        let name = lookups::name(question, review.user);
        let is_in_time = |lookup: &&Lookup| {
            let kept = lifetime(question, &lookup.answer);
            lookup.from <= *end && lookup.until + kept + TOLERANCE >= *start
        };
        let lookups = &self.inner.recorded(*replica).lookups;
        let named = lookups.iter().filter(|lookup| lookup.question == name);
        let mut answers: Vec<Answer> =
            named.filter(is_in_time).map(|it| it.answer.clone()).collect();
        // Lookups end a twentieth earlier, so that there is time to judge without them.
        let time = review.allowance() / 20 * 19;
        if *end - *start + TOLERANCE >= TIMEOUT.min(time) {
            answers.push(Answer::Failure);
        }
        answers
    }

    /// Reports whether a review gives the answer; messages about missing data are not compared.
    fn matches(&mut self, review: &admission::Review, is_partial: bool) -> bool {
        let expected = admission_review(self.answered.review.entry_point, self.request, review);
        let expected = serde_json::to_value(&expected).unwrap();
        let is_equal = if is_partial || has_unknown(&expected) {
            essence(&expected) == essence(&self.answered.answer)
        } else {
            expected == self.answered.answer
        };
        if !is_equal {
            self.possible.push(essence(&expected));
        }
        is_equal
    }
}

impl Possible {
    fn answered(mut self, question: &Question, answer: &Answer) -> Self {
        let garden = &mut self.garden;
        match (question, answer) {
            (Question::Access(access), Answer::Access(allowed)) => {
                garden.answer_access(access.clone(), Ok(*allowed));
            }
            (Question::Object(_) | Question::ProjectOfNamespace(_), Answer::Object(found)) => {
                let found = found.as_ref().map(|(key, version)| version.object(key));
                match found {
                    Some(GardenObject::Unreadable(..)) => self.fail(question),
                    found => garden.answer_object(question.clone(), found),
                }
            }
            (Question::Labelled(kind), Answer::Labelled(found)) => {
                let found: Vec<_> = found.iter().map(|(key, it)| it.object(key)).collect();
                let is_unreadable = |it: &GardenObject| matches!(it, GardenObject::Unreadable(..));
                if found.iter().any(is_unreadable) {
                    self.fail(question);
                } else {
                    garden.answer_labelled(*kind, found);
                }
            }
            (Question::Collection { kind, namespace }, Answer::Collection(found)) => {
                garden.answer_collection(*kind, namespace.clone(), found.clone());
            }
            _ => self.fail(question),
        }
        self
    }

    fn fail(&mut self, question: &Question) {
        self.garden.answer_unknown(question.clone(), "unknown");
        self.is_partial = true;
    }
}

/// Returns the documented cache lifetime of an answer.
fn lifetime(question: &Question, answer: &Answer) -> Duration {
    match (question, answer) {
        (_, Answer::Access(true)) => ACCESS.0,
        (_, Answer::Access(false)) => ACCESS.1,
        (Question::Object(key), Answer::Object(None)) if !is_watched(key.kind) => Duration::ZERO,
        (_, Answer::Object(None) | Answer::Collection(_)) => ABSENT,
        _ => Duration::ZERO,
    }
}

fn is_watched(kind: Kind) -> bool {
    Kind::watched().any(|it| it == kind)
}

/// Returns the parts of an answer that do not depend on the wording of failures.
fn essence(answer: &Value) -> Value {
    let response = &answer["response"];
    json!({
        "allowed": response["allowed"],
        "code": response["status"]["code"],
        "patch": response["patch"],
        "annotations": response["auditAnnotations"],
    })
}

fn has_unknown(answer: &Value) -> bool {
    answer["response"]["auditAnnotations"]["decision"] == "undetermined"
}

impl Review {
    /// Returns the time within which the program answers.
    pub(super) fn allowance(&self) -> Duration {
        let timeout = Duration::from_millis(self.timeout.unwrap_or(10_000));
        timeout.min(Duration::from_secs(30)) / 10 * 9
    }
}
