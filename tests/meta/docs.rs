// SPDX-License-Identifier: Apache-2.0
//! The catalogue of rules is complete and consistent, and the generated documentation is current.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]
#![expect(clippy::panic, reason = "a failed comparison says what to do")]

mod blocks;
mod book;
mod bugs;
mod commands;
mod configuration;
mod coverage;
mod evidence;
mod extensions;
mod instructions;
mod links;
mod logs;
mod outputs;
mod pages;
mod picture;
mod prose;
mod recorded;
mod security;
mod tutorials;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{garden_gate, printed};
use clap::CommandFactory as _;
use garden_gate::cli::Arguments;
use garden_gate_core::admission::Kind;
use garden_gate_core::catalogue;
use garden_gate_core::config::POLICY_PREFIX;
use garden_gate_core::rules;
use garden_gate_model::api::extensions::Extension;
use serde_json::{Value, json};

pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the folder `src` of each crate.
pub(crate) fn source_folders() -> Vec<PathBuf> {
    let crates = fs::read_dir(root().join("crates")).unwrap().map(|it| it.unwrap().path());
    let folders: Vec<_> = crates.chain([root()]).map(|it| it.join("src")).collect();
    assert!(folders.len() > 4, "the crates were not found");
    folders
}

/// Reports whether this run writes pages, which the next run then checks.
fn is_renewing() -> bool {
    std::env::var_os("UPDATE_DOCS").is_some()
}

/// Compares a generated file with the one in the repository; `UPDATE_DOCS=1` writes it instead.
fn assert_current(path: &Path, generated: &str) {
    if is_renewing() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, generated).unwrap();
        return;
    }
    if fs::read_to_string(path).unwrap_or_default() != generated {
        let path = path.display();
        panic!(
            "{path} is not what the code says; run `UPDATE_DOCS=1 cargo test --test meta docs::` and commit"
        );
    }
}

fn files_below(folder: &Path) -> BTreeSet<PathBuf> {
    walkdir::WalkDir::new(folder)
        .into_iter()
        .map(Result::unwrap)
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| entry.path().to_owned())
        .collect()
}

#[test]
fn every_rule_has_a_current_page() {
    let folder = root().join("docs/rules");
    let mut expected = BTreeSet::from([folder.join("README.md")]);
    assert_current(&folder.join("README.md"), &catalogue::index());
    for rule in catalogue::all() {
        let path = folder.join(format!("{}.md", rule.id));
        assert_current(&path, &catalogue::page(rule));
        expected.insert(path);
    }
    assert_eq!(files_below(&folder), expected, "a page of a rule that is gone must be deleted");
}

/// Compares a generated part of a page, identified by its name.
fn assert_current_part(page: &str, name: &str, generated: &str) {
    let path = root().join(page);
    let text = fs::read_to_string(&path).unwrap();
    let start = format!("<!-- generated: {name} -->\n");
    let (before, rest) = text.split_once(&start).unwrap();
    let (_, after) = rest.split_once("<!-- end -->").unwrap();
    let text = format!("{before}{start}\n{generated}\n<!-- end -->{after}");
    assert_current(&path, &text);
}

#[test]
fn a_page_says_what_is_not_judged() {
    let table = garden_gate_products::coverage::unjudged_table();
    assert_current_part("docs/reference/unchecked-parts.md", "what is not judged", &table);
}

#[test]
fn the_schema_of_the_configuration_is_current() {
    let schema = garden_gate_core::config::schema(&rules::known_ids());
    let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    assert_current(&root().join("docs/config.schema.json"), &text);
}

/// Helm would answer an unknown id with the list of all known ids.
fn name_one_id(rules: &mut Value) {
    let rules = rules.as_object_mut().unwrap();
    let names = rules.remove("propertyNames").unwrap();
    // Patterns of ids are property names here. Policies are not known.
    let value = rules.insert("additionalProperties".to_owned(), Value::Bool(false));
    let policies = json!({ "^policy/[^*]+$": value });
    rules.insert("patternProperties".to_owned(), policies);
    let ids = names["anyOf"][0]["enum"]
        .as_array()
        .unwrap()
        .iter()
        .map(|id| (id.as_str().unwrap().to_owned(), value.clone().unwrap()));
    rules.insert("properties".to_owned(), Value::Object(ids.collect()));
}

/// Helm validates `config` with the schema of the file, without the fields that the chart writes.
#[test]
fn the_chart_refuses_what_is_no_configuration() {
    let path = root().join("charts/garden-gate/values.schema.json");
    let mut values: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let mut config = garden_gate_core::config::schema(&rules::known_ids());
    let mut definitions = config["$defs"].take();
    for (field, definition) in [("apiVersion", "ApiVersion"), ("kind", "Kind")] {
        config["properties"].as_object_mut().unwrap().remove(field);
        definitions.as_object_mut().unwrap().remove(definition);
    }
    for of_a_file in ["$defs", "$schema", "title"] {
        config.as_object_mut().unwrap().remove(of_a_file);
    }
    // Helm reads a bare `off` as false, which the chart converts back.
    let levels = definitions["Level"]["oneOf"].as_array().unwrap();
    let mut levels: Vec<Value> = levels.iter().map(|it| it["const"].clone()).collect();
    levels.push(Value::Bool(false));
    definitions["Level"] = json!({ "enum": levels });
    name_one_id(config.pointer_mut("/properties/rules").unwrap());
    name_one_id(definitions.pointer_mut("/Exempt/properties/rules").unwrap());
    values["$defs"] = definitions;
    values["properties"]["config"] = config;
    let text = serde_json::to_string_pretty(&values).unwrap() + "\n";
    assert_current(&path, &text);
}

#[test]
fn every_rule_is_documented_under_the_same_headings() {
    for rule in rules::ALL {
        let text = rule.documentation;
        let headings: Vec<&str> = text.lines().filter(|line| line.starts_with("## ")).collect();
        // A mutating rule may only observe the fields that other rules drop.
        let changes = rule.mutates() && headings.first() != Some(&"## Check");
        let first = if changes { "## Effect" } else { "## Check" };
        let expected =
            [first, "## Why", "## Applies to", "## Example", "## How to fix", "## Gardener"];
        assert_eq!(headings, expected, "{}", rule.id);
        for section in text.split("## ").skip(1) {
            let body = section.split_once('\n').unwrap().1;
            assert!(!body.trim().is_empty(), "{}: an empty section: {section}", rule.id);
        }
    }
}

#[test]
fn ids_have_one_form() {
    let is_word = |word: &str, extra: &str| {
        let allowed = |c: char| c.is_ascii_lowercase() || extra.contains(c);
        !word.is_empty() && word.chars().all(allowed)
    };
    for id in rules::known_ids().all().into_iter().filter(|it| !it.starts_with(POLICY_PREFIX)) {
        let (kind, name) = id.split_once('/').unwrap();
        assert!(is_word(kind, "-") && is_word(name, "0123456789-"), "{id}");
    }
}

#[test]
fn no_two_rules_share_an_id_and_no_two_findings_do() {
    let ids: BTreeSet<&str> = rules::ALL.iter().map(|rule| rule.id).collect();
    assert_eq!(ids.len(), rules::ALL.len());
    let mut meanings: BTreeMap<&str, &str> = BTreeMap::new();
    for rule in rules::ALL {
        for finding in rule.findings {
            let before = *meanings.entry(finding.id).or_insert(finding.summary);
            assert_eq!(before, finding.summary, "{} means two things", finding.id);
            let namesake = rules::find(finding.id);
            let shared = namesake.is_none_or(|namesake| {
                namesake.findings.iter().any(|own| std::ptr::eq(*own, *finding))
            });
            assert!(
                shared,
                "{} of {} is another rule's id, but not its finding",
                finding.id, rule.id
            );
        }
    }
}

#[test]
fn a_rule_is_found_by_its_id_and_by_those_of_its_findings() {
    for rule in rules::ALL {
        assert!(std::ptr::eq(rules::find(rule.id).unwrap(), *rule), "{}", rule.id);
        for finding in rule.findings {
            let explained = catalogue::explain(finding.id);
            assert!(
                explained.iter().any(|found| found.id == rule.id || found.id == finding.id),
                "{}",
                finding.id
            );
        }
    }
    assert!(rules::find("shoot/no-such-rule").is_none());
    assert!(catalogue::explain("shoot/no-such-rule").is_empty());
}

/// `shoot/self-hosted-verb` is in `self_hosted_verb.rs`, or in a folder of that name, below `crates/core/src/rules/shoot/`.
#[test]
fn every_rule_lies_in_the_file_of_its_id() {
    for rule in rules::ALL {
        let (kind, name) = rule.id.split_once('/').unwrap();
        let folder = match kind {
            "namespacedcloudprofile" => "namespaced_cloud_profile",
            "cloudprofile" => "cloud_profile",
            "exposureclass" => "exposure_class",
            "shootstate" => "shoot_state",
            "internalsecret" => "internal_secret",
            "workloadidentity" => "workload_identity",
            "backupbucket" => "backup/bucket",
            "backupentry" => "backup/entry",
            "controllerregistration" => "controllers/registration",
            "controllerdeployment" => "controllers/deployment",
            "controllerinstallation" => "controllers/installation",
            "managedseed" => "seed_management/managed_seed",
            "managedseedset" => "seed_management/managed_seed_set",
            "gardenlet" => "seed_management/gardenlet",
            "webhook-config" => "webhook_config",
            "admission-controller" => "admission_controller",
            "custom-resource" => "custom_resource",
            other => other,
        };
        let path = rule.file.trim_end_matches(".rs").trim_end_matches("/mod");
        let folder = match Extension::named(kind) {
            Some(_) => format!("extensions/{}", kind.replace('-', "_")),
            None => folder.to_owned(),
        };
        let inside = path.strip_prefix(&format!("crates/core/src/rules/{folder}/"));
        let last = inside.and_then(|inside| inside.split('/').next_back());
        assert_eq!(last, Some(name.replace('-', "_").as_str()), "{}", rule.file);
    }
}

#[test]
fn every_rule_looks_at_the_kind_that_its_id_names() {
    for rule in rules::ALL {
        let kind = rule.id.split_once('/').unwrap().0;
        let kinds = rule.kinds();
        let is_named = |other: &Kind| match kind {
            "webhook-config" => other.as_str().ends_with("WebhookConfiguration"),
            "binding" => other.as_str().ends_with("Binding"),
            "custom-resource" => matches!(other, Kind::Garden | Kind::Extension),
            "workload" => matches!(other, Kind::DaemonSet | Kind::Deployment | Kind::Pod),
            "object" | "extensions" | "admission-controller" => true,
            extension if Extension::named(extension).is_some() => true,
            kind => other.as_str().to_lowercase() == kind,
        };
        let named = kinds.iter().any(is_named);
        let is_named_otherwise = ["advice", "audit", "gardenadm", "hardened"].contains(&kind);
        assert!(named || is_named_otherwise, "{}", rule.id);
    }
}

/// Ids are an interface: configuration, metrics and audit annotations refer to them. A removed id fails this test.
#[test]
fn the_ids_are_frozen() {
    let list = rules::ALL.iter().map(|rule| {
        let findings: Vec<&str> = rule.findings.iter().map(|finding| finding.id).collect();
        format!("{}: {}\n", rule.id, findings.join(" "))
    });
    let mut list: Vec<String> = list.collect();
    list.sort();
    insta::assert_snapshot!(list.concat());
}

fn gate(arguments: &[&str]) -> (Option<i32>, String, String) {
    printed(garden_gate(arguments).output().unwrap())
}

#[test]
fn the_command_explains_a_rule_as_its_page_does() {
    for rule in catalogue::all() {
        let page = catalogue::page(rule);
        assert_eq!(gate(&["rules", rule.id]), (Some(0), page, String::new()));
    }
}

#[test]
fn the_command_lists_every_rule() {
    let (code, table, _) = gate(&["rules"]);
    let (_, json, _) = gate(&["rules", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((code, table.lines().count()), (Some(0), catalogue::all().count() + 1));
    for (index, (line, rule)) in table.lines().skip(1).zip(catalogue::all()).enumerate() {
        assert!(
            line.starts_with(&format!("{} ", rule.id)) && line.ends_with(rule.summary),
            "{line}"
        );
        assert_eq!(json[index]["id"], rule.id);
    }
}

#[test]
fn the_command_lists_what_begins_alike_and_what_looks_at_a_kind() {
    let listed = |arguments: &[&str]| {
        let (code, table, stderr) = gate(arguments);
        assert_eq!((code, stderr.as_str()), (Some(0), ""), "{arguments:?}");
        let ids = table.lines().skip(1).filter_map(|line| line.split(' ').next());
        ids.map(str::to_owned).collect::<Vec<_>>()
    };
    let all = |wanted: fn(&str) -> bool| {
        let ids = catalogue::all().map(|rule| rule.id);
        ids.filter(|id| wanted(id)).collect::<Vec<_>>()
    };
    assert_eq!(listed(&["rules", "shoot/"]), all(|id| id.starts_with("shoot/")));
    assert_eq!(
        listed(&["rules", "shoot/toler"]),
        [
            "shoot/tolerations-default",
            "shoot/tolerations-invalid",
            "shoot/toleration-not-whitelisted"
        ]
    );
    // These are ids of findings, not of rules.
    assert_eq!(listed(&["rules", "shoot/warn-addo"]), ["shoot/dropped-fields"]);
    let of_kind = listed(&["rules", "--kind", "seed", "--wide"]);
    let begins = |prefix: &str| of_kind.iter().any(|id| id.starts_with(prefix));
    assert!(begins("seed/") && !begins("shoot/"), "{of_kind:?}");
    let (code, _, stderr) = gate(&["rules", "--kind", "Seed", "shoot/toler"]);
    assert_eq!(
        (code, stderr.as_str()),
        (Some(2), "error: no rule of `shoot/toler` applies to Seed\n")
    );
}

#[test]
fn every_page_of_help_has_an_example_and_the_exit_codes() {
    let mut pages = vec![(Arguments::command(), 0)];
    let mut count = 0;
    while let Some((mut command, depth)) = pages.pop() {
        let below = command.get_subcommands().cloned();
        pages.extend(below.map(|command| (command, depth + 1)));
        let is_group = command.has_subcommands();
        let help = command.render_long_help().to_string();
        let name = command.get_name();
        assert!(help.contains("\nExample"), "{name}: {help}");
        let only_lists = is_group && depth > 0;
        // The schema of the configuration is always available.
        let is_sure = name == "schema" && depth > 1;
        let may_fail = !(only_lists || is_sure);
        assert_eq!(help.contains("\nExit codes:\n"), may_fail, "{name}: {help}");
        count += 1;
    }
    assert!(count > 7);
}

#[test]
fn a_page_lists_every_command() {
    let page = fs::read_to_string(root().join("docs/reference/commands.md")).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| [`"));
    let listed: BTreeSet<&str> = rows.filter_map(|row| row.split([' ', '`']).next()).collect();
    for command in Arguments::command().get_subcommands() {
        let name = command.get_name();
        assert!(listed.contains(name), "docs/reference/commands.md has no `{name}`");
    }
}

#[test]
fn an_unknown_id_or_flag_is_one_line_with_a_way_out() {
    let cases: [(&[&str], &str); 5] = [
        (&["rules", "shoot/toleration-invalid"], "did you mean `shoot/tolerations-invalid`?"),
        (&["rules", "xyz"], "`garden-gate rules` lists all"),
        (&["rules", "--kind", "Sheed"], "did you mean `Seed`?"),
        (&["rules", "--form", "json"], "'--format'"),
        (&["rule"], "'rules'"),
    ];
    for (arguments, hint) in cases {
        let (code, stdout, stderr) = gate(arguments);
        assert_eq!((code, stdout.as_str(), stderr.lines().count()), (Some(2), "", 1), "{stderr}");
        assert!(stderr.starts_with("error: ") && stderr.contains(hint), "{stderr}");
    }
}
