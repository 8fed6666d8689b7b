//! The gate and a living gardener-apiserver, asked the same; what they answer differently is shown.
//! `docs/development/gardener-release.md` describes how to run it for a new release.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on should fail"
)]

mod case;
mod change;
mod compare;
mod corpus;
mod fields;
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
use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::parity::compare::Difference;
use crate::parity::corpus::Corpus;
use crate::parity::known::Retrieval;
use crate::parity::run::{Run, Shown};
use crate::parity::server::Servers;

/// Families recorded with a running server.
const FAMILIES: &[&str] = &[
    "shoot_bindings",
    "shoot_control_plane",
    "shoot_dns",
    "shoot_extensions",
    "shoot_identity",
    "shoot_kubelet",
    "shoot_machines",
    "shoot_maintenance",
    "shoot_networking",
    "shoot_pools",
    "shoot_references_quota",
    "shoot_removed_fields",
    "shoot_update_rules",
    "project_static",
    "cloud_profile_static",
    "namespaced_cloud_profile_static",
    "seed_static",
    "small_kinds",
];

/// The recorded garden for random requests.
const GARDEN: &str = "shoot_update_rules";

/// Number of requests after which a known difference that does not occur is obsolete.
const ENOUGH: u64 = 10_000;

/// Maximum number of differences that are printed completely.
const SHOWN: usize = 25;

#[tokio::test(flavor = "multi_thread")]
async fn live_server_agrees() {
    let Some(program) = gardener::program() else {
        return;
    };
    let seed = number("PARITY_SEED", 1);
    let cases = number("PARITY_CASES", 1_000);
    let families: Vec<Value> = FAMILIES
        .iter()
        .map(|it| recorded::read(&file(it)))
        .collect();
    let garden = &mut recorded::read(&file(GARDEN))["gardens"][0];
    if let Some(version) = std::env::var_os("PARITY_VERSION") {
        garden["config"]["gardenerVersion"] = version.to_string_lossy().into();
    }
    let garden = &*garden;
    let corpus = Corpus::of(&families, garden["manifests"].as_array().unwrap());
    let Some(servers) = Servers::start(&program, &garden["config"]["featureGates"]).await else {
        return;
    };
    let record = std::env::var_os("PARITY_RECORD");
    let known = Retrieval::all();
    let run = Run {
        servers: &servers,
        corpus: &corpus,
        garden,
        seed,
        records: record.is_some(),
        known: &known,
    };
    say(&format!(
        "{cases} requests of PARITY_SEED={seed} go to {}",
        program.display()
    ));
    let outcome = run.random(cases).await;
    if let Some(folder) = record {
        record::record(Path::new(&folder), seed, &outcome.gardens);
    }
    say(&show::counts(&outcome));
    say(&format!(
        "{} requests were no question to admission: a name that is taken, or the like",
        outcome.left_out
    ));
    say(&format!(
        "refused there, allowed here, and announced by `review` as not judged:\n{}",
        show::announced(&outcome.differences)
    ));
    conclude(&outcome.differences, &known, cases);
}

/// Prints the differences, and fails if one is unknown, or a known one is obsolete.
fn conclude(differences: &BTreeMap<Difference, Shown>, known: &[Retrieval], cases: u64) {
    let mut times = vec![0; known.len()];
    let mut unknown = Vec::new();
    for (difference, shown) in differences.iter().filter(|(it, _)| it.announced.is_none()) {
        match known.iter().position(|it| it.is(difference)) {
            Some(index) => times[index] += shown.times,
            None => unknown.push((difference, shown)),
        }
    }
    for (known, times) in known.iter().zip(&times) {
        say(&format!("{times:6}  known: {}", known.title()));
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("parity");
    // Files of an earlier run must not be mistaken for those of this one.
    let _is_missing = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for (index, (difference, shown)) in unknown.iter().enumerate() {
        let whole = show::difference(difference, shown);
        let path = show::write(&folder, index, &shown.asked.case, &whole);
        match index < SHOWN {
            true => say(&format!("\n{whole}# {}", path.display())),
            false => say(&format!(
                "{difference} ({}×)  # {}",
                shown.times,
                path.display()
            )),
        }
    }
    let gone = known
        .iter()
        .zip(&times)
        .filter(|(known, times)| **times == 0 && !known.rare && cases >= ENOUGH);
    let gone: Vec<String> = gone.map(|(known, _)| known.title()).collect();
    assert!(
        unknown.is_empty(),
        "{} kinds of difference are not known",
        unknown.len()
    );
    assert!(
        gone.is_empty(),
        "these differences are known, and did not occur: {gone:#?}"
    );
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

/// Replays the files of `PARITY_REPLAY`, or a few recorded responses of each kind.
#[test]
fn recorded_answers_agree() {
    let folder =
        std::env::var_os("PARITY_REPLAY").unwrap_or_else(|| "tests/parity/recorded".into());
    let known = Retrieval::all();
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
    let lines = unknown
        .iter()
        .map(|(case, difference)| format!("{}: {difference}\n", case.id));
    assert!(
        unknown.is_empty(),
        "{} differences:\n{}",
        unknown.len(),
        lines.collect::<String>()
    );
    assert!(cases > 0, "{} holds no recorded answers", folder.display());
}

fn file(family: &str) -> PathBuf {
    format!("tests/conformance/{family}.json.gz").into()
}

fn number(variable: &str, otherwise: u64) -> u64 {
    let Ok(text) = std::env::var(variable) else {
        return otherwise;
    };
    text.parse()
        .unwrap_or_else(|_| panic!("{variable} is a whole number, not `{text}`"))
}

/// Prints a line immediately, which the test harness would hide.
fn say(line: &str) {
    std::io::stderr()
        .write_all(format!("{line}\n").as_bytes())
        .unwrap();
}
