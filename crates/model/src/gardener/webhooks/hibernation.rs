// SPDX-License-Identifier: Apache-2.0
//! Webhooks that can prevent the completion of a cluster's hibernation.

use std::fmt;

use super::critical::{Critical, Labels};
use super::rules::intercept;
use crate::api::Webhook;

/// A request that must succeed before gardenlet scales down a control plane.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Needed {
    operation: &'static str,
    resource: Critical,
}

const fn needed(
    operation: &'static str,
    group: &'static str,
    resource: &'static str,
    subresource: &'static str,
    is_cluster_scoped: bool,
) -> Needed {
    let resource = Critical {
        group,
        version: "v1",
        resource,
        subresource,
        is_cluster_scoped,
        namespace: Labels::Any,
        object: Labels::Any,
    };
    Needed { operation, resource }
}

/// The requests during hibernation.
///
/// HibernateControlPlane in `pkg/gardenlet/operation/botanist/controlplane.go` deletes VolumeAttachments.
/// It waits until there are no Nodes, no running Pods, and no Endpoints with addresses of Pods.
/// The garbage collector of kube-controller-manager sets the phase of Pods without a Node before it deletes them.
/// Endpoints lose an address when its Pod is deleted.
const NEEDED: [Needed; 5] = [
    needed("DELETE", "", "nodes", "", true),
    needed("DELETE", "", "pods", "", false),
    needed("DELETE", "storage.k8s.io", "volumeattachments", "", true),
    needed("UPDATE", "", "pods", "status", false),
    needed("UPDATE", "", "endpoints", "", false),
];

/// Returns the requests of a hibernation that fail once the pods behind a webhook are gone.
///
/// Gardener does not check them: its matchers skip DELETE, and only consider pods and endpoints of Gardener components.
/// Selectors are ignored, since a single matching object is sufficient. A webhook with a URL counts as outside of the
/// cluster.
pub fn stopped_by(webhook: &Webhook) -> impl Iterator<Item = Needed> {
    let config = &webhook.client_config;
    let is_inside = config.as_ref().is_none_or(|config| config.url.is_none());
    let fails_closed = matches!(webhook.failure_policy.as_deref(), None | Some("Fail"));
    NEEDED.into_iter().filter(move |Needed { operation, resource }| {
        is_inside && fails_closed && intercept(&webhook.rules, operation, resource)
    })
}

/// Formats the request for users: ``DELETE of `pods` ``.
impl fmt::Display for Needed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of `{}`", self.operation, self.resource)
    }
}
