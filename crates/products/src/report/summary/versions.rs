use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use garden_gate_model::api::GardenerVersion;
use garden_gate_model::api::extensions::ExtensionVersion;

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
        let extensions: Vec<String> = self.extensions.iter().map(ToString::to_string).collect();
        let extensions = extensions.join(", ");
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
