// SPDX-License-Identifier: Apache-2.0
//! The lookups that rules declare, on which readiness and permissions depend: the tests remove each declaration.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::panic::{self, AssertUnwindSafe};

use flate2::read::GzDecoder;
use garden_gate::garden::directory;
use garden_gate_core::admission::{EntryPoint, Kind, Reading, Request, Rule, World, judge};
use garden_gate_core::config::Config;
use garden_gate_core::garden::Snapshot;
use garden_gate_core::rules;
use garden_gate_model::api::GardenerVersion;
use garden_gate_model::api::extensions::Extension;
use jiff::Timestamp;
use serde_json::{Value, json};

/// Lookups that no recorded request triggers.
///
/// The rule is not one of Gardener's, or the recorded gardens lack the objects. The matrices of these rules verify the
/// declarations.
const UNRECORDED: [(&str, &[&str]); 14] = [
    ("backupbucket/delete-in-use", &["BackupBucket"]),
    ("binding/finalizer-removal", &["Shoot"]),
    ("binding/provider-of-shoots", &["NamespacedCloudProfile"]),
    ("extensions/controller-fails", &["CloudProfile"]),
    ("managedseed/delete-in-use", &["ManagedSeed"]),
    // Rules about Seeds look them up.
    ("managedseed/shoot-unfit", &["Secret"]),
    ("project/deletion-not-confirmed", &["Project"]),
    ("seed/backup-workload-identity-type", &["WorkloadIdentity"]),
    ("seed/deletecollection-in-use", &["Shoot"]),
    ("seed/internal-domain-in-use", &["Shoot"]),
    ("shoot/deletion-not-confirmed", &["Shoot"]),
    ("shoot/live-migration", &["ConfigMap", "Seed"]),
    ("shoot/no-seed-accepts", &["Shoot"]),
    ("shootstate/deletion-not-confirmed", &["ShootState"]),
];

/// No recorded Shoot uses a NamespacedCloudProfile, but a lookup of its profile may need one.
fn is_profile_of_a_shoot(rule: &Rule, what: Reading) -> bool {
    let of_shoots = rule.scopes.iter().all(|scope| scope.kind == Kind::Shoot);
    let reads = |kind| rule.reads.iter().any(|it| it.what == Reading::Objects(kind));
    let is_one = what == Reading::Objects(Kind::NamespacedCloudProfile);
    is_one && of_shoots && reads(Kind::CloudProfile)
}

/// The recorded requests, with their gardens.
struct Recorded {
    /// The name of the file.
    family: String,
    garden: Snapshot,
    /// The reviews, with their resources.
    reviews: Vec<(String, String)>,
}

impl Recorded {
    /// Reports whether the requests can trigger lookups of a rule: those about extensions only for rules for extensions.
    fn is_about(&self, rule: &Rule) -> bool {
        let kind = rule.id.split('/').next().unwrap();
        let is_of_extensions = self.family.starts_with("ext_");
        match kind {
            "extensions" => is_of_extensions,
            "registry-mirror" => self.family == "ext_registry_cache",
            // It is no rule of gardener-apiserver, from which these requests are.
            "admission-controller" => false,
            // Off in the default profile.
            "hardened" => false,
            kind if Extension::named(kind).is_some() => {
                self.family == format!("ext_{}", kind.replace('-', "_"))
            }
            // Only a provider's profiles have configurations.
            _ => !is_of_extensions || self.family == "ext_aws",
        }
    }
}

fn recorded() -> Vec<Recorded> {
    let mut all = Vec::new();
    let folders =
        ["tests/conformance", "tests/conformance/kinds"].map(|it| fs::read_dir(it).unwrap());
    for file in folders.into_iter().flatten() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "gz") {
            continue;
        }
        let family =
            path.file_name().unwrap().to_string_lossy().trim_end_matches(".json.gz").to_owned();
        let file = GzDecoder::new(File::open(path).unwrap());
        let recorded: Value = serde_json::from_reader(file).unwrap();
        for garden in recorded["gardens"].as_array().unwrap() {
            let cases = garden["cases"].as_array().unwrap();
            let reviews = cases.iter().map(|case| {
                let resource = case["request"]["resource"]["resource"].as_str().unwrap();
                (resource.to_owned(), review(&case["request"]))
            });
            all.push(Recorded {
                family: family.clone(),
                garden: load(&garden["manifests"]),
                reviews: reviews.collect(),
            });
        }
    }
    all
}

fn review(request: &Value) -> String {
    let mut review = json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview"});
    review["request"] = request.clone();
    review["request"]["uid"] = json!("uid");
    review.to_string()
}

fn load(manifests: &Value) -> Snapshot {
    let folder = tempfile::tempdir().unwrap();
    let list = json!({"apiVersion": "v1", "kind": "List", "items": manifests});
    fs::write(folder.path().join("all.json"), list.to_string()).unwrap();
    directory::load(folder.path()).unwrap().snapshot
}

/// Reports whether a rule can judge recorded requests with its declared lookups.
fn judges_all(rule: &'static Rule, recorded: &[&Recorded]) -> bool {
    let mut config = Config::default();
    if !rule.versions.contains(GardenerVersion::NEWEST) {
        config.gardener_version = GardenerVersion::OLDEST;
    }
    config.feature_gates.live_control_plane_migration = true;
    let kinds = rule.kinds();
    let is_of = |resource: &str| kinds.iter().any(|kind| kind.resource() == resource);
    let rules = [rule];
    recorded.iter().all(|recorded| {
        let world = World {
            rules: (&rules).into(),
            garden: &recorded.garden,
            config: &config,
            now: Timestamp::UNIX_EPOCH,
        };
        let mut reviews = recorded.reviews.iter().filter(|(resource, _)| is_of(resource));
        reviews.all(|(_, review)| {
            let request = Request::from_review(review.as_bytes()).unwrap();
            let judged = || judge(EntryPoint::Review, &request, &world);
            panic::catch_unwind(AssertUnwindSafe(judged)).is_ok()
        })
    })
}

/// Returns the rule without the declaration of `what`.
fn silent_about(what: Reading, rule: &Rule) -> &'static Rule {
    let mut others = rule.reads.to_vec();
    others.retain(|read| read.what != what);
    let reads = Box::leak(others.into_boxed_slice());
    Box::leak(Box::new(Rule { reads, ..rule.clone() }))
}

/// Hides the expected panics about undeclared lookups; other panics are printed as usual.
fn expect_undeclared() {
    let show = panic::take_hook();
    panic::set_hook(Box::new(move |what| {
        let said = what.payload().downcast_ref::<String>();
        if !said.is_some_and(|said| said.contains("not among its `reads`")) {
            show(what);
        }
    }));
}

#[test]
fn a_rule_is_stopped_when_it_looks_up_what_it_does_not_declare() {
    expect_undeclared();
    let recorded = recorded();
    let mut unused: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let of_requests =
        rules::ALL.iter().filter(|it| it.runs_at(EntryPoint::Review, &Config::default()));
    for rule in of_requests {
        let recorded: Vec<&Recorded> = recorded.iter().filter(|it| it.is_about(rule)).collect();
        if recorded.is_empty() {
            continue;
        }
        let declared = rule.reads.iter().map(|read| read.what);
        for what in declared.filter(|what| !is_profile_of_a_shoot(rule, *what)) {
            if judges_all(silent_about(what, rule), &recorded) {
                unused.entry(rule.id).or_default().insert(what.to_string());
            }
        }
    }
    let known = UNRECORDED.map(|(id, what)| (id, what.iter().map(|it| it.to_string()).collect()));
    assert_eq!(unused, BTreeMap::from(known));
}
