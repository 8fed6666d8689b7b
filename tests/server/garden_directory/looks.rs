// SPDX-License-Identifier: Apache-2.0
//! Changes of a watched directory: incremental loading has the same result as loading from scratch.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use garden_gate::garden::directory::{DirectoryError, GardenDirectory, LoadedGarden, load};
use garden_gate_core::garden::{Knowledge, Snapshot};
use garden_gate_model::api::{Kind, Project};
use proptest::prelude::*;
use tempfile::TempDir;

use super::{CORE, PROJECT, directory, folder, object};

/// Returns a time at which files of the test count as old.
fn later() -> SystemTime {
    SystemTime::now() + Duration::from_hours(1)
}

fn open(dir: &Path) -> (GardenDirectory, LoadedGarden) {
    GardenDirectory::open(dir.to_owned(), false, Duration::ZERO, SystemTime::now()).unwrap()
}

/// Returns the error of a poll, with relative paths.
fn wrong(watched: &mut GardenDirectory) -> String {
    let error = watched.look(SystemTime::now()).unwrap().unwrap_err();
    let dir = format!("{}/", watched.path().display());
    error.to_string().replace(&dir, "")
}

fn project(namespace: &str) -> String {
    PROJECT.replace("garden-dev", namespace)
}

/// Returns the namespace of the Project in a garden.
fn namespace(garden: &Snapshot) -> String {
    match garden.get::<Project>("dev") {
        Ok(Some(project)) => project.spec.namespace.clone().unwrap(),
        _ => "unknown".to_owned(),
    }
}

#[test]
fn what_has_not_changed_is_no_news() {
    let dir = directory(&[("a.yaml", PROJECT), ("notes.txt", "")]);
    let (mut watched, _) = open(dir.path());
    for now in [SystemTime::now(), later(), later()] {
        assert!(watched.look(now).is_none());
    }
    fs::write(dir.path().join("notes.txt"), "more").unwrap();
    fs::write(dir.path().join("a.yaml"), PROJECT).unwrap();
    assert!(watched.look(later()).is_none(), "it says the same as before");
}

#[test]
fn new_changed_and_removed_files_are_noticed() {
    let dir = directory(&[("b.yaml", PROJECT)]);
    let (mut watched, _) = open(dir.path());
    // From here on, no file is read unnecessarily.
    assert!(watched.look(later()).is_none());
    let mut counts = |change: &dyn Fn()| {
        change();
        let garden = watched.look(later()).unwrap().unwrap();
        (namespace(&garden.snapshot), garden.files)
    };
    let path = |name: &str| dir.path().join(name);
    let write = |name: &str, text: &str| fs::write(path(name), text).unwrap();
    assert_eq!(counts(&|| write("b.yaml", &project("garden-longer"))), ("garden-longer".into(), 1));
    assert_eq!(counts(&|| write("a.yaml", "# nothing")), ("garden-longer".into(), 2));
    assert_eq!(
        counts(&|| fs::rename(path("b.yaml"), path("c.yaml")).unwrap()),
        ("garden-longer".into(), 2)
    );
    assert_eq!(counts(&|| fs::remove_file(path("c.yaml")).unwrap()), ("unknown".into(), 1));
}

#[test]
fn changes_in_the_same_instant_that_keep_the_length_are_noticed() {
    let dir = directory(&[("a.yaml", &project("garden-0"))]);
    let (mut watched, _) = open(dir.path());
    for number in 1..10 {
        let expected = format!("garden-{number}");
        fs::write(dir.path().join("a.yaml"), project(&expected)).unwrap();
        let garden = watched.look(SystemTime::now()).unwrap().unwrap();
        assert_eq!(namespace(&garden.snapshot), expected);
    }
}

#[test]
fn broken_file_is_reported_once_and_recovers() {
    let seed = object(CORE, "Seed", "eu");
    let dir = directory(&[("a.yaml", PROJECT), ("b.yaml", &seed)]);
    let (mut watched, _) = open(dir.path());
    let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
    write("a.yaml", "kind: Project\nmetadata: {name: dev}\n");
    let expected = "a problem: a.yaml:1:1: `apiVersion` is missing";
    assert_eq!(wrong(&mut watched), expected);
    for now in [SystemTime::now(), later(), later()] {
        assert!(watched.look(now).is_none());
    }
    write("b.yaml", &(seed + "# and still broken"));
    assert_eq!(wrong(&mut watched), expected);
    write("a.yaml", &project("garden-new"));
    let garden = watched.look(SystemTime::now()).unwrap().unwrap();
    assert_eq!(namespace(&garden.snapshot), "garden-new");
}

#[test]
fn a_file_that_was_good_and_is_no_manifest_is_broken() {
    let dir =
        directory(&[("a.yaml", PROJECT), ("b.yaml", &object(CORE, "Seed", "eu")), ("c.yaml", "{")]);
    let (mut watched, garden) = open(dir.path());
    assert_eq!(garden.no_manifests.len(), 1);
    fs::write(dir.path().join("b.yaml"), "- [").unwrap();
    assert!(wrong(&mut watched).starts_with("a problem: b.yaml:"));
}

#[test]
fn of_two_variants_the_one_that_stays_counts() {
    let dir = directory(&[("a.yaml", &project("garden-a")), ("b.yaml", &project("garden-b"))]);
    let (mut watched, garden) = open(dir.path());
    assert_eq!(garden.problems.len(), 1);
    fs::remove_file(dir.path().join("a.yaml")).unwrap();
    let garden = watched.look(later()).unwrap().unwrap();
    assert_eq!((namespace(&garden.snapshot), garden.problems.len()), ("garden-b".to_owned(), 0));
    fs::write(dir.path().join("c.yaml"), project("garden-b")).unwrap();
    assert!(watched.look(later()).unwrap().is_ok());
    fs::remove_file(dir.path().join("b.yaml")).unwrap();
    let garden = watched.look(later()).unwrap().unwrap();
    assert_eq!(namespace(&garden.snapshot), "garden-b", "there was a copy of it");
}

#[test]
fn missing_directory_is_reported_once_and_recovers() {
    let parent = directory(&[("garden/a.yaml", PROJECT)]);
    let dir = parent.path().join("garden");
    let (mut watched, _) = open(&dir);
    fs::rename(&dir, parent.path().join("elsewhere")).unwrap();
    let error = watched.look(later()).unwrap().unwrap_err();
    assert!(matches!(error, DirectoryError::Missing(_)));
    assert!(watched.look(later()).is_none());
    fs::rename(parent.path().join("elsewhere"), &dir).unwrap();
    assert!(watched.look(later()).unwrap().is_ok());
    assert!(watched.look(later()).is_none());
}

#[cfg(unix)]
#[test]
fn a_new_version_of_a_config_map_is_noticed() {
    use std::os::unix::fs::symlink;
    // As kubelet mounts it: files link into `..data`, which links to the current version.
    let dir = directory(&[("..2026_01_01/a.yaml", PROJECT)]);
    symlink("..2026_01_01", dir.path().join("..data")).unwrap();
    symlink("..data/a.yaml", dir.path().join("a.yaml")).unwrap();
    let (mut watched, _) = open(dir.path());
    folder::write(dir.path(), "..2026_01_02/a.yaml", &project("garden-new"));
    assert!(watched.look(later()).is_none());
    symlink("..2026_01_02", dir.path().join("..tmp")).unwrap();
    fs::rename(dir.path().join("..tmp"), dir.path().join("..data")).unwrap();
    let garden = watched.look(later()).unwrap().unwrap();
    assert_eq!(namespace(&garden.snapshot), "garden-new");
}

/// Contents of files, which may be combined.
fn texts() -> Vec<String> {
    let shoot = |seed: &str, version: &str| {
        object(CORE, "Shoot", "web")
            + &format!(
                "spec: {{seedName: {seed}, cloudProfileName: p, kubernetes: {{version: {version}}}}}\n"
            )
    };
    let seed = |kind: &str| {
        object(CORE, "Seed", "eu") + &format!("spec: {{provider: {{type: {kind}, region: r}}}}\n")
    };
    vec![
        project("garden-a"),
        project("garden-b"),
        seed("aws"),
        seed("gcp"),
        object(CORE, "Seed", "eu") + "spec: 3\n",
        shoot("eu", "1.33.1"),
        shoot("us", "1.33.1"),
        shoot("eu", "1.34.0"),
        shoot("eu", "1.33.1") + "kind: Shoot\n",
        object(CORE, "CloudProfile", "p"),
        object(CORE, "NamespacedCloudProfile", "n")
            + "spec: {parent: {kind: CloudProfile, name: p}}\n",
        object("apps/v1", "Deployment", "d"),
        "apiVersion: core.gardener.cloud/v1beta1\nkind: SeedList\n".to_owned(),
        "apiVersion: core.gardener.cloud/v1beta1\nkind: Seed\n".to_owned(),
        "apiVersion: core.gardener.cloud/v1beta1\nkind: ExposureClass\nmetadata: {{{{ .x }}\n"
            .to_owned(),
        "some: [text".to_owned(),
        "- a list".to_owned(),
    ]
}

const NAMES: [&str; 4] = ["a.yaml", "b.yaml", "b/c.yaml", "d.json"];

/// Returns everything visible in a garden, by subject.
fn seen(garden: &LoadedGarden) -> BTreeMap<String, String> {
    let snapshot = &garden.snapshot;
    let mut all = BTreeMap::new();
    let mut add =
        |what: String, is: &dyn std::fmt::Debug| drop(all.insert(what, format!("{is:?}")));
    add("remarks".into(), &(&garden.skipped, garden.others, &garden.no_manifests, garden.files));
    add("problems".into(), &(&garden.problems, &garden.lacking));
    add("counts".into(), &snapshot.counts());
    add("unreadable".into(), &snapshot.unreadable().collect::<Vec<_>>());
    for kind in Kind::ALL {
        add(format!("gap of {kind}"), &(snapshot.gap(*kind), snapshot.knows_of(*kind)));
    }
    for namespace in ["garden-a", "garden-b"] {
        add(namespace.into(), &snapshot.project_of_namespace(namespace));
    }
    let seeds = snapshot.seeds();
    let seeds = seeds.map(|seeds| seeds.cloned().collect::<Vec<_>>());
    add("seeds".into(), &seeds);
    for seed in ["eu", "us"] {
        add(seed.into(), &snapshot.shoots_on_seed(seed));
    }
    let versions = snapshot.shoots().map(|shoots| {
        let users = shoots.of_profile(&garden_gate_model::api::ProfileKey::cluster("p"));
        users.map(|users| format!("{:?}", users.by_kubernetes().collect::<Vec<_>>()))
    });
    add("versions".into(), &versions);
    add("children".into(), &snapshot.namespaced_cloud_profiles_of("p"));
    add("names".into(), &snapshot.collection(Kind::Shoot, "garden-dev", |_| false));
    all
}

/// Writes a file with some of these contents, or removes it.
fn change(dir: &TempDir, name: usize, said: &[usize]) {
    let texts = texts();
    let path: PathBuf = dir.path().join(NAMES[name]);
    if said.is_empty() {
        // The file may not exist.
        let _ = fs::remove_file(path);
        return;
    }
    let said: Vec<&str> = said.iter().map(|text| texts[*text].as_str()).collect();
    folder::write(dir.path(), NAMES[name], &said.join("---\n"));
}

/// Returns the number of a file, and its contents.
fn step() -> impl Strategy<Value = (usize, Vec<usize>)> {
    let said = prop::collection::vec(0..texts().len(), 0..3);
    (0..NAMES.len(), said)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn changed_garden_equals_a_full_read(steps in prop::collection::vec(prop::collection::vec(step(), 1..3), 1..8)) {
        let dir = directory(&[("project.yaml", PROJECT)]);
        let (mut watched, mut good) = open(dir.path());
        for changes in steps {
            for (name, said) in &changes {
                change(&dir, *name, said);
            }
            let Some(looked) = watched.look(SystemTime::now()) else {
                continue;
            };
            let anew = load(dir.path());
            let troubled = |garden: &LoadedGarden| garden.problems.iter().map(|it| it.file.clone()).collect::<Vec<_>>();
            let is_worse = |anew: &LoadedGarden| {
                let before = troubled(&good);
                troubled(anew).iter().any(|file| !before.contains(file))
            };
            match (looked, anew) {
                (Ok(garden), Ok(anew)) => {
                    prop_assert!(!is_worse(&anew));
                    prop_assert_eq!(seen(&garden), seen(&anew));
                    prop_assert_eq!(garden.snapshot.knowledge(), Knowledge::Everything);
                    good = garden;
                }
                (Err(DirectoryError::Broken { problems }), Ok(anew)) => {
                    let emptied = anew.no_manifests.iter().any(|it| problems.contains(it));
                    prop_assert!(is_worse(&anew) || emptied);
                }
                (looked, anew) => prop_assert_eq!(format!("{:?}", looked.err()), format!("{:?}", anew.err())),
            }
        }
    }
}
