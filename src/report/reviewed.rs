use super::Fix;
use crate::engine::{Operation, Review, Verdict};
use crate::rules::Unjudged;
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
    /// Where it begins.
    pub begin: Excerpt,
    /// What came of it.
    pub outcome: Outcome,
    /// What would be stored in place of what was sent, as a unified diff of YAML; empty if it would be stored as it is.
    pub changes: String,
    /// What of it is not judged here.
    pub unjudged: Vec<Unjudged>,
    /// The object put right, if that was asked for and there is something to put right.
    pub fix: Option<Fix>,
}

/// What came of one object.
#[derive(Debug)]
pub enum Outcome {
    /// A verdict; the excerpts belong to its findings, in the same order.
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

    /// `Shoot garden-dev/web`; the file of what is no object.
    pub(super) fn title(&self) -> String {
        if self.kind.is_empty() {
            return self.file.clone();
        }
        let slash = if self.namespace.is_empty() { "" } else { "/" };
        format!("{} {}{slash}{}", self.kind, self.namespace, self.name)
    }
}
