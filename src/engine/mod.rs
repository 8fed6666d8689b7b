//! The pure core: from an admission request to a verdict.
//!
//! [`judge()`] reads nothing but its arguments. What it cannot know (a custom-verb answer, an object that the garden
//! snapshot lacks) it returns as a [`Question`]; the caller tells the snapshot what it found out, and judges again with the
//! same `now`. A [`Case`] does so a bounded number of times.

mod canonicalize;
mod case;
mod change;
mod context;
mod decode;
mod difference;
mod evaluation;
mod field_path;
mod finding;
mod findings;
mod judge;
mod object;
mod offence;
mod patch;
mod profile_change;
mod reads;
mod request;
mod rule;
mod samples;
mod silence;
mod verdict;
mod work;

pub use case::Case;
pub(crate) use change::{resolved_json, resolved_old_json};
pub use context::{Change, Context};
pub use decode::DecodeError;
pub use difference::Difference;
pub use field_path::FieldPath;
pub use finding::{ErrorType, Finding, Origin, Undetermined};
pub use findings::{Findings, Reported};
pub use judge::{EntryPoint, Judgement, World, judge, judge_quickly};
pub use offence::Offence;
pub use reads::{Reading, Reads, is_read, kinds_read};
pub use request::{Operation, Request, RequestError, Resource};
pub use rule::{
    Check, FindingKind, JudgeCode, MutateCode, OnlyIf, Phase, Rule, Scope, SilencesCode,
    Subresource,
};
pub(crate) use rule::{finding_kinds, rule};
pub use silence::{SILENCE_PREFIX, Silence, Silenced, Terms, heed};
pub use verdict::{Decision, Exempted, Review, Verdict};

pub use crate::garden::Question;
pub use crate::model::Kind;
