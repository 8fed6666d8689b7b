// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::{Request, Response, StatusCode, Uri};
use axum::routing::post;
use futures_util::stream;
use garden_gate_model::api::{Kind, group_and_version};
use garden_gate_text::yaml;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::time::sleep;
use tower::ServiceExt as _;

/// Duration of a watch.
const WATCH: Duration = Duration::from_secs(1);
/// One in this many watches ends with `410 Gone`, after which the client lists again.
const GONE: usize = 4;

/// An API server over HTTP on loopback with the objects of `examples/garden`.
///
/// It grants everything and ends each watch after a second.
pub(super) struct ApiServer {
    url: String,
    pub(super) objects: Arc<Objects>,
}

/// The objects, and the number of ended watches.
#[derive(Default)]
pub(super) struct Objects {
    by_resource: BTreeMap<&'static str, Vec<Value>>,
    pub(super) ended_watches: AtomicUsize,
}

#[derive(Deserialize)]
struct Parameters {
    #[serde(default)]
    watch: bool,
}

impl ApiServer {
    /// Starts the server in the current runtime.
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let objects = Arc::new(Objects::of_the_examples());
        let router = Router::new()
            .route("/apis/authorization.k8s.io/v1/{reviews}", post(grant))
            .fallback(answer)
            .with_state(Arc::clone(&objects));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let service = router.clone();
                let service =
                    service.map_request(|request: Request<Incoming>| request.map(Body::new));
                let service = TowerToHyperService::new(service);
                tokio::spawn(async move {
                    let builder = Builder::new(TokioExecutor::new());
                    let connection = builder.serve_connection(TokioIo::new(stream), service);
                    // A client may close its connection at any time.
                    let _ = connection.await;
                });
            }
        });
        Self { url, objects }
    }

    pub(super) fn kubeconfig(&self) -> String {
        let kubeconfig = json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "c",
            "clusters": [{"name": "c", "cluster": {"server": self.url}}],
            "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
            "users": [{"name": "u", "user": {"token": "t"}}],
        });
        kubeconfig.to_string()
    }
}

impl Objects {
    fn of_the_examples() -> Self {
        let mut objects = Self::default();
        for file in fs::read_dir("examples/garden").unwrap() {
            let text = fs::read_to_string(file.unwrap().path()).unwrap();
            for document in yaml::parse(&text).unwrap() {
                let mut object = document.to_value();
                object["metadata"]["resourceVersion"] = json!("1");
                let (group, _) = group_and_version(object["apiVersion"].as_str().unwrap());
                let kind = Kind::of_manifest(group, object["kind"].as_str().unwrap());
                let Some(kind) = kind else { continue };
                let list = objects.by_resource.entry(kind.resource()).or_default();
                list.push(object);
            }
        }
        objects
    }

    fn list(&self, resource: &str) -> Body {
        let items = self.by_resource.get(resource).cloned().unwrap_or_default();
        let list = json!({"metadata": {"resourceVersion": "1"}, "items": items});
        list.to_string().into()
    }

    /// Returns one event for each object, and then the end of the watch.
    fn watch(self: Arc<Self>, resource: &str) -> Body {
        let items = self.by_resource.get(resource).cloned().unwrap_or_default();
        let event = |object: Value| format!("{}\n", json!({"type": "MODIFIED", "object": object}));
        let events: String = items.into_iter().map(event).collect();
        let end = async move {
            sleep(WATCH).await;
            let ended = self.ended_watches.fetch_add(1, Ordering::Relaxed);
            let gone = json!({"type": "ERROR", "object": {
                "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
                "message": "too old resource version", "reason": "Expired", "code": 410,
            }});
            match ended % GONE {
                0 => format!("{gone}\n"),
                _ => String::new(),
            }
        };
        let chunks = stream::unfold(Some((events, end)), async |state| match state {
            Some((events, end)) if events.is_empty() => Some((end.await, None)),
            Some((events, end)) => Some((events, Some((String::new(), end)))),
            None => None,
        });
        Body::from_stream(futures_util::StreamExt::map(chunks, Ok::<_, Infallible>))
    }

    fn one(&self, resource: &str, namespace: &str, name: &str) -> Response<Body> {
        let objects = self.by_resource.get(resource);
        let found = objects.into_iter().flatten().find(|object| {
            let metadata = &object["metadata"];
            metadata["name"] == name && metadata["namespace"].as_str().unwrap_or("") == namespace
        });
        found.map_or_else(not_found, |object| Response::new(object.to_string().into()))
    }
}

async fn grant(body: String) -> String {
    let mut review: Value = serde_json::from_str(&body).unwrap();
    review["status"] = json!({"allowed": true});
    review.to_string()
}

async fn answer(
    State(objects): State<Arc<Objects>>,
    uri: Uri,
    Query(parameters): Query<Parameters>,
) -> Response<Body> {
    let parts: Vec<&str> = uri.path().split('/').skip(1).collect();
    let prefix = if parts[0] == "api" { 2 } else { 3 };
    match &parts[prefix.min(parts.len())..] {
        [resource] if parameters.watch => Response::new(objects.watch(resource)),
        [resource] | ["namespaces", _, resource] => Response::new(objects.list(resource)),
        [resource, name] => objects.one(resource, "", name),
        ["namespaces", namespace, resource, name] => objects.one(resource, namespace, name),
        _ => not_found(),
    }
}

fn not_found() -> Response<Body> {
    let status = json!({"kind": "Status", "code": 404, "reason": "NotFound", "message": ""});
    let mut response = Response::new(status.to_string().into());
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}
