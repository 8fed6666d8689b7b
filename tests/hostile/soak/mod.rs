// SPDX-License-Identifier: Apache-2.0
//! A long-running server that is reloaded repeatedly leaks nothing and gives correct verdicts.
//!
//! The resources are memory, files and threads. The test takes a minute. `GARDEN_GATE_SOAK=600 cargo test --test hostile
//! soak -- --nocapture` takes that many seconds.

mod api_server;
mod resources;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use reqwest::Client;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::sleep;

use self::api_server::ApiServer;
use self::resources::{Sample, Samples};
use crate::common::{Gate, GateArgs, eventually};
use crate::reviews::{create, recorded};
use crate::trial;

const VARIABLE: &str = "GARDEN_GATE_SOAK";
const SECONDS: u64 = 60;
/// Pause between two requests of one client, so that the test does not overload the machine.
const PAUSE: Duration = Duration::from_millis(20);
/// Part of the message of a 408.
const TOO_SLOW: &str = "the body was not complete after";
const BETWEEN_SAMPLES: Duration = Duration::from_millis(500);

/// A request with the correct response, which does not depend on reloaded files.
struct Case {
    path: &'static str,
    body: String,
    status: u16,
    /// Whether the request is allowed, and whether the object is changed.
    answer: Option<(bool, bool)>,
}

fn tolerating(key: &str) -> Value {
    let mut review = create();
    review["request"]["object"]["spec"]["tolerations"] = json!([{"key": key}]);
    review
}

fn cases() -> Vec<Case> {
    let case = |path, review: Value, allowed, changed| Case {
        path,
        body: review.to_string(),
        status: 200,
        answer: Some((allowed, changed)),
    };
    let mut incomplete = recorded("005-mutate-create-shoots");
    let pool = &mut incomplete["request"]["object"]["spec"]["provider"]["workers"][0];
    pool.as_object_mut().unwrap().remove("cri");
    vec![
        case("/validate", create(), true, false),
        case("/validate", recorded("004-validate-update-shoots"), true, false),
        case("/validate", recorded("008-validate-update-cloudprofiles"), true, false),
        case("/validate", tolerating("forbidden"), false, false),
        case("/mutate", recorded("001-mutate-update-shoots"), true, false),
        case("/mutate", incomplete, true, true),
        Case { path: "/mutate", body: "{".to_owned(), status: 400, answer: None },
    ]
}

impl Case {
    async fn check(&self, client: &Client, url: &str) -> Result<(), String> {
        let request =
            client.post(format!("{url}{}", self.path)).header("content-type", "application/json");
        let response = request
            .body(self.body.clone())
            .send()
            .await
            .map_err(|error| format!("no answer: {error:?}"))?;
        let status = response.status().as_u16();
        let answer: Value = response.json().await.map_err(|error| format!("{error:?}"))?;
        let verdict = &answer["response"];
        let seen = (verdict["allowed"] == true, !verdict["patch"].is_null());
        if status == self.status && self.answer.is_none_or(|right| right == seen) {
            Ok(())
        } else {
            Err(format!("{} of {:.200}: {status} {answer}", self.path, self.body))
        }
    }
}

/// Clients that send the cases in turn until they are stopped.
struct Load {
    stop: Arc<AtomicBool>,
    answered: Arc<AtomicUsize>,
    clients: JoinSet<Vec<String>>,
}

impl Load {
    /// Starts one client over HTTP/2, one over a kept HTTP/1.1 connection, and one with a new connection per request.
    fn start(gate: &Gate) -> Self {
        let (stop, answered) = (Arc::<AtomicBool>::default(), Arc::<AtomicUsize>::default());
        let http1 = || gate.client_builder().http1_only();
        let mut clients = JoinSet::new();
        for client in [gate.client_builder(), http1(), http1().pool_max_idle_per_host(0)] {
            let (client, url) = (client.build().unwrap(), gate.url.clone());
            let (stop, answered) = (Arc::clone(&stop), Arc::clone(&answered));
            clients.spawn(async move {
                let mut failures = Vec::new();
                for case in cases().iter().cycle() {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    let mut checked = case.check(&client, &url).await;
                    // On a busy machine, a client may send its body too slowly; it sends the request again.
                    if matches!(&checked, Err(failure) if failure.contains(TOO_SLOW)) {
                        checked = case.check(&client, &url).await;
                    }
                    failures.extend(checked.err());
                    answered.fetch_add(1, Ordering::Relaxed);
                    sleep(PAUSE).await;
                }
                failures
            });
        }
        Self { stop, answered, clients }
    }

    /// Returns the number of requests, and the errors.
    async fn end(self) -> (usize, Vec<String>) {
        self.stop.store(true, Ordering::Relaxed);
        let failures = self.clients.join_all().await.concat();
        (self.answered.load(Ordering::Relaxed), failures)
    }
}

/// Serving certificates of one CA in a directory that is replaced like a mounted Secret.
struct Certificates(CertifiedIssuer<'static, KeyPair>);

impl Certificates {
    fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    /// Replaces the pair in `secret`; returns its expiration as a Unix time.
    fn replace(&self, secret: &Path, year: i32) -> f64 {
        let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
        let mut params = CertificateParams::new(names).unwrap();
        params.not_after = rcgen::date_time_ymd(year, 1, 1);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.0).unwrap();
        let version = secret.join(format!("..{year}"));
        fs::create_dir_all(&version).unwrap();
        fs::write(version.join("tls.crt"), certificate.pem()).unwrap();
        fs::write(version.join("tls.key"), key.serialize_pem()).unwrap();
        symlink(version.file_name().unwrap(), secret.join("..new")).unwrap();
        fs::rename(secret.join("..new"), secret.join("..data")).unwrap();
        params.not_after.unix_timestamp() as f64
    }
}

/// A server whose files all change while it runs.
struct OfFiles {
    gate: Gate,
    certificates: Certificates,
    secret: tempfile::TempDir,
}

impl OfFiles {
    fn start() -> Self {
        let (certificates, secret) = (Certificates::new(), tempfile::tempdir().unwrap());
        certificates.replace(secret.path(), 2050);
        let path = |name: &str| secret.path().join("..data").join(name).display().to_string();
        let mut args = GateArgs::new()
            .file("ca.crt", &certificates.0.pem())
            .flag("--tls-cert", &path("tls.crt"))
            .flag("--tls-key", &path("tls.key"))
            // Objects that vanish are deleted immediately, so that each round changes the garden.
            .flag("--garden-removal-delay", "0s")
            .config(&config(0));
        for file in fs::read_dir("examples/garden").unwrap() {
            let file = file.unwrap();
            let text = fs::read_to_string(file.path()).unwrap();
            args = args.garden(file.file_name().to_str().unwrap(), &text);
        }
        Self { gate: Gate::start(&args), certificates, secret }
    }

    /// Changes configuration, certificate and garden, and waits until each is active.
    async fn reload(&self, round: usize) {
        let Self { gate, .. } = self;
        gate.write("config.yaml", &config(round));
        let probe = tolerating("whitelisted-at-times");
        eventually("the configuration is used", async || {
            let (_, answer) = gate.post("/validate", &probe).await;
            answer["response"]["allowed"] == is_whitelisted(round)
        })
        .await;
        let year = 2051 + i32::try_from(round % 2).unwrap();
        let expires = self.certificates.replace(self.secret.path(), year);
        eventually("the certificate is used", async || {
            gate.metric("certificate_not_after_seconds").await == expires
        })
        .await;
        let classes = format!("{SOME_CLASS}{}", ANOTHER_CLASS.repeat(round % 2));
        let known = gate.metric(CLASSES).await;
        gate.write("garden/more.yaml", &classes);
        eventually("the garden is used", async || gate.metric(CLASSES).await != known).await;
    }
}

const CLASSES: &str = "garden_objects{kind=\"ExposureClass\"}";
const SOME_CLASS: &str = "
apiVersion: core.gardener.cloud/v1beta1
kind: ExposureClass
metadata: {name: soak-1}
handler: soak
";
const ANOTHER_CLASS: &str = "---
apiVersion: core.gardener.cloud/v1beta1
kind: ExposureClass
metadata: {name: soak-2}
handler: soak
";

fn is_whitelisted(round: usize) -> bool {
    round % 2 == 1
}

fn config(round: usize) -> String {
    let keys: &[Value] =
        if is_whitelisted(round) { &[json!({"key": "whitelisted-at-times"})] } else { &[] };
    let config = json!({
        "apiVersion": "garden-gate.dev/v1alpha1", "kind": "GateConfiguration",
        "tolerations": {"whitelist": keys},
    });
    config.to_string()
}

#[test]
fn soak_needs_no_more_memory_files_or_threads_over_time() {
    let _alone = trial::alone();
    let seconds = std::env::var(VARIABLE).map_or(SECONDS, |text| text.parse().unwrap());
    let runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = { runtime }.worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(soak(Duration::from_secs(seconds)));
}

async fn soak(time: Duration) {
    let api_server = ApiServer::start().await;
    let folder = tempfile::tempdir().unwrap();
    let kubeconfig = folder.path().join("kubeconfig");
    fs::write(&kubeconfig, api_server.kubeconfig()).unwrap();
    let files = OfFiles::start();
    let live = Gate::start(&GateArgs::new().live(&kubeconfig));
    let gates = [&files.gate, &live];
    for gate in gates {
        eventually("it is ready", async || gate.get("/readyz").await.0 == 200).await;
    }
    let loads = gates.map(Load::start);
    let samples = gates.map(|gate| tokio::spawn(sample(gate.id(), time)));
    let end = Instant::now() + time;
    let mut rounds = 0;
    while Instant::now() < end {
        files.reload(rounds).await;
        rounds += 1;
    }
    let mut wrong = Vec::new();
    for ((samples, load), name) in samples.into_iter().zip(loads).zip(["files", "live"]) {
        let (samples, (answered, failures)) = (samples.await.unwrap(), load.end().await);
        trial::report(&format!("soak, {name}: {answered} answered, {}", samples.summary()));
        let enough = usize::try_from(time.as_secs()).unwrap() * 5;
        wrong.extend((answered < enough).then(|| format!("{name}: {answered} requests")));
        wrong
            .extend(failures.into_iter().chain(samples.growth()).map(|it| format!("{name}: {it}")));
    }
    let watches = api_server.objects.ended_watches.load(Ordering::Relaxed);
    trial::report(&format!("soak: {rounds} reloads, {watches} watches ended"));
    assert!(wrong.is_empty(), "{} wrong: {:.2000}", wrong.len(), wrong.join("\n"));
    assert!(rounds > 2 && watches > 10, "{rounds} reloads, {watches} watches");
    for gate in gates {
        for failures in [
            "panics_total",
            "config_reload_failing",
            "policy_reload_failing",
            "garden_reload_failing",
        ] {
            assert_eq!(gate.metric(failures).await, 0.0, "{failures}");
        }
        // Refused requests are logged, although the lines of one client are limited.
        assert!(gate.log().contains("decision=\"denied\""), "{}", gate.log());
    }
}

async fn sample(process: u32, time: Duration) -> Samples {
    let (begin, mut samples) = (Instant::now(), Samples::default());
    while begin.elapsed() < time {
        samples.0.push(Sample::take(process));
        sleep(BETWEEN_SAMPLES).await;
    }
    samples
}
