// SPDX-License-Identifier: Apache-2.0
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use garden_gate::cli::{self, Arguments};
use garden_gate::garden::directory::{GardenDirectory, LoadedGarden};
use garden_gate::server::ServerOptions;

use crate::{garden, shoots};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A garden directory, as the server opens it.
pub(crate) type Opened = (GardenDirectory, LoadedGarden);

/// A command with its arguments.
pub(crate) struct Prepared(Arguments);

impl Prepared {
    fn new(words: &[&str]) -> Self {
        on_this_thread();
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        Self(Arguments::read(&words).unwrap())
    }

    /// Runs the command, and returns its output.
    pub(crate) fn run(self) -> Vec<u8> {
        let mut out = Vec::new();
        cli::run(self.0, &mut out).unwrap();
        assert!(!out.is_empty());
        out
    }
}

/// Makes this thread the only one that works in parallel iterations, because Callgrind counts the instructions of one thread.
fn on_this_thread() {
    rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global().unwrap();
}

/// Returns `review` of a file with this number of manifests of 1 KB.
pub(crate) fn review(count: usize) -> Prepared {
    let folder = emptied("review");
    let example = read("examples/manifests/shoot-allowed.yaml");
    let example = &example[example.find("apiVersion").unwrap()..];
    let manifests: Vec<String> = (0..count)
        .map(|number| example.replacen("name: gateway", &format!("name: shoot-{number}"), 1))
        .collect();
    let file = folder.join("manifests.yaml");
    fs::write(&file, manifests.join("---\n")).unwrap();
    let garden = Path::new(ROOT).join("examples/garden");
    let [garden, file] = [&garden, &file].map(|it| it.to_str().unwrap());
    let at = "2026-12-01T00:00:00Z";
    Prepared::new(&["garden-gate", "review", "--no-config", "--at", at, "--garden", garden, file])
}

/// Returns `audit` of this number of Shoots of 1 KB.
pub(crate) fn audit(count: usize) -> Prepared {
    let folder = emptied("audit");
    let shoots = read("examples/audit/shoots.yaml");
    let shoots: Vec<&str> = shoots.split("---\n").collect();
    let example = Path::new(ROOT).join("examples/audit");
    let files = ["landscape.yaml", "projects.yaml"];
    garden::write_garden(&example, &files, &shoots, count, &folder);
    let at = "2026-12-10T00:00:00Z";
    let folder = folder.to_str().unwrap();
    Prepared::new(&["garden-gate", "audit", "--no-config", "--at", at, "--garden", folder])
}

/// Returns `plan` of this number of Shoots whose machines are replaced.
pub(crate) fn plan(count: usize) -> Prepared {
    let folder = emptied("plan");
    let example = read("examples/manifests/shoot-allowed.yaml");
    let new = &example[example.find("apiVersion").unwrap()..];
    let old = new.replace("size: 50Gi", "size: 40Gi");
    assert_ne!(old, new);
    let [old, new] = [("old", old.as_str()), ("new", new)].map(|(state, text)| {
        let shoots = (0..count)
            .map(|number| text.replacen("name: gateway", &format!("name: shoot-{number}"), 1));
        let file = folder.join(format!("{state}.yaml"));
        fs::write(&file, shoots.collect::<Vec<String>>().join("---\n")).unwrap();
        file
    });
    let garden = Path::new(ROOT).join("examples/garden");
    let [garden, old, new] = [&garden, &old, &new].map(|it| it.to_str().unwrap());
    let at = "2026-12-01T00:00:00Z";
    let command = ["garden-gate", "plan", "--no-config", "--at", at];
    Prepared::new(&[&command[..], &["--garden", garden, "--old", old, new]].concat())
}

/// Returns `plan --windows` of this number of Shoots.
pub(crate) fn plan_windows(count: usize) -> Prepared {
    let folder = emptied("windows");
    let shoots = read("examples/forecast/shoots.yaml");
    // Excludes the Shoot whose CloudProfile is missing.
    let shoots: Vec<&str> = shoots.split("---\n").filter(|it| !it.contains("cumulus")).collect();
    let example = Path::new(ROOT).join("examples/forecast");
    let files = ["cloudprofile.yaml", "projects.yaml"];
    garden::write_garden(&example, &files, &shoots, count, &folder);
    let at = "2026-12-01T00:00:00Z";
    let command = ["garden-gate", "plan", "--windows", "--no-config", "--at", at];
    Prepared::new(&[&command[..], &["--garden", folder.to_str().unwrap()]].concat())
}

/// Writes a garden with this number of Shoots, one file each with all fields that an API server adds.
pub(crate) fn directory(count: usize) -> PathBuf {
    on_this_thread();
    let folder = emptied("serve");
    fs::remove_dir(&folder).unwrap();
    shoots::write_garden(&folder, count);
    folder
}

/// Opens the garden as the server does at its start.
pub(crate) fn open(folder: PathBuf) -> Opened {
    let delay = ServerOptions::REMOVAL_DELAY;
    GardenDirectory::open(folder, false, delay, SystemTime::now()).unwrap()
}

fn read(file: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(file)).unwrap()
}

/// Returns an empty folder in the target directory.
fn emptied(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("instructions").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}
