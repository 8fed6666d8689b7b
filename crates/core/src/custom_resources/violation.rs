// SPDX-License-Identifier: Apache-2.0
use serde_json::Value;

use super::tree::Tree;
use crate::admission::{ErrorType, FieldPath};

/// A value that a definition does not allow.
#[derive(Clone, Debug)]
pub(crate) struct Violation<'d> {
    /// The field.
    pub(crate) path: FieldPath,
    /// The type of the error.
    pub(crate) error: ErrorType,
    /// The value, if it is a scalar.
    pub(crate) value: Value,
    /// What is wrong.
    pub(crate) fault: Fault<'d>,
}

/// What is wrong with a value.
#[derive(Clone, Debug)]
pub(crate) enum Fault<'d> {
    /// The field is absent.
    Missing,
    /// The value has another type than these.
    Type(Vec<&'static str>, &'static str),
    /// The value is none of these.
    NotOneOf(&'d [Value]),
    /// The string has fewer characters.
    TooShort(u64),
    /// The string has more characters.
    TooLong(u64),
    /// The string does not match a regular expression.
    Pattern(&'d str),
    /// The string or number does not have a format.
    Format(&'d str),
    /// The number is less, or equal if the minimum is exclusive.
    Below(f64, bool),
    /// The number is greater, or equal if the maximum is exclusive.
    Above(f64, bool),
    /// The number is not a multiple.
    NotMultiple(f64),
    /// The list has fewer items.
    TooFewItems(u64),
    /// The list has more items.
    TooManyItems(u64),
    /// The object has fewer fields.
    TooFewFields(u64),
    /// The object has more fields.
    TooManyFields(u64),
    /// Items of the list are equal.
    NotUnique,
    /// The item is equal to an earlier one, or has the same value in these fields.
    Duplicate(&'d [String]),
    /// An item of a list with keys is not an object.
    NotAnObject,
    /// The value matches none of several schemas.
    NoAlternative,
    /// The value matches several schemas, of which it may match one.
    SeveralAlternatives,
    /// The value does not match all schemas.
    NotAll,
    /// The value matches a schema that is excluded.
    Excluded,
    /// A rule in CEL refuses the value, with its message.
    Rule {
        /// The expression.
        rule: &'d str,
        /// The message of the rule.
        message: String,
    },
    /// A rule in CEL cannot be evaluated, with the reason.
    Failed {
        /// The expression.
        rule: &'d str,
        /// The reason.
        reason: String,
    },
}

/// Violations, of which the first ones are listed.
#[derive(Debug, Default)]
pub(crate) struct Violations<'d> {
    /// The first violations, at most [`Self::MOST`].
    pub(crate) first: Vec<Violation<'d>>,
    /// The number of all violations.
    pub(crate) count: usize,
    /// The number of those for which rules in CEL are not evaluated.
    blocking: usize,
}

/// A number of violations to which a list can be reset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    count: usize,
    blocking: usize,
}

impl<'d> Violations<'d> {
    /// Maximum number of listed violations.
    pub(crate) const MOST: usize = 250;

    /// Adds a violation.
    pub(super) fn add(
        &mut self,
        error: ErrorType,
        path: &FieldPath,
        value: &Tree,
        fault: Fault<'d>,
    ) {
        self.count += 1;
        // As `hasBlockingErr` in strategy.go of an API server.
        let blocks = matches!(
            error,
            ErrorType::NotSupported
                | ErrorType::Required
                | ErrorType::TooLong
                | ErrorType::TooMany
                | ErrorType::TypeInvalid
        );
        self.blocking += usize::from(blocks);
        if self.first.len() < Self::MOST {
            let (path, value) = (path.clone(), value.scalar());
            self.first.push(Violation { path, error, value, fault });
        }
    }

    /// Adds all violations of another list.
    pub(super) fn append(&mut self, other: Self) {
        self.count += other.count;
        self.blocking += other.blocking;
        let rest = Self::MOST.saturating_sub(self.first.len());
        self.first.extend(other.first.into_iter().take(rest));
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { count: self.count, blocking: self.blocking }
    }

    /// Reports whether violations were added since a mark.
    pub(super) fn has_new(&self, mark: Mark) -> bool {
        self.count > mark.count
    }

    /// Removes all violations since a mark.
    pub(super) fn reset(&mut self, mark: Mark) {
        self.count = mark.count;
        self.blocking = mark.blocking;
        self.first.truncate(mark.count);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Reports whether rules in CEL are not evaluated.
    pub(super) fn blocks_rules(&self) -> bool {
        self.blocking > 0
    }
}

/// The result of a validation.
#[derive(Debug, Default)]
pub(crate) struct Validated<'d> {
    /// Violations of the schema and of list types.
    pub(crate) form: Violations<'d>,
    /// Violations of rules in CEL.
    pub(crate) rules: Violations<'d>,
    /// What cannot be decided, with the reason.
    pub(crate) undetermined: Vec<(FieldPath, String)>,
}

/// Maximum number of reasons why a decision is impossible.
const MOST_UNDETERMINED: usize = 100;

/// Adds a reason why a decision is impossible, up to a limit.
pub(super) fn leave_open(
    undetermined: &mut Vec<(FieldPath, String)>,
    field: &FieldPath,
    why: String,
) {
    if undetermined.len() < MOST_UNDETERMINED {
        undetermined.push((field.clone(), why));
    }
}
