// SPDX-License-Identifier: Apache-2.0
use crate::api::Toleration;

/// The taint of seeds that are reserved for Gardener's own Shoots.
const PROTECTED: &str = "seed.gardener.cloud/protected";

/// Returns the toleration that Gardener adds to its own Project and Shoots.
pub fn protected() -> Toleration {
    Toleration::bare(PROTECTED)
}

/// Appends the bare `protected` toleration unless it exists; an entry with a value does not count.
pub(super) fn tolerate_protected(tolerations: &mut Vec<Toleration>) {
    let protected = protected();
    if !tolerations.contains(&protected) {
        tolerations.push(protected);
    }
}
