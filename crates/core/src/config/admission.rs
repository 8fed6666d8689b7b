//! Gardener's `AdmissionConfiguration`, and the configuration of ShootTolerationRestriction.
//! The latter is part of the file or in another file.

use super::TolerationLists;
use super::reader::{LocatedValue, Reader};
use super::tolerations;
use garden_gate_text::yaml::Position;

/// The plugin whose configuration is reused.
const PLUGIN: &str = "ShootTolerationRestriction";
/// All versions that kube-apiserver has ever supported; they have the same fields.
const API_VERSIONS: &[&str] = &[
    "apiserver.config.k8s.io/v1",
    "apiserver.config.k8s.io/v1alpha1",
    "apiserver.k8s.io/v1alpha1",
];
const PLUGIN_API_VERSION: &str = "shoottolerationrestriction.admission.gardener.cloud/v1alpha1";
const PLUGIN_KIND: &str = "Configuration";

/// The location of the plugin's configuration.
#[derive(Debug, Default)]
pub(super) enum Plugin {
    /// The file does not configure the plugin.
    #[default]
    Absent,
    /// The configuration is part of the file.
    Inline(TolerationLists),
    /// The configuration is in another file, whose path is relative to the folder of this one.
    File {
        /// The path as in the file.
        path: String,
        /// The position of the path.
        position: Position,
    },
}

/// Parses an `AdmissionConfiguration`.
/// The configuration of other plugins is ignored.
pub(super) fn read(reader: &mut Reader<'_>, root: &LocatedValue<'_>) -> Plugin {
    if !of_type(reader, root, API_VERSIONS, "AdmissionConfiguration") {
        return Plugin::Absent;
    }
    let plugins = root.field("plugins").map(|at| reader.items(&at)).unwrap_or_default();
    let is_ours =
        |plugin: &LocatedValue<'_>| plugin.value.get("name").is_some_and(|name| name == PLUGIN);
    let mut ours = plugins.into_iter().filter(is_ours);
    let Some(plugin) = ours.next() else {
        let message =
            format!("the file has no entry for the plugin `{PLUGIN}`, so nothing is taken from it");
        reader.warn(root, message, "add the entry, or leave `--admission-config` out");
        return Plugin::Absent;
    };
    for other in ours {
        let message =
            format!("plugin `{PLUGIN}` has an entry already; this one counts for nothing");
        reader.warn(&other, message, "remove one of the two");
    }
    if let Some(inline) = plugin.field("configuration") {
        return Plugin::Inline(read_plugin(reader, &inline));
    }
    let Some(at) = plugin.field("path") else {
        return Plugin::Inline(TolerationLists::default());
    };
    match reader.text(&at) {
        Some(path) if !path.is_empty() => {
            Plugin::File { path: path.to_owned(), position: reader.position(&at) }
        }
        _ => Plugin::Inline(TolerationLists::default()),
    }
}

/// Parses the configuration of the plugin.
pub(super) fn read_plugin(reader: &mut Reader<'_>, at: &LocatedValue<'_>) -> TolerationLists {
    if !of_type(reader, at, &[PLUGIN_API_VERSION], PLUGIN_KIND) {
        return TolerationLists::default();
    }
    tolerations::read(reader, at, &["apiVersion", "kind"])
}

/// Reports whether the value is a mapping with this `apiVersion` and `kind`.
fn of_type(
    reader: &mut Reader<'_>,
    at: &LocatedValue<'_>,
    api_versions: &[&str],
    kind: &str,
) -> bool {
    if reader.entries(at).is_none() {
        return false;
    }
    [("apiVersion", api_versions), ("kind", &[kind])].into_iter().fold(
        true,
        |right, (name, allowed)| {
            let Some(field) = at.field(name) else {
                reader.error(at, format!("`{name}` is missing"), format!("it is `{}`", allowed[0]));
                return false;
            };
            reader.one_of(&field, allowed) && right
        },
    )
}
