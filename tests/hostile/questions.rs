// SPDX-License-Identifier: Apache-2.0
//! Lookups in a slow API server: clients with invented users do not starve other clients.

use std::fs;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::time::Duration;

use garden_gate_text::yaml;
use reqwest::Client;
use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep};

use crate::common::reviews::review;
use crate::live_api_server::ApiServer;
use crate::target::{FRIEND, JSON, NEIGHBOUR, Target};
use crate::trial::Trial;

const ATTACKERS: usize = 200;
/// The duration of a SubjectAccessReview.
const SLOW: Duration = Duration::from_secs(2);
/// Time until the attack has taken all slots and filled the queue.
const BEGINS: Duration = Duration::from_secs(6);
/// Number of lookups of another client, one each [`PACE`].
const QUESTIONS: usize = 20;
const PACE: Duration = Duration::from_millis(500);
/// Addresses of the attackers.
const OTHERS: &[IpAddr] = &[NEIGHBOUR, IpAddr::V4(Ipv4Addr::new(127, 0, 0, 67))];
const SAME: &[IpAddr] = &[FRIEND];

/// Returns a change of a Project's whitelist, which requires a verb. Every lookup is different.
fn whitelisting(user: &str, project: &str) -> String {
    let old = json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Project",
        "metadata": {"name": project}, "spec": {"namespace": format!("garden-{project}")}});
    let mut new = old.clone();
    new["spec"]["tolerations"] = json!({"whitelist": [{"key": "x"}]});
    let mut review = review("UPDATE", "projects", &new, &old);
    review["request"]["userInfo"]["username"] = json!(user);
    review.to_string()
}

async fn post(client: &Client, target: &Target, body: String) -> Option<Value> {
    let request = client.post(target.url("/validate?timeout=10s"));
    let response = request.header("content-type", JSON).body(body).send().await;
    response.ok()?.json().await.ok()
}

/// Sends requests without a pause, each with another user.
fn flood(target: &Target, peers: &'static [IpAddr]) -> JoinSet<()> {
    let mut flood = JoinSet::new();
    for attacker in 0..ATTACKERS {
        let target = target.clone();
        flood.spawn(async move {
            let client = target.client(peers[attacker % peers.len()]).build().unwrap();
            for number in 0.. {
                let name = format!("invented-{attacker}-{number}");
                post(&client, &target, whitelisting(&name, &name)).await;
            }
        });
    }
    flood
}

/// Returns the undetermined reviews of alice, if there are too many.
async fn questions_of_alice(target: &Target) -> Vec<String> {
    let client = target.client(FRIEND).build().unwrap();
    let (mut asking, mut pace) = (JoinSet::new(), interval(PACE));
    for number in 0..QUESTIONS {
        pace.tick().await;
        let (client, target) = (client.clone(), target.clone());
        asking.spawn(async move {
            let begin = Instant::now();
            let review = whitelisting("alice", &format!("project-{number}"));
            let answer = post(&client, &target, review).await.unwrap_or_default();
            let is_judged = answer["response"]["allowed"] == true;
            (!is_judged).then(|| format!("after {:?}: {answer}", begin.elapsed()))
        });
    }
    let answers = asking.join_all().await;
    let failed: Vec<String> = answers.into_iter().flatten().collect();
    if failed.len() * 20 > QUESTIONS { failed } else { vec![] }
}

/// Returns an API server with the garden of the examples, and a folder with its kubeconfig.
pub(crate) fn garden() -> (ApiServer, TempDir) {
    let (server, folder) = (ApiServer::start(), TempDir::new().unwrap());
    for directory in ["examples/garden", "tests/server/live/garden"] {
        for file in fs::read_dir(directory).unwrap() {
            server.hold(&documents(&file.unwrap().path()));
        }
    }
    let kubeconfig = folder.path().join("kubeconfig");
    fs::write(kubeconfig, server.kubeconfig().to_string()).unwrap();
    let verb = "modify-spec-tolerations-whitelist";
    server.script().may.push(("alice", verb));
    (server, folder)
}

fn documents(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    let documents = yaml::parse(&text).unwrap();
    documents.iter().map(|it| it.to_value()).collect()
}

#[rstest]
#[case::from_other_addresses("A7 invented users at other addresses", OTHERS, false)]
#[case::from_the_same_address("A7 invented users at the same address", SAME, true)]
fn invented_users_delay_no_other_client(
    #[case] name: &'static str,
    #[case] peers: &'static [IpAddr],
    #[case] was_allowed_before: bool,
) {
    let (server, folder) = garden();
    let trial = Trial::live(name, &folder.path().join("kubeconfig"));
    trial.withstands(async |target| {
        if was_allowed_before {
            let client = target.client(FRIEND).build().unwrap();
            post(&client, target, whitelisting("alice", "before")).await;
        }
        server.script().review_takes = SLOW;
        let mut flood = flood(target, peers);
        sleep(BEGINS).await;
        let failed = questions_of_alice(target).await;
        flood.shutdown().await;
        failed
    });
}
