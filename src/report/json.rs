use std::io::{self, Write};

use json_patch::Patch;
use serde::Serialize;

use super::{Fix, Outcome, Reviewed};
use crate::engine::{Finding, Operation, Undetermined, Verdict};
use crate::rules::Unjudged;
use crate::source::{Excerpt, Position};

#[derive(Serialize)]
struct Report<'a> {
    reviews: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    file: &'a str,
    document: usize,
    kind: &'a str,
    namespace: &'a str,
    name: &'a str,
    operation: Operation,
    verdict: Verdict,
    allowed: bool,
    findings: Vec<Located<'a>>,
    undetermined: &'a [Undetermined],
    patch: Option<&'a Patch>,
    #[serde(rename = "notJudged", skip_serializing_if = "<[_]>::is_empty")]
    not_judged: &'a [Unjudged],
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Error<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<&'a Fix>,
}

#[derive(Serialize)]
struct Located<'a> {
    #[serde(flatten)]
    finding: &'a Finding,
    line: usize,
    column: usize,
}

#[derive(Serialize)]
struct Error<'a> {
    message: &'a str,
    line: usize,
    column: usize,
}

/// Writes verdicts for programs: `{"reviews": [...]}`, one entry per object.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_json(out: &mut dyn Write, reviewed: &[Reviewed]) -> io::Result<()> {
    let report = Report {
        reviews: reviewed.iter().map(entry).collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &report)?;
    writeln!(out)
}

fn entry(object: &Reviewed) -> Entry<'_> {
    let verdict = object.verdict();
    let mut entry = Entry {
        file: &object.file,
        document: object.document,
        kind: &object.kind,
        namespace: &object.namespace,
        name: &object.name,
        operation: object.operation,
        verdict,
        allowed: verdict == Verdict::Allowed,
        findings: Vec::new(),
        undetermined: &[],
        patch: None,
        not_judged: &object.unjudged,
        error: None,
        fix: object.fix.as_ref(),
    };
    match &object.outcome {
        Outcome::Judged(review, excerpts) => {
            let located = |(finding, excerpt): (_, &Excerpt)| Located {
                finding,
                line: excerpt.position.line,
                column: excerpt.position.column,
            };
            entry.findings = review.findings.iter().zip(excerpts).map(located).collect();
            entry.undetermined = &review.undetermined;
            entry.patch = Some(&review.patch);
        }
        Outcome::Unreadable(message, excerpt) => {
            let Position { line, column } = excerpt.position;
            entry.error = Some(Error {
                message,
                line,
                column,
            });
        }
    }
    entry
}
