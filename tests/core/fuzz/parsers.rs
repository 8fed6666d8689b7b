// SPDX-License-Identifier: Apache-2.0
//! Random texts for all parsers.

use std::collections::BTreeMap;
use std::fs::{self, File};

use flate2::read::GzDecoder;
use garden_gate::config_files;
use garden_gate::garden::directory;
use garden_gate_core::config::{self, ConfigFiles};
use garden_gate_core::rules;
use garden_gate_text::go::{
    Constraint, CronSchedule, Network, Quantity, Selector, Version, atoi, compare_versions,
    dns_label_error, dns_subdomain_error, go_duration, is_location, is_network, label_value_error,
    networks_intersect, parse_bool, parse_duration, parse_time, qualified_name_error,
};
use garden_gate_text::yaml;
use serde_json::Value;

use crate::fuzz::run::{Amount, run};
use crate::fuzz::text;
use crate::random::Random;

/// Returns every string in the recorded answers of a Go function.
fn vectors(family: &str) -> Vec<String> {
    let file = File::open(format!("tests/vectors/{family}.json.gz")).unwrap();
    let vectors: Value = serde_json::from_reader(GzDecoder::new(file)).unwrap();
    let mut texts = Vec::new();
    collect(&vectors, &mut texts);
    texts
}

fn collect(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, texts)),
        Value::Object(fields) => fields.values().for_each(|field| collect(field, texts)),
        _ => {}
    }
}

fn list(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn files(paths: &[&str]) -> Vec<String> {
    let read = |path: &&str| fs::read_to_string(path).unwrap();
    paths.iter().map(read).collect()
}

/// Tries mutated texts of a corpus with a parser; `share` scales the number.
fn parses(name: &str, corpus: &[String], share: u64, parse: impl Fn(&str) + Sync) {
    let make = |case: u64| {
        let mut random = Random::of_case(case);
        let [text, other] = [(); 2].map(|()| random.pick(corpus));
        text::mutated(&mut random, text, other).into_bytes()
    };
    let amount = Amount::of(2_000 / share, 6, 10 * share);
    run(name, amount, make, |_, input| {
        parse(str::from_utf8(input).unwrap());
    });
}

/// Splits a text at its first `|`.
fn halves(text: &str) -> (&str, &str) {
    text.split_once('|').unwrap_or((text, ""))
}

#[test]
fn versions() {
    parses("version", &vectors("semver"), 1, |text| {
        if let Ok(version) = Version::parse(text) {
            let written = version.to_string();
            let again = Version::parse(&written).unwrap();
            assert_eq!(again.to_string(), written);
        }
    });
    parses("compare", &vectors("compare"), 1, |text| {
        let (a, b) = halves(text);
        for operator in ["<", ">=", "=", text] {
            let _ = compare_versions(a, operator, b);
        }
    });
}

#[test]
fn constraints() {
    let version = Version::parse("1.34.2-rc.1").unwrap();
    parses("constraint", &vectors("constraint"), 1, |text| {
        if let Ok(constraint) = Constraint::parse(text) {
            let _ = constraint.matches(&version);
        }
    });
}

#[test]
fn schedules() {
    let now = "2026-01-01T00:00:00Z".parse().unwrap();
    parses("cron", &vectors("cron"), 1, |text| {
        if let Ok(schedule) = CronSchedule::parse(text) {
            let next = schedule.next_after(now);
            assert!(next.is_none_or(|next| next > now));
        }
    });
}

#[test]
fn durations() {
    parses("duration", &vectors("duration"), 1, |text| {
        if let Ok(duration) = parse_duration(text)
            && duration.subsec_nanos() == 0
        {
            assert_eq!(parse_duration(&go_duration(duration)), Ok(duration));
        }
    });
}

#[test]
fn quantities() {
    parses("quantity", &vectors("quantity"), 1, |text| {
        if let Ok(quantity) = Quantity::parse(text) {
            let canonical = quantity.canonical();
            let again = Quantity::parse(&canonical).unwrap();
            assert_eq!(again.canonical(), canonical);
            let _ = (quantity.ceiling(), quantity.number(), quantity.to_string());
        }
    });
}

#[test]
fn selectors_and_labels() {
    let corpus = [vectors("selectors"), vectors("labels")].concat();
    let operators = ["In", "NotIn", "Exists", "DoesNotExist", "in", ""];
    parses("selector", &corpus, 1, |text| {
        let (key, value) = halves(text);
        let labels = BTreeMap::from([(key.to_owned(), value.to_owned())]);
        let values: Vec<String> = text.split(',').map(str::to_owned).collect();
        for operator in operators {
            if let Ok(selector) = Selector::compile(&labels, [(key, operator, &values[..])]) {
                let _ = selector.matches(&labels);
            }
        }
        let errors =
            [qualified_name_error, label_value_error, dns_label_error, dns_subdomain_error];
        let _ = errors.map(|error| error(text));
    });
}

#[test]
fn networks() {
    let corpus = list(&[
        "10.0.0.0/8",
        "10.250.0.0/16",
        "0.0.0.0/0",
        "1.2.3.4/32",
        "::/0",
        "2001:db8::/32",
        "::ffff:1.2.3.4/128",
        "100.64.0.0/13|100.96.0.0/11",
        "fe80::1%eth0/64",
        "010.1.1.1/8",
        "1.2.3/24",
    ]);
    parses("network", &corpus, 1, |text| {
        let (a, b) = halves(text);
        assert_eq!(networks_intersect(a, b), networks_intersect(b, a));
        assert_eq!(is_network(text), Network::read(text).is_some());
    });
}

#[test]
fn times_and_numbers() {
    let corpus = list(&[
        "2026-01-01T00:00:00Z",
        "2026-12-31T23:59:60+14:00",
        "220000+0100",
        "0000-01-01T00:00:00.1Z",
        "Europe/Berlin",
        "Etc/GMT+14",
        "UTC",
        "true",
        "T",
        "-9223372036854775808",
        "+1",
    ]);
    parses("time", &corpus, 1, |text| {
        let _ = parse_time(text);
        let _ = parse_bool(text);
        let _ = atoi(text);
        let _ = is_location(text);
    });
}

#[test]
fn documents() {
    let corpus = files(&[
        "examples/manifests/shoot-allowed.yaml",
        "examples/manifests/shoot-denied.yaml",
        "examples/garden/projects.yaml",
        "examples/garden/seeds.yaml",
        "examples/reviews/shoot-create-allowed.json",
        "tests/config/admission.yaml",
        "tests/config/ten_mistakes.yaml",
    ]);
    parses("document", &corpus, 1, |text| match yaml::parse(text) {
        Ok(documents) => {
            for document in documents {
                let value = document.to_value();
                let _ = document.position("/spec/provider/workers/0/name");
                let _ = document.decode::<Value>();
                assert_eq!(value.is_object(), document.is_mapping());
            }
        }
        Err(error) => assert!(!error.message.is_empty()),
    });
}

#[test]
fn configurations() {
    let mut corpus = files(&["tests/config/ten_mistakes.yaml"]);
    corpus.extend(list(&[
        "apiVersion: garden-gate.dev/v1alpha1\nkind: GateConfiguration\nprofile: documented\nrules: {shoot/no-seed-accepts: off}\n",
        "tolerations:\n  defaults: [{key: foo}]\n  whitelist: [{key: foo}, {key: bar, value: baz}]\nfeatureGates: {InPlaceNodeUpdates: true}\n",
        "exempt: {groups: [system:masters], namespaces: []}\nadvice: {expiringWithin: 30d}\n",
    ]));
    let known = rules::known_ids();
    parses("configuration", &corpus, 4, |text| {
        let _ = config::read("config.yaml", text, &known);
    });
}

#[test]
fn files_of_others() {
    let corpus = files(&[
        "tests/config/admission.yaml",
        "examples/garden/projects.yaml",
        "examples/garden/seeds.yaml",
        "examples/garden/rbac.yaml",
        "examples/garden/shoots.yaml",
    ]);
    let known = rules::known_ids();
    parses("file", &corpus, 10, |text| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.yaml");
        fs::write(&path, text).unwrap();
        let _ = directory::load(folder.path());
        let files = ConfigFiles { config: None, admission_config: Some(path) };
        let _ = config_files::load(&files, &known);
    });
}
