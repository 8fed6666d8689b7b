use std::collections::BTreeMap;

use super::ExtensionSettings;
use super::reader::{Field, Located, Reader};
use garden_gate_model::api::extensions::{EXTENSIONS, Extension, ExtensionVersion, SHIPPED};
use serde_json::Value;

/// Parses the section `extensions`, with an entry per extension.
pub(super) fn read(
    reader: &mut Reader<'_>,
    at: &Located<'_>,
) -> BTreeMap<&'static str, ExtensionSettings> {
    let mut extensions = BTreeMap::new();
    for (name, entry) in reader.entries(at) {
        let known = Extension::named(name).map(|it| (it.name, it.newest().to_string(), &[][..]));
        let mut shipped = SHIPPED.iter().filter(|it| it.name == name);
        let mut shipped = || shipped.next().map(|it| (it.name, "1.0".to_owned(), it.settings));
        let Some((known, newest, flags)) = known.or_else(&mut shipped) else {
            let names = EXTENSIONS.iter().map(|it| it.name).chain(SHIPPED.iter().map(|it| it.name));
            let names: Vec<&str> = names.collect();
            let help = format!("the known extensions are {}", names.join(", "));
            let help = reader.suggest(name, &names, help);
            reader.error(&entry.key(), &format!("{} is no known extension", entry.name()), &help);
            continue;
        };
        let mut settings = ExtensionSettings::default();
        let fields: &mut [Field<'_>] = &mut [
            ("version", &mut |reader, at| settings.version = read_version(reader, at, &newest)),
            ("admission", &mut |reader, at| settings.admission = reader.boolean(at)),
            ("settings", &mut |reader, at| settings.settings = read_settings(reader, at, flags)),
        ];
        reader.fields(&entry, fields);
        extensions.insert(known, settings);
    }
    extensions
}

fn read_version(
    reader: &mut Reader<'_>,
    at: &Located<'_>,
    newest: &str,
) -> Option<ExtensionVersion> {
    let help = format!("write a version in quotes, such as \"v{newest}.0\"");
    let text = reader.typed(at, at.value.as_str(), "a version in quotes", &help)?;
    reader.valid(at, ExtensionVersion::parse(text), &help)
}

/// Parses the flags of an admission component, which have these names.
fn read_settings(
    reader: &mut Reader<'_>,
    at: &Located<'_>,
    flags: &[&str],
) -> BTreeMap<String, Value> {
    reader.mapping(at, flags);
    let entries = reader.entries(at).into_iter();
    entries.map(|(name, entry)| (name.to_owned(), entry.value.clone())).collect()
}
