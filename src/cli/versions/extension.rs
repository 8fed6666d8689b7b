// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use garden_gate_model::api::extensions::{Extension, ExtensionVersion};
use garden_gate_text::nearest::did_you_mean;

/// Versions of extensions in the order of the argument.
#[derive(Clone, Debug)]
pub(super) struct NamedVersions(pub(super) Vec<(&'static Extension, ExtensionVersion)>);

/// Parses the value of `--extension`: `aws=1.70.0`, several versions as in `aws=1.70.0,1.74.0`, or several extensions.
///
/// # Errors
/// Returns the error with an example.
pub(super) fn parse(text: &str) -> Result<NamedVersions, String> {
    let mut named: Vec<(&'static Extension, ExtensionVersion)> = Vec::new();
    for part in text.split(',') {
        let (extension, version) = match (part.split_once('='), named.last()) {
            (Some((name, version)), _) => (find(name)?, version),
            // A version without a name is another one of the same extension.
            (None, Some((extension, _))) => (*extension, part),
            (None, None) => return Err("write it like aws=1.66.0".to_owned()),
        };
        let version = ExtensionVersion::parse(version)
            .map_err(|why| format!("{why}; write it like {}", extension.newest()))?;
        named.push((extension, version));
    }
    Ok(NamedVersions(named))
}

fn find(name: &str) -> Result<&'static Extension, String> {
    let names = || {
        let names: BTreeSet<&str> = Extension::all().map(|it| it.name).collect();
        names.into_iter().collect::<Vec<_>>()
    };
    Extension::named(name).ok_or_else(|| {
        let help = did_you_mean(name, &names())
            .unwrap_or_else(|| format!("the known ones are {}", names().join(", ")));
        format!("this is no known extension; {help}")
    })
}
