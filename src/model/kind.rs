use std::fmt;

use serde::Serialize;

use super::{CORE_GROUP, CORE_VERSION};

/// A kind that requests can be about: Gardener's own, and those of a Shoot cluster that can stand in Gardener's way.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub enum Kind {
    /// A managed cluster.
    Shoot,
    /// A team's namespace and rights.
    Project,
    /// Versions, images and machine types on offer.
    CloudProfile,
    /// A project's overlay of a CloudProfile.
    NamespacedCloudProfile,
    /// A cluster that hosts control planes.
    Seed,
    /// What is kept of a Shoot while its control plane moves.
    ShootState,
    /// Credentials that Shoots may use, as a Secret.
    SecretBinding,
    /// Credentials that Shoots may use.
    CredentialsBinding,
    /// Webhooks of a Shoot cluster that judge.
    ValidatingWebhookConfiguration,
    /// Webhooks of a Shoot cluster that change objects.
    MutatingWebhookConfiguration,
    /// Pods of a Shoot cluster, one on each node.
    DaemonSet,
    /// Pods of a Shoot cluster.
    Deployment,
    /// A pod of a Shoot cluster.
    Pod,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 13] = [
        Kind::Shoot,
        Kind::Project,
        Kind::CloudProfile,
        Kind::NamespacedCloudProfile,
        Kind::Seed,
        Kind::ShootState,
        Kind::SecretBinding,
        Kind::CredentialsBinding,
        Kind::ValidatingWebhookConfiguration,
        Kind::MutatingWebhookConfiguration,
        Kind::DaemonSet,
        Kind::Deployment,
        Kind::Pod,
    ];

    /// The kind behind a resource; `None` for anything that is never judged.
    #[must_use]
    pub fn of_resource(group: &str, version: &str, resource: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.resource() == resource && kind.api() == (group, version))
    }

    /// The API group and version.
    #[must_use]
    pub fn api(self) -> (&'static str, &'static str) {
        match self {
            Kind::Shoot
            | Kind::Project
            | Kind::CloudProfile
            | Kind::NamespacedCloudProfile
            | Kind::Seed
            | Kind::ShootState
            | Kind::SecretBinding => (CORE_GROUP, CORE_VERSION),
            Kind::CredentialsBinding => ("security.gardener.cloud", "v1alpha1"),
            Kind::ValidatingWebhookConfiguration | Kind::MutatingWebhookConfiguration => {
                ("admissionregistration.k8s.io", "v1")
            }
            Kind::DaemonSet | Kind::Deployment => ("apps", "v1"),
            Kind::Pod => ("", "v1"),
        }
    }

    /// Whether objects of this kind live in Shoot clusters, not in the garden.
    #[must_use]
    pub fn is_of_shoot_cluster(self) -> bool {
        match self {
            Kind::Shoot
            | Kind::Project
            | Kind::CloudProfile
            | Kind::NamespacedCloudProfile
            | Kind::Seed
            | Kind::ShootState
            | Kind::SecretBinding
            | Kind::CredentialsBinding => false,
            Kind::ValidatingWebhookConfiguration
            | Kind::MutatingWebhookConfiguration
            | Kind::DaemonSet
            | Kind::Deployment
            | Kind::Pod => true,
        }
    }

    /// The plural, lower-case resource name.
    #[must_use]
    pub fn resource(self) -> &'static str {
        match self {
            Kind::Shoot => "shoots",
            Kind::Project => "projects",
            Kind::CloudProfile => "cloudprofiles",
            Kind::NamespacedCloudProfile => "namespacedcloudprofiles",
            Kind::Seed => "seeds",
            Kind::ShootState => "shootstates",
            Kind::SecretBinding => "secretbindings",
            Kind::CredentialsBinding => "credentialsbindings",
            Kind::ValidatingWebhookConfiguration => "validatingwebhookconfigurations",
            Kind::MutatingWebhookConfiguration => "mutatingwebhookconfigurations",
            Kind::DaemonSet => "daemonsets",
            Kind::Deployment => "deployments",
            Kind::Pod => "pods",
        }
    }

    /// Whether objects of the kind are in a namespace.
    #[must_use]
    pub fn is_namespaced(self) -> bool {
        match self {
            Kind::Shoot
            | Kind::NamespacedCloudProfile
            | Kind::ShootState
            | Kind::SecretBinding
            | Kind::CredentialsBinding
            | Kind::DaemonSet
            | Kind::Deployment
            | Kind::Pod => true,
            Kind::Project
            | Kind::CloudProfile
            | Kind::Seed
            | Kind::ValidatingWebhookConfiguration
            | Kind::MutatingWebhookConfiguration => false,
        }
    }

    /// The kind as written in manifests.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Shoot => "Shoot",
            Kind::Project => "Project",
            Kind::CloudProfile => "CloudProfile",
            Kind::NamespacedCloudProfile => "NamespacedCloudProfile",
            Kind::Seed => "Seed",
            Kind::ShootState => "ShootState",
            Kind::SecretBinding => "SecretBinding",
            Kind::CredentialsBinding => "CredentialsBinding",
            Kind::ValidatingWebhookConfiguration => "ValidatingWebhookConfiguration",
            Kind::MutatingWebhookConfiguration => "MutatingWebhookConfiguration",
            Kind::DaemonSet => "DaemonSet",
            Kind::Deployment => "Deployment",
            Kind::Pod => "Pod",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
