// SPDX-License-Identifier: Apache-2.0
//! Recorded families, requested again.

use std::path::Path;

use serde_json::{Value, json};

use crate::parity::case::Case;
use crate::parity::change::places;
use crate::parity::compare::{differing, is_of_age};
use crate::parity::landscape::Landscape;
use crate::parity::record;
use crate::parity::say;
use crate::parity::server::Servers;
use crate::parity::theirs::{Theirs, ask};
use crate::recorded;

/// Placeholder in a recorded object for a value that is different each time.
const MADE_UP: &str = "<made up by the server>";

/// A file with its recorded content.
struct File {
    path: std::path::PathBuf,
    family: Value,
    changed: usize,
}

/// Repeats the requests of all families in a folder, and rewrites the families with other responses.
pub(crate) async fn renew(program: &Path, folder: &Path) {
    let mut files = files(folder);
    for (manifests, gates) in landscapes(&files) {
        let Some(servers) = Servers::start(program, &gates).await else {
            return;
        };
        let mut landscape = Landscape::store(&servers, manifests.as_array().unwrap()).await;
        for file in &mut files {
            for garden in file.family["gardens"].as_array_mut().unwrap() {
                if garden["manifests"] == manifests {
                    file.changed += renew_garden(&servers, &mut landscape, garden).await;
                }
            }
        }
    }
    for File { path, family, changed } in &files {
        say(&format!("{}: {changed} answers are new", path.display()));
        if *changed > 0 {
            record::write(path, family);
        }
    }
}

/// Returns families that a running server answered.
fn files(folder: &Path) -> Vec<File> {
    let entries = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    let mut paths: Vec<_> =
        entries.filter(|it| it.to_string_lossy().ends_with(".json.gz")).collect();
    paths.sort();
    let files =
        paths.into_iter().map(|path| File { family: recorded::read(&path), path, changed: 0 });
    files
        .filter(|file| file.family["gardens"][0]["cases"][0]["expect"]["code"].is_number())
        .collect()
}

/// Returns the distinct objects of all gardens, with the feature gates.
fn landscapes(files: &[File]) -> Vec<(Value, Value)> {
    let mut all = Vec::<(Value, Value)>::new();
    let gardens = files.iter().flat_map(|file| file.family["gardens"].as_array().unwrap());
    for garden in gardens {
        if all.iter().all(|(manifests, _)| *manifests != garden["manifests"]) {
            all.push((garden["manifests"].clone(), garden["config"]["featureGates"].clone()));
        }
    }
    all
}

async fn renew_garden(servers: &Servers, landscape: &mut Landscape, garden: &mut Value) -> usize {
    let mut changed = 0;
    for recorded in garden["cases"].as_array_mut().unwrap() {
        let Some(theirs) = ask_again(servers, landscape, recorded).await else {
            continue;
        };
        let was = Theirs::recorded(recorded);
        if is_same(&was, &theirs) {
            continue;
        }
        changed += 1;
        let id = recorded["id"].as_str().unwrap();
        say(&format!(
            "{id}\n  was: {}\n  is:  {} {}{}",
            line(&was),
            line(&theirs),
            theirs.message,
            stored_at(&was, &theirs)
        ));
        let expect = expect(recorded, &was, &theirs);
        recorded["expect"] = expect;
    }
    changed
}

/// Returns the response to a case; `None` if the old state can no longer be stored.
async fn ask_again(
    servers: &Servers,
    landscape: &mut Landscape,
    recorded: &Value,
) -> Option<Theirs> {
    let case = Case::recorded(recorded);
    let old = &recorded["request"]["oldObject"];
    if old.is_null() {
        return Some(ask_twice(servers, landscape, &case).await);
    }
    let was = landscape.replace(servers, old).await;
    let theirs = match &was {
        Ok(_) => Some(ask_twice(servers, landscape, &case).await),
        Err(why) => {
            say(&format!("{}: its old state cannot be stored: {why}", case.id));
            None
        }
    };
    if let Ok(was) = was {
        landscape.put_back(servers, old, was).await;
    }
    theirs
}

/// Returns a response in which values that differ in a second response are placeholders.
async fn ask_twice(servers: &Servers, landscape: &Landscape, case: &Case) -> Theirs {
    let mut theirs = ask(servers, landscape, case).await;
    let Some(stored) = &mut theirs.stored else {
        return theirs;
    };
    let again = ask(servers, landscape, case).await.stored.unwrap_or_default();
    for place in places(stored) {
        let value = stored.pointer_mut(&place).unwrap();
        let is_random =
            !value.is_object() && !value.is_array() && again.pointer(&place) != Some(value);
        if is_random {
            *value = json!(MADE_UP);
        }
    }
    theirs
}

fn is_same(was: &Theirs, is: &Theirs) -> bool {
    was.code == is.code
        && was.findings == is.findings
        && alike(&json!(was.stored), &json!(is.stored))
        && warnings(was).eq(warnings(is))
}

/// Reports whether values are equal except for placeholders and the order of strings, which may be that of a Go map.
fn alike(was: &Value, is: &Value) -> bool {
    match (was, is) {
        (Value::Object(was), Value::Object(is)) => {
            was.len() == is.len()
                && was.iter().all(|(name, value)| is.get(name).is_some_and(|is| alike(value, is)))
        }
        (Value::Array(was), Value::Array(is)) => {
            let pairs = was.iter().zip(is);
            let are_same = pairs.into_iter().all(|(was, is)| alike(was, is));
            let are_texts = was.iter().chain(is).all(Value::is_string);
            was.len() == is.len() && (are_same || are_texts && was.iter().all(|it| is.contains(it)))
        }
        (was, is) => was == is || *was == MADE_UP || *is == MADE_UP,
    }
}

/// Returns all warnings except that about old credentials, since objects of a test are new.
fn warnings(theirs: &Theirs) -> impl Iterator<Item = &String> {
    theirs.warnings.iter().filter(|it| !is_of_age(it))
}

/// Returns the response in the recorded format.
///
/// Unchanged responses keep the recorded stage and plugin.
fn expect(recorded: &Value, was: &Theirs, theirs: &Theirs) -> Value {
    let before = &recorded["expect"];
    let mut expect = theirs.expect(&Case::recorded(recorded));
    for finding in expect["findings"].as_array_mut().unwrap() {
        let found = before["findings"].as_array().into_iter().flatten();
        let mut found =
            found.filter(|it| it["type"] == finding["type"] && it["field"] == finding["field"]);
        if let Some(same) = found.next().filter(|_| was.code == theirs.code) {
            *finding = same.clone();
        }
    }
    let aged = was.warnings.iter().filter(|it| is_of_age(it));
    let warnings: Vec<&String> = aged.chain(warnings(theirs)).collect();
    if !warnings.is_empty() {
        expect["warnings"] = json!(warnings);
    }
    if !before["after"].is_null() && theirs.is_allowed() {
        expect["after"] = after(theirs.stored.as_ref().unwrap());
    }
    expect
}

/// Returns the defaults of a Shoot.
fn after(shoot: &Value) -> Value {
    let spec = &shoot["spec"];
    let pools = spec["provider"]["workers"].as_array().into_iter().flatten().map(|pool| {
        let image = &pool["machine"]["image"];
        let image =
            image.as_object().map(|it| json!({"name": it["name"], "version": it["version"]}));
        json!({
            "name": pool["name"],
            "kubernetesVersion": pool["kubernetes"]["version"],
            "image": image,
            "architecture": pool["machine"]["architecture"],
        })
    });
    json!({
        "tolerations": spec["tolerations"].as_array().cloned().unwrap_or_default(),
        "seedSelector": spec["seedSelector"],
        "kubernetesVersion": spec["kubernetes"]["version"],
        "workers": pools.collect::<Vec<_>>(),
    })
}

fn line(theirs: &Theirs) -> String {
    let findings = theirs.findings.iter().map(|(kind, field)| format!(" {kind} {field}"));
    format!("{}{}", theirs.code, findings.collect::<String>())
}

/// Returns the paths at which the stored object differs.
fn stored_at(was: &Theirs, is: &Theirs) -> String {
    let places = match (&was.stored, &is.stored) {
        (Some(was), Some(is)) => differing(was, is),
        _ => return String::new(),
    };
    let places: Vec<String> = places.into_iter().collect();
    format!(" stored otherwise at {}", places.join(", "))
}
