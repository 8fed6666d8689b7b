use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};

use super::fingerprint::Fingerprint;
use super::remark::{Remark, UNREADABLE, Weight};
use super::{Report, Reviewed, server};
use crate::engine::Silenced;
use crate::rules::{self, catalogue};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Result<'a> {
    rule_id: &'a str,
    rule_index: usize,
    kind: &'static str,
    level: &'static str,
    message: Message,
    locations: [Value; 1],
    partial_fingerprints: BTreeMap<&'static str, String>,
    /// Why it is not to be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    suppressions: Option<[Value; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline_state: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    properties: Option<Value>,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

/// Writes verdicts in the Static Analysis Results Interchange Format, version 2.1.0.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_sarif(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let remarks = || report.reviewed.iter().flat_map(remarks);
    let mut ids: BTreeMap<String, (usize, String)> = remarks()
        .map(|(_, remark, _)| (remark.id.to_owned(), (0, remark.rule.to_owned())))
        .collect();
    for (index, (at, _)) in ids.values_mut().enumerate() {
        *at = index;
    }
    let rules: Vec<Value> = ids
        .iter()
        .map(|(id, (_, rule))| descriptor(id, rule))
        .collect();
    let mut seen: BTreeMap<Fingerprint, usize> = BTreeMap::new();
    let results: Vec<Value> = remarks()
        .map(|(object, remark, silenced)| {
            let index = ids.get(remark.id).map_or(0, |(index, _)| *index);
            let state = report.baseline.map(|_| match remark.is_known {
                true => "unchanged",
                false => "new",
            });
            let fingerprint = Fingerprint::new(&object.title(), remark.id, remark.field);
            let nth = seen.entry(fingerprint.clone()).or_default();
            *nth += 1;
            json!(Result {
                baseline_state: state.filter(|_| silenced.is_none()),
                suppressions: silenced.map(suppressions),
                ..result(object, &remark, (index, fingerprint.hash(*nth)))
            })
        })
        .collect();
    let driver = json!({
        "name": "garden-gate",
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "rules": rules,
    });
    let report = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": driver},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    serde_json::to_writer_pretty(&mut *out, &report)?;
    writeln!(out)
}

/// Everything that is said about an object, and what would be if it were not silenced.
fn remarks(object: &Reviewed) -> impl Iterator<Item = (&Reviewed, Remark<'_>, Option<&Silenced>)> {
    let said = object.all_remarks_with_server().into_iter();
    let said = said.map(move |remark| (object, remark, None));
    let silenced = object.silenced().into_iter();
    said.chain(silenced.map(move |(silence, remark)| (object, remark, Some(silence))))
}

fn suppressions(silenced: &Silenced) -> [Value; 1] {
    [json!({"kind": "inSource", "justification": silenced.to_string()})]
}

/// What a finding is about, with the page of its rule as help.
fn descriptor(id: &str, rule: &str) -> Value {
    let Some(rule) = rules::find(rule) else {
        let says = match id {
            UNREADABLE => "the object could not be read",
            server::REFUSED => "the API server refuses the object",
            server::UNANSWERED => "the API server has not answered",
            server::DISAGREES => "garden-gate and the API server judge the object differently",
            _ => "the object could not be judged as a whole",
        };
        return json!({"id": id, "shortDescription": {"text": says}});
    };
    let finding = rule.findings.iter().find(|finding| finding.id == id);
    let page = catalogue::documentation(rule);
    json!({
        "id": id,
        "shortDescription": {"text": finding.map_or(rule.summary, |finding| finding.summary)},
        "help": {"text": page, "markdown": page},
        "properties": {"rule": rule.id},
    })
}

fn result<'a>(
    object: &Reviewed,
    remark: &Remark<'a>,
    (rule_index, fingerprint): (usize, String),
) -> Result<'a> {
    let (kind, level) = match remark.weight {
        Weight::Refused => ("fail", "error"),
        Weight::Warned => ("fail", "warning"),
        Weight::Unknown => ("open", "none"),
    };
    Result {
        rule_id: remark.id,
        rule_index,
        kind,
        level,
        message: Message {
            text: remark.text(),
        },
        locations: [location(object, remark)],
        partial_fingerprints: BTreeMap::from([("gardenGate/v2", fingerprint)]),
        suppressions: None,
        baseline_state: None,
        properties: object
            .server
            .as_ref()
            .map(|server| json!({"server": server})),
    }
}

fn location(object: &Reviewed, remark: &Remark<'_>) -> Value {
    let region = json!({"startLine": remark.excerpt.position.line, "startColumn": remark.excerpt.position.column});
    let uri = uri(&object.file);
    let name = match remark.field {
        "" => object.title(),
        field => format!("{}: {field}", object.title()),
    };
    json!({
        "physicalLocation": {"artifactLocation": {"uri": uri}, "region": region},
        "logicalLocations": [{"fullyQualifiedName": name}],
    })
}

/// A path as a URI reference: bytes that have a meaning there are escaped.
fn uri(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}
