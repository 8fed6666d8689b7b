// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::sync::LazyLock;

use garden_gate::config_files;
use garden_gate_core::admission::{EntryPoint, Judgement, Request, World, judge};
use garden_gate_core::config::{self, ConfigError, ConfigFiles, ConfigProblem, KnownIds};
use garden_gate_core::rules;
use jiff::Timestamp;
use tempfile::TempDir;

use super::gardens;
use super::yaml::Places;

static KNOWN: LazyLock<KnownIds> = LazyLock::new(rules::known_ids);
thread_local! {
    static FOLDER: TempDir = tempfile::tempdir().unwrap();
}
/// Requests that are judged with a configuration, as JSON.
static REQUESTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let reviews = gardens::named("").reviews.iter();
    reviews.map(ToString::to_string).collect()
});

/// Parses a text as a configuration file of garden-gate and as an `AdmissionConfiguration`.
pub(crate) fn check(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    match config::read("config.yaml", text, &KNOWN) {
        Ok(checked) => {
            explained(text, &checked.warnings);
            used(&checked.config);
        }
        Err(ConfigError::Mistakes(problems)) => explained(text, &problems),
        Err(error) => panic!("no file is read: {error}"),
    }
    // A configuration that names another file would read it.
    if text.contains("path") {
        return;
    }
    // Each thread has a folder, as tests run in parallel.
    let file = FOLDER.with(|folder| folder.path().join("admission.yaml"));
    fs::write(&file, text).unwrap();
    let files = ConfigFiles { config: None, admission_config: Some(file) };
    match config_files::load(&files, &KNOWN) {
        Ok(checked) => explained(text, &checked.warnings),
        Err(ConfigError::Mistakes(problems)) => explained(text, &problems),
        Err(error) => panic!("the file is there: {error}"),
    }
}

/// Each problem has a message in one line, and a position.
fn explained(text: &str, problems: &[ConfigProblem]) {
    let places = Places::of(text);
    for problem in problems {
        assert!(!problem.message.is_empty());
        assert!(!problem.message.contains(char::is_control));
        places.contain(problem.position);
    }
}

/// Requests can be judged with the parsed configuration.
fn used(config: &config::Config) {
    for body in REQUESTS.iter() {
        let world = World {
            rules: rules::ALL.into(),
            garden: &gardens::named("").snapshot,
            config,
            now: Timestamp::constant(1_796_083_200, 0),
        };
        let request = Request::from_review(body.as_bytes()).unwrap();
        for entry_point in [EntryPoint::Mutate, EntryPoint::Validate] {
            let judgement = judge(entry_point, &request, &world);
            assert!(matches!(judgement, Judgement::Review(_)));
        }
    }
}
