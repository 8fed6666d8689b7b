// SPDX-License-Identifier: Apache-2.0
//! A garden with replaced profiles.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use crate::files;
use crate::review::notes::note;
use garden_gate_core::admission::Kind;
use garden_gate_core::garden::{self, GardenObject, ObjectKey, Snapshot};
use garden_gate_model::api::{CloudProfile, NamespacedCloudProfile, group_and_version};
use garden_gate_products::forecast::{is_profile, with_profiles};
use garden_gate_text::yaml::{self, Document};

/// Returns the garden with the profiles of these files in place of those with the same names.
///
/// NamespacedCloudProfiles are merged again with their changed parents.
///
/// # Errors
/// Fails if a file cannot be read or contains no profile.
pub(in crate::cli) fn with(garden: &Snapshot, files: &[PathBuf]) -> anyhow::Result<Snapshot> {
    Ok(with_profiles(garden, changed_profiles(garden, files)?))
}

/// Returns the profiles of these files; of several with the same name, the last one.
///
/// # Errors
/// Fails if a file cannot be read or contains no profile.
pub(in crate::cli) fn changed_profiles(
    garden: &Snapshot,
    files: &[PathBuf],
) -> anyhow::Result<Vec<GardenObject>> {
    let mut changed: Vec<GardenObject> = Vec::new();
    for file in files {
        let profiles = profiles(file)?;
        if profiles.is_empty() {
            bail!(
                "`{}` has no CloudProfile or NamespacedCloudProfile, which --with requires",
                file.display()
            );
        }
        for key in profiles.iter().map(GardenObject::key).filter(|it| is_absent(garden, it)) {
            note(format_args!(
                "note: the garden has no {key}, so that no Shoot uses it; is the name in `{}` right?",
                file.display()
            ));
        }
        for profile in profiles {
            changed.retain(|it| it.key() != profile.key());
            changed.push(profile);
        }
    }
    Ok(changed)
}

/// Reports whether the garden certainly lacks a profile.
fn is_absent(garden: &Snapshot, key: &ObjectKey) -> bool {
    match key.kind {
        Kind::CloudProfile => matches!(garden.find::<CloudProfile>(key), Ok(None)),
        _ => matches!(garden.find::<NamespacedCloudProfile>(key), Ok(None)),
    }
}

fn profiles(file: &Path) -> anyhow::Result<Vec<GardenObject>> {
    let bytes = files::read(file).map_err(|problem| anyhow::anyhow!("{problem}"))?;
    let text = files::text(file, bytes).map_err(|(problem, _)| anyhow::anyhow!("{problem}"))?;
    let documents =
        yaml::parse(&text).with_context(|| format!("cannot read `{}`", file.display()))?;
    let mut profiles = Vec::new();
    for document in documents {
        let items = document.part("/items").and_then(|items| items.items());
        for document in items.unwrap_or_else(|| vec![document]) {
            let profile =
                profile(&document).with_context(|| format!("cannot read `{}`", file.display()))?;
            profiles.extend(profile);
        }
    }
    Ok(profiles)
}

fn profile(document: &Document) -> Result<Option<GardenObject>, yaml::SourceError> {
    let text = |pointer: &str| document.text(pointer).unwrap_or_default();
    let (api_version, kind) = (text("/apiVersion"), text("/kind"));
    let kind = Kind::of_manifest(group_and_version(&api_version).0, &kind);
    match kind.filter(|kind| is_profile(*kind)) {
        Some(kind) => garden::read_with_configuration(kind, document),
        None => Ok(None),
    }
}
