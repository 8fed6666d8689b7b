// SPDX-License-Identifier: Apache-2.0
//! APIs that versions of Kubernetes no longer serve.

use garden_gate_model::api::kubernetes::Tables;
use garden_gate_text::go::{Version, is_at_least};

/// The newest known minor version of Kubernetes.
const NEWEST: (u64, u64) = (1, 37);

/// An API that a version of Kubernetes does not serve.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Removal {
    /// The minor version that serves it no longer, such as `1.25`.
    pub(crate) by: String,
    /// The version of the API to use instead; `None` if there is none.
    pub(crate) replacement: Option<&'static str>,
}

/// API versions that were served by default: the version, its kinds (all if empty), the minor version of Kubernetes 1 that
/// serves them no longer, and the replacement.
///
/// From the deprecation guide of Kubernetes, and from the life cycles in `staging/src/k8s.io/api`. Tables of Gardener list
/// versions of an API for as long as API servers know them, also if they do not serve them.
#[rustfmt::skip]
const REMOVED: [(&str, &[&str], u64, Option<&str>); 37] = [
    ("admissionregistration.k8s.io/v1beta1", &["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"], 22, Some("admissionregistration.k8s.io/v1")),
    ("admissionregistration.k8s.io/v1beta1", &["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"], 34, Some("admissionregistration.k8s.io/v1")),
    ("apiextensions.k8s.io/v1beta1", &[], 22, Some("apiextensions.k8s.io/v1")),
    ("apiregistration.k8s.io/v1beta1", &[], 22, Some("apiregistration.k8s.io/v1")),
    ("apps/v1beta1", &[], 16, Some("apps/v1")),
    ("apps/v1beta2", &[], 16, Some("apps/v1")),
    ("authentication.k8s.io/v1beta1", &["TokenReview"], 22, Some("authentication.k8s.io/v1")),
    ("authorization.k8s.io/v1beta1", &[], 22, Some("authorization.k8s.io/v1")),
    ("autoscaling/v2beta1", &[], 25, Some("autoscaling/v2")),
    ("autoscaling/v2beta2", &[], 26, Some("autoscaling/v2")),
    ("batch/v1beta1", &[], 25, Some("batch/v1")),
    ("certificates.k8s.io/v1beta1", &["CertificateSigningRequest"], 22, Some("certificates.k8s.io/v1")),
    ("coordination.k8s.io/v1beta1", &["Lease"], 22, Some("coordination.k8s.io/v1")),
    ("discovery.k8s.io/v1beta1", &[], 25, Some("discovery.k8s.io/v1")),
    ("events.k8s.io/v1beta1", &[], 25, Some("events.k8s.io/v1")),
    ("extensions/v1beta1", &["DaemonSet", "Deployment", "ReplicaSet"], 16, Some("apps/v1")),
    ("extensions/v1beta1", &["NetworkPolicy"], 16, Some("networking.k8s.io/v1")),
    ("extensions/v1beta1", &["PodSecurityPolicy"], 16, None),
    ("extensions/v1beta1", &["Ingress"], 22, Some("networking.k8s.io/v1")),
    ("flowcontrol.apiserver.k8s.io/v1beta1", &[], 26, Some("flowcontrol.apiserver.k8s.io/v1")),
    ("flowcontrol.apiserver.k8s.io/v1beta2", &[], 29, Some("flowcontrol.apiserver.k8s.io/v1")),
    ("flowcontrol.apiserver.k8s.io/v1beta3", &[], 32, Some("flowcontrol.apiserver.k8s.io/v1")),
    ("networking.k8s.io/v1beta1", &["Ingress"], 22, Some("networking.k8s.io/v1")),
    ("networking.k8s.io/v1beta1", &["IngressClass"], 22, Some("networking.k8s.io/v1")),
    ("networking.k8s.io/v1beta1", &["IPAddress"], 37, Some("networking.k8s.io/v1")),
    ("networking.k8s.io/v1beta1", &["ServiceCIDR"], 37, Some("networking.k8s.io/v1")),
    ("node.k8s.io/v1beta1", &[], 25, Some("node.k8s.io/v1")),
    ("policy/v1beta1", &["PodDisruptionBudget"], 25, Some("policy/v1")),
    ("policy/v1beta1", &["PodSecurityPolicy"], 25, None),
    ("rbac.authorization.k8s.io/v1beta1", &[], 22, Some("rbac.authorization.k8s.io/v1")),
    ("scheduling.k8s.io/v1beta1", &["PriorityClass"], 22, Some("scheduling.k8s.io/v1")),
    ("storage.k8s.io/v1beta1", &["CSIDriver"], 22, Some("storage.k8s.io/v1")),
    ("storage.k8s.io/v1beta1", &["CSINode"], 22, Some("storage.k8s.io/v1")),
    ("storage.k8s.io/v1beta1", &["StorageClass"], 22, Some("storage.k8s.io/v1")),
    ("storage.k8s.io/v1beta1", &["VolumeAttachment"], 22, Some("storage.k8s.io/v1")),
    ("storage.k8s.io/v1beta1", &["CSIStorageCapacity"], 27, Some("storage.k8s.io/v1")),
    ("storage.k8s.io/v1beta1", &["VolumeAttributesClass"], 37, Some("storage.k8s.io/v1")),
];

/// Returns the removal of a kind's API version up to a version of Kubernetes; `None` if that version serves it, or if the
/// API is not one of Kubernetes.
///
/// # Errors
/// Fails with the reason if the version of Kubernetes is unknown.
pub(crate) fn removal(
    api_version: &str,
    kind: &str,
    kubernetes: &str,
) -> Result<Option<Removal>, String> {
    if Version::parse(kubernetes).is_err() {
        return Err(format!("the version of Kubernetes after the change, `{kubernetes}`"));
    }
    let (major, minor) = NEWEST;
    if is_at_least(kubernetes, major, minor + 1) {
        return Err(format!(
            "the APIs of Kubernetes {kubernetes}; the newest known version is {major}.{minor}, so update garden-gate"
        ));
    }
    let listed = REMOVED.iter().find(|(version, kinds, ..)| {
        *version == api_version && (kinds.is_empty() || kinds.contains(&kind))
    });
    if let Some((_, _, minor, replacement)) = listed {
        let removal = Removal { by: format!("1.{minor}"), replacement: *replacement };
        return Ok(is_at_least(kubernetes, 1, *minor).then_some(removal));
    }
    let apis = Tables::newest().apis;
    let resource = kind.to_lowercase();
    let plurals = ["s", "es"].map(|ending| format!("{api_version}/{resource}{ending}"));
    let mut entries = plurals.iter().map(String::as_str).chain([api_version]);
    let by = entries.find_map(|it| apis.get(it)?.removed_by(kubernetes));
    Ok(by.map(|by| Removal { by, replacement: None }))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::budget("policy/v1beta1", "PodDisruptionBudget", "1.25.0", Some("1.25"))]
    #[case::budget_before("policy/v1beta1", "PodDisruptionBudget", "1.24.9", None)]
    #[case::listed_kind_before("networking.k8s.io/v1beta1", "IPAddress", "1.36.1", None)]
    #[case::listed_kind("networking.k8s.io/v1beta1", "ServiceCIDR", "1.37.0", Some("1.37"))]
    #[case::other_kind("storage.k8s.io/v1beta1", "VolumeAttributesClass", "1.36.2", None)]
    #[case::other_kind_later(
        "storage.k8s.io/v1beta1",
        "VolumeAttributesClass",
        "1.37.0",
        Some("1.37")
    )]
    #[case::served("apps/v1", "Deployment", "1.37.0", None)]
    #[case::of_a_table("scheduling.k8s.io/v1alpha2", "PodGroup", "1.37.0", Some("1.37"))]
    #[case::resource_of_a_table(
        "certificates.k8s.io/v1alpha1",
        "PodCertificateRequest",
        "1.35.1",
        Some("1.35")
    )]
    #[case::custom("example.com/v1beta1", "Ingress", "1.37.0", None)]
    fn removal_is_that_of_the_kind(
        #[case] api_version: &str,
        #[case] kind: &str,
        #[case] kubernetes: &str,
        #[case] by: Option<&str>,
    ) {
        let removal = removal(api_version, kind, kubernetes).unwrap();
        assert_eq!(removal.map(|it| it.by).as_deref(), by);
    }

    #[rstest]
    #[case::empty("")]
    #[case::no_version("latest")]
    #[case::too_new("1.38.0")]
    #[case::huge("1.99999999999999999999.0")]
    fn removal_is_unknown_without_a_known_version(#[case] kubernetes: &str) {
        assert!(removal("apps/v1", "Deployment", kubernetes).is_err());
    }
}
