//! Rules about Shoots, grouped in modules by subject.

mod change;
pub(in crate::rules) mod deletion;
mod deprecated_fields;
pub(in crate::rules) mod dns;
pub(in crate::rules) mod dropped_fields;
mod encryption;
mod event_ttl;
pub(in crate::rules) mod exposure;
pub(in crate::rules) mod hibernation;
pub(in crate::rules) mod images;
mod immutable_fields;
pub(in crate::rules) mod machines;
pub(in crate::rules) mod migration;
mod node_network;
pub(in crate::rules) mod operation;
mod profile_change;
mod profile_missing;
mod profile_name;
mod purpose_unsupported;
pub(in crate::rules) mod references;
pub(in crate::rules) mod refilled_fields;
mod rotation_due;
pub(in crate::rules) mod seed;
mod self_hosted_verb;
pub(in crate::rules) mod static_validation;
mod status_immutable;
mod status_label_stale;
pub(in crate::rules) mod tolerations;
pub(in crate::rules) mod versions;
pub(in crate::rules) mod workers;

use crate::admission::Rule;

pub(in crate::rules) const RULES: &[&Rule] = &[
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
