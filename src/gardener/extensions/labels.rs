//! The labels that name the extensions of an object. Source: `plugin/pkg/global/extensionlabels/admission.go`.

use crate::api::Kind;

/// The prefix of labels for extensions of type `Extension`.
pub const EXTENSION: &str = "extensions.extensions.gardener.cloud/";
/// The prefix of labels for the types of providers.
pub const PROVIDER: &str = "provider.extensions.gardener.cloud/";
/// The prefix of labels for the types of DNS providers.
pub const DNS: &str = "dnsrecord.extensions.gardener.cloud/";
/// The prefix of labels for the types of networks.
pub const NETWORK: &str = "networking.extensions.gardener.cloud/";
/// The prefix of labels for the names of machine images.
pub const SYSTEM: &str = "operatingsystemconfig.extensions.gardener.cloud/";
/// The prefix of labels for the types of container runtimes.
pub const RUNTIME: &str = "containerruntime.extensions.gardener.cloud/";
/// The prefix of labels for the types of exposure of a control plane.
pub const EXPOSURE: &str = "selfhostedshootexposure.extensions.gardener.cloud/";

const ALL: [&str; 7] = [EXTENSION, PROVIDER, DNS, NETWORK, SYSTEM, RUNTIME, EXPOSURE];

/// Reports whether a label names an extension.
#[must_use]
pub fn is_extension_label(key: &str) -> bool {
    ALL.iter().any(|prefix| key.starts_with(prefix))
}

/// Reports whether Gardener replaces the extension labels of a kind in every write, before it validates the object.
#[must_use]
pub fn has_extension_labels(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Seed
            | Kind::SecretBinding
            | Kind::CredentialsBinding
            | Kind::Shoot
            | Kind::CloudProfile
            | Kind::NamespacedCloudProfile
    )
}
