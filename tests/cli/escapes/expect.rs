// SPDX-License-Identifier: Apache-2.0
//! Properties of each format for any content.

use std::collections::BTreeSet;

use garden_gate_text::escape::is_unsafe;
use ical::parser::ical::IcalParser;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd, TextMergeStream};
use quick_junit::Report;
use scraper::Html;
use serde_json::Value;

/// Valid beginnings of lines: a word or sign of the program, or the path of a file.
const BEGINNINGS: &[&str] = &[
    " ",
    "+",
    "-",
    "@@ ",
    "deny",
    "undetermined",
    "warn",
    "error",
    "warning",
    "note: ",
    "silenced: ",
    "drift: ",
    "what the change",
    "not judged: ",
    "server: ",
    "disagrees: ",
    "fixed: ",
    "not fixed: ",
    "wrote ",
    "Project ",
    "* ",
    "left out: ",
    "judged as ",
    "configuration: ",
    "fix: ",
    "there is nothing",
    "since ",
    "As of ",
    "Would be refused (",
    "Warnings (",
    "Use --each ",
    "By Project",
    "By owner",
    "Versions in use",
    "Changed since",
    "Stays behind",
    "To note",
    "You must act (",
    "Forced (",
    "Regular (",
    "Use --details",
    "CloudProfile ",
    "Kubernetes",
    "machine image ",
    "...",
    "no Shoots",
    "nothing happens",
    "ok",
    "/",
    "shoots/",
];

/// Fails if output in this format contains characters that only a manifest can have added.
pub(crate) fn expect(format: &str, text: &str) {
    match format {
        "text" | "error" => lines(text),
        "concise" => clean(text),
        // Headings are names.
        "headings" => clean(text),
        "coloured" => lines(&without_colours(text)),
        "json" | "sarif" | "status" => json(format, text),
        "junit" => {
            clean(text);
            Report::deserialize_from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        }
        "github" => github(text),
        "markdown" => markdown(text),
        "openreports" => {
            clean(text);
            let text = format!("\n{text}");
            let documents = text.split("\n---\n").filter(|it| !it.is_empty());
            for document in documents {
                let object: Value = serde_saphyr::from_str(document)
                    .unwrap_or_else(|error| panic!("{error}: {document}"));
                assert!(object["kind"].as_str().unwrap().ends_with("Report"), "{text}");
            }
        }
        "html" => html(text),
        "page" => page(text),
        "document" => {
            clean(text);
            let (name, document) = text.split_once(',').unwrap();
            assert!(name.starts_with("gardenGate(\""), "{name}");
            let document = document.strip_suffix(");\n").unwrap();
            serde_json::from_str::<Value>(document).unwrap();
        }
        "ics" => calendar(text),
        _ => unreachable!("{format}"),
    }
}

fn clean(text: &str) {
    let found = text.chars().find(|it| is_unsafe(*it) && *it != '\n');
    assert_eq!(found, None, "{text:?}");
    for line in text.lines() {
        assert!(!line.trim_start().starts_with("::"), "{line}");
        assert!(!line.contains("##["), "{line}");
    }
}

fn lines(text: &str) {
    clean(text);
    for line in text.lines().filter(|line| !line.is_empty()) {
        let begins = |beginning: &&str| line.starts_with(beginning);
        let is_ours = BEGINNINGS.iter().any(begins);
        assert!(is_ours || line.starts_with(|it: char| it.is_ascii_digit()), "{line:?} in {text}");
    }
}

fn without_colours(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap().to_owned();
    for part in parts {
        let (parameters, rest) = part.split_once('m').unwrap();
        assert!(parameters.chars().all(|it| it.is_ascii_digit() || it == ';'), "{part:?}");
        plain += rest;
    }
    plain
}

fn json(format: &str, text: &str) {
    clean(text);
    let document: Value = serde_json::from_str(text).unwrap();
    if format == "sarif" {
        for result in document["runs"][0]["results"].as_array().unwrap() {
            let message = result["message"]["text"].as_str().unwrap();
            assert!(!message.contains("]("), "{message}");
            let uri = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
            let is_allowed = |it: char| it.is_ascii_alphanumeric() || "/.-_~%".contains(it);
            assert!(uri.as_str().unwrap().chars().all(is_allowed), "{uri}");
        }
    }
}

fn github(text: &str) {
    assert_eq!(text.chars().find(|it| is_unsafe(*it) && *it != '\n'), None, "{text:?}");
    for line in text.lines() {
        let command = line.strip_prefix("::").unwrap_or_else(|| panic!("{line}"));
        let (name, rest) = command.split_once(' ').unwrap();
        assert!(["error", "warning", "notice"].contains(&name), "{line}");
        let (properties, _) = rest.split_once("::").unwrap();
        let names = properties.split(',').map(|it| it.split_once('=').unwrap().0);
        let names: BTreeSet<&str> = names.collect();
        assert!(names.is_subset(&["file", "line", "col", "title"].into()), "{line}");
    }
}

fn markdown(text: &str) {
    clean(text);
    let mut code = 0_usize;
    let mut is_suggestion = false;
    for event in TextMergeStream::new(Parser::new_ext(text, Options::all())) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                assert_eq!(&*language, "suggestion", "{text}");
                is_suggestion = true;
            }
            Event::End(TagEnd::CodeBlock) => is_suggestion = false,
            Event::Text(_) if is_suggestion => {}
            Event::Start(tag) => {
                assert!(
                    matches!(
                        tag,
                        Tag::Paragraph
                            | Tag::Heading { .. }
                            | Tag::HtmlBlock
                            | Tag::List(None)
                            | Tag::Item
                            | Tag::Table(_)
                            | Tag::TableHead
                            | Tag::TableRow
                            | Tag::TableCell
                            | Tag::Emphasis
                            | Tag::Strong
                    ),
                    "{tag:?} in {text}"
                );
                code += usize::from(matches!(tag, Tag::Heading { .. }));
            }
            Event::Html(html) | Event::InlineHtml(html) => expect_own_html(&html, text),
            Event::Text(words) => {
                let linked = ["://", "www.", "@", "#", "$"].iter().find(|it| words.contains(**it));
                assert_eq!(linked, None, "{words} in {text}");
            }
            Event::End(_) | Event::Code(_) | Event::SoftBreak => {}
            other => unreachable!("{other:?} in {text}"),
        }
    }
    assert_eq!(code, 1, "headings of {text}");
}

/// Checks `<details><summary>`, a title of text or code, and the closing tags.
fn expect_own_html(html: &str, text: &str) {
    let html = html.trim();
    let title =
        html.strip_prefix("<details><summary>").and_then(|it| it.strip_suffix("</summary>"));
    let Some(title) = title else {
        let own = ["", "</details>", "<!-- garden-gate -->"];
        return assert!(own.contains(&html), "{html} in {text}");
    };
    let code = title.strip_prefix("<code>").and_then(|it| it.strip_suffix("</code>"));
    assert!(!code.unwrap_or(title).contains(['<', '>']), "{html} in {text}");
    let is_linked = ["://", "www.", "@", "#", "$"].iter().any(|it| title.contains(it));
    assert!(code.is_some() || !is_linked, "{html} in {text}");
}

fn html(text: &str) {
    assert_eq!(text.chars().find(|it| is_unsafe(*it) && *it != '\n'), None, "{text:?}");
    let page = Html::parse_document(text);
    let elements = page.tree.values().filter_map(|it| it.as_element());
    let mut scripts = 0;
    for element in elements {
        scripts += usize::from(element.name() == "script");
        assert!(!["img", "iframe", "object", "svg", "link"].contains(&element.name()), "{text}");
        for (name, value) in element.attrs() {
            assert!(!name.starts_with("on"), "{name} in {text}");
            assert!(name != "href" || value.starts_with('#'), "{value} in {text}");
        }
    }
    assert_eq!(scripts, 1, "{text}");
}

/// Checks a page that loads its script and style, and links only to its own parts.
fn page(text: &str) {
    assert_eq!(text.chars().find(|it| is_unsafe(*it) && *it != '\n'), None, "{text:?}");
    let page = Html::parse_document(text);
    let elements = page.tree.values().filter_map(|it| it.as_element());
    let names: Vec<&str> = elements
        .inspect(|element| {
            for (name, value) in element.attrs() {
                assert!(!name.starts_with("on") && name != "style", "{name} in {text}");
                let is_file = value.ends_with("/site.css") || value.ends_with("/site.js");
                let is_own = is_file || value.starts_with("#/") || value == "data:,";
                assert!(!["href", "src"].contains(&name) || is_own, "{value} in {text}");
            }
        })
        .map(|it| it.name())
        .collect();
    for (name, count) in [("script", 1), ("link", 2), ("img", 0), ("iframe", 0)] {
        assert_eq!(names.iter().filter(|it| **it == name).count(), count, "{name} in {text}");
    }
}

fn calendar(text: &str) {
    let is_odd = |it: &char| is_unsafe(*it) && !"\r\n".contains(*it);
    assert_eq!(text.chars().find(is_odd), None, "{text:?}");
    let known =
        ["UID", "DTSTAMP", "DTSTART", "DTEND", "SUMMARY", "DESCRIPTION", "CATEGORIES", "TRANSP"];
    for calendar in IcalParser::new(text.as_bytes()) {
        for event in calendar.unwrap().events {
            for property in event.properties {
                assert!(known.contains(&property.name.as_str()), "{property:?}");
            }
        }
    }
}
