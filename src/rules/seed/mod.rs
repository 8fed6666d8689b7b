//! Rules about Seeds.

use imbl::OrdSet;

use super::profiles::Users;
use crate::engine::{Context, FieldPath, Findings};
use crate::model::ShootName;

rules! {
    RULES:
    form,
    networks_form,
    settings_form,
    immutable_fields,
    extensions_unregistered,
    reference_missing,
    taints_invalid,
    delete_in_use,
    deletecollection_in_use,
    zones_removed_in_use,
    internal_domain_in_use,
    default_domains_in_use,
    self_hosted_label_removed,
    backup_workload_identity_type,
    operation,
}

/// The Shoots on a seed or on their way to or from it; `None` if there are none, or none are known, which the findings say.
fn shoots_on<'a>(
    context: &Context<'a>,
    seed: &str,
    path: &FieldPath,
    findings: &mut Findings,
) -> Option<&'a OrdSet<ShootName>> {
    let what = format_args!("which Shoots are on Seed `{seed}`");
    findings.known(context.shoots(), path, what)?.of_seed(seed)
}

/// The first of some Shoots, and how many more, for people.
fn describe(shoots: &OrdSet<ShootName>) -> String {
    let mut users = Users::default();
    users.add(shoots, shoots.len());
    users.describe("Shoot")
}
