use super::Referred;
use crate::engine::{Context, FindingKind, Findings};
use crate::garden::{AccessAnswer, Lookup};

/// Refuses a reference to an object that is known not to exist.
pub(in crate::rules) fn check_exists(
    context: &Context<'_>,
    (reference, missing): (&Referred, &'static FindingKind),
    findings: &mut Findings,
) {
    let Referred { key, field, .. } = reference;
    if context.named(key) == Lookup::Absent {
        let message = format!("there is no {key}");
        findings
            .forbid(missing, field.clone(), message)
            .value(key.name.as_str())
            .help("name an object that exists, or create it first");
    }
}

/// Refuses a reference to an object that the requester may not read.
pub(in crate::rules) fn check_right(
    context: &Context<'_>,
    (reference, unreadable): (&Referred, &'static FindingKind),
    findings: &mut Findings,
) {
    let Referred { key, field, .. } = reference;
    match context.requester_may_get(key) {
        AccessAnswer::Allowed => {}
        AccessAnswer::Denied => {
            let user = &context.request.user_info.username;
            let message = format!("`{user}` may not read {key}");
            findings
                .forbid(unreadable, field.clone(), message)
                .value(key.name.as_str())
                .help("refer to what you may read, or ask for the right to `get` it");
        }
        AccessAnswer::Unknown(why) => findings.undetermined(
            field,
            format!("cannot tell whether the requester may read {key}: {why}"),
        ),
    }
}
