// SPDX-License-Identifier: Apache-2.0
//! Gardens with large and unusual objects, in an API server whose responses fail.

use std::sync::PoisonError;

use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::time::{Duration, Instant, sleep};

use crate::api_server::{ApiServer, Object};
use crate::common::{Gate, GateArgs};
use crate::memory::{LIMIT, PEAK, Watch};
use crate::trial::ALONE;

/// Size of a large object: the maximum in etcd, with a margin.
const SIZE: usize = 1_400_000;
/// Time limit for a list of large objects on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(5);

const SHOOTS: &str = "shoots";
const NAMESPACED: &str = ",\"namespace\":\"garden-dev\"";

/// A webhook server with an API server.
struct World {
    server: ApiServer,
    gate: Gate,
    /// The directory of the kubeconfig, which the server reloads.
    _directory: TempDir,
}

impl World {
    /// Starts a server that watches these objects.
    fn new(server: ApiServer, flags: &[(&str, &str)]) -> Self {
        let directory = TempDir::new().unwrap();
        let kubeconfig = directory.path().join("kubeconfig");
        std::fs::write(&kubeconfig, server.kubeconfig()).unwrap();
        let limit = format!("{LIMIT}Mi");
        let args = GateArgs::new().flag("--memory-limit", &limit);
        let args = flags.iter().fold(args, |args, (name, value)| args.flag(name, value));
        let gate = Gate::start(&args.live(&kubeconfig));
        Self { server, gate, _directory: directory }
    }

    async fn readiness(&self) -> (u16, String) {
        self.gate.get("/readyz").await
    }

    async fn until_ready(&self) {
        until("the gate is ready", async || self.readiness().await.0 == 200).await;
    }

    /// Returns the number of cached objects of a kind.
    async fn count(&self, kind: &str) -> f64 {
        let name = format!("garden_objects{{kind=\"{kind}\"}}");
        self.gate.metric(&name).await
    }

    async fn watches(&self, what: &str, kind: &str) -> f64 {
        let name = format!("garden_watch_{what}{{kind=\"{kind}\"}}");
        self.gate.metric(&name).await
    }
}

async fn until(what: &str, mut condition: impl AsyncFnMut() -> bool) {
    let start = Instant::now();
    while !condition().await {
        assert!(start.elapsed() < TIMEOUT, "never came true: {what}");
        sleep(Duration::from_millis(50)).await;
    }
}

fn shoot(config: &str) -> String {
    format!(",\"spec\":{{\"provider\":{{\"type\":\"local\",\"infrastructureConfig\":{config}}}}}")
}

/// Returns a large list with elements from `element`.
fn large_list(element: impl Fn(usize) -> String) -> String {
    let mut list = String::new();
    for number in 0..9_900 {
        if list.len() >= SIZE {
            break;
        }
        let separator = if number > 0 { "," } else { "" };
        list.push_str(separator);
        list.push_str(&element(number));
    }
    format!("[{list}]")
}

fn image_versions() -> String {
    let versions = large_list(|number| {
        let (minor, patch) = (number / 100, number % 100);
        format!(
            r#"{{"version":"1000.{minor}.{patch}","classification":"deprecated","expirationDate":"2099-01-01T00:00:00Z","architectures":["amd64"],"cri":[{{"name":"containerd"}}]}}"#
        )
    });
    format!("\"machineImages\":[{{\"name\":\"image\",\"versions\":{versions}}}]")
}

/// Lists the objects at the start and again; fails if that exceeds the memory limit.
fn is_listed_in_bounds(plural: &'static str, objects: Vec<Object>, flags: &[(&str, &str)]) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let server = ApiServer::start();
    let count = objects.len();
    server.store(plural, objects);
    let world = World::new(server, flags);
    let memory = Watch::start(world.gate.id());
    Runtime::new().unwrap().block_on(async {
        world.until_ready().await;
        if !flags.is_empty() {
            until("the garden is audited", async || {
                world.gate.log().contains("audited the garden")
            })
            .await;
        }
        let before = world.server.lists(plural);
        until("the list is expired", async || world.server.expire(plural)).await;
        until("the kind is listed again and watched", async || {
            world.server.lists(plural) > before && world.server.is_watched(plural)
        })
        .await;
    });
    let seen = memory.stop();
    assert!(!seen.ended, "it held more than {LIMIT} MiB");
    let peak = seen.peak;
    assert!(peak <= PEAK, "{count} {plural}: it held {peak} MiB, {PEAK} MiB are allowed");
    crate::trial::report(&format!("{count} large {plural}: peak {peak} MiB"));
}

#[test]
fn large_shoots_are_listed_in_bounds_also_after_many_small_ones() {
    let mut objects = Object::many(600, NAMESPACED, &shoot("{}"));
    let large = Object::many(200, NAMESPACED, &shoot(&format!("\"{}\"", "x".repeat(SIZE))));
    let renamed =
        large.into_iter().map(|object| Object { name: format!("p{}", object.name), ..object });
    objects.extend(renamed);
    is_listed_in_bounds(SHOOTS, objects, &[]);
}

#[test]
fn large_namespaced_cloud_profiles_are_listed_in_bounds() {
    let images = image_versions();
    let fields =
        format!(",\"spec\":{{\"parent\":{{\"kind\":\"CloudProfile\",\"name\":\"p\"}},{images}}}");
    let objects = Object::many(40, NAMESPACED, &fields);
    is_listed_in_bounds("namespacedcloudprofiles", objects, &[]);
}

#[test]
fn large_projects_are_listed_in_bounds() {
    let members = large_list(|number| {
        format!(
            r#"{{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"somebody-with-a-long-name-{number:05}@example.org","role":"admin","roles":["viewer"]}}"#
        )
    });
    let objects = Object::many(60, "", &format!(",\"spec\":{{\"members\":{members}}}"));
    is_listed_in_bounds("projects", objects, &[]);
}

#[test]
fn large_seeds_are_listed_in_bounds() {
    let annotation = format!("\"example.org/a\":\"{}\"", "x".repeat(SIZE / 2));
    let annotations: String =
        (0..16_000).map(|number| format!(",\"example.org/{number}\":\"value\"")).collect();
    let metadata = format!(",\"annotations\":{{{annotation}{annotations}}}");
    let objects = Object::many(60, &metadata, ",\"spec\":{\"provider\":{\"type\":\"local\"}}");
    is_listed_in_bounds("seeds", objects, &[]);
}

#[test]
fn shoots_with_many_worker_pools_are_listed_in_bounds() {
    let workers = large_list(|number| {
        let (image, size) = (number % 100, number % 1_000);
        format!(
            r#"{{"name":"w{number}","minimum":{size},"maximum":{number},"machine":{{"type":"t","image":{{"name":"i","version":"1.{image}.0"}}}},"volume":{{"size":"{size}Gi"}}}}"#
        )
    });
    let provider = format!("\"provider\":{{\"type\":\"local\",\"workers\":{workers}}}");
    let spec = format!(",\"spec\":{{\"cloudProfileName\":\"p\",{provider}}}");
    is_listed_in_bounds(SHOOTS, Object::many(60, NAMESPACED, &spec), &[]);
}

#[test]
fn an_audit_of_large_shoots_stays_in_bounds() {
    let config = format!("[{}]", vec!["{\"\":0}"; SIZE / 7].join(","));
    let objects = Object::many(30, NAMESPACED, &shoot(&config));
    is_listed_in_bounds(SHOOTS, objects, &[("--audit-every", "1h")]);
}

/// Values with misleading types, or that a tree cannot represent.
fn odd_values() -> Vec<(&'static str, Vec<u8>)> {
    let deep = format!("{}0{}", "[".repeat(5_000), "]".repeat(5_000));
    vec![
        ("surrogate", br#"{"a":"\ud800"}"#.to_vec()),
        ("number", br#"{"a":1e999}"#.to_vec()),
        ("deep", deep.into_bytes()),
        ("bytes", b"{\"a\":\"\xff\"}".to_vec()),
    ]
}

fn odd_shoots() -> Vec<Object> {
    let odd = odd_values().into_iter().map(|(name, value)| {
        let object = Object::new(name, NAMESPACED, &shoot("@"));
        let rest: Vec<&[u8]> = object.rest.split(|byte| *byte == b'@').collect();
        Object { rest: rest.join(&value[..]).into(), ..object }
    });
    odd.chain(Object::many(3, NAMESPACED, &shoot("{}"))).collect()
}

#[test]
fn odd_values_in_opaque_fields_spoil_neither_watch_nor_audit() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let server = ApiServer::start();
    let shoots = odd_shoots();
    let count = shoots.len() as f64;
    server.store(SHOOTS, shoots.clone());
    let world = World::new(server, &[("--audit-every", "1h")]);
    Runtime::new().unwrap().block_on(async {
        world.until_ready().await;
        assert_eq!(world.count("Shoot").await, count);
        assert_eq!(world.watches("unreadable_objects", "Shoot").await, 0.0);
        world.gate.logs("audited the garden").await;
        let metrics = world.gate.metrics().await;
        assert!(!metrics.contains("object/undecodable"), "{metrics}");
        // The same values in events.
        until("Shoots are watched", async || world.server.is_watched(SHOOTS)).await;
        for object in &shoots {
            let changed = object.with_version(8);
            assert!(world.server.send_object(SHOOTS, "MODIFIED", &changed));
        }
        let events = async || world.watches("events", "Shoot").await == count;
        until("all events arrive", events).await;
        assert_eq!(world.count("Shoot").await, count);
        assert_eq!(world.watches("failures", "Shoot").await, 0.0);
    });
}

#[test]
fn lists_that_break_off_expire_or_are_slow_are_read_in_the_end() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let server = ApiServer::start();
    server.store(SHOOTS, Object::many(60, NAMESPACED, &shoot("{}")));
    {
        let mut script = server.script();
        script.page_bytes = Some(4_000);
        script.is_slow = true;
        script.broken_lists = 3;
        script.expired = 2;
    }
    let world = World::new(server, &[]);
    Runtime::new().unwrap().block_on(async {
        until("readiness names the list that failed", async || {
            let (code, why) = world.readiness().await;
            code != 200 && why.contains("the list of shoots.core.gardener.cloud (failed to list")
        })
        .await;
        world.until_ready().await;
        assert_eq!(world.count("Shoot").await, 60.0);
        assert!(world.watches("failures", "Shoot").await >= 5.0);
    });
}

#[test]
fn a_watch_that_is_reset_goes_on_where_it_was() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let server = ApiServer::start();
    server.store(SHOOTS, Object::many(3, NAMESPACED, &shoot("{}")));
    let world = World::new(server, &[]);
    let added = Object::new("added", NAMESPACED, &shoot("{}")).with_version(9);
    Runtime::new().unwrap().block_on(async {
        world.until_ready().await;
        until("Shoots are watched", async || world.server.is_watched(SHOOTS)).await;
        assert!(world.server.send_object(SHOOTS, "ADDED", &added));
        until("the event arrives", async || world.count("Shoot").await == 4.0).await;
        assert!(world.server.reset(SHOOTS));
        until("Shoots are watched again", async || world.server.is_watched(SHOOTS)).await;
        let first = Object::new("o00000", NAMESPACED, &shoot("{}")).with_version(10);
        assert!(world.server.send_object(SHOOTS, "DELETED", &first));
        until("the event arrives", async || world.count("Shoot").await == 3.0).await;
        assert_eq!(world.server.lists(SHOOTS), 1);
        let script = world.server.script();
        let is_resumed = |request: &String| {
            request.contains("/shoots?") && request.contains("resourceVersion=9")
        };
        assert!(script.requests.iter().any(is_resumed), "{:?}", script.requests);
    });
}
