use std::collections::BTreeMap;

use super::ExtensionSettings;
use super::reader::{Field, Located, Reader};
use garden_gate_model::api::extensions::{EXTENSIONS, Extension, ExtensionVersion};

/// Parses the section `extensions`, with an entry per extension.
pub(super) fn read(
    reader: &mut Reader<'_>,
    at: &Located<'_>,
) -> BTreeMap<&'static str, ExtensionSettings> {
    let mut extensions = BTreeMap::new();
    for (name, entry) in reader.entries(at) {
        let Some(extension) = Extension::named(name) else {
            let names: Vec<&str> = EXTENSIONS.iter().map(|it| it.name).collect();
            let help = format!("the known extensions are {}", names.join(", "));
            let help = reader.suggest(name, &names, help);
            reader.error(&entry.key(), &format!("{} is no known extension", entry.name()), &help);
            continue;
        };
        let mut settings = ExtensionSettings::default();
        let fields: &mut [Field<'_>] = &mut [
            ("version", &mut |reader, at| settings.version = read_version(reader, at, extension)),
            ("admission", &mut |reader, at| settings.admission = reader.boolean(at)),
        ];
        reader.fields(&entry, fields);
        extensions.insert(extension.name, settings);
    }
    extensions
}

fn read_version(
    reader: &mut Reader<'_>,
    at: &Located<'_>,
    of: &Extension,
) -> Option<ExtensionVersion> {
    let help = format!("write a version in quotes, such as \"v{}.0\"", of.newest());
    let text = reader.typed(at, at.value.as_str(), "a version in quotes", &help)?;
    reader.valid(at, ExtensionVersion::parse(text), &help)
}
