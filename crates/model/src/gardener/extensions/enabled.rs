// SPDX-License-Identifier: Apache-2.0
//! The extensions of type `Extension` that a Shoot uses. Source: `plugin/pkg/global/extensionlabels/admission.go`.

use std::collections::BTreeSet;

use crate::api::ControllerRegistration;
use garden_gate_text::json::Json;

/// Returns the types that a Shoot names, and those that are enabled by default; in both cases unless it disables them.
///
/// The Shoot is completely parsed.
pub fn enabled_types<'r>(
    shoot: &Json<'_>,
    registrations: impl IntoIterator<Item = &'r ControllerRegistration>,
) -> BTreeSet<String> {
    let named = shoot.opened_at(&["spec", "extensions"]).opened_elements();
    let (mut on, mut off) = (BTreeSet::new(), BTreeSet::new());
    for extension in named {
        let is_off = extension.opened_at(&["disabled"]).read().unwrap_or(false);
        let names = if is_off { &mut off } else { &mut on };
        let name = extension.opened_at(&["type"]).read::<String>();
        names.insert(name.unwrap_or_default());
    }
    let workers = shoot.opened_at(&["spec", "provider", "workers"]);
    let is_workerless = workers.opened_elements().is_empty();
    let resources = registrations.into_iter().flat_map(|it| &it.spec.resources);
    let everywhere = resources
        .filter(|it| {
            it.kind == "Extension"
                && it.auto_enable.iter().any(|cluster| cluster == "shoot")
                && (!is_workerless || it.workerless_supported == Some(true))
        })
        .map(|it| it.class.clone());
    on.extend(everywhere.filter(|name| !off.contains(name)));
    on
}
