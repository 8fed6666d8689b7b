// SPDX-License-Identifier: Apache-2.0
//! A fake API server over plain HTTP on loopback, in a separate process.
//!
//! It supports lists in pages, watches with a configurable rate of Shoot changes, and reviews of tokens and permissions
//! that accept everything.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::env;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::{Request, Response, StatusCode, Uri};
use axum::routing::{post, put};
use futures_util::{Stream, stream};
use garden_gate_model::api::{Kind, group_and_version};
use garden_gate_text::yaml;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::time::interval;
use tower::ServiceExt as _;

use crate::shoots::{self, Template};

/// The flag that runs this program as the API server.
pub(crate) const FLAG: &str = "--api-server";
/// Batches of events per second.
const BEATS: usize = 100;
/// Seeds between which Shoots move.
const SEEDS: [&str; 2] = ["stratus-eu", "stratus-us"];

/// An API server process, which is killed on drop.
pub(crate) struct ApiServer {
    process: Child,
    url: String,
}

impl ApiServer {
    /// Starts an API server with `shoots` Shoots.
    pub(crate) async fn start(port: u16, shoots: usize) -> Self {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args([FLAG, &port.to_string(), &shoots.to_string()]);
        let process = command.stdout(Stdio::null()).spawn().unwrap();
        let server = Self { process, url: format!("http://127.0.0.1:{port}") };
        while reqwest::get(&server.url).await.is_err() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        server
    }

    pub(crate) fn kubeconfig(&self) -> Value {
        json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "c",
            "clusters": [{"name": "c", "cluster": {"server": self.url}}],
            "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
            "users": [{"name": "u", "user": {"token": "t"}}],
        })
    }

    /// Sets the number of changes per second.
    pub(crate) async fn send(&self, events: usize) {
        let url = format!("{}/events/{events}", self.url);
        let answer = reqwest::Client::new().put(url).send().await.unwrap();
        assert!(answer.status().is_success());
    }
}

impl Drop for ApiServer {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The state that all requests share.
struct Store {
    shoots: usize,
    template: Template,
    /// Changes per second.
    events: AtomicUsize,
    /// All objects except Shoots, by plural name.
    others: BTreeMap<&'static str, Vec<Value>>,
}

#[derive(Deserialize)]
struct Asked {
    #[serde(default)]
    watch: bool,
    limit: Option<usize>,
    #[serde(rename = "continue")]
    begin: Option<usize>,
}

/// Serves until it is killed.
pub(crate) fn serve(port: u16, shoots: usize) {
    let store = Arc::new(Store {
        shoots,
        template: Template::json(),
        events: AtomicUsize::new(0),
        others: others(),
    });
    let router = Router::new()
        .route("/events/{count}", put(set_events))
        .route("/apis/authentication.k8s.io/v1/{reviews}", post(review))
        .route("/apis/authorization.k8s.io/v1/{reviews}", post(review))
        .fallback(objects)
        .with_state(store);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async move {
        let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
        while let Ok((stream, _)) = listener.accept().await {
            let service =
                router.clone().map_request(|request: Request<Incoming>| request.map(Body::new));
            let service = TowerToHyperService::new(service);
            tokio::spawn(async move {
                let builder = Builder::new(TokioExecutor::new());
                // A client may disconnect.
                let _ = builder.serve_connection(TokioIo::new(stream), service).await;
            });
        }
    });
}

/// Returns the objects of the example garden.
fn others() -> BTreeMap<&'static str, Vec<Value>> {
    let mut others: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for text in shoots::example().into_values() {
        for document in yaml::parse(&text).unwrap() {
            let object = document.to_value();
            let (group, _) = group_and_version(object["apiVersion"].as_str().unwrap());
            let kind = Kind::of_manifest(group, object["kind"].as_str().unwrap()).unwrap();
            others.entry(kind.resource()).or_default().push(object);
        }
    }
    others
}

async fn set_events(State(store): State<Arc<Store>>, Path(count): Path<usize>) {
    store.events.store(count, Ordering::Relaxed);
}

async fn review(body: String) -> String {
    let mut review: Value = serde_json::from_str(&body).unwrap();
    let user = json!({"username": "reader"});
    review["status"] = json!({"allowed": true, "authenticated": true, "user": user});
    review.to_string()
}

async fn objects(
    State(store): State<Arc<Store>>,
    uri: Uri,
    Query(asked): Query<Asked>,
) -> Response<Body> {
    let parts: Vec<&str> = uri.path().split('/').skip(1).collect();
    let rest = match parts[0] {
        "api" => &parts[2.min(parts.len())..],
        _ => &parts[3.min(parts.len())..],
    };
    match rest {
        ["shoots"] if asked.watch => Response::new(Body::from_stream(changes(store))),
        [_] if asked.watch => {
            Response::new(Body::from_stream(stream::pending::<Result<String, Infallible>>()))
        }
        ["shoots"] => Response::new(store.page(&asked)),
        [plural] | ["namespaces", _, plural] => Response::new(store.list(plural)),
        [plural, name] => store.one(plural, "", name),
        ["namespaces", namespace, plural, name] => store.one(plural, namespace, name),
        _ => not_found(),
    }
}

fn not_found() -> Response<Body> {
    let status =
        json!({"kind": "Status", "code": 404, "reason": "NotFound", "message": "not found"});
    let mut response = Response::new(status.to_string().into());
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

fn list(items: &[String], next: &str) -> Body {
    let metadata = json!({"resourceVersion": "1", "continue": next});
    format!(r#"{{"metadata": {metadata}, "items": [{}]}}"#, items.join(",")).into()
}

impl Store {
    fn page(&self, asked: &Asked) -> Body {
        let begin = asked.begin.unwrap_or_default();
        let end = asked.limit.map_or(self.shoots, |limit| self.shoots.min(begin + limit));
        let shoots = (begin..end).map(|number| self.template.shoot(number, SEEDS[0]));
        let next = if end < self.shoots { end.to_string() } else { String::new() };
        list(&shoots.collect::<Vec<_>>(), &next)
    }

    fn list(&self, plural: &str) -> Body {
        let objects = self.others.get(plural).into_iter().flatten();
        list(&objects.map(Value::to_string).collect::<Vec<_>>(), "")
    }

    fn one(&self, plural: &str, namespace: &str, name: &str) -> Response<Body> {
        let mut objects = self.others.get(plural).into_iter().flatten();
        let found = objects.find(|it| {
            let metadata = &it["metadata"];
            metadata["name"] == name
                && metadata["namespace"].as_str().unwrap_or_default() == namespace
        });
        found.map_or_else(not_found, |it| Response::new(it.to_string().into()))
    }
}

/// Moves one Shoot after another to the other seed and back.
fn changes(store: Arc<Store>) -> impl Stream<Item = Result<String, Infallible>> {
    let beats = interval(Duration::from_secs(1) / u32::try_from(BEATS).unwrap());
    stream::unfold((store, beats, 0), async |(store, mut beats, done)| {
        beats.tick().await;
        let count = store.events.load(Ordering::Relaxed) / BEATS;
        let event = |change: usize| {
            let (number, round) = (change % store.shoots, change / store.shoots);
            let shoot = store.template.shoot(number, SEEDS[(round + 1) % SEEDS.len()]);
            format!("{{\"type\": \"MODIFIED\", \"object\": {shoot}}}\n")
        };
        let events: String = (done..done + count).map(event).collect();
        Some((Ok(events), (store, beats, done + count)))
    })
}
