// SPDX-License-Identifier: Apache-2.0
//! Detection of kinds that are missing from a garden directory because the dump was partial.

use std::path::Path;

use super::kind_hints::kept;
use crate::garden::Snapshot;
use garden_gate_model::api::{Kind, Retrieval};

/// Kinds that every garden has.
///
/// If one of them is missing, the dump was partial.
const EVERYWHERE: [Kind; 3] = [Kind::Seed, Kind::Project, Kind::CloudProfile];
/// RBAC kinds.
///
/// Every cluster has ClusterRoleBindings, but members of a Project cannot list them.
const RIGHTS: [Kind; 4] =
    [Kind::ClusterRoleBinding, Kind::ClusterRole, Kind::RoleBinding, Kind::Role];

/// Marks kinds that are missing from the directory as incomplete.
/// Returns them, except RBAC kinds, which rules rarely need.
pub(super) fn note(snapshot: &mut Snapshot, dir: &Path) -> Vec<Kind> {
    let is_known = |kind: &Kind| snapshot.knows_of(*kind) || snapshot.gap(*kind).is_some();
    // A user who can list Namespaces is assumed to be able to list all kinds.
    let lacks_rights = !is_known(&RIGHTS[0]) && !is_known(&Kind::Namespace);
    let is_partial = !EVERYWHERE.iter().all(is_known);
    let is_right = |kind: &Kind| RIGHTS.contains(kind);
    let lacking: Vec<Kind> = kept()
        .filter(|kind| is_partial || (lacks_rights && is_right(kind)))
        .filter(|kind| !is_known(kind))
        .collect();
    for kind in &lacking {
        snapshot.note_gap(*kind, || why(*kind, dir));
    }
    lacking.into_iter().filter(|kind| !is_right(kind)).collect()
}

fn why(kind: Kind, dir: &Path) -> String {
    let all = match kind.known() {
        Retrieval::Labelled { label, .. } => {
            format!(" -n {} -l {}={}", kind.home(), label.0, label.1)
        }
        _ if kind.is_namespaced() => " -A".to_owned(),
        _ => String::new(),
    };
    format!(
        "the garden directory `{}` holds no {kind}; dump them, too (`kubectl get {}{all} -o yaml`), or say with an empty `{kind}List` or --whole-garden that there are no others",
        dir.display(),
        kind.full_resource(),
    )
}
