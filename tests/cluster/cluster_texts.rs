// SPDX-License-Identifier: Apache-2.0
//! A text of manifests has the same meaning here and for kubectl, or is refused.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use garden_gate_text::yaml::{Document, parse_keeping_repeated};
use serde_json::Value;

use crate::cluster::programs::Program;
use crate::manifest_texts;
use crate::random::Random;

/// The number of random texts without the variable `TEXTS`.
const COUNT: u64 = 10_000;

/// Returns what kubectl sends for each text: a list of documents, or the reason for sending none.
fn sent(reader: &Path, texts: &[String]) -> Vec<Value> {
    let mut command = Command::new(reader);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let lines: Vec<Value> = texts.iter().map(|it| it.as_str().into()).collect();
    let writer = thread::spawn(move || {
        for line in lines {
            writeln!(input, "{line}").unwrap();
        }
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    let answers = output.lines().map(|it| serde_json::from_str(it).unwrap());
    answers.collect()
}

/// Returns the value with numbers beyond 64 bits as floats, which are all that kubectl has for them.
fn in_go(value: Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(float) if float.abs() > 9e18 || number.as_i64().is_none() => float.into(),
            _ => Value::Number(number),
        },
        Value::Array(items) => items.into_iter().map(in_go).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(key, it)| (key, in_go(it)));
            Value::Object(fields.collect())
        }
        other => other,
    }
}

/// Returns the documents of a text, unless one is refused for keys that it repeats.
fn documents(text: &str) -> Option<Value> {
    let documents = parse_keeping_repeated(text).ok()?;
    let repeats = documents.iter().any(Document::repeats_keys);
    let values = documents.iter().map(|it| in_go(it.to_value()));
    (!repeats).then(|| values.collect())
}

#[test]
fn texts_mean_what_they_mean_to_kubectl() {
    let Some(reader) = Program::KubectlReader.find() else {
        return;
    };
    let count = std::env::var("TEXTS").map_or(COUNT, |it| it.parse().unwrap());
    let texts = (0..count).map(|case| manifest_texts::text(&mut Random::of_case(case)));
    let texts: Vec<String> = texts.collect();
    let sent = sent(&reader, &texts);
    assert_eq!(sent.len(), texts.len());
    let (mut equal, mut differences) = (0, Vec::new());
    for (text, theirs) in texts.iter().zip(sent) {
        match documents(text) {
            Some(ours) if ours == in_go(theirs.clone()) => equal += 1,
            Some(ours) => differences.push(format!("{text:?}: {ours}, but {theirs}")),
            None => {}
        }
    }
    assert!(equal > count / 5, "{equal} of {count} are equal");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
