// SPDX-License-Identifier: Apache-2.0
//! Random MutatingAdmissionPolicies, compared with the recorded answers of a kube-apiserver.
//!
//! `tests/cluster/e2e/mutations.rs` records them.

use std::fs::File;

use flate2::read::GzDecoder;

use crate::recorded_mutations::RecordedMutations;

#[test]
fn mutations_change_objects_as_those_of_an_api_server() {
    let file = File::open("tests/vectors/mutations.json.gz").unwrap();
    let recorded: RecordedMutations = serde_json::from_reader(GzDecoder::new(file)).unwrap();
    assert!(recorded.objects() >= 5_000, "{}", recorded.objects());
    let differences = recorded.differences();
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
    let undetermined = recorded.undetermined();
    assert!(undetermined.len() * 20 < recorded.objects(), "{undetermined:#?}");
}
