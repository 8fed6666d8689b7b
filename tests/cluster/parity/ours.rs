// SPDX-License-Identifier: Apache-2.0
//! Responses of garden-gate to a request: in process, as `review` judges an AdmissionReview.

use garden_gate_core::admission::{
    Case as Rounds, EntryPoint, Finding, Request, Review, Verdict, World,
};
use garden_gate_core::config::{Config, Level};
use garden_gate_core::garden::Snapshot;
use garden_gate_core::rules;
use garden_gate_core::stored;
use garden_gate_products::coverage::{Unjudged, unjudged};
use jiff::Timestamp;
use serde_json::Value;

use crate::parity::case::Case;
use crate::recorded;

/// A garden for verdicts.
#[derive(Debug)]
pub(crate) struct Gate {
    garden: Snapshot,
    config: Config,
    now: Timestamp,
}

/// A response.
#[derive(Debug)]
pub(crate) struct Ours {
    pub(crate) review: Review,
    /// Parts that are announced as not judged.
    pub(crate) unjudged: Vec<Unjudged>,
    /// The object as it would be stored, if known.
    pub(crate) stored: Option<Value>,
}

impl Gate {
    /// Returns a recorded garden with its manifests and configuration.
    pub(crate) fn new(garden: &Value) -> Self {
        let (garden, config) = recorded::garden(garden);
        Self { garden, config, now: Timestamp::now() }
    }

    /// Judges a request.
    pub(crate) fn judge(&self, case: &Case) -> Ours {
        let review = case.review();
        let request = Request::from_review(review.as_bytes()).unwrap();
        let [new, _] = request.received();
        let opened = new.opened();
        let request = Request { opened: Some(&opened), ..request };
        let world = World {
            rules: rules::ALL.into(),
            garden: &self.garden,
            config: &self.config,
            now: self.now,
        };
        let review = Rounds::decide(EntryPoint::Review, &request, &world, |garden, questions| {
            for question in questions {
                garden.answer_unknown(question, "offline there is no API server to ask");
            }
        });
        let ours = stored::sent_and_stored(
            &request,
            (&review.patch, &review.extension_edits),
            (Some(&self.garden), self.config.gardener_version),
        );
        let unjudged = unjudged(&request, (&self.garden, &self.config));
        Ours { review, unjudged, stored: ours.ok().map(|(_, stored)| stored) }
    }
}

impl Ours {
    pub(crate) fn verdict(&self) -> Verdict {
        self.review.verdict()
    }

    /// Checks that the verdict has a reason: a denial for each refusal, a missing fact for an undetermined verdict.
    pub(crate) fn assert_reason(&self) {
        let reasons = self.of_level(Level::Deny).count();
        match self.verdict() {
            Verdict::Allowed => assert_eq!(reasons, 0),
            Verdict::Denied => assert_ne!(reasons, 0),
            Verdict::Undetermined => assert!(!self.review.undetermined.is_empty()),
        }
    }

    pub(crate) fn of_level(&self, level: Level) -> impl Iterator<Item = &Finding> {
        self.review.findings.iter().filter(move |it| it.level == level)
    }
}
