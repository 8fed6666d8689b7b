// SPDX-License-Identifier: Apache-2.0
//! The webhook server with only the service account of the chart: its permissions suffice, and grant nothing else.

use k8s_openapi::api::core::v1::Secret;
use kube::ResourceExt as _;
use kube::api::{Api, DeleteParams, DynamicObject};
use kube::core::{ApiResource, GroupVersionKind, Status};
use serde_json::{Value, json};

use crate::chart::{ACCOUNT, DEFAULT, NAMESPACE, NAMESPACES, only, rendered};
use crate::cluster::TestCluster;
use crate::cluster::helm::Helm;
use crate::cluster::objects::{apply, json_patch};
use crate::cluster::user::User;
use crate::cluster::waiting::eventually;
use crate::common::{Gate, GateArgs};

const KINDS: [&str; 2] = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];

const POLICY: &str = "garden-gate-ca-bundle";

/// A cluster with the chart installed.
struct Installed {
    helm: Helm,
    cluster: TestCluster,
    /// A client with the service account of the webhook server.
    gate: User,
}

impl Installed {
    /// Returns `None` without a cluster.
    async fn start() -> Option<Installed> {
        let (helm, cluster) = (Helm::find()?, TestCluster::start().await?);
        cluster.install_gardener_kinds().await;
        apply(&cluster.admin.client, NAMESPACES).await;
        helm.upgrade(&cluster.admin.kubeconfig, DEFAULT).unwrap();
        let gate = cluster.user(ACCOUNT, &["system:serviceaccounts"]).await;
        Some(Installed { helm, cluster, gate })
    }

    /// Starts the webhook server as the Deployment does, but on free ports and without a configuration file.
    fn run(&self) -> Gate {
        let elsewhere = ["--listen", "--metrics-listen", "--config"];
        let deployment = rendered(&self.helm, DEFAULT);
        let container =
            &only(&deployment, "Deployment")["spec"]["template"]["spec"]["containers"][0];
        let arguments = container["args"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|argument| argument.as_str().unwrap().split_once('='))
            .filter(|(flag, _)| !elsewhere.contains(flag));
        let args = arguments
            .fold(GateArgs::new(), |args, (flag, value)| args.flag(flag, value))
            .live(&self.gate.kubeconfig);
        // `Gate::start` blocks, while API clients of this process must continue.
        tokio::task::block_in_place(|| Gate::start(&args))
    }

    fn secrets(&self) -> Api<Secret> {
        Api::namespaced(self.cluster.admin.client.clone(), NAMESPACE)
    }

    async fn certificate(&self) -> Option<Vec<u8>> {
        let secret = self.secrets().get("garden-gate-tls").await.ok()?;
        Some(secret.data?.get("tls.crt")?.0.clone())
    }

    async fn bundle(&self, kind: &str) -> Value {
        let configuration = api(&self.cluster.admin, kind).get("garden-gate").await;
        configuration.unwrap().data["webhooks"][0]["clientConfig"]["caBundle"].clone()
    }

    /// Waits until policies are enforced, which takes the API server a moment.
    async fn guarded(&self) {
        eventually("the policy is enforced", async || {
            let harmless = json!([{"op": "add", "path": "/metadata/labels/probe", "value": "x"}]);
            let answer = patch(&self.gate, KINDS[1], harmless, true).await;
            answer.is_err_and(is_denied).then_some(())
        })
        .await;
    }
}

/// Reports whether a policy refused the request, not RBAC.
fn is_denied(status: Box<Status>) -> bool {
    status.message.contains(&format!("ValidatingAdmissionPolicy '{POLICY}'"))
}

fn api(user: &User, kind: &str) -> Api<DynamicObject> {
    let kind = GroupVersionKind::gvk("admissionregistration.k8s.io", "v1", kind);
    Api::all_with(user.client.clone(), &ApiResource::from_gvk(&kind))
}

async fn patch(user: &User, kind: &str, patch: Value, dry: bool) -> Result<(), Box<Status>> {
    match json_patch(&api(user, kind), "garden-gate", &patch, dry).await {
        Ok(_) => Ok(()),
        Err(kube::Error::Api(status)) => Err(status),
        Err(other) => panic!("the API server did not answer: {other}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_gate_fills_the_secret_and_registers_its_authority() {
    let Some(installed) = Installed::start().await else {
        return;
    };
    installed.guarded().await;
    let _gate = installed.run();
    for kind in KINDS {
        eventually("the authority is registered", async || {
            installed.bundle(kind).await.is_string().then_some(())
        })
        .await;
    }
    let certificate = installed.certificate().await.unwrap();

    let changed = [DEFAULT, &["--set=webhooks.timeoutSeconds=7"]].concat();
    let admin = &installed.cluster.admin;
    installed.helm.upgrade(&admin.kubeconfig, &changed).unwrap();
    assert_eq!(installed.certificate().await, Some(certificate));
    assert!(installed.bundle(KINDS[0]).await.is_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upgrade_puts_back_a_secret_that_was_deleted() {
    let Some(installed) = Installed::start().await else {
        return;
    };
    let secrets = installed.secrets();
    let deletion = DeleteParams::default();
    secrets.delete("garden-gate-tls", &deletion).await.unwrap();
    let admin = &installed.cluster.admin;
    installed.helm.upgrade(&admin.kubeconfig, DEFAULT).unwrap();
    let labels = secrets.get("garden-gate-tls").await.unwrap().metadata.labels;
    assert_eq!(labels.unwrap()["app.kubernetes.io/managed-by"], "garden-gate");
    let _gate = installed.run();
    assert!(installed.certificate().await.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_account_may_change_the_authority_and_nothing_else() {
    let Some(installed) = Installed::start().await else {
        return;
    };
    installed.guarded().await;
    let admin = &installed.cluster.admin;
    for kind in KINDS {
        for (path, value) in changes() {
            let change = json!([{"op": "add", "path": path, "value": value}]);
            let allowed = patch(admin, kind, change.clone(), true).await;
            assert_eq!(allowed, Ok(()), "nobody else is kept from it: {kind} {path}");
            let refused = patch(&installed.gate, kind, change, true).await;
            assert!(refused.is_err_and(is_denied), "{kind} {path}");
        }
        let authority = json!([
            {"op": "add", "path": "/webhooks/0/clientConfig/caBundle", "value": "Zm9v"},
            {"op": "add", "path": "/webhooks/1/clientConfig/caBundle", "value": "Zm9v"},
        ]);
        let written = patch(&installed.gate, kind, authority, false).await;
        assert_eq!(written, Ok(()), "{kind}");
        assert_eq!(installed.bundle(kind).await, "Zm9v");
    }
}

/// Changes that would redirect requests to another server, or skip the judgement of requests.
fn changes() -> Vec<(&'static str, Value)> {
    let secrets = json!([
        {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["secrets"]}
    ]);
    let selector = json!({"matchLabels": {"a": "b"}});
    let owner = json!([{"apiVersion": "v1", "kind": "Namespace", "name": "garden", "uid": "1"}]);
    let elsewhere = json!({"url": "https://elsewhere.example.com/validate"});
    vec![
        ("/webhooks/0/rules", secrets),
        ("/webhooks/0/clientConfig", elsewhere),
        ("/webhooks/0/clientConfig/service/namespace", json!("elsewhere")),
        ("/webhooks/0/clientConfig/service/path", json!("/elsewhere")),
        ("/webhooks/0/failurePolicy", json!("Fail")),
        ("/webhooks/0/matchPolicy", json!("Exact")),
        ("/webhooks/0/timeoutSeconds", json!(1)),
        ("/webhooks/0/objectSelector", selector.clone()),
        ("/webhooks/0/namespaceSelector", selector),
        ("/webhooks/0/matchConditions", json!([{"name": "never", "expression": "false"}])),
        ("/webhooks/0/sideEffects", json!("NoneOnDryRun")),
        ("/webhooks/0/name", json!("another.garden-gate.dev")),
        ("/webhooks", json!([])),
        ("/metadata/ownerReferences", owner),
        ("/metadata/finalizers", json!(["example.com/stay"])),
        ("/metadata/labels/a", json!("b")),
        ("/metadata/annotations/a", json!("b")),
    ]
}

/// The account could set a field of a later Kubernetes version until the policy covers it.
#[tokio::test(flavor = "multi_thread")]
async fn the_policy_knows_every_field_of_a_webhook() {
    let Some(installed) = Installed::start().await else {
        return;
    };
    let objects = rendered(&installed.helm, DEFAULT);
    let policies = objects.iter().filter(|it| it.name_any() == POLICY);
    let expressions: String =
        policies.map(|policy| policy.data["spec"]["validations"].to_string()).collect();
    let schemas = schemas(&installed.cluster.admin).await;
    for (name, open) in [
        ("ValidatingWebhook", ["name", "clientConfig"]),
        ("MutatingWebhook", ["name", "clientConfig"]),
        ("WebhookClientConfig", ["caBundle", "caBundle"]),
    ] {
        let schema = &schemas[format!("io.k8s.api.admissionregistration.v1.{name}")];
        let fields = schema["properties"].as_object().unwrap().keys();
        for field in fields.filter(|field| !open.contains(&field.as_str())) {
            let compared = expressions.contains(&format!(".?{field} == before."));
            assert!(compared, "{field} of {name}");
        }
    }
}

/// Returns the OpenAPI schemas of the kinds in this group.
async fn schemas(user: &User) -> Value {
    let path = "/openapi/v3/apis/admissionregistration.k8s.io/v1";
    let request = axum::http::Request::get(path).body(Vec::new()).unwrap();
    let answer: Value = user.client.request(request).await.unwrap();
    answer["components"]["schemas"].clone()
}
