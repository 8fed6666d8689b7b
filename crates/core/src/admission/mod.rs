// SPDX-License-Identifier: Apache-2.0
//! The pure core: from an admission request to a verdict.
//!
//! [`judge()`] reads only its arguments. It returns unknown facts (a custom-verb check, an object missing from the
//! snapshot) as a [`Question`].
//! The caller adds the answer to the snapshot, and evaluates the request again with the same `now`.
//! A [`Case`] does that a bounded number of times.

mod case;
mod change;
mod check;
mod conclusion;
mod context;
mod decode;
mod difference;
mod entry_point;
mod evaluation;
mod field_path;
mod finding;
mod findings;
mod fix;
mod fixed_objects;
mod judge;
mod object;
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
pub(crate) use check::check;
pub use check::{Check, Code, Stage};
pub use conclusion::Judgement;
pub(crate) use conclusion::UNDECODABLE;
pub(crate) use context::FromChange;
pub use context::{Change, Configurations, Context, ExtensionUse, Objects, Update, Write};
pub use decode::DecodeError;
pub use difference::Difference;
pub use entry_point::{EntryPoint, EntryPoints};
pub use field_path::FieldPath;
pub use finding::{
    AffectedMachines, ErrorType, Finding, FindingKind, Origin, POLICY_PREFIX, Phase, RuleHeader,
    Scope, Subresource, Undetermined,
};
pub use findings::{Findings, Reported};
pub use fix::{Applicability, Edit, Fix, Help, Remedy};
use fixed_objects::FixedObjects;
pub(crate) use judge::Template;
pub use judge::{World, judge, judge_quickly};
pub use reads::{Reading, Reads};
pub use request::{Operation, Request, RequestError, Resource};
pub use rule::{OnlyIf, Rule, RuleLists, Rules, is_read, kinds_read};
pub(crate) use rule::{finding_kinds, rule};
pub use silence::{SILENCE_PREFIX, Silence, Silenced, Terms, heed};
pub use verdict::{Decision, Exempted, Review, Verdict};

pub use crate::garden::Question;
pub use garden_gate_model::api::Kind;
pub(crate) use garden_gate_model::api::Versions;
