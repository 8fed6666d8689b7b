// SPDX-License-Identifier: Apache-2.0
//! Jumps of the clock of a real HTTPS server, with each source of the garden and of the certificate.

use std::collections::BTreeMap;
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, Response, StatusCode};
use futures_util::stream::{self, StreamExt as _};
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use jiff::{SignedDuration, Timestamp};
use prometheus_client::metrics::counter::Counter;
use rcgen::{CertificateParams, KeyPair};
use reqwest::Client;
use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::time::{Instant, sleep};
use tower::ServiceExt as _;

use super::Clock;
use crate::garden::live::LiveSource;
use crate::server::{CertificateOptions, GardenOptions, ManagedOptions, Server, ServerOptions};
use garden_gate_core::config::ConfigFiles;
use garden_gate_model::api::Kind;

const DAYS: i64 = 400 * 86_400;
/// Time limit, far longer than needed even on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A garden cluster without objects. hyper adds the `Date` of each response.
#[derive(Clone, Default)]
struct ApiServer(Arc<Mutex<BTreeMap<String, Value>>>);

impl ApiServer {
    /// Serves plain HTTP until the runtime ends.
    async fn serve(self) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().fallback(move |request| self.clone().answer(request));
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let router = router.clone().map_request(|it: Request<Incoming>| it.map(Body::new));
                tokio::spawn(async move {
                    let (stream, service) =
                        (TokioIo::new(stream), TowerToHyperService::new(router));
                    let builder = Builder::new(TokioExecutor::new());
                    let _ = builder.serve_connection(stream, service).await;
                });
            }
        });
        address
    }

    async fn answer(self, request: Request<Body>) -> Response<Body> {
        let (head, body) = request.into_parts();
        let body = to_bytes(body, 1 << 20).await.unwrap();
        let body: Value = serde_json::from_slice(&body).unwrap_or_default();
        let path = head.uri.path().to_owned();
        if head.uri.query().is_some_and(|it| it.contains("watch=")) {
            // Without an event, the headers would not be sent.
            let bookmark =
                json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"resourceVersion": "7"}});
            let bookmark = json!({"type": "BOOKMARK", "object": bookmark});
            let first = stream::iter([Ok::<_, std::io::Error>(format!("{bookmark}\n"))]);
            return Response::new(Body::from_stream(first.chain(stream::pending())));
        }
        let mut stored = self.0.lock().unwrap();
        let is_list = || Kind::watched().any(|kind| path.ends_with(kind.resource()));
        let answer = match head.method {
            Method::GET if is_list() => {
                Some(json!({"metadata": {"resourceVersion": "7"}, "items": []}))
            }
            Method::GET => stored.get(&path).cloned(),
            Method::POST if path.ends_with("reviews") => Some(json!({"status": {"allowed": true}})),
            Method::POST => {
                let mut created = body;
                created["metadata"]["resourceVersion"] = json!("1");
                let name = created["metadata"]["name"].as_str().unwrap_or_default();
                stored.insert(format!("{path}/{name}"), created.clone());
                Some(created)
            }
            _ => None,
        };
        let code = if answer.is_some() { 200 } else { 404 };
        let name = path.rsplit('/').next();
        let absent = json!({"kind": "Status", "status": "Failure", "code": 404, "message": "not found", "reason": "NotFound", "details": {"name": name}});
        Response::builder().status(code).body(answer.unwrap_or(absent).to_string().into()).unwrap()
    }
}

/// A running server with a clock that the test sets.
struct Gate {
    url: String,
    metrics: String,
    client: Client,
    /// The number of seconds by which the clock is ahead.
    ahead: Arc<AtomicI64>,
}

impl Gate {
    async fn start(garden: GardenOptions, certificate: CertificateOptions) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let ahead = Arc::<AtomicI64>::default();
        let own = Arc::clone(&ahead);
        let clock = Clock::new(move || {
            Timestamp::now() + SignedDuration::from_secs(own.load(Ordering::Relaxed))
        });
        let any: SocketAddr = ([127, 0, 0, 1], 0).into();
        let options = ServerOptions {
            listen: any,
            metrics_listen: Some(any),
            publish_listen: None,
            publish_playground: None,
            certificate,
            client_ca: None,
            client_names: Vec::new(),
            garden,
            watch_patience: TIMEOUT,
            config: ConfigFiles::default(),
            policies: Vec::new(),
            gardener_version: None,
            memory_limit: None,
            audit_every: None,
            forecast_every: None,
            notify: None,
            record: None,
            pause: Duration::ZERO,
            dropped_log_lines: Counter::default(),
        };
        let server = Server::build_with(options, clock).await.unwrap();
        let (url, metrics) = (
            format!("https://{}", server.address()),
            format!("http://{}", server.health.as_ref().unwrap().address),
        );
        tokio::spawn(server.run(std::future::pending()));
        // Clients with the right time reject certificates that are issued by a wrong clock.
        let client = Client::builder().tls_danger_accept_invalid_certs(true);
        Self { url, metrics, client: client.build().unwrap(), ahead }
    }

    async fn get(&self, url: String) -> (StatusCode, String) {
        let response = self.client.get(url).send().await.unwrap();
        (response.status(), response.text().await.unwrap())
    }

    /// Waits until `/readyz` over HTTPS has a status code and contains some text.
    async fn until(&self, code: u16, text: &str) {
        let start = Instant::now();
        loop {
            let (status, body) = self.get(format!("{}/readyz", self.url)).await;
            if status == code && body.contains(text) {
                return;
            }
            let is_late = start.elapsed() > TIMEOUT;
            assert!(!is_late, "never {code} {text}, but {status} {body}");
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// Returns the value of `garden_gate_clock_ahead_seconds`.
    async fn metric(&self) -> i64 {
        let (_, text) = self.get(format!("{}/metrics", self.metrics)).await;
        let mut lines = text.lines();
        let value = lines.find_map(|it| it.strip_prefix("garden_gate_clock_ahead_seconds "));
        value.unwrap().parse().unwrap()
    }

    /// Lets the clock jump, and checks readiness and the metric.
    async fn jump(&self, ahead: i64, code: u16, text: &str) {
        self.ahead.store(ahead, Ordering::Relaxed);
        self.until(code, text).await;
        let metric = self.metric().await;
        assert!((metric - ahead).abs() < 30, "{metric} instead of {ahead}");
    }
}

#[derive(Clone, Copy, Debug)]
enum Certificate {
    Files,
    SelfMade,
    Managed,
}

impl Certificate {
    fn options(self, directory: &Path) -> CertificateOptions {
        let file = |name: &str| directory.join(name);
        match self {
            Self::Files => {
                let key = KeyPair::generate().unwrap();
                let params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
                let certificate = params.self_signed(&key).unwrap();
                fs::write(file("tls.crt"), certificate.pem()).unwrap();
                fs::write(file("tls.key"), key.serialize_pem()).unwrap();
                let (certificate, key) = (file("tls.crt"), file("tls.key"));
                CertificateOptions::Files { certificate, key }
            }
            Self::SelfMade => CertificateOptions::SelfMade { ca_out: file("ca.crt") },
            Self::Managed => CertificateOptions::Managed(ManagedOptions {
                namespace: "garden".to_owned(),
                secret: "tls".to_owned(),
                service: "gate".to_owned(),
                names: Vec::new(),
                webhook_configuration: None,
                lifetime: SignedDuration::from_hours(90 * 24),
            }),
        }
    }
}

async fn source(directory: &Path) -> LiveSource {
    let server = format!("http://{}", ApiServer::default().serve().await);
    let kubeconfig = json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "c",
        "clusters": [{"name": "c", "cluster": {"server": server}}],
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
        "users": [{"name": "u", "user": {"token": "t"}}],
    });
    let path = directory.join("kubeconfig");
    fs::write(&path, kubeconfig.to_string()).unwrap();
    let kubeconfig = Some(path);
    LiveSource { kubeconfig }
}

#[rstest]
#[case::files(Certificate::Files, true)]
#[case::self_made(Certificate::SelfMade, true)]
#[case::managed(Certificate::Managed, true)]
#[case::managed_without_garden(Certificate::Managed, false)]
#[tokio::test]
async fn clock_that_an_api_server_contradicts_ends_readiness_until_it_is_right(
    #[case] certificate: Certificate,
    #[case] has_garden: bool,
) {
    let directory = TempDir::new().unwrap();
    let source = source(directory.path()).await;
    let garden =
        if has_garden { GardenOptions::Live(source) } else { GardenOptions::Absent(source) };
    let gate = Gate::start(garden, certificate.options(directory.path())).await;
    gate.until(200, "ok").await;
    for (ahead, text) in [(DAYS, "ahead of the API server's"), (-DAYS, "behind the API server's")] {
        gate.jump(ahead, 503, text).await;
        gate.jump(0, 200, "ok").await;
    }
    // Some minutes are usual.
    gate.jump(200, 200, "ok").await;
}

#[rstest]
#[case::files(Certificate::Files)]
#[case::self_made(Certificate::SelfMade)]
#[tokio::test]
async fn jump_without_an_api_server_is_reported(#[case] certificate: Certificate) {
    let directory = TempDir::new().unwrap();
    let garden = GardenOptions::Directory {
        path: directory.path().to_owned(),
        is_whole: true,
        removal_delay: Duration::ZERO,
    };
    let gate = Gate::start(garden, certificate.options(directory.path())).await;
    gate.until(200, "ok").await;
    gate.jump(-DAYS, 200, "9600h back since the start").await;
    gate.jump(DAYS / 10_000, 200, "57m 36s forward since the start").await;
    gate.jump(0, 200, "ok\n").await;
}
