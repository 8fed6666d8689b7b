// SPDX-License-Identifier: Apache-2.0
//! Faults of the webhook server while an API server calls it: no writer of Shoots notices them.

use std::fs;
use std::io::Write as _;

use kube::api::PostParams;
use serde_json::{Value, json};

use crate::cluster::TestCluster;
use crate::cluster::control_plane::Options;
use crate::cluster::objects::apply;
use crate::cluster::user::User;
use crate::common::reviews::{project, review};
use crate::common::{Gate, GateArgs, eventually};
use crate::e2e::load::Load;
use crate::e2e::service::Service;
use crate::e2e::world::{api, enforced, garden, gate, shoot, status, webhooks};

/// Number of successful attempts before and after each fault.
const SOME: usize = 100;
/// Number of tasks for each kind of load.
const TASKS: usize = 2;
/// Number of requests through the API server in an attempt.
const WRITES: usize = 2;
/// Number of direct requests to the webhook server in an attempt.
const REVIEWS: usize = 4;

#[tokio::test(flavor = "multi_thread")]
async fn clients_see_no_failure_of_replicas_certificates_configuration_or_api_server() {
    let Some(mut cluster) = garden(Options::default()).await else {
        return;
    };
    cluster.serving_certificate("gate");
    let (first, second) = (replica(&cluster).await, replica(&cluster).await);
    let service = Service::start().await;
    service.add(&first).await;
    service.add(&second).await;
    eventually("both replicas are ready", async || service.ready() == 2).await;
    let bundle = cluster.folder().join("ca.crt");
    let registration = webhooks(&service.url, Some(&bundle));
    apply(&cluster.admin.client, &registration).await;
    let alice = cluster.user("alice", &["devs"]).await;
    enforced(&alice).await;

    let measured = Measured { writes: writes(&alice), reviews: reviews(&first, &service.url) };
    let third = replica(&cluster).await;
    let terminated = async || {
        service.add(&third).await;
        eventually("three replicas are ready", async || service.ready() == 3).await;
        for mut old in [first, second] {
            old.terminate();
            assert!(old.ended().await.success(), "{}", old.log());
        }
        assert_eq!(service.ready(), 1);
    };
    measured.during("SIGTERM of two of three replicas, one after the other", terminated).await;
    let certified = async || {
        cluster.serving_certificate("gate");
        third.logs("loaded the changed certificate").await;
    };
    measured.during("another certificate", certified).await;
    measured.during("another configuration", async || reconfigure(&third).await).await;

    let Measured { writes, reviews } = measured;
    writes.must_not_have_failed(4 * SOME).await;
    let restarted = async || {
        let before = reviews.done();
        cluster.stop_api_server();
        eventually("reviews go on", async || reviews.done() > before + SOME).await;
        cluster.start_api_server().await;
    };
    let reviewed = during(&[&reviews], restarted).await;
    let reviewed = reviewed[0] * REVIEWS;
    say(&format!("the API server is killed and started again: {reviewed} reviews"));
    reviews.must_not_have_failed(5 * SOME).await;
    third.logs("the watch goes on, after").await;
    enforced(&alice).await;
}

/// A continuous load.
struct Measured {
    /// Requests through the API server.
    writes: Load,
    /// Direct requests to the webhook server.
    reviews: Load,
}

impl Measured {
    /// Runs a fault with requests before, during and after it, and prints their number.
    async fn during(&self, what: &str, fault: impl AsyncFnOnce()) {
        let counts = during(&[&self.writes, &self.reviews], fault).await;
        let (writes, reviews) = (counts[0] * WRITES, counts[1] * REVIEWS);
        say(&format!("{what}: {writes} writes, {reviews} reviews"));
    }
}

/// Returns the number of attempts of each load that ended around the fault.
async fn during(loads: &[&Load], fault: impl AsyncFnOnce()) -> Vec<usize> {
    let begin: Vec<usize> = loads.iter().map(|load| load.done()).collect();
    some_more(loads).await;
    fault().await;
    some_more(loads).await;
    let counts = loads.iter().zip(begin).map(|(load, begin)| load.done() - begin);
    counts.collect()
}

async fn some_more(loads: &[&Load]) {
    for load in loads {
        let before = load.done();
        eventually("requests are answered", async || load.done() >= before + SOME).await;
    }
}

async fn replica(cluster: &TestCluster) -> Gate {
    let path = |name: &str| cluster.folder().join(name).to_str().unwrap().to_owned();
    let args = GateArgs::new()
        .file("ca.crt", &fs::read_to_string(path("ca.crt")).unwrap())
        .flag("--tls-cert", &path("gate.crt"))
        .flag("--tls-key", &path("gate.key"));
    gate(cluster, args).await
}

/// Returns a load of dry runs with an allowed and a denied Shoot.
fn writes(user: &User) -> Load {
    let user = user.clone();
    Load::start(TASKS, move || {
        let shoots = api(&user, "Shoot");
        async move {
            let dry = PostParams { dry_run: true, ..PostParams::default() };
            let good = shoot("good", &json!([{"key": "allowed"}]));
            let created = shoots.create(&dry, &good).await;
            created.map_err(|error| format!("refused: {error}"))?;
            let bad = shoot("bad", &json!([{"key": "forbidden"}]));
            let Err(error) = shoots.create(&dry, &bad).await else {
                return Err("not refused".to_owned());
            };
            let status = status(error);
            if status.message.contains("`forbidden` is not whitelisted") {
                Ok(())
            } else {
                Err(format!("refused for the wrong reason: {status:?}"))
            }
        }
    })
}

/// Returns a load of reviews over kept and new connections.
fn reviews(gate: &Gate, service: &str) -> Load {
    let kept = gate.client_builder().build().unwrap();
    let fresh = gate.client_builder().pool_max_idle_per_host(0).build().unwrap();
    let url = format!("{service}/validate");
    Load::start(TASKS, move || {
        let (kept, fresh, url) = (kept.clone(), fresh.clone(), url.clone());
        async move {
            for client in [kept, fresh] {
                for (key, allowed) in [("allowed", true), ("forbidden", false)] {
                    let object =
                        serde_json::to_value(shoot("load", &json!([{"key": key}]))).unwrap();
                    let review = review("CREATE", "shoots", &object, &Value::Null);
                    let answer = client
                        .post(&url)
                        .json(&review)
                        .send()
                        .await
                        .map_err(|error| format!("{error:?}"))?;
                    let answer: Value =
                        answer.json().await.map_err(|error| format!("{error:?}"))?;
                    if answer["response"]["allowed"] != allowed {
                        return Err(format!("{key}: {answer}"));
                    }
                }
            }
            Ok(())
        }
    })
}

/// Changes a warning to a denial, and waits for the effect.
async fn reconfigure(gate: &Gate) {
    let config = fs::read_to_string(gate.path("config.yaml")).unwrap();
    let (warns, denies) =
        ("\"project/tolerations-invalid\":\"warn\"", "\"project/tolerations-invalid\":\"deny\"");
    assert!(config.contains(warns), "{config}");
    gate.write("config.yaml", &config.replace(warns, denies));
    let twice: Value = serde_saphyr::from_str(&project("x}, {key: x")).unwrap();
    let review = review("CREATE", "projects", &twice, &Value::Null);
    eventually("the new configuration counts", async || {
        let (code, answer) = gate.post("/validate", &review).await;
        code == 200 && answer["response"]["allowed"] == false
    })
    .await;
}

/// Prints a line even if the test passes, since docs/explanation/availability.md uses it.
fn say(line: &str) {
    let line = format!("{line}\n");
    std::io::stderr().write_all(line.as_bytes()).unwrap();
}
