use std::collections::BTreeMap;
use std::io::{self, Write};

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

use super::remark::{Remark, Weight};
use super::{Report, Reviewed};

/// Writes verdicts as a JUnit report: a suite per file, a case per object. What is refused fails, what could not be judged is an
/// error, and warnings are what a case that succeeds has printed.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_junit(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let mut suites: BTreeMap<&str, TestSuite> = BTreeMap::new();
    for object in &report.reviewed {
        let suite = suites.entry(&object.file);
        let suite = suite.or_insert_with(|| TestSuite::new(object.file.as_str()));
        suite.add_test_case(case(object));
    }
    let mut written = quick_junit::Report::new("garden-gate review");
    written.add_test_suites(suites.into_values());
    written.serialize(&mut *out).map_err(io::Error::other)?;
    writeln!(out)
}

fn case(object: &Reviewed) -> TestCase {
    let remarks = object.remarks_with_server();
    let (warnings, grave): (Vec<_>, Vec<_>) = remarks
        .iter()
        .partition(|remark| remark.weight == Weight::Warned);
    let name = format!("{} of {}", object.operation, object.title());
    let mut case = TestCase::new(name, status(object, &grave));
    case.set_classname(object.file.as_str());
    if let Some(server) = &object.server {
        case.add_property(("server", server.line().as_str()));
        case.add_property((
            "disagrees",
            if server.disagrees() { "true" } else { "false" },
        ));
    }
    if !warnings.is_empty() {
        case.set_system_out(lines(object, &warnings));
    }
    case
}

fn status(object: &Reviewed, grave: &[&Remark<'_>]) -> TestCaseStatus {
    let weightiest = grave.iter().min_by_key(|remark| remark.weight);
    let Some(weightiest) = weightiest else {
        return TestCaseStatus::success();
    };
    let kind = match weightiest.weight {
        Weight::Refused => NonSuccessKind::Failure,
        Weight::Unknown | Weight::Warned => NonSuccessKind::Error,
    };
    let mut status = TestCaseStatus::non_success(kind);
    status
        .set_type(weightiest.id)
        .set_message(weightiest.message)
        .set_description(lines(object, grave));
    status
}

fn lines(object: &Reviewed, remarks: &[&Remark<'_>]) -> String {
    let line = |remark: &&Remark<'_>| {
        format!(
            "{}:{}: {}: {}{}{} ({})",
            object.file,
            remark.excerpt.position,
            remark.weight.as_str(),
            remark.field,
            if remark.field.is_empty() { "" } else { ": " },
            remark.text(),
            remark.id
        )
    };
    remarks.iter().map(line).collect::<Vec<_>>().join("\n")
}
