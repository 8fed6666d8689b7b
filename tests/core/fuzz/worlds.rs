// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use garden_gate::garden::directory;
use garden_gate_core::admission::{EntryPoint, Judgement, Request, Review, World, judge};
use garden_gate_core::config::Config;
use garden_gate_core::garden::Snapshot;
use garden_gate_core::rules;
use jiff::Timestamp;
use serde_json::Value;

/// A garden with its recorded requests.
#[derive(Debug)]
pub(crate) struct Place {
    garden: Snapshot,
    config: Config,
    /// AdmissionReviews.
    pub(crate) reviews: Vec<Value>,
}

impl Place {
    /// Judges a request; a whole garden raises no questions.
    pub(crate) fn judge(&self, entry_point: EntryPoint, request: &Request<'_>) -> Review {
        let world = World {
            rules: rules::ALL.into(),
            garden: &self.garden,
            config: &self.config,
            now: NOW.with(|now| *now),
        };
        match judge(entry_point, request, &world) {
            Judgement::Review(review) => review,
            Judgement::Questions(questions) => panic!("there are questions: {questions:?}"),
        }
    }
}

thread_local! {
    static NOW: Timestamp = "2026-12-01T00:00:00Z".parse().unwrap();
}

/// Families with recorded verdicts.
const FAMILIES: [&str; 14] = [
    "cloud_profile",
    "deletion",
    "exposure_class",
    "hibernation",
    "namespaced_cloud_profile",
    "operations",
    "project_verbs",
    "project_whitelist",
    "seed_objects",
    "seed_taints",
    "shoot_image",
    "shoot_kubernetes",
    "tolerations",
    "update_strategy",
];

/// Number of gardens from each family.
const GARDENS: usize = 4;

/// The garden of the examples with requests of real API servers, and some gardens of each family.
pub(crate) static PLACES: LazyLock<Vec<Place>> = LazyLock::new(|| {
    let mut places = vec![examples()];
    for family in FAMILIES {
        let file = format!("tests/conformance/{family}.json.gz");
        let recorded = crate::recorded::read(Path::new(&file));
        let gardens = recorded["gardens"].as_array().unwrap();
        let every = gardens.len().div_ceil(GARDENS);
        places.extend(gardens.iter().step_by(every).map(recorded_place));
    }
    places
});

fn examples() -> Place {
    let mut reviews = Vec::new();
    for folder in ["tests/requests", "examples/reviews"] {
        let mut files: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for file in files {
            let mut read: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
            let recorded = read.get_mut("review").map(Value::take);
            reviews.push(recorded.unwrap_or(read));
        }
    }
    Place {
        garden: directory::load(Path::new("examples/garden")).unwrap().snapshot,
        config: Config::default(),
        reviews,
    }
}

fn recorded_place(recorded: &Value) -> Place {
    let (garden, config) = crate::recorded::garden(recorded);
    let cases = recorded["cases"].as_array().unwrap();
    Place { garden, config, reviews: cases.iter().map(crate::recorded::review).collect() }
}
