// SPDX-License-Identifier: Apache-2.0
//! What the mutating webhooks of extensions do with configurations.
//!
//! An API server calls them before it validates an object, so that the validating webhooks of extensions see their changes.

mod alicloud;
mod alicloud_profile;
mod aws;
pub mod aws_profile;
mod azure;
pub mod azure_profile;
pub mod capability_flavors;
mod cilium;
mod decoding;
mod dns_service;
mod documents;
mod enabled;
mod gcp;
pub mod gcp_profile;
pub mod labels;
mod mutation;
mod openstack;
pub mod openstack_profile;
mod shoot_mutation;

pub use documents::{Document, DocumentHeader, Documents};
pub use enabled::enabled_types;
pub use mutation::{Edit, Mutation, Mutator, Refusal};

/// The mutating webhooks, by the names of their configurations, in which order an API server calls them.
pub static MUTATORS: &[Mutator] = &[
    alicloud::MUTATOR,
    alicloud_profile::MUTATOR,
    aws::MUTATOR,
    aws_profile::MUTATOR,
    azure::MUTATOR,
    azure_profile::MUTATOR,
    cilium::MUTATOR,
    gcp::MUTATOR,
    gcp_profile::MUTATOR,
    openstack::MUTATOR,
    openstack_profile::MUTATOR,
    dns_service::MUTATOR,
];

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{Mutator, alicloud, azure, gcp};
    use crate::api::Kind;
    use crate::api::extensions::ExtensionVersion;

    #[rstest]
    #[case::alicloud_without_workers(&alicloud::MUTATOR, 74, json!({
        "spec": {"provider": {"type": "alicloud"}, "networking": {"type": "calico", "providerConfig": {}}},
    }))]
    #[case::gcp_without_workers(&gcp::MUTATOR, 54, json!({
        "spec": {"provider": {"type": "gcp"}, "networking": {"type": "calico", "providerConfig": {}}},
    }))]
    #[case::azure_in_deletion(&azure::MUTATOR, 62, json!({
        "metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z"},
        "spec": {
            "provider": {"type": "azure", "workers": [{}]},
            "networking": {"type": "cilium", "providerConfig": {}},
        },
    }))]
    #[case::azure_with_another_provider(&azure::MUTATOR, 62, json!({
        "spec": {
            "provider": {"type": "other", "workers": [{}]},
            "networking": {"type": "cilium", "providerConfig": {}},
        },
    }))]
    fn network_stays(#[case] mutator: &Mutator, #[case] minor: u16, #[case] shoot: Value) {
        let version = ExtensionVersion::new(1, minor);
        let edits = mutator.edits((Kind::Shoot, version), &shoot, None, &[]);
        assert_eq!(edits, Ok(vec![]));
    }
}
