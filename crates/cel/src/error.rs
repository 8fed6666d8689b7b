// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;

use thiserror::Error;

use garden_gate_text::go::clip;

/// The reason why an expression cannot be compiled.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum CompileError {
    /// A syntax error.
    #[error("{line}:{column}: {message}")]
    Syntax {
        /// The line in the expression, counted from 1.
        line: usize,
        /// The column, counted from 1.
        column: usize,
        /// The parser's message.
        message: String,
    },
    /// An undeclared name, a call without a matching overload, or a result of the wrong type.
    ///
    /// An API server refuses the policy, too.
    #[error("{line}:{column}: {message}")]
    Type {
        /// The line in the expression, counted from 1.
        line: usize,
        /// The column, counted from 1.
        column: usize,
        /// The message of the type checker in Kubernetes.
        message: String,
    },
    /// A variable, function or constant that API servers know and this crate does not evaluate.
    #[error("{name} is not supported")]
    Unsupported {
        /// The name, for example `authorizer`.
        name: String,
    },
    /// The expression is too long or too deeply nested.
    #[error("the expression is too long or too deeply nested")]
    TooComplex,
}

/// The reason why an evaluation has no result.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum EvaluationError {
    /// An error as an API server reports it, for example `no such key: foo`.
    #[error("{0}")]
    Failed(String),
    /// The expression exceeds the cost limit of one evaluation.
    #[error("operation cancelled: actual cost limit exceeded")]
    CostLimit,
    /// All evaluations together exceed the budget of the activation; no more may follow.
    #[error(
        "validation failed due to running out of cost budget, no further validation rules will be run"
    )]
    OutOfBudget,
    /// A limit that only this crate has; whether an API server accepts the object is not known.
    #[error("{0}")]
    Exceeded(ExceededLimit),
    /// The result depends on a value that is unknown, or on an operation that this crate cannot repeat exactly.
    #[error("{0}")]
    Undetermined(String),
}

/// A limit of this crate on evaluations.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum ExceededLimit {
    /// The limit on their work.
    #[error(
        "its expressions exceed the limit on work for one object; shorten long lists and strings of the object, or simplify the policy"
    )]
    Work,
    /// The time for the request.
    #[error(
        "the time limit of the request was exceeded before its expressions were evaluated; try again, or simplify the policy"
    )]
    Time,
}

/// Maximum length of a message in bytes; a longer one would be copied whenever its error is.
const LONGEST: usize = 4096;

/// Returns an error that boolean operators can absorb.
pub(super) fn failed<'a, T>(message: impl Into<Cow<'a, str>>) -> Result<T, EvaluationError> {
    Err(EvaluationError::Failed(clip(message, LONGEST)))
}

/// Returns the error of an operation that this crate cannot repeat exactly.
pub(super) fn undetermined<'a, T>(why: impl Into<Cow<'a, str>>) -> Result<T, EvaluationError> {
    Err(EvaluationError::Undetermined(clip(why, LONGEST)))
}

/// Returns the error of an operation without an overload for its arguments.
pub(super) fn no_such_overload<T>() -> Result<T, EvaluationError> {
    failed("no such overload")
}

/// Returns the line and column of a place in a text, which is given in characters.
pub(super) fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text.chars().take(offset);
    before.fold((1, 1), |(line, column), it| match it {
        '\n' => (line + 1, 1),
        _ => (line, column + 1),
    })
}

impl EvaluationError {
    /// Reports whether `||` and `&&` can absorb the error.
    pub(super) fn is_absorbable(&self) -> bool {
        matches!(self, Self::Failed(_) | Self::Undetermined(_))
    }

    /// Returns the error of two operands: unknown values have priority, then the first error.
    pub(super) fn merge(first: Option<Self>, second: Self) -> Self {
        match (first, second) {
            (Some(first @ Self::Undetermined(_)), _) => first,
            (_, second @ Self::Undetermined(_)) => second,
            (Some(first), _) => first,
            (None, second) => second,
        }
    }
}
