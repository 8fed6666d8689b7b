// SPDX-License-Identifier: Apache-2.0
use json_patch::Patch;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{Placeholder, ShootEffect};
use crate::audit::Trigger;
use crate::coverage::Unjudged;
use crate::forecast::{Forecast, Impact, Owner};
use garden_gate_core::admission::{Operation, Review, Verdict};
use garden_gate_core::stored::Drift;
use garden_gate_text::escape;
use garden_gate_text::yaml::{Excerpt, Position};

/// One object of a review or audit, judged or not.
#[derive(Debug)]
pub struct Reviewed {
    /// The file, as named on the command line.
    pub file: String,
    /// The number of the document in the file, from 1.
    pub document: usize,
    /// The object's kind.
    pub kind: String,
    /// The namespace; empty if cluster-scoped or unknown.
    pub namespace: String,
    /// The name; may be empty.
    pub name: String,
    /// The operation; `None` for stored objects in audits.
    pub operation: Option<Operation>,
    /// The source of the old state, such as `origin/main`; empty if it has none or is in the file.
    pub from: String,
    /// The garden directory; empty if there is only one.
    pub garden: String,
    /// Whether the manifest is compared with an earlier one.
    pub is_compared: bool,
    /// The beginning of the object in the file.
    pub begin: Excerpt,
    /// Whether the file is not valid YAML.
    pub is_invalid: bool,
    /// The outcome.
    pub outcome: Outcome,
    /// The placeholder for which it is left out: it is a template, of which only placeholders are refused.
    pub template: Option<Placeholder>,
    /// The changes before the object is stored, as a JSON Patch; `None` without a verdict.
    pub patch: Option<Patch>,
    /// The difference between sent and stored object, as a unified diff of YAML; empty if there is none.
    pub changes: String,
    /// Notes on the verdict, one sentence each.
    pub notes: Vec<String>,
    /// Parts of the object that are not judged.
    pub unjudged: Vec<Unjudged>,
    /// The impact on Shoots, if the object is a changed CloudProfile.
    pub impact: Option<Impact>,
    /// The effect on Shoots, if the object is a changed profile and Shoots are known.
    pub shoots: Option<ShootEffect>,
    /// The API server's answer to a dry run, if requested.
    pub server: Option<ServerVerdict>,
    /// Fields that differ in the garden and that applying the manifest changes.
    pub drift: Vec<Drifted>,
    /// The fixed object, if a fix was requested and possible.
    pub fix: Option<Fix>,
    /// Versions from the garden for the file, written or not.
    pub edits: Vec<Edit>,
    /// The fix of each finding as replacements of text, for formats with them; empty otherwise.
    pub text_fixes: Vec<Option<TextFix>>,
    /// For each finding, whether it is in the baseline; empty without a baseline.
    pub known: Vec<bool>,
    /// The occasion of each finding, in audits.
    pub occasions: Vec<Trigger>,
    /// The forecast of a Shoot, in audits that foresee maintenance.
    pub forecast: Option<Box<Forecast>>,
    /// The Project and its owner, in audits; empty for others, and for objects without a Project.
    pub owner: Owner,
}

/// A fix of a finding as replacements of text.
#[derive(Clone, Debug)]
pub struct TextFix {
    /// The change in the imperative.
    pub title: String,
    /// The replacements: begin and end of a range of the file, and its new text.
    pub replacements: Vec<([Position; 2], String)>,
    /// The new text of the changed lines; `None` if they are too many.
    pub lines: Option<String>,
}

/// The outcome of one object.
#[derive(Debug)]
pub enum Outcome {
    /// A verdict, without its patch.
    ///
    /// The excerpts belong to its findings, then to undetermined checks, and then to silenced findings, in the same
    /// order.
    Judged(Review, Vec<Excerpt>),
    /// The object could not be parsed; the sentence is the reason.
    Unreadable(String, Excerpt),
}

/// The severity of an annotation.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Weight {
    /// The file is not valid YAML.
    Invalid,
    /// The object is refused.
    Refused,
    /// A check that can refuse the object is undetermined.
    Unknown,
    /// The object is allowed with a warning.
    Warned,
}

impl Weight {
    /// Returns the severity as printed.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Weight::Invalid => "error",
            Weight::Refused => "deny",
            Weight::Unknown => "undetermined",
            Weight::Warned => "warn",
        }
    }
}

/// A field of a manifest that has another value in the garden.
#[derive(Debug)]
pub struct Drifted {
    /// The difference.
    pub drift: Drift,
    /// The position in the file.
    pub excerpt: Excerpt,
}

/// A version from the garden that replaces the version in a file.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Edit {
    /// The JSON pointer in the manifest.
    pub pointer: String,
    /// The old version.
    pub from: String,
    /// The version in the garden.
    pub to: String,
    /// The line in the file, from 1.
    pub line: usize,
    /// The reason why the file was not changed; absent if it was.
    #[serde(rename = "leftBecause", skip_serializing_if = "Option::is_none")]
    pub left_because: Option<String>,
}

/// An object as fixed by Gardener or `--fix`.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Fix {
    /// The whole object.
    pub manifest: Value,
    /// The changes as a unified diff of YAML, without comments and with uniform formatting.
    pub diff: String,
}

/// The answer of an API server to a dry run, which stores nothing.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum ServerAnswer {
    /// The server would accept the object.
    Allowed,
    /// The server would refuse the object.
    Refused {
        /// The HTTP status code.
        code: u16,
        /// The message of the server.
        message: String,
    },
    /// No usable answer, since objects of the same change are missing; the string is the reason.
    Unable(String),
    /// The server was not reachable or did not judge; the sentence is the reason.
    Unanswered(String),
}

/// The answer of an API server, compared with the verdict.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ServerVerdict {
    pub(super) answer: ServerAnswer,
    /// The answer as a sentence.
    pub(super) says: String,
    /// Help for a contradiction; empty if both agree or cannot be compared.
    pub(super) help: String,
}

impl Reviewed {
    /// Returns an object without verdict: document number `document` of a file.
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
            is_compared: false,
            garden: String::new(),
            begin,
            is_invalid: false,
            outcome: Outcome::Judged(Review::default(), Vec::new()),
            template: None,
            patch: None,
            changes: String::new(),
            notes: Vec::new(),
            unjudged: Vec::new(),
            impact: None,
            shoots: None,
            server: None,
            drift: Vec::new(),
            fix: None,
            edits: Vec::new(),
            text_fixes: Vec::new(),
            known: Vec::new(),
            occasions: Vec::new(),
            forecast: None,
            owner: Owner::default(),
        }
    }

    /// Returns the verdict; unreadable objects are undetermined.
    pub fn verdict(&self) -> Verdict {
        match &self.outcome {
            Outcome::Judged(review, _) => review.verdict(),
            Outcome::Unreadable(..) => Verdict::Undetermined,
        }
    }

    /// Formats the effect of a profile on Shoots; `None` if no Shoot is known to be affected, or the change is refused.
    pub(super) fn effect_on_shoots(&self) -> Option<String> {
        let shoots = self.shoots.as_ref().filter(|_| self.verdict() != Verdict::Denied)?;
        shoots.line()
    }

    /// Reports whether there is nothing to say about the object, except that it is allowed.
    pub fn is_silent(&self) -> bool {
        let is_plain = match &self.outcome {
            Outcome::Judged(review, _) => {
                review.findings.is_empty()
                    && review.undetermined.is_empty()
                    && review.silenced.is_empty()
            }
            Outcome::Unreadable(..) => false,
        };
        is_plain && self.notes.is_empty() && self.drift.is_empty() && self.server.is_none()
    }

    /// Reports whether the object has annotations that are not in the baseline.
    pub fn is_remarkable(&self) -> bool {
        !self.remarks().is_empty()
    }

    /// Returns the ids of findings that are not in the baseline.
    pub fn new_findings(&self) -> impl Iterator<Item = &'static str> {
        let findings = match &self.outcome {
            Outcome::Judged(review, _) => review.findings.as_slice(),
            Outcome::Unreadable(..) => &[],
        };
        let known = self.known.iter().copied().chain(std::iter::repeat(false));
        let new = findings.iter().zip(known).filter(|(_, known)| !known);
        new.map(|(finding, _)| finding.finding)
    }

    /// Reports whether only findings in the baseline refuse the object.
    pub(super) fn is_denied_as_before(&self) -> bool {
        self.verdict() == Verdict::Denied && !self.says(Weight::Refused)
    }

    /// Formats a heading, such as `UPDATE of Shoot garden-dev/web`, or without an operation.
    pub fn heading(&self) -> String {
        let title = self.title();
        match self.operation {
            Some(operation) => format!("{operation} of {title}"),
            None => title,
        }
    }

    /// Formats a title, such as `Shoot garden-dev/web`, with the garden if there are several.
    ///
    /// It is the file if there is no object.
    pub(super) fn title(&self) -> String {
        self.in_garden(title(&self.kind, &self.namespace, &self.name, &self.file))
    }

    /// Adds the garden to a text about the object, if there are several.
    pub(super) fn in_garden(&self, text: String) -> String {
        match self.garden.as_str() {
            "" => text,
            garden => format!("{text} (garden {})", escape::value(garden)),
        }
    }
}

/// Formats `Shoot garden-dev/web`; returns the file if there is no object.
pub(super) fn title(kind: &str, namespace: &str, name: &str, file: &str) -> String {
    if kind.is_empty() {
        return file.to_owned();
    }
    let slash = if namespace.is_empty() { "" } else { "/" };
    format!("{kind} {namespace}{slash}{name}")
}
