// SPDX-License-Identifier: Apache-2.0
use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::report::Reviewed;
use crate::report::truncation::{and_more, counted, number_of};
use garden_gate_core::admission::Verdict;
use garden_gate_core::config::ChangedComponent;
use garden_gate_model::api::GardenerVersion;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_text::go::clip;

/// The version of an extension by which its configurations are judged. Displayed as `aws 1.74`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct JudgedExtension {
    /// The name of the extension.
    pub name: &'static str,
    /// The version.
    pub version: ExtensionVersion,
}

/// Versions that are compared with other ones. Displayed as `Gardener 1.145 with aws 1.70`.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ComparedVersions {
    /// The version of Gardener, if it is one of those that differ.
    pub gardener: Option<GardenerVersion>,
    /// The versions of extensions that differ.
    pub extensions: Vec<JudgedExtension>,
}

/// The components whose versions a change modifies, and the stored objects that the new versions judge.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct ChangedVersions {
    /// The components, by name.
    pub changed: Vec<ChangedVersion>,
    /// Counts of stored objects; findings that the old versions report, too, do not count.
    pub stored: StoredCounts,
}

/// A component whose version a change modifies.
#[derive(Clone, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangedVersion {
    /// The name of the component.
    pub name: String,
    /// The old version; `null` if the component is new.
    pub old: Option<String>,
    /// The new version; `null` if the component is removed.
    pub new: Option<String>,
    /// Whether the component is Gardener or an extension with rules.
    pub is_judged: bool,
}

/// Counts of stored objects by verdict of the new versions.
#[derive(Clone, Copy, Debug, Default, JsonSchema, Serialize)]
pub struct StoredCounts {
    /// The number of all objects.
    pub objects: usize,
    /// The number of objects that would be refused on some occasion.
    denied: usize,
    /// The number of other objects for which a check that can refuse is undetermined.
    undetermined: usize,
    /// The number of remaining objects with findings.
    warned: usize,
}

impl StoredCounts {
    /// Counts one more object.
    pub(super) fn add(&mut self, object: &Reviewed) {
        self.objects += 1;
        match object.verdict() {
            Verdict::Denied => self.denied += 1,
            Verdict::Undetermined => self.undetermined += 1,
            Verdict::Allowed if object.is_remarkable() => self.warned += 1,
            Verdict::Allowed => {}
        }
    }
}

/// Maximum number of components in a line; JSON has all.
const COMPONENTS: usize = 20;

impl ChangedVersions {
    /// Formats what a person must know first, as Markdown; `None` if there is nothing.
    pub(super) fn headline(&self) -> Option<String> {
        let StoredCounts { denied, undetermined, .. } = self.stored;
        let are = |count, what: &str| {
            let counted = counted(count, "stored object", "stored objects")?;
            Some(format!("**{counted} {what} with the new versions**"))
        };
        are(denied, "would be refused").or_else(|| are(undetermined, "undetermined"))
    }

    /// Formats the components and the counts, one line each.
    pub(super) fn lines(&self) -> impl Iterator<Item = String> {
        let list = |is_judged: bool| {
            let changed = self.changed.iter().filter(move |it| it.is_judged == is_judged);
            let mut names: Vec<String> = changed.map(ToString::to_string).collect();
            let more = names.len().saturating_sub(COMPONENTS);
            names.truncate(COMPONENTS);
            names.extend((more > 0).then(|| and_more(more)));
            (!names.is_empty()).then(|| names.join(", "))
        };
        let judged = list(true).map(|it| format!("changed versions: {it}"));
        let others = list(false).map(|it| format!("changed versions without rules: {it}"));
        let StoredCounts { objects, denied, undetermined, warned } = self.stored;
        let says: Vec<String> = [
            counted(denied, "would be refused", "would be refused"),
            counted(undetermined, "is undetermined", "are undetermined"),
            counted(warned, "has warnings", "have warnings"),
        ]
        .into_iter()
        .flatten()
        .collect();
        let says = if says.is_empty() { "no new findings".to_owned() } else { says.join(", ") };
        let objects = number_of(objects, "stored object", "stored objects");
        let stored = (self.stored.objects > 0)
            .then(|| format!("with the new versions, of {objects}: {says}"));
        [judged, others, stored].into_iter().flatten()
    }
}

impl ChangedVersion {
    /// Returns a changed component.
    pub fn of(component: &ChangedComponent<'_>) -> Self {
        Self {
            name: component.name.to_owned(),
            old: component.old.map(str::to_owned),
            new: component.new.map(str::to_owned),
            is_judged: component.is_judged(),
        }
    }
}

/// Displayed as `gardener v1.148.4 to v1.150.0`.
impl fmt::Display for ChangedVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |text: &str| clip(text, LONGEST);
        let name = short(self.name.rsplit('/').next().unwrap_or_default());
        match (&self.old, &self.new) {
            (Some(old), Some(new)) => write!(f, "{name} {} to {}", short(old), short(new)),
            (None, Some(new)) => write!(f, "{name} {} (new)", short(new)),
            (Some(old), None) => write!(f, "{name} {} (removed)", short(old)),
            (None, None) => f.write_str(&name),
        }
    }
}

/// Maximum size of a name or version in bytes.
const LONGEST: usize = 100;

impl ComparedVersions {
    /// Reports whether there is no version.
    pub fn is_empty(&self) -> bool {
        self.gardener.is_none() && self.extensions.is_empty()
    }
}

impl fmt::Display for JudgedExtension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.version)
    }
}

impl fmt::Display for ComparedVersions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let extensions =
            self.extensions.iter().map(ToString::to_string).collect::<Vec<String>>().join(", ");
        match (self.gardener, extensions.as_str()) {
            (Some(gardener), "") => write!(f, "Gardener {gardener}"),
            (Some(gardener), extensions) => write!(f, "Gardener {gardener} with {extensions}"),
            (None, extensions) => f.write_str(extensions),
        }
    }
}

/// The version of an extension that a flag sets.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct OfExtension {
    /// The name of the extension.
    name: &'static str,
    /// The minor version, such as `1.74`.
    version: String,
    /// In audits, the version whose findings are omitted.
    #[serde(rename = "comparedWith", skip_serializing_if = "Option::is_none")]
    compared_with: Option<String>,
}

impl OfExtension {
    /// Returns the version for JSON, with that of `compared`.
    pub(crate) fn of(judged: &JudgedExtension, compared: Option<&ComparedVersions>) -> Self {
        let mut others = compared.into_iter().flat_map(|it| &it.extensions);
        let other = others.find(|it| it.name == judged.name);
        Self {
            name: judged.name,
            version: judged.version.to_string(),
            compared_with: other.map(|it| it.version.to_string()),
        }
    }
}
