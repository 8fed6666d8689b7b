// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::mem::take;

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

use super::Weight;
use super::annotation::Annotation;
use super::{Reviewed, Summary, Writer};
use garden_gate_text::escape;

/// Writes a JUnit report with a suite per file and a case per object.
///
/// Refused objects are failures, undetermined ones are errors, and warnings are the output of successful cases. The
/// counts come first in the file, so all cases are kept until the end.
#[derive(Debug, Default)]
pub struct JunitWriter {
    suites: BTreeMap<String, TestSuite>,
}

impl Writer for JunitWriter {
    fn object(&mut self, _out: &mut dyn Write, object: &Reviewed) -> io::Result<()> {
        let suite = self
            .suites
            .entry(object.file.clone())
            .or_insert_with(|| TestSuite::new(&*escape::line(&object.file)));
        suite.add_test_case(case(object));
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, _summary: &Summary) -> io::Result<()> {
        let mut report = quick_junit::Report::new("garden-gate review");
        report.add_test_suites(take(&mut self.suites).into_values());
        report.serialize(&mut *out).map_err(io::Error::other)?;
        writeln!(out)
    }
}

fn case(object: &Reviewed) -> TestCase {
    let remarks = object.remarks_with_server();
    let (warnings, grave): (Vec<_>, Vec<_>) =
        remarks.iter().partition(|remark| remark.weight == Weight::Warned);
    let mut case = TestCase::new(&*escape::line(&object.heading()), status(object, &grave));
    case.set_classname(&*escape::line(&object.file));
    if let Some(server) = &object.server {
        case.add_property(("server", &*escape::line(&server.line())));
        case.add_property(("disagrees", if server.disagrees() { "true" } else { "false" }));
    }
    if !warnings.is_empty() {
        case.set_system_out(lines(object, &warnings));
    }
    case
}

fn status(object: &Reviewed, grave: &[&Annotation<'_>]) -> TestCaseStatus {
    let weightiest = grave.iter().min_by_key(|remark| remark.weight);
    let Some(weightiest) = weightiest else {
        return TestCaseStatus::success();
    };
    let kind = match weightiest.weight {
        Weight::Refused => NonSuccessKind::Failure,
        Weight::Invalid | Weight::Unknown | Weight::Warned => NonSuccessKind::Error,
    };
    let mut status = TestCaseStatus::non_success(kind);
    status
        .set_type(weightiest.id)
        .set_message(&*escape::line(weightiest.message))
        .set_description(lines(object, grave));
    status
}

fn lines(object: &Reviewed, remarks: &[&Annotation<'_>]) -> String {
    let line = |remark: &&Annotation<'_>| {
        format!(
            "{}:{}: {}: {}{}{} ({})",
            escape::value(&object.file),
            remark.excerpt.position,
            remark.weight.as_str(),
            escape::value(remark.field),
            if remark.field.is_empty() { "" } else { ": " },
            remark.text(),
            remark.id
        )
    };
    let lines = remarks.iter().map(line).collect::<Vec<_>>().join("\n");
    escape::lines(&lines).into_owned()
}
