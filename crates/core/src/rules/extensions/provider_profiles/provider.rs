// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::entries::check_entries;
use super::mapping::check_mapping;
use super::namespaced::{Inherited, NamespacedImages, check_namespaced};
use super::spec_images::SpecImages;
use super::{Definitions, JudgedVersion, provided_images};
use crate::admission::{Change, Context, FieldPath, FindingKind, Findings};
use crate::rules::extensions::{CommonFindings, Component, Failure};
use garden_gate_model::api::extensions::{ConfigurationPlace, Extension, ExtensionVersion};
use garden_gate_model::api::{CloudProfile, NamespacedCloudProfile};
use garden_gate_model::gardener::extensions::capability_flavors::{ProviderConfig, ProviderImage};

/// A provider whose admission component judges profiles.
pub(crate) struct ProviderProfiles {
    pub(crate) extension: &'static Extension,
    /// The providerConfig cannot be decoded. The mutating webhook refuses nothing else.
    pub(crate) undecodable: &'static FindingKind,
    /// An entry of the providerConfig is invalid.
    pub(crate) invalid: &'static FindingKind,
    /// The machine images differ from those in the providerConfig.
    pub(crate) unmapped: &'static FindingKind,
}

/// A CloudProfile of a provider, with its decoded providerConfig.
pub(crate) struct JudgedProfile<'c, 'a, C> {
    pub(crate) profile: &'c CloudProfile,
    pub(crate) config: C,
    component: Component<'c, 'a>,
    provider: &'static ProviderProfiles,
}

/// A NamespacedCloudProfile of a provider, with its decoded providerConfig and its parent.
pub(crate) struct JudgedNamespacedProfile<'c, 'a, C> {
    pub(crate) profile: &'c NamespacedCloudProfile,
    pub(crate) parent: Arc<CloudProfile>,
    pub(crate) config: C,
    component: Component<'c, 'a>,
    provider: &'static ProviderProfiles,
}

impl ProviderProfiles {
    /// Decodes the providerConfig of a CloudProfile; `None` if the component does not judge it, or it is refused.
    ///
    /// A CloudProfile without providerConfig is refused with the finding and help in `missing`.
    pub(crate) fn cloud_profile<'c, 'a, C: DeserializeOwned>(
        &'static self,
        context: &'c Context<'a>,
        change: Change<'c, CloudProfile>,
        (missing, help): (&'static FindingKind, &str),
        findings: &mut Findings,
    ) -> Option<JudgedProfile<'c, 'a, C>> {
        let (_, class) = self.extension.resource;
        let profile = change.new.filter(|it| it.spec.kind == class)?;
        let component = Component::begin(context, self.extension, self.common(), findings)?;
        let documents = component.new_documents();
        let Some(document) = documents.at(ConfigurationPlace::CloudProfile) else {
            let place = FieldPath::new("spec.providerConfig");
            let message = format!("a CloudProfile of type `{class}` has no `providerConfig`");
            findings.required(missing, place, message).help(help);
            return None;
        };
        let config = component.decode(document, &self.failure(), findings)?;
        Some(JudgedProfile { profile, config, component, provider: self })
    }

    /// Decodes the providerConfig of a NamespacedCloudProfile; `None` if the component does not judge it, or it is refused.
    ///
    /// The component judges them from the version `since`, and not during deletion.
    pub(crate) fn namespaced<'c, 'a, C: DeserializeOwned + Default>(
        &'static self,
        context: &'c Context<'a>,
        change: Change<'c, NamespacedCloudProfile>,
        since: ExtensionVersion,
        findings: &mut Findings,
    ) -> Option<JudgedNamespacedProfile<'c, 'a, C>> {
        let is_kept = |it: &&NamespacedCloudProfile| it.metadata.deletion_timestamp.is_none();
        let profile = change.new.filter(is_kept)?;
        // `namespacedcloudprofile/parent-missing` reports a parent that does not exist or is unknown.
        let parent = context.parent_profile().ok().flatten()?;
        let (_, class) = self.extension.resource;
        if parent.spec.kind != class {
            return None;
        }
        let component = Component::begin(context, self.extension, self.common(), findings)?;
        if component.version() < since {
            return None;
        }
        let config = match component.new_documents().at(ConfigurationPlace::CloudProfile) {
            None => C::default(),
            Some(document) => component.decode(document, &self.failure(), findings)?,
        };
        Some(JudgedNamespacedProfile { profile, parent, config, component, provider: self })
    }

    fn common(&self) -> CommonFindings {
        CommonFindings { undecodable: self.undecodable, failure: self.undecodable }
    }

    fn failure(&self) -> Failure {
        Failure::without_field(self.undecodable)
    }
}

impl<C: ProviderConfig> JudgedProfile<'_, '_, C>
where
    <C::Image as ProviderImage>::Version: JudgedVersion,
{
    /// Returns the version of the extension.
    pub(crate) fn version(&self) -> ExtensionVersion {
        self.component.version()
    }

    /// Checks that the providerConfig has machine images; returns whether it has.
    pub(crate) fn check_any(&self, findings: &mut Findings) -> bool {
        let has_any = !self.config.images().is_empty();
        if !has_any {
            let message = "the providerConfig maps no machine images";
            findings
                .required(self.provider.invalid, provided_images(), message)
                .help("map each image of `spec.machineImages`");
        }
        has_any
    }

    /// Checks the entries of the providerConfig.
    pub(crate) fn check_entries(&self, defined: &Definitions<'_>, findings: &mut Findings) {
        check_entries(self.config.images(), defined, self.provider.invalid, findings);
    }

    /// Compares `spec.machineImages` with the providerConfig.
    pub(crate) fn check_mapping(&self, defined: &Definitions<'_>, findings: &mut Findings) {
        let spec = SpecImages::of(&self.profile.spec.machine_images, self.component.edits());
        let images = self.config.images();
        check_mapping(&spec, images, defined, self.provider.unmapped, findings);
    }
}

impl<C: ProviderConfig> JudgedNamespacedProfile<'_, '_, C>
where
    <C::Image as ProviderImage>::Version: JudgedVersion,
{
    /// Returns the version of the extension.
    pub(crate) fn version(&self) -> ExtensionVersion {
        self.component.version()
    }

    /// Checks the entries of the providerConfig, and compares them with the machine images that the profile adds to its parent's.
    ///
    /// `allows_overrides` and `inherited` are those of [`NamespacedImages`].
    pub(crate) fn check_images(
        &self,
        defined: &Definitions<'_>,
        (allows_overrides, inherited): (bool, Inherited),
        findings: &mut Findings,
    ) {
        let images = self.config.images();
        check_entries(images, defined, self.provider.invalid, findings);
        let added = NamespacedImages {
            spec: SpecImages::of(&self.profile.spec.machine_images, self.component.edits()),
            parent: &self.parent.spec.machine_images,
            allows_overrides,
            inherited,
        };
        check_namespaced(&added, images, defined, self.provider.unmapped, findings);
    }
}
