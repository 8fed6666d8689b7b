// SPDX-License-Identifier: Apache-2.0
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use garden_gate_core::admission::{Case, EntryPoint, Kind, Request, Review, World};
use garden_gate_model::api::UserInfo;

/// The user of maintenance.
/// No rule exempts it.
const USER: &str = "system:serviceaccount:garden:gardener-controller-manager";
/// The groups of all service accounts.
const GROUPS: [&str; 2] = ["system:serviceaccounts", "system:authenticated"];

/// Evaluates the update of a stored Shoot by a maintenance run.
///
/// Denials in the review block the run. `world` should have the configuration of the Shoot's API server, with the time
/// of the run as `now`.
/// Questions that only an API server could answer are undetermined.
///
/// # Errors
/// Fails if an object cannot be serialized as JSON, which is always possible for parsed objects.
pub fn dry_run(
    before: &Value,
    after: &Value,
    world: &World<'_>,
) -> Result<Review, serde_json::Error> {
    let [before_text, after_text] = [to_raw_value(before)?, to_raw_value(after)?];
    let text = |field: &str| before["metadata"][field].as_str().unwrap_or_default();
    let names = [text("namespace"), text("name")];
    Ok(dry_run_of_texts(names, [&before_text, &after_text], world))
}

/// As [`dry_run`], for the namespace and name of a Shoot, and its JSON before and after.
pub(super) fn dry_run_of_texts(
    [namespace, name]: [&str; 2],
    [before, after]: [&RawValue; 2],
    world: &World<'_>,
) -> Review {
    let user = UserInfo {
        username: USER.to_owned(),
        groups: GROUPS.map(str::to_owned).into(),
        ..UserInfo::default()
    };
    let request = Request {
        name: name.to_owned(),
        namespace: namespace.to_owned(),
        dry_run: true,
        is_decoded: true,
        ..Request::of_objects(Kind::Shoot, user, [Some(after), Some(before)])
    };
    Case::decide(EntryPoint::Review, &request, world, |garden, questions| {
        for question in questions {
            garden.answer_unknown(question, "no API server is asked about what is to come");
        }
    })
}
