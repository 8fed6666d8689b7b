// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use crate::admission::ErrorType::{Duplicate, Invalid, Required};
use crate::admission::Findings;
use crate::rules::admission_controller::configured::Configured;
use crate::rules::admission_controller::expression;
use crate::rules::admission_controller::findings::AUTHENTICATION_INVALID;
use crate::rules::admission_controller::problem::Problem;
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::server_configuration::authentication::ClaimValidationRule;

/// Checks rules for claims, and returns whether one of them uses `claims.email_verified`.
pub(super) fn check(
    configured: &Configured,
    rules: &[ClaimValidationRule],
    place: &ReportedPath,
    findings: &mut Findings,
) -> bool {
    let (mut claims, mut expressions) = (BTreeSet::new(), BTreeSet::new());
    let mut is_verified = false;
    for (index, rule) in rules.iter().enumerate() {
        let at = place.index(index);
        let say = |(error, place, message): (_, ReportedPath, String),
                   value: &str,
                   help: &'static str| {
            Problem::new((&AUTHENTICATION_INVALID, error), place, message).value(value).help(help)
        };
        let (claim, text) = (rule.claim.as_str(), rule.expression.as_str());
        if !claim.is_empty() && !text.is_empty() {
            let message = "the rule has both a claim and an expression".to_owned();
            let problem = say((Invalid, at, message), claim, "keep one of them");
            configured.report(problem, findings);
        } else if claim.is_empty() && text.is_empty() {
            let message = "the rule has neither a claim nor an expression";
            let problem = Problem::new((&AUTHENTICATION_INVALID, Required), at, message);
            configured.report(problem.help("set `claim` or `expression`"), findings);
        } else if !claim.is_empty() {
            if !rule.message.is_empty() {
                let message = "the rule has a message, but no expression".to_owned();
                let place = at.child("message");
                let problem = say((Invalid, place, message), &rule.message, "remove it");
                configured.report(problem, findings);
            }
            if !claims.insert(claim) {
                let message = format!("a rule before requires the claim `{}`", short(claim));
                let place = at.child("claim");
                let problem = say((Duplicate, place, message), claim, "keep one of them");
                configured.report(problem, findings);
            }
        } else {
            if !rule.required_value.is_empty() {
                let message = "the rule has a required value, but no claim".to_owned();
                let place = at.child("requiredValue");
                let problem = say((Invalid, place, message), &rule.required_value, "remove it");
                configured.report(problem, findings);
            }
            let place = at.child("expression");
            if expressions.insert(text) {
                let parsed = expression::parse(configured, (text, place), findings);
                is_verified |= parsed.is_some_and(|it| it.selects("claims", "email_verified"));
            } else {
                let message = "a rule before has the same expression".to_owned();
                let problem = say((Duplicate, place, message), text, "keep one of them");
                configured.report(problem, findings);
            }
        }
    }
    is_verified
}
