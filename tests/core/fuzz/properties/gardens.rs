// SPDX-License-Identifier: Apache-2.0
//! The gardens in which requests are judged.
//!
//! They are embedded in the program, so that a fuzzer runs without the sources.

use std::fs;
use std::sync::LazyLock;

use flate2::read::GzDecoder;
use garden_gate::garden::directory;
use garden_gate_core::config::{self, Config};
use garden_gate_core::garden::Snapshot;
use garden_gate_core::rules;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A garden, its configuration, and requests to its API server.
#[derive(Debug)]
pub(crate) struct Garden {
    pub(crate) snapshot: Snapshot,
    pub(crate) config: Config,
    /// AdmissionReviews, whose uid is the number of the garden.
    pub(crate) reviews: Vec<Value>,
}

/// The files of `examples/garden`.
const EXAMPLES: [(&str, &str); 7] = [
    ("cloudprofile.yaml", include_str!("../../../../examples/garden/cloudprofile.yaml")),
    ("exposureclass.yaml", include_str!("../../../../examples/garden/exposureclass.yaml")),
    ("namespaces.yaml", include_str!("../../../../examples/garden/namespaces.yaml")),
    ("projects.yaml", include_str!("../../../../examples/garden/projects.yaml")),
    ("rbac.yaml", include_str!("../../../../examples/garden/rbac.yaml")),
    ("seeds.yaml", include_str!("../../../../examples/garden/seeds.yaml")),
    ("shoots.yaml", include_str!("../../../../examples/garden/shoots.yaml")),
];

macro_rules! archives {
    ($($family:literal)*) => {
        [$(include_bytes!(concat!("../../../conformance/", $family, ".json.gz"))),*]
    };
}

/// Families of recorded requests that together cover each kind and each group of rules.
const FAMILIES: [&[u8]; 14] = archives!(
    "cloud_profile"
    "cloud_profile_static"
    "deletion"
    "exposure_class"
    "namespaced_cloud_profile"
    "operations"
    "project_verbs"
    "seed_objects"
    "shoot_bindings"
    "shoot_control_plane"
    "shoot_machines"
    "shoot_update_rules"
    "small_kinds"
    "update_strategy"
);

/// A garden that is loaded on first use.
type Unread = LazyLock<Garden, Box<dyn FnOnce() -> Garden + Send>>;

/// The garden of the examples, then the first garden of each family.
pub(crate) static GARDENS: LazyLock<Vec<Unread>> = LazyLock::new(|| {
    let mut all = vec![Unread::new(Box::new(examples))];
    let families = FAMILIES.into_iter().enumerate();
    all.extend(
        families
            .map(|(index, archive)| Unread::new(Box::new(move || recorded(index + 1, archive)))),
    );
    all
});

/// Returns the garden with the number in the uid of a request; the first one if that is no number.
pub(crate) fn named(uid: &str) -> &'static Garden {
    let index = uid.parse::<usize>().unwrap_or_default();
    GARDENS.get(index).unwrap_or(&GARDENS[0])
}

/// Returns a folder with the manifests of the examples.
pub(crate) fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in EXAMPLES {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn examples() -> Garden {
    let reviews = [
        include_str!("../../../../examples/reviews/cloudprofile-version-removed-denied.json"),
        include_str!("../../../../examples/reviews/project-whitelist-denied.json"),
        include_str!("../../../../examples/reviews/shoot-create-allowed.json"),
        include_str!("../../../../examples/reviews/shoot-create-denied.json"),
        include_str!("../../../../examples/reviews/shoot-update-rolls.json"),
    ];
    Garden {
        snapshot: directory::load(folder().path()).unwrap().snapshot,
        config: Config::default(),
        reviews: reviews.map(|it| serde_json::from_str(it).unwrap()).into(),
    }
}

fn recorded(index: usize, archive: &[u8]) -> Garden {
    let family: Value = serde_json::from_reader(GzDecoder::new(archive)).unwrap();
    let recorded = &family["gardens"][0];
    let folder = tempfile::tempdir().unwrap();
    let list = json!({"apiVersion": "v1", "kind": "List", "items": recorded["manifests"]});
    fs::write(folder.path().join("all.json"), list.to_string()).unwrap();
    let config = recorded["config"].to_string();
    let config = config::read("config", &config, &rules::known_ids()).unwrap();
    let cases = recorded["cases"].as_array().unwrap().iter();
    let review = |case: &Value| {
        let mut request = case["request"].clone();
        request["uid"] = index.to_string().into();
        json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request})
    };
    Garden {
        snapshot: directory::load(folder.path()).unwrap().snapshot,
        config: config.config,
        reviews: cases.map(review).collect(),
    }
}
