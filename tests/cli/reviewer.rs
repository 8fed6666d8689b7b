// SPDX-License-Identifier: Apache-2.0
//! `Reviewer`, which takes texts, gives the document of `garden-gate review --format json`, which reads files.

use std::fs;
use std::path::Path;

use garden_gate_core::config::Config;
use garden_gate_products::review::{Garden, Manifest, Reviewer};
use rstest::rstest;
use serde_json::Value;

use crate::command::{garden_gate, printed};
use crate::repository::Repository;

/// A text of a Shoot that is not valid YAML.
const BROKEN: &str = "apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\na: [";

const NOW: &str = "2026-12-01T00:00:00Z";

/// Returns the texts of the manifests in a folder of the examples, by their names.
fn texts(folder: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = fs::read_dir(root.join(folder)).unwrap();
    let names = entries.map(|it| it.unwrap().file_name().into_string().unwrap());
    let is_manifest = |it: &String| Path::new(it).extension().is_some_and(|it| it == "yaml");
    let names = names.filter(is_manifest).map(|it| format!("{folder}/{it}"));
    let mut names: Vec<String> = names.collect();
    names.sort();
    let texts = names.into_iter().map(|name| {
        let text = fs::read_to_string(root.join(&name)).unwrap();
        (name, text)
    });
    texts.collect()
}

/// Returns the document of a review of texts.
fn reviewed(garden: &Garden, origin: &str, manifests: Vec<Manifest>) -> Value {
    let config = Config::default();
    let reviewer = Reviewer { origin, ..Reviewer::new(garden, &config, NOW.parse().unwrap()) };
    let reviewed = reviewer.review(manifests).unwrap();
    serde_json::from_slice(&reviewed.json().unwrap()).unwrap()
}

#[rstest]
#[case::denied("examples/garden", "examples/manifests", 3)]
#[case::policies("examples/garden", "examples/admission-policies", 1)]
#[case::several_objects("examples/garden", "examples/pull-request/after", 1)]
#[case::stored_objects("examples/landscape/garden", "examples/landscape/garden", 1)]
#[case::drift("examples/landscape/garden", "examples/garden", 1)]
fn texts_are_judged_as_files_are(
    #[case] garden: &str,
    #[case] folder: &str,
    #[case] at_least: usize,
    #[values(false, true)] is_whole: bool,
) {
    let arguments = ["review", "--no-config", "--at", NOW, "--format", "json", "--garden", garden];
    let mut command = garden_gate(&arguments);
    let whole = if is_whole { &["--whole-garden"][..] } else { &[] };
    // A garden directory is only reviewed if it is named.
    let (_, out, notes) = printed(command.args(whole).arg(folder).output().unwrap());
    let expected: Value = serde_json::from_str(&out).unwrap_or_else(|_| unreachable!("{notes}"));
    assert!(expected["reviews"].as_array().unwrap().len() >= at_least, "{notes}");
    let garden = Garden::new(garden, texts(garden), is_whole);
    let manifests = texts(folder).into_iter().map(|(name, text)| Manifest::new(name, text));
    assert_eq!(reviewed(&garden, "", manifests.collect()), expected);
}

/// A Shoot of these pools.
fn shoot(name: &str, maximum: usize) -> String {
    let (_, text) = texts("examples/manifests").remove(0);
    let text = text.replace("name: gateway", &format!("name: {name}"));
    text.replace("maximum: 3", &format!("maximum: {maximum}"))
}

#[test]
fn old_texts_are_compared_as_revisions_are() {
    let template = shoot("a", 3).replace("name: a\n", "name: {{ .name }}\n");
    let joined = |texts: &[String]| texts.join("---\n");
    let files = [
        ("changed.yaml", Some(shoot("one", 3)), Some(shoot("one", 4))),
        ("same.yaml", Some(shoot("two", 3)), Some(shoot("two", 3))),
        ("gone.yaml", Some(shoot("three", 3)), None),
        ("new.yaml", None, Some(shoot("four", 3))),
        ("shorter.yaml", Some(joined(&[shoot("five", 3), shoot("six", 3)])), Some(shoot("six", 3))),
        ("from.yaml", Some(shoot("seven", 3)), None),
        ("into.yaml", None, Some(shoot("seven", 5))),
        ("broken.yaml", Some(shoot("eight", 3)), Some(BROKEN.to_owned())),
        ("mended.yaml", Some(BROKEN.to_owned()), Some(shoot("nine", 3))),
        ("template.yaml", Some(shoot("ten", 3)), Some(template.clone())),
        (
            "partly.yaml",
            Some(joined(&[shoot("eleven", 3), shoot("twelve", 3)])),
            Some(joined(&[template, shoot("twelve", 4)])),
        ),
        ("other.yaml", None, Some("kind: Service\napiVersion: v1\n".to_owned())),
    ];
    let repository = Repository::new(&[]);
    repository.git(&["init", "-q"]);
    for (name, old, _) in &files {
        if let Some(it) = old {
            repository.write(name, it);
        }
    }
    repository.commit();
    for (name, _, new) in &files {
        match new {
            Some(new) => repository.write(name, new),
            None => fs::remove_file(repository.path().join(name)).unwrap(),
        }
    }
    let arguments = ["--no-config", "--at", NOW, "--format", "json", "--git", "HEAD..", "."];
    let (_, out, notes) = repository.review(&arguments);
    let expected: Value = serde_json::from_str(&out).unwrap_or_else(|_| unreachable!("{notes}"));
    let manifests = files.into_iter().map(|(name, old, new)| Manifest {
        name: name.to_owned(),
        text: new.unwrap_or_default(),
        old,
    });
    let mut manifests: Vec<Manifest> = manifests.collect();
    manifests.sort_by(|one, other| one.name.cmp(&other.name));
    let found = reviewed(&Garden::unknown(), "HEAD", manifests);
    assert_eq!(found, expected);
}
