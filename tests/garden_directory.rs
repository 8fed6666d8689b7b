//! What a directory of manifests becomes, and what is said about one that is wrong.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

#[path = "support/folder.rs"]
mod folder;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use folder::folder as directory;
use garden_gate::garden::directory::{DirectoryError, LoadedGarden, fingerprint, load};
use garden_gate::garden::{AccessAnswer, AccessQuestion, Lookup};
use garden_gate::model::{ExposureClass, Kind, Toleration, UserInfo};
use tempfile::TempDir;

const PROJECT: &str = "apiVersion: core.gardener.cloud/v1beta1
kind: Project
metadata: {name: dev}
spec: {namespace: garden-dev}
";

/// The problems of a directory, with paths as seen from it.
fn problems(dir: &Path) -> Vec<String> {
    match load(dir) {
        Err(DirectoryError::Problems { problems, .. }) => {
            let prefix = format!("{}/", dir.display());
            problems
                .iter()
                .map(|problem| problem.to_string().replace(&prefix, ""))
                .collect()
        }
        other => unreachable!("{other:?}"),
    }
}

fn counts(garden: &LoadedGarden) -> BTreeMap<Kind, usize> {
    let mut counts = garden.snapshot.counts();
    counts.retain(|_, count| *count > 0);
    counts
}

fn object(api_version: &str, kind: &str, name: &str) -> String {
    format!(
        "apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: {name}, namespace: garden-dev}}\n"
    )
}

#[test]
fn only_labelled_config_maps_and_secrets_of_the_garden_namespace_are_kept() {
    let object = |kind: &str, name: &str, namespace: &str, label: &str, annotations: &str| {
        format!(
            "apiVersion: v1\nkind: {kind}\nmetadata:\n  name: {name}\n  namespace: {namespace}\n  labels: {{{label}}}\n  annotations: {{{annotations}}}\n"
        )
    };
    let region = "scheduling.gardener.cloud/purpose: region-config";
    let domain = "gardener.cloud/role: default-domain";
    let of = |domain: &str| {
        format!("dns.gardener.cloud/domain: {domain}, dns.gardener.cloud/provider: p")
    };
    let many = [
        object("ConfigMap", "regions", "garden", region, ""),
        object("ConfigMap", "regions", "other", region, ""),
        object("ConfigMap", "plain", "garden", "", ""),
        object("Secret", "a", "garden", domain, &of("a.io")),
        object("Secret", "b", "other", domain, &of("b.io")),
        object("Secret", "c", "garden", "", &of("c.io")),
    ];
    let dir = directory(&[("many.yaml", &many.join("---\n"))]);
    let snapshot = load(dir.path()).unwrap().snapshot;
    let Lookup::Found(configs) = snapshot.region_configs() else {
        unreachable!("the directory is the whole garden")
    };
    let names: Vec<&str> = configs.iter().map(|it| it.metadata.name.as_str()).collect();
    assert_eq!(names, ["regions"]);
    assert_eq!(
        snapshot.default_domains(),
        Lookup::Found(vec!["a.io".to_owned()])
    );
    let nameless = object(
        "Secret",
        "d",
        "garden",
        domain,
        "dns.gardener.cloud/provider: p",
    );
    let dir = directory(&[("nameless.yaml", &nameless)]);
    let why = "Secret `d` has the label of a default domain, but not the annotation `dns.gardener.cloud/domain`";
    assert_eq!(
        load(dir.path()).unwrap().snapshot.default_domains(),
        Lookup::Unknown(why.to_owned())
    );
}

#[test]
fn every_manifest_of_every_depth_is_read() {
    let core = "core.gardener.cloud/v1beta1";
    let many = [
        object(core, "CloudProfile", "stratus"),
        object(core, "NamespacedCloudProfile", "own"),
        object(core, "Seed", "eu"),
        object("v1", "Namespace", "garden-dev"),
        object("v1", "Secret", "a"),
        object("apps/v1", "Deployment", "b"),
        object("v1", "Secret", "c"),
        object("other.example.com/v1", "Shoot", "d"),
    ];
    let list = format!(
        "apiVersion: v1\nkind: List\nitems:\n- {}- {{apiVersion: v1, kind: Secret, metadata: {{name: e}}}}\n",
        object(core, "Shoot", "web")
            .replace('\n', "\n  ")
            .trim_end_matches(' ')
    );
    let dir = directory(&[
        ("many.yaml", &many.join("---\n")),
        ("deep/er/list.yml", &list),
        (
            "exposure.json",
            r#"{"apiVersion": "core.gardener.cloud/v1beta1", "kind": "ExposureClass", "metadata": {"name": "x"}, "handler": "h"}"#,
        ),
        ("project.yaml", PROJECT),
        (
            "shoots.json",
            r#"{"apiVersion": "core.gardener.cloud/v1beta1", "kind": "ShootList", "items": [{"metadata": {"name": "api", "namespace": "garden-dev"}}]}"#,
        ),
        ("empty.yaml", "# nothing yet\n---\n"),
        ("README.md", "not: [a manifest"),
        ("yaml", "not: [a manifest"),
    ]);
    let garden = load(dir.path()).unwrap();
    let expected = [
        (Kind::CloudProfile, 1),
        (Kind::ExposureClass, 1),
        (Kind::Namespace, 1),
        (Kind::NamespacedCloudProfile, 1),
        (Kind::Project, 1),
        (Kind::Seed, 1),
        (Kind::Shoot, 2),
    ];
    assert_eq!(counts(&garden), BTreeMap::from(expected));
    let skipped = [("Deployment", 1), ("Secret", 3), ("Shoot", 1)]
        .map(|(kind, count)| (kind.to_owned(), count));
    assert_eq!(garden.skipped, BTreeMap::from(skipped));
    assert_eq!(garden.files, 6);
}

#[test]
fn projects_are_defaulted() {
    let garden = "apiVersion: core.gardener.cloud/v1beta1
kind: Project
metadata: {name: garden}
spec: {namespace: garden}
";
    let dir = directory(&[("project.yaml", garden)]);
    let Lookup::Found(project) = load(dir.path())
        .unwrap()
        .snapshot
        .project_of_namespace("garden")
    else {
        unreachable!("the project is there");
    };
    let protected = [Toleration::bare("seed.gardener.cloud/protected")];
    assert_eq!(
        project.spec.tolerations.clone().unwrap().whitelist,
        protected
    );
}

#[test]
fn what_is_not_in_the_directory_does_not_exist() {
    let dir = directory(&[("project.yaml", PROJECT)]);
    let snapshot = load(dir.path()).unwrap().snapshot;
    assert_eq!(snapshot.project_of_namespace("garden-prod"), Lookup::Absent);
    assert_eq!(snapshot.get::<ExposureClass>("x"), Lookup::Absent);
}

#[test]
fn rbac_manifests_answer_custom_verb_questions() {
    let rbac = "apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: operator}
rules: [{apiGroups: [core.gardener.cloud], resources: [projects], verbs: [manage-members]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: operators}
subjects: [{kind: Group, name: operators, apiGroup: rbac.authorization.k8s.io}]
roleRef: {kind: ClusterRole, name: operator, apiGroup: rbac.authorization.k8s.io}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: profiles, namespace: garden-dev}
rules: [{apiGroups: ['*'], resources: [namespacedcloudprofiles], verbs: ['*']}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: profiles, namespace: garden-dev}
subjects: [{kind: User, name: alice}]
roleRef: {kind: Role, name: profiles}
";
    let dir = directory(&[("rbac.yaml", rbac)]);
    let snapshot = load(dir.path()).unwrap().snapshot;
    let user = |name: &str, group: &str| UserInfo {
        username: name.to_owned(),
        groups: vec![group.to_owned()],
        ..UserInfo::default()
    };
    let question = |resource, namespace: &str| AccessQuestion {
        verb: "manage-members",
        group: "core.gardener.cloud",
        resource,
        subresource: "",
        namespace: namespace.to_owned(),
        name: "dev".to_owned(),
    };
    let cases = [
        (
            user("bob", "operators"),
            question("projects", ""),
            AccessAnswer::Allowed,
        ),
        (
            user("alice", "devs"),
            question("projects", ""),
            AccessAnswer::Denied,
        ),
        (
            user("alice", "devs"),
            question("namespacedcloudprofiles", "garden-dev"),
            AccessAnswer::Allowed,
        ),
        (
            user("alice", "devs"),
            question("namespacedcloudprofiles", "garden-prod"),
            AccessAnswer::Denied,
        ),
    ];
    for (user, question, expected) in cases {
        assert_eq!(
            snapshot.access(&user, &question),
            Some(expected),
            "{user:?} {question:?}"
        );
    }
}

#[test]
fn every_problem_is_told_with_its_place() {
    let wrong_shapes = "apiVersion: core.gardener.cloud/v1beta1
kind: Project
metadata:
  name: first
spec:
  tolerations:
    whitelist:
    - key: a
      value: 5
---
apiVersion: core.gardener.cloud/v1beta1
kind: Shoot
metadata: {name: web, namespace: garden-dev}
spec:
  tolerations: none
";
    let headers = "kind: Project
metadata: {name: a}
---
apiVersion: v1
metadata: {name: b}
---
apiVersion: core.gardener.cloud/v1beta1
kind: Project
---
apiVersion: core.gardener.cloud/v1beta1
kind: Shoot
metadata: {name: c}
---
apiVersion: core.gardener.cloud/v1alpha1
kind: Seed
metadata: {name: d}
---
apiVersion: v1
kind: Namespace
metadata:
  name: 12
---
- just
- a list
---
apiVersion: v1
kind: List
items: 3
";
    let dir = directory(&[
        ("broken.yaml", "kind: Project\n  name: a\n"),
        (
            "broken.json",
            "{\"kind\": \"Project\",\n \"metadata\": {\"name\" \"a\"}}",
        ),
        ("headers.yaml", headers),
        (
            "in/list.yaml",
            &format!(
                "kind: List\napiVersion: v1\nitems:\n- {}  spec: 3\n",
                PROJECT
                    .replace("spec: {namespace: garden-dev}\n", "")
                    .replace('\n', "\n  ")
                    .trim_end_matches(' ')
            ),
        ),
        ("shapes.yaml", wrong_shapes),
        ("twice.yaml", "a: 1\na: 2\n"),
    ]);
    fs::write(dir.path().join("latin1.yaml"), b"# caf\xe9\n").unwrap();
    let expected = [
        "broken.json:2:22: expected `:` after the key",
        "broken.yaml:2:7: mapping values are not allowed in this context",
        "headers.yaml:1:1: `apiVersion` is missing",
        "headers.yaml:4:1: `kind` is missing",
        "headers.yaml:7:1: `metadata.name` is missing",
        "headers.yaml:12:1: `metadata.namespace` is missing",
        "headers.yaml:14:13: `core.gardener.cloud/v1alpha1` of Seed is not known; write it as `core.gardener.cloud/v1beta1`",
        "headers.yaml:21:9: `metadata.name` is not a text; put it in quotes",
        "headers.yaml:23:1: this is no object; every document needs `apiVersion`, `kind` and `metadata`",
        "headers.yaml:28:8: `items` is not a list",
        "in/list.yaml:7:9: `spec`: invalid type: integer `3`, expected a mapping",
        "latin1.yaml:1:6: not UTF-8 text; save the file as UTF-8",
        "shapes.yaml:9:14: `spec.tolerations.whitelist[0].value`: invalid type: integer `5`, expected a string; put it in quotes",
        "shapes.yaml:15:16: `spec.tolerations`: invalid type: string \"none\", expected a list",
        "twice.yaml:2:1: key `a` is set twice, first at 1:1; keep one",
    ];
    assert_eq!(problems(dir.path()), expected);
}

#[test]
fn an_object_that_is_there_twice_is_told_with_both_places() {
    let dir = directory(&[
        ("a.yaml", PROJECT),
        ("b.yaml", &format!("# again\n---\n{PROJECT}")),
        (
            "c.yaml",
            &object("core.gardener.cloud/v1beta1", "Shoot", "web"),
        ),
        (
            "d.json",
            r#"{"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot", "metadata": {"name": "web", "namespace": "other"}}"#,
        ),
        (
            "e.json",
            r#"{"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot", "metadata": {"name": "web", "namespace": "other"}}"#,
        ),
    ]);
    let expected = [
        format!(
            "b.yaml:5:18: Project `dev` is there twice, first at {}/a.yaml:3:18; remove one",
            dir.path().display()
        ),
        format!(
            "e.json:1:85: Shoot `other/web` is there twice, first at {}/d.json:1:85; remove one",
            dir.path().display()
        ),
    ];
    let expected = expected.map(|line| line.replace(&format!("{}/", dir.path().display()), ""));
    assert_eq!(problems(dir.path()), expected);
}

#[test]
fn a_directory_that_is_none_gets_one_line_that_says_what_to_do() {
    let dir = directory(&[("project.yaml", PROJECT)]);
    let cases = [
        (
            dir.path().join("nowhere"),
            "the garden directory `D/nowhere` does not exist; --garden takes a directory of manifests",
        ),
        (
            dir.path().join("project.yaml"),
            "`D/project.yaml` is not a directory; --garden takes a directory of manifests, not a single file",
        ),
    ];
    for (path, expected) in cases {
        let found = load(&path).unwrap_err().to_string();
        assert_eq!(
            found.replace(&dir.path().display().to_string(), "D"),
            expected
        );
    }
}

#[test]
fn the_error_lists_its_problems() {
    let dir = directory(&[("a.yaml", "a: [")]);
    let told = |dir: &TempDir| {
        load(dir.path())
            .unwrap_err()
            .to_string()
            .replace(&dir.path().display().to_string(), "D")
    };
    assert!(
        told(&dir).starts_with("the garden directory `D` has a problem: D/a.yaml:2:1: "),
        "{}",
        told(&dir)
    );
    fs::write(dir.path().join("b.yaml"), "{}\n---\n".repeat(60)).unwrap();
    let told = told(&dir);
    assert!(
        told.starts_with("the garden directory `D` has 61 problems:\n  D/a.yaml:2:1: "),
        "{told}"
    );
    assert!(told.ends_with("\n  and 11 more"), "{told}");
}

#[test]
fn a_file_that_is_too_large_is_told_without_reading_it_all() {
    let dir = TempDir::new().unwrap();
    fs::File::create(dir.path().join("huge.yaml"))
        .unwrap()
        .set_len(1 << 40)
        .unwrap();
    assert_eq!(
        problems(dir.path()),
        ["huge.yaml: larger than 64 MiB; split it"]
    );
}

#[cfg(unix)]
mod links {
    use garden_gate::model::Kind;
    use std::os::unix::fs::symlink;

    use super::{PROJECT, TempDir, counts, directory, fingerprint, fs, load, object, problems};

    /// As kubelet lays out a ConfigMap: files link into `..data`, which links to the current version.
    fn config_map() -> TempDir {
        let dir = directory(&[("..2026_01_01/project.yaml", PROJECT)]);
        symlink("..2026_01_01", dir.path().join("..data")).unwrap();
        symlink("..data/project.yaml", dir.path().join("project.yaml")).unwrap();
        dir
    }

    #[test]
    fn a_mounted_config_map_is_read_once() {
        let dir = config_map();
        let garden = load(dir.path()).unwrap();
        assert_eq!((counts(&garden)[&Kind::Project], garden.files), (1, 1));
    }

    #[test]
    fn a_new_version_of_a_config_map_has_another_fingerprint() {
        let dir = config_map();
        let before = fingerprint(dir.path());
        assert_eq!(before, fingerprint(dir.path()));
        fs::create_dir(dir.path().join("..2026_01_02")).unwrap();
        fs::write(dir.path().join("..2026_01_02/project.yaml"), PROJECT).unwrap();
        assert_eq!(before, fingerprint(dir.path()));
        symlink("..2026_01_02", dir.path().join("..tmp")).unwrap();
        fs::rename(dir.path().join("..tmp"), dir.path().join("..data")).unwrap();
        assert_ne!(before, fingerprint(dir.path()));
    }

    #[test]
    fn new_changed_and_removed_files_have_another_fingerprint() {
        let dir = directory(&[("a.yaml", PROJECT), ("notes.txt", "")]);
        let first = fingerprint(dir.path());
        fs::write(dir.path().join("notes.txt"), "more").unwrap();
        assert_eq!(fingerprint(dir.path()), first);
        fs::write(dir.path().join("b.yaml"), "").unwrap();
        let second = fingerprint(dir.path());
        assert_ne!(second, first);
        fs::write(dir.path().join("b.yaml"), "# more").unwrap();
        assert_ne!(fingerprint(dir.path()), second);
        fs::remove_file(dir.path().join("b.yaml")).unwrap();
        assert_eq!(fingerprint(dir.path()), first);
    }

    #[test]
    fn linked_directories_are_followed() {
        let elsewhere = directory(&[(
            "web.yaml",
            &object("core.gardener.cloud/v1beta1", "Shoot", "web"),
        )]);
        let dir = directory(&[("project.yaml", PROJECT)]);
        symlink(elsewhere.path(), dir.path().join("shoots")).unwrap();
        assert_eq!(counts(&load(dir.path()).unwrap())[&Kind::Shoot], 1);
    }

    #[test]
    fn links_that_lead_back_or_nowhere_are_problems() {
        let dir = directory(&[("sub/project.yaml", PROJECT)]);
        symlink("..", dir.path().join("sub/up")).unwrap();
        symlink("missing.yaml", dir.path().join("sub/gone.yaml")).unwrap();
        symlink("editor@host", dir.path().join("sub/.#project.yaml")).unwrap();
        let expected = [
            "sub/gone.yaml: a symbolic link leads nowhere; remove it".to_owned(),
            format!(
                "sub/up: a symbolic link leads back to `{}`; remove it",
                dir.path().display()
            ),
        ];
        assert_eq!(problems(dir.path()), expected);
    }

    #[test]
    fn what_is_no_file_is_a_problem_and_not_a_wait() {
        let dir = directory(&[]);
        let _listener =
            std::os::unix::net::UnixListener::bind(dir.path().join("socket.yaml")).unwrap();
        assert_eq!(
            problems(dir.path()),
            ["socket.yaml: not a regular file; remove or rename it"]
        );
    }
}
