// SPDX-License-Identifier: Apache-2.0
//! Rules about the webhook configurations of Shoot clusters.

mod hibernation_hangs;
mod no_cleanup;
pub(super) mod problematic;
mod remediation_preview;

use crate::admission::Rule;

pub(crate) const RULES: &[&Rule] =
    &[&problematic::RULE, &hibernation_hangs::RULE, &remediation_preview::RULE, &no_cleanup::RULE];
