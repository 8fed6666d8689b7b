//! Shoots as an API server shows them, as many as wanted.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// How many projects they are spread over.
const PROJECTS: usize = 1_000;
const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/garden");
const RECORDED: &str = include_str!("../../tests/requests/002-validate-update-shoots.json");

/// A Shoot as a text, of which copies are made.
pub(crate) struct Template(String);

impl Template {
    pub(crate) fn json() -> Self {
        Self(template().to_string())
    }

    pub(crate) fn yaml() -> Self {
        Self(serde_saphyr::to_string(&template()).unwrap())
    }

    /// A Shoot with this number, on a seed.
    pub(crate) fn shoot(&self, number: usize, seed: &str) -> String {
        let namespace = format!("garden-{}", number % PROJECTS);
        self.0
            .replace("X-CALLED", &format!("web-{number}"))
            .replace("X-WITHIN", &namespace)
            .replace("X-HOSTED", seed)
    }
}

/// One that was recorded, with all that an API server adds.
fn template() -> Value {
    let mut recorded: Value = serde_json::from_str(RECORDED).unwrap();
    let mut shoot = recorded["review"]["request"]["oldObject"].take();
    shoot["metadata"]["name"] = "X-CALLED".into();
    shoot["metadata"]["namespace"] = "X-WITHIN".into();
    shoot["spec"]["seedName"] = "X-HOSTED".into();
    shoot
}

/// The files of the examples' garden, by name.
pub(crate) fn example() -> BTreeMap<OsString, String> {
    let files = fs::read_dir(EXAMPLE).unwrap().map(Result::unwrap);
    files
        .map(|file| (file.file_name(), fs::read_to_string(file.path()).unwrap()))
        .collect()
}

/// Writes the garden of the examples with so many Shoots more, a file each.
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

/// Where the Shoot with this number is.
pub(crate) fn file(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!(
        "shoots/garden-{}/web-{number}.yaml",
        number % PROJECTS
    ))
}
