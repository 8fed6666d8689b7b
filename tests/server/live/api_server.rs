// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, Response};
use garden_gate_model::api::Kind;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::time::sleep;
use tower::ServiceExt as _;

/// An API server on loopback over plain HTTP, which stops when dropped.
pub(crate) struct ApiServer {
    script: Arc<Mutex<Script>>,
    address: SocketAddr,
    runtime: Option<Runtime>,
}

impl Drop for ApiServer {
    fn drop(&mut self) {
        // A test may be asynchronous, so that it must not wait for the runtime.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The behaviour of the server, and the received requests.
pub(crate) struct Script {
    /// Objects by plural name.
    pub(crate) objects: BTreeMap<&'static str, Vec<Value>>,
    /// The number of objects in a page.
    pub(crate) page: usize,
    /// The number of expired continue tokens.
    pub(crate) expired: usize,
    /// Responses by method and path, without the query: code, message, `details`.
    pub(crate) answers: BTreeMap<String, (u16, String, Value)>,
    /// Responses by path: code and body.
    pub(crate) bodies: BTreeMap<String, (u16, String)>,
    /// The pairs of user and verb that a SubjectAccessReview allows.
    pub(crate) may: Vec<(&'static str, &'static str)>,
    /// The users of tokens.
    pub(crate) users: BTreeMap<String, &'static str>,
    /// The pairs of user and namespace whose Shoots the user may read; an empty namespace means all.
    pub(crate) readers: Vec<(&'static str, &'static str)>,
    /// The duration of a SubjectAccessReview.
    pub(crate) review_takes: Duration,
    /// The impersonated users and groups of all requests.
    pub(crate) impersonated: Vec<[String; 2]>,
    /// Method, path and query of all requests, with the body.
    pub(crate) requests: Vec<(String, Value)>,
    /// The accepted media types of each request.
    pub(crate) accepts: BTreeMap<String, String>,
}

impl ApiServer {
    pub(crate) fn start() -> Self {
        let script = Script {
            objects: BTreeMap::new(),
            page: 500,
            expired: 0,
            answers: BTreeMap::new(),
            bodies: BTreeMap::new(),
            may: Vec::new(),
            users: BTreeMap::new(),
            readers: Vec::new(),
            review_takes: Duration::ZERO,
            impersonated: Vec::new(),
            requests: Vec::new(),
            accepts: BTreeMap::new(),
        };
        let script = Arc::new(Mutex::new(script));
        let runtime = Runtime::new().unwrap();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let own = Arc::clone(&script);
        runtime.spawn(async move {
            let listener = TcpListener::from_std(listener).unwrap();
            serve(listener, own).await;
        });
        Self { script, address, runtime: Some(runtime) }
    }

    pub(crate) fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap()
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Stores objects as aggregated API servers do: lists omit kind and version.
    pub(crate) fn hold(&self, objects: &[Value]) {
        for object in objects {
            let (group, _) =
                object["apiVersion"].as_str().unwrap().rsplit_once('/').unwrap_or_default();
            let kind = Kind::of_manifest(group, object["kind"].as_str().unwrap()).unwrap();
            let mut object = object.clone();
            let fields = object.as_object_mut().unwrap();
            fields.remove("apiVersion");
            fields.remove("kind");
            fields["metadata"]["resourceVersion"] = "7".into();
            let mut script = self.script();
            script.objects.entry(kind.resource()).or_default().push(object);
        }
    }

    /// Stores objects instead of those of the same kind.
    pub(crate) fn replace(&self, objects: &[Value]) {
        for object in objects {
            let plural = format!("{}s", object["kind"].as_str().unwrap().to_lowercase());
            self.script().objects.remove(plural.as_str());
        }
        self.hold(objects);
    }

    /// Sets the response to a request.
    pub(crate) fn answer(&self, request: &str, code: u16, message: &str) {
        let answer = (code, message.to_owned(), json!({}));
        self.script().answers.insert(request.to_owned(), answer);
    }

    /// Returns a kubeconfig with two contexts, of which `garden` is the current one.
    pub(crate) fn kubeconfig(&self) -> Value {
        let context = |name: &str| json!({"name": name, "context": {"cluster": "c", "user": "u"}});
        json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "garden",
            "clusters": [{"name": "c", "cluster": {"server": self.url()}}],
            "contexts": [context("garden"), context("another")],
            "users": [{"name": "u", "user": {"token": "t"}}],
        })
    }

    /// Returns the distinct requests in order, without the group of Gardener's kinds.
    pub(crate) fn asked(&self) -> Vec<String> {
        let script = self.script();
        let lines =
            script.requests.iter().map(|(line, _)| line.replace(CORE, "").replace("?&", "?"));
        let lines = lines.map(|line| line.trim_end_matches('?').to_owned());
        let mut lines: Vec<String> = lines.collect();
        lines.sort();
        lines
    }
}

const CORE: &str = "/apis/core.gardener.cloud/v1beta1";

async fn serve(listener: TcpListener, script: Arc<Mutex<Script>>) {
    let router = Router::new().fallback(move |request| answer(Arc::clone(&script), request));
    while let Ok((stream, _)) = listener.accept().await {
        let router = router.clone();
        let service = router.map_request(|request: Request<Incoming>| request.map(Body::new));
        let service = TowerToHyperService::new(service);
        tokio::spawn(async move {
            let builder = Builder::new(TokioExecutor::new());
            // A client may disconnect.
            let _ = builder.serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

async fn answer(script: Arc<Mutex<Script>>, request: Request<Body>) -> Response<Body> {
    let (head, body) = request.into_parts();
    let body = to_bytes(body, 1 << 20).await.unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    if head.uri.path().ends_with("/subjectaccessreviews") {
        let takes = script.lock().unwrap().review_takes;
        sleep(takes).await;
    }
    let mut script = script.lock().unwrap();
    let line = format!("{} {}", head.method, head.uri);
    script.requests.push((line, body.clone()));
    let header = |name: &str| {
        let value = head.headers.get(name)?.to_str().unwrap();
        Some(value.to_owned())
    };
    let accepts = header("accept").unwrap_or_default();
    script.accepts.insert(format!("{} {}", head.method, head.uri), accepts);
    if let Some(user) = header("impersonate-user") {
        let group = header("impersonate-group").unwrap_or_default();
        script.impersonated.push([user, group]);
    }
    let asked = format!("{} {}", head.method, head.uri.path().replace(CORE, ""));
    if let Some((code, message, details)) = script.answers.get(&asked) {
        return failure(*code, message, details);
    }
    if let Some((code, body)) = script.bodies.get(head.uri.path()) {
        let reply = Response::builder().status(*code);
        return reply.body(body.clone().into()).unwrap();
    }
    let query = head.uri.query().unwrap_or_default();
    if head.method == "POST" && asked.ends_with("/subjectaccessreviews") {
        return reply(201, &script.review(&body));
    }
    if head.method == "POST" && asked.ends_with("/tokenreviews") {
        return reply(201, &script.authenticate(&body));
    }
    if head.method == "POST" && asked.ends_with("/selfsubjectaccessreviews") {
        return reply(201, &json!({"status": {"allowed": true}}));
    }
    if query.contains("watch=true") {
        // A watch without events.
        let silence = futures_util::stream::pending::<Result<&str, std::io::Error>>();
        return Response::new(Body::from_stream(silence));
    }
    if head.method != "GET" {
        return reply(200, &body);
    }
    let parts: Vec<&str> = head.uri.path().trim_start_matches('/').split('/').collect();
    let rest = match parts[0] {
        "api" => &parts[2..],
        _ => &parts[3..],
    };
    match rest {
        ["namespaces", namespace, plural] => script.list(plural, Some(namespace), query),
        ["namespaces", namespace, plural, name] => script.get(plural, namespace, name),
        [plural] => script.list(plural, None, query),
        [plural, name] => script.get(plural, "", name),
        _ => unreachable!("{rest:?}"),
    }
}

impl Script {
    fn review(&self, asked: &Value) -> Value {
        let spec = &asked["spec"];
        let is_meant = |(user, verb): &(&str, &str)| {
            spec["user"] == *user && spec["resourceAttributes"]["verb"] == *verb
        };
        let attributes = &spec["resourceAttributes"];
        let is_shoots = attributes["resource"] == "shoots";
        let is_reader = |(user, namespace): &(&str, &str)| {
            let is_there = namespace.is_empty() || attributes["namespace"] == *namespace;
            is_shoots && spec["user"] == *user && is_there
        };
        let is_allowed = self.may.iter().any(is_meant) || self.readers.iter().any(is_reader);
        let mut review = asked.clone();
        review["status"] = json!({"allowed": is_allowed});
        review
    }

    fn authenticate(&self, asked: &Value) -> Value {
        let token = asked["spec"]["token"].as_str().unwrap_or_default();
        let mut review = asked.clone();
        review["status"] = match self.users.get(token) {
            Some(user) => {
                json!({"authenticated": true, "user": {"username": user, "groups": ["g"]}})
            }
            None => json!({"error": "invalid bearer token"}),
        };
        review
    }

    fn get(&self, plural: &str, namespace: &str, name: &str) -> Response<Body> {
        let mut objects =
            self.objects.get(plural).into_iter().flatten().filter(|it| is_in(it, namespace));
        match objects.find(|object| object["metadata"]["name"] == name) {
            Some(object) => reply(200, object),
            None => failure(404, "not found", &json!({"name": name, "kind": plural})),
        }
    }

    fn list(&mut self, plural: &str, namespace: Option<&str>, query: &str) -> Response<Body> {
        let from = query.split('&').find_map(|part| part.strip_prefix("continue="));
        if from.is_some() && self.expired > 0 {
            self.expired -= 1;
            return failure(410, "the continue token is too old", &json!({}));
        }
        let from: usize = from.map_or(0, |from| from.parse().unwrap());
        let objects = self
            .objects
            .get(plural)
            .into_iter()
            .flatten()
            .filter(|it| namespace.is_none_or(|namespace| is_in(it, namespace)));
        let label = query
            .split('&')
            .find_map(|part| part.strip_prefix("labelSelector="))
            .map(|it| it.replace("%2F", "/").replace("%3D", "="));
        let is_selected = |it: &&Value| {
            label.as_deref().is_none_or(|label| {
                let (name, value) = label.split_once('=').unwrap();
                it["metadata"]["labels"][name] == value
            })
        };
        let objects: Vec<&Value> = objects.filter(is_selected).collect();
        let page: Vec<_> = objects.iter().skip(from).take(self.page).collect();
        let next = from + self.page;
        let more = (next < objects.len()).then(|| next.to_string());
        let metadata = json!({"resourceVersion": "7", "continue": more});
        reply(200, &json!({"metadata": metadata, "items": page}))
    }
}

fn is_in(object: &Value, namespace: &str) -> bool {
    object["metadata"]["namespace"].as_str().unwrap_or_default() == namespace
}

fn reply(code: u16, body: &Value) -> Response<Body> {
    let reply = Response::builder().status(code).header("content-type", "application/json");
    reply.body(body.to_string().into()).unwrap()
}

fn failure(code: u16, message: &str, details: &Value) -> Response<Body> {
    let status = json!({
        "kind": "Status", "apiVersion": "v1", "status": "Failure",
        "code": code, "message": message, "reason": "x", "details": details,
    });
    reply(code, &status)
}
