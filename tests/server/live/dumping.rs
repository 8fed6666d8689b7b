// SPDX-License-Identifier: Apache-2.0
//! `garden-gate dump`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::json;

use super::{Printed, World, file};

const SHOOT: &str = "examples/manifests/shoot-allowed.yaml";

impl World {
    fn dump(&self, arguments: &[&str]) -> Printed {
        self.run(&[&["dump", "--kubeconfig", "kubeconfig"], arguments].concat())
    }

    fn files(&self, directory: &str) -> BTreeSet<String> {
        let entries = fs::read_dir(self.folder.path().join(directory)).unwrap();
        let names = entries.map(|it| it.unwrap().file_name().into_string().unwrap());
        names.collect()
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.folder.path().join(path)).unwrap()
    }
}

#[test]
fn dump_of_everything_gives_the_same_verdicts() {
    let denied = file("examples/manifests/shoot-denied.yaml");
    let world = World::new(&[("a/shoot.yaml", &file(SHOOT)), ("a/denied.yaml", &denied)]);
    // Restarted lists repeat objects.
    world.server.script().page = 1;
    world.server.script().expired = 1;
    let Printed { code, out, err } = world.dump(&["dump"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.starts_with("shoots.core.gardener.cloud: 3\n"), "{out}");
    assert!(!out.contains("not complete"), "{out}");
    let files = world.files("dump");
    assert!(files.contains("shoots.yaml") && files.contains("garden-dump.yaml"), "{files:?}");
    assert_eq!(world.text("dump/shoots.yaml").matches("\n  name: web\n").count(), 1);
    let verdicts = |arguments: &[&str]| {
        let printed = world
            .run(&[&["review", "a", "--format", "json", "--at", "2026-11-01"], arguments].concat());
        let json: serde_json::Value = serde_json::from_str(&printed.out).unwrap();
        let reviews = json["reviews"].as_array().unwrap().iter();
        let said = reviews
            .map(|it| (it["verdict"].clone(), it["findings"].clone(), it["undetermined"].clone()));
        said.collect::<Vec<_>>()
    };
    let offline = verdicts(&["--garden", "dump"]);
    assert_eq!(offline.len(), 2);
    assert_eq!(offline, verdicts(&["--live", "--kubeconfig", "kubeconfig"]));
}

/// Kubernetes serves them since 1.36.
#[test]
fn mutating_policies_that_are_not_served_do_not_exist() {
    let world = World::new(&[]);
    let plural = ["mutatingadmissionpolicies", "mutatingadmissionpolicybindings"];
    for plural in plural {
        let line = format!("GET /apis/admissionregistration.k8s.io/v1/{plural}");
        world.server.answer(&line, 404, "the server could not find the requested resource");
    }
    let Printed { code, out, err } = world.dump(&["dump"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(!out.contains("not complete"), "{out}");
    for plural in plural {
        assert!(world.text(&format!("dump/{plural}.yaml")).contains("items: []"), "{out}");
    }
    // Others are reported.
    let line = "GET /apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
    world.server.answer(line, 404, "the server could not find the requested resource");
    let Printed { out, .. } = world.dump(&["again"]);
    assert!(out.contains("not complete") && out.contains("  ValidatingAdmissionPolicy: "), "{out}");
}

/// Follows the list of the tutorial.
#[test]
fn three_commands_lead_from_init_to_the_first_finding() {
    let denied = file("examples/manifests/shoot-denied.yaml");
    let world = World::new(&[("shoots/sneaky.yaml", &denied)]);
    let kubeconfig = world.server.kubeconfig().to_string();
    crate::folder::write(world.folder.path(), ".kube/config", &kubeconfig);
    let page = file("docs/tutorials/check-a-pull-request.md");
    let (_, section) = page.split_once("\n## With your own garden\n").unwrap();
    let commands = section.split("\n1. ").nth(1).unwrap().lines().take(3);
    let commands: Vec<&str> = commands.map(|it| it.split('`').nth(1).unwrap()).collect();
    let run = |command: &str| {
        let arguments = command.strip_prefix("garden-gate ").unwrap();
        world.run(&arguments.split(' ').collect::<Vec<_>>())
    };
    let [init, dump, review] = commands[..] else {
        unreachable!("{commands:?}");
    };
    let Printed { code, out, err } = run(init);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    // Its output names the next commands.
    assert!(out.contains(&format!("\n  {dump}\n")), "{out}");
    assert!(out.ends_with(&format!("\n  {review}\n")), "{out}");
    let Printed { code, err, .. } = run(dump);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let Printed { code, out, err } = run(review);
    assert_eq!((code, err.as_str()), (Some(1), ""));
    assert!(out.contains("\ndeny["), "{out}");
    assert!(out.contains("--> shoots/sneaky.yaml:17:5"), "{out}");
}

#[test]
fn contents_of_secrets_are_never_requested() {
    let world = World::new(&[]);
    world.dump(&["dump"]);
    let script = world.server.script();
    let secret = |(line, _): &&(String, serde_json::Value)| {
        ["secrets", "shootstates"].iter().any(|it| line.contains(it))
    };
    let asked: Vec<&String> = script.requests.iter().filter(secret).map(|it| &it.0).collect();
    assert_eq!(asked.len(), 3, "{asked:?}");
    for line in asked {
        let metadata = script.accepts.get(line).map(String::as_str);
        assert!(metadata.is_some_and(|it| it.contains("as=PartialObjectMetadataList")), "{line}");
    }
}

#[test]
fn member_of_a_project_dumps_what_is_in_it() {
    let world = World::new(&[("shoot.yaml", &file(SHOOT))]);
    let forbidden = ["projects", "quotas", "secretbindings", "shoots"];
    for plural in forbidden {
        world.server.answer(&format!("GET /{plural}"), 403, "no \u{1b}[31mway");
    }
    world.server.answer("GET /namespaces/garden-dev/quotas", 403, "never");
    let Printed { code, out, err } = world.dump(&["dump", "-n", "garden-dev"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let missing = "  Quota: failed to list quotas.core.gardener.cloud: the API server answered 403: no \\u{1b}[31mway";
    assert!(out.contains(missing), "{out}");
    assert!(world.text("dump/projects.yaml").contains("name: dev"), "{out}");
    let record = world.text("dump/garden-dump.yaml");
    for kind in ["Project", "Quota", "SecretBinding", "Shoot"] {
        assert!(record.contains(&format!("kind: {kind}\n")), "{record}");
    }
    assert!(!world.files("dump").contains("quotas.yaml"));
    let binding = json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "SecretBinding",
        "metadata": {"name": "b", "namespace": "garden-dev"}, "provider": {"type": "x"},
        "secretRef": {"name": "s"}, "quotas": [{"name": "q", "namespace": "garden-other"}]});
    fs::write(world.folder.path().join("b.json"), binding.to_string()).unwrap();
    let review = world.run(&["review", "b.json", "--garden", "dump"]);
    let note = "judged as a new object: failed to list secretbindings.core.gardener.cloud: the API server answered 403";
    assert!(review.out.contains(note), "{}", review.out);
    assert_eq!(review.code, Some(0), "{}", review.out);
}

#[test]
fn second_dump_replaces_the_first() {
    let world = World::new(&[]);
    world.dump(&["dump"]);
    assert!(world.files("dump").contains("shoots.yaml"));
    world.server.answer("GET /shoots", 500, "broken");
    let Printed { code, out, .. } = world.dump(&["dump"]);
    assert_eq!(code, Some(0));
    assert!(out.contains("  Shoot: failed to list shoots.core.gardener.cloud: the API server answered 500: broken"), "{out}");
    assert!(!world.files("dump").contains("shoots.yaml"));
}

#[test]
fn directory_with_other_files_is_left_alone() {
    let world = World::new(&[("dump/mine.yaml", "a: b\n")]);
    let Printed { code, err, .. } = world.dump(&["dump"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("`dump` contains `mine.yaml`, which is not from a dump"), "{err}");
    assert_eq!(world.files("dump").len(), 1);
}

#[test]
fn planted_record_reaches_no_file_outside() {
    let record = "apiVersion: garden-gate.dev/v1alpha1\nkind: GardenDump\nfiles: [../mine.yaml, shoots.yaml]\n";
    let world = World::new(&[("mine.yaml", "a: b\n"), ("dump/garden-dump.yaml", record)]);
    assert_eq!(world.dump(&["dump"]).code, Some(0));
    assert_eq!(world.text("mine.yaml"), "a: b\n");

    let shoots = world.folder.path().join("dump/shoots.yaml");
    fs::remove_file(&shoots).unwrap();
    std::os::unix::fs::symlink("../mine.yaml", &shoots).unwrap();
    let Printed { code, err, .. } = world.dump(&["dump"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("`dump` contains `shoots.yaml`"), "{err}");
    assert_eq!(world.text("mine.yaml"), "a: b\n");
}

#[test]
fn other_clusters_are_refused() {
    let world = World::new(&[]);
    world.server.answer("GET /exposureclasses", 404, "not found");
    let Printed { code, err, .. } = world.dump(&["dump"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("exposureclasses.core.gardener.cloud"), "{err}");
    assert!(!world.folder.path().join("dump").exists());
}

#[test]
fn parameters_of_policies_are_dumped() {
    let shoot = file("examples/admission-policies/shoot.yaml");
    let world = World::new(&[("shoot.yaml", &shoot)]);
    let policy = super::documents(Path::new("examples/admission-policies/policy.yaml"));
    world.server.hold(&policy);
    let Printed { code, out, err } = world.dump(&["dump"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.contains("\nparameters of policies: 1\n"), "{out}");
    let parameters = world.text("dump/policy-parameters.yaml");
    assert!(parameters.contains("name: pool-size"), "{parameters}");
    let review = world.run(&["review", "shoot.yaml", "--garden", "dump"]);
    let message = "denied request: a pool has at most 2 machines";
    assert!(review.out.contains(message), "{}", review.out);
}
