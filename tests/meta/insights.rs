// SPDX-License-Identifier: Apache-2.0
//! `.ci/security-insights` prints the members that Security Insights 2.1.0 requires, and names files that exist.

use std::fs;
use std::process::Command;

use serde_json::Value;

const ADDRESS: &str = "https://example.com/OWNER/garden-gate";

/// Required members; `*` is each item of a list.
const REQUIRED: [&str; 24] = [
    "header.schema-version",
    "header.last-updated",
    "header.last-reviewed",
    "header.url",
    "project.name",
    "project.administrators.*.name",
    "project.administrators.*.primary",
    "project.repositories.*.name",
    "project.repositories.*.url",
    "project.repositories.*.comment",
    "project.vulnerability-reporting.reports-accepted",
    "project.vulnerability-reporting.bug-bounty-available",
    "repository.url",
    "repository.status",
    "repository.accepts-change-request",
    "repository.accepts-automated-change-request",
    "repository.core-team.*.name",
    "repository.license.expression",
    "repository.release.automated-pipeline",
    "repository.release.distribution-points.*.uri",
    "repository.security.assessments.self.comment",
    "repository.security.tools.*.type",
    "repository.security.tools.*.rulesets.*",
    "repository.security.tools.*.integration.ci",
];

fn run(argument: &str) -> (bool, String) {
    let output = Command::new(".ci/security-insights").arg(argument).output().unwrap();
    (output.status.success(), String::from_utf8(output.stdout).unwrap())
}

/// Reports whether a value has this member, in each item of lists.
fn has(value: &Value, path: &str) -> bool {
    let Some((name, rest)) = path.split_once('.') else {
        let member = if path == "*" { value.get(0) } else { value.get(path) };
        return member.is_some_and(|it| !it.is_null());
    };
    match (name, value.as_array()) {
        ("*", Some(items)) => !items.is_empty() && items.iter().all(|it| has(it, rest)),
        _ => value.get(name).is_some_and(|it| has(it, rest)),
    }
}

#[test]
fn security_insights_have_required_members() {
    let (is_printed, text) = run(ADDRESS);
    assert!(is_printed);
    let insights: Value = serde_saphyr::from_str(&text).unwrap();
    for path in REQUIRED {
        assert!(has(&insights, path), "{path}");
    }
    let mut seen = 0;
    for line in text.lines() {
        let Some((_, file)) = line.split_once(&format!("{ADDRESS}/blob/main/")) else { continue };
        seen += 1;
        // It does not exist before the repository is public.
        assert!(file == "security-insights.yml" || fs::exists(file).unwrap(), "{file}");
    }
    assert!(seen > 15, "{seen} files are named");
}

#[test]
fn security_insights_need_an_address() {
    for address in ["", "example.com/OWNER", "https://example.com/", "https://example.com/a b"] {
        assert_eq!(run(address), (false, String::new()), "{address}");
    }
}
