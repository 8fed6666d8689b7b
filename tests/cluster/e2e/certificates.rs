// SPDX-License-Identifier: Apache-2.0
use std::time::Duration;

use k8s_openapi::api::admissionregistration::v1::ValidatingWebhookConfiguration;
use k8s_openapi::api::core::v1::Secret;
use kube::Client;
use kube::api::{Api, PostParams};
use reqwest::Certificate;
use serde_json::json;

use crate::cluster::control_plane::Options;
use crate::cluster::objects::apply;
use crate::common::{Gate, GateArgs, eventually};
use crate::e2e::load::Load;
use crate::e2e::world::{api, enforced, garden, gate, shoot, webhooks};

/// A lifetime so short that CAs are also rotated during the test.
const LIFETIME: &str = "6s";

fn args() -> GateArgs {
    GateArgs::new()
        .flag("--cert-secret", "garden-dev/garden-gate-tls")
        .flag("--cert-name", "127.0.0.1")
        .flag("--webhook-configuration", "garden-gate")
        .flag("--cert-lifetime", LIFETIME)
}

/// Returns the CA bundle that the API server trusts now.
async fn bundle(client: &Client) -> Option<String> {
    let configurations: Api<ValidatingWebhookConfiguration> = Api::all(client.clone());
    let configuration = configurations.get("garden-gate").await.ok()?;
    let bundle = configuration.webhooks?.first()?.client_config.ca_bundle.clone()?;
    String::from_utf8(bundle.0).ok()
}

/// Opens a new connection that trusts this CA bundle.
async fn handshake(client: Client, url: String) -> Result<(), String> {
    let bundle = bundle(&client).await.ok_or("there is no bundle")?;
    let roots = Certificate::from_pem_bundle(bundle.as_bytes()).map_err(|it| it.to_string())?;
    let builder = reqwest::Client::builder().tls_certs_only(roots);
    let client = builder.timeout(Duration::from_secs(10)).build();
    let answer = client.unwrap().get(format!("{url}/healthz")).send().await;
    answer.map_err(|error| format!("{error:?}"))?;
    Ok(())
}

async fn secret(client: &Client, key: &str) -> String {
    let secrets: Api<Secret> = Api::namespaced(client.clone(), "garden-dev");
    let secret = secrets.get("garden-gate-tls").await.unwrap();
    let data = secret.data.unwrap();
    String::from_utf8(data[key].0.clone()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn certificates_and_authorities_are_replaced_without_a_failed_request() {
    let Some(cluster) = garden(Options::default()).await else {
        return;
    };
    let admin = cluster.admin.client.clone();
    let replicas: [Gate; 2] = [gate(&cluster, args()).await, gate(&cluster, args()).await];
    let [first, second] = &replicas;
    for replica in &replicas {
        eventually("the replica watches everything", async || {
            replica.log().contains("every watch of the garden is in sync")
        })
        .await;
    }
    // Each replica is called by one of the configurations.
    let yaml = webhooks(&first.url, None);
    let (mutating, validating) = yaml.rsplit_once("---\n").unwrap();
    apply(&admin, mutating).await;
    apply(&admin, &validating.replace(&first.url, &second.url)).await;
    let alice = cluster.user("alice", &["devs"]).await;
    eventually("the bundle is written", async || bundle(&admin).await.is_some()).await;
    enforced(&alice).await;
    let before = (secret(&admin, "ca.crt").await, secret(&admin, "tls.crt").await);

    let requests = Load::start(2, move || {
        let alice = alice.clone();
        async move {
            let dry = PostParams { dry_run: true, ..PostParams::default() };
            let created = api(&alice, "Shoot").create(&dry, &shoot("load", &json!([]))).await;
            created.map(drop).map_err(|error| error.to_string())
        }
    });
    let urls = [first.url.clone(), second.url.clone()];
    let client = admin.clone();
    let handshakes = Load::start(1, move || {
        let (client, urls) = (client.clone(), urls.clone());
        async move {
            for url in urls {
                handshake(client.clone(), url).await?;
            }
            Ok(())
        }
    });
    eventually("another authority signs", async || secret(&admin, "ca.crt").await != before.0)
        .await;
    let now = secret(&admin, "tls.crt").await;
    assert_ne!(now, before.1);
    eventually("the next certificate is there, too", async || {
        secret(&admin, "tls.crt").await != now
    })
    .await;
    requests.must_not_have_failed(100).await;
    handshakes.must_not_have_failed(100).await;
    let trusted = bundle(&admin).await.unwrap();
    assert!(trusted.contains(&before.0) || trusted.matches("BEGIN").count() <= 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_webhooks_of_others_are_left_alone() {
    let Some(cluster) = garden(Options::default()).await else {
        return;
    };
    let admin = cluster.admin.client.clone();
    let theirs =
        webhooks("https://127.0.0.1:1", None).replace("name: garden-gate\n", "name: theirs\n");
    apply(&admin, &theirs).await;
    apply(&admin, &webhooks("https://127.0.0.1:1", None)).await;
    let _gate = gate(&cluster, args()).await;
    eventually("ours is written", async || bundle(&admin).await.is_some()).await;
    let configurations: Api<ValidatingWebhookConfiguration> = Api::all(admin);
    let theirs = configurations.get("theirs").await.unwrap();
    let webhooks = theirs.webhooks.unwrap();
    assert!(webhooks.iter().all(|webhook| webhook.client_config.ca_bundle.is_none()));
}
