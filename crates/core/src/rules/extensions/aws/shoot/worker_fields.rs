// SPDX-License-Identifier: Apache-2.0
//! Checks of single fields in the configuration of a worker pool.

use std::fmt::Display;

use super::judged::WORKER;
use crate::admission::{ErrorType, Findings, Help};
use crate::rules::shared::lists::{one_of, short};
use crate::rules::shared::reported_path::ReportedPath;

/// Reports a value of a field that is not one of those allowed.
pub(super) fn check_one_of(
    value: Option<&str>,
    allowed: &[&str],
    (place, error): (&ReportedPath, ErrorType),
    findings: &mut Findings,
) {
    if let Some(value) = value.filter(|it| !allowed.contains(it)) {
        let message = format!("`{}` is not supported", short(value));
        place.report((&WORKER, error), message, findings).value(value).help(one_of(value, allowed));
    }
}

/// Reports a number that is not within a range.
pub(super) fn check_range<N: Copy + Display + PartialOrd>(
    number: Option<N>,
    [least, most]: [N; 2],
    place: &ReportedPath,
    findings: &mut Findings,
) {
    if let Some(number) = number.filter(|it| !(least..=most).contains(it)) {
        let message = format!("{number} is not between {least} and {most}");
        let help = format!("use a number between {least} and {most}");
        report(place, ErrorType::Invalid, message, &help, findings);
    }
}

/// Reports an invalid value of a field.
pub(super) fn report(
    place: &ReportedPath,
    error: ErrorType,
    message: String,
    help: impl Into<Help>,
    findings: &mut Findings,
) {
    place.report((&WORKER, error), message, findings).help(help);
}
