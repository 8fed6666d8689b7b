// SPDX-License-Identifier: Apache-2.0
//! Summaries of JSON documents for agents: counts, and what must be done first.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use super::document::urgency;
use garden_gate_text::escape;

/// Maximum number of entries of a summary.
const MOST: usize = 10;
/// Maximum number of findings of an object, so that one object does not hide the others.
const MOST_OF_OBJECT: usize = 3;
/// Maximum length of an entry in bytes.
const LONGEST: usize = 400;

/// Returns a summary of a review, an audit or a forecast; empty for other documents.
pub(super) fn summary(document: &Value) -> String {
    if let Some(reviews) = document["reviews"].as_array() {
        return of_reviews(document, reviews);
    }
    match (document["shoots"].as_array(), document["notForecast"].as_array()) {
        (Some(shoots), Some(missing)) => of_forecast(document, shoots, missing),
        _ => String::new(),
    }
}

fn of_reviews(document: &Value, reviews: &[Value]) -> String {
    let mut text = counts_of_reviews(document);
    let mut sorted: Vec<&Value> = reviews.iter().collect();
    sorted.sort_by_key(|it| urgency(it));
    let first = sorted.into_iter().flat_map(problems).take(MOST);
    push(&mut text, "First problems, in the order of their urgency:", first);
    push(&mut text, "Findings by id; `explain` has their pages:", by_id(reviews));
    text
}

fn counts_of_reviews(document: &Value) -> String {
    if let Some(audit) = document.get("audit") {
        return format!(
            "{} objects: {} would be refused, {} undetermined, {} with warnings only.\n",
            audit["count"], audit["denied"], audit["undetermined"], audit["warned"]
        );
    }
    let counts = &document["summary"];
    let [objects, denied, undetermined, allowed, refusals, warnings] =
        ["objects", "denied", "undetermined", "allowed", "refusals", "warnings"]
            .map(|it| &counts[it]);
    format!(
        "{objects} objects: {denied} denied, {undetermined} undetermined, {allowed} allowed; {refusals} refusals, {warnings} warnings.\n"
    )
}

/// Returns the findings of an object, refusals first, and the first reason why it is undetermined.
fn problems(review: &Value) -> Vec<String> {
    let unknown = review.get("error").or_else(|| list(&review["undetermined"]).first()).map(|it| {
        let message = format!("undetermined: {}", string(&it["message"]));
        entry(review, &it["line"], &message)
    });
    let mut findings: Vec<&Value> = list(&review["findings"]).iter().collect();
    findings.sort_by_key(|it| it["level"] != "deny");
    findings
        .into_iter()
        .take(MOST_OF_OBJECT)
        .map(|it| {
            let level = if it["level"] == "deny" { "refused" } else { "warning" };
            let (message, id) = (string(&it["message"]), string(&it["finding"]));
            entry(review, &it["line"], &format!("{level}: {message} ({id})"))
        })
        .chain(unknown)
        .collect()
}

/// Returns the most frequent ids of findings with their counts, refusals first.
fn by_id(reviews: &[Value]) -> impl Iterator<Item = String> {
    let mut counts: BTreeMap<(bool, &str), usize> = BTreeMap::new();
    for finding in reviews.iter().flat_map(|it| list(&it["findings"])) {
        let is_warning = finding["level"] != "deny";
        *counts
            .entry((is_warning, finding["finding"].as_str().unwrap_or_default()))
            .or_default() += 1;
    }
    let mut counts: Vec<(bool, usize, String)> = counts
        .into_iter()
        .map(|((is_warning, id), count)| (is_warning, count, bounded(id)))
        .collect();
    counts.sort_by_key(|(is_warning, count, _)| (*is_warning, Reverse(*count)));
    counts.into_iter().take(MOST).map(|(is_warning, count, id)| {
        format!("{id}: {count}{}", if is_warning { " (warnings)" } else { "" })
    })
}

fn of_forecast(document: &Value, shoots: &[Value], missing: &[Value]) -> String {
    let counts = &document["summary"];
    let mut text = format!(
        "{} Shoots until {}: {} need a person; {} forced and {} regular updates, {} blocked, {} impossible, {} without a forecast.\n",
        counts["shoots"],
        string(&document["until"]),
        counts["mustAct"],
        counts["forced"],
        counts["regular"],
        counts["blocked"],
        counts["noUpdatePossible"],
        counts["notForecast"]
    );
    let stuck = shoots.iter().filter(|it| urgency(it) == 0).map(|shoot| {
        let windows = list(&shoot["windows"]).iter();
        let mut stuck = windows.filter(|it| it["status"] != "scheduled");
        let window = stuck.next().unwrap_or(&Value::Null);
        let event = list(&window["events"]).first().unwrap_or(&Value::Null);
        let why = list(&window["blockedBy"])
            .first()
            .map_or_else(|| string(&event["cause"]), |it| string(&it["message"]));
        let (name, status) = (name(shoot), string(&window["status"]));
        bounded(&format!(
            "{name}: {} {} {status}: {why}",
            string(&window["begin"]),
            string(&event["from"])
        ))
    });
    let missing =
        missing.iter().map(|it| bounded(&format!("{}: {}", name(it), string(&it["why"]))));
    push(&mut text, "A person must act:", stuck.take(MOST));
    push(&mut text, "Without a forecast:", missing.take(MOST));
    text
}

fn push<T: AsRef<str>>(text: &mut String, heading: &str, entries: impl IntoIterator<Item = T>) {
    let mut entries = entries.into_iter().peekable();
    if entries.peek().is_some() {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{heading}");
    }
    for entry in entries {
        let _ = writeln!(text, "- {}", entry.as_ref());
    }
}

/// Returns a line about an object.
fn entry(review: &Value, line: &Value, message: &str) -> String {
    let file = string(&review["file"]);
    let place = if line.is_u64() { format!("{file}:{line}") } else { file };
    let title = format!("{} {}", string(&review["kind"]), name(review));
    // An object that cannot be read has neither a kind nor a name.
    match title.trim() {
        "" => bounded(&format!("{place}: {message}")),
        title => bounded(&format!("{place}: {title}: {message}")),
    }
}

fn name(entry: &Value) -> String {
    match (string(&entry["namespace"]), string(&entry["name"])) {
        (namespace, name) if namespace.is_empty() => name,
        (namespace, name) => format!("{namespace}/{name}"),
    }
}

fn bounded(text: &str) -> String {
    escape::value_within(text, LONGEST)
}

fn string(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
