// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::Weight;
use super::annotation::{Annotation, UNREADABLE};
use super::fingerprint::Fingerprint;
use super::{Reviewed, ServerVerdict, Summary, TextFix, Writer, pretty, server};
use garden_gate_core::admission::{POLICY_PREFIX, Silenced};
use garden_gate_core::rules;
use garden_gate_text::escape;
use garden_gate_text::yaml::Position;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Writes verdicts in the Static Analysis Results Interchange Format, version 2.1.0.
///
/// Annotations are kept until all ids are known, since each result has the index of its id.
#[derive(Debug, Default)]
pub struct SarifWriter {
    entries: Vec<SarifEntry>,
}

/// The kept part of an annotation.
#[derive(Debug)]
struct SarifEntry {
    id: &'static str,
    rule: &'static str,
    weight: Weight,
    text: String,
    file: String,
    position: Position,
    title: String,
    field: String,
    /// The reason of the silence, if the finding is silenced.
    silence: Option<String>,
    /// Whether it is in the baseline.
    is_known: bool,
    server: Option<ServerVerdict>,
    fix: Option<TextFix>,
}

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    runs: [Run<'a>; 1],
    version: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    column_kind: &'static str,
    properties: Value,
    results: Results<'a>,
    tool: Value,
}

/// Results, created one by one during serialization.
///
/// Together they are much larger than the kept annotations.
struct Results<'a> {
    entries: &'a [SarifEntry],
    /// The index of each id.
    ids: &'a BTreeMap<&'static str, usize>,
    is_compared: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Result<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline_state: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fixes: Option<[Value; 1]>,
    kind: &'static str,
    level: &'static str,
    locations: [Value; 1],
    message: Message<'a>,
    partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    properties: Option<Value>,
    rule_id: &'a str,
    rule_index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    suppressions: Option<[Value; 1]>,
}

#[derive(Serialize)]
struct Message<'a> {
    text: &'a str,
}

impl Writer for SarifWriter {
    fn object(&mut self, _out: &mut dyn Write, object: &Reviewed) -> io::Result<()> {
        for remark in object.all_remarks_with_server() {
            self.entries.push(entry(object, &remark, None));
        }
        for (silence, remark) in object.silenced() {
            self.entries.push(entry(object, &remark, Some(silence)));
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
        let rules: BTreeMap<&str, &str> =
            self.entries.iter().map(|entry| (entry.id, entry.rule)).collect();
        let ids = rules.keys().enumerate().map(|(index, id)| (*id, index));
        let descriptors =
            rules.iter().map(|(id, rule)| descriptor(id, rule, summary.rule_url.as_deref()));
        let log = Log {
            schema: SCHEMA,
            runs: [Run {
                column_kind: "unicodeCodePoints",
                properties: json!({"judgedAs": summary.judged_as()}),
                results: Results {
                    entries: &self.entries,
                    ids: &ids.collect(),
                    is_compared: summary.baseline.is_some(),
                },
                tool: json!({"driver": {
                    "name": "garden-gate",
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "rules": descriptors.collect::<Vec<_>>(),
                }}),
            }],
            version: "2.1.0",
        };
        pretty::write(out, &log)
    }
}

/// Returns the kept part of an annotation; `silence` is set for silenced findings.
fn entry(object: &Reviewed, remark: &Annotation<'_>, silence: Option<&Silenced>) -> SarifEntry {
    SarifEntry {
        id: remark.id,
        rule: remark.rule,
        weight: remark.weight,
        text: unlinked(&remark.text()),
        file: object.file.clone(),
        position: remark.excerpt.position,
        title: object.title(),
        field: remark.field.to_owned(),
        silence: silence.map(ToString::to_string),
        is_known: remark.is_known,
        server: object.server.clone(),
        fix: remark.text_fix.cloned(),
    }
}

/// Escapes `[text](address)`, which is a link in SARIF messages as well.
fn unlinked(text: &str) -> String {
    text.replace("](", "]\\u{28}")
}

impl Serialize for Results<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut seen: BTreeMap<[&str; 3], usize> = BTreeMap::new();
        serializer.collect_seq(self.entries.iter().map(|entry| {
            let nth = seen
                .entry([&entry.title, entry.id, &entry.field])
                .and_modify(|nth| *nth += 1)
                .or_insert(1);
            self.result(entry, *nth)
        }))
    }
}

impl Results<'_> {
    /// Returns the result for the `nth` annotation with its fingerprint.
    fn result<'a>(&self, entry: &'a SarifEntry, nth: usize) -> Result<'a> {
        let (kind, level) = match entry.weight {
            Weight::Invalid | Weight::Refused => ("fail", "error"),
            Weight::Warned => ("fail", "warning"),
            Weight::Unknown => ("open", "none"),
        };
        let state = if entry.is_known { "unchanged" } else { "new" };
        let fingerprint = Fingerprint::new(&entry.title, entry.id, &entry.field).hash(nth);
        Result {
            baseline_state: (self.is_compared && entry.silence.is_none()).then_some(state),
            fixes: entry.fix.as_ref().map(|fix| [fix_of(fix, &entry.file)]),
            kind,
            level,
            locations: [location(entry)],
            message: Message { text: &entry.text },
            partial_fingerprints: BTreeMap::from([("gardenGate/v2", fingerprint)]),
            properties: entry.server.as_ref().map(|server| json!({"server": server})),
            rule_id: entry.id,
            rule_index: self.ids.get(entry.id).copied().unwrap_or_default(),
            suppressions: entry.silence.as_deref().map(suppressions),
        }
    }
}

fn fix_of(fix: &TextFix, file: &str) -> Value {
    let replacements = fix.replacements.iter().map(|([start, end], text)| {
        let region = json!({
            "startLine": start.line, "startColumn": start.column,
            "endLine": end.line, "endColumn": end.column,
        });
        json!({"deletedRegion": region, "insertedContent": {"text": text}})
    });
    json!({
        "description": {"text": fix.title},
        "artifactChanges": [{
            "artifactLocation": {"uri": uri(file)},
            "replacements": replacements.collect::<Vec<_>>(),
        }],
    })
}

fn suppressions(silence: &str) -> [Value; 1] {
    [json!({"kind": "inSource", "justification": silence})]
}

/// Returns the descriptor of an id, with the page of its rule as help.
fn descriptor(id: &str, rule: &str, url: Option<&str>) -> Value {
    let Some(rule) = rules::find(rule) else {
        let says = match id {
            UNREADABLE => "the object could not be read",
            server::REFUSED => "the API server refuses the object",
            server::UNANSWERED => "the API server has not answered",
            server::DISAGREES => "garden-gate and the API server judge the object differently",
            _ => "the object could not be judged as a whole",
        };
        let says = match id.strip_prefix(POLICY_PREFIX) {
            Some(name) => format!("ValidatingAdmissionPolicy `{name}` of the garden"),
            None => says.to_owned(),
        };
        return json!({"id": id, "shortDescription": {"text": says}});
    };
    let finding = rule.findings.iter().find(|finding| finding.id == id);
    let page = rule.documentation;
    let mut descriptor = json!({
        "id": id,
        "shortDescription": {"text": finding.map_or(rule.summary, |finding| finding.summary)},
        "help": {"text": page, "markdown": page},
        "properties": {"rule": rule.id},
    });
    if let Some(url) = url {
        descriptor["helpUri"] = url.replace("{rule}", rule.id).into();
    }
    descriptor
}

fn location(entry: &SarifEntry) -> Value {
    let Position { line, column } = entry.position;
    let region = json!({"startLine": line, "startColumn": column});
    let uri = uri(&entry.file);
    let name = match entry.field.as_str() {
        "" => entry.title.clone(),
        field => format!("{}: {field}", entry.title),
    };
    json!({
        "physicalLocation": {"artifactLocation": {"uri": uri}, "region": region},
        "logicalLocations": [{"fullyQualifiedName": name}],
    })
}

/// Converts a path to a URI reference with percent-encoding.
fn uri(path: &str) -> String {
    escape::uri_path(path.strip_prefix("./").unwrap_or(path))
}
