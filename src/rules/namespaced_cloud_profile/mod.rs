//! Rules about NamespacedCloudProfiles.

pub(super) mod kubernetes_verb;
pub(super) mod machineimages_verb;
pub(super) mod providerconfig_verb;
