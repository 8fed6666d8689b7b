// SPDX-License-Identifier: Apache-2.0
//! The labels that name the extensions of an object. Source: `plugin/pkg/global/extensionlabels/admission.go`.

use crate::api::Kind;
use crate::gardener::defaults::NAME_LABEL_PREFIX;

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
pub fn is_extension_label(key: &str) -> bool {
    ALL.iter().any(|prefix| key.starts_with(prefix))
}

/// Reports whether Gardener replaces a label of a kind in every write, before it validates the object.
///
/// Sources: `plugin/pkg/global/extensionlabels`, and `plugin/pkg/seed/mutator` for the labels that name Seeds.
pub fn is_replaced(kind: Kind, key: &str) -> bool {
    match kind {
        Kind::Seed => is_extension_label(key) || key.starts_with(NAME_LABEL_PREFIX),
        Kind::SecretBinding
        | Kind::CredentialsBinding
        | Kind::Shoot
        | Kind::CloudProfile
        | Kind::NamespacedCloudProfile
        | Kind::BackupBucket
        | Kind::BackupEntry
        | Kind::WorkloadIdentity => is_extension_label(key),
        // `plugin/pkg/managedseed/validator` makes them from the Shoot.
        Kind::ManagedSeed => key.starts_with(NAME_LABEL_PREFIX),
        _ => false,
    }
}
