// SPDX-License-Identifier: Apache-2.0
use schemars::JsonSchema;
use serde::Serialize;

use garden_gate_core::workload::{
    CheckReport, ObjectName, Problem, Readiness, Severity, UncheckedObject,
};

/// Results of the checks of workload.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Workload")]
pub(super) struct Workload<'a> {
    /// The number of problems that someone must solve before the change.
    must_act: usize,
    /// The number of warnings.
    warnings: usize,
    /// The number of facts and objects that could not be checked.
    not_known: usize,
    /// The enabled checks.
    checks: Vec<Check<'a>>,
    /// The ids of the checks that the configuration disables.
    disabled: Vec<&'a str>,
    /// The ids of the checks of drains, for a change that drains no node.
    not_needed: Vec<&'a str>,
    /// The documents that could not be read.
    unread: Vec<Unread<'a>>,
}

/// Results of a check.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WorkloadCheck")]
struct Check<'a> {
    /// The id of the rule.
    rule: &'a str,
    /// The number of objects without a problem.
    passed: usize,
    /// The problems.
    problems: Vec<WorkloadProblem<'a>>,
    /// The objects and facts that could not be checked.
    not_known: Vec<NotKnown<'a>>,
}

/// A problem of an object.
#[derive(JsonSchema, Serialize)]
struct WorkloadProblem<'a> {
    /// The severity: `error` if someone must act before the change, else `warning`.
    severity: &'static str,
    /// The id of the finding.
    finding: &'a str,
    /// The kind of the object.
    kind: &'a str,
    /// The namespace of the object; absent if it has none.
    #[serde(skip_serializing_if = "str::is_empty")]
    namespace: &'a str,
    /// The name of the object.
    name: &'a str,
    /// The problem as a phrase about the object.
    message: &'a str,
    /// The remedy.
    fix: &'a str,
}

/// An object or a fact that could not be checked.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "UncheckedObject")]
struct NotKnown<'a> {
    /// The kind of the object; absent if the fact concerns several objects.
    #[serde(skip_serializing_if = "str::is_empty")]
    kind: &'a str,
    /// The namespace of the object; absent if it has none.
    #[serde(skip_serializing_if = "str::is_empty")]
    namespace: &'a str,
    /// The name of the object; absent if the fact concerns several objects.
    #[serde(skip_serializing_if = "str::is_empty")]
    name: &'a str,
    /// The unknown fact.
    why: &'a str,
}

/// A document that could not be read.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "UnreadDocument")]
struct Unread<'a> {
    /// The object, or its file.
    place: &'a str,
    /// The reason.
    why: &'a str,
}

pub(super) fn workload(readiness: &Readiness) -> Workload<'_> {
    Workload {
        must_act: readiness.count(Severity::Error),
        warnings: readiness.count(Severity::Warning),
        not_known: readiness.count_unknown(),
        checks: readiness.checks.iter().map(check).collect(),
        disabled: readiness.disabled.iter().map(|it| it.id).collect(),
        not_needed: readiness.not_needed.iter().map(|it| it.id).collect(),
        unread: readiness
            .unread
            .iter()
            .map(|it| Unread { place: &it.place, why: &it.why })
            .collect(),
    }
}

fn check(report: &CheckReport) -> Check<'_> {
    Check {
        rule: report.rule.id,
        passed: report.passed,
        problems: report.problems.iter().map(problem).collect(),
        not_known: report.unknown.iter().map(unknown).collect(),
    }
}

fn problem(problem: &Problem) -> WorkloadProblem<'_> {
    WorkloadProblem {
        severity: match problem.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        finding: problem.finding.id,
        kind: &problem.object.kind,
        namespace: &problem.object.namespace,
        name: &problem.object.name,
        message: &problem.message,
        fix: &problem.fix,
    }
}

fn unknown(it: &UncheckedObject) -> NotKnown<'_> {
    let part = |part: fn(&ObjectName) -> &String| it.object.as_ref().map_or("", |it| part(it));
    NotKnown {
        kind: part(|it| &it.kind),
        namespace: part(|it| &it.namespace),
        name: part(|it| &it.name),
        why: &it.why,
    }
}
