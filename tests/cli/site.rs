// SPDX-License-Identifier: Apache-2.0
//! `garden-gate site`: a folder with the site of a landscape.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::command::{garden_gate, printed};
use crate::folder::folder;

const GARDEN: &str = "examples/audit";
const AT: &str = "2026-12-10T00:00:00Z";

/// Writes the site of a garden; returns the exit code and both outputs.
fn site(garden: &str, folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = garden_gate(&["site", "--no-config", "--garden", garden, "--at", AT]);
    printed(command.args(arguments).arg(folder).output().unwrap())
}

/// Returns the folders of runs.
fn runs(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    let mut runs: Vec<PathBuf> = entries.filter(|it| it.join("overview.js").exists()).collect();
    runs.sort();
    runs
}

/// Returns the documents of a site by name.
fn documents(folder: &Path) -> BTreeMap<String, Value> {
    let [run] = runs(folder).try_into().unwrap();
    let files = walkdir::WalkDir::new(&run).into_iter().map(Result::unwrap);
    let scripts = files.filter(|it| it.path().extension().is_some_and(|it| it == "js"));
    let scripts = scripts.filter(|it| it.file_name() != "site.js");
    let documents = scripts.map(|file| {
        let name = file.path().strip_prefix(&run).unwrap().with_extension("");
        let name = name.to_str().unwrap().to_owned();
        let text = fs::read_to_string(file.path()).unwrap();
        let json = text.strip_prefix(&format!("gardenGate(\"{name}\",")).unwrap();
        let json = json.strip_suffix(");\n").unwrap();
        (name, serde_json::from_str(json).unwrap())
    });
    documents.collect()
}

/// Returns the text of all references to documents.
fn references(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            let is_reference = ["project/", "shoots/", "rule/"].iter().any(|it| {
                text.strip_prefix(it).is_some_and(|it| it.bytes().all(|it| it.is_ascii_digit()))
            });
            found.extend(is_reference.then(|| text.clone()));
        }
        Value::Array(items) => items.iter().for_each(|it| references(it, found)),
        Value::Object(fields) => fields.values().for_each(|it| references(it, found)),
        _ => {}
    }
}

/// Returns the Shoots of a site by namespace and name.
fn shoots(documents: &BTreeMap<String, Value>) -> BTreeMap<String, &Value> {
    let parts = documents.iter().filter(|(name, _)| name.starts_with("shoots/"));
    let shoots = parts.flat_map(|(_, document)| document["shoots"].as_array().unwrap());
    let title = |it: &Value| {
        format!("{}/{}", it["namespace"].as_str().unwrap(), it["name"].as_str().unwrap())
    };
    shoots.map(|it| (title(it), it)).collect()
}

#[test]
fn site_says_what_forecast_and_audit_say() {
    let folder = folder(&[]);
    let (code, out, err) = site(GARDEN, folder.path(), &[]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let index = folder.path().join("index.html");
    let expected =
        format!("wrote {}\n4 Shoots of 2 Projects: 2 must act, 0 not known\n", index.display());
    assert_eq!(out, expected);
    let documents = documents(folder.path());
    let shoots = shoots(&documents);
    let common = ["--no-config", "--garden", GARDEN, "--at", AT, "--format", "json"];
    let report = |command: &str| -> Value {
        let output = garden_gate(&[&[command][..], &common].concat()).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    };
    for expected in report("forecast")["shoots"].as_array().unwrap() {
        let title = format!(
            "{}/{}",
            expected["namespace"].as_str().unwrap(),
            expected["name"].as_str().unwrap()
        );
        let forecast = &shoots[&title]["forecast"];
        assert_eq!(forecast["windows"], expected["windows"], "{title}");
        assert_eq!(forecast["remarks"], expected["remarks"], "{title}");
        let pairs = forecast["targets"].as_array().unwrap().iter();
        for (target, expected) in pairs.zip(expected["targets"].as_array().unwrap()) {
            let mut target = target.clone();
            assert!(!target["stages"].as_array().unwrap().is_empty());
            target.as_object_mut().unwrap().remove("stages");
            assert_eq!(target, *expected);
        }
    }
    let audit = report("audit");
    for expected in audit["audit"]["byRule"].as_array().unwrap() {
        let findings = documents["findings"]["findings"].as_array().unwrap();
        let is_it =
            |it: &&Value| it["finding"] == expected["finding"] && it["level"] == expected["level"];
        let found = findings.iter().find(is_it).unwrap();
        for (name, of_audit) in [
            ("objects", "objects"),
            ("kinds", "kinds"),
            ("sentence", "summary"),
            ("occasions", "occasions"),
        ] {
            assert_eq!(found[name], expected[of_audit], "{expected}");
        }
    }
}

#[test]
fn every_document_that_is_named_is_there() {
    let folder = folder(&[]);
    site(GARDEN, folder.path(), &[]);
    let documents = documents(folder.path());
    let mut named = BTreeSet::new();
    for it in documents.values() {
        references(it, &mut named);
    }
    let parts: BTreeSet<String> = documents.keys().filter(|it| it.contains('/')).cloned().collect();
    assert_eq!(named, parts);
    let index = fs::read_to_string(folder.path().join("index.html")).unwrap();
    let run = runs(folder.path())[0].file_name().unwrap().to_str().unwrap().to_owned();
    assert!(index.contains(&format!("src=\"{run}/site.js\"")), "{index}");
    assert!(index.contains("Kubernetes 1.30.14 → ?"), "{index}");
}

#[test]
fn retirement_counts_forced_and_stranded_shoots() {
    let folder = folder(&[]);
    site(GARDEN, folder.path(), &[]);
    let documents = documents(folder.path());
    let lanes = documents["versions"]["profiles"][0]["lanes"].as_array().unwrap();
    let versions = lanes.iter().flat_map(|lane| lane["versions"].as_array().unwrap());
    let retirement: BTreeMap<&str, &Value> =
        versions.map(|it| (it["version"].as_str().unwrap(), &it["retirement"])).collect();
    // The next minor version has a supported patch version.
    assert_eq!(*retirement["1.33.9"], json!({"forced": 1, "to": ["1.34.4"], "stranded": 0}));
    // There is none above the newest one.
    assert_eq!(*retirement["1.34.4"], json!({"forced": 0, "to": [], "stranded": 2}));
    // It has expired already, and this one has no users.
    assert_eq!([retirement["1.30.14"], retirement["1312.3.0"]], [&Value::Null; 2]);
    let gaps: Vec<&Value> =
        lanes.iter().filter(|it| it["gap"] == true).map(|it| &it["name"]).collect();
    assert_eq!(gaps, ["1.32", "1.31"]);
}

#[test]
fn only_selected_projects_are_written() {
    let folder = folder(&[]);
    let (code, out, err) = site(GARDEN, folder.path(), &["--project", "data"]);
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.contains("of 1 Project:"), "{out}");
    let index = fs::read_to_string(folder.path().join("index.html")).unwrap();
    assert!(!index.contains("shop"), "{index}");
    for (name, document) in documents(folder.path()).iter().filter(|it| !it.0.starts_with("rule")) {
        assert!(!document.to_string().contains("garden-shop"), "{name}: {document}");
    }
}

/// Copies the example garden, with further files.
fn garden(files: &[(&str, &str)]) -> TempDir {
    let garden = folder(files);
    for file in fs::read_dir(GARDEN).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), garden.path().join(file.file_name())).unwrap();
    }
    garden
}

#[test]
fn what_cannot_be_read_is_not_known() {
    let head = "apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\n";
    let odd = format!("{head}metadata: {{name: odd, namespace: garden-shop}}\nspec: []\n");
    let lost = format!(
        "{head}metadata: {{name: lost, namespace: garden-lost, deletionTimestamp: 2026-12-01T00:00:00Z}}\nspec: {{region: a}}\n"
    );
    let broken = format!("{head} a: [\n");
    let garden = garden(&[("odd.yaml", &odd), ("lost.yaml", &lost), ("broken.yaml", &broken)]);
    let folder = folder(&[]);
    let (code, out, _) = site(garden.path().to_str().unwrap(), folder.path(), &[]);
    assert_eq!(code, Some(4), "{out}");
    let documents = documents(folder.path());
    let notes = documents["overview"]["notes"].to_string();
    assert!(notes.contains("1 parts of the garden could not be read"), "{notes}");
    let shoots = shoots(&documents);
    for title in ["garden-shop/odd", "garden-lost/lost"] {
        let shoot = shoots[title];
        assert_eq!(shoot["forecast"], Value::Null, "{shoot}");
        assert!(shoot["notForecast"].as_str().is_some_and(|it| !it.is_empty()), "{shoot}");
    }
    let rows = documents["clusters"]["rows"].as_array().unwrap();
    let state = |name: &str| &rows.iter().find(|it| it[1] == name).unwrap()[6];
    assert_eq!([state("odd"), state("lost")], ["unknown"; 2]);
    let act = documents["overview"]["act"].as_array().unwrap();
    assert!(act.iter().any(|it| it["kind"] == "no-forecast"), "{act:?}");
    assert!(act.iter().any(|it| it["kind"] == "refused"), "{act:?}");
}

#[test]
fn garden_without_shoots_has_a_site() {
    let project = fs::read_to_string(format!("{GARDEN}/projects.yaml")).unwrap();
    let garden = folder(&[("projects.yaml", &project)]);
    let folder = folder(&[]);
    let (code, out, _) = site(garden.path().to_str().unwrap(), folder.path(), &[]);
    assert_eq!(code, Some(3), "{out}");
    assert!(out.contains("0 Shoots of 0 Projects"), "{out}");
    assert!(folder.path().join("index.html").is_file());
}

/// The files of the page before stay for browsers that show it.
#[test]
fn site_is_updated_and_old_files_are_removed() {
    let folder = folder(&[]);
    let mut before: Vec<PathBuf> = Vec::new();
    // One of the runs is from the future, and one is repeated.
    for at in ["2026-12-10T00:00:00Z", "2027-12-10", "2026-12-10T02:00:00Z", "2026-12-10T02:00:00Z"]
    {
        let mut command = garden_gate(&["site", "--no-config", "--garden", GARDEN, "--at", at]);
        let (code, out, err) = printed(command.arg(folder.path()).output().unwrap());
        assert_eq!(code, Some(0), "{out}{err}");
        let index = fs::read_to_string(folder.path().join("index.html")).unwrap();
        let runs = runs(folder.path());
        let is_shown = |run: &PathBuf| {
            index.contains(&format!("data-run=\"{}\"", run.file_name().unwrap().display()))
        };
        let shown: Vec<&PathBuf> = runs.iter().filter(|it| is_shown(it)).collect();
        let [shown] = shown[..] else { unreachable!("{runs:?}") };
        before.push(shown.clone());
        let kept: BTreeSet<&PathBuf> = before.iter().rev().take(2).collect();
        assert_eq!(runs.iter().collect::<BTreeSet<_>>(), kept);
    }
    // Runs at the same time have different names.
    let names: BTreeSet<&PathBuf> = before.iter().collect();
    assert_eq!(names.len(), 4);
}

#[rstest]
#[case::file("notes.txt", "such as `notes.txt`")]
#[case::page("index.html", "such as `index.html`")]
#[case::dump("20261128T000000Z/shoots.yaml", "such as `20261128T000000Z`")]
#[case::run("20261128T000000Z-00112233445566778899aabb/a", "such as `20261128T000000Z-00112233")]
fn folder_with_other_files_is_refused(#[case] name: &str, #[case] says: &str) {
    let folder = folder(&[(name, "mine")]);
    let (code, out, err) = site(GARDEN, folder.path(), &[]);
    assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
    assert!(err.contains("has other files than those of a site") && err.contains(says), "{err}");
    assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), "mine");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Only folders that a run has marked are removed.
#[test]
fn files_beside_a_site_stay() {
    let folder = folder(&[]);
    site(GARDEN, folder.path(), &[]);
    let (run, hidden) =
        ("20200101T000000Z-00112233445566778899aabb", ".20200101T000000Z-00112233445566778899aabb");
    let kept = ["dev/index.html", "20261128T000000Z/shoots.yaml", &format!("{run}/mine")];
    for name in kept {
        crate::folder::write(folder.path(), name, "mine");
    }
    // An interrupted run.
    crate::folder::write(folder.path(), &format!("{hidden}/.garden-gate-site"), "");
    let (code, out, err) = site(GARDEN, folder.path(), &[]);
    assert_eq!(code, Some(0), "{out}{err}");
    for name in kept {
        assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), "mine");
    }
    assert!(!folder.path().join(hidden).exists());
}

/// Nothing outside of the folder is written or removed, whatever its links say.
#[test]
fn links_in_the_folder_lead_nowhere() {
    let kept = folder(&[("a/.garden-gate-site", ""), ("a/kept", "mine"), ("index.html", "mine")]);
    let folder = folder(&[]);
    site(GARDEN, folder.path(), &[]);
    let run = folder.path().join("20200101T000000Z-00112233445566778899aabb");
    symlink(kept.path().join("a"), &run).unwrap();
    fs::remove_file(folder.path().join("index.html")).unwrap();
    symlink(kept.path().join("index.html"), folder.path().join("index.html")).unwrap();
    let (code, out, err) = site(GARDEN, folder.path(), &[]);
    assert_eq!(code, Some(0), "{out}{err}");
    assert_eq!(fs::read_to_string(kept.path().join("a/kept")).unwrap(), "mine");
    assert_eq!(fs::read_to_string(kept.path().join("index.html")).unwrap(), "mine");
    let index = fs::symlink_metadata(folder.path().join("index.html")).unwrap();
    assert!(index.is_file());
}

#[test]
fn runs_into_one_folder_wait_for_each_other() {
    let folder = folder(&[]);
    site(GARDEN, folder.path(), &[]);
    let lock = fs::File::open(folder.path().join(".garden-gate-site")).unwrap();
    lock.lock().unwrap();
    let (code, _, err) = site(GARDEN, folder.path(), &[]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("another run writes"), "{err}");
    drop(lock);
    assert_eq!(site(GARDEN, folder.path(), &[]).0, Some(0));
}

#[rstest]
#[case::inside("public", "is in the garden directory, or contains it")]
#[case::garden_itself("", "is in the garden directory, or contains it")]
#[case::around("..", "is in the garden directory, or contains it")]
#[case::unclear("none/../public", "is in the garden directory, or contains it")]
#[case::below_a_file("shoots.yaml/public", "is in the garden directory")]
fn folder_in_or_around_the_garden_is_refused(#[case] path: &str, #[case] says: &str) {
    let parent = folder(&[]);
    let garden = parent.path().join("garden");
    fs::create_dir(&garden).unwrap();
    for file in fs::read_dir(GARDEN).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), garden.join(file.file_name())).unwrap();
    }
    let (code, _, err) = site(garden.to_str().unwrap(), &garden.join(path), &[]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains(says), "{err}");
    assert_eq!(fs::read_dir(&garden).unwrap().count(), 3);
}

/// A namespace belongs to one Project, whatever other Projects say.
#[test]
fn namespace_of_two_projects_is_listed_once() {
    let second = "apiVersion: core.gardener.cloud/v1beta1\nkind: Project\nmetadata: {name: zeta}\nspec: {namespace: garden-shop, owner: {kind: User, name: mallory@example.com, apiGroup: rbac.authorization.k8s.io}}\n";
    let garden = garden(&[("zeta.yaml", second)]);
    let folder = folder(&[]);
    site(garden.path().to_str().unwrap(), folder.path(), &[]);
    let documents = documents(folder.path());
    let projects = documents["projects"]["projects"].as_array().unwrap();
    let of_shop: Vec<&Value> =
        projects.iter().filter(|it| it["namespace"] == "garden-shop").collect();
    let [shop] = of_shop[..] else { unreachable!("{projects:?}") };
    assert_eq!([&shop["project"], &shop["shoots"]], [&json!("shop"), &json!(3)]);
}

#[test]
fn notes_about_other_projects_have_no_content() {
    let broken = "apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\nmetadata: {name: a, namespace: garden-shop}\nspec: {provider: {workers: [{minimum: TOPSECRET}]}}\n";
    let garden = garden(&[("broken.yaml", broken)]);
    let folder = folder(&[]);
    site(garden.path().to_str().unwrap(), folder.path(), &["--project", "data"]);
    let index = fs::read_to_string(folder.path().join("index.html")).unwrap();
    let overview = documents(folder.path())["overview"].to_string();
    for text in [index, overview] {
        assert!(!text.contains("TOPSECRET") && !text.contains("broken.yaml"), "{text}");
        assert!(text.contains("1 parts of the garden") || !text.contains("could not be read"));
    }
}

#[test]
fn end_of_a_lifetime_needs_a_person() {
    let shoots = fs::read_to_string(format!("{GARDEN}/shoots.yaml")).unwrap();
    let expiring = shoots.replacen(
        "  name: legacy\n",
        "  name: legacy\n  annotations: {shoot.gardener.cloud/expiration-timestamp: \"2026-12-12T08:00:00Z\"}\n",
        1,
    );
    assert_ne!(shoots, expiring);
    let garden = garden(&[]);
    fs::write(garden.path().join("shoots.yaml"), expiring).unwrap();
    let folder = folder(&[]);
    site(garden.path().to_str().unwrap(), folder.path(), &[]);
    let documents = documents(folder.path());
    let act = documents["overview"]["act"].as_array().unwrap();
    let deleted = act.iter().find(|it| it["kind"] == "deleted").unwrap();
    assert_eq!([&deleted["first"], &deleted["shoots"]], [&json!("2026-12-12"), &json!(1)]);
    assert_eq!(shoots_of(&documents, "garden-shop/legacy")["deletion"], "2026-12-12T08:00:00Z");
}

fn shoots_of<'a>(documents: &'a BTreeMap<String, Value>, title: &str) -> &'a Value {
    shoots(documents)[title]
}
