//! Rules about Quotas.

pub(in crate::rules) mod form;
pub(in crate::rules) mod scope_immutable;

use crate::engine::Rule;

pub(in crate::rules) const RULES: &[&Rule] = &[&form::RULE, &scope_immutable::RULE];
