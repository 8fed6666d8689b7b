//! Rules about Seeds.

pub(super) mod backup_workload_identity_type;
pub(super) mod default_domains_in_use;
pub(super) mod delete_in_use;
pub(super) mod deletecollection_in_use;
pub(super) mod internal_domain_in_use;
pub(super) mod operation;
pub(super) mod self_hosted_label_removed;
pub(super) mod taints_invalid;
pub(super) mod zones_removed_in_use;

use imbl::OrdSet;

use super::profiles::Users;
use crate::engine::{Context, FieldPath, Findings};
use crate::model::ShootName;

/// The Shoots on a seed or on their way to or from it; `None` if there are none, or none are known, which the findings say.
fn shoots_on<'a>(
    context: &Context<'a>,
    seed: &str,
    path: &FieldPath,
    findings: &mut Findings,
) -> Option<&'a OrdSet<ShootName>> {
    match context.shoots() {
        Ok(shoots) => shoots.of_seed(seed),
        Err(why) => {
            findings.undetermined(
                path,
                format!("cannot tell which Shoots are on Seed `{seed}`: {why}"),
            );
            None
        }
    }
}

/// The first of some Shoots, and how many more, for people.
fn describe(shoots: &OrdSet<ShootName>) -> String {
    let mut users = Users::default();
    users.add(shoots, shoots.len());
    users.describe("Shoot")
}
