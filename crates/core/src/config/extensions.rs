use super::reader::{LocatedValue, Reader};
use super::{Config, ExtensionSettings};
use garden_gate_model::api::extensions::{EXTENSIONS, Extension, ExtensionVersion};

const FIELDS: &[&str] = &["version", "admission"];

/// Parses the section `extensions`, with an entry per extension.
pub(super) fn read(reader: &mut Reader<'_>, at: &LocatedValue<'_>, config: &mut Config) {
    for (name, entry) in reader.entries(at).unwrap_or_default() {
        let Some(extension) = Extension::named(name) else {
            let names: Vec<&str> = EXTENSIONS.iter().map(|it| it.name).collect();
            let help = reader
                .did_you_mean(name, &names)
                .unwrap_or_else(|| format!("the known extensions are {}", names.join(", ")));
            reader.key_error(&entry, format!("{} is no known extension", entry.name()), help);
            continue;
        };
        if !reader.mapping(&entry, FIELDS) {
            continue;
        }
        let version = entry.field("version").and_then(|at| read_version(reader, &at, extension));
        let admission = entry.field("admission").and_then(|at| reader.boolean(&at));
        let settings = ExtensionSettings { version, admission };
        config.extensions.insert(extension.name, settings);
    }
}

fn read_version(
    reader: &mut Reader<'_>,
    at: &LocatedValue<'_>,
    extension: &Extension,
) -> Option<ExtensionVersion> {
    let newest = extension.newest();
    let help = format!("write a version in quotes, such as \"v{newest}.0\"");
    let Some(text) = at.value.as_str() else {
        reader.wrong_type(at, "a version in quotes", &help);
        return None;
    };
    let version = ExtensionVersion::parse(text);
    version.map_err(|error| reader.error(at, error.to_string(), help)).ok()
}
