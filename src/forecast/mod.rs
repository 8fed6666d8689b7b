//! Whether admission lets a maintenance run through.
//!
//! Maintenance puts everything that it does into one update of the Shoot and asks the API server first, as a dry run. If any rule
//! refuses that, nothing of the run happens, and the next window tries again. What a run wants to do is known below the
//! rules, in [`crate::version::maintenance`]; here it is put to them.

mod after;

pub use after::{After, after};

use serde_json::{Value, json};

use crate::engine::{Door, Judgement, Request, RequestError, World, judge};
use crate::model::{CORE_GROUP, CORE_VERSION};

/// Who maintains Shoots; no rule makes an exception for it.
const USER: &str = "system:serviceaccount:garden:gardener-controller-manager";

/// Judges the update that takes a Shoot, as it is stored, to what it is after a maintenance run.
///
/// The review's denials are what blocks the run. `world` should have the configuration of the API server that the Shoot lives
/// in, and the time of the run as its `now`. Questions are answered as for any other request.
///
/// # Errors
/// When the update cannot be put into a request, which only an object that is none can bring about.
pub fn dry_run(
    before: &Value,
    after: &Value,
    world: &World<'_>,
) -> Result<Judgement, RequestError> {
    let metadata = &before["metadata"];
    let request = json!({
        "uid": "dry-run",
        "resource": {"group": CORE_GROUP, "version": CORE_VERSION, "resource": "shoots"},
        "operation": "UPDATE",
        "name": metadata["name"],
        "namespace": metadata["namespace"],
        "userInfo": {"username": USER, "groups": ["system:serviceaccounts", "system:authenticated"]},
        "object": after,
        "oldObject": before,
        "dryRun": true,
    });
    let review =
        json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request});
    let body = review.to_string();
    let request = Request::from_review(body.as_bytes())?;
    Ok(judge(Door::Review, &request, world))
}
