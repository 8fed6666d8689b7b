use serde_json::value::RawValue;

use super::{Drifted, Edit, Fix, ServerVerdict, Weight};
use crate::engine::{Operation, Review, Verdict};
use crate::rules::{Impact, Unjudged};
use crate::source::Excerpt;

/// One object that `review` judged, or could not judge.
#[derive(Debug)]
pub struct Reviewed {
    /// The file, as it was named on the command line.
    pub file: String,
    /// Which object of the file, counted from 1.
    pub document: usize,
    /// The object's kind.
    pub kind: String,
    /// Its namespace; empty if cluster-scoped or unknown.
    pub namespace: String,
    /// Its name; may be empty.
    pub name: String,
    /// What is done with it.
    pub operation: Operation,
    /// Where its old state comes from, such as `origin/main`; empty where it has none, or brought it along.
    pub from: String,
    /// Whether its old state is what the garden has, as if it were applied.
    pub is_applied: bool,
    /// Where it begins.
    pub begin: Excerpt,
    /// What came of it.
    pub outcome: Outcome,
    /// What is changed before it is stored, as a JSON Patch, in JSON: its tree would take ten times as much; `None` without a verdict.
    pub patch: Option<Box<RawValue>>,
    /// What would be stored in place of what was sent, as a unified diff of YAML; empty if it would be stored as it is.
    pub changes: String,
    /// What is to be known about the verdict, a sentence each.
    pub notes: Vec<String>,
    /// What of it is not judged here.
    pub unjudged: Vec<Unjudged>,
    /// What it means for Shoots, if it is a change of a CloudProfile.
    pub impact: Option<Impact>,
    /// What the API server says, if it was asked.
    pub server: Option<ServerVerdict>,
    /// In what the garden differs from the manifest, as far as applying it changes that.
    pub drift: Vec<Drifted>,
    /// The object put right, if that was asked for and there is something to put right.
    pub fix: Option<Fix>,
    /// The versions of the garden that were to be written into the file.
    pub edits: Vec<Edit>,
    /// Of each finding whether it is in the baseline; empty without one.
    pub known: Vec<bool>,
}

/// What came of one object.
#[derive(Debug)]
pub enum Outcome {
    /// A verdict, without its patch; the excerpts belong to its findings, in the same order, then to what could not be judged, and then to what is
    /// silenced.
    Judged(Review, Vec<Excerpt>),
    /// It is not an object that could be judged; one sentence says why.
    Unreadable(String, Excerpt),
}

impl Reviewed {
    /// The verdict; what cannot be read is undetermined.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match &self.outcome {
            Outcome::Judged(review, _) => review.verdict(),
            Outcome::Unreadable(..) => Verdict::Undetermined,
        }
    }

    /// Whether it is denied for nothing but what is in the baseline.
    pub(super) fn is_denied_as_before(&self) -> bool {
        self.verdict() == Verdict::Denied && !self.says(Weight::Refused)
    }

    /// `Shoot garden-dev/web`; the file of what is no object.
    pub(super) fn title(&self) -> String {
        if self.kind.is_empty() {
            return self.file.clone();
        }
        let slash = if self.namespace.is_empty() { "" } else { "/" };
        format!("{} {}{slash}{}", self.kind, self.namespace, self.name)
    }
}
