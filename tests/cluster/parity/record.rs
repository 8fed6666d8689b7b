// SPDX-License-Identifier: Apache-2.0
//! Writer of conformance files.

use std::fs::{self, File};
use std::path::Path;

use flate2::{Compression, GzBuilder};
use serde_json::{Value, json};

/// Writes the requests in these gardens as one family for each kind.
pub(crate) fn record(folder: &Path, seed: u64, gardens: &[Value]) {
    fs::create_dir_all(folder).unwrap();
    let kind_of = |case: &Value| case["request"]["kind"]["kind"].as_str().unwrap().to_owned();
    let cases = gardens.iter().flat_map(|it| it["cases"].as_array().unwrap());
    let kinds: std::collections::BTreeSet<String> = cases.map(kind_of).collect();
    for kind in kinds {
        let family = format!("random_{}_{seed}", kind.to_lowercase());
        let gardens = gardens.iter().enumerate().map(|(index, garden)| {
            let cases = garden["cases"].as_array().unwrap().iter();
            let cases: Vec<&Value> = cases.filter(|it| kind_of(it) == kind).collect();
            json!({
                "id": format!("{family}/{index}"),
                "config": garden["config"],
                "manifests": garden["manifests"],
                "cases": cases,
            })
        });
        let gardens: Vec<Value> = gardens.collect();
        write(
            &folder.join(format!("{family}.json.gz")),
            &json!({"family": family, "gardens": gardens}),
        );
    }
}

/// Writes a family; equal families have equal bytes.
pub(crate) fn write(path: &Path, family: &Value) {
    let file = File::create(path).unwrap();
    let mut gzip = GzBuilder::new().mtime(0).write(file, Compression::best());
    serde_json::to_writer(&mut gzip, family).unwrap();
    gzip.finish().unwrap();
}
