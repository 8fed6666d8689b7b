// SPDX-License-Identifier: Apache-2.0
//! Extensions that are known from data: schemas of their configurations, and rules in CEL about the objects that use them.
//!
//! Shipped definitions are compiled when an object names one of their types; those of operators are policies of operators.

mod compiled;
mod findings;
mod judge;
mod named;
mod rules;
mod shipped;
#[cfg(test)]
mod tests;
mod values;

pub(super) use compiled::{CompiledExtension, KINDS};
pub use findings::JudgedConfiguration;
pub(super) use judge::{JudgedObjects, judge};
pub(super) use named::NamedExtensions;
pub use rules::defined_rules;
pub use shipped::shipped_definition;
