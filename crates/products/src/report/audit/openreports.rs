// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::io::{self, Write};

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};

use crate::report::Weight;
use crate::report::annotation::Annotation;
use crate::report::{Reviewed, Summary, Writer, yaml_document};
use garden_gate_core::admission::Kind;

/// The source named in every report.
const SOURCE: &str = "garden-gate";
/// Maximum number of results in a report; the others are counted. An object has at most 1.5 MiB.
const MOST_RESULTS: usize = 500;

/// Writes an audit as `openreports.io/v1alpha1` objects, ready for `kubectl apply -f -`.
///
/// Each object with findings gets a Report in its namespace, or a ClusterReport.
#[derive(Debug)]
pub struct OpenReportsWriter {
    at: Timestamp,
}

impl OpenReportsWriter {
    /// Returns a writer for an audit as of `at`.
    pub fn new(at: Timestamp) -> Self {
        Self { at }
    }
}

#[derive(Serialize)]
struct ResultOf<'a> {
    policy: &'a str,
    rule: &'a str,
    category: &'static str,
    severity: &'static str,
    result: &'static str,
    scored: bool,
    message: &'a str,
    timestamp: Value,
    properties: BTreeMap<&'static str, &'a str>,
}

impl Writer for OpenReportsWriter {
    fn object(&mut self, out: &mut dyn Write, object: &Reviewed) -> io::Result<()> {
        let remarks = object.remarks();
        if remarks.is_empty() || object.name.is_empty() {
            return Ok(());
        }
        let report = self.report(object, &remarks);
        out.write_all(yaml_document(&report)?.as_bytes())
    }

    fn end(&mut self, _out: &mut dyn Write, _summary: &Summary) -> io::Result<()> {
        Ok(())
    }
}

impl OpenReportsWriter {
    fn report(&self, object: &Reviewed, remarks: &[Annotation<'_>]) -> Value {
        let count = |result| remarks.iter().filter(|it| verdict(it).0 == result).count();
        let mut listed: Vec<_> = remarks.iter().collect();
        if listed.len() > MOST_RESULTS {
            // Warnings must not displace refusals.
            listed.sort_by_key(|it| match it.weight {
                Weight::Invalid | Weight::Refused => 0,
                Weight::Unknown => 1,
                Weight::Warned => 2,
            });
        }
        let results: Vec<ResultOf<'_>> =
            listed.into_iter().take(MOST_RESULTS).map(|remark| self.result(remark)).collect();
        let mut metadata = json!({
            "name": name(object),
            "labels": {"app.kubernetes.io/managed-by": SOURCE},
        });
        let mut scope = json!({"kind": object.kind, "name": object.name});
        if let Some(kind) = Kind::ALL.iter().find(|kind| kind.as_str() == object.kind) {
            let (group, version) = kind.api();
            scope["apiVersion"] = format!("{group}/{version}").into();
        }
        let kind = match object.namespace.as_str() {
            "" => "ClusterReport",
            namespace => {
                metadata["namespace"] = namespace.into();
                scope["namespace"] = namespace.into();
                "Report"
            }
        };
        json!({
            "apiVersion": "openreports.io/v1alpha1",
            "kind": kind,
            "metadata": metadata,
            "source": SOURCE,
            "scope": scope,
            "summary": {
                "pass": 0, "skip": 0,
                "fail": count("fail"), "warn": count("warn"), "error": count("error"),
            },
            "results": results,
        })
    }

    fn result<'a>(&self, remark: &Annotation<'a>) -> ResultOf<'a> {
        let (result, severity) = verdict(remark);
        let mut properties = BTreeMap::new();
        for (name, text) in [
            ("field", remark.field),
            ("help", remark.help),
            ("when", remark.occasion.map_or("", |it| it.as_str())),
        ] {
            if !text.is_empty() {
                properties.insert(name, text);
            }
        }
        ResultOf {
            policy: remark.rule,
            rule: remark.id,
            category: "Gardener",
            severity,
            result,
            scored: result == "fail",
            message: remark.message,
            timestamp: json!({"seconds": self.at.as_second(), "nanos": 0}),
            properties,
        }
    }
}

fn verdict(remark: &Annotation<'_>) -> (&'static str, &'static str) {
    match remark.weight {
        Weight::Refused => ("fail", "high"),
        Weight::Invalid | Weight::Unknown => ("error", "medium"),
        Weight::Warned => ("warn", "low"),
    }
}

/// Returns a name with the maximum length of names; the kind keeps names in a namespace distinct.
fn name(object: &Reviewed) -> String {
    let mut name = format!("{SOURCE}-{}-{}", object.kind.to_lowercase(), object.name);
    name.truncate(name.floor_char_boundary(253));
    name
}
