// SPDX-License-Identifier: Apache-2.0
use serde_json::{Value, json};

use crate::live::{World, documents, file};

const SHOOT: &str = "examples/manifests/shoot-allowed.yaml";

fn verdict(review: &Value) -> String {
    let said = |list: &str, name: &str| {
        let all = review[list]
            .as_array()
            .unwrap()
            .iter()
            .filter(|it| it["level"] != "warn")
            .map(|it| format!("; {}", it[name].as_str().unwrap()));
        all.collect::<String>()
    };
    format!(
        "{} {}{}{}",
        review["operation"].as_str().unwrap(),
        review["verdict"].as_str().unwrap(),
        said("findings", "finding"),
        said("undetermined", "message")
    )
}

/// Returns a Shoot of the garden, with another number of machines.
fn web() -> String {
    let shoots = file("examples/garden/shoots.yaml");
    let shoot = shoots.split("\n---\n").next().unwrap();
    assert!(shoot.contains("maximum: 3"), "{shoot}");
    shoot.replace("maximum: 3", "maximum: 4")
}

/// Requests for the version, limits, policies and webhooks of a garden.
const OF_EVERY_GARDEN: [&str; 8] = [
    "GET /api/v1/namespaces/gardener-system-public/configmaps/gardener-info",
    "GET /api/v1/resourcequotas?limit=50",
    "GET /apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies?limit=50",
    "GET /apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings?limit=50",
    "GET /apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations?limit=50",
    "GET /apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies?limit=50",
    "GET /apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings?limit=50",
    "GET /apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations?limit=50",
];

#[test]
fn only_kinds_that_rules_read_are_listed_and_each_once() {
    let world = World::new(&[("shoot.yaml", &file(SHOOT))]);
    let reviews = world.reviews(&["shoot.yaml"]);
    assert_eq!(verdict(&reviews[0]), "CREATE allowed");
    let expected = [
        "cloudprofiles",
        "controllerregistrations",
        "exposureclasses",
        "namespacedcloudprofiles",
        "projects",
        "quotas",
        "secretbindings",
        "seeds",
        "shoots",
    ];
    let mut expected: Vec<String> =
        expected.iter().map(|plural| format!("GET /{plural}?limit=50")).collect();
    let bindings = "GET /apis/security.gardener.cloud/v1alpha1/credentialsbindings?limit=50";
    let identities = "GET /apis/security.gardener.cloud/v1alpha1/workloadidentities?limit=50";
    let domains = "GET /api/v1/namespaces/garden/secrets?labelSelector=gardener.cloud%2Frole%3Ddefault-domain&limit=50";
    let managed = "GET /apis/seedmanagement.gardener.cloud/v1alpha1/managedseeds?limit=50";
    let deployments = "GET /apis/core.gardener.cloud/v1/controllerdeployments?limit=50";
    let others =
        OF_EVERY_GARDEN.into_iter().chain([domains, bindings, identities, managed, deployments]);
    expected.extend(others.map(str::to_owned));
    expected.sort();
    assert_eq!(world.server.asked(), expected);
}

#[test]
fn what_no_rule_looks_up_is_asked_for_by_its_name() {
    let quota = json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Quota",
        "metadata": {"name": "q", "namespace": "garden-dev"},
        "spec": {"scope": {"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Project"}, "metrics": {"cpu": "2"}}});
    let world = World::new(&[("quota.json", &quota.to_string())]);
    assert_eq!(verdict(&world.reviews(&["quota.json"])[0]), "CREATE allowed");
    world.server.hold(&[quota]);
    assert_eq!(verdict(&world.reviews(&["quota.json"])[0]), "UPDATE allowed");
    let mut asked = world.server.asked();
    asked.retain(|it| !OF_EVERY_GARDEN.contains(&it.as_str()));
    assert_eq!(asked, ["GET /namespaces/garden-dev/quotas/q"; 2]);
}

#[test]
fn what_lives_in_shoot_clusters_is_not_looked_for() {
    let world = World::new(&[("p.yaml", &file("examples/shoot-cluster/policy-engine.yaml"))]);
    assert_eq!(verdict(&world.reviews(&["p.yaml"])[0]), "CREATE allowed");
    assert_eq!(world.server.asked(), [""; 0]);
}

#[test]
fn what_is_stored_is_updated_and_the_heading_says_from_where() {
    let world = World::new(&[("shoot.yaml", &web())]);
    let printed = world.review(&["shoot.yaml"]);
    let heading = "shoot.yaml: UPDATE of Shoot garden-dev/web (from context garden): allowed\n";
    assert!(printed.out.starts_with(heading), "{}", printed.out);
    assert_eq!((printed.code, printed.err.as_str()), (Some(0), ""));
    let another = world.review(&["--context", "another", "shoot.yaml"]);
    assert!(another.out.contains("(from context another)"));
}

/// The verdicts are the same as with files.
#[test]
fn long_lists_come_in_pages() {
    let denied = file("examples/manifests/shoot-denied.yaml");
    let world = World::new(&[("a.yaml", &web()), ("b.yaml", &denied)]);
    let whole = world.reviews(&["."]);
    world.server.script().page = 1;
    world.server.script().requests.clear();
    assert_eq!(world.reviews(&["."]), whole);
    let asked = world.server.asked();
    let pages = asked.iter().filter(|it| it.starts_with("GET /shoots?"));
    assert_eq!(
        pages.collect::<Vec<_>>(),
        [
            "GET /shoots?limit=200&continue=1",
            "GET /shoots?limit=50",
            "GET /shoots?limit=500&continue=2",
        ]
    );
}

#[test]
fn list_with_expired_pages_restarts_a_limited_number_of_times() {
    let world = World::new(&[("shoot.yaml", &web())]);
    let whole = world.reviews(&["shoot.yaml"]);
    world.server.script().page = 1;
    world.server.script().expired = 1;
    assert_eq!(world.reviews(&["shoot.yaml"]), whole);
    let mut profile = documents("examples/garden/cloudprofile.yaml".as_ref());
    profile[0]["metadata"]["name"] = "other".into();
    world.server.hold(&profile);
    world.server.script().expired = usize::MAX;
    let verdict = verdict(&world.reviews(&["shoot.yaml"])[0]);
    let says = "failed to list cloudprofiles.core.gardener.cloud: its pages expired 3 times";
    assert!(verdict.contains(says), "{verdict}");
}

#[test]
fn a_kind_that_may_not_be_listed_is_unknown_and_says_why() {
    let world = World::new(&[("shoot.yaml", &file(SHOOT))]);
    let why = "exposureclasses.core.gardener.cloud is forbidden: User \"u\" cannot list";
    world.server.answer("GET /exposureclasses", 403, why);
    let printed = world.review(&["shoot.yaml"]);
    assert_eq!(printed.code, Some(4), "{}", printed.err);
    insta::assert_snapshot!("forbidden", printed.out);
}

#[test]
fn a_kind_that_is_not_served_is_unknown() {
    let world = World::new(&[("shoot.yaml", &file(SHOOT))]);
    world.server.answer(
        "GET /exposureclasses",
        404,
        "the server could not find the requested resource",
    );
    let verdict = verdict(&world.reviews(&["shoot.yaml"])[0]);
    let says = "failed to list exposureclasses.core.gardener.cloud: the API server answered 404: the server could not find the requested resource";
    assert!(verdict.starts_with("CREATE undetermined") && verdict.contains(says), "{verdict}");
}

/// A member of a project may read its namespace, the Project, and public objects.
#[test]
fn project_member_sees_the_project() {
    let world = World::new(&[("shoot.yaml", &web())]);
    for plural in ["shoots", "projects", "namespacedcloudprofiles", "secretbindings"] {
        world.server.answer(&format!("GET /{plural}"), 403, "no");
    }
    let verdict = verdict(&world.reviews(&["shoot.yaml"])[0]);
    assert!(verdict.starts_with("UPDATE "), "{verdict}");
    assert!(!verdict.contains("failed to list projects"), "{verdict}");
    let asked = world.server.asked();
    for expected in ["GET /namespaces/garden-dev/shoots?limit=50", "GET /projects/dev"] {
        assert!(asked.iter().any(|it| it == expected), "{asked:?}");
    }
}

#[test]
fn an_object_that_may_exist_already_is_not_taken_for_new() {
    let world = World::new(&[("shoot.yaml", &web())]);
    for path in ["/shoots", "/namespaces/garden-dev/shoots", "/namespaces/garden-dev/shoots/web"] {
        world.server.answer(&format!("GET {path}"), 403, "no");
    }
    let printed = world.review(&["shoot.yaml"]);
    assert_eq!(printed.code, Some(4));
    insta::assert_snapshot!("unknown_state", printed.out);
}

/// Returns the Shoot of the examples, with a reference to a Secret.
fn referring() -> String {
    let reference =
        "  resources:\n  - name: r\n    resourceRef: {apiVersion: v1, kind: Secret, name: here}\n";
    file(SHOOT).replace("  region: us-east-1\n", &format!("  region: us-east-1\n{reference}"))
}

#[test]
fn of_a_secret_that_is_referred_to_the_metadata_is_asked_for() {
    let world = World::new(&[("shoot.yaml", &referring())]);
    let missing = "CREATE denied; shoot/reference-missing";
    assert_eq!(verdict(&world.reviews(&["shoot.yaml"])[0]), missing);
    let secret = json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "here", "namespace": "garden-platform"}});
    world.server.hold(&[secret]);
    world.server.script().requests.clear();
    assert_eq!(verdict(&world.reviews(&["shoot.yaml"])[0]), "CREATE allowed");
    let asked = world.server.asked();
    let asked: Vec<_> = asked.iter().filter(|it| it.contains("/garden-platform/")).collect();
    assert_eq!(asked, ["GET /api/v1/namespaces/garden-platform/secrets/here"]);
}

#[test]
fn what_one_may_not_look_at_is_not_judged() {
    let world = World::new(&[("shoot.yaml", &referring())]);
    let path = "GET /api/v1/namespaces/garden-platform/secrets/here";
    world.server.answer(path, 403, "secrets \"here\" is forbidden");
    let printed = world.review(&["shoot.yaml"]);
    assert_eq!(printed.code, Some(0), "{}", printed.out);
    let says = "not judged: spec.resources: whether Secret `garden-platform/here` exists: failed to get secrets: the API server answered 403: secrets \"here\" is forbidden";
    assert!(printed.out.contains(says), "{}", printed.out);
}
