// SPDX-License-Identifier: Apache-2.0
use std::fmt::Display;
use std::sync::Arc;

use super::Referred;
use crate::admission::{Context, FindingKind, Findings};
use garden_gate_model::api::WorkloadIdentity;

/// Refuses a reference to an object that is known not to exist.
pub(crate) fn check_exists(
    context: &Context<'_>,
    (reference, missing): (&Referred, &'static FindingKind),
    findings: &mut Findings,
) {
    if context.named(&reference.key) == Ok(None) {
        add_missing(reference, missing, findings);
    }
}

/// Returns the WorkloadIdentity of a reference, or refuses one that is known not to exist; `what` it is looked up for.
pub(crate) fn known_identity(
    context: &Context<'_>,
    (reference, missing): (&Referred, &'static FindingKind),
    what: impl Display,
    findings: &mut Findings,
) -> Option<Arc<WorkloadIdentity>> {
    let Referred { key, field, .. } = reference;
    let name = (key.namespace.as_str(), key.name.as_str());
    // A server asks for it, but a directory may have been dumped without any.
    let identity = if context.is_watched() {
        Some(context.get::<WorkloadIdentity>(name))
    } else {
        context.get_significant::<WorkloadIdentity>(name)
    };
    let Some(identity) = identity else {
        check_exists(context, (reference, missing), findings);
        return None;
    };
    let identity = findings.known(identity, field, what)?;
    if identity.is_none() {
        add_missing(reference, missing, findings);
    }
    identity
}

/// Refuses a reference to an object that does not exist.
fn add_missing(reference: &Referred, missing: &'static FindingKind, findings: &mut Findings) {
    let Referred { key, field, .. } = reference;
    let message = format!("there is no {key}");
    findings
        .forbid(missing, field.clone(), message)
        .value(key.name.as_str())
        .help("name an object that exists, or create it first");
}

/// Refuses a reference to an object that the requester may not read.
pub(crate) fn check_right(
    context: &Context<'_>,
    reference: &Referred,
    unreadable: &'static FindingKind,
    findings: &mut Findings,
) {
    let Referred { key, field, .. } = reference;
    let may_get = context.requester_may_get(key);
    let what = format_args!("whether the requester may read {key}");
    if findings.known(may_get, field, what) == Some(false) {
        let user = &context.request.user_info.username;
        let message = format!("`{user}` may not read {key}");
        findings
            .forbid(unreadable, field.clone(), message)
            .value(key.name.as_str())
            .help("refer to what you may read, or ask for the right to `get` it");
    }
}
