// SPDX-License-Identifier: Apache-2.0
use k8s_openapi::api::admissionregistration::v1::ValidatingWebhookConfiguration;
use k8s_openapi::api::authorization::v1::{
    ResourceAttributes, SubjectAccessReview, SubjectAccessReviewSpec,
};
use k8s_openapi::api::core::v1::Pod;
use kube::api::{Api, PostParams};
use kube::{Client, ResourceExt as _};
use serde_json::json;

use crate::chart::{
    ACCOUNT, ALL, CERT_MANAGER, CLIENT_CERTIFICATES, DEFAULT, MONITORING, NAMESPACE, NAMESPACES,
    OPERATOR_RUNTIME, PRIORITY_CLASS, SHOOT_CLUSTER, VIRTUAL_RUNTIME, only, rendered,
};
use crate::cluster::TestCluster;
use crate::cluster::helm::Helm;
use crate::cluster::objects::{apply, documents, dry_run, json_patch};
use crate::cluster::waiting::eventually;

#[tokio::test]
async fn an_api_server_accepts_every_rendered_object() {
    let (Some(helm), Some(cluster)) = (Helm::find(), TestCluster::start().await) else {
        return;
    };
    let client = &cluster.admin.client;
    apply(client, NAMESPACES).await;
    apply(client, include_str!("../optional-crds.yaml")).await;
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
        OPERATOR_RUNTIME,
    ] {
        let mut pod = only(&rendered(&helm, values), "Deployment")["spec"]["template"].clone();
        pod["metadata"]["name"] = json!("garden-gate");
        let pod: Pod = serde_json::from_value(pod).unwrap();
        let pods: Api<Pod> = Api::namespaced(cluster.admin.client.clone(), NAMESPACE);
        let params = PostParams { dry_run: true, ..PostParams::default() };
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
        may(client, "list", "core.gardener.cloud/shoots", "").await.then_some(())
    })
    .await;
    for (allowed, verb, resource, name) in [
        (true, "watch", "core.gardener.cloud/projects", ""),
        (true, "get", "core.gardener.cloud/exposureclasses", ""),
        (true, "create", "authorization.k8s.io/subjectaccessreviews", ""),
        (true, "get", "security.gardener.cloud/workloadidentities", "backup"),
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
        (false, "patch", "admissionregistration.k8s.io/validatingwebhookconfigurations", "another"),
        (false, "create", "admissionregistration.k8s.io/validatingwebhookconfigurations", ""),
        (false, "get", "/configmaps", "garden-gate"),
    ] {
        assert_eq!(may(client, verb, resource, name).await, allowed, "{verb} {resource} {name}");
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
    json_patch(&registrations, "garden-gate", &bundle, false).await.unwrap();

    let changed = [DEFAULT, &["--set=webhooks.timeoutSeconds=7"]].concat();
    helm.upgrade(kubeconfig, &changed).unwrap();
    let upgraded = registrations.get("garden-gate").await.unwrap();
    let webhook = &upgraded.webhooks.unwrap()[0];
    assert_eq!(webhook.timeout_seconds, Some(7));
    assert_eq!(webhook.client_config.ca_bundle.as_ref().unwrap().0, b"foo");
}

/// Reports whether the service account may do this.
///
/// `resource` is `group/plural`, or without a group in the own namespace, or `garden/plural` in that of the operators. An
/// empty `name` is any.
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
    let answer = reviews.create(&PostParams::default(), &review).await.unwrap();
    answer.status.unwrap().allowed
}
