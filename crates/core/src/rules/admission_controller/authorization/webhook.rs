// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use crate::admission::ErrorType::{Duplicate, Invalid, NotSupported, Required, TooMany};
use crate::admission::Findings;
use crate::rules::admission_controller::configured::Configured;
use crate::rules::admission_controller::expression;
use crate::rules::admission_controller::findings::AUTHORIZATION_INVALID;
use crate::rules::admission_controller::problem::Problem;
use crate::rules::shared::lists::{one_of, short};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::DurationText;
use garden_gate_model::api::server_configuration::authorization::{
    AuthorizationWebhook, WebhookMatchCondition,
};

/// Maximum timeout, in seconds.
const LONGEST_TIMEOUT: i64 = 30;
/// Maximum number of conditions.
const MOST_CONDITIONS: usize = 64;

/// Checks the webhook of an authorizer.
pub(super) fn check(
    configured: &Configured,
    webhook: &AuthorizationWebhook,
    authorizer: &ReportedPath,
    findings: &mut Findings,
) {
    // The errors do not name `webhook`.
    let at = |field: &'static str| ReportedPath {
        own: authorizer.own.child(field),
        real: authorizer.real.child("webhook").child(field),
    };
    check_durations(configured, webhook, at, findings);
    for (field, value, allowed, is_optional) in [
        (
            "subjectAccessReviewVersion",
            &webhook.subject_access_review_version,
            &["v1", "v1beta1"][..],
            false,
        ),
        (
            "matchConditionSubjectAccessReviewVersion",
            &webhook.match_condition_version,
            &["v1"],
            webhook.match_conditions.is_empty(),
        ),
        ("failurePolicy", &webhook.failure_policy, &["NoOpinion", "Deny"], false),
    ] {
        let problem = match value.as_str() {
            "" if is_optional => continue,
            "" => Problem::new(
                (&AUTHORIZATION_INVALID, Required),
                at(field),
                format!("`{field}` is not set"),
            ),
            value if !allowed.contains(&value) => {
                let message = format!("the value `{}` is unsupported", short(value));
                Problem::new((&AUTHORIZATION_INVALID, NotSupported), at(field), message)
                    .value(value)
            }
            _ => continue,
        };
        configured.report(problem.help(one_of(value, allowed)), findings);
    }
    check_conditions(configured, &webhook.match_conditions, &at("matchConditions"), findings);
}

fn check_durations(
    configured: &Configured,
    webhook: &AuthorizationWebhook,
    at: impl Fn(&'static str) -> ReportedPath,
    findings: &mut Findings,
) {
    let timeout = webhook.timeout.as_ref().filter(|it| !it.value.is_zero());
    let problem = match timeout {
        None => Some(Problem::new(
            (&AUTHORIZATION_INVALID, Required),
            at("timeout"),
            "the webhook has no timeout",
        )),
        Some(timeout) if timeout.value.is_negative() || is_longer(timeout) => {
            let message =
                format!("the timeout `{}` is not between 0 and 30 seconds", short(&timeout.text));
            Some(
                Problem::new((&AUTHORIZATION_INVALID, Invalid), at("timeout"), message)
                    .value(&timeout.text),
            )
        }
        Some(_) => None,
    };
    if let Some(problem) = problem {
        configured.report(problem.help("use for example `3s`"), findings);
    }
    // Without a value, or with 0, defaults apply.
    for (field, ttl) in
        [("authorizedTTL", &webhook.authorized_ttl), ("unauthorizedTTL", &webhook.unauthorized_ttl)]
    {
        if let Some(ttl) = ttl.as_ref().filter(|it| it.value.is_negative()) {
            let message = format!("`{}` is less than 0", short(&ttl.text));
            let problem = Problem::new((&AUTHORIZATION_INVALID, Invalid), at(field), message);
            configured.report(problem.value(&ttl.text).help("use for example `5m`"), findings);
        }
    }
}

fn is_longer(timeout: &DurationText) -> bool {
    let (seconds, nanoseconds) = (timeout.value.as_secs(), timeout.value.subsec_nanos());
    (seconds, nanoseconds) > (LONGEST_TIMEOUT, 0)
}

fn check_conditions(
    configured: &Configured,
    conditions: &[WebhookMatchCondition],
    place: &ReportedPath,
    findings: &mut Findings,
) {
    if conditions.len() > MOST_CONDITIONS {
        let message = format!("there are {} conditions", conditions.len());
        let problem = Problem::new((&AUTHORIZATION_INVALID, TooMany), place.clone(), message);
        let help = format!("use at most {MOST_CONDITIONS}, and join some with `&&`");
        configured.report(problem.help(help), findings);
        return;
    }
    let mut known = BTreeSet::new();
    for (index, condition) in conditions.iter().enumerate() {
        let at = place.index(index).child("expression");
        let text = condition.expression.as_str();
        let problem = if text.trim().is_empty() {
            let problem = Problem::new(
                (&AUTHORIZATION_INVALID, Required),
                at,
                "the condition has no expression",
            );
            problem.help("write a CEL expression about `request`")
        } else if !known.insert(text) {
            let message = "a condition before has the same expression";
            Problem::new((&AUTHORIZATION_INVALID, Duplicate), at, message)
                .value(text)
                .help("keep one of them")
        } else {
            expression::parse(configured, (text, at), findings);
            continue;
        };
        configured.report(problem, findings);
    }
}
