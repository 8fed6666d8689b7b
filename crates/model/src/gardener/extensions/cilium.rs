// SPDX-License-Identifier: Apache-2.0
//! The mutating webhook of networking-cilium. Source: `pkg/admission/mutator/shoot.go`.

use serde_json::json;

use super::{Mutation, Mutator, Refusal};
use crate::api::Kind;

/// The mutating webhook of networking-cilium.
pub(super) const MUTATOR: Mutator = Mutator { extension: "cilium", mutate };

/// Turns kube-proxy off in new Shoots with workers, whatever they say.
fn mutate(mutation: &mut Mutation<'_, '_>) -> Result<(), Refusal> {
    let is_new_shoot = mutation.kind == Kind::Shoot && mutation.old.is_none();
    if is_new_shoot && mutation.has_workers() {
        mutation.set("/spec/kubernetes/kubeProxy/enabled", json!(false));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::Value;

    use super::*;
    use crate::api::extensions::ExtensionVersion;

    #[rstest]
    #[case::new(json!([{}]), false, true)]
    #[case::new_without_workers(json!([]), false, false)]
    #[case::stored(json!([{}]), true, false)]
    fn kube_proxy_is_turned_off(
        #[case] workers: Value,
        #[case] is_stored: bool,
        #[case] expected: bool,
    ) {
        let shoot =
            json!({"spec": {"networking": {"type": "cilium"}, "provider": {"workers": workers}}});
        let old = is_stored.then_some(&shoot);
        let version = ExtensionVersion::new(1, 49);
        let edits = MUTATOR
            .edits((Kind::Shoot, version), &shoot, old, &[])
            .unwrap()
            .into_iter()
            .map(|it| (it.pointer, it.value));
        let edit = ("/spec/kubernetes/kubeProxy/enabled".to_owned(), json!(false));
        let expected = Vec::from_iter(expected.then_some(edit));
        assert_eq!(edits.collect::<Vec<_>>(), expected);
    }
}
