// SPDX-License-Identifier: Apache-2.0
//! Expressions of policies in the Common Expression Language (CEL), as a kube-apiserver evaluates them.
//!
//! An [`Expression`] is compiled once for an [`Environment`], which declares its variables. An [`Activation`] has the values of one request.
//!
//! ```text
//! text ─► parser (crate `cel`) ─► checker ─► Expression ─► Evaluator ─► Value
//!                                   ▲                         ▲
//!                              Environment               Activation
//! ```
//!
//! The crate `cel` parses. It has no type checker, its evaluator has no limit (10,000 × 10,000 iterations of `all` take about 36 s), treats
//! each error after `.?` as a missing field, and copies each element of a list. `kube-cel` has Kubernetes' libraries, but builds on the
//! same evaluator. So the checker, the evaluator and the libraries are written here, after cel-go v0.26 and `k8s.io/apiserver` v0.36:
//!
//! - The checker refuses the same expressions, with the same messages.
//! - Each operation has the cost that it has in an API server, with the same limits. A second limit counts bytes that Kubernetes does not count.
//! - Functions that are unknown here are [`CompileError::Unsupported`], and inexact results [`EvaluationError::Undetermined`].
//!
//! Objects are plain maps, as in an API server: `object.metadata.namespace` needs no escaping, times are strings, and numbers are `int` or `double`
//! as in JSON. [`Value::from_text`] reads JSON of any nesting, so that no function for values may recurse into them. A [`Schema`] tells which fields
//! have fractions.

#![cfg_attr(doctest, doc = include_str!("../README.md"))]
#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test that cannot go on should fail"))]

mod activation;
mod amount;
mod bound;
mod check;
mod environment;
mod equality;
mod error;
mod evaluate;
mod excerpt;
mod expression;
mod fields;
mod functions;
mod meter;
mod node;
mod number;
mod parser;
mod regex;
mod schema;
mod semver;
mod text;
mod time;
mod types;
mod unknown;
mod url;
mod value;

pub use activation::{Activation, Lookups};
pub use amount::Amount;
pub use environment::{Environment, LookupVariable, OldSelf};
pub use error::{CompileError, EvaluationError, ExceededLimit};
pub use expression::{Expression, ResultType};
pub use fields::{FieldProblem, NamedPath, PathSegment};
pub use meter::Deadline;
pub use node::Lookup;
pub use parser::{CelError, CelExpression};
pub use regex::GoPattern;
pub use schema::{Made, RESERVED, Schema, escaped_field};
pub use semver::Semver;
pub use text::Text;
pub use time::Timestamp;
pub use url::ParsedUrl;
pub use value::{Constructed, Library, List, Map, PatchOperation, Replaced, Value};
