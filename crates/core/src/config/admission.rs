// SPDX-License-Identifier: Apache-2.0
//! Gardener's `AdmissionConfiguration`, and the configuration of ShootTolerationRestriction.
//! The latter is part of the file or in another file.

use super::TolerationLists;
use super::problem::Severity;
use super::reader::{Located, Reader};
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
pub(super) fn read(reader: &mut Reader<'_>, root: &Located<'_>) -> Plugin {
    if !has_type(reader, root, API_VERSIONS, "AdmissionConfiguration") {
        return Plugin::Absent;
    }
    let plugins = root.field("plugins").map(|at| reader.items(&at)).unwrap_or_default();
    let is_ours = |plugin: &Located<'_>| plugin.value.get("name").is_some_and(|it| it == PLUGIN);
    let mut ours = plugins.into_iter().filter(is_ours);
    let Some(plugin) = ours.next() else {
        let message =
            format!("the file has no entry for the plugin `{PLUGIN}`, so nothing is taken from it");
        let help = "add the entry, or leave `--admission-config` out";
        reader.report(Severity::Warning, root, &message, help);
        return Plugin::Absent;
    };
    for other in ours {
        let message =
            format!("plugin `{PLUGIN}` has an entry already; this one counts for nothing");
        reader.report(Severity::Warning, &other, &message, "remove one of the two");
    }
    if let Some(inline) = plugin.field("configuration") {
        return Plugin::Inline(read_plugin(reader, &inline));
    }
    let path = plugin.field("path").and_then(|at| Some((reader.text(&at)?, reader.position(&at))));
    match path {
        Some((path, position)) if !path.is_empty() => {
            Plugin::File { path: path.to_owned(), position }
        }
        _ => Plugin::Inline(TolerationLists::default()),
    }
}

/// Parses the configuration of the plugin.
pub(super) fn read_plugin(reader: &mut Reader<'_>, at: &Located<'_>) -> TolerationLists {
    if has_type(reader, at, &[PLUGIN_API_VERSION], "Configuration") {
        return tolerations::read(reader, at, &["apiVersion", "kind"]);
    }
    TolerationLists::default()
}

/// Reports whether the value is a mapping with this `apiVersion` and `kind`.
fn has_type(reader: &mut Reader<'_>, at: &Located<'_>, api_versions: &[&str], kind: &str) -> bool {
    if reader.typed(at, at.value.as_object(), "a mapping", "").is_none() {
        return false;
    }
    let are_right = [("apiVersion", api_versions), ("kind", &[kind])].map(|(name, allowed)| {
        let Some(field) = at.field(name) else {
            reader.error(at, &format!("`{name}` is missing"), &format!("it is `{}`", allowed[0]));
            return false;
        };
        reader.one_of(&field, allowed)
    });
    are_right == [true, true]
}
