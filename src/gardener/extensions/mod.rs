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
    cilium::MUTATOR,
    gcp::MUTATOR,
    gcp_profile::MUTATOR,
    azure::MUTATOR,
    azure_profile::MUTATOR,
    cilium::MUTATOR,
    dns_service::MUTATOR,
    openstack::MUTATOR,
    openstack_profile::MUTATOR,
];
