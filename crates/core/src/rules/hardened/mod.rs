// SPDX-License-Identifier: Apache-2.0
//! Rules of diki's Security Hardened Shoot Cluster guide. Off in all profiles but `hardened`.
//!
//! They judge the state of a Shoot with every write, as diki does for a stored Shoot. Source:
//! `pkg/provider/garden/ruleset/securityhardenedshoot` of diki, version v0.2.1 of the guide.

mod alpha_features;
mod anonymous_authentication;
mod classification;
mod enablement;
mod extension_missing;
mod kernel_unprotected;
mod kubelet;
mod kubernetes_version_unsupported;
mod lakom_missing;
mod machine_image_unsupported;
mod pod_security_missing;
mod ssh_access;
mod streaming_timeout;
mod validating_webhooks_disabled;

use crate::admission::{Change, Context, Rule};
use crate::rules::shared::validation::Part;
use garden_gate_model::api::Shoot;

pub(crate) const RULES: &[&Rule] = &[
    &extension_missing::RULE,
    &kubernetes_version_unsupported::RULE,
    &machine_image_unsupported::RULE,
    &lakom_missing::RULE,
    &anonymous_authentication::RULE,
    &ssh_access::RULE,
    &alpha_features::RULE,
    &kernel_unprotected::RULE,
    &validating_webhooks_disabled::RULE,
    &streaming_timeout::RULE,
    &pod_security_missing::RULE,
];

/// The admission plugins of a Shoot.
const ADMISSION_PLUGINS: &[&str] = &["spec", "kubernetes", "kubeAPIServer", "admissionPlugins"];

/// Returns the Shoot that a request writes, unless it is being deleted.
fn written(shoot: Change<'_, Shoot>) -> Option<&Shoot> {
    let new = shoot.new?;
    new.metadata.deletion_timestamp.is_none().then_some(new)
}

/// Returns the Shoot that a request writes as it was received, unless it is being deleted.
fn received<'c>(context: &'c Context<'_>, shoot: Change<'_, Shoot>) -> Option<Part<'c>> {
    written(shoot).map(|_| Part::whole(context.new_opened()))
}
