// SPDX-License-Identifier: Apache-2.0
//! `serve --publish-listen`: forecasts over HTTPS for callers with a token of the API server.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use futures_util::future::join_all;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::sleep;

use super::api_server::ApiServer;
use super::documents;
use crate::common::{Gate, GateArgs, eventually, garden_gate, reviews};

const TOKENREVIEWS: &str = "POST /apis/authentication.k8s.io/v1/tokenreviews";
/// The maximum number of requests at a time.
const REQUESTS: usize = 64;

/// A server that publishes, its API server, and their users.
pub(super) struct World {
    server: ApiServer,
    pub(super) gate: Gate,
    pub(super) url: String,
    _folder: TempDir,
}

pub(super) struct Answer {
    pub(super) status: u16,
    headers: HeaderMap,
    pub(super) text: String,
}

impl Answer {
    pub(super) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.map_or("", |value| value.to_str().unwrap())
    }
}

/// Returns the garden of the examples, in which version 1.33.9 has expired.
pub(super) fn garden() -> Vec<Value> {
    let files = ["cloudprofile", "projects", "shoots"]
        .map(|file| PathBuf::from(format!("examples/forecast/{file}.yaml")));
    let objects = files.iter().flat_map(|file| documents(file));
    let text = serde_json::to_string(&objects.collect::<Vec<_>>()).unwrap();
    serde_json::from_str(&text.replace("2027-01-15", "2020-01-15")).unwrap()
}

impl World {
    async fn start() -> Self {
        let world = Self::with(&garden(), &[]);
        world.forecasts("/forecast.json").await;
        world
    }

    pub(super) fn with(objects: &[Value], flags: &[(&str, &str)]) -> Self {
        let server = ApiServer::start();
        server.hold(objects);
        let mut script = server.script();
        for (token, user) in [("t-ben", "ben"), ("t-root", "root"), ("t-eve", "eve")] {
            script.users.insert(token.to_owned(), user);
        }
        script.readers = vec![("ben", "garden-data"), ("root", "")];
        drop(script);
        let folder = TempDir::new().unwrap();
        let kubeconfig = folder.path().join("kubeconfig");
        fs::write(&kubeconfig, server.kubeconfig().to_string()).unwrap();
        let args = GateArgs::new().live(&kubeconfig).flag("--publish-listen", "127.0.0.1:0");
        let args = flags.iter().fold(args, |args, (name, value)| args.flag(name, value));
        let gate = Gate::start(&args);
        Self { server, gate, url: String::new(), _folder: folder }.found()
    }

    /// Reads the address of the port from the log.
    fn found(mut self) -> Self {
        for _ in 0..1_000 {
            let log = self.gate.log();
            if let Some((_, rest)) = log.split_once("site on ") {
                let url = rest.split_whitespace().next().unwrap();
                url.trim_end_matches('/').clone_into(&mut self.url);
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(!self.url.is_empty(), "{}", self.gate.log());
        self
    }

    /// Waits for the first forecast.
    pub(super) async fn forecasts(&self, path: &str) {
        // Pauses are nine times as long as the work, which takes seconds on a busy machine.
        for _ in 0..600 {
            if self.get(path, "Bearer t-root").await.status == 200 {
                return;
            }
            sleep(Duration::from_millis(200)).await;
        }
        unreachable!("no forecast: {}", self.gate.log());
    }

    pub(super) async fn get(&self, path: &str, authorization: &str) -> Answer {
        self.send("GET", path, &[("authorization", authorization)]).await
    }

    pub(super) async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
        let method = method.parse().unwrap();
        let request = self.gate.client.request(method, format!("{}{path}", self.url));
        let request =
            headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = response.text().await.unwrap();
        Answer { status, headers, text }
    }

    /// Returns a document of the site.
    async fn document(&self, name: &str, token: &str) -> Value {
        let path = format!("/api/v1/{name}");
        let answer = self.get(&path, &format!("Bearer {token}")).await;
        assert_eq!(answer.status, 200, "{name}: {}", answer.text);
        assert_eq!(answer.header("content-type"), "application/json");
        serde_json::from_str(&answer.text).unwrap()
    }

    fn count(&self, asked: &str) -> usize {
        let asked = asked.to_owned();
        let all = self.server.asked();
        all.iter().filter(|it| **it == asked).count()
    }
}

#[tokio::test]
async fn forecast_of_a_project_has_three_formats_for_its_readers() {
    let world = World::start().await;
    let page = world.get("/forecast?project=data", "Bearer t-ben").await;
    assert_eq!(page.status, 200, "{}", page.text);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert!(page.text.contains("shoot/machine-image-kubelet-constraint"));
    assert!(!page.text.contains("checkout"), "a Shoot of another Project");
    let calendar = world.get("/forecast.ics?project=data", "bearer t-ben").await;
    assert_eq!(calendar.header("content-type"), "text/calendar; charset=utf-8");
    assert!(calendar.text.starts_with("BEGIN:VCALENDAR"));
    let json = world.get("/forecast.json?project=data", "Bearer t-ben").await;
    let document: Value = serde_json::from_str(&json.text).unwrap();
    assert_eq!(document["summary"]["blocked"], 1);
    assert_eq!(document["summary"]["notForecast"], 1);
    assert_eq!(document["summary"]["uncertainWindows"], 0, "{}", json.text);
    for shoot in document["shoots"].as_array().unwrap() {
        assert_eq!(shoot["namespace"], "garden-data");
    }
    let headers = [("authorization", "Bearer t-ben"), ("accept", "application/json")];
    let same = world.send("GET", "/forecast?project=data", &headers).await;
    assert_eq!(same.text, json.text);
    let head = world.send("HEAD", "/forecast?project=data", &headers[..1]).await;
    assert_eq!((head.status, head.text.as_str()), (200, ""));
    assert_eq!(head.header("content-length"), page.text.len().to_string());
}

#[tokio::test]
async fn audit_of_a_project_has_the_findings_of_its_shoots() {
    let world = World::start().await;
    let page = world.get("/audit?project=data", "Bearer t-ben").await;
    assert_eq!(page.status, 200, "{}", page.text);
    assert!(page.text.contains("audit/maintenance-blocked"), "{}", page.text);
    assert!(page.text.contains("Shoot garden-data/etl"));
    assert!(!page.text.contains("garden-shop"), "another Project");
    let json = world.get("/audit.json?project=data", "Bearer t-ben").await;
    assert_eq!(json.header("content-type"), "application/json");
    let document: Value = serde_json::from_str(&json.text).unwrap();
    assert_eq!(document["audit"]["count"], 4);
    let reviews = document["reviews"].as_array().unwrap();
    assert!(reviews.iter().all(|it| it["namespace"] == "garden-data"));
    let blocked = |review: &Value| {
        let mut findings = review["findings"].as_array().unwrap().iter();
        findings.any(|it| it["finding"] == "audit/maintenance-blocked")
    };
    assert!(reviews.iter().any(blocked), "{}", json.text);
    let denied = world.get("/audit?project=shop", "Bearer t-ben").await;
    assert_eq!(denied.status, 403);
    let list = world.get("/audit", "Bearer t-root").await;
    assert!(list.text.contains("href=\"audit?project=data\""));
}

#[tokio::test]
async fn audit_for_metrics_counts_the_shoots_of_the_forecast() {
    let world = World::with(&garden(), &[("--audit-every", "1h")]);
    world.gate.logs("audited the garden").await;
    let lists = |plural: &str| {
        let path = format!("GET /{plural}?");
        let asked = world.server.asked();
        let lists = asked.iter().filter(|it| it.starts_with(&path));
        lists.filter(|it| !it.contains("watch=true")).count()
    };
    // One for the watch, and one for the forecast, or for the audit.
    assert_eq!(lists("shoots"), 2, "{:?}", world.server.asked());
    assert_eq!(lists("projects"), 2);
    let metric = async |name: &str| world.gate.metric(name).await;
    assert_eq!(metric(r#"audit_objects{kind="Shoot"}"#).await, 8.0);
    assert_eq!(metric(r#"audit_objects{kind="Project"}"#).await, 2.0);
    let blocked = r#"audit_findings{rule="audit/maintenance-fails",level="warn",kind="Shoot"}"#;
    assert!(metric(blocked).await >= 1.0, "{}", world.gate.metrics().await);
}

#[tokio::test]
async fn list_of_projects_is_for_readers_of_all_namespaces() {
    let world = World::start().await;
    let page = world.get("/forecast", "Bearer t-root").await;
    assert_eq!(page.status, 200, "{}", page.text);
    assert!(page.text.contains("href=\"forecast?project=data\""));
    let json = world.get("/forecast.json", "Bearer t-root").await;
    let document: Value = serde_json::from_str(&json.text).unwrap();
    let projects = document["projects"].as_array().unwrap();
    let facts = projects.iter().map(|it| json!([it["project"], it["shoots"], it["blocked"]]));
    assert_eq!(
        facts.collect::<Vec<_>>(),
        [json!(["data", 4, 1]), json!(["shop", 4, 0])],
        "{}",
        json.text
    );
    let denied = world.get("/forecast", "Bearer t-ben").await;
    assert_eq!(denied.status, 403);
    assert!(
        denied.text.contains("may not get and list shoots.core.gardener.cloud in all namespaces")
    );
    let calendar = world.get("/forecast.ics", "Bearer t-root").await;
    assert_eq!(calendar.status, 400);
    assert!(calendar.text.contains("?project=NAME"));
}

#[tokio::test]
async fn unknown_projects_and_forbidden_ones_look_the_same() {
    let world = World::start().await;
    let own = world.get("/forecast?project=data", "Bearer t-ben").await;
    assert_eq!(own.status, 200, "{}", own.text);
    let reviews = "POST /apis/authorization.k8s.io/v1/subjectaccessreviews";
    let asked = || world.count(reviews);
    let before = asked();
    let forbidden = world.get("/forecast?project=shop", "Bearer t-ben").await;
    let of_forbidden = asked() - before;
    let unknown = world.get("/forecast?project=nope", "Bearer t-ben").await;
    assert_eq!((of_forbidden, asked() - before), (2, 4));
    assert_eq!((forbidden.status, unknown.status), (403, 403));
    assert_eq!(forbidden.text.replace("shop", "nope"), unknown.text);
    assert!(unknown.text.contains("may not get and list shoots.core.gardener.cloud"));
    assert_eq!(forbidden.headers.len(), unknown.headers.len());
    let everywhere = world.get("/forecast?project=nope", "Bearer t-root").await;
    assert_eq!((everywhere.status, &everywhere.text), (403, &unknown.text));
    let evil = world.get("/forecast?project=%3Cscript%3E%0A", "Bearer t-root").await;
    assert_eq!(evil.status, 403);
    assert_eq!(evil.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(evil.text.lines().count(), 1);
}

#[tokio::test]
async fn callers_without_a_valid_token_are_challenged() {
    let world = World::start().await;
    let before = world.count(TOKENREVIEWS);
    let none = world.send("GET", "/forecast?project=data", &[]).await;
    assert_eq!(none.status, 401);
    assert_eq!(none.header("www-authenticate"), "Bearer realm=\"garden-gate\"");
    let long = format!("Bearer {}", "x".repeat(7 << 10));
    let invalid = "Bearer realm=\"garden-gate\", error=\"invalid_token\"";
    for malformed in ["Bearer a b", "Bearer \u{1}", "Bearer ü", "Bearer {\"a\":1}", "Bearer ="] {
        let Ok(value) = reqwest::header::HeaderValue::from_bytes(malformed.as_bytes()) else {
            continue;
        };
        let url = format!("{}/forecast?project=data", world.url);
        let request = world.gate.client.get(url).header("authorization", value);
        let response = request.send().await.unwrap();
        assert_eq!(response.status().as_u16(), 401, "{malformed}");
        assert_eq!(response.headers()["www-authenticate"], invalid);
    }
    assert_eq!(world.count(TOKENREVIEWS), before);
    for unknown in ["Bearer nobody", long.as_str()] {
        let answer = world.get("/forecast?project=data", unknown).await;
        assert_eq!(answer.status, 401);
        assert_eq!(answer.header("www-authenticate"), invalid);
    }
    assert_eq!(world.count(TOKENREVIEWS), before + 2);
}

#[tokio::test]
async fn answers_about_tokens_are_cached_briefly() {
    let world = World::start().await;
    let before = world.count(TOKENREVIEWS);
    for _ in 0..5 {
        let answer = world.get("/forecast?project=data", "Bearer t-ben").await;
        assert_eq!(answer.status, 200);
    }
    assert_eq!(world.count(TOKENREVIEWS), before + 1);
    world.server.script().users.clear();
    eventually("the token is invalid", async || {
        world.get("/forecast?project=data", "Bearer t-ben").await.status == 401
    })
    .await;
}

#[tokio::test]
async fn every_answer_is_secured() {
    let world = World::start().await;
    let root = [("authorization", "Bearer t-root")];
    let eve = [("authorization", "Bearer t-eve")];
    for (method, path, headers, status) in [
        ("GET", "/forecast?project=data", &root[..], 200),
        ("GET", "/forecast?project=data", &eve[..], 403),
        ("GET", "/forecast?project=data", &[], 401),
        ("GET", "/forecast?project=a&project=b", &root[..], 400),
        ("GET", "/", &[], 200),
        ("POST", "/", &root[..], 405),
        ("GET", "/metrics", &root[..], 404),
        ("POST", "/validate", &[], 404),
        ("POST", "/forecast", &root[..], 405),
        ("DELETE", "/forecast?project=data", &root[..], 405),
    ] {
        let answer = world.send(method, path, headers).await;
        assert_eq!(answer.status, status, "{method} {path}: {}", answer.text);
        assert_eq!(answer.header("cache-control"), "private, no-store");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'"), "{policy}");
        assert!(policy.contains("script-src 'sha256-"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
    }
    // The review port has no pages, and the metrics port does not either.
    assert_eq!(world.gate.get("/forecast").await.0, 404);
}

#[tokio::test]
async fn an_api_server_that_fails_is_not_a_permission() {
    let world = World::start().await;
    world.server.answer(TOKENREVIEWS, 403, "no permission");
    let answer = world.get("/forecast?project=data", "Bearer t-other").await;
    assert_eq!(answer.status, 503, "{}", answer.text);
    assert_eq!(answer.header("retry-after"), "5");
    assert!(!answer.text.contains("no permission"));
    world.gate.logs("no permission").await;
    let reviews = "POST /apis/authorization.k8s.io/v1/subjectaccessreviews";
    world.server.answer(reviews, 500, "broken");
    let answer = world.get("/forecast?project=data", "Bearer t-ben").await;
    assert_eq!(answer.status, 503, "{}", answer.text);
}

#[tokio::test]
async fn requests_beyond_the_limit_are_refused_until_others_are_answered() {
    let world = World::start().await;
    // All requests arrive while the first ones wait for the API server.
    world.server.script().review_takes = Duration::from_secs(3);
    let get = || world.get("/forecast.json?project=data", "Bearer t-ben");
    let answers = join_all((0..REQUESTS + 20).map(|_| get())).await;
    let (refused, read): (Vec<_>, Vec<_>) = answers.into_iter().partition(|it| it.status == 503);
    // More are read on a machine on which the last requests arrive late.
    assert!(read.len() >= REQUESTS, "{} are read", read.len());
    for answer in read {
        assert_eq!(answer.status, 200, "{}", answer.text);
    }
    assert!(!refused.is_empty());
    for answer in refused {
        assert_eq!(answer.text, "too many other requests; try again\n");
        assert_eq!(answer.header("retry-after"), "5");
        assert_eq!(answer.header("cache-control"), "private, no-store");
    }
    let later = get().await;
    assert_eq!(later.status, 200, "{}", later.text);
}

#[tokio::test]
async fn page_that_needs_too_much_memory_is_refused_and_others_are_read() {
    let mut objects = garden();
    // Findings and reasons quote the name.
    let profile = "cumulus-".repeat(30);
    objects.extend((0..200).map(|number| {
        json!({
            "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
            "metadata": {"name": format!("s{number}"), "namespace": "garden-data"},
            "spec": {
                "cloudProfile": {"kind": "CloudProfile", "name": profile}, "region": "north",
                "kubernetes": {"version": "1.34.4"}, "provider": {"type": "nimbus"},
            },
        })
    }));
    // Pages together may use a sixteenth, and one page three quarters of that.
    let world = World::with(&objects, &[("--memory-limit", "32Mi")]);
    world.forecasts("/forecast.json").await;
    for path in ["/forecast?project=data", "/audit.json?project=data"] {
        let answer = world.get(path, "Bearer t-ben").await;
        assert_eq!(answer.status, 507, "{path}: {:.200}", answer.text);
        assert_eq!(answer.header("retry-after"), "", "a retry does not help");
        assert_eq!(answer.header("cache-control"), "private, no-store");
        let remedy = "raise the memory limit of the server\n";
        assert!(answer.text.ends_with(remedy), "{}", answer.text);
    }
    let denied = world.get("/forecast?project=data", "Bearer t-eve").await;
    assert_eq!(denied.status, 403, "the size of a page is for its readers");
    let other = world.get("/forecast?project=shop", "Bearer t-root").await;
    assert_eq!(other.status, 200, "{}", other.text);
    assert!(other.text.contains("checkout"));
}

#[tokio::test]
async fn large_headers_are_refused() {
    let world = World::start().await;
    let address = world.url.strip_prefix("https://").unwrap();
    let mut stream = world.gate.connect_to(address, &[]).await;
    let head = format!(
        "GET /forecast HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\n\r\n",
        "x".repeat(64 << 10)
    );
    // The server may answer before it has read everything.
    let _ = stream.write_all(head.as_bytes()).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 431"), "{answer}");
}

#[tokio::test]
async fn reviews_are_answered_while_forecasts_are_computed() {
    let mut objects = garden();
    let mut shoots = objects.iter().filter(|it| it["metadata"]["name"] == "etl");
    let shoot = shoots.next().unwrap().clone();
    objects.extend((0..200).map(|number| {
        let mut shoot = shoot.clone();
        shoot["metadata"]["name"] = format!("s{number}").into();
        shoot
    }));
    let world = World::with(&objects, &[]);
    let created = reviews::shoot(&json!([]));
    let request = reviews::review("CREATE", "shoots", &created, &Value::Null);
    eventually("reviews", async || world.gate.post("/validate", &request).await.0 == 200).await;
    let mut waited = 0;
    for _ in 0..20 {
        assert_eq!(world.gate.post("/validate", &request).await.0, 200);
        let early = world.get("/forecast.json?project=data", "Bearer t-ben").await;
        if early.status == 503 && early.text.contains("not complete yet") {
            assert_eq!(early.header("retry-after"), "5");
            waited += 1;
        }
    }
    assert!(waited > 0, "the forecast of 200 Shoots takes a while");
}

#[tokio::test]
async fn the_site_has_all_projects_for_readers_of_all_namespaces() {
    let world = World::start().await;
    let page = world.get("/", "Bearer t-root").await;
    assert_eq!(page.status, 200, "{}", page.text);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert!(page.text.contains("data-source=\"api\""));
    assert!(page.header("content-security-policy").contains("script-src 'self'"));
    for (path, content_type) in
        [("/site.css", "text/css; charset=utf-8"), ("/site.js", "text/javascript; charset=utf-8")]
    {
        let file = world.send("GET", path, &[]).await;
        assert_eq!((file.status, file.header("content-type")), (200, content_type));
        assert_eq!(file.header("cross-origin-resource-policy"), "same-origin");
    }
    let clusters = world.document("clusters", "t-root").await;
    let rows = clusters["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 8);
    // Each row names a document with its Shoot.
    for row in rows {
        let data = row[11].as_str().unwrap();
        let shoots = world.document(data, "t-root").await;
        assert_eq!(shoots["shoots"][0]["name"], row[1], "{data}");
        assert_eq!(shoots["shoots"].as_array().unwrap().len(), 1);
    }
    for project in world.document("projects", "t-root").await["projects"].as_array().unwrap() {
        let page = world.document(project["data"].as_str().unwrap(), "t-root").await;
        assert_eq!(page["namespace"], project["namespace"]);
        assert_eq!(page["shoots"].as_array().unwrap().len(), 4);
    }
    let rules = world.document("rules", "t-root").await;
    let rule = world.document(rules["rules"][0]["data"].as_str().unwrap(), "t-root").await;
    assert_eq!(rule["rule"], rules["rules"][0]["rule"]);
    let profiles = world.document("versions", "t-root").await;
    let mut profiles = profiles["profiles"].as_array().unwrap().iter();
    assert!(profiles.any(|it| it["shoots"].as_u64() > Some(1)));
    let missing = world.get("/api/v1/clusters/x", "Bearer t-root").await;
    assert_eq!(missing.status, 404);
    assert!(missing.text.starts_with("there is no document `clusters/x`"), "{}", missing.text);
    let evil = world.get("/api/v1/%3Cscript%3E%0A%1B[31m", "Bearer t-root").await;
    assert_eq!((evil.status, evil.text.lines().count()), (404, 1));
    assert!(!evil.text.contains('\u{1b}'), "{:?}", evil.text);
    let broken = world.get("/api/v1/%ff", "Bearer t-root").await;
    assert_eq!(broken.status, 404, "{}", broken.text);
    assert_eq!(broken.header("cache-control"), "private, no-store");
    assert_eq!(broken.header("x-content-type-options"), "nosniff");
}

#[tokio::test]
async fn readers_of_a_project_get_its_site() {
    let world = World::start().await;
    let page = world.get("/?project=data", "Bearer t-ben").await;
    assert_eq!(page.status, 200, "{}", page.text);
    assert!(page.text.contains("etl") && !page.text.contains("checkout"));
    for name in ["overview", "projects", "clusters", "versions", "findings"] {
        let answer = world.get(&format!("/api/v1/{name}?project=data"), "Bearer t-ben").await;
        assert_eq!(answer.status, 200, "{name}: {}", answer.text);
        assert!(!answer.text.contains("shop"), "{name} names another Project: {}", answer.text);
        let denied = world.get(&format!("/api/v1/{name}"), "Bearer t-ben").await;
        assert_eq!(denied.status, 403, "{name}");
        let denied = world.get(&format!("/api/v1/{name}?project=shop"), "Bearer t-ben").await;
        assert_eq!(denied.status, 403, "{name}");
    }
    let own = world.get("/api/v1/shoots/garden-data/etl?project=data", "Bearer t-ben").await;
    assert_eq!(own.status, 200, "{}", own.text);
    for other in ["shoots/garden-shop/checkout", "projects/garden-shop"] {
        let known = world.get(&format!("/api/v1/{other}"), "Bearer t-root").await;
        assert_eq!(known.status, 200, "{other}: {}", known.text);
        let answer = world.get(&format!("/api/v1/{other}?project=data"), "Bearer t-ben").await;
        assert_eq!(answer.status, 404, "{other}");
        let answer = world.get(&format!("/api/v1/{other}"), "Bearer t-ben").await;
        assert_eq!(answer.status, 403, "{other}");
    }
    let none = world.send("GET", "/api/v1/overview", &[]).await;
    assert_eq!(none.status, 401);
    // Nobody has named Eve as a member of a Project.
    assert_eq!(world.get("/", "Bearer t-eve").await.status, 403);
}

#[tokio::test]
async fn members_of_projects_choose_among_those_that_they_may_read() {
    let mut objects = garden();
    for project in objects.iter_mut().filter(|it| it["kind"] == "Project") {
        let member = json!({"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "ben", "role": "viewer"});
        project["spec"]["members"] = json!([member]);
    }
    let world = World::with(&objects, &[]);
    world.forecasts("/forecast.json").await;
    let page = world.get("/", "Bearer t-ben").await;
    assert_eq!(page.status, 200, "{}", page.text);
    assert!(page.text.contains("href=\"/?project=data\""), "{}", page.text);
    // He is a member of it, too, but the API server denies access.
    assert!(!page.text.contains("shop"), "{}", page.text);
    assert_eq!(world.get("/api/v1/overview", "Bearer t-ben").await.status, 403);
}

#[tokio::test]
async fn documents_are_compressed_and_sent_once() {
    let world = World::start().await;
    let plain = world.get("/api/v1/clusters", "Bearer t-root").await;
    let tag = plain.header("etag").to_owned();
    assert!(tag.starts_with("W/\""), "{tag}");
    assert_eq!(plain.header("cache-control"), "private, no-cache");
    assert!(plain.headers.get_all("vary").iter().any(|it| it == "authorization"));
    let token = ("authorization", "Bearer t-root");
    let send = async |headers: &[(&str, &str)]| {
        world.send("GET", "/api/v1/clusters", &[&[token], headers].concat()).await
    };
    let same = send(&[("if-none-match", &*format!("W/\"x\", {tag}"))]).await;
    assert_eq!((same.status, &*same.text), (304, ""));
    assert_eq!(same.header("etag"), tag);
    assert_eq!(send(&[("if-none-match", "W/\"x\"")]).await.text, plain.text);
    for known in ["*", tag.trim_start_matches("W/")] {
        assert_eq!(send(&[("if-none-match", known)]).await.status, 304, "{known}");
    }
    let packed = world.gate.client.get(format!("{}/api/v1/clusters", world.url));
    let packed = packed.header(token.0, token.1).header("accept-encoding", "gzip");
    let packed = packed.send().await.unwrap();
    assert_eq!(packed.headers()["content-encoding"], "gzip");
    assert_eq!(packed.headers()["etag"], tag);
    let packed = packed.bytes().await.unwrap();
    assert!(packed.len() < plain.text.len() / 2, "{} of {}", packed.len(), plain.text.len());
    // A tag gives nothing to those who may not read.
    let denied = world
        .send(
            "GET",
            "/api/v1/clusters",
            &[("authorization", "Bearer t-eve"), ("if-none-match", &tag)],
        )
        .await;
    assert_eq!(denied.status, 403);
    let script = world.send("GET", "/site.js", &[]).await;
    let tag = script.header("etag").to_owned();
    let same = world.send("GET", "/site.js", &[("if-none-match", &tag)]).await;
    assert_eq!(same.status, 304);
}

/// Starts a server for a directory, which publishes on a port of this machine, and returns its address.
async fn local(garden: &std::path::Path) -> (Gate, String) {
    let gate = Gate::start(
        &GateArgs::new().garden_directory(garden).flag("--publish-listen", "127.0.0.1:0"),
    );
    gate.logs("forecast the maintenance").await;
    let log = gate.log();
    let (_, rest) = log.split_once("site on ").unwrap();
    let url = rest.split_whitespace().next().unwrap().trim_end_matches('/').to_owned();
    (gate, url)
}

/// Writes a garden into a new directory.
fn directory(objects: &[Value]) -> TempDir {
    let folder = TempDir::new().unwrap();
    let list = json!({"apiVersion": "v1", "kind": "List", "items": objects});
    fs::write(folder.path().join("garden.json"), list.to_string()).unwrap();
    folder
}

#[tokio::test]
async fn every_row_leads_to_a_document_whatever_the_names_are() {
    let names = ["..", "a/b", "%2f", "~0123456789abcdef", "\u{202e}x", "<script>", "A", "x\ty"];
    let mut objects = garden();
    for name in names {
        objects.push(json!({
            "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
            "metadata": {"name": name, "namespace": format!("garden-{name}")},
            "spec": {
                "cloudProfile": {"kind": "CloudProfile", "name": "nimbus"}, "region": "north",
                "kubernetes": {"version": "1.34.4"}, "provider": {"type": "nimbus"},
            },
        }));
    }
    let folder = directory(&objects);
    let (gate, url) = local(folder.path()).await;
    let get = async |name: &str| -> Value {
        let response = gate.client.get(format!("{url}/api/v1/{name}")).send().await.unwrap();
        assert_eq!(response.status().as_u16(), 200, "{name}");
        serde_json::from_str(&response.text().await.unwrap()).unwrap()
    };
    let clusters = get("clusters").await;
    let rows = clusters["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 8 + names.len());
    for row in rows {
        let data = row[11].as_str().unwrap();
        let is_plain = |it: u8| it.is_ascii_alphanumeric() || b"/-.~".contains(&it);
        assert!(data.bytes().all(is_plain) && !data.contains("/.."), "{data}");
        let document = get(data).await;
        assert_eq!(document["shoots"][0]["name"], row[1]);
    }
    for project in get("projects").await["projects"].as_array().unwrap() {
        let document = get(project["data"].as_str().unwrap()).await;
        assert_eq!(document["namespace"], project["namespace"]);
    }
}

#[tokio::test]
async fn a_directory_is_published_on_this_machine_without_tokens() {
    let folder = directory(&garden());
    let (gate, url) = local(folder.path()).await;
    let get = async |path: &str| {
        let response = gate.client.get(format!("{url}{path}")).send().await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    };
    let (status, page) = get("/").await;
    assert_eq!(status, 200, "{page}");
    assert!(page.contains("checkout"), "{page}");
    let (_, json) = get("/api/v1/projects").await;
    let projects: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(projects["projects"].as_array().unwrap().len(), 2, "{json}");
    let (status, _) = get("/?project=data").await;
    assert_eq!(status, 200);
    // Another site whose name leads to this machine.
    for (host, expected) in [("attacker.example", "403"), ("localhost", "200")] {
        let mut stream = gate.connect_to(url.strip_prefix("https://").unwrap(), &[]).await;
        let head =
            format!("GET /api/v1/overview HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = String::new();
        // The end may lack an announcement.
        let _ = stream.read_to_string(&mut answer).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {expected} ")), "{host}: {answer}");
    }
}

#[test]
fn pages_for_other_machines_need_an_api_server() {
    let garden = ["--garden", "examples/garden"];
    let outside = [&["serve", "--publish-listen", "0.0.0.0:0"], &garden[..]].concat();
    let nothing = ["serve", "--publish-listen", "127.0.0.1:0", "--no-garden"];
    for (arguments, expected) in
        [(&outside[..], "no token can be checked"), (&nothing[..], "cannot be used with")]
    {
        let output = garden_gate(arguments);
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(err.contains(expected), "{err}");
    }
}
