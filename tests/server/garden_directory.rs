// SPDX-License-Identifier: Apache-2.0
//! Loading of garden directories, and error messages about invalid ones.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

mod looks;
mod names;
mod removals;

use crate::folder;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fs;
use std::path::Path;

use crate::folder::folder as directory;
use garden_gate::garden::directory::{DirectoryError, LoadedGarden, Reading, load, load_with};
use garden_gate_core::garden::{AccessQuestion, Unknown};
use garden_gate_model::api::{
    DefaultDomain, ExposureClass, Kind, Project, Seed, Toleration, UserInfo,
};
use tempfile::TempDir;

const PROJECT: &str = "apiVersion: core.gardener.cloud/v1beta1
kind: Project
metadata: {name: dev}
spec: {namespace: garden-dev}
";

/// Returns the problems of a directory, with relative paths.
fn problems(dir: &Path) -> Vec<String> {
    let problems = match load(dir) {
        Ok(garden) => garden.problems,
        Err(DirectoryError::Nothing { problems, .. }) => problems,
        other => unreachable!("{other:?}"),
    };
    let prefix = format!("{}/", dir.display());
    problems.iter().map(|problem| problem.to_string().replace(&prefix, "")).collect()
}

/// Returns the reason of an unknown lookup, with relative paths.
fn unknown<T: Debug>(lookup: Result<T, Unknown>, dir: &Path) -> String {
    match lookup {
        Err(Unknown::Reason(why)) => why.replace(&dir.display().to_string(), "D"),
        other => unreachable!("{other:?}"),
    }
}

const CORE: &str = "core.gardener.cloud/v1beta1";

/// Returns the files that make a garden whole.
fn whole() -> Vec<(&'static str, String)> {
    vec![
        ("project.yaml", PROJECT.to_owned()),
        ("seed.yaml", object(CORE, "Seed", "eu")),
        ("profile.yaml", object(CORE, "CloudProfile", "stratus")),
    ]
}

/// Returns a directory with these files and those of [`whole`].
fn whole_with(files: &[(&str, &str)]) -> TempDir {
    let dir = directory(files);
    for (name, text) in whole() {
        folder::write(dir.path(), name, &text);
    }
    dir
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
    let configs = snapshot.region_configs().unwrap();
    let names: Vec<&str> = configs.iter().map(|it| it.metadata.name.as_str()).collect();
    assert_eq!(names, ["regions"]);
    let only = DefaultDomain { name: "a.io".to_owned(), priority: 0 };
    assert_eq!(snapshot.default_domains(), Ok(vec![only]));
    let nameless = object("Secret", "d", "garden", domain, "dns.gardener.cloud/provider: p");
    let dir = directory(&[("nameless.yaml", &nameless)]);
    let why = "Secret `d` has the label of a default domain, but not the annotation `dns.gardener.cloud/domain`";
    assert_eq!(
        load(dir.path()).unwrap().snapshot.default_domains(),
        Err(Unknown::Reason(why.to_owned()))
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
        object(core, "Shoot", "web").replace('\n', "\n  ").trim_end_matches(' ')
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
    let skipped = [("Deployment", 1), ("Shoot", 1)].map(|(kind, count)| (kind.to_owned(), count));
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
    let Ok(Some(project)) = load(dir.path()).unwrap().snapshot.project_of_namespace("garden")
    else {
        unreachable!("the project is there");
    };
    let protected = [Toleration::bare("seed.gardener.cloud/protected")];
    assert_eq!(project.spec.tolerations.clone().unwrap().whitelist, protected);
}

#[test]
fn what_is_not_in_the_directory_does_not_exist() {
    let dir = whole_with(&[]);
    let snapshot = load(dir.path()).unwrap().snapshot;
    assert_eq!(snapshot.project_of_namespace("garden-prod"), Ok(None));
    assert_eq!(snapshot.get::<ExposureClass>("x"), Ok(None));
}

#[test]
fn of_what_a_part_of_a_garden_lacks_nothing_is_known() {
    let dir = directory(&[("project.yaml", PROJECT)]);
    let garden = load(dir.path()).unwrap();
    let snapshot = garden.snapshot;
    assert_eq!(snapshot.project_of_namespace("garden-prod"), Ok(None));
    assert_eq!(
        unknown(snapshot.get::<Seed>("eu"), dir.path()),
        "the garden directory `D` holds no Seed; dump them, too (`kubectl get seeds.core.gardener.cloud -o yaml`), or say with an empty `SeedList` or --whole-garden that there are no others"
    );
    let why = unknown(snapshot.default_domains().map(Some), dir.path());
    assert!(
        why.contains(
            "`kubectl get secrets -n garden -l gardener.cloud/role=default-domain -o yaml`"
        ),
        "{why}"
    );
    assert!(snapshot.seeds().is_err() && snapshot.shoots().is_err());
    assert!(!snapshot.absence_is_known(Kind::SecretBinding));
    assert!(garden.lacking.contains(&Kind::Shoot) && !garden.lacking.contains(&Kind::Project));
}

#[test]
fn empty_list_or_complete_source_means_none_exist() {
    let list = format!("apiVersion: {CORE}\nkind: SeedList\nitems: []\n");
    let dir = directory(&[("project.yaml", PROJECT), ("seeds.yaml", &list)]);
    let snapshot = load(dir.path()).unwrap().snapshot;
    assert!(matches!(snapshot.get::<Seed>("eu"), Ok(None)));
    assert!(matches!(snapshot.get::<ExposureClass>("x"), Err(Unknown::Reason(_))));
    let reading = Reading { is_whole: true, ..Reading::default() };
    let snapshot = load_with(dir.path(), reading).unwrap().snapshot;
    assert_eq!(snapshot.get::<ExposureClass>("x"), Ok(None));
    assert!(snapshot.absence_is_known(Kind::SecretBinding));
}

#[test]
fn what_is_left_out_is_said_within_the_directory_and_not_above_it() {
    let dir = directory(&[
        (".gitignore", "*.yaml\n"),
        ("dump/.gitignore", "mine/\n"),
        ("dump/.garden-gate-ignore", "ours.yaml\n"),
        ("dump/.hidden/a.yaml", PROJECT),
        ("dump/mine/b.yaml", PROJECT),
        ("dump/ours.yaml", PROJECT),
        ("dump/project.yaml", PROJECT),
    ]);
    let garden = load(&dir.path().join("dump")).unwrap();
    assert_eq!((counts(&garden)[&Kind::Project], garden.files), (1, 1));
}

#[test]
fn without_rbac_permissions_are_unknown() {
    let dir = whole_with(&[]);
    let question = AccessQuestion {
        verb: "manage-members",
        group: "core.gardener.cloud",
        resource: "projects",
        subresource: "",
        namespace: String::new(),
        name: "dev".to_owned(),
    };
    let ask = || {
        let snapshot = load(dir.path()).unwrap().snapshot;
        snapshot.access(&UserInfo::default(), &question)
    };
    assert!(
        matches!(ask(), Err(Unknown::Reason(why)) if why.contains("holds no ClusterRoleBinding"))
    );
    // A dump with Namespaces may contain all objects.
    folder::write(dir.path(), "namespace.yaml", &object("v1", "Namespace", "garden-dev"));
    assert_eq!(ask(), Ok(false));
    fs::remove_file(dir.path().join("namespace.yaml")).unwrap();
    let bindings = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBindingList\n";
    folder::write(dir.path(), "rbac.yaml", bindings);
    assert_eq!(ask(), Ok(false));
    let broken = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nrules: [";
    folder::write(dir.path(), "more.yaml", broken);
    assert!(matches!(ask(), Err(Unknown::Reason(why)) if why.contains("more.yaml:")));
}

#[test]
fn what_cannot_be_read_is_not_absent() {
    let wrong = object(CORE, "Seed", "wrong") + "spec: 3\n";
    let twice = object(CORE, "Seed", "twice") + "spec: {}\nspec: {}\n";
    let template =
        "apiVersion: core.gardener.cloud/v1beta1\nkind: ExposureClass\nmetadata: {name: {{ .x }}\n";
    let dir = whole_with(&[
        ("wrong.yaml", &wrong),
        ("twice.yaml", &twice),
        ("template.yaml", template),
        ("workload.yaml", "apiVersion: apps/v1\nkind: Deployment\nspec: {{ .x }}\n  - }\n"),
        ("secret.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {}\ndata: {}\n"),
        ("kustomization.yaml", "resources: [seed.yaml]\n"),
    ]);
    let garden = load(dir.path()).unwrap();
    let snapshot = &garden.snapshot;
    assert_eq!(
        unknown(snapshot.get::<Seed>("twice"), dir.path()),
        "Seed `twice` exists but cannot be read: D/twice.yaml:5:1: key `spec` is set twice, first at 4:1; keep one"
    );
    assert!(matches!(snapshot.get::<Seed>("wrong"), Err(Unknown::Reason(_))));
    assert!(matches!(snapshot.get::<Seed>("eu"), Ok(Some(_))));
    assert!(matches!(snapshot.get::<Seed>("other"), Ok(None)));
    assert!(snapshot.seeds().is_err());
    let why = unknown(snapshot.get::<ExposureClass>("x"), dir.path());
    assert!(
        why.starts_with("one may stand in a file that cannot be read (D/template.yaml:3:"),
        "{why}"
    );
    assert!(snapshot.shoots().is_ok());
    assert_eq!(problems(dir.path()).len(), 3);
    assert_eq!((garden.no_manifests.len(), garden.others), (1, 1));
    assert!(garden.skipped.is_empty());
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
        (user("bob", "operators"), question("projects", ""), true),
        (user("alice", "devs"), question("projects", ""), false),
        (user("alice", "devs"), question("namespacedcloudprofiles", "garden-dev"), true),
        (user("alice", "devs"), question("namespacedcloudprofiles", "garden-prod"), false),
    ];
    for (user, question, expected) in cases {
        assert_eq!(snapshot.access(&user, &question), Ok(expected), "{user:?} {question:?}");
    }
}

#[test]
fn every_problem_has_a_position() {
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
        ("broken.yaml", "apiVersion: core.gardener.cloud/v1beta1\nkind: Project\n  name: a\n"),
        (
            "broken.json",
            "{\"apiVersion\": \"core.gardener.cloud/v1beta1\", \"kind\": \"Project\",\n \"metadata\": {\"name\" \"a\"}}",
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
        ("twice.yaml", &format!("{PROJECT}kind: Seed\n")),
        ("values.yaml", "a: 1\na: 2\n"),
    ]);
    let latin1 = b"# caf\xe9\napiVersion: core.gardener.cloud/v1beta1\nkind: Seed\n";
    fs::write(dir.path().join("latin1.yaml"), latin1).unwrap();
    let expected = [
        "broken.json:2:22: expected `:` after the key; repair the file, or name it in .garden-gate-ignore",
        "broken.yaml:3:7: mapping values are not allowed in this context; repair the file, or name it in .garden-gate-ignore",
        "headers.yaml:1:1: `apiVersion` is missing",
        "headers.yaml:7:1: `metadata.name` is missing",
        "headers.yaml:12:1: `metadata.namespace` is missing",
        "headers.yaml:14:13: `core.gardener.cloud/v1alpha1` of Seed is not known; write it as `core.gardener.cloud/v1beta1`",
        "headers.yaml:21:9: `metadata.name` is not a text; put it in quotes",
        "in/list.yaml:7:9: `spec`: invalid type: integer `3`, expected a mapping",
        "latin1.yaml:1:6: not UTF-8 text; save the file as UTF-8",
        "shapes.yaml:9:14: `spec.tolerations.whitelist[0].value`: invalid type: integer `5`, expected a string; put it in quotes",
        "shapes.yaml:15:16: `spec.tolerations`: invalid type: string \"none\", expected a list",
        "twice.yaml:5:1: key `kind` is set twice, first at 2:1; keep one",
    ];
    assert_eq!(problems(dir.path()), expected);
}

#[test]
fn object_with_two_variants_is_unknown() {
    let other = PROJECT.replace("garden-dev", "garden-other");
    let dir = whole_with(&[
        ("a.yaml", &object(CORE, "Seed", "eu")),
        ("b.yaml", &format!("# another\n---\n{other}")),
    ]);
    let expected = "project.yaml:3:18: this is another variant of Project `dev` than the one at b.yaml:5:18; keep one";
    assert_eq!(problems(dir.path()), [expected]);
    let snapshot = load(dir.path()).unwrap().snapshot;
    assert!(matches!(snapshot.get::<Project>("dev"), Err(Unknown::Reason(_))));
    assert!(matches!(snapshot.get::<Seed>("eu"), Ok(Some(_))));
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
        assert_eq!(found.replace(&dir.path().display().to_string(), "D"), expected);
    }
}

#[test]
fn the_error_lists_its_problems() {
    let broken = "apiVersion: core.gardener.cloud/v1beta1\nkind: Seed\na: [";
    let dir = directory(&[("a.yaml", broken)]);
    let told = |dir: &TempDir| {
        load(dir.path()).unwrap_err().to_string().replace(&dir.path().display().to_string(), "D")
    };
    assert!(
        told(&dir).starts_with("the garden directory `D` has a problem: D/a.yaml:3:5: ")
            && told(&dir).ends_with(", and nothing else of a garden"),
        "{}",
        told(&dir)
    );
    fs::write(dir.path().join("b.yaml"), "kind: Seed\n---\n".repeat(60)).unwrap();
    let told = told(&dir);
    assert!(
        told.starts_with("the garden directory `D` has 61 problems:\n  D/a.yaml:3:5: "),
        "{told}"
    );
    assert!(told.contains("\n  and 11 more"), "{told}");
}

#[test]
fn oversized_file_is_reported_without_reading_it_all() {
    let dir = TempDir::new().unwrap();
    fs::File::create(dir.path().join("huge.yaml")).unwrap().set_len(1 << 40).unwrap();
    assert_eq!(problems(dir.path()), ["huge.yaml: larger than 64 MiB; split it"]);
}

#[cfg(unix)]
mod links {
    use garden_gate_model::api::Kind;
    use std::os::unix::fs::symlink;

    use super::{PROJECT, TempDir, counts, directory, load, object, problems};

    /// Returns a ConfigMap as kubelet mounts it: files link into `..data`, which links to the current version.
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
    fn linked_directories_are_followed() {
        let elsewhere =
            directory(&[("web.yaml", &object("core.gardener.cloud/v1beta1", "Shoot", "web"))]);
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
            format!("sub/up: a symbolic link leads back to `{}`; remove it", dir.path().display()),
        ];
        assert_eq!(problems(dir.path()), expected);
    }

    #[test]
    fn a_link_that_leads_back_hides_nothing() {
        let dir = super::whole_with(&[]);
        symlink(".", dir.path().join("again")).unwrap();
        let garden = load(dir.path()).unwrap();
        assert_eq!(garden.problems.len(), 1);
        let absent = garden.snapshot.get::<super::ExposureClass>("x");
        assert_eq!(absent, Ok(None));
        symlink("missing", dir.path().join("Makefile")).unwrap();
        assert_eq!(load(dir.path()).unwrap().problems.len(), 1);
        symlink("missing", dir.path().join("more.yaml")).unwrap();
        let garden = load(dir.path()).unwrap();
        assert_eq!(garden.problems.len(), 2);
        assert!(garden.snapshot.shoots().is_err());
    }

    #[test]
    fn what_is_no_file_is_a_problem_and_not_a_wait() {
        let dir = directory(&[]);
        let _listener =
            std::os::unix::net::UnixListener::bind(dir.path().join("socket.yaml")).unwrap();
        assert_eq!(
            problems(dir.path()),
            [
                "socket.yaml: a pipe, a socket or a device, not a file; name a file, or pipe it into `-`"
            ]
        );
    }
}
