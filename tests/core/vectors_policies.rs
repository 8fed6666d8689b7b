// SPDX-License-Identifier: Apache-2.0
//! Random ValidatingAdmissionPolicies, compared with the recorded answers of a kube-apiserver.
//!
//! `tests/cluster/e2e/policies.rs` records them.

use std::fs::File;

use flate2::read::GzDecoder;

use crate::recorded_policies::RecordedPolicy;

#[test]
fn policies_decide_as_those_of_an_api_server() {
    let file = File::open("tests/vectors/policies.json.gz").unwrap();
    let recorded: Vec<RecordedPolicy> = serde_json::from_reader(GzDecoder::new(file)).unwrap();
    assert!(recorded.len() >= 1_000);
    let differences = recorded.iter().flat_map(RecordedPolicy::differences);
    let differences: Vec<String> = differences.collect();
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
}
