// SPDX-License-Identifier: Apache-2.0
//! Generates Shoots as an API server would return them.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// Number of Projects to which the Shoots belong.
const PROJECTS: usize = 1_000;
const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/garden");
const RECORDED: &str = include_str!("../../tests/requests/002-validate-update-shoots.json");

/// A serialized Shoot, of which copies are made.
pub(crate) struct Template(String);

impl Template {
    pub(crate) fn json() -> Self {
        Self(template().to_string())
    }

    pub(crate) fn yaml() -> Self {
        Self(serde_saphyr::to_string(&template()).unwrap())
    }

    /// Returns the Shoot with this number, on a seed.
    pub(crate) fn shoot(&self, number: usize, seed: &str) -> String {
        let namespace = format!("garden-{}", number % PROJECTS);
        self.0
            .replace("X-CALLED", &format!("web-{number}"))
            .replace("X-WITHIN", &namespace)
            .replace("X-HOSTED", seed)
    }
}

/// Returns a recorded Shoot with all fields that an API server adds.
fn template() -> Value {
    let mut recorded: Value = serde_json::from_str(RECORDED).unwrap();
    let mut shoot = recorded["review"]["request"]["oldObject"].take();
    shoot["metadata"]["name"] = "X-CALLED".into();
    shoot["metadata"]["namespace"] = "X-WITHIN".into();
    shoot["spec"]["seedName"] = "X-HOSTED".into();
    shoot
}

/// Returns the files of the example garden by name.
pub(crate) fn example() -> BTreeMap<OsString, String> {
    let files = fs::read_dir(EXAMPLE).unwrap().map(Result::unwrap);
    files.map(|file| (file.file_name(), fs::read_to_string(file.path()).unwrap())).collect()
}

/// Writes the example garden with `shoots` additional Shoots, one file each.
pub(crate) fn write_garden(folder: &Path, shoots: usize) {
    fs::create_dir(folder).unwrap();
    for (name, text) in example() {
        fs::write(folder.join(name), text).unwrap();
    }
    let template = Template::yaml();
    for number in 0..shoots {
        let file = file(folder, number);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, template.shoot(number, "stratus-eu")).unwrap();
    }
}

/// Returns the path of the Shoot with this number.
pub(crate) fn file(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("shoots/garden-{}/web-{number}.yaml", number % PROJECTS))
}
