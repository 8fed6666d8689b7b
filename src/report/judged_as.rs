use schemars::JsonSchema;
use serde::Serialize;

use crate::api::GardenerVersion;
use crate::config::{JudgedVersion, VersionSource};
use crate::garden::PublishedVersion;

/// The version of Gardener by which the objects of a garden are judged.
#[derive(Clone, Debug, Default)]
pub struct JudgedGarden {
    /// The garden directory, if there are several.
    pub directory: String,
    /// The version, with its source.
    pub judged: JudgedVersion,
    /// The version that the garden publishes, if any.
    pub published: Option<PublishedVersion>,
    /// The version whose findings are omitted, if any.
    pub compared_with: Option<GardenerVersion>,
}

impl JudgedGarden {
    /// Returns a note if the version is not known, or the garden publishes another one.
    fn note(&self) -> Option<String> {
        let published = self.published.as_ref();
        let other = published.filter(|it| it.version != self.judged.version);
        let other = other.map(|it| format!("the garden runs Gardener {}", it.text));
        let compared = self
            .compared_with
            .map(|base| format!("findings that Gardener {base} reports, too, are omitted"));
        self.judged.note().or(compared).or(other)
    }

    /// Returns the version as a line for people, and notes.
    pub(super) fn lines(&self) -> impl Iterator<Item = String> {
        let place = match self.directory.as_str() {
            "" => String::new(),
            directory => format!(" in `{directory}`"),
        };
        let line = format!("judged as {}{place}", self.judged);
        let note = self.note().map(|note| format!("note: {note}"));
        [line].into_iter().chain(note)
    }
}

/// The version of Gardener by which objects are judged; with several gardens, that of the first.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct JudgedAs<'a> {
    gardener: String,
    /// Source of the version.
    from: VersionSource,
    /// The version of Gardener that the garden publishes.
    #[serde(skip_serializing_if = "Option::is_none")]
    garden: Option<&'a str>,
    /// In audits, the version of Gardener whose findings are omitted.
    #[serde(rename = "comparedWith", skip_serializing_if = "Option::is_none")]
    compared_with: Option<String>,
    /// A note on the difference, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// With several gardens, the version for each of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gardens: Vec<OfGarden<'a>>,
}

/// The version of Gardener by which objects are judged with one of several gardens.
#[derive(Debug, JsonSchema, Serialize)]
struct OfGarden<'a> {
    directory: &'a str,
    gardener: String,
    from: VersionSource,
}

impl<'a> JudgedAs<'a> {
    /// Returns the versions for JSON.
    pub(super) fn of(gardens: &'a [JudgedGarden]) -> Self {
        let Some(first) = gardens.first() else {
            return Self::from(JudgedVersion::default());
        };
        let each = gardens.iter().map(|it| OfGarden {
            directory: &it.directory,
            gardener: it.judged.version.known().to_string(),
            from: it.judged.source,
        });
        Self {
            garden: first.published.as_ref().map(|it| it.text.as_str()),
            compared_with: first.compared_with.map(|it| it.to_string()),
            note: first.note(),
            gardens: match gardens.len() {
                1 => Vec::new(),
                _ => each.collect(),
            },
            ..Self::from(first.judged)
        }
    }
}

impl From<JudgedVersion> for JudgedAs<'_> {
    fn from(judged: JudgedVersion) -> Self {
        Self {
            gardener: judged.version.known().to_string(),
            from: judged.source,
            garden: None,
            compared_with: None,
            note: judged.note(),
            gardens: Vec::new(),
        }
    }
}
