use super::Referred;
use crate::admission::{Context, FindingKind, Findings};

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

/// Refuses a reference to an object that does not exist.
pub(crate) fn add_missing(
    reference: &Referred,
    missing: &'static FindingKind,
    findings: &mut Findings,
) {
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
