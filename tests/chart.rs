//! The Helm chart: it renders for every documented set of values, and a real API server accepts what it renders.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on should fail"
)]

mod cluster;

use std::io::Write as _;
use std::process::{Command, Stdio};

use cluster::TestCluster;
use cluster::helm::Helm;
use cluster::objects::{apply, documents, dry_run};
use cluster::waiting::eventually;
use k8s_openapi::api::admissionregistration::v1::ValidatingWebhookConfiguration;
use k8s_openapi::api::authorization::v1::{
    ResourceAttributes, SubjectAccessReview, SubjectAccessReviewSpec,
};
use k8s_openapi::api::core::v1::Pod;
use kube::api::{Api, DynamicObject, Patch, PatchParams, PostParams};
use kube::{Client, ResourceExt as _};
use rstest::rstest;
use serde_json::{Value, json};

const DEFAULT: &[&str] = &["--values=ci/default.yaml"];
const CERT_MANAGER: &[&str] = &["--values=ci/cert-manager.yaml"];
const MONITORING: &[&str] = &["--values=ci/monitoring.yaml"];
const VIRTUAL_RUNTIME: &[&str] = &["--values=ci/virtual-garden.yaml"];
const VIRTUAL_GARDEN: &[&str] = &["--values=ci/virtual-garden.yaml", "--set=target=garden"];
const SHOOT_CLUSTER: &[&str] = &["--values=ci/shoot-cluster.yaml"];
const CLIENT_CERTIFICATES: &[&str] = &["--values=ci/client-certificates.yaml"];
const ALL: [&[&str]; 7] = [
    DEFAULT,
    CERT_MANAGER,
    MONITORING,
    CLIENT_CERTIFICATES,
    VIRTUAL_RUNTIME,
    VIRTUAL_GARDEN,
    SHOOT_CLUSTER,
];

/// Where the chart is released.
const NAMESPACE: &str = "garden-gate";
/// Who the gate is in a cluster.
const ACCOUNT: &str = "system:serviceaccount:garden-gate:garden-gate";

/// The operators' namespace, and the gate's own, which takes no pod with a right it could do without.
const NAMESPACES: &str = "
apiVersion: v1
kind: Namespace
metadata: { name: garden }
---
apiVersion: v1
kind: Namespace
metadata:
  name: garden-gate
  labels: { pod-security.kubernetes.io/enforce: restricted }
";

/// What gardener-operator makes.
const PRIORITY_CLASS: &str = "
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: gardener-garden-system-400 }
value: 999999400
";

#[rstest]
#[case::default(DEFAULT)]
#[case::cert_manager(CERT_MANAGER)]
#[case::monitoring(MONITORING)]
#[case::virtual_garden_runtime(VIRTUAL_RUNTIME)]
#[case::virtual_garden(VIRTUAL_GARDEN)]
#[case::shoot_cluster(SHOOT_CLUSTER)]
#[case::client_certificates(CLIENT_CERTIFICATES)]
fn lint_finds_nothing(#[case] values: &[&str]) {
    let Some(helm) = Helm::find() else { return };
    let output = helm.lint(values);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
}

#[tokio::test]
async fn an_api_server_accepts_every_rendered_object() {
    let (Some(helm), Some(cluster)) = (Helm::find(), TestCluster::start().await) else {
        return;
    };
    let client = &cluster.admin.client;
    apply(client, NAMESPACES).await;
    apply(client, include_str!("cluster/optional-crds.yaml")).await;
    for values in ALL {
        for object in documents(&helm.template(values).unwrap()) {
            let answer = dry_run(client, &object).await;
            let kind = &object.types.as_ref().unwrap().kind;
            answer.unwrap_or_else(|error| {
                panic!("{kind} {} of {values:?}: {error}", object.name_any())
            });
        }
    }
}

#[tokio::test]
async fn its_pods_run_under_the_restricted_pod_security_standard() {
    let (Some(helm), Some(cluster)) = (Helm::find(), TestCluster::start().await) else {
        return;
    };
    apply(&cluster.admin.client, NAMESPACES).await;
    apply(&cluster.admin.client, PRIORITY_CLASS).await;
    for values in [
        DEFAULT,
        CERT_MANAGER,
        CLIENT_CERTIFICATES,
        MONITORING,
        VIRTUAL_RUNTIME,
        SHOOT_CLUSTER,
    ] {
        let mut pod = only(&rendered(&helm, values), "Deployment")["spec"]["template"].clone();
        pod["metadata"]["name"] = json!("garden-gate");
        let pod: Pod = serde_json::from_value(pod).unwrap();
        let pods: Api<Pod> = Api::namespaced(cluster.admin.client.clone(), NAMESPACE);
        let params = PostParams {
            dry_run: true,
            ..PostParams::default()
        };
        pods.create(&params, &pod).await.unwrap();
    }
}

#[tokio::test]
async fn the_gate_has_exactly_the_rights_it_uses() {
    let (Some(helm), Some(cluster)) = (Helm::find(), TestCluster::start().await) else {
        return;
    };
    let client = &cluster.admin.client;
    apply(client, NAMESPACES).await;
    apply(client, &helm.template(DEFAULT).unwrap()).await;
    eventually("rights are granted", async || {
        may(client, "list", "core.gardener.cloud/shoots", "")
            .await
            .then_some(())
    })
    .await;
    for (allowed, verb, resource, name) in [
        (true, "watch", "core.gardener.cloud/projects", ""),
        (true, "get", "core.gardener.cloud/exposureclasses", ""),
        (
            true,
            "create",
            "authorization.k8s.io/subjectaccessreviews",
            "",
        ),
        (
            true,
            "get",
            "security.gardener.cloud/workloadidentities",
            "backup",
        ),
        (true, "list", "garden/configmaps", ""),
        (true, "get", "/secrets", "garden-gate-tls"),
        (true, "update", "/secrets", "garden-gate-tls"),
        (
            true,
            "patch",
            "admissionregistration.k8s.io/validatingwebhookconfigurations",
            "garden-gate",
        ),
        (
            true,
            "patch",
            "admissionregistration.k8s.io/mutatingwebhookconfigurations",
            "garden-gate",
        ),
        (true, "list", "core.gardener.cloud/shootstates", ""),
        (false, "get", "core.gardener.cloud/shootstates", ""),
        (false, "update", "core.gardener.cloud/shoots", ""),
        (false, "list", "core.gardener.cloud/secretbindings", ""),
        (false, "get", "/secrets", "another"),
        (false, "list", "/secrets", ""),
        (false, "create", "/secrets", ""),
        (false, "delete", "/secrets", "garden-gate-tls"),
        (false, "get", "garden/secrets", "garden-gate-tls"),
        (false, "list", "garden/secrets", ""),
        (false, "list", "/configmaps", ""),
        (
            false,
            "patch",
            "admissionregistration.k8s.io/validatingwebhookconfigurations",
            "another",
        ),
        (
            false,
            "create",
            "admissionregistration.k8s.io/validatingwebhookconfigurations",
            "",
        ),
        (false, "get", "/configmaps", "garden-gate"),
    ] {
        assert_eq!(
            may(client, verb, resource, name).await,
            allowed,
            "{verb} {resource} {name}"
        );
    }
}

#[tokio::test]
async fn an_upgrade_keeps_the_authority_that_the_gate_wrote_into_its_registration() {
    let (Some(helm), Some(cluster)) = (Helm::find(), TestCluster::start().await) else {
        return;
    };
    let (client, kubeconfig) = (&cluster.admin.client, &cluster.admin.kubeconfig);
    apply(client, NAMESPACES).await;
    helm.upgrade(kubeconfig, DEFAULT).unwrap();
    let registrations: Api<ValidatingWebhookConfiguration> = Api::all(client.clone());
    let bundle =
        json!([{"op": "add", "path": "/webhooks/0/clientConfig/caBundle", "value": "Zm9v"}]);
    let patch = Patch::<()>::Json(serde_json::from_value(bundle).unwrap());
    let params = PatchParams::default();
    let written = registrations.patch("garden-gate", &params, &patch).await;
    written.unwrap();

    let changed = [DEFAULT, &["--set=webhooks.timeoutSeconds=7"]].concat();
    helm.upgrade(kubeconfig, &changed).unwrap();
    let upgraded = registrations.get("garden-gate").await.unwrap();
    let webhook = &upgraded.webhooks.unwrap()[0];
    assert_eq!(webhook.timeout_seconds, Some(7));
    assert_eq!(webhook.client_config.ca_bundle.as_ref().unwrap().0, b"foo");
}

#[test]
fn registrations_say_what_the_gate_needs_of_the_api_server() {
    let Some(helm) = Helm::find() else { return };
    let looked_at: Value =
        serde_saphyr::from_str(include_str!("../charts/garden-gate/files/webhooks.yaml")).unwrap();
    for values in [DEFAULT, CERT_MANAGER, MONITORING, VIRTUAL_GARDEN] {
        let objects = rendered(&helm, values);
        for (kind, list) in [
            ("MutatingWebhookConfiguration", "mutating"),
            ("ValidatingWebhookConfiguration", "validating"),
        ] {
            let webhooks = only(&objects, kind)["webhooks"].as_array().unwrap();
            let looked_at = looked_at[list].as_array().unwrap();
            assert_eq!(webhooks.len(), looked_at.len());
            for (webhook, looked_at) in webhooks.iter().zip(looked_at) {
                assert_eq!(webhook["rules"], looked_at["rules"]);
                // Exempt users and groups come on top.
                let conditions = webhook["matchConditions"].as_array();
                let conditions = conditions.map_or(&[][..], Vec::as_slice);
                let common = looked_at["matchConditions"].as_array().unwrap();
                assert!(conditions.starts_with(common), "{webhook}");
                assert_eq!(webhook["matchPolicy"], "Equivalent");
                assert_eq!(webhook["sideEffects"], "None");
                assert_eq!(webhook["timeoutSeconds"], 10);
                let policy = (list == "mutating").then(|| json!("IfNeeded"));
                assert_eq!(webhook.get("reinvocationPolicy"), policy.as_ref());
            }
        }
    }
}

#[test]
fn a_virtual_garden_is_reached_by_kubeconfig_and_reaches_the_gate_by_url() {
    let Some(helm) = Helm::find() else { return };
    let runtime = rendered(&helm, VIRTUAL_RUNTIME);
    let arguments =
        only(&runtime, "Deployment")["spec"]["template"]["spec"]["containers"][0]["args"]
            .to_string();
    assert!(
        arguments.contains("--kubeconfig=/etc/garden-gate-kubeconfig/kubeconfig"),
        "{arguments}"
    );
    assert_eq!(
        kinds(&runtime),
        [
            "ConfigMap",
            "Deployment",
            "NetworkPolicy",
            "PodDisruptionBudget",
            "Service",
            "ServiceAccount"
        ]
    );

    let garden = rendered(&helm, VIRTUAL_GARDEN);
    let webhook = &only(&garden, "ValidatingWebhookConfiguration")["webhooks"][0];
    assert_eq!(
        webhook["clientConfig"]["url"],
        "https://garden-gate.garden.svc:443/validate"
    );
    assert_eq!(
        only(&garden, "ClusterRoleBinding")["subjects"][0]["name"],
        "garden-gate"
    );
    assert_eq!(
        kinds(&garden),
        [
            "ClusterRole",
            "ClusterRoleBinding",
            "MutatingWebhookConfiguration",
            "Role",
            "RoleBinding",
            "ValidatingWebhookConfiguration"
        ]
    );
    assert_eq!(
        only(&garden, "RoleBinding")["subjects"],
        only(&garden, "ClusterRoleBinding")["subjects"]
    );
}

#[test]
fn secrets_of_the_garden_are_listed_only_where_that_is_wanted() {
    let Some(helm) = Helm::find() else { return };
    for (set, listed) in [
        ("--set=rbac.listSecrets=false", "[[\"configmaps\"]]"),
        (
            "--set=rbac.listSecrets=true",
            "[[\"configmaps\"],[\"secrets\"]]",
        ),
    ] {
        let objects = rendered(&helm, &[DEFAULT[0], set]);
        let role = only(&objects, "Role");
        let resources: Value = role["rules"]
            .as_array()
            .unwrap()
            .iter()
            .map(|rule| {
                assert_eq!(rule["verbs"], json!(["list"]));
                rule["resources"].clone()
            })
            .collect();
        assert_eq!(resources.to_string(), listed);
    }
}

#[test]
fn in_a_shoot_cluster_the_gate_knows_no_garden_and_is_no_obstacle() {
    let Some(helm) = Helm::find() else { return };
    let yaml = helm.template(SHOOT_CLUSTER).unwrap();
    let objects = documents(&yaml);
    assert_eq!(
        kinds(&objects),
        [
            "ClusterRole",
            "ClusterRoleBinding",
            "ConfigMap",
            "Deployment",
            "NetworkPolicy",
            "PodDisruptionBudget",
            "Role",
            "RoleBinding",
            "Secret",
            "Service",
            "ServiceAccount",
            "ValidatingAdmissionPolicy",
            "ValidatingAdmissionPolicyBinding",
            "ValidatingWebhookConfiguration"
        ]
    );
    let arguments =
        &only(&objects, "Deployment")["spec"]["template"]["spec"]["containers"][0]["args"];
    let arguments = arguments.as_array().unwrap();
    assert!(arguments.contains(&json!("--no-garden")), "{arguments:?}");
    let webhooks = &only(&objects, "ValidatingWebhookConfiguration")["webhooks"];
    let resources: Vec<&Value> = webhooks
        .as_array()
        .unwrap()
        .iter()
        .map(|webhook| &webhook["rules"][0]["resources"][0])
        .collect();
    assert_eq!(resources, ["daemonsets", "deployments"]);
    assert_eq!(webhooks[0]["failurePolicy"], "Ignore");
    // Our own lint has nothing against anything that is installed.
    let mut child = Command::new(env!("CARGO_BIN_EXE_garden-gate"))
        .args(["review", "--format=json", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(yaml.as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let reviews = report["reviews"].as_array().unwrap();
    assert_eq!(reviews.len(), 2, "{report}");
    assert!(
        reviews.iter().all(|review| review["findings"] == json!([])),
        "{report}"
    );
}

#[test]
fn a_bare_off_in_values_stays_a_level() {
    let Some(helm) = Helm::find() else { return };
    let objects = rendered(&helm, CERT_MANAGER);
    let config = only(&objects, "ConfigMap")["data"]["config.yaml"]
        .as_str()
        .unwrap()
        .to_owned();
    let config: Value = serde_saphyr::from_str(&config).unwrap();
    assert_eq!(config["rules"]["shoot/self-hosted-verb"], "off");
}

#[rstest]
#[case::misspelt("replica=3", "additional properties 'replica' not allowed")]
#[case::misspelt_below(
    "webhooks.failurepolicy=Ignore",
    "additional properties 'failurepolicy' not allowed"
)]
#[case::unknown_mode(
    "certificates.mode=vault",
    "value must be one of 'self-managed', 'cert-manager', 'files'"
)]
#[case::plain_http("webhooks.url=http://gate", "does not match pattern")]
#[case::unknown_level(
    "config.rules.shoot/hibernation=error",
    "value must be one of 'deny', 'warn', 'off', false"
)]
#[case::no_way_to_the_garden("target=runtime", "set kubeconfig.secretName")]
#[case::closed_in_a_shoot_cluster("target=shoot", "set webhooks.failurePolicy to Ignore")]
#[case::two_clusters_at_once("kubeconfig.secretName=garden", "set target to runtime here")]
#[case::no_ca("certificates.mode=files", "set webhooks.caBundle")]
#[case::two_writers_of_the_ca("webhooks.caBundle=Zm9v", "leave webhooks.caBundle empty")]
#[case::no_address("target=garden,certificates.mode=files", "set webhooks.url")]
#[case::nobody_to_answer("replicas=0", "set it to Ignore first")]
#[case::names_without_a_ca(
    "clientNames={api-server}",
    "set clientCA.configMapName or clientCA.secretName"
)]
#[case::two_cas(
    "clientCA.configMapName=a,clientCA.secretName=b",
    "set one of them"
)]
#[case::a_port_too_much("listenAddress=0.0.0.0:9443", "does not match pattern")]
#[case::self_managed_elsewhere("target=garden", "set certificates.mode to cert-manager or files")]
fn values_that_cannot_work_are_refused(#[case] set: &str, #[case] message: &str) {
    let Some(helm) = Helm::find() else { return };
    let error = helm.template(&["--set", set]).unwrap_err();
    assert!(error.contains(message), "{error}");
}

fn rendered(helm: &Helm, values: &[&str]) -> Vec<DynamicObject> {
    documents(&helm.template(values).unwrap())
}

fn kinds(objects: &[DynamicObject]) -> Vec<&str> {
    let mut kinds: Vec<&str> = objects
        .iter()
        .map(|object| object.types.as_ref().unwrap().kind.as_str())
        .collect();
    kinds.sort_unstable();
    kinds
}

/// The object of this kind that is named like the release.
fn only<'a>(objects: &'a [DynamicObject], kind: &str) -> &'a Value {
    let named = |object: &&DynamicObject| {
        object.types.as_ref().unwrap().kind == kind && object.name_any() == "garden-gate"
    };
    &objects.iter().find(named).unwrap().data
}

/// Whether the gate's service account may do this; `resource` is `group/plural`, or without a group in its own namespace, or
/// `garden/plural` in that of the operators; an empty `name` is any.
async fn may(client: &Client, verb: &str, resource: &str, name: &str) -> bool {
    let (group, plural) = resource.split_once('/').unwrap();
    let (group, namespace) = match group {
        "" => ("", Some(NAMESPACE.to_owned())),
        "garden" => ("", Some("garden".to_owned())),
        group => (group, None),
    };
    let attributes = ResourceAttributes {
        verb: Some(verb.to_owned()),
        group: Some(group.to_owned()),
        resource: Some(plural.to_owned()),
        name: Some(name.to_owned()),
        namespace,
        ..ResourceAttributes::default()
    };
    let review = SubjectAccessReview {
        spec: SubjectAccessReviewSpec {
            user: Some(ACCOUNT.to_owned()),
            resource_attributes: Some(attributes),
            ..SubjectAccessReviewSpec::default()
        },
        ..SubjectAccessReview::default()
    };
    let reviews: Api<SubjectAccessReview> = Api::all(client.clone());
    let answer = reviews
        .create(&PostParams::default(), &review)
        .await
        .unwrap();
    answer.status.unwrap().allowed
}
