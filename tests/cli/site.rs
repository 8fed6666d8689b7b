//! `garden-gate site`: a folder with the site of a landscape.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::command::{garden_gate, printed};
use crate::folder::folder;

const GARDEN: &str = "examples/audit";
const AT: &str = "2026-12-10T00:00:00Z";
const RUN: &str = "20261210T000000Z";

/// Writes the site of a garden; returns the exit code and both outputs.
fn site(garden: &str, folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = garden_gate(&["site", "--no-config", "--garden", garden, "--at", AT]);
    printed(command.args(arguments).arg(folder).output().unwrap())
}

/// Returns the documents of a site by name.
fn documents(folder: &Path) -> BTreeMap<String, Value> {
    let run = folder.join(RUN);
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
    documents.values().for_each(|it| references(it, &mut named));
    let parts: BTreeSet<String> = documents.keys().filter(|it| it.contains('/')).cloned().collect();
    assert_eq!(named, parts);
    let index = fs::read_to_string(folder.path().join("index.html")).unwrap();
    assert!(index.contains(&format!("src=\"{RUN}/site.js\"")), "{index}");
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
    assert!(notes.contains("broken.yaml:3:3: "), "{notes}");
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

/// The files of the run before stay for open pages.
#[test]
fn site_is_updated_and_old_files_are_removed() {
    let folder = folder(&[]);
    for hour in ["00", "01", "02"] {
        let at = format!("2026-12-10T{hour}:00:00Z");
        let mut command = garden_gate(&["site", "--no-config", "--garden", GARDEN, "--at", &at]);
        let (code, out, err) = printed(command.arg(folder.path()).output().unwrap());
        assert_eq!(code, Some(0), "{out}{err}");
    }
    // Again at the same time.
    let (code, ..) = site(GARDEN, folder.path(), &["--at", "2026-12-10T02:00:00Z"]);
    assert_eq!(code, Some(2), "a flag given twice");
    let mut command =
        garden_gate(&["site", "--no-config", "--garden", GARDEN, "--at", "2026-12-10T02:00:00Z"]);
    assert_eq!(command.arg(folder.path()).status().unwrap().code(), Some(0));
    let entries = fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name());
    let entries: BTreeSet<_> = entries.map(|it| it.into_string().unwrap()).collect();
    assert_eq!(
        entries,
        ["20261210T010000Z", "20261210T020000Z", "index.html"].map(str::to_owned).into()
    );
    let index = fs::read_to_string(folder.path().join("index.html")).unwrap();
    assert!(index.contains("data-run=\"20261210T020000Z\""), "{index}");
}

#[rstest]
#[case::file("notes.txt", "has other files than those of a site, such as `notes.txt`")]
#[case::page("index.html", "has other files than those of a site, such as `index.html`")]
#[case::nearly_a_run("20261210T00000Z", "such as `20261210T00000Z`")]
fn folder_with_other_files_is_refused(#[case] name: &str, #[case] says: &str) {
    let folder = folder(&[(name, "mine")]);
    let (code, out, err) = site(GARDEN, folder.path(), &[]);
    assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
    assert!(err.contains(says), "{err}");
    assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), "mine");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Nothing outside of the folder is written or removed, whatever its links say.
#[test]
fn links_in_the_folder_lead_nowhere() {
    let kept = folder(&[("a/kept", "mine"), ("index.html", "mine")]);
    let folder = folder(&[]);
    site(GARDEN, folder.path(), &[]);
    symlink(kept.path().join("a"), folder.path().join("20200101T000000Z")).unwrap();
    symlink(kept.path().join("a"), folder.path().join("20200102T000000Z")).unwrap();
    symlink(kept.path().join("a"), folder.path().join(format!(".{RUN}"))).unwrap();
    let (code, out, err) = site(GARDEN, folder.path(), &[]);
    assert_eq!(code, Some(0), "{out}{err}");
    assert_eq!(fs::read_to_string(kept.path().join("a/kept")).unwrap(), "mine");
    fs::remove_file(folder.path().join("index.html")).unwrap();
    symlink(kept.path().join("index.html"), folder.path().join("index.html")).unwrap();
    let (code, _, err) = site(GARDEN, folder.path(), &[]);
    assert_eq!(code, Some(2), "{err}");
    assert_eq!(fs::read_to_string(kept.path().join("index.html")).unwrap(), "mine");
}

#[test]
fn folder_in_the_garden_or_below_a_file_is_refused() {
    let garden = garden(&[]);
    let inside = garden.path().join("public");
    let (code, _, err) = site(garden.path().to_str().unwrap(), &inside, &[]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("is in the garden directory; name a folder elsewhere"), "{err}");
    assert!(!inside.exists());
    let below = garden.path().join("shoots.yaml/public");
    let (code, _, err) = site(GARDEN, &below, &[]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("cannot write"), "{err}");
}
