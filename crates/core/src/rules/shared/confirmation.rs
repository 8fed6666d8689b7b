// SPDX-License-Identifier: Apache-2.0
//! Checks for kinds whose deletion must be confirmed.
//!
//! Mirrors `plugin/pkg/global/deletionconfirmation/admission.go`.

use super::profiles::Users;
use crate::admission::{Context, FieldPath, FindingKind, Findings, Kind};
use crate::garden::Collection;
use garden_gate_model::api::{Confirmation, DELETION_CONFIRMATION, ObjectMeta, is_confirmed};

/// Refuses the deletion of an object unless it is confirmed.
///
/// A deletion of many objects needs all confirmations.
pub(crate) fn require(
    context: &Context<'_>,
    object: &ObjectMeta,
    kind: Kind,
    finding: &'static FindingKind,
    findings: &mut Findings,
) {
    if !is_confirmed(object) {
        return report_unconfirmed(object, kind, finding, findings);
    }
    if let Some(others) = others(context, object, kind, |_| false, findings) {
        require_others(context, kind, &others, finding, findings);
    }
}

fn report_unconfirmed(
    object: &ObjectMeta,
    kind: Kind,
    finding: &'static FindingKind,
    findings: &mut Findings,
) {
    let name = &object.name;
    let value = object.annotations.get(DELETION_CONFIRMATION);
    let why = match value {
        None => format!("it lacks the annotation `{DELETION_CONFIRMATION}`"),
        Some(value) => format!("annotation `{DELETION_CONFIRMATION}` is `{value}`"),
    };
    let message = format!("the deletion of {kind} `{name}` is not confirmed: {why}");
    let field = FieldPath::new("metadata.annotations").key(DELETION_CONFIRMATION);
    let resource = kind.resource();
    let namespace = match object.namespace.as_str() {
        "" => String::new(),
        namespace => format!(" -n {namespace}"),
    };
    findings.forbid(finding, field, message)
        .value(value.map(String::as_str))
        .help(format!(
            "confirm it with `kubectl annotate {resource}{namespace} {name} {DELETION_CONFIRMATION}=true`, then delete it again"
        ));
}

/// Returns the other objects that the request may delete as well.
///
/// A request that deletes a collection has no name, and Gardener checks all objects of the collection, whatever it selects. Returns `None` for a
/// request with a name, or if the objects are unknown, for which a finding is added. `blocks` reports whether a confirmed deletion cannot proceed.
pub(crate) fn others(
    context: &Context<'_>,
    object: &ObjectMeta,
    kind: Kind,
    blocks: impl Fn(&Confirmation) -> bool,
    findings: &mut Findings,
) -> Option<DeletionBlockers> {
    let request = context.request;
    if !request.name.is_empty() {
        return None;
    }
    let read = |collection: &Collection| DeletionBlockers::of(collection, &object.name, &blocks);
    let in_the_way = |collection: &Collection| !read(collection).are_free();
    let collection = context.collection(kind, &request.namespace, in_the_way);
    let what = format_args!("whether the deletion of every {kind} is confirmed");
    let collection = findings.known(collection, &field(), what)?;
    Some(read(&collection))
}

/// The other objects that block the deletion of a collection.
pub(crate) struct DeletionBlockers {
    /// Objects without a confirmed deletion.
    pub(crate) unconfirmed: Users,
    /// Objects whose deletion is confirmed, but cannot proceed.
    pub(crate) blocked: Users,
}

impl DeletionBlockers {
    fn of(collection: &Collection, own: &str, blocks: &impl Fn(&Confirmation) -> bool) -> Self {
        let unconfirmed = collection.unconfirmed().filter(|name| *name != own);
        let confirmed = collection.confirmed().filter(|(name, _)| *name != own);
        let blocked = confirmed.filter(|(_, confirmation)| blocks(confirmation));
        Self { unconfirmed: users(unconfirmed), blocked: users(blocked.map(|(name, _)| name)) }
    }

    fn are_free(&self) -> bool {
        self.unconfirmed.count() == 0 && self.blocked.count() == 0
    }
}

fn users<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Users {
    let mut users = Users::default();
    let count = names.clone().count();
    users.add(names, count);
    users
}

/// Refuses the deletion of a collection unless the deletion of each object is confirmed.
pub(crate) fn require_others(
    context: &Context<'_>,
    kind: Kind,
    others: &DeletionBlockers,
    finding: &'static FindingKind,
    findings: &mut Findings,
) {
    if others.unconfirmed.count() == 0 {
        return;
    }
    let all = match context.request.namespace.as_str() {
        "" => format!("every {kind}"),
        namespace => format!("every {kind} of namespace `{namespace}`"),
    };
    let names = others.unconfirmed.describe(kind.as_str());
    let message = format!(
        "many at once are deleted only if {all} is confirmed, whatever is selected; the deletion of {names} is not"
    );
    findings.forbid(finding, field(), message).help(format!("delete each {kind} by its name"));
}

/// Returns the field at which findings about other objects are reported.
pub(crate) fn field() -> FieldPath {
    FieldPath::new("metadata.namespace")
}
