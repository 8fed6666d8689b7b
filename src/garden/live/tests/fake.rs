// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::{Method, Request, Response, StatusCode};
use futures_util::stream;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use kube::Client;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::time::sleep;
use tower::ServiceExt as _;

const PREFIX: &str = "/apis/core.gardener.cloud/v1beta1/";

/// An API server with objects and failures defined by a test.
#[derive(Clone, Default)]
pub(super) struct Fake(Arc<Mutex<Script>>);

#[derive(Default)]
pub(super) struct Script {
    /// Objects by plural name; they may be invalid.
    pub objects: BTreeMap<&'static str, Vec<Value>>,
    /// Plural names for which the server returns 404.
    pub not_served: BTreeSet<&'static str>,
    /// Plural names for which the server returns 403.
    pub forbidden: BTreeSet<&'static str>,
    /// The duration of a SubjectAccessReview.
    pub review_takes: Duration,
    /// The maximum number of concurrent SubjectAccessReviews so far.
    pub most_reviews: usize,
    reviews: usize,
    /// Whether the server returns 503 to all requests.
    pub is_gone: bool,
    /// The required bearer token, if any.
    pub token: Option<&'static str>,
    /// Whether a watch is refused because its version is too old.
    pub watches_are_too_old: bool,
    /// Whether `fieldSelector` is refused.
    pub selects_no_fields: bool,
    /// Whether SubjectAccessReviews are allowed.
    pub allows: bool,
    /// The user who is always allowed.
    pub allowed_user: Option<&'static str>,
    /// Method, path and query of all requests, with the body of POST requests.
    pub requests: Vec<(String, Value)>,
    watches: BTreeMap<String, mpsc::UnboundedSender<String>>,
}

type Reply = Response<Body>;

impl Fake {
    pub(super) fn script(&self) -> MutexGuard<'_, Script> {
        self.0.lock().unwrap()
    }

    pub(super) fn client(&self) -> Client {
        Client::new(self.router(), "default")
    }

    fn router(&self) -> Router {
        let fake = self.clone();
        Router::new().fallback(move |request| fake.clone().answer(request))
    }

    /// Also serves plain HTTP, until the runtime ends.
    pub(super) async fn serve(&self) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, router) = (listener.local_addr().unwrap(), self.router());
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let service = TowerToHyperService::new(
                    router.clone().map_request(|request: Request<Incoming>| request.map(Body::new)),
                );
                let builder = Builder::new(TokioExecutor::new());
                tokio::spawn(async move {
                    let _ = builder.serve_connection(TokioIo::new(stream), service).await;
                });
            }
        });
        address
    }

    /// Sends an event to the watch of a kind; returns `false` if there is no watch.
    pub(super) fn send(&self, plural: &str, event: &str, object: &Value) -> bool {
        let line = format!("{{\"type\":\"{event}\",\"object\":{object}}}\n");
        let script = self.script();
        let watch = script.watches.get(plural);
        watch.is_some_and(|watch| watch.send(line).is_ok())
    }

    /// Ends the watches of a kind.
    pub(super) fn disconnect(&self, plural: &str) {
        self.script().watches.remove(plural);
    }

    /// Returns the number of requests whose method, path and query contain `part`.
    pub(super) fn count(&self, part: &str) -> usize {
        let script = self.script();
        let asked = script.requests.iter();
        asked.filter(|(request, _)| request.contains(part)).count()
    }

    async fn answer(self, request: Request<Body>) -> Reply {
        let (head, body) = request.into_parts();
        let body = to_bytes(body, 1 << 20).await.unwrap();
        let body: Value = serde_json::from_slice(&body).unwrap_or_default();
        let user = body["spec"]["user"].clone();
        let line = format!("{} {}", head.method, head.uri);
        self.script().requests.push((line, body));
        if self.script().is_gone {
            return failure(503, &json!({}), "gone");
        }
        let shown = head.headers.get("authorization");
        let token = self.script().token.map(|token| format!("Bearer {token}"));
        if token.is_some_and(|token| shown.is_none_or(|shown| *shown != token)) {
            return failure(401, &json!({}), "Unauthorized");
        }
        if head.method == Method::POST {
            return if head.uri.path().ends_with("selfsubjectaccessreviews") {
                self.review_self()
            } else {
                self.review(&user).await
            };
        }
        let whole = head.uri.path();
        let path = whole.strip_prefix(PREFIX).or(whole.strip_prefix("/api/v1/")).unwrap();
        let query = head.uri.query().unwrap_or_default();
        let (plural, name) = match path.split('/').collect::<Vec<_>>()[..] {
            [plural] | ["namespaces", _, plural] => (plural, None),
            [plural, name] | ["namespaces", _, plural, name] => (plural, Some(name)),
            _ => panic!("{path}"),
        };
        if self.script().not_served.contains(plural) {
            return Response::builder().status(404).body("404 page not found\n".into()).unwrap();
        }
        if self.script().forbidden.contains(plural) {
            return failure(403, &json!({}), "no");
        }
        match name {
            Some(name) => self.get(plural, name),
            None if query.contains("watch=true") => self.watch(plural),
            None => self.list(plural, query),
        }
    }

    /// Denies permissions for all resources that are answered with 403.
    fn review_self(&self) -> Reply {
        let script = self.script();
        if script.forbidden.contains("selfsubjectaccessreviews") {
            return failure(403, &json!({}), "no");
        }
        let asked = script.requests.last().map(|(_, body)| body.clone());
        let mut review = asked.unwrap_or_default();
        let asked = review["spec"]["resourceAttributes"]["resource"].clone();
        let resource = asked.as_str().unwrap_or_default();
        review["status"] = json!({"allowed": !script.forbidden.contains(resource)});
        reply(StatusCode::CREATED, &review)
    }

    async fn review(&self, user: &Value) -> Reply {
        let takes = {
            let mut script = self.script();
            script.reviews += 1;
            script.most_reviews = script.most_reviews.max(script.reviews);
            script.review_takes
        };
        sleep(takes).await;
        let mut script = self.script();
        script.reviews -= 1;
        let allows = script.allows || script.allowed_user.is_some_and(|it| user == it);
        let answer = json!({"status": {"allowed": allows}});
        reply(StatusCode::CREATED, &answer)
    }

    fn get(&self, plural: &str, name: &str) -> Reply {
        let script = self.script();
        let mut objects = script.objects.get(plural).into_iter().flatten();
        match objects.find(|object| object["metadata"]["name"] == name) {
            Some(object) => reply(StatusCode::OK, object),
            None => failure(404, &json!({"name": name, "kind": plural}), "not found"),
        }
    }

    /// Returns a page of two objects.
    fn list(&self, plural: &str, query: &str) -> Reply {
        let script = self.script();
        if script.selects_no_fields && query.contains("fieldSelector") {
            return failure(400, &json!({}), "field label not supported");
        }
        let from: usize = query
            .split('&')
            .find_map(|part| part.strip_prefix("continue="))
            .map_or(0, |from| from.parse().unwrap());
        let objects = script.objects.get(plural).map_or(&[][..], Vec::as_slice);
        let page: Vec<_> = objects.iter().skip(from).take(2).collect();
        let more = (from + 2 < objects.len()).then(|| (from + 2).to_string());
        let metadata = json!({"resourceVersion": "7", "continue": more});
        reply(StatusCode::OK, &json!({"metadata": metadata, "items": page}))
    }

    fn watch(&self, plural: &str) -> Reply {
        let mut script = self.script();
        if script.watches_are_too_old {
            return failure(410, &json!({}), "too old resource version");
        }
        let (sender, receiver) = mpsc::unbounded_channel();
        script.watches.insert(plural.to_owned(), sender);
        let lines = stream::unfold(receiver, |mut receiver| async {
            let line: Option<String> = receiver.recv().await;
            line.map(|line| (Ok::<_, std::io::Error>(Bytes::from(line)), receiver))
        });
        Response::new(Body::from_stream(lines))
    }
}

fn reply(code: StatusCode, body: &Value) -> Reply {
    Response::builder().status(code).body(body.to_string().into()).unwrap()
}

fn failure(code: u16, details: &Value, message: &str) -> Reply {
    let status = json!({
        "kind": "Status", "apiVersion": "v1", "status": "Failure",
        "code": code, "message": message, "reason": "x", "details": details,
    });
    reply(StatusCode::from_u16(code).unwrap(), &status)
}
