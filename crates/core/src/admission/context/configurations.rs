// SPDX-License-Identifier: Apache-2.0
use crate::config::Config;
use crate::garden::{ExtensionAdmission, Snapshot};
use garden_gate_model::api::extensions::{Extension, ExtensionVersion};
use garden_gate_model::gardener::extensions::{Documents, Edit, Refusal};

/// The configurations in the objects of a request, after the mutating webhooks of extensions.
#[derive(Debug, Default)]
pub struct Configurations<'a> {
    /// Those of the new object; none on DELETE.
    pub new: Documents<'a>,
    /// Those of the stored object; none on CREATE.
    pub old: Documents<'a>,
    /// The changes of mutating webhooks, with the names of their extensions.
    pub edits: Vec<(&'static str, Edit)>,
    /// The refusal of a mutating webhook, with the name of its extension; later webhooks are not called.
    pub refusal: Option<(&'static str, Refusal)>,
}

/// An extension as the landscape runs it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ExtensionUse {
    /// The version, or the oldest or newest known one.
    pub version: ExtensionVersion,
    /// Whether neither the configuration nor the garden names a version, so that the newest known one is assumed.
    pub is_assumed: bool,
    /// Whether a newer version than the known ones runs, which may have further fields.
    pub is_newer_than_known: bool,
    /// Whether an older version than the known ones runs, which is not judged.
    pub is_older_than_known: bool,
    /// The reason why its admission component is not known to judge requests; `None` if it is.
    pub not_registered: Option<String>,
}

impl ExtensionUse {
    /// Returns the version of an extension, and whether its admission component is registered.
    ///
    /// Both come from the configuration, or else from the garden.
    pub fn of(extension: &Extension, config: &Config, garden: &Snapshot) -> Self {
        let settings = config.extensions.get(extension.name);
        let version = settings.and_then(|it| it.version);
        let named = version.or_else(|| garden.extension_version(extension));
        let version = named.unwrap_or_else(|| extension.newest());
        let [oldest, newest] = extension.versions;
        let is_set = settings.and_then(|it| it.admission);
        Self {
            version: version.clamp(oldest, newest),
            is_assumed: named.is_none(),
            is_newer_than_known: version > newest,
            is_older_than_known: version < oldest,
            not_registered: why_not_registered(extension, is_set, garden),
        }
    }
}

fn why_not_registered(
    extension: &Extension,
    setting: Option<bool>,
    garden: &Snapshot,
) -> Option<String> {
    let Some(component) = extension.admission else {
        return Some(format!("`{}` has no admission component", extension.name));
    };
    match (setting, garden.extension_admission(extension)) {
        (Some(true), _) | (None, ExtensionAdmission::Registered) => None,
        (Some(false), _) => Some(format!(
            "`{component}` is not registered, according to `extensions` in the configuration"
        )),
        (None, ExtensionAdmission::Missing) => {
            Some(format!("the garden has no webhook configuration of `{component}`"))
        }
        (None, ExtensionAdmission::Unknown) => Some(format!(
            "the garden has no webhook configurations, so it is unknown whether `{component}` is registered; set `extensions.{}.admission` in the configuration",
            extension.name
        )),
    }
}
