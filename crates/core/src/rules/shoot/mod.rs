// SPDX-License-Identifier: Apache-2.0
//! Rules about Shoots, grouped in modules by subject.

mod change;
pub(crate) mod deletion;
mod deprecated_fields;
pub(crate) mod dns;
pub(crate) mod dropped_fields;
mod encryption;
mod event_ttl;
pub(crate) mod exposure;
pub(crate) mod hibernation;
pub(crate) mod images;
mod immutable_fields;
pub(crate) mod machines;
pub(crate) mod migration;
mod node_network;
pub(crate) mod operation;
mod profile_change;
mod profile_missing;
mod profile_name;
mod purpose_unsupported;
pub(crate) mod references;
pub(crate) mod refilled_fields;
mod rotation_due;
pub(crate) mod seed;
mod self_hosted_verb;
pub(crate) mod static_validation;
mod status_immutable;
mod status_label_stale;
pub(crate) mod tolerations;
pub(crate) mod versions;
pub(crate) mod workers;

use crate::admission::Rule;

pub(crate) const RULES: &[&Rule] = &[
    &refilled_fields::RULE,
    &dropped_fields::RULE,
    &profile_missing::RULE,
    &self_hosted_verb::RULE,
    &profile_change::RULE,
    &operation::RULE,
    &immutable_fields::RULE,
    &status_immutable::RULE,
    &purpose_unsupported::RULE,
    &rotation_due::RULE,
    &deprecated_fields::RULE,
    &status_label_stale::RULE,
];
