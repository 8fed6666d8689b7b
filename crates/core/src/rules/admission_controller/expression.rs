// SPDX-License-Identifier: Apache-2.0
use super::configured::Configured;
use super::findings::EXPRESSION;
use super::problem::Problem;
use crate::admission::{ErrorType, Findings};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_cel::{CelError, CelExpression};

/// Parses a CEL expression; reports a syntax error. Types are not checked.
///
/// Returns `None` if it has no syntax tree.
pub(super) fn parse(
    configured: &Configured,
    (text, place): (&str, ReportedPath),
    findings: &mut Findings,
) -> Option<CelExpression> {
    match CelExpression::parse(text) {
        Ok(expression) => Some(expression),
        Err(CelError::Syntax { line, column, message }) => {
            let message = format!(
                "the expression has a syntax error in its line {line}, column {column}: {message}"
            );
            let problem = Problem::new((&EXPRESSION, ErrorType::Invalid), place, message)
                .value(text)
                .help("correct the CEL expression");
            configured.report(problem, findings);
            None
        }
        Err(CelError::TooComplex) => {
            let message = format!(
                "the expression in {} is too long or too deeply nested to be judged",
                configured.key()
            );
            findings.undetermined(&place.own, message);
            None
        }
    }
}
