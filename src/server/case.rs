// SPDX-License-Identifier: Apache-2.0
//! One request with its body, its snapshot and configuration, and its memory permit.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;
use tokio::time::Instant;

use super::body::ReservedBody;
use super::log;
use super::memory::{Permit, UID_LIMIT, USER_LIMIT, as_objects, as_values};
use super::refusal::Refusal;
use super::state::{Configured, State};
use garden_gate_core::admission::{self, EntryPoint, Judgement, Question, Request, Review, World};
use garden_gate_core::garden::Snapshot;
use garden_gate_core::policies::{self, Allowance, Deadline, OwnPolicy, Policies, PolicyRemarks};
use garden_gate_model::api::UserInfo;
use garden_gate_products::report::admission_review;

/// Minimum body size for a review on the blocking thread pool, in bytes.
///
/// Smaller reviews take less time than the handover, unless they perform many lookups.
const LARGE_BODY: usize = 64 << 10;

/// A request under review.
/// All steps use the same garden, configuration and time.
#[derive(Debug)]
pub(super) struct Case {
    entry_point: EntryPoint,
    state: Arc<State>,
    held: ReservedBody,
    garden: Arc<Snapshot>,
    rounds: admission::Case,
    config: Arc<Configured>,
    policies: Arc<[OwnPolicy]>,
    now: Timestamp,
    start: Instant,
    /// The effort and the time that policies may still take in all rounds.
    allowance: Allowance,
}

/// The result of one evaluation.
#[derive(Debug)]
pub(super) enum Step {
    /// The response as JSON.
    Answer(Vec<u8>),
    /// Lookups that are required first, for a request of this user.
    Questions(UserInfo, BTreeSet<Question>),
}

impl Case {
    pub(super) fn new(
        entry_point: EntryPoint,
        state: &Arc<State>,
        held: ReservedBody,
        (start, policies_deadline): (Instant, Deadline),
    ) -> Self {
        Self {
            entry_point,
            held,
            garden: state.garden.load_full(),
            rounds: admission::Case::default(),
            config: state.config.load_full(),
            policies: Arc::clone(&state.policies.load()),
            now: state.clock.now(),
            state: Arc::clone(state),
            start,
            allowance: Allowance::of_request(&policies_deadline),
        }
    }

    /// Evaluates the request, or returns `None` if that may take more than about a millisecond.
    pub(super) fn quick_step(&mut self) -> Result<Option<Step>, Refusal> {
        if self.held.bytes.len() > LARGE_BODY {
            return Ok(None);
        }
        let body = self.held.bytes.clone();
        let request = read(&body)?;
        // A small body with many empty objects is expensive, too.
        if !request.nested.is_little() {
            return Ok(None);
        }
        self.hold(&request)?;
        let judged = self.rounds.judge_quickly(self.entry_point, &request, &self.world());
        Ok(judged.and_then(|judged| self.conclude(&request, judged, true)))
    }

    /// Evaluates the request with the known answers.
    pub(super) fn step(&mut self) -> Result<Step, Refusal> {
        let body = self.held.bytes.clone();
        let request = read(&body)?;
        self.hold(&request)?;
        let judged = self.rounds.judge(self.entry_point, &request, &self.world());
        let step = self.conclude(&request, judged, false);
        // Without a limit there is always a result.
        step.ok_or(Refusal::Overloaded)
    }

    /// Reserves the memory that the evaluation requires.
    fn hold(&mut self, request: &Request<'_>) -> Result<(), Refusal> {
        if let Some(kind) = request.kind() {
            let capacity = self.held.capacity;
            let mut needs = as_objects(capacity, request.nested, kind);
            if self.entry_point == EntryPoint::Validate
                && OwnPolicy::any_concerns(&self.policies, request, &self.config)
            {
                needs += as_values(capacity, request.nested);
            }
            self.held.permit.hold(needs)?;
        }
        Ok(())
    }

    fn world(&self) -> World<'_> {
        World {
            rules: self.config.rules(),
            garden: &self.garden,
            config: &self.config,
            now: self.now,
        }
    }

    /// Returns the garden with all known answers.
    pub(super) fn garden(&self) -> Snapshot {
        self.rounds.garden(&self.garden).clone()
    }

    /// Replaces the garden by one with the answers to all questions.
    pub(super) fn take_answers(&mut self, garden: Snapshot) {
        self.rounds.answer(garden);
    }

    /// Drops the body, but keeps its memory permit.
    pub(super) fn into_permit(self) -> Permit {
        self.held.permit
    }

    /// Evaluates policies after the rules, and answers.
    ///
    /// Returns `None` if it must be quick, and policies may take more than about a millisecond.
    fn conclude(&self, request: &Request<'_>, judged: Judgement, is_quick: bool) -> Option<Step> {
        let ask = |questions| Step::Questions(request.user_info.clone(), questions);
        let mut review = match judged {
            Judgement::Review(review) => review,
            Judgement::Questions(questions) => return Some(ask(questions)),
        };
        if self.entry_point == EntryPoint::Validate && !self.policies.is_empty() {
            let remarks = self.judge_by_policies(request, &mut review, is_quick)?;
            if !remarks.questions.is_empty() && self.rounds.has_rounds() {
                return Some(ask(remarks.questions));
            }
            self.state.metrics.policies.record(&remarks.evaluated);
        }
        Some(Step::Answer(self.answer(request, &review)))
    }

    /// Adds the findings of policies of operators.
    ///
    /// The API server itself evaluates ValidatingAdmissionPolicies.
    fn judge_by_policies(
        &self,
        request: &Request<'_>,
        review: &mut Review,
        is_quick: bool,
    ) -> Option<PolicyRemarks> {
        let policies =
            Policies { cache: None, own: &self.policies, is_user_known: true, is_enforced: true };
        let world = World { garden: self.rounds.garden(&self.garden), ..self.world() };
        if is_quick {
            policies::judge_quickly(request, review, &world, policies)
        } else {
            let limited = (policies, &self.allowance);
            Some(policies::judge_within(request, review, &world, limited))
        }
    }

    fn answer(&self, request: &Request<'_>, review: &Review) -> Vec<u8> {
        let took = self.start.elapsed();
        self.state.metrics.reviewed(self.entry_point, request, review, took);
        log::log(self.entry_point, request, review, took);
        if let Some(recorder) = &self.state.recorder
            && self.entry_point == EntryPoint::Validate
        {
            let at = (self.now, self.config.gardener_version);
            recorder.offer(&self.held.bytes, (request, review), at);
        }
        // Values of this type always serialize.
        serde_json::to_vec(&admission_review(self.entry_point, request, review)).unwrap_or_default()
    }
}

/// Parses the request of a body.
///
/// Fails if the UID or user information is larger than those of API servers.
fn read(body: &[u8]) -> Result<Request<'_>, Refusal> {
    let request = Request::from_review(body)?;
    let uid = request.uid.len();
    if uid > UID_LIMIT {
        return Err(Refusal::UidTooLong(uid));
    }
    if size(&request.user_info) > USER_LIMIT {
        return Err(Refusal::UserTooLarge);
    }
    Ok(request)
}

/// Returns the memory of the user information in bytes.
fn size(user: &UserInfo) -> usize {
    let text = |text: &String| text.len() + size_of::<String>();
    let extra =
        user.extra.iter().map(|(key, values)| text(key) + values.iter().map(text).sum::<usize>());
    let groups = user.groups.iter().map(text).sum::<usize>();
    text(&user.username) + text(&user.uid) + groups + extra.sum::<usize>()
}
