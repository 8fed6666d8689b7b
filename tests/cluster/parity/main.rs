// SPDX-License-Identifier: Apache-2.0
//! The gate and a living gardener-apiserver, asked the same; what they answer differently is shown.
//! `docs/development/gardener-release.md` describes how to run it for a new release.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should fail")]

mod case;
mod change;
mod compare;
mod conclusion;
mod configurations;
mod corpus;
mod extension;
mod fields;
mod garden;
mod inputs;
mod known;
mod landscape;
mod ours;
mod record;
mod renew;
mod replay;
mod requests;
mod run;
mod server;
mod show;
mod shrink;
mod tables;
mod theirs;
mod values;

use crate::gardener;
use crate::recorded;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use serde_json::Value;

use crate::parity::conclusion::conclude;
use crate::parity::corpus::Corpus;
use crate::parity::extension::Component;
use crate::parity::known::Retrieval;
use crate::parity::landscape::Landscape;
use crate::parity::ours::Gate;
use crate::parity::run::Run;
use crate::parity::server::Servers;

#[tokio::test(flavor = "multi_thread")]
async fn live_server_agrees() {
    let Some(program) = gardener::program() else {
        return;
    };
    let seed = number("PARITY_SEED", 1);
    let cases = number("PARITY_CASES", 1_000);
    let (mut garden, corpus) = garden::garden();
    set_version(&mut garden);
    let inputs = std::env::var_os("PARITY_INPUTS").map(|folder| {
        let mut inputs = inputs::committed();
        inputs.extend(inputs::read(Path::new(&folder)));
        inputs
    });
    let manifests = match &inputs {
        Some(_) => garden::states(),
        None => garden["manifests"].as_array().unwrap().clone(),
    };
    let Some(servers) = Servers::start(&program, &garden["config"]["featureGates"]).await else {
        return;
    };
    let record = std::env::var_os("PARITY_RECORD");
    let known = Retrieval::of_gardener();
    let run = Run {
        servers: &servers,
        corpus: &corpus,
        inputs: inputs.as_deref().unwrap_or_default(),
        garden: &garden,
        seed,
        records: record.is_some(),
        known: &known,
        extensions: &[],
    };
    say(&format!("{cases} requests of PARITY_SEED={seed} go to {}", program.display()));
    let landscape = Landscape::store(&servers, &manifests).await;
    let outcome = run.random(landscape, cases).await;
    if let Some(folder) = record {
        record::record(Path::new(&folder), seed, &outcome.gardens);
    }
    let problems = conclude(&outcome, &known, (cases, "gardener"));
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Runs for each extension whose admission component an environment variable names.
#[tokio::test(flavor = "multi_thread")]
async fn live_extensions_agree() {
    let Some(program) = gardener::program() else {
        return;
    };
    let components = Component::all();
    if components.is_empty() {
        say("tests against live extensions DID NOT RUN: see docs/development/extension-release.md");
    }
    let mut problems = Vec::new();
    for component in components {
        let gardens = component.gardens();
        let cases = number("PARITY_CASES", 1_000) / gardens.len() as u64;
        for garden in gardens {
            problems.extend(extension_agrees(&program, &component, garden, cases).await);
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

async fn extension_agrees(
    program: &Path,
    component: &Component,
    mut garden: Value,
    cases: u64,
) -> Vec<String> {
    set_version(&mut garden);
    let (seed, extensions) = (number("PARITY_SEED", 1), component.extensions());
    let families = std::slice::from_ref(&component.family);
    let manifests = garden["manifests"].as_array().unwrap();
    let corpus = Corpus::of(families, manifests, &extensions);
    let gates = &garden["config"]["featureGates"];
    let Some(servers) = Servers::start(program, gates).await else {
        return Vec::new();
    };
    let (_process, landscape) = component.start(&servers, &garden).await;
    let known = Retrieval::of_extension(component.extension.name);
    let id = garden["id"].as_str().unwrap();
    let record = std::env::var_os("PARITY_RECORD");
    let run = Run {
        servers: &servers,
        corpus: &corpus,
        inputs: &[],
        garden: &garden,
        seed,
        records: record.is_some(),
        known: &known,
        extensions: &extensions,
    };
    say(&format!(
        "{cases} requests of PARITY_SEED={seed} about {id} go to {}",
        component.program.display()
    ));
    let outcome = run.random(landscape, cases).await;
    if let Some(folder) = record {
        record::record(&Path::new(&folder).join(id), seed, &outcome.gardens);
    }
    say(&format!("{} requests were refused by a webhook", outcome.refused_by_webhook));
    conclude(&outcome, &known, (cases, id))
}

/// Sets the version of Gardener by which garden-gate judges, if a variable names one.
fn set_version(garden: &mut Value) {
    if let Some(version) = std::env::var_os("PARITY_VERSION") {
        garden["config"]["gardenerVersion"] = version.to_string_lossy().into();
    }
}

/// Runs only if `PARITY_RENEW` names a folder.
#[tokio::test(flavor = "multi_thread")]
async fn recorded_families_are_renewed() {
    let folder = std::env::var_os("PARITY_RENEW");
    if let Some((folder, program)) = folder.zip(gardener::program()) {
        renew::renew(&program, Path::new(&folder)).await;
    }
}

/// Runs only if `GARDENER_SOURCES` names Gardener's sources.
#[test]
fn fields_are_those_of_sources() {
    if let Some(sources) = std::env::var_os("GARDENER_SOURCES") {
        let differences = fields::differences(Path::new(&sources));
        assert!(differences.is_empty(), "{}", differences.join("\n"));
    }
}

/// Runs only if `GARDENER_SOURCES` names Gardener's sources.
#[test]
fn tables_of_kubernetes_are_those_of_sources() {
    if let Some(sources) = std::env::var_os("GARDENER_SOURCES") {
        let is_written = std::env::var_os("UPDATE_TABLES").is_some();
        tables::renew(Path::new(&sources), is_written);
    }
}

/// Judges the committed inputs, which reach most code of garden-gate that a search found.
#[test]
fn committed_inputs_have_verdicts_with_reasons() {
    let gate = Gate::new(&garden::with_states());
    let inputs = inputs::committed();
    assert!(!inputs.is_empty());
    for input in inputs {
        gate.judge(&input).assert_reason();
    }
}

/// Replays the files of `PARITY_REPLAY`, or a few recorded responses of each kind.
#[test]
fn recorded_answers_agree() {
    let folder =
        std::env::var_os("PARITY_REPLAY").unwrap_or_else(|| "tests/cluster/parity/recorded".into());
    let known = Retrieval::of_gardener();
    let (mut cases, mut unknown) = (0, Vec::new());
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if !path.to_string_lossy().ends_with(".json.gz") {
            continue;
        }
        let family = recorded::read(&path);
        cases += replay::cases(&family);
        let new = replay::replay(&family).into_iter();
        unknown.extend(
            new.filter(|(_, it)| it.announced.is_none() && !known.iter().any(|known| known.is(it))),
        );
    }
    let lines = unknown.iter().map(|(case, difference)| format!("{}: {difference}\n", case.id));
    assert!(unknown.is_empty(), "{} differences:\n{}", unknown.len(), lines.collect::<String>());
    assert!(cases > 0, "{} holds no recorded answers", folder.display());
}

fn number(variable: &str, otherwise: u64) -> u64 {
    let Ok(text) = std::env::var(variable) else {
        return otherwise;
    };
    text.parse().unwrap_or_else(|_| panic!("{variable} is a whole number, not `{text}`"))
}

/// Prints a line immediately, which the test harness would hide.
fn say(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
}
