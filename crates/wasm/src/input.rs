// SPDX-License-Identifier: Apache-2.0
//! Inputs, and their limits.

use std::fmt;
use std::path::PathBuf;

use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use garden_gate_core::config::Profile;
use garden_gate_products::review::Manifest;
use garden_gate_text::time_or_date;

/// Maximum size of a file in bytes, as in the program.
const MAX_FILE: usize = 64 << 20;
/// Maximum size of a JSON input in bytes, so that a review fits into the 4 GiB of memory that WebAssembly has.
pub(crate) const MAX_INPUT: usize = 64 << 20;
/// Maximum size of the texts of GardenPolicies in bytes, as in the program.
const MAX_POLICIES: usize = 16 << 20;
/// Maximum length of a forecast in days, as in the program.
const MAX_DAYS: u32 = 10 * 365;

/// An error, as one message.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct Error(String);

impl Error {
    /// Returns an error with a message.
    pub(crate) fn new(message: impl fmt::Display) -> Self {
        Self(message.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::new(error)
    }
}

/// Parses an input.
///
/// # Errors
/// Fails if it is too large, or is not JSON of this type.
pub(crate) fn parse<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    if text.len() > MAX_INPUT {
        let (size, most) = (text.len().div_ceil(1 << 20), MAX_INPUT >> 20);
        return Err(Error(format!(
            "the input has {size} MiB; the limit is {most} MiB: pass fewer or smaller files"
        )));
    }
    serde_json::from_str(text).map_err(|error| Error(format!("the input is not valid: {error}")))
}

/// A file with its text.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct InputFile {
    /// The name, for messages and positions.
    pub(crate) name: String,
    /// The text: YAML or JSON, also with several objects.
    pub(crate) text: String,
}

/// A manifest to review.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct InputManifest {
    /// The name, for messages and positions.
    pub(crate) name: String,
    /// The text: YAML or JSON, also with several objects. The text of a deleted file is empty.
    pub(crate) text: String,
    /// The text before the change; absent for a new file, or if nothing is compared.
    #[serde(default)]
    pub(crate) old: Option<String>,
}

/// The garden, the user and the configuration of reviews.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct SessionInput {
    /// The objects of the garden, such as the files of `garden-gate dump`; absent if nothing is known of it, so that rules
    /// that look up objects are undetermined.
    pub(crate) garden: Option<GardenInput>,
    /// The configuration file of garden-gate.
    pub(crate) config: Option<InputFile>,
    /// Files with GardenPolicies.
    pub(crate) policies: Vec<InputFile>,
    /// The requesting user, as `--as`; absent if needed permissions are noted, not judged.
    pub(crate) user: Option<String>,
    /// The groups of the user, as `--as-group`.
    pub(crate) groups: Vec<String>,
    /// The namespace of manifests without one.
    pub(crate) namespace: Option<String>,
    /// The version of Gardener, such as `1.145`; absent for that of the configuration or the garden.
    pub(crate) gardener_version: Option<String>,
    /// The profile: `documented`, `gardener` or `hardened`; absent for that of the configuration.
    pub(crate) profile: Option<Profile>,
}

/// The objects of a garden.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct GardenInput {
    /// The name of the garden, for messages, such as that of its directory.
    pub(crate) name: String,
    /// The files.
    pub(crate) files: Vec<InputFile>,
    /// True if objects that the files lack do not exist, as `--whole-garden`.
    pub(crate) whole: bool,
}

/// A review.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct ReviewInput {
    /// The files to review.
    pub(crate) manifests: Vec<InputManifest>,
    /// The name of the old state of the files, such as a revision.
    pub(crate) origin: Option<String>,
    /// The time of the review, such as `2026-12-24T18:00:00Z`, or a date (UTC); absent for the current time.
    pub(crate) at: Option<String>,
    /// True if the result contains the diff between each object and the object that would be stored.
    pub(crate) diff: bool,
}

/// A forecast.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct ForecastInput {
    /// The files with Shoots; without a Shoot, those of the garden.
    pub(crate) manifests: Vec<InputManifest>,
    /// The start, as in a review.
    pub(crate) at: Option<String>,
    /// The number of days; 90 if absent, at most 3,650.
    pub(crate) days: Option<u32>,
}

/// A cursor in a manifest.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct CursorInput {
    /// The text of the file.
    pub(crate) text: String,
    /// The offset of the cursor, in code units of UTF-16.
    pub(crate) offset: usize,
    /// The time, as in a review.
    pub(crate) at: Option<String>,
}

/// Returns the manifests of a review.
///
/// # Errors
/// Fails if one is too large.
pub(crate) fn manifests(inputs: Vec<InputManifest>) -> Result<Vec<Manifest>, Error> {
    let manifests = inputs.into_iter().map(|InputManifest { name, text, old }| {
        check_size(&name, &text)?;
        check_size(&name, old.as_deref().unwrap_or_default())?;
        Ok(Manifest { name, text, old })
    });
    manifests.collect()
}

/// Returns files with their names as paths.
///
/// # Errors
/// Fails if one is too large.
pub(crate) fn files(inputs: Vec<InputFile>) -> Result<Vec<(PathBuf, String)>, Error> {
    let files = inputs.into_iter().map(|InputFile { name, text }| {
        check_size(&name, &text)?;
        Ok((PathBuf::from(name), text))
    });
    files.collect()
}

/// Returns files with policies.
///
/// # Errors
/// Fails if they are too large together.
pub(crate) fn policies(inputs: Vec<InputFile>) -> Result<Vec<(PathBuf, String)>, Error> {
    if inputs.iter().map(|it| it.text.len()).sum::<usize>() > MAX_POLICIES {
        let most = MAX_POLICIES >> 20;
        return Err(Error(format!("the policies are larger than {most} MiB, the limit")));
    }
    files(inputs)
}

fn check_size(name: &str, text: &str) -> Result<(), Error> {
    if text.len() <= MAX_FILE {
        return Ok(());
    }
    Err(Error(format!("`{name}` is larger than {} MiB; split it", MAX_FILE >> 20)))
}

/// Parses the time of a review, or else returns the current time, `now`, in milliseconds since 1970.
///
/// # Errors
/// Fails if it is not a time or a date.
pub(crate) fn time(at: Option<&str>, now: f64) -> Result<Timestamp, Error> {
    let Some(text) = at else {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "`as` saturates, and the range is checked"
        )]
        let milliseconds = now as i64;
        return Timestamp::from_millisecond(milliseconds).map_err(Error::new);
    };
    time_or_date(text).ok_or_else(|| {
        Error(format!("`{text}` is not a valid time; write it like 2026-12-24T18:00:00Z, or a date like 2026-12-24"))
    })
}

/// Returns the end of a forecast.
///
/// # Errors
/// Fails if it is not a valid time.
pub(crate) fn end(at: Timestamp, days: Option<u32>) -> Result<Timestamp, Error> {
    let days = days.unwrap_or(90).clamp(1, MAX_DAYS);
    at.checked_add(SignedDuration::from_hours(24 * i64::from(days))).map_err(Error::new)
}
