use serde_json::Value;

use super::{ErrorType, FieldPath, FindingKind};

/// What a helper of a rule has against a request; it counts once it is [added](super::Findings::add).
///
/// Where the findings are at hand, it is shorter to [report](super::Findings::report) at once.
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
