use serde_json::Value;

use super::{ErrorType, FieldPath, FindingKind};

/// A violation found by a helper of a rule; it counts once it is [added](super::Findings::add).
///
/// With access to the findings, [report](super::Findings::report) is shorter.
#[derive(Debug)]
#[must_use = "an offence counts only once it is added to the findings"]
pub struct Offence {
    pub(super) kind: &'static FindingKind,
    pub(super) error: ErrorType,
    pub(super) field: FieldPath,
    pub(super) pointer: Option<String>,
    pub(super) value: Value,
    pub(super) message: String,
    pub(super) help: String,
}

impl Offence {
    /// Creates a violation at `field`; `message` is one lower-case sentence with values in backticks.
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

    /// Sets the invalid value.
    pub fn value(mut self, value: impl Into<Value>) -> Self {
        self.value = value.into();
        self
    }

    /// Sets the remedy.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// Sets another kind, for a rule that reports the findings of another one's checks.
    pub(crate) fn under(mut self, kind: &'static FindingKind) -> Self {
        self.kind = kind;
        self
    }

    /// Sets the actual position of the field if Gardener reports it under another name.
    pub fn at(mut self, place: &FieldPath) -> Self {
        self.pointer = Some(place.pointer());
        self
    }
}
