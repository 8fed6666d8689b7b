use std::collections::BTreeSet;

use super::{EntryPoint, Judgement, Question, Request, Review, World, judge, judge_quickly};
use crate::garden::Snapshot;

/// How often one request leads to questions. An answer can only lead to one about another object that the request names.
const ROUNDS: usize = 3;

/// One request on its way to a verdict: it is judged, what the garden cannot tell is asked, the answers are told to a garden of its
/// own, and it is judged again; a bounded number of times.
///
/// Always to be given the same request and world. Who has to wait for answers does the rounds with [`Self::judge`] and
/// [`Self::tell`]; for others there is [`Self::decide`].
#[derive(Debug, Default)]
pub struct Case {
    /// The garden with all answers; `None` before there are any.
    told: Option<Box<Snapshot>>,
    rounds: usize,
}

impl Case {
    /// Judges with what is known by now. When there are still questions after the last round, the verdict is undetermined.
    #[must_use]
    pub fn judge(&self, door: EntryPoint, request: &Request<'_>, world: &World<'_>) -> Judgement {
        let garden = self.garden(world.garden);
        self.bounded(judge(door, request, &World { garden, ..*world }))
    }

    /// As [`Self::judge`], with a limit on the work: `None` above about a millisecond.
    #[must_use]
    pub fn judge_quickly(
        &self,
        door: EntryPoint,
        request: &Request<'_>,
        world: &World<'_>,
    ) -> Option<Judgement> {
        let garden = self.garden(world.garden);
        let judged = judge_quickly(door, request, &World { garden, ..*world })?;
        Some(self.bounded(judged))
    }

    fn bounded(&self, judged: Judgement) -> Judgement {
        match judged {
            Judgement::Questions(_) if self.rounds == ROUNDS => Judgement::Review(unanswered()),
            judged => judged,
        }
    }

    /// What is known by now, given the garden of the world: what the answers to questions are to be told to.
    #[must_use]
    pub fn garden<'a>(&'a self, garden: &'a Snapshot) -> &'a Snapshot {
        self.told.as_deref().unwrap_or(garden)
    }

    /// Ends a round: from now on `garden` counts, which was told the answers to all questions.
    pub fn tell(&mut self, garden: Snapshot) {
        self.told = Some(Box::new(garden));
        self.rounds += 1;
    }

    /// Does all rounds; `answer` tells the answers to all questions to the garden.
    #[must_use]
    pub fn decide(
        door: EntryPoint,
        request: &Request<'_>,
        world: &World<'_>,
        mut answer: impl FnMut(&mut Snapshot, BTreeSet<Question>),
    ) -> Review {
        let mut case = Self::default();
        loop {
            match case.judge(door, request, world) {
                Judgement::Review(review) => return review,
                Judgement::Questions(questions) => {
                    let mut garden = case.garden(world.garden).clone();
                    answer(&mut garden, questions);
                    case.tell(garden);
                }
            }
        }
    }
}

fn unanswered() -> Review {
    let message = format!("after {ROUNDS} rounds there were still questions to the API server");
    Review::undetermined("server/questions", message)
}
