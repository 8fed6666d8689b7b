//! The entries of `spec.extensions` in a Shoot.

use super::Failure;
use crate::admission::{ErrorType, FieldPath, Findings, Help};
use garden_gate_model::api::Shoot;
use garden_gate_text::json::Json;

/// Returns the index of the first entry for a type of extension, also of a disabled one.
pub(super) fn index_of(shoot: &Json<'_>, class: &str) -> Option<usize> {
    let entries = shoot.opened_at(&["spec", "extensions"]).opened_elements();
    entries.iter().position(|entry| {
        let found = entry.opened_at(&["type"]).read::<String>();
        found.is_ok_and(|it| it == class)
    })
}

/// Reports whether the first entry for a type of extension is enabled; `None` if there is no entry.
fn is_enabled(shoot: &Json<'_>, class: &str) -> Option<bool> {
    let index = index_of(shoot, class)?;
    let entries = shoot.opened_at(&["spec", "extensions"]).opened_elements();
    let disabled = entries.get(index)?.opened_at(&["disabled"]).read::<bool>();
    Some(!disabled.is_ok_and(|it| it))
}

/// Reports whether the first entry for a type of extension is disabled.
pub(super) fn is_disabled(shoot: &Json<'_>, class: &str) -> bool {
    is_enabled(shoot, class) == Some(false)
}

/// Returns the index of the first entry for a type of extension, unless it is disabled in the new and the stored object.
///
/// Gardener labels a Shoot with the extensions that are not disabled. The webhooks of an extension are called if the new or
/// the stored object has its label.
pub(super) fn judged_index_of(new: &Json<'_>, old: &Json<'_>, class: &str) -> Option<usize> {
    let is_judged = is_enabled(new, class)? || is_enabled(old, class) == Some(true);
    index_of(new, class).filter(|_| is_judged)
}

/// Returns the path of the configuration in an entry.
pub(super) fn path(index: usize) -> FieldPath {
    let entries = FieldPath::new("spec.extensions");
    entries.index(index).child("providerConfig")
}

/// Reports the first worker pool without containerd; returns whether there is none.
pub(super) fn check_containerd(shoot: &Shoot, failure: &Failure, findings: &mut Findings) -> bool {
    let pools = shoot.spec.provider.workers.iter().enumerate();
    let mut runtimes = pools.filter_map(|(index, pool)| Some((index, &pool.cri.as_ref()?.name)));
    let Some((index, name)) = runtimes.find(|(_, name)| *name != "containerd") else {
        return true;
    };
    let pool = FieldPath::new("spec.provider.workers").index(index);
    let message = format!("the extension does not work with the container runtime `{name}`");
    findings
        .report(failure.kind, ErrorType::Denied, FieldPath::root(), message)
        .at(&pool.descendant("cri.name"))
        .help(Help::set("set `name: containerd`", "containerd"));
    false
}
