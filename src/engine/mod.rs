//! The pure core: from an admission request to a verdict.
//!
//! [`judge()`] reads nothing but its arguments. What it cannot know (a custom-verb answer, an object that the garden
//! snapshot lacks) it returns as a [`Question`]; the caller answers and judges again, with the same snapshot and `now`.

mod context;
mod decode;
mod difference;
mod field_path;
mod finding;
mod judge;
mod object;
mod patch;
mod question;
mod request;
mod rule;

pub use context::{Change, Context};
pub use decode::DecodeError;
pub use difference::Difference;
pub use field_path::FieldPath;
pub use finding::{ErrorType, Finding, Findings, Offence, Undetermined};
pub use judge::{Door, Judgement, Review, Verdict, World, judge};
pub use object::Kind;
pub use question::{Answer, Answers, Question};
pub use request::{Operation, Request, RequestError, Resource};
pub use rule::{Check, FindingKind, Phase, Rule, Scope, Subresource};
pub(crate) use rule::{finding_kinds, rule};
