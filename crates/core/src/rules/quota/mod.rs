// SPDX-License-Identifier: Apache-2.0
//! Rules about Quotas.

mod form;
mod scope_immutable;

use crate::admission::Rule;

pub(crate) const RULES: &[&Rule] = &[&form::RULE, &scope_immutable::RULE];
