// SPDX-License-Identifier: Apache-2.0
//! Changes while the server runs: certificates, garden, configuration, and shutdown. No request is lost.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::common::reviews::{PROJECT, project, review, shoot};
use crate::common::{Gate, GateArgs, eventually};
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DistinguishedName, DnType,
    ExtendedKeyUsagePurpose, IsCa, KeyPair, SanType,
};
use reqwest::{Client, Identity};
use serde_json::{Value, json};
use tokio::task::JoinSet;

type Ca = CertifiedIssuer<'static, KeyPair>;

fn ca() -> Ca {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

/// Returns certificate and key as PEM; the year of expiry identifies certificates.
fn pair(ca: &Ca, year: i32) -> (String, String) {
    let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
    let mut params = CertificateParams::new(names).unwrap();
    params.not_after = rcgen::date_time_ymd(year, 1, 1);
    params.extended_key_usages =
        vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
    let key = KeyPair::generate().unwrap();
    let certificate = params.signed_by(&key, ca).unwrap();
    (certificate.pem(), key.serialize_pem())
}

/// Starts a server with certificate and key in a directory that is replaced like a mounted Secret.
fn gate_with_secret(ca: &Ca, year: i32) -> (Gate, tempfile::TempDir) {
    let secret = tempfile::TempDir::new().unwrap();
    swap(secret.path(), &pair(ca, year));
    for name in ["tls.crt", "tls.key"] {
        symlink(Path::new("..data").join(name), secret.path().join(name)).unwrap();
    }
    let path = |name: &str| secret.path().join(name).to_str().unwrap().to_owned();
    let args = GateArgs::new()
        .garden("dev.yaml", PROJECT)
        .file("ca.crt", &ca.pem())
        .flag("--tls-cert", &path("tls.crt"))
        .flag("--tls-key", &path("tls.key"));
    (Gate::start(&args), secret)
}

/// Replaces the directory as the kubelet does: a new directory, and one rename of the symbolic link.
fn swap(secret: &Path, (certificate, key): &(String, String)) {
    let version = tempfile::Builder::new().prefix("..v").tempdir_in(secret).unwrap().keep();
    fs::write(version.join("tls.crt"), certificate).unwrap();
    fs::write(version.join("tls.key"), key).unwrap();
    symlink(version.file_name().unwrap(), secret.join("..new")).unwrap();
    fs::rename(secret.join("..new"), secret.join("..data")).unwrap();
}

fn tolerating(key: &str) -> Value {
    review("CREATE", "shoots", &shoot(&json!([{"key": key}])), &Value::Null)
}

async fn allowed(gate: &Gate, review: &Value) -> bool {
    let (code, answer) = gate.post("/validate", review).await;
    assert_eq!(code, 200, "{answer}");
    answer["response"]["allowed"].as_bool().unwrap()
}

/// Clients that post continuously: over HTTP/2, over kept HTTP/1 connections, and over new connections.
struct Load {
    tasks: JoinSet<Result<(), String>>,
    state: Arc<LoadState>,
}

#[derive(Default)]
struct LoadState {
    answered: AtomicUsize,
    /// Whether the server may be gone.
    ending: AtomicBool,
    over: AtomicBool,
}

impl Load {
    fn start(gate: &Gate) -> Self {
        let state = Arc::<LoadState>::default();
        let mut tasks = JoinSet::new();
        let http1 = || gate.client_builder().http1_only();
        let each = http1().pool_max_idle_per_host(0);
        for client in
            [gate.client_builder().build(), http1().build(), http1().build(), each.build()]
        {
            let url = format!("{}/validate", gate.url);
            tasks.spawn(Self::post(client.unwrap(), url, Arc::clone(&state)));
        }
        Self { tasks, state }
    }

    async fn post(client: Client, url: String, state: Arc<LoadState>) -> Result<(), String> {
        let review = review("CREATE", "shoots", &shoot(&json!([])), &Value::Null);
        while !state.over.load(Ordering::Relaxed) {
            match client.post(&url).json(&review).send().await {
                Ok(response) if response.status() == 200 => {
                    let answer: Value = response.json().await.map_err(|it| format!("{it:?}"))?;
                    assert_eq!(answer["response"]["allowed"], true);
                    state.answered.fetch_add(1, Ordering::Relaxed);
                }
                Err(error) if error.is_connect() && state.ending.load(Ordering::Relaxed) => break,
                other => return Err(format!("{other:?}")),
            }
        }
        Ok(())
    }

    /// Waits for `count` more responses.
    async fn goes_on(&self, count: usize) {
        let before = self.state.answered.load(Ordering::Relaxed);
        let answered = async || self.state.answered.load(Ordering::Relaxed) >= before + count;
        eventually("requests are answered", answered).await;
    }

    /// Waits for all clients; panics at the first failure.
    async fn finish(self) {
        for result in self.tasks.join_all().await {
            result.unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_is_swapped_under_load_without_a_failed_request() {
    let ca = ca();
    let (gate, secret) = gate_with_secret(&ca, 2040);
    let load = Load::start(&gate);
    load.goes_on(50).await;
    for year in [2041, 2042] {
        swap(secret.path(), &pair(&ca, year));
        let not_after = rcgen::date_time_ymd(year, 1, 1).unix_timestamp() as f64;
        let loaded = async || gate.metric("certificate_not_after_seconds").await == not_after;
        eventually("the new certificate is loaded", loaded).await;
        let served = gate.connect().await;
        let chain = served.get_ref().1.peer_certificates().unwrap();
        let (_, leaf) = x509_parser::parse_x509_certificate(&chain[0]).unwrap();
        assert_eq!(leaf.validity().not_after.timestamp() as f64, not_after);
        load.goes_on(50).await;
    }
    load.state.over.store(true, Ordering::Relaxed);
    load.finish().await;
    assert_eq!(gate.metric("certificate_reload_failures_total").await, 0.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_does_not_fit_keeps_the_old_pair_in_use() {
    let ca = ca();
    let (gate, secret) = gate_with_secret(&ca, 2040);
    let (certificate, _) = pair(&ca, 2041);
    let (_, other_key) = pair(&ca, 2041);
    swap(secret.path(), &(certificate, other_key));
    let counted = async || gate.metric("certificate_reload_failures_total").await == 1.0;
    eventually("the failure is counted", counted).await;
    gate.logs("keeping the last valid one").await;
    assert_eq!(gate.metric("certificate_reload_failing").await, 1.0);
    let fresh = gate.client_builder().build().unwrap();
    let response = fresh.get(format!("{}/readyz", gate.url)).send().await;
    assert_eq!(response.unwrap().status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn expired_certificate_is_logged_when_loaded() {
    let ca = ca();
    let (gate, secret) = gate_with_secret(&ca, 2040);
    swap(secret.path(), &pair(&ca, 2020));
    gate.logs("expired at 2020-01-01T00:00:00Z, so clients reject it").await;
    let ended = rcgen::date_time_ymd(2020, 1, 1).unix_timestamp() as f64;
    let loaded = async || gate.metric("certificate_not_after_seconds").await == ended;
    eventually("the metric says so, too", loaded).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_clients_with_a_certificate_of_the_client_ca_may_connect() {
    let (clients, others) = (ca(), ca());
    let args = GateArgs::new()
        .file("clients.crt", &clients.pem())
        .flag("--client-ca", "{dir}/clients.crt");
    let gate = Gate::start(&args);
    let client = |ca: Option<&Ca>| {
        let mut builder = gate.client_builder();
        if let Some(ca) = ca {
            let (certificate, key) = pair(ca, 2040);
            let identity = Identity::from_pem(format!("{certificate}{key}").as_bytes());
            builder = builder.identity(identity.unwrap());
        }
        builder.build().unwrap()
    };
    let url = format!("{}/readyz", gate.url);
    let enters = async |ca| client(ca).get(&url).send().await.is_ok();
    assert!(enters(Some(&clients)).await);
    assert!(!enters(None).await);
    assert!(!enters(Some(&others)).await);
    let counted = async || gate.metric("tls_handshake_failures_total").await >= 2.0;
    eventually("both failures are counted", counted).await;
    gate.write("clients.crt", &others.pem());
    eventually("the new client CA counts", async || enters(Some(&others)).await).await;
    assert!(!enters(Some(&clients)).await);
}

/// Returns a client certificate of `ca` with a common name and, if given, a DNS name or URI.
fn named(ca: &Ca, common: &str, alternative: Option<SanType>) -> Identity {
    let mut params = CertificateParams::default();
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, common);
    params.subject_alt_names.extend(alternative);
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    let key = KeyPair::generate().unwrap();
    let certificate = params.signed_by(&key, ca).unwrap();
    let pem = format!("{}{}", certificate.pem(), key.serialize_pem());
    Identity::from_pem(pem.as_bytes()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn only_clients_with_one_of_the_names_may_connect() {
    let (clients, others) = (ca(), ca());
    let args = GateArgs::new()
        .file("clients.crt", &clients.pem())
        .flag("--client-ca", "{dir}/clients.crt")
        .flag("--client-name", "gardener-apiserver")
        .flag("--client-name", "spiffe://garden/kube-apiserver");
    let gate = Gate::start(&args);
    let uri = SanType::URI("spiffe://garden/kube-apiserver".try_into().unwrap());
    let dns = SanType::DnsName("gardener-apiserver".try_into().unwrap());
    let url = format!("{}/readyz", gate.url);
    for (identity, enters) in [
        (named(&clients, "gardener-apiserver", None), true),
        (named(&clients, "x", Some(uri)), true),
        (named(&clients, "x", Some(dns)), true),
        (named(&clients, "alice\nforged line", None), false),
        (named(&others, "gardener-apiserver", None), false),
    ] {
        let client = gate.client_builder().identity(identity).build().unwrap();
        assert_eq!(client.get(&url).send().await.is_ok(), enters);
    }
    gate.logs("the client certificate is for `alice\\nforged line`, and only --client-name gardener-apiserver or spiffe://garden/kube-apiserver may connect")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sigterm_under_load_loses_no_request() {
    let mut gate = Gate::start(&GateArgs::new().garden("dev.yaml", PROJECT));
    let load = Load::start(&gate);
    load.goes_on(50).await;
    load.state.ending.store(true, Ordering::Relaxed);
    gate.terminate();
    let unready = async || gate.get("/readyz").await == (503, "the server is stopping\n".into());
    eventually("readiness is off", unready).await;
    load.goes_on(1).await;
    load.finish().await;
    assert_eq!(gate.ended().await.code(), Some(0), "{}", gate.log());
}

#[tokio::test(flavor = "multi_thread")]
async fn sigterm_ends_idle_connections() {
    let mut gate = Gate::start(&GateArgs::new());
    let _idle = gate.connect().await;
    assert_eq!(gate.get("/readyz").await.0, 200);
    gate.terminate();
    assert_eq!(gate.ended().await.code(), Some(0), "{}", gate.log());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_garden_is_loaded_and_a_broken_one_is_not() {
    let gate = Gate::start(&GateArgs::new().garden("dev.yaml", PROJECT));
    let review = tolerating("foo");
    assert!(!allowed(&gate, &review).await);
    gate.write("garden/dev.yaml", &project("foo"));
    eventually("the whitelist counts", async || allowed(&gate, &review).await).await;
    gate.write("garden/dev.yaml", "kind: [");
    let counted = async || gate.metric("garden_reload_failures_total").await == 1.0;
    eventually("the failure is counted", counted).await;
    gate.logs("dev.yaml:1:8: ").await;
    assert!(allowed(&gate, &review).await);
    assert_eq!(gate.metric("garden_objects{kind=\"Project\"}").await, 1.0);
    gate.write("garden/dev.yaml", &project("bar"));
    let repaired = async || !allowed(&gate, &review).await;
    eventually("the repaired garden counts", repaired).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_garden_that_is_not_all_known_is_said_to_be_and_judged_by() {
    let broken = "apiVersion: core.gardener.cloud/v1beta1\nkind: Seed\na: [";
    let args = GateArgs::new().garden("broken.yaml", broken);
    let gate = Gate::start(&args.garden("dev.yaml", PROJECT));
    gate.logs("broken.yaml:3:5: ").await;
    let (code, text) = gate.get("/readyz").await;
    assert!(
        code == 200
            && text.starts_with("ok, but the garden `")
            && text.ends_with("` is incomplete: 1 of its entries cannot be read\n"),
        "{text}"
    );
    gate.write("garden/dev.yaml", &project("foo"));
    gate.logs("loaded the changed garden").await;
    assert!(allowed(&gate, &tolerating("foo")).await);
    gate.write("garden/broken.yaml", "");
    let is_repaired = async || gate.get("/readyz").await == (200, "ok\n".to_owned());
    eventually("all is known", is_repaired).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_configuration_is_loaded_and_a_broken_one_is_not() {
    let head = "apiVersion: garden-gate.dev/v1alpha1\nkind: GateConfiguration\n";
    let args = GateArgs::new().garden("dev.yaml", PROJECT).config(head);
    let gate = Gate::start(&args);
    let review = tolerating("foo");
    assert!(!allowed(&gate, &review).await);
    let whitelist = format!("{head}tolerations: {{whitelist: [{{key: foo}}]}}\n");
    gate.write("config.yaml", &whitelist);
    eventually("the whitelist counts", async || allowed(&gate, &review).await).await;
    gate.write("config.yaml", &format!("{head}profil: gardener\n"));
    let counted = async || gate.metric("config_reload_failures_total").await == 1.0;
    eventually("the failure is counted", counted).await;
    gate.logs("config.yaml:3:").await;
    assert!(allowed(&gate, &review).await);
    assert_eq!(gate.metric("config_reload_failing").await, 1.0);
    let (code, text) = gate.get("/readyz").await;
    let stale = "the changed configuration cannot be loaded, the last valid one is used\n";
    assert!(code == 200 && text.ends_with(stale), "{code} {text}");
    gate.write("config.yaml", &whitelist);
    let healed = async || gate.metric("config_reload_failing").await == 0.0;
    eventually("the configuration can be used again", healed).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_denial_is_counted_logged_and_explained() {
    let gate = Gate::start(&GateArgs::new().garden("dev.yaml", PROJECT));
    let (_, answer) = gate.post("/validate", &tolerating("foo")).await;
    let status = &answer["response"]["status"];
    assert_eq!(status["code"], 403);
    assert_eq!(status["details"]["name"], "crazy");
    let cause = &status["details"]["causes"][0];
    assert_eq!(cause["reason"], "FieldValueForbidden", "{answer}");
    let reviews = "reviews_total{endpoint=\"validate\",kind=\"Shoot\",operation=\"CREATE\",decision=\"denied\"}";
    assert_eq!(gate.metric(reviews).await, 1.0);
    let findings = "findings_total{rule=\"shoot/toleration-not-whitelisted\",level=\"deny\"}";
    assert_eq!(gate.metric(findings).await, 1.0);
    gate.logs("705ab4f5-6393-11e8-b7cc-42010a800002").await;
}
