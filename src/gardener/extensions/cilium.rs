//! The mutating webhook of networking-cilium. Source: `pkg/admission/mutator/shoot.go`.

use serde_json::json;

use super::{Mutation, Mutator, Refusal};
use crate::api::Kind;

/// The mutating webhook of networking-cilium.
pub(super) const MUTATOR: Mutator = Mutator {
    extension: "cilium",
    mutate,
};

/// Turns kube-proxy off in new Shoots with workers, whatever they say.
fn mutate(mutation: &mut Mutation<'_, '_>) -> Result<(), Refusal> {
    let is_new_shoot = mutation.kind == Kind::Shoot && mutation.old.is_none();
    if is_new_shoot && mutation.has_workers() {
        mutation.set("/spec/kubernetes/kubeProxy/enabled", json!(false));
    }
    Ok(())
}
