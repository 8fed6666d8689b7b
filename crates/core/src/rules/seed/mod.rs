// SPDX-License-Identifier: Apache-2.0
//! Rules about Seeds.

mod backup_workload_identity_type;
mod default_domains_in_use;
pub(crate) mod delete_in_use;
mod deletecollection_in_use;
mod extensions_unregistered;
mod form;
mod immutable_fields;
mod internal_domain_in_use;
mod networks_form;
mod operation;
mod reference_missing;
mod self_hosted_label_removed;
mod settings_form;
mod taints_invalid;
mod zones_removed_in_use;

use imbl::OrdSet;

use super::shared::profiles::Users;
use crate::admission::{Context, FieldPath, Findings, Rule};
use garden_gate_model::api::ShootName;

pub(crate) const RULES: &[&Rule] = &[
    &form::RULE,
    &networks_form::RULE,
    &settings_form::RULE,
    &immutable_fields::RULE,
    &extensions_unregistered::RULE,
    &reference_missing::RULE,
    &taints_invalid::RULE,
    &delete_in_use::RULE,
    &deletecollection_in_use::RULE,
    &zones_removed_in_use::RULE,
    &internal_domain_in_use::RULE,
    &default_domains_in_use::RULE,
    &self_hosted_label_removed::RULE,
    &backup_workload_identity_type::RULE,
    &operation::RULE,
];

/// The rules that validate the `spec` of a Seed, also in a template.
pub(crate) const TEMPLATE_RULES: &[&Rule] = &[
    &form::RULE,
    &networks_form::RULE,
    &settings_form::RULE,
    &taints_invalid::RULE,
    &immutable_fields::RULE,
];

/// The rules about changes that a Seed with Shoots does not permit, also if a ManagedSeed makes them.
pub(crate) const IN_USE_RULES: &[&Rule] =
    &[&zones_removed_in_use::RULE, &internal_domain_in_use::RULE, &default_domains_in_use::RULE];

/// Returns the Shoots on a seed, or being migrated to or from it.
///
/// Returns `None` if there are none, or if they are unknown, for which a finding is added.
fn shoots_on<'a>(
    context: &Context<'a>,
    seed: &str,
    path: &FieldPath,
    findings: &mut Findings,
) -> Option<&'a OrdSet<ShootName>> {
    let what = format_args!("which Shoots are on Seed `{seed}`");
    findings.known(context.shoots(), path, what)?.of_seed(seed)
}

/// Formats the first of some Shoots, and the number of the others.
fn describe(shoots: &OrdSet<ShootName>) -> String {
    let mut users = Users::default();
    users.add(shoots, shoots.len());
    users.describe("Shoot")
}
