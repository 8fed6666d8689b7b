// SPDX-License-Identifier: Apache-2.0
//! Objects that vanish from files exist until the files have been unchanged for a delay.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use garden_gate::garden::directory::{DirectoryError, GardenDirectory, LoadedGarden, load};
use garden_gate_core::garden::{ObjectKey, Snapshot};
use garden_gate_model::api::{Kind, ProfileKey};
use rstest::rstest;
use tempfile::TempDir;

use super::{CORE, object, whole_with};

const DELAY: Duration = Duration::from_secs(30);

/// A garden directory and the current garden, at times in seconds since the start.
struct Server {
    dir: TempDir,
    start: SystemTime,
    watched: GardenDirectory,
    garden: Snapshot,
    /// The error of the last poll.
    error: Option<DirectoryError>,
}

impl Server {
    fn start(files: &[(&str, &str)]) -> Self {
        let dir = whole_with(files);
        // Files of the test count as old.
        let start = SystemTime::now() + Duration::from_hours(1);
        let (watched, garden) =
            GardenDirectory::open(dir.path().to_owned(), false, DELAY, start).unwrap();
        Self { dir, start, watched, garden: garden.snapshot, error: None }
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn look(&mut self, second: u64) {
        match self.watched.look(self.start + Duration::from_secs(second)) {
            Some(Ok(garden)) => (self.garden, self.error) = (garden.snapshot, None),
            Some(Err(error)) => self.error = Some(error),
            None => {}
        }
    }

    /// Returns the Kubernetes versions of known Shoots.
    fn versions(&self) -> String {
        versions(&self.garden)
    }

    fn vanished(&self) -> Vec<(Kind, usize, u64)> {
        let vanished = self.watched.vanished().into_iter().map(|(kind, it)| {
            let since = it.since.duration_since(self.start).unwrap();
            (kind, it.count, since.as_secs())
        });
        vanished.collect()
    }
}

fn versions(garden: &Snapshot) -> String {
    let Ok(shoots) = garden.shoots() else {
        return "unknown".to_owned();
    };
    let users = shoots.of_profile(&ProfileKey::cluster("p"));
    let versions = users
        .iter()
        .flat_map(|users| users.by_kubernetes())
        .map(|(version, _)| version.to_string());
    versions.collect::<Vec<_>>().join(" ")
}

fn shoot(name: &str, version: &str) -> String {
    object(CORE, "Shoot", name)
        + &format!("spec:\n  cloudProfileName: p\n  kubernetes:\n    version: {version}\n")
}

fn two() -> String {
    shoot("a", "1.33.1") + "---\n" + &shoot("b", "1.34.2")
}

/// Returns a list, as `kubectl get -o yaml` writes it.
fn list() -> String {
    let items = [shoot("a", "1.33.1"), shoot("b", "1.34.2")].map(|shoot| {
        let lines = shoot.lines().map(|line| format!("  {line}\n"));
        lines.collect::<String>().replacen("  ", "- ", 1)
    });
    format!(
        "apiVersion: v1\nitems:\n{}kind: List\nmetadata:\n  resourceVersion: \"\"\n",
        items.concat()
    )
}

/// All ways to lose a Shoot: the first and the second content of a file.
#[rstest]
#[case::emptied(two(), Some(String::new()))]
#[case::a_comment(two(), Some("# later\n".to_owned()))]
#[case::a_marker(two(), Some("---\n".to_owned()))]
#[case::an_empty_list(two(), Some("apiVersion: v1\nkind: List\nitems: []\n".to_owned()))]
#[case::an_empty_typed_list(two(), Some("apiVersion: core.gardener.cloud/v1beta1\nkind: ShootList\nitems: []\n".to_owned()))]
#[case::the_other_document(two(), Some(shoot("a", "1.33.1")))]
#[case::deleted(two(), None)]
#[case::an_empty_dump(list(), Some(String::new()))]
#[case::a_deleted_dump(list(), None)]
fn shoots_that_vanish_exist_until_the_file_has_rested(
    #[case] before: String,
    #[case] after: Option<String>,
) {
    let mut server = Server::start(&[("shoots.yaml", &before)]);
    assert_eq!(server.versions(), "1.33.1 1.34.2");
    match after {
        Some(after) => server.write("shoots.yaml", &after),
        None => fs::remove_file(server.path("shoots.yaml")).unwrap(),
    }
    for second in [1, 2, 30] {
        server.look(second);
        assert_eq!(server.versions(), "1.33.1 1.34.2", "after {second} s");
        assert!(matches!(server.vanished()[..], [(Kind::Shoot, _, 1)]));
    }
    server.look(31);
    let left = versions(&load(server.dir.path()).unwrap().snapshot);
    assert_eq!(server.versions(), left, "an intended removal counts in the end");
    assert_ne!(left, "1.33.1 1.34.2");
    assert!(server.vanished().is_empty() && server.error.is_none());
}

/// Writes a file in chunks of every size, down to single bytes, with a poll after each.
#[rstest]
#[case::documents(&two())]
#[case::a_dump(&list())]
#[case::kind_first(&format!("apiVersion: v1\nkind: List\nitems:\n{}", list().lines().filter(|it| it.starts_with(['-', ' ']) && !it.contains("resourceVersion")).map(|it| format!("{it}\n")).collect::<String>()))]
#[case::json(r#"{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"core.gardener.cloud/v1beta1","kind":"Shoot","metadata":{"name":"a","namespace":"n"},"spec":{"cloudProfileName":"p","kubernetes":{"version":"1.33.1"}}},{"apiVersion":"core.gardener.cloud/v1beta1","kind":"Shoot","metadata":{"name":"b","namespace":"n"},"spec":{"cloudProfileName":"p","kubernetes":{"version":"1.34.2"}}}]}"#)]
fn a_file_that_is_written_slowly_loses_nothing(#[case] text: &str) {
    for recreate in [false, true] {
        let mut server = Server::start(&[("shoots.yaml", text)]);
        if recreate {
            fs::remove_file(server.path("shoots.yaml")).unwrap();
        }
        let mut second = 0;
        for end in 0..=text.len() {
            second += 20;
            server.look(second);
            // The write takes longer than the delay, but the file is never unchanged for that long.
            server.write("shoots.yaml", &text[..end]);
            second += 1;
            server.look(second);
            assert_eq!(server.versions(), "1.33.1 1.34.2", "{:?}", &text[..end]);
            if second > 9 * 30 {
                // An object that is missing for ten times the delay is deleted, so the test starts again.
                server = Server::start(&[("shoots.yaml", text)]);
                server.write("shoots.yaml", &text[..end]);
                second = 0;
                server.look(second);
            }
        }
        server.look(second + 1);
        assert!(server.vanished().is_empty() && server.error.is_none());
    }
}

#[test]
fn the_wait_begins_again_with_every_change_of_the_file() {
    let mut server = Server::start(&[("shoots.yaml", &two())]);
    for (second, text) in [(1, ""), (25, "# one\n"), (50, "# two\n")] {
        server.write("shoots.yaml", text);
        server.look(second);
    }
    fs::remove_file(server.path("shoots.yaml")).unwrap();
    server.look(75);
    server.look(104);
    assert_eq!(server.versions(), "1.33.1 1.34.2");
    server.look(105);
    assert_eq!(server.versions(), "");
}

#[test]
fn a_file_that_never_rests_loses_objects_after_ten_times_the_delay() {
    let mut server = Server::start(&[("shoots.yaml", &two())]);
    for second in 1..=301 {
        server.write("shoots.yaml", &(shoot("a", "1.33.1") + &format!("# {second}\n")));
        let is_over = second >= 301;
        server.look(second);
        let expected = if is_over { "1.33.1" } else { "1.33.1 1.34.2" };
        assert_eq!(server.versions(), expected, "after {second} s");
    }
}

#[test]
fn edits_additions_and_moves_count_at_once() {
    let mut server = Server::start(&[("shoots.yaml", &two())]);
    server.write("shoots.yaml", &two().replace("1.33.1", "1.33.9"));
    server.look(1);
    assert_eq!(server.versions(), "1.33.9 1.34.2");
    server.write("more.yaml", &shoot("c", "1.35.0"));
    server.look(2);
    assert_eq!(server.versions(), "1.33.9 1.34.2 1.35.0");
    fs::rename(server.path("more.yaml"), server.path("other.yaml")).unwrap();
    server.look(3);
    assert!(server.vanished().is_empty());
    // During the delay of one object, others change.
    server.write("shoots.yaml", &shoot("b", "1.34.5"));
    server.look(4);
    assert_eq!(server.versions(), "1.33.9 1.34.5 1.35.0");
    assert_eq!(server.vanished(), [(Kind::Shoot, 1, 4)]);
    server.write("shoots.yaml", &two());
    server.look(5);
    assert_eq!(server.versions(), "1.33.1 1.34.2 1.35.0");
    assert!(server.vanished().is_empty());
}

#[test]
fn an_object_that_loses_its_end_keeps_it_until_the_file_has_rested() {
    let mut server = Server::start(&[("shoots.yaml", &two())]);
    server.write("shoots.yaml", two().trim_end_matches("2\n"));
    server.look(1);
    server.look(30);
    assert_eq!(server.versions(), "1.33.1 1.34.2");
    server.look(31);
    assert_eq!(server.versions(), "1.33.1 1.34.");
}

#[test]
fn a_broken_file_stops_the_wait() {
    let mut server = Server::start(&[("shoots.yaml", &two())]);
    let half = list()[..list().len() / 2].to_owned();
    server.write("shoots.yaml", &half);
    for second in [1, 100, 200] {
        server.look(second);
        assert!(server.error.is_some());
        assert_eq!(server.versions(), "1.33.1 1.34.2");
        assert!(!server.vanished().is_empty());
    }
    server.write("shoots.yaml", "");
    for second in [201, 230] {
        server.look(second);
        assert_eq!(server.versions(), "1.33.1 1.34.2");
    }
    server.look(231);
    assert_eq!((server.versions(), server.error.is_none()), (String::new(), true));
}

#[test]
fn a_directory_that_is_emptied_keeps_its_kinds() {
    let mut server = Server::start(&[("shoots.yaml", &two())]);
    for file in fs::read_dir(server.dir.path()).unwrap() {
        fs::remove_file(file.unwrap().path()).unwrap();
    }
    server.look(1);
    server.look(30);
    assert_eq!(server.versions(), "1.33.1 1.34.2");
    let kinds: Vec<Kind> = server.vanished().iter().map(|it| it.0).collect();
    for kind in [Kind::Project, Kind::CloudProfile, Kind::Seed, Kind::Shoot] {
        assert!(kinds.contains(&kind), "{kind}");
    }
    server.look(31);
    assert_eq!(server.versions(), "unknown", "this is no garden");
}

#[test]
fn names_of_secrets_are_kept_as_well() {
    let secrets = |names: &[&str]| {
        let secrets = names.iter().map(|name| object("v1", "Secret", name));
        secrets.collect::<Vec<_>>().join("---\n")
    };
    let mut server = Server::start(&[("secrets.yaml", &secrets(&["left", "right"]))]);
    let is_there = |server: &Server, name: &str| {
        let found = server.garden.named(&ObjectKey::new(Kind::Secret, "garden-dev", name));
        matches!(found, Ok(Some(_)))
    };
    assert!(is_there(&server, "right"));
    server.write("secrets.yaml", &secrets(&["left"]));
    server.look(1);
    assert!(is_there(&server, "right"));
    server.look(31);
    assert!(is_there(&server, "left") && !is_there(&server, "right"));
}

#[cfg(unix)]
#[test]
fn a_file_that_leaves_a_config_map_is_a_removal() {
    use std::os::unix::fs::symlink;
    let dir = whole_with(&[("..1/shoots.yaml", &two())]);
    fs::create_dir(dir.path().join("..2")).unwrap();
    symlink("..1", dir.path().join("..data")).unwrap();
    symlink("..data/shoots.yaml", dir.path().join("shoots.yaml")).unwrap();
    let start = SystemTime::now() + Duration::from_hours(1);
    let (watched, garden) =
        GardenDirectory::open(dir.path().to_owned(), false, DELAY, start).unwrap();
    let garden = garden.snapshot;
    let mut server = Server { dir, start, watched, garden, error: None };
    symlink("..2", server.path("..tmp")).unwrap();
    fs::rename(server.path("..tmp"), server.path("..data")).unwrap();
    server.look(1);
    assert_eq!(server.versions(), "1.33.1 1.34.2");
    fs::remove_file(server.path("shoots.yaml")).unwrap();
    server.look(2);
    server.look(30);
    assert_eq!(server.versions(), "1.33.1 1.34.2");
    server.look(31);
    assert_eq!(server.versions(), "");
}

#[test]
fn an_empty_file_at_the_start_is_unknown_while_it_is_new() {
    let open = |dir: &Path, now| GardenDirectory::open(dir.to_owned(), false, DELAY, now).unwrap();
    let dir = whole_with(&[("shoots.yaml", "")]);
    let now = SystemTime::now();
    let (mut watched, garden) = open(dir.path(), now);
    assert_eq!(versions(&garden.snapshot), "unknown");
    assert_eq!(garden.problems.len(), 1);
    let mut look = |second| watched.look(now + Duration::from_secs(second));
    assert!(look(29).is_none());
    let garden = look(30).unwrap().unwrap();
    assert_eq!((versions(&garden.snapshot).as_str(), garden.problems.len()), ("", 0));
    let (_, garden) = open(dir.path(), now + Duration::from_hours(1));
    assert_eq!(versions(&garden.snapshot), "");
    let (mut watched, _) = open(dir.path(), now);
    fs::write(dir.path().join("shoots.yaml"), two()).unwrap();
    let garden = watched.look(now + Duration::from_secs(1)).unwrap().unwrap();
    assert_eq!(versions(&garden.snapshot), "1.33.1 1.34.2");
}

/// Incomplete dumps without a whole Shoot.
#[rstest]
#[case("apiVersion: v1\n")]
#[case("apiVersion: v1\nitems:\n")]
#[case("apiVersion: v1\nitems:\n- apiVe")]
#[case("apiVersion: v1\nitems:\n- apiVersion: core.gardener.cloud/v1beta1\n  ki")]
#[case("apiVersion: v1\nitems:\n- apiVersion: core.gardener.cloud/v1beta1\n")]
#[case("apiVersion: v1\nitems:\n- apiVersion: core.gardener.cloud/v1beta1\n  kind: Shoot\n")]
fn the_beginning_of_a_dump_at_the_start_is_unknown(#[case] text: &str) {
    let dir = whole_with(&[("shoots.yaml", text)]);
    let garden: LoadedGarden = load(dir.path()).unwrap();
    assert_eq!(versions(&garden.snapshot), "unknown");
}
