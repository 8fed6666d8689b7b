// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use super::{EntryPoint, Judgement, Question, Request, Review, World, judge, judge_quickly};
use crate::garden::Snapshot;

/// Maximum rounds of lookups per request.
///
/// An answer can only lead to lookups of other objects that the request references.
const ROUNDS: usize = 3;

/// Evaluates one request in rounds, with lookups of missing objects in between.
///
/// Each round adds the answers to the garden. The number of rounds is bounded. All calls must use the same request and world.
/// Asynchronous callers use [`Self::judge`] and [`Self::answer`], others use [`Self::decide`].
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// The garden with all answers; `None` before the first.
    answered: Option<Box<Snapshot>>,
    rounds: usize,
}

impl Case {
    /// Evaluates with the known answers.
    ///
    /// If lookups remain after the last round, the verdict is undetermined.
    pub fn judge(
        &self,
        entry_point: EntryPoint,
        request: &Request<'_>,
        world: &World<'_>,
    ) -> Judgement {
        let garden = self.garden(world.garden);
        self.bounded(judge(entry_point, request, &World { garden, ..*world }))
    }

    /// Evaluates like [`Self::judge`], with a limit on the work: `None` above about a millisecond.
    pub fn judge_quickly(
        &self,
        entry_point: EntryPoint,
        request: &Request<'_>,
        world: &World<'_>,
    ) -> Option<Judgement> {
        let garden = self.garden(world.garden);
        let judged = judge_quickly(entry_point, request, &World { garden, ..*world })?;
        Some(self.bounded(judged))
    }

    fn bounded(&self, judged: Judgement) -> Judgement {
        match judged {
            Judgement::Questions(_) if self.rounds == ROUNDS => Judgement::Review(unanswered()),
            judged => judged,
        }
    }

    /// Returns the garden with all known answers, to which further answers are added.
    pub fn garden<'a>(&'a self, garden: &'a Snapshot) -> &'a Snapshot {
        self.answered.as_deref().unwrap_or(garden)
    }

    /// Reports whether another round of lookups is allowed.
    pub fn has_rounds(&self) -> bool {
        self.rounds < ROUNDS
    }

    /// Ends a round: replaces the garden by one with the answers to all questions.
    pub fn answer(&mut self, garden: Snapshot) {
        self.answered = Some(Box::new(garden));
        self.rounds += 1;
    }

    /// Performs all rounds; `answer` adds the answers to all questions to the garden.
    pub fn decide(
        entry_point: EntryPoint,
        request: &Request<'_>,
        world: &World<'_>,
        mut answer: impl FnMut(&mut Snapshot, BTreeSet<Question>),
    ) -> Review {
        let mut case = Self::default();
        loop {
            match case.judge(entry_point, request, world) {
                Judgement::Review(review) => return review,
                Judgement::Questions(questions) => {
                    let mut garden = case.garden(world.garden).clone();
                    answer(&mut garden, questions);
                    case.answer(garden);
                }
            }
        }
    }
}

fn unanswered() -> Review {
    let message = format!("after {ROUNDS} rounds there were still questions to the API server");
    Review::undetermined("server/questions", message)
}
