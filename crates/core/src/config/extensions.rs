// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, BTreeSet};
use std::mem::discriminant;

use super::reader::{Field, Located, Reader};
use super::{ExtensionSettings, KnownIds};
use garden_gate_model::api::extensions::{Extension, ExtensionVersion};
use serde_json::{Map, Value};

/// Parses the section `extensions`, with an entry per extension.
pub(super) fn read(
    reader: &mut Reader<'_>,
    at: &Located<'_>,
    known: &KnownIds,
) -> BTreeMap<&'static str, ExtensionSettings> {
    let mut extensions = BTreeMap::new();
    for (name, entry) in reader.entries(at) {
        let own = known.extensions.iter().find(|it| it.name == name);
        let other = Extension::named(name);
        let found = own.map(|it| (it.name, it.newest));
        let Some((name, newest)) = found.or_else(|| other.map(|it| (it.name, it.newest()))) else {
            let names = known.extensions.iter().map(|it| it.name);
            let names = names.chain(Extension::all().map(|it| it.name));
            let names: Vec<&str> = names.collect::<BTreeSet<&str>>().into_iter().collect();
            let help = format!("the known extensions are {}", names.join(", "));
            let help = reader.suggest(name, &names, help);
            reader.error(&entry.key(), &format!("{} is no known extension", entry.name()), &help);
            continue;
        };
        let defaults = || match (own, other.and_then(Extension::definition)) {
            (Some(own), _) => own.settings.clone(),
            (None, Some(shipped)) => {
                shipped.definition().unwrap_or_default().spec.settings_with_defaults()
            }
            (None, None) => Map::default(),
        };
        let mut settings = ExtensionSettings::default();
        let fields: &mut [Field<'_>] = &mut [
            ("version", &mut |reader, at| settings.version = read_version(reader, at, newest)),
            ("admission", &mut |reader, at| settings.admission = reader.boolean(at)),
            ("settings", &mut |reader, at| {
                settings.settings = read_settings(reader, at, &defaults());
            }),
        ];
        reader.fields(&entry, fields);
        extensions.insert(name, settings);
    }
    extensions
}

fn read_version(
    reader: &mut Reader<'_>,
    at: &Located<'_>,
    newest: ExtensionVersion,
) -> Option<ExtensionVersion> {
    let help = format!("write a version in quotes, such as \"v{newest}.0\"");
    let text = reader.typed(at, at.value.as_str(), "a version in quotes", &help)?;
    reader.valid(at, ExtensionVersion::parse(text), &help)
}

/// Parses the flags of an admission component, whose types are those of their defaults.
fn read_settings(
    reader: &mut Reader<'_>,
    at: &Located<'_>,
    defaults: &Map<String, Value>,
) -> BTreeMap<String, Value> {
    let names: Vec<&str> = defaults.keys().map(String::as_str).collect();
    if names.is_empty() {
        let message = "the definition of the extension has no settings";
        reader.error(at, message, "remove `settings`");
        return BTreeMap::new();
    }
    reader.mapping(at, &names);
    let mut settings = BTreeMap::new();
    for (name, entry) in reader.entries(at) {
        let Some(default) = defaults.get(name) else { continue };
        let is_same = discriminant(default) == discriminant(entry.value);
        if default.is_null() || is_same {
            settings.insert(name.to_owned(), entry.value.clone());
            continue;
        }
        let message = format!("{} has another type than its default, `{default}`", entry.name());
        reader.error(&entry, &message, "write a value like the default");
    }
    settings
}
