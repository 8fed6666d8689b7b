// SPDX-License-Identifier: Apache-2.0
//! An API server on loopback with large objects, whose failures a test controls.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::http::{Request, Response};
use futures_util::{StreamExt as _, stream};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use tokio::time::sleep;

/// The resource version of every stored object and list.
const VERSION: u64 = 7;
/// Pause before each chunk of a slow page.
const PAUSE: Duration = Duration::from_millis(20);

/// An API server over plain HTTP, which stops when dropped.
pub(crate) struct ApiServer {
    script: Arc<Mutex<Script>>,
    address: SocketAddr,
    _runtime: Runtime,
}

/// The objects, the failures, and the received requests.
#[derive(Default)]
pub(crate) struct Script {
    /// Objects by plural name.
    objects: BTreeMap<&'static str, Vec<Object>>,
    /// Maximum size of a page in bytes, if it is reached before the limit.
    pub(crate) page_bytes: Option<usize>,
    /// Number of continue tokens that are refused as expired.
    pub(crate) expired: usize,
    /// Number of lists that are cut in the middle.
    pub(crate) broken_lists: usize,
    /// Whether pages arrive in many small chunks.
    pub(crate) is_slow: bool,
    /// Path and query of each GET.
    pub(crate) requests: Vec<String>,
    /// The number of complete lists, by plural name.
    pub(crate) lists: BTreeMap<String, usize>,
    watches: BTreeMap<String, mpsc::UnboundedSender<io::Result<Bytes>>>,
}

/// A stored object: its name, and the JSON after that.
#[derive(Clone)]
pub(crate) struct Object {
    pub(crate) name: String,
    pub(crate) rest: Bytes,
}

impl Object {
    /// Returns an object with this metadata and other fields, as JSON with a comma before each.
    pub(crate) fn new(name: &str, metadata: &str, fields: &str) -> Self {
        let rest = format!("\"resourceVersion\":\"{VERSION}\"{metadata}}}{fields}}}");
        Self { name: name.to_owned(), rest: rest.into() }
    }

    /// Returns `count` objects that differ only in their names.
    pub(crate) fn many(count: usize, metadata: &str, fields: &str) -> Vec<Self> {
        let first = Self::new("", metadata, fields);
        let named =
            (0..count).map(|number| Self { name: format!("o{number:05}"), ..first.clone() });
        named.collect()
    }

    /// Returns the object with another resource version.
    pub(crate) fn with_version(&self, version: u64) -> Self {
        let old = format!("\"resourceVersion\":\"{VERSION}\"");
        let behind = self.rest.slice(old.len()..);
        let new = format!("\"resourceVersion\":\"{version}\"");
        Self { name: self.name.clone(), rest: [new.as_bytes(), &behind].concat().into() }
    }

    fn parts(&self) -> [Bytes; 2] {
        let head = format!("{{\"metadata\":{{\"name\":\"{}\",", self.name);
        [head.into(), self.rest.clone()]
    }

    fn len(&self) -> usize {
        self.parts().iter().map(Bytes::len).sum()
    }
}

impl ApiServer {
    pub(crate) fn start() -> Self {
        let script = Arc::<Mutex<Script>>::default();
        let runtime = Runtime::new().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        runtime.spawn(serve(listener, Arc::clone(&script)));
        Self { script, address, _runtime: runtime }
    }

    pub(crate) fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap()
    }

    pub(crate) fn store(&self, plural: &'static str, objects: Vec<Object>) {
        self.script().objects.insert(plural, objects);
    }

    pub(crate) fn kubeconfig(&self) -> String {
        let server = format!("http://{}/", self.address);
        json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "garden",
            "clusters": [{"name": "c", "cluster": {"server": server}}],
            "contexts": [{"name": "garden", "context": {"cluster": "c", "user": "u"}}],
            "users": [{"name": "u", "user": {"token": "t"}}],
        })
        .to_string()
    }

    /// Sends an event about an object to the watch of its kind; returns `false` without a watch.
    pub(crate) fn send_object(&self, plural: &str, change: &str, object: &Object) -> bool {
        self.send(plural, change, &object.parts().concat())
    }

    fn send(&self, plural: &str, change: &str, object: &[u8]) -> bool {
        let head = format!("{{\"type\":\"{change}\",\"object\":");
        let line = [head.as_bytes(), object, b"}\n"].concat();
        let script = self.script();
        let watch = script.watches.get(plural);
        watch.is_some_and(|watch| watch.send(Ok(line.into())).is_ok())
    }

    /// Ends the watch of a kind because its version is too old; a list follows.
    pub(crate) fn expire(&self, plural: &str) -> bool {
        let status = json!({
            "kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 410,
            "reason": "Expired", "message": "too old resource version",
        });
        let is_sent = self.send(plural, "ERROR", status.to_string().as_bytes());
        self.script().watches.remove(plural);
        is_sent
    }

    /// Resets the connection of a watch.
    pub(crate) fn reset(&self, plural: &str) -> bool {
        let watch = self.script().watches.remove(plural);
        watch.is_some_and(|watch| watch.send(Err(io::ErrorKind::ConnectionReset.into())).is_ok())
    }

    pub(crate) fn is_watched(&self, plural: &str) -> bool {
        self.script().watches.contains_key(plural)
    }

    pub(crate) fn lists(&self, plural: &str) -> usize {
        self.script().lists.get(plural).copied().unwrap_or_default()
    }
}

async fn serve(listener: TcpListener, script: Arc<Mutex<Script>>) {
    while let Ok((stream, _)) = listener.accept().await {
        let script = Arc::clone(&script);
        let service = service_fn(move |request: Request<Incoming>| {
            let script = Arc::clone(&script);
            async move { Ok::<_, Infallible>(answer(&script, request.map(Body::new)).await) }
        });
        tokio::spawn(async move {
            let builder = Builder::new(TokioExecutor::new());
            // A client that disconnects is not a failure.
            let _ = builder.serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

async fn answer(script: &Mutex<Script>, request: Request<Body>) -> Response<Body> {
    let (head, body) = request.into_parts();
    let body = to_bytes(body, 1 << 20).await.unwrap();
    if head.method != "GET" {
        let mut review: Value = serde_json::from_slice(&body).unwrap_or_default();
        review["status"] = json!({"allowed": true});
        return reply(201, review.to_string());
    }
    let mut script = script.lock().unwrap();
    script.requests.push(head.uri.to_string());
    let query = head.uri.query().unwrap_or_default();
    let (_, last) = head.uri.path().rsplit_once('/').unwrap();
    if query.contains("watch=true") {
        return script.watch(last);
    }
    if query.contains("limit=") {
        return script.list(last, query);
    }
    script.get(last)
}

impl Script {
    fn watch(&mut self, plural: &str) -> Response<Body> {
        let (sender, receiver) = mpsc::unbounded_channel();
        self.watches.insert(plural.to_owned(), sender);
        let lines = stream::unfold(receiver, async |mut receiver| {
            let line: Option<io::Result<Bytes>> = receiver.recv().await;
            line.map(|line| (line, receiver))
        });
        Response::new(Body::from_stream(lines))
    }

    fn list(&mut self, plural: &str, query: &str) -> Response<Body> {
        let number = |name: &str| -> Option<usize> {
            let mut parts = query.split('&');
            parts.find_map(|part| part.strip_prefix(name)?.parse().ok())
        };
        let from = number("continue=").unwrap_or_default();
        if from > 0 && self.expired > 0 {
            self.expired -= 1;
            return failure(410, "the continue token is too old", "");
        }
        let objects = self.objects.get(plural).map_or(&[][..], Vec::as_slice);
        let (mut pieces, mut bytes, mut next) = (Vec::new(), 0, from);
        let most = self.page_bytes.unwrap_or(usize::MAX);
        for object in objects.iter().skip(from).take(number("limit=").unwrap()) {
            if next > from && bytes + object.len() > most {
                break;
            }
            let comma: &[u8] = if next > from { b"," } else { b"" };
            pieces.push(Bytes::from_static(comma));
            pieces.extend(object.parts());
            bytes += object.len();
            next += 1;
        }
        let more = (next < objects.len()).then(|| next.to_string());
        if more.is_none() {
            *self.lists.entry(plural.to_owned()).or_default() += 1;
        }
        let metadata = json!({"resourceVersion": VERSION.to_string(), "continue": more});
        let head = format!("{{\"metadata\":{metadata},\"items\":[");
        pieces.insert(0, head.into());
        pieces.push(Bytes::from_static(b"]}"));
        let mut pieces: Vec<io::Result<Bytes>> = pieces.into_iter().map(Ok).collect();
        if self.broken_lists > 0 && pieces.len() > 3 {
            self.broken_lists -= 1;
            let middle = pieces.len() / 2;
            pieces.truncate(middle);
            pieces.push(Err(io::ErrorKind::ConnectionReset.into()));
        }
        let pause = if self.is_slow { PAUSE } else { Duration::ZERO };
        let pieces = stream::iter(pieces).then(move |piece| async move {
            if !pause.is_zero() {
                sleep(pause).await;
            }
            piece
        });
        Response::new(Body::from_stream(pieces))
    }

    fn get(&self, name: &str) -> Response<Body> {
        let mut objects = self.objects.values().flatten();
        match objects.find(|object| object.name == name) {
            Some(object) => {
                let [head, rest] = object.parts();
                reply(200, [head, rest].concat())
            }
            None => failure(404, "not found", name),
        }
    }
}

fn reply(code: u16, body: impl Into<Body>) -> Response<Body> {
    let reply = Response::builder().status(code);
    reply.body(body.into()).unwrap()
}

fn failure(code: u16, message: &str, name: &str) -> Response<Body> {
    let status = json!({
        "kind": "Status", "apiVersion": "v1", "status": "Failure",
        "code": code, "message": message, "reason": "x", "details": {"name": name},
    });
    reply(code, status.to_string())
}
