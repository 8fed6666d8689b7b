// SPDX-License-Identifier: Apache-2.0
//! Fixes of all cases of the matrices: whether they remove their findings, and whether rules declare them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use garden_gate_core::admission::{
    Applicability, Case, EntryPoint, Finding, Fix, Phase, Request, Review, World,
};
use garden_gate_core::rules;
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::{notes, recorded};

/// The subject of notes about fixes.
const SUBJECT: &str = "fix";

/// Notes the fixes of a request during the sweep.
pub(crate) fn note(request: &Value, judge: impl Fn(&Value) -> Review) {
    if notes::are_taken() {
        notes::take(SUBJECT, &results(request, judge));
    }
}

/// Returns a line for each fix of a request, with what it leaves of its finding.
fn results(request: &Value, judge: impl Fn(&Value) -> Review) -> Vec<String> {
    let before = judge(request);
    let mut lines = Vec::new();
    for finding in &before.findings {
        for fix in &finding.fixes {
            let mut fixed = request.clone();
            let result = match apply(fix, &mut fixed["object"]) {
                None => "impossible",
                Some(()) => left(finding, &before, &judge(&fixed)),
            };
            let (rule, id) = (finding.rule, finding.finding);
            let kind = fix.applicability.as_str();
            let help = finding.help.replace('\n', " ");
            let pointer = &finding.pointer;
            lines.push(format!("{rule}\t{kind}\t{result}\t{id}\t{help}\t{}\t{pointer}", fix.title));
        }
    }
    lines
}

fn apply(fix: &Fix, object: &mut Value) -> Option<()> {
    fix.edits.iter().try_for_each(|edit| edit.apply(object))
}

/// Returns what a fix leaves of its finding.
fn left(finding: &Finding, before: &Review, after: &Review) -> &'static str {
    let undecodable = |review: &Review| {
        let decoding = review.findings.iter();
        decoding.filter(|it| it.phase == Phase::Decoding).count()
    };
    if undecodable(after) > undecodable(before) {
        "breaks the object"
    } else if remains(finding, before, after) {
        "remains"
    } else {
        "removed"
    }
}

/// Reports whether the finding is still there, and there are as many of its kind as before.
fn remains(finding: &Finding, before: &Review, after: &Review) -> bool {
    let count = |review: &Review| {
        let same = review.findings.iter();
        same.filter(|it| it.finding == finding.finding).count()
    };
    let key = |it: &Finding| (it.finding, it.pointer.clone(), it.message.clone());
    let is_there = after.findings.iter().any(|it| key(it) == key(finding));
    is_there && count(after) >= count(before)
}

/// Judges the recorded cases of a gardener-apiserver, and returns their fixes.
fn recorded() -> BTreeSet<String> {
    let files = fs::read_dir("tests/conformance").unwrap().map(|file| file.unwrap().path());
    let files: Vec<_> = files.filter(|it| it.extension().is_some_and(|it| it == "gz")).collect();
    let lines = files.par_iter().flat_map_iter(|file| {
        let recorded = recorded::read(file);
        let gardens = recorded["gardens"].as_array().unwrap().iter();
        gardens.flat_map(fixes_in).collect::<Vec<String>>()
    });
    lines.collect()
}

fn fixes_in(garden: &Value) -> Vec<String> {
    let (snapshot, config) = recorded::garden(garden);
    let judge = |case: &Value| {
        let body = recorded::review(case).to_string();
        let request = Request::from_review(body.as_bytes()).unwrap();
        let world = World {
            rules: rules::ALL.into(),
            garden: &snapshot,
            config: &config,
            now: "2026-01-01T00:00:00Z".parse().unwrap(),
        };
        Case::decide(EntryPoint::Review, &request, &world, |garden, questions| {
            for question in questions {
                garden.answer_unknown(question, "not recorded");
            }
        })
    };
    let cases = garden["cases"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|case| case["request"]["object"].is_object());
    let results = cases.flat_map(|case| {
        let again = |request: &Value| judge(&json!({"request": request, "id": case["id"]}));
        results(&case["request"], again)
    });
    results.collect()
}

/// Findings that may remain: a rule sets the value again, the stored object has the error, too, or another error of the kind follows.
const REMAINING: [&str; 7] = [
    "aws/undecodable",
    "azure/undecodable",
    "cloudprofile/machine-image-architectures",
    "gcp/undecodable",
    "openstack/undecodable",
    "shoot/default-domain-with-primary-provider",
    "shoot/toleration-not-whitelisted",
];

#[test]
fn fixes_remove_their_findings_and_are_declared() {
    let mut noted = recorded();
    noted.extend(notes::about(SUBJECT).map(|(_, line)| line.to_owned()));
    let mut found = BTreeMap::<&str, Applicability>::new();
    let mut failing = Vec::new();
    for line in &noted {
        let fields: Vec<&str> = line.split('\t').collect();
        let applicability = match fields[1] {
            "safe" => Applicability::Safe,
            _ => Applicability::Suggestion,
        };
        let best = found.entry(fields[0]).or_insert(applicability);
        *best = applicability.min(*best);
        let may_remain = fields[2] == "remains" && REMAINING.contains(&fields[3]);
        if fields[2] != "removed" && !may_remain {
            failing.push(line.as_str());
        }
    }
    assert!(failing.is_empty(), "fixes that leave their finding:\n{}", failing.join("\n"));
    let declared = rules::ALL.iter().filter_map(|rule| Some((rule.id, rule.fixes?)));
    let declared: BTreeMap<&str, Applicability> = declared.collect();
    let ids: BTreeSet<&str> = found.keys().chain(declared.keys()).copied().collect();
    let differing = ids.iter().filter(|id| found.get(*id) != declared.get(*id)).map(|id| {
        let [found, declared] = [&found, &declared].map(|it| it.get(id));
        format!("{id} has {found:?}, and declares {declared:?}\n")
    });
    assert_eq!(differing.collect::<String>(), "", "`fixes` of rules");
}
