use std::mem;

use serde::Serialize;
use serde_json::Value;

use super::{FieldPath, FindingKind, Phase, Rule};
use crate::config::{Config, Level};

/// What is wrong with a field, in Kubernetes' terms.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub enum ErrorType {
    /// A value that must be there is missing.
    Required,
    /// The value is malformed or contradicts something.
    Invalid,
    /// The value is not one of those allowed.
    NotSupported,
    /// The value stands twice where it may stand once.
    Duplicate,
    /// The value is well-formed but not permitted here.
    Forbidden,
    /// What the value refers to does not exist.
    NotFound,
    /// The value has the wrong JSON type.
    TypeInvalid,
}

impl ErrorType {
    /// The `reason` of a status cause, as `k8s.io/apimachinery` names it.
    #[must_use]
    pub fn cause_reason(self) -> &'static str {
        match self {
            ErrorType::Required => "FieldValueRequired",
            ErrorType::Invalid => "FieldValueInvalid",
            ErrorType::NotSupported => "FieldValueNotSupported",
            ErrorType::Duplicate => "FieldValueDuplicate",
            ErrorType::Forbidden => "FieldValueForbidden",
            ErrorType::NotFound => "FieldValueNotFound",
            ErrorType::TypeInvalid => "FieldValueTypeInvalid",
        }
    }
}

/// Something that a rule has against a request.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The rule's id.
    pub rule: &'static str,
    /// The id of the offence.
    pub finding: &'static str,
    /// What it means for the request.
    pub level: Level,
    /// What is wrong, in Kubernetes' terms.
    #[serde(rename = "type")]
    pub error: ErrorType,
    /// The field, as Gardener reports it.
    pub field: String,
    /// The field's place in the object, as a JSON pointer.
    pub pointer: String,
    /// The offending value; `null` where there is none.
    pub value: Value,
    /// One sentence: what is wrong.
    pub message: String,
    /// What to do about it; may be empty.
    pub help: String,
    /// When in the life of a request Gardener would report it; decides the status code.
    #[serde(skip)]
    pub phase: Phase,
}

/// A question that a rule could not answer, so that the request can be neither allowed nor judged wrong.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Undetermined {
    /// The rule that could not judge.
    pub rule: &'static str,
    /// The field it looked at.
    pub field: String,
    /// What is missing, and how to provide it.
    pub message: String,
}

/// A finding as a rule states it; the engine adds rule and level.
#[derive(Debug)]
#[must_use = "an offence counts only once it is added to the findings"]
pub struct Offence {
    kind: &'static FindingKind,
    error: ErrorType,
    field: FieldPath,
    pointer: Option<String>,
    value: Value,
    message: String,
    help: String,
}

impl Offence {
    /// An offence at `field`; `message` is one lower-case sentence with values in backticks.
    pub fn new(
        kind: &'static FindingKind,
        error: ErrorType,
        field: FieldPath,
        message: impl Into<String>,
    ) -> Self {
        let (pointer, value, help) = (None, Value::Null, String::new());
        Self {
            kind,
            error,
            field,
            pointer,
            value,
            message: message.into(),
            help,
        }
    }

    /// Sets the offending value.
    pub fn value(mut self, value: impl Into<Value>) -> Self {
        self.value = value.into();
        self
    }

    /// Sets what the user can do.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// Counts the offence under another id, for a rule that reports what checks of another one found.
    pub(crate) fn under(mut self, kind: &'static FindingKind) -> Self {
        self.kind = kind;
        self
    }

    /// Sets the real place of the field where Gardener reports it under another name.
    pub fn at(mut self, place: &FieldPath) -> Self {
        self.pointer = Some(place.pointer());
        self
    }
}

/// Of each kind so many findings of a rule are listed; more are counted, as nobody reads them.
const LISTED: usize = 200;

/// Where rules put what they find.
#[derive(Debug)]
pub struct Findings {
    rule: &'static Rule,
    found: Vec<Finding>,
    /// How many there are of each kind, listed or not.
    counts: Vec<(&'static FindingKind, usize)>,
    undetermined: Vec<Undetermined>,
}

impl Findings {
    pub(super) fn new(rule: &'static Rule) -> Self {
        Self {
            rule,
            found: Vec::new(),
            counts: Vec::new(),
            undetermined: Vec::new(),
        }
    }

    /// Adds an offence.
    pub fn add(&mut self, offence: Offence) {
        if !self.counts_to_listed(offence.kind) {
            return;
        }
        self.list(offence);
    }

    /// Adds an offence of a kind that is costly to explain; one that would not be listed is only counted.
    pub fn add_with(&mut self, kind: &'static FindingKind, explain: impl FnOnce() -> Offence) {
        if self.counts_to_listed(kind) {
            self.list(explain());
        }
    }

    /// Counts an offence of a kind; says whether it is to be listed.
    fn counts_to_listed(&mut self, kind: &'static FindingKind) -> bool {
        let known = self.counts.iter_mut().find(|(it, _)| it.id == kind.id);
        if let Some((_, count)) = known {
            *count += 1;
            return *count <= LISTED;
        }
        self.counts.push((kind, 1));
        true
    }

    fn list(&mut self, offence: Offence) {
        let pointer = offence.pointer.unwrap_or_else(|| offence.field.pointer());
        self.found.push(Finding {
            rule: self.rule.id,
            finding: offence.kind.id,
            level: Level::Deny,
            error: offence.error,
            field: offence.field.to_string(),
            pointer,
            value: offence.value,
            message: offence.message,
            help: offence.help,
            phase: self.rule.phase,
        });
    }

    /// Says that the rule cannot judge `field`, and why.
    pub fn undetermined(&mut self, field: &FieldPath, message: impl Into<String>) {
        let (rule, field) = (self.rule.id, field.to_string());
        self.undetermined.push(Undetermined {
            rule,
            field,
            message: message.into(),
        });
    }

    /// Whether the rule has found nothing so far.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.found.is_empty() && self.undetermined.is_empty()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.found.clear();
        self.counts.clear();
        self.undetermined.clear();
    }

    /// Everything that was found, at the levels that `config` gives it.
    pub(super) fn into_parts(mut self, config: &Config) -> (Vec<Finding>, Vec<Undetermined>) {
        for (kind, count) in mem::take(&mut self.counts) {
            if count > LISTED {
                self.list(unlisted(kind, count));
            }
        }
        for finding in &mut self.found {
            finding.level = config.level(finding.rule, finding.finding, self.rule.levels);
        }
        self.found.retain(|finding| finding.level != Level::Off);
        (self.found, self.undetermined)
    }
}

/// What is said about the findings of a kind that are not listed.
fn unlisted(kind: &'static FindingKind, count: usize) -> Offence {
    let message = format!("there are {count} of these; only the first {LISTED} are listed");
    Offence::new(kind, ErrorType::Invalid, FieldPath::root(), message)
        .help("correct these first; the others are listed then")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Levels;
    use crate::engine::Check;

    static KIND: FindingKind = FindingKind {
        id: "shoot/wrong",
        summary: "",
    };
    static RULE: Rule = Rule {
        id: "shoot/wrong",
        summary: "",
        documentation: "",
        phase: Phase::Static,
        scopes: &[],
        levels: Levels {
            documented: Level::Deny,
            gardener: Level::Deny,
        },
        findings: &[&KIND],
        check: Check::DropFromCloudProfile,
        file: file!(),
    };

    fn messages(count: usize) -> Vec<String> {
        let mut findings = Findings::new(&RULE);
        for number in 0..count {
            let path = FieldPath::new("spec").index(number);
            let message = format!("{number} is wrong");
            findings.add(Offence::new(&KIND, ErrorType::Invalid, path, message));
        }
        let (found, _) = findings.into_parts(&Config::default());
        found.into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn some_hundred_findings_are_listed_and_the_others_counted() {
        assert_eq!(messages(LISTED).len(), LISTED);
        let many = messages(10_000);
        assert_eq!(many.len(), LISTED + 1);
        assert_eq!(many[LISTED - 1], "199 is wrong");
        assert_eq!(
            many[LISTED],
            "there are 10000 of these; only the first 200 are listed"
        );
    }

    #[test]
    fn what_is_not_listed_is_not_explained() {
        let (mut findings, mut explained) = (Findings::new(&RULE), 0);
        for _ in 0..10 * LISTED {
            findings.add_with(&KIND, || {
                explained += 1;
                Offence::new(&KIND, ErrorType::Invalid, FieldPath::root(), "wrong")
            });
        }
        assert_eq!(explained, LISTED);
    }
}
