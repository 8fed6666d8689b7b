use serde::Serialize;
use serde_json::value::RawValue;

use super::{Compared, Fix, ServerVerdict, Weight};
use crate::engine::{Operation, Review, Verdict};
use crate::rules::Unjudged;
use crate::source::Excerpt;

/// What `review` has to report.
#[derive(Debug, Default)]
pub struct Report {
    /// Each object that was looked at, in order.
    pub reviewed: Vec<Reviewed>,
    /// What was not looked at.
    pub left_out: LeftOut,
    /// Where the configuration comes from; `None` if there is none.
    pub config: Option<ConfigFile>,
    /// How it compares with a baseline; `None` without one.
    pub baseline: Option<Compared>,
}

/// A configuration file.
#[derive(Debug)]
pub struct ConfigFile {
    /// The file, as the user would name it.
    pub path: String,
    /// Whether it was looked for and found; else the user named it.
    pub is_found: bool,
}

impl Report {
    /// Whether anything of this weight is said that is not in the baseline.
    #[must_use]
    pub fn says(&self, weight: Weight) -> bool {
        let mut objects = self.reviewed.iter();
        objects.any(|object| object.says(weight))
    }
}

/// What `review` came across and did not look at.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LeftOut {
    /// How many objects are what they were before.
    pub unchanged: usize,
    /// How many documents are of kinds that are never judged.
    pub others: usize,
    /// Files in directories that hold no manifests, with the reasons.
    pub files: Vec<LeftOutFile>,
}

/// A file in a directory that holds no manifests.
#[derive(Debug, Serialize)]
pub struct LeftOutFile {
    /// The file.
    pub file: String,
    /// Why it is taken to hold none.
    pub why: String,
}

impl LeftOut {
    /// Whether there was anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.unchanged == 0 && self.others == 0 && self.files.is_empty()
    }

    /// In one line.
    pub(super) fn summary(&self) -> String {
        let counted = |count: usize, one: &str, many: &str| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            _ => Some(format!("{count} {many}")),
        };
        let mut parts = vec![
            counted(
                self.unchanged,
                "object is unchanged",
                "objects are unchanged",
            ),
            counted(
                self.others,
                "document is of another kind",
                "documents are of other kinds",
            ),
        ];
        if let Some(first) = self.files.first() {
            let files = counted(
                self.files.len(),
                "file holds no manifests",
                "files hold no manifests",
            );
            parts.push(files.map(|files| format!("{files} (`{}`: {})", first.file, first.why)));
        }
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

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
    /// What the API server says, if it was asked.
    pub server: Option<ServerVerdict>,
    /// The object put right, if that was asked for and there is something to put right.
    pub fix: Option<Fix>,
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
