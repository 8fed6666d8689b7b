//! Webhooks that can keep the hibernation of a cluster from coming to its end.

use std::fmt;

use super::critical::{Critical, Labels};
use super::rules::intercept;
use crate::model::Webhook;

/// A request that has to succeed before gardenlet scales a control plane down.
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
    Needed {
        operation,
        resource,
    }
}

/// HibernateControlPlane in `pkg/gardenlet/operation/botanist/controlplane.go` waits until there are no Nodes, no running Pods, and no
/// Endpoints with addresses of Pods, and deletes VolumeAttachments. The garbage collector of kube-controller-manager sets the phase of
/// Pods without a Node before it deletes them, and Endpoints lose an address when its Pod is deleted.
const NEEDED: [Needed; 5] = [
    needed("DELETE", "", "nodes", "", true),
    needed("DELETE", "", "pods", "", false),
    needed("DELETE", "storage.k8s.io", "volumeattachments", "", true),
    needed("UPDATE", "", "pods", "status", false),
    needed("UPDATE", "", "endpoints", "", false),
];

/// The requests of a hibernation that are refused once the pods behind a webhook are gone.
///
/// Gardener does not look at them: its matchers skip DELETE, and look at pods and endpoints only where its own components are. Selectors
/// do not count, as it takes a single object that they match. A webhook with a URL is taken to be outside of the cluster.
pub fn stopped_by(webhook: &Webhook) -> impl Iterator<Item = Needed> {
    let config = &webhook.client_config;
    let is_inside = config.as_ref().is_none_or(|config| config.url.is_none());
    let fails_closed = matches!(webhook.failure_policy.as_deref(), None | Some("Fail"));
    NEEDED.into_iter().filter(
        move |Needed {
                  operation,
                  resource,
              }| {
            is_inside && fails_closed && intercept(&webhook.rules, operation, resource)
        },
    )
}

/// For people: ``DELETE of `pods` ``.
impl fmt::Display for Needed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of `{}`", self.operation, self.resource)
    }
}
