// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::path::Path;

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa,
    KeyPair,
};
use serde_json::json;

use crate::cluster::control_plane::Options;
use crate::cluster::objects::apply;
use crate::common::{GateArgs, eventually};
use crate::e2e::world::{api, enforced, garden, gate, shoot, status, webhooks};

type Ca = CertifiedIssuer<'static, KeyPair>;

fn ca() -> Ca {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

/// Writes the API server's files as documented for the chart.
///
/// These are its certificate, a kubeconfig that names it for the webhook server, and the admission configuration.
fn write(folder: &Path, ca: &Ca) {
    let mut params = CertificateParams::default();
    let name = "gardener-apiserver";
    params.distinguished_name.push(DnType::CommonName, name);
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    let key = KeyPair::generate().unwrap();
    let certificate = params.signed_by(&key, ca).unwrap();
    fs::write(folder.join("client.crt"), certificate.pem()).unwrap();
    fs::write(folder.join("client.key"), key.serialize_pem()).unwrap();
    let kubeconfig = folder.join("kubeconfig");
    let user = json!({
        "client-certificate": folder.join("client.crt"),
        "client-key": folder.join("client.key"),
    });
    // The port of the webhook server is not known yet, so its address cannot be the name.
    let config =
        json!({"apiVersion": "v1", "kind": "Config", "users": [{"name": "*", "user": user}]});
    fs::write(&kubeconfig, config.to_string()).unwrap();
    let plugins = ["ValidatingAdmissionWebhook", "MutatingAdmissionWebhook"].map(|name| {
        json!({"name": name, "configuration": {
            "apiVersion": "apiserver.config.k8s.io/v1",
            "kind": "WebhookAdmissionConfiguration",
            "kubeConfigFile": kubeconfig,
        }})
    });
    let admission = json!({
        "apiVersion": "apiserver.config.k8s.io/v1",
        "kind": "AdmissionConfiguration",
        "plugins": plugins,
    });
    fs::write(folder.join("admission.yaml"), admission.to_string()).unwrap();
}

/// Registers a server that requires a client certificate of `ca`.
///
/// Returns whether the API server, with a certificate of `told`, gets a verdict.
async fn is_let_in(ca: &Ca, told: &Ca) -> Option<bool> {
    let folder = tempfile::TempDir::new().unwrap();
    write(folder.path(), told);
    let admission = folder.path().join("admission.yaml");
    let flag = format!("--admission-control-config-file={}", admission.display());
    let cluster = garden(Options::default().flag(flag)).await?;
    let args =
        GateArgs::new().file("clients.crt", &ca.pem()).flag("--client-ca", "{dir}/clients.crt");
    let gate = gate(&cluster, args).await;
    let probe = format!("{}/readyz", gate.metrics_url().await);
    eventually("the gate is ready", async || {
        let answer = reqwest::get(&probe).await;
        answer.is_ok_and(|answer| answer.status() == 200)
    })
    .await;
    let yaml = webhooks(&gate.url, Some(&gate.path("ca.crt")));
    apply(&cluster.admin.client, &yaml).await;
    let alice = cluster.user("alice", &["devs"]).await;
    if ca.pem() == told.pem() {
        enforced(&alice).await;
        return Some(true);
    }
    // Writes are allowed until the webhooks are active.
    let mut refusal = String::new();
    eventually("writes fail", async || {
        let dry = kube::api::PostParams { dry_run: true, ..Default::default() };
        let answer = api(&alice, "Shoot").create(&dry, &shoot("probe", &json!([]))).await;
        refusal = answer.err().map_or_else(String::new, |it| status(it).message);
        !refusal.is_empty()
    })
    .await;
    assert!(refusal.contains("failed calling webhook"), "{refusal}");
    Some(false)
}

#[tokio::test(flavor = "multi_thread")]
async fn api_server_presents_its_certificate_if_configured() {
    let ca = ca();
    let Some(let_in) = is_let_in(&ca, &ca).await else {
        return;
    };
    assert!(let_in);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_api_server_with_the_certificate_of_another_authority_gets_no_verdict() {
    let Some(let_in) = is_let_in(&ca(), &ca()).await else {
        return;
    };
    assert!(!let_in);
}
