use json_patch::Patch;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::audit::Occasion;
use crate::coverage::Unjudged;
use crate::engine::{Operation, Review, Verdict};
use crate::forecast::Impact;
use crate::source::Excerpt;
use crate::stored::Drift;

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
    /// What is done with it; `None` if nothing is, and it is there.
    pub operation: Option<Operation>,
    /// Where its old state comes from, such as `origin/main`; empty where it has none, or brought it along.
    pub from: String,
    /// The garden directory that it is judged with; empty if there is only one.
    pub garden: String,
    /// Whether its old state is what the garden has, as if it were applied.
    pub is_applied: bool,
    /// Where it begins.
    pub begin: Excerpt,
    /// What came of it.
    pub outcome: Outcome,
    /// What is changed before it is stored, as a JSON Patch; `None` without a verdict.
    pub patch: Option<Patch>,
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
    /// Of each finding when it matters, if the object is there and nothing is done with it.
    pub occasions: Vec<Occasion>,
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

/// How much weighs what is said about an object.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Weight {
    /// The object is refused.
    Refused,
    /// Nothing refuses the object, but whether it is allowed is not known.
    Unknown,
    /// Allowed, but somebody should look.
    Warned,
}

impl Weight {
    /// The word used in output.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Weight::Refused => "deny",
            Weight::Unknown => "undetermined",
            Weight::Warned => "warn",
        }
    }
}

/// A field of a manifest that has another value in the garden.
#[derive(Debug)]
pub struct Drifted {
    /// The field.
    pub drift: Drift,
    /// Where it is in the file.
    pub excerpt: Excerpt,
}

/// A version of the garden that was to be written into a file.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Edit {
    /// Where it is in the manifest, as a JSON pointer.
    pub pointer: String,
    /// What stood there.
    pub from: String,
    /// What the garden has.
    pub to: String,
    /// The line of the file that it is in, from 1.
    pub line: usize,
    /// Why it was left as it was; `None` if it was written.
    #[serde(rename = "leftBecause", skip_serializing_if = "Option::is_none")]
    pub left_because: Option<String>,
}

/// An object after somebody else, or a command, has put it right.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Fix {
    /// The whole object.
    pub manifest: Value,
    /// What differs from the object as it was, as a unified diff of YAML; both written alike, without comments.
    pub diff: String,
}

/// What an API server was heard to say about an object, of which nothing was stored.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum ServerAnswer {
    /// It would accept it.
    Allowed,
    /// It would refuse it.
    Refused {
        /// The HTTP status code.
        code: u16,
        /// What it says.
        message: String,
    },
    /// It knows too little to answer: what matters comes with the same change.
    Unable(String),
    /// It could not be asked, or did not judge; the sentence says why.
    Unanswered(String),
}

/// The answer of an API server, beside the verdict.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ServerVerdict {
    pub(super) answer: ServerAnswer,
    /// What there is to say about it, in a sentence.
    pub(super) says: String,
    /// What to do if one of both is wrong; empty if they agree, or cannot be compared.
    pub(super) help: String,
}

impl Reviewed {
    /// An object of which nothing is said so far: the document with this number of a file.
    #[must_use]
    pub fn new(
        (file, document): (&str, usize),
        (kind, namespace, name): (&str, &str, &str),
        begin: Excerpt,
    ) -> Self {
        Self {
            file: file.to_owned(),
            document,
            kind: kind.to_owned(),
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            operation: None,
            from: String::new(),
            garden: String::new(),
            is_applied: false,
            begin,
            outcome: Outcome::Judged(Review::default(), Vec::new()),
            patch: None,
            changes: String::new(),
            notes: Vec::new(),
            unjudged: Vec::new(),
            impact: None,
            server: None,
            drift: Vec::new(),
            fix: None,
            edits: Vec::new(),
            known: Vec::new(),
            occasions: Vec::new(),
        }
    }

    /// The verdict; what cannot be read is undetermined.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match &self.outcome {
            Outcome::Judged(review, _) => review.verdict(),
            Outcome::Unreadable(..) => Verdict::Undetermined,
        }
    }

    /// Whether there is anything to say about it that is not in the baseline.
    #[must_use]
    pub fn is_remarkable(&self) -> bool {
        !self.remarks().is_empty()
    }

    /// The ids of findings that are not in the baseline.
    pub fn new_findings(&self) -> impl Iterator<Item = &'static str> {
        let findings = match &self.outcome {
            Outcome::Judged(review, _) => review.findings.as_slice(),
            Outcome::Unreadable(..) => &[],
        };
        let known = self.known.iter().copied().chain(std::iter::repeat(false));
        let new = findings.iter().zip(known).filter(|(_, known)| !known);
        new.map(|(finding, _)| finding.finding)
    }

    /// Whether it is denied for nothing but what is in the baseline.
    pub(super) fn is_denied_as_before(&self) -> bool {
        self.verdict() == Verdict::Denied && !self.says(Weight::Refused)
    }

    /// `UPDATE of Shoot garden-dev/web`, or without an operation.
    pub(super) fn heading(&self) -> String {
        let title = self.title();
        match self.operation {
            Some(operation) => format!("{operation} of {title}"),
            None => title,
        }
    }

    /// `Shoot garden-dev/web`, or the file if there is no object; with the garden if there are several.
    pub(super) fn title(&self) -> String {
        let title = title(&self.kind, &self.namespace, &self.name, &self.file);
        match self.garden.as_str() {
            "" => title,
            garden => format!("{title} (garden {garden})"),
        }
    }
}

/// `Shoot garden-dev/web`; the file of what is no object.
pub(super) fn title(kind: &str, namespace: &str, name: &str, file: &str) -> String {
    if kind.is_empty() {
        return file.to_owned();
    }
    let slash = if namespace.is_empty() { "" } else { "/" };
    format!("{kind} {namespace}{slash}{name}")
}
