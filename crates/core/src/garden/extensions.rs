// SPDX-License-Identifier: Apache-2.0
//! The extensions of a landscape: their versions, and whether their admission components and gardener-admission-controller judge requests.

use super::{GardenObject, Snapshot};
use garden_gate_model::api::extensions::{Extension, ExtensionVersion};
use garden_gate_model::api::{
    ControllerDeployment, Kind, ObjectKey, Webhook, WebhookConfiguration,
};

/// The admission component of an extension, as far as the garden has its webhook configuration.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ExtensionAdmission {
    /// It has a webhook configuration in the garden.
    Registered,
    /// The garden has webhook configurations, but none of the component.
    Missing,
    /// The garden has no webhook configurations, as in a dump without them.
    Unknown,
}

/// The kinds of webhook configurations, which show the admission components of a garden.
pub const WEBHOOK_CONFIGURATIONS: [Kind; 2] =
    [Kind::MutatingWebhookConfiguration, Kind::ValidatingWebhookConfiguration];

/// The webhooks of gardener-admission-controller whose decisions about Shoots are rules.
const JUDGED_WEBHOOKS: [&str; 3] = [
    "audit-policies.gardener.cloud",
    "authentication-configuration.gardener.cloud",
    "authorization-configuration.gardener.cloud",
];

impl Snapshot {
    /// Reports whether the admission component of an extension judges requests.
    pub fn extension_admission(&self, extension: &Extension) -> ExtensionAdmission {
        self.admission(|it| is_of(it, extension))
    }

    /// Reports whether gardener-admission-controller judges the configurations of API servers.
    pub fn admission_controller(&self) -> ExtensionAdmission {
        self.admission(|it| it.webhooks.iter().any(is_judged))
    }

    /// Reports whether the garden has a webhook configuration of a component.
    fn admission(&self, is_own: impl Fn(&WebhookConfiguration) -> bool) -> ExtensionAdmission {
        let is_own = |object: &GardenObject| match object {
            GardenObject::ValidatingWebhookConfiguration(it)
            | GardenObject::MutatingWebhookConfiguration(it) => is_own(it),
            _ => false,
        };
        let mut all =
            WEBHOOK_CONFIGURATIONS.into_iter().flat_map(|kind| self.of_namespace(kind, ""));
        match all.any(is_own) {
            true => ExtensionAdmission::Registered,
            false if self.absence_is_known(Kind::ValidatingWebhookConfiguration) => {
                ExtensionAdmission::Missing
            }
            false => ExtensionAdmission::Unknown,
        }
    }

    /// Returns the version of an extension that its ControllerDeployment names; `None` if there is none.
    pub fn extension_version(&self, extension: &Extension) -> Option<ExtensionVersion> {
        let (kind, class) = extension.resource;
        let mut registrations = self.controller_registrations().ok()?;
        let registration = registrations.find(|it| {
            let mut resources = it.spec.resources.iter();
            resources.any(|it| it.kind == kind && it.class == class)
        })?;
        let mut references = registration.spec.deployment.deployment_refs.iter();
        references.find_map(|it| {
            let key = ObjectKey::named(Kind::ControllerDeployment, &it.name);
            let deployment = self.object::<ControllerDeployment>(&key)?;
            ExtensionVersion::parse(deployment.version()).ok()
        })
    }
}

/// Reports whether a webhook of gardener-admission-controller makes the decisions of rules.
pub(super) fn is_judged(webhook: &Webhook) -> bool {
    JUDGED_WEBHOOKS.contains(&webhook.name.as_str())
}

/// Reports whether the webhooks of a configuration are those of an extension.
pub(super) fn is_of(configuration: &WebhookConfiguration, extension: &Extension) -> bool {
    configuration.metadata.name == extension.webhooks || selects(configuration, &extension.label())
}

/// Reports whether a webhook is only called for objects with a label.
fn selects(configuration: &WebhookConfiguration, label: &str) -> bool {
    let mut selectors = configuration.webhooks.iter().filter_map(|it| it.object_selector.as_ref());
    selectors.any(|it| it.match_labels.get(label).is_some_and(|value| value == "true"))
}
