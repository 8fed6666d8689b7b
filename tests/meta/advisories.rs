// SPDX-License-Identifier: Apache-2.0
//! An advisory that `deny.toml` ignores has a statement in OpenVEX, and each statement is about such an advisory.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

/// Why a product is not affected, by OpenVEX 0.2.0.
const JUSTIFICATIONS: [&str; 5] = [
    "component_not_present",
    "inline_mitigations_already_exist",
    "vulnerable_code_cannot_be_controlled_by_adversary",
    "vulnerable_code_not_in_execute_path",
    "vulnerable_code_not_present",
];

/// The members that OpenVEX requires of a document, except its statements.
const MEMBERS: [&str; 4] = ["@id", "author", "timestamp", "version"];

/// Returns the ids of ignored advisories, and the errors of entries without a reason.
fn ignored(deny: &toml::Table) -> (BTreeSet<String>, Vec<String>) {
    let (mut ids, mut errors) = (BTreeSet::new(), Vec::new());
    let list = deny.get("advisories").and_then(|it| it.get("ignore")?.as_array());
    for entry in list.into_iter().flatten() {
        let [id, reason] = ["id", "reason"].map(|it| entry.get(it).and_then(toml::Value::as_str));
        if id.is_none() || reason.is_none_or(str::is_empty) {
            errors.push(format!("{entry:?} needs `id` and `reason`"));
        }
        ids.extend(id.map(str::to_owned));
    }
    (ids, errors)
}

/// Returns the errors of a document about `id`.
fn errors(id: &str, document: &Value) -> Vec<String> {
    let mut errors = Vec::new();
    let mut require = |is_met: bool, what: &str| {
        if !is_met {
            errors.push(format!("{id}: {what}"));
        }
    };
    require(document["@context"] == "https://openvex.dev/ns/v0.2.0", "@context");
    for name in MEMBERS {
        require(!document[name].is_null(), name);
    }
    let statements = document["statements"].as_array();
    require(statements.is_some_and(|it| !it.is_empty()), "statements");
    for statement in statements.into_iter().flatten() {
        require(statement["vulnerability"]["name"] == id, "vulnerability.name");
        require(statement["products"][0]["@id"] == "pkg:cargo/garden-gate", "products");
        let justification = statement["justification"].as_str();
        match statement["status"].as_str() {
            Some("not_affected") => {
                require(
                    justification.is_some_and(|it| JUSTIFICATIONS.contains(&it)),
                    "justification",
                );
                require(statement["impact_statement"].is_string(), "impact_statement");
            }
            // Affected programs are fixed, not excused.
            status => require(status == Some("under_investigation"), "status"),
        }
    }
    errors
}

#[test]
fn ignored_advisories_have_a_statement() {
    let deny: toml::Table = toml::from_str(&fs::read_to_string("deny.toml").unwrap()).unwrap();
    let (ids, mut problems) = ignored(&deny);
    let mut stated = BTreeSet::new();
    if Path::new(".vex").exists() {
        for entry in fs::read_dir(".vex").unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            let id = name.strip_suffix(".openvex.json");
            let id = id.unwrap_or_else(|| unreachable!("{name} is not ID.openvex.json"));
            let text = fs::read_to_string(&path).unwrap();
            problems.extend(errors(id, &serde_json::from_str(&text).unwrap()));
            stated.insert(id.to_owned());
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
    assert_eq!(ids, stated, "the advisories in deny.toml, and those in .vex");
}

/// The example in the page is a valid document.
#[test]
fn example_of_a_statement_is_valid() {
    let page = fs::read_to_string("docs/security/supply-chain.md").unwrap();
    let block = |language: &str| {
        let (_, rest) = page.split_once(&format!("   ```{language}\n")).unwrap();
        rest.split_once("   ```").unwrap().0.to_owned()
    };
    let (ids, problems) = ignored(&toml::from_str(&block("toml")).unwrap());
    assert!(problems.is_empty(), "{problems:#?}");
    let document: Value = serde_json::from_str(&block("json")).unwrap();
    for id in &ids {
        assert_eq!(errors(id, &document), [""; 0]);
    }
    assert_eq!(ids.len(), 1);
}

#[test]
fn incomplete_statements_are_found() {
    let deny = toml::from_str("advisories.ignore = [{ id = 'A' }, { id = 'B', reason = 'b' }]");
    let (ids, problems) = ignored(&deny.unwrap());
    assert_eq!((ids.len(), problems.len()), (2, 1), "{problems:#?}");
    let found = |document: Value| errors("A", &document).join(" ");
    assert!(found(json!({})).ends_with("A: statements"));
    let affected =
        json!({ "statements": [{ "vulnerability": { "name": "B" }, "status": "affected" }] });
    assert!(found(affected).ends_with("A: vulnerability.name A: products A: status"));
    let silent = json!({ "statements": [{ "status": "not_affected" }] });
    assert!(found(silent).ends_with("A: justification A: impact_statement"));
}
