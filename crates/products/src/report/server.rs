// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

use super::annotation::{Annotation, of_message};
use super::{Reviewed, ServerAnswer, ServerVerdict, Weight};
use garden_gate_core::admission::Verdict;

/// The id of a refusal by the API server that garden-gate does not predict.
pub(super) const REFUSED: &str = "server/refused";
/// The id of a missing answer of the API server.
pub(super) const UNANSWERED: &str = "server/unanswered";
/// The id of a contradiction between the API server and garden-gate.
pub(super) const DISAGREES: &str = "server/disagrees";

impl ServerVerdict {
    /// Returns an answer that agrees with the verdict or cannot be compared with it.
    pub fn new(answer: ServerAnswer) -> Self {
        let says = match &answer {
            ServerAnswer::Allowed => "the API server allows it".to_owned(),
            ServerAnswer::Refused { message, .. } => {
                format!("the API server refuses it: {message}")
            }
            ServerAnswer::Unable(why) => format!("the API server cannot tell: {why}"),
            ServerAnswer::Unanswered(why) => format!("the API server has not answered: {why}"),
        };
        let help = String::new();
        Self { answer, says, help }
    }

    /// Returns an answer that contradicts the verdict by these rules.
    ///
    /// `is_judged_in_part` means that some fields were not judged.
    pub fn disagreeing(answer: ServerAnswer, rules: &[&str], is_judged_in_part: bool) -> Self {
        let (why, attach) = match rules {
            [] => ("no rule of garden-gate refuses it".to_owned(), " and both verdicts"),
            rules => {
                let why = format!("garden-gate refuses it by {}", rules.join(", "));
                (why, ", both verdicts and the rule")
            }
        };
        let unless = if rules.is_empty() && is_judged_in_part {
            "unless it is about what was not judged, or the garden has changed meanwhile"
        } else {
            "unless the garden has changed meanwhile"
        };
        let help =
            format!("{why}; {unless}, one of both is wrong: report it with this object{attach}");
        Self { help, ..Self::new(answer) }
    }

    /// Reports whether the answer contradicts the verdict.
    pub fn disagrees(&self) -> bool {
        !self.help.is_empty()
    }

    /// Reports whether the API server refuses the object.
    pub fn is_refusal(&self) -> bool {
        matches!(self.answer, ServerAnswer::Refused { .. })
    }

    /// Reports whether an expected answer is missing.
    pub fn is_missing(&self) -> bool {
        matches!(self.answer, ServerAnswer::Unanswered(_))
    }

    /// Reports whether the answer is no finding, and says more than that the server allows the object.
    pub(super) fn adds_to(&self, verdict: Verdict) -> bool {
        match &self.answer {
            ServerAnswer::Allowed | ServerAnswer::Unanswered(_) => false,
            ServerAnswer::Refused { .. } => verdict == Verdict::Denied && !self.disagrees(),
            ServerAnswer::Unable(_) => true,
        }
    }

    /// Formats the answer in short, such as `refused: no such namespace`.
    pub(super) fn line(&self) -> String {
        match &self.answer {
            ServerAnswer::Allowed => "allowed".to_owned(),
            ServerAnswer::Refused { message, .. } => format!("refused: {message}"),
            ServerAnswer::Unable(why) => format!("cannot tell: {why}"),
            ServerAnswer::Unanswered(why) => format!("no answer: {why}"),
        }
    }

    pub(super) fn help(&self) -> &str {
        &self.help
    }
}

/// The response of an API server to a dry run.
#[derive(JsonSchema, Serialize)]
struct ServerReviewJson<'a> {
    /// Verdict of the API server; `null` if there is none.
    allowed: Option<bool>,
    /// The HTTP status code of a refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<u16>,
    /// The message of the API server.
    message: &'a str,
    /// True if it differs from the verdict of garden-gate.
    disagrees: bool,
}

impl JsonSchema for ServerVerdict {
    fn schema_name() -> Cow<'static, str> {
        "ServerVerdict".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        ServerReviewJson::json_schema(generator)
    }
}

impl Serialize for ServerVerdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (allowed, code, message) = match &self.answer {
            ServerAnswer::Allowed => (Some(true), None, ""),
            ServerAnswer::Refused { code, message } => (Some(false), Some(*code), message.as_str()),
            ServerAnswer::Unable(_) | ServerAnswer::Unanswered(_) => {
                (None, None, self.says.as_str())
            }
        };
        ServerReviewJson { allowed, code, message, disagrees: self.disagrees() }
            .serialize(serializer)
    }
}

impl Reviewed {
    /// Returns the annotations that are not in the baseline.
    ///
    /// One is for the API server's answer if the other annotations do not cover it.
    pub(super) fn remarks_with_server(&self) -> Vec<Annotation<'_>> {
        let mut remarks = self.all_remarks_with_server();
        remarks.retain(|remark| !remark.is_known);
        remarks
    }

    /// Returns all annotations as [`Self::remarks_with_server`] does, including those in the baseline.
    pub(super) fn all_remarks_with_server(&self) -> Vec<Annotation<'_>> {
        let mut remarks = self.all_remarks();
        let is_refused = remarks.iter().any(|it| it.weight == Weight::Refused);
        let server = self.server.as_ref();
        remarks.extend(server.and_then(|server| self.remark(server, is_refused)));
        remarks
    }

    fn remark<'a>(&'a self, server: &'a ServerVerdict, is_refused: bool) -> Option<Annotation<'a>> {
        let (weight, id) = match &server.answer {
            ServerAnswer::Allowed if server.disagrees() => (Weight::Warned, DISAGREES),
            ServerAnswer::Refused { .. } if server.disagrees() => (Weight::Refused, DISAGREES),
            ServerAnswer::Refused { .. } if !is_refused => (Weight::Refused, REFUSED),
            ServerAnswer::Unanswered(_) => (Weight::Unknown, UNANSWERED),
            _ => return None,
        };
        Some(Annotation { weight, help: &server.help, ..of_message(id, &server.says, &self.begin) })
    }
}
