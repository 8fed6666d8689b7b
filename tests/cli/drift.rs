// SPDX-License-Identifier: Apache-2.0
//! `garden-gate review` of applied manifests: differences from the garden, and `--fix`, which writes versions back.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use crate::folder;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::command::{garden_gate, printed};
use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;

const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Returns the manifest of the example Shoot `web`: with 1.34.7 and gardenlinux 1877.5.0.
fn manifest() -> String {
    let shoots = fs::read_to_string("examples/garden/shoots.yaml").unwrap();
    shoots.split("---\n").next().unwrap().to_owned()
}

/// Returns the manifest before maintenance.
fn behind() -> String {
    let now = manifest().replace("1.34.7", "1.34.6");
    now.replace("version: 1877.5.0", "version: \"1877.3.0\" # pinned")
}

fn value(text: &str) -> Value {
    garden_gate_text::yaml::parse(text).unwrap()[0].to_value()
}

/// Returns the stored object after `applied` was applied and `change` was made.
fn stored(applied: &str, change: impl FnOnce(&mut Value)) -> Value {
    let applied = value(applied);
    let mut stored = applied.clone();
    stored["metadata"]["annotations"] = json!({LAST_APPLIED: applied.to_string()});
    change(&mut stored);
    stored
}

/// Returns the stored Shoot after maintenance of the Shoot in [`behind`].
fn maintained() -> Value {
    stored(&behind(), |shoot| {
        shoot["spec"]["kubernetes"]["version"] = "1.34.7".into();
        pool(shoot)["machine"]["image"]["version"] = "1877.5.0".into();
    })
}

fn pool(shoot: &mut Value) -> &mut Value {
    &mut shoot["spec"]["provider"]["workers"][0]
}

/// A garden with `stored`, and a folder of files.
struct World(TempDir);

struct Printed {
    code: Option<i32>,
    out: String,
    err: String,
}

impl World {
    fn new(stored: &[Value], files: &[(&str, &str)]) -> Self {
        let world = Self(folder::folder(files));
        for file in ["cloudprofile.yaml", "projects.yaml", "seeds.yaml", "namespaces.yaml"] {
            let text = fs::read_to_string(Path::new("examples/garden").join(file)).unwrap();
            folder::write(world.0.path(), &format!("dump/{file}"), &text);
        }
        let shoots: String = stored.iter().map(|it| format!("{it}\n")).collect();
        folder::write(world.0.path(), "dump/shoots.json", &shoots);
        world
    }

    fn run(&self, arguments: &[&str], input: &str) -> Printed {
        let mut command = garden_gate(&["review", "--garden", "dump"]);
        command.args(arguments).current_dir(self.0.path());
        command.stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).unwrap();
        drop(stdin);
        let (code, out, err) = printed(child.wait_with_output().unwrap());
        Printed { code, out, err }
    }

    fn reviews(&self, arguments: &[&str]) -> Vec<Value> {
        let printed = self.run(&[arguments, &["--format", "json"]].concat(), "");
        let json: Value = serde_json::from_str(&printed.out)
            .unwrap_or_else(|_| unreachable!("{}{}", printed.out, printed.err));
        json["reviews"].as_array().unwrap().clone()
    }

    /// Returns `field: file, stored, changed` for each field with drift.
    fn drift(&self, arguments: &[&str]) -> Vec<String> {
        let reviews = self.reviews(arguments);
        let drift = reviews.iter().filter_map(|it| it["drift"].as_array());
        let line = |it: &Value| {
            let field = it["field"].as_str().unwrap();
            format!("{field}: {}, {}, {}", it["file"], it["stored"], it["changed"]).replace('"', "")
        };
        drift.flatten().map(line).collect()
    }

    fn text(&self, file: &str) -> String {
        fs::read_to_string(self.0.path().join(file)).unwrap()
    }

    fn git(&self, arguments: &[&str]) {
        let identity = ["-c", "user.name=n", "-c", "user.email=e@example.com"];
        let mut command = Command::new("git");
        command.args(identity).args(arguments);
        command.env("GIT_CONFIG_GLOBAL", "/dev/null");
        let output = command.current_dir(self.0.path()).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }
}

const NOTHING: [String; 0] = [];

#[rstest]
#[case("text")]
#[case("json")]
#[case("markdown")]
#[case("github")]
fn versions_moved_by_maintenance_are_reported(#[case] format: &str) {
    let world = World::new(&[maintained()], &[("shoots/web.yaml", &behind())]);
    let printed = world.run(&["shoots", "--format", format], "");
    assert_eq!((printed.code, printed.err.as_str()), (Some(1), ""));
    insta::assert_snapshot!(format!("moved_{format}"), printed.out);
}

/// Returns the lines of a section in text output.
fn part(text: &str, begin: &str) -> String {
    let mut lines = text.split_inclusive('\n');
    let first = lines.by_ref().find(|it| it.starts_with(begin)).unwrap();
    let rest = lines.take_while(|it| it.starts_with("  ") || it.starts_with(begin));
    rest.fold(first.to_owned(), |text, line| text + line)
}

#[test]
fn the_page_shows_what_is_printed() {
    let page = fs::read_to_string("docs/how-to/update-manifests.md").unwrap();
    let world = World::new(&[maintained()], &[("shoots/web.yaml", &behind())]);
    let told = part(&world.run(&["shoots"], "").out, "drift: ");
    let fixed = part(&world.run(&["--fix", "shoots"], "").err, "fixed: ");
    for shown in [told, fixed] {
        assert!(page.contains(&format!("```text\n{shown}```\n")), "{shown}");
    }
}

#[test]
fn applying_it_changes_back_what_is_not_refused() {
    let stored = stored(&manifest(), |shoot| {
        pool(shoot)["maximum"] = 9.into();
        shoot["metadata"]["labels"] = json!({"cost-centre": "b"});
        shoot["spec"]["hibernation"] = json!({"enabled": true});
    });
    let file = manifest()
        .replace("  name: web", "  name: web\n  labels: {cost-centre: a}")
        .replace("spec:\n", "spec:\n  hibernation: {enabled: false}\n");
    let world = World::new(&[stored], &[("web.yaml", &file)]);
    let expected = [
        "metadata.labels.cost-centre: a, b, both",
        "spec.hibernation.enabled: false, true, both",
        "spec.provider.workers[pool-a].maximum: 3, 9, garden",
    ];
    assert_eq!(world.drift(&["web.yaml"]), expected);
    let text = world.run(&["web.yaml"], "").out;
    assert!(text.contains("\n  applying this writes what stands here\n"), "{text}");
}

#[rstest]
#[case::it_is_the_same("1.34.7", "1.34.7", "1877.5.0")]
#[case::versions_are_in_part("1.34.7", "'1.34'", "1877.5")]
#[case::the_author_updates("1.34.6", "1.34.7", "1877.5.0")]
fn there_is_nothing_to_say_if(#[case] kubernetes: &str, #[case] here: &str, #[case] image: &str) {
    let applied = manifest().replace("1.34.7", kubernetes);
    let file = manifest()
        .replace("1.34.7", here)
        .replace("version: 1877.5.0", &format!("version: {image}"))
        .replace("size: 50Gi", "size: 51200Mi");
    let world = World::new(&[stored(&applied, |_| {})], &[("web.yaml", &file)]);
    assert_eq!(world.drift(&["web.yaml"]), NOTHING);
    let text = world.run(&["web.yaml"], "").out;
    assert!(!text.contains("drift:"), "{text}");
}

#[test]
fn labels_are_reported_separately_and_unstored_fields_are_not() {
    let file = manifest().replace("  name: web\n", "  name: web\n  labels: {a.b/c: d}\n");
    let dropped = "spec:\n  addons: {kubernetesDashboard: {enabled: false}}\n";
    let file = file.replace("spec:\n", dropped);
    let world = World::new(&[value(&manifest())], &[("web.yaml", &file)]);
    let expected = ["metadata.labels[a.b/c]: d, null, unknown"];
    assert_eq!(world.drift(&["web.yaml"]), expected);
}

#[test]
fn a_version_in_part_that_the_garden_has_left_becomes_a_whole_one() {
    let file = behind().replace("version: 1.34.6", "version: '1.33'");
    let world = World::new(&[maintained()], &[("web.yaml", &file)]);
    world.run(&["--fix", "web.yaml"], "");
    let expected = file.replace("'1.33'", "'1.34.7'");
    assert_eq!(world.text("web.yaml"), expected.replace("1877.3.0", "1877.5.0"));
}

#[test]
fn without_last_applied_only_the_difference_is_reported() {
    let mut stored = maintained();
    stored["metadata"]["annotations"] = Value::Null;
    let world = World::new(&[stored], &[("web.yaml", &manifest().replace("1.34.7", "1.35.2"))]);
    let expected = ["spec.kubernetes.version: 1.35.2, 1.34.7, unknown"];
    assert_eq!(world.drift(&["web.yaml"]), expected);
}

#[test]
fn pools_are_found_by_their_names() {
    let two = |first: &str, second: &str| {
        let mut shoot = maintained();
        let mut other = pool(&mut shoot).clone();
        other["name"] = second.into();
        other["maximum"] = 7.into();
        pool(&mut shoot)["name"] = first.into();
        let pools = shoot["spec"]["provider"]["workers"].as_array_mut().unwrap();
        pools.push(other);
        pools.reverse();
        shoot["metadata"]["annotations"] = Value::Null;
        shoot
    };
    let (mut here, there) = (two("a", "b"), two("a", "c"));
    let pools = here["spec"]["provider"]["workers"].as_array_mut().unwrap();
    pools.reverse();
    pools[0]["minimum"] = 0.into();
    let world = World::new(&[there], &[("web.json", &here.to_string())]);
    let reviews = world.reviews(&["web.json"]);
    let found: Vec<String> = reviews[0]["drift"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| format!("{} {}", it["field"], it["pointer"]).replace('"', ""))
        .collect();
    let list = "/spec/provider/workers";
    let expected = [
        format!("spec.provider.workers[a].minimum {list}/0/minimum"),
        format!("spec.provider.workers[b] {list}/1"),
        format!("spec.provider.workers[c] {list}"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn pull_request_reports_drift_but_not_its_changes() {
    let mut stored = maintained();
    stored["metadata"]["annotations"] = Value::Null;
    let world = World::new(&[stored], &[("shoots/web.yaml", &behind())]);
    world.git(&["init", "-q"]);
    world.git(&["add", "shoots"]);
    world.git(&["commit", "-qm", "m"]);
    let change = behind().replace("maximum: 3", "maximum: 4");
    folder::write(world.0.path(), "shoots/web.yaml", &change);
    let expected = [
        "spec.kubernetes.version: 1.34.6, 1.34.7, garden",
        "spec.provider.workers[pool-a].machine.image.version: 1877.3.0, 1877.5.0, garden",
    ];
    let arguments = ["--git", "HEAD..", "shoots"];
    assert_eq!(world.drift(&arguments), expected);
    let text = world.run(&arguments, "").out;
    let told = "UPDATE of Shoot garden-dev/web (from HEAD as stored in dump): denied";
    assert!(text.contains(told), "{text}");
}

/// Returns the lines that differ, as `-old` and `+new`.
fn differences(before: &str, after: &str) -> Vec<String> {
    let (before, after): (Vec<_>, Vec<_>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    assert_eq!(before.len(), after.len());
    let pairs = before.iter().zip(&after).filter(|(one, other)| one != other);
    pairs.flat_map(|(one, other)| [format!("-{one}"), format!("+{other}")]).collect()
}

#[test]
fn fixing_changes_nothing_but_versions_and_then_nothing_drifts() {
    let before = format!("# Ours.\n{}---\n# Nothing of Gardener's.\nkind: ConfigMap\n", behind());
    let other = manifest().replace("name: web", "name: other");
    let world = World::new(
        &[maintained(), stored(&other, |_| {})],
        &[("shoots/web.yaml", &before), ("shoots/other.yaml", &other)],
    );
    let path = world.0.path().join("shoots/web.yaml");
    fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
    let untouched = fs::metadata(world.0.path().join("shoots/other.yaml")).unwrap();

    let printed = world.run(&["--fix", "shoots"], "");
    assert_eq!((printed.code, printed.out.as_str()), (Some(0), ""));
    for line in [
        "\nfixed: shoots/web.yaml:16: 1.34.6 → 1.34.7\n",
        "\nfixed: shoots/web.yaml:35: 1877.3.0 → 1877.5.0\n",
        "\n0 denied, 0 undetermined, 2 allowed; 0 warnings in 2 objects of 2 files\n",
    ] {
        assert!(printed.err.contains(line), "{}", printed.err);
    }
    let expected = [
        "-    version: 1.34.6\n",
        "+    version: 1.34.7\n",
        "-          version: \"1877.3.0\" # pinned\n",
        "+          version: \"1877.5.0\" # pinned\n",
    ];
    assert_eq!(differences(&before, &world.text("shoots/web.yaml")), expected);
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o640);
    let after = fs::metadata(world.0.path().join("shoots/other.yaml")).unwrap();
    assert_eq!((untouched.ino(), untouched.mtime_nsec()), (after.ino(), after.mtime_nsec()));
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 2);

    assert_eq!(world.drift(&["shoots"]), NOTHING);
    let again = world.run(&["--fix", "shoots"], "").err;
    assert!(!again.contains("fixed"), "{again}");
}

#[test]
fn json_and_windows_lines_stay_as_they_are() {
    let json = serde_json::to_string_pretty(&value(&behind())).unwrap();
    let windows = behind().replace('\n', "\r\n");
    for text in [json, windows] {
        let world = World::new(&[maintained()], &[("web.json", &text)]);
        assert_eq!(world.run(&["--fix", "web.json"], "").code, Some(0));
        let expected = text.replace("1.34.6", "1.34.7");
        assert_eq!(world.text("web.json"), expected.replace("1877.3.0", "1877.5.0"));
    }
}

#[test]
fn manual_update_is_not_reverted() {
    let file = behind().replace("1.34.6", "1.35.2");
    let mut stored = maintained();
    for annotations in [stored["metadata"]["annotations"].clone(), Value::Null] {
        stored["metadata"]["annotations"] = annotations;
        let world = World::new(&[stored.clone()], &[("web.yaml", &file)]);
        world.run(&["--fix", "web.yaml"], "");
        assert_eq!(world.text("web.yaml"), file.replace("1877.3.0", "1877.5.0"));
    }
}

#[test]
fn the_version_of_another_image_is_left_alone() {
    let file = behind().replace("name: gardenlinux", "name: suse-chost");
    let mut stored = maintained();
    stored["metadata"]["annotations"] = Value::Null;
    let world = World::new(&[stored], &[("web.yaml", &file)]);
    world.run(&["--fix", "web.yaml"], "");
    assert_eq!(world.text("web.yaml"), file.replace("1.34.6", "1.34.7"));
}

#[test]
fn what_cannot_be_fixed_safely_is_named_and_left() {
    let shared = behind()
        .replace("version: 1.34.6", "version: *v")
        .replace("spec:\n", "spec:\n  x-version: &v 1.34.6\n");
    let escaped = behind().replace("version: 1.34.6", "version: \"1.34.\\x36\"");
    for (text, why) in [
        (shared, "it stands in several places, by an anchor or a merge; change it by hand"),
        (escaped, "it is not written letter by letter; change it by hand"),
    ] {
        let world = World::new(&[maintained()], &[("web.yaml", &text)]);
        let printed = world.run(&["--fix", "web.yaml"], "");
        let line = format!(": 1.34.6 → 1.34.7: {why}\n");
        assert!(printed.err.contains(&line), "{}", printed.err);
        assert_eq!(printed.code, Some(1), "{}", printed.err);
        assert_eq!(world.text("web.yaml"), text.replace("1877.3.0", "1877.5.0"));
    }
}

#[test]
fn standard_input_goes_to_standard_output() {
    let world = World::new(&[maintained()], &[]);
    let printed = world.run(&["--fix", "-"], &behind());
    let expected = behind().replace("1.34.6", "1.34.7").replace("1877.3.0", "1877.5.0");
    assert_eq!((printed.code, printed.out.as_str()), (Some(0), expected.as_str()));
    assert!(printed.err.contains("fixed: -:15: 1.34.6 → 1.34.7\n"), "{}", printed.err);
    let again = world.run(&["--fix", "-"], &expected);
    assert_eq!((again.code, again.out), (Some(0), expected));
    let json = world.run(&["--fix", "--format", "json", "-"], &behind()).out;
    let json: Value = serde_json::from_str(&json).unwrap();
    let edit = json!({"pointer": "/spec/kubernetes/version", "from": "1.34.6", "to": "1.34.7", "line": 15});
    assert_eq!(json["reviews"][0]["edits"][0], edit);
}

#[test]
fn a_link_stays_a_link_and_what_is_read_only_stays_what_it_is() {
    let world = World::new(&[maintained()], &[("elsewhere/web.yaml", &behind())]);
    let path = world.0.path();
    symlink("elsewhere/web.yaml", path.join("web.yaml")).unwrap();
    let file = path.join("elsewhere/web.yaml");
    fs::set_permissions(&file, PermissionsExt::from_mode(0o444)).unwrap();
    let printed = world.run(&["--fix", "web.yaml"], "");
    assert_eq!(printed.code, Some(2));
    assert!(printed.err.contains("cannot write `web.yaml`: it is read-only"), "{}", printed.err);
    assert_eq!(world.text("web.yaml"), behind());
    fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).unwrap();
    let under_two_names = world.run(&["--fix", "elsewhere", "web.yaml"], "");
    assert_eq!(under_two_names.code, Some(0), "{}", under_two_names.err);
    assert!(path.join("web.yaml").is_symlink());
    assert!(world.text("elsewhere/web.yaml").contains("1.34.7"));
}

#[test]
fn fix_leaves_files_outside_of_the_paths_and_hard_links() {
    let world =
        World::new(&[maintained()], &[("elsewhere/web.yaml", &behind()), ("in/keep.txt", "")]);
    let path = world.0.path();
    symlink("../elsewhere/web.yaml", path.join("in/web.yaml")).unwrap();
    // Another link would not be read.
    fs::create_dir(path.join(".git")).unwrap();
    let printed = world.run(&["--fix", "in"], "");
    let why = "a symbolic link leads to `";
    assert!(printed.err.contains(why), "{}", printed.err);
    assert_eq!(world.text("elsewhere/web.yaml"), behind());
    fs::remove_file(path.join("in/web.yaml")).unwrap();
    fs::hard_link(path.join("elsewhere/web.yaml"), path.join("in/web.yaml")).unwrap();
    let printed = world.run(&["--fix", "in"], "");
    let why = "the file has other hard links, which would keep the old version; change it by hand";
    assert!(printed.err.contains(why), "{}", printed.err);
    assert_eq!(world.text("in/web.yaml"), behind());
}

#[test]
fn many_shoots_in_one_file_are_fixed_one_by_one() {
    let named = |name: &str| behind().replace("name: web", &format!("name: {name}"));
    let mut other = maintained();
    other["metadata"]["name"] = "other".into();
    other["spec"]["kubernetes"]["version"] = "1.34.6".into();
    let text = format!("{}---\n{}---\n{}", named("new"), named("other"), named("web"));
    let world = World::new(&[maintained(), other], &[("all.yaml", &text)]);
    world.run(&["--fix", "all.yaml"], "");
    let changed = differences(&text, &world.text("all.yaml"));
    let [kubernetes, image] =
        ["    version: 1.34.7\n", "          version: \"1877.5.0\" # pinned\n"];
    let written: Vec<&String> = changed.iter().filter(|it| it.starts_with('+')).collect();
    assert_eq!(written, [&format!("+{image}"), &format!("+{kubernetes}"), &format!("+{image}")]);

    let list = json!({"apiVersion": "v1", "kind": "List", "items": [value(&named("new")), value(&named("web"))]});
    folder::write(world.0.path(), "list.json", &list.to_string());
    world.run(&["--fix", "list.json"], "");
    let fixed: Value = serde_json::from_str(&world.text("list.json")).unwrap();
    let versions = [0, 1].map(|at| fixed["items"][at]["spec"]["kubernetes"]["version"].clone());
    assert_eq!(versions, ["1.34.6", "1.34.7"]);
}
