// SPDX-License-Identifier: Apache-2.0
//! The version of Gardener by which objects are judged, and its source.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use garden_gate_model::api::GardenerVersion;

/// The source of the version of Gardener by which objects are judged. Earlier variants take precedence.
#[derive(Clone, Copy, Debug, Default, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum VersionSource {
    /// The flag `--gardener-version`.
    Flag,
    /// A component vector, of the flag `--components`.
    Components,
    /// The field `gardenerVersion` of the configuration.
    Configuration,
    /// The ConfigMap `gardener-info` of the garden.
    GardenerInfo,
    /// The newest known version, since no other source has one.
    #[default]
    Newest,
}

impl VersionSource {
    /// Returns the source as in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Flag => "flag",
            Self::Components => "components",
            Self::Configuration => "configuration",
            Self::GardenerInfo => "gardener-info",
            Self::Newest => "newest",
        }
    }
}

/// The version of Gardener by which objects are judged, with its source.
///
/// Displayed for people, as in `Gardener 1.149 (from gardener-info)`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct JudgedVersion {
    /// The version, which may be newer or older than all known ones.
    pub version: GardenerVersion,
    /// The source of the version.
    pub source: VersionSource,
}

impl JudgedVersion {
    /// Returns a note if the version is not known, so that another one judges.
    pub fn note(self) -> Option<String> {
        let (version, known) = (self.version, self.version.known());
        if version.is_newer_than_known() {
            Some(format!(
                "Gardener {version} is {} newer than the newest known version {known}, so unknown fields are undetermined; update garden-gate",
                minors(version.minors_ahead())
            ))
        } else if version < known {
            Some(format!(
                "Gardener {version} is older than the oldest known version {known}, so verdicts may differ"
            ))
        } else {
            None
        }
    }
}

/// Returns a number of minor versions for messages.
fn minors(count: u16) -> String {
    match count {
        1 => "1 minor version".to_owned(),
        count => format!("{count} minor versions"),
    }
}

/// Returns a note on a version that a garden publishes, which is not the one that judges.
pub fn note_on_published(text: &str, version: GardenerVersion) -> String {
    match version.minors_ahead() {
        0 => format!("the garden runs Gardener {text}"),
        ahead => {
            let known = GardenerVersion::NEWEST;
            format!(
                "the garden runs Gardener {text}, which is {} newer than the newest known version {known}",
                minors(ahead)
            )
        }
    }
}

impl fmt::Display for JudgedVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let source = match self.source {
            VersionSource::Flag => "from --gardener-version",
            VersionSource::Components => "from --components",
            VersionSource::Configuration => "from the configuration",
            VersionSource::GardenerInfo => "from gardener-info",
            VersionSource::Newest => "newest known",
        };
        write!(f, "Gardener {} ({source})", self.version.known())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(minor: u16) -> GardenerVersion {
        GardenerVersion::of_minor(minor)
    }

    #[test]
    fn unknown_versions_have_a_note() {
        let note = |minor| {
            let judged =
                JudgedVersion { version: version(minor), source: VersionSource::GardenerInfo };
            (judged.to_string(), judged.note())
        };
        let (name, newer) = note(151);
        assert_eq!(name, "Gardener 1.150 (from gardener-info)");
        assert_eq!(
            newer.as_deref(),
            Some(
                "Gardener 1.151 is 1 minor version newer than the newest known version 1.150, so unknown fields are undetermined; update garden-gate"
            )
        );
        let (name, older) = note(138);
        assert_eq!(name, "Gardener 1.139 (from gardener-info)");
        assert_eq!(
            older.as_deref(),
            Some(
                "Gardener 1.138 is older than the oldest known version 1.139, so verdicts may differ"
            )
        );
        assert_eq!(note(139).1, None);
        assert_eq!(note(150).1, None);
    }
}
