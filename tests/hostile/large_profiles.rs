// SPDX-License-Identifier: Apache-2.0
//! Small requests for Shoots with large profiles: a member of a Project may create such a profile.

use std::time::Duration;

use axum::body::Bytes;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};

use crate::reviews::create;
use crate::target::{NEIGHBOUR, Target};
use crate::trial::Trial;

/// Duration of the attack for each number of clients.
const SECONDS: Duration = Duration::from_secs(2);
const CLIENTS: [usize; 4] = [4, 8, 16, 32];
/// Nearly the maximum length of a list, which is 10,000.
const VERSIONS: usize = 9_900;

/// Returns a NamespacedCloudProfile of 1.1 MB that no controller has merged with its CloudProfile.
fn profile(number: usize) -> String {
    let version = |patch: usize| {
        json!({
            "version": format!("1.0.{patch}"), "architectures": ["amd64"], "cri": [{"name": "containerd"}],
            "expirationDate": "2099-12-31T23:59:59Z",
        })
    };
    let versions: Vec<Value> = (0..VERSIONS).map(version).collect();
    let profile = json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "NamespacedCloudProfile",
        "metadata": {"name": format!("large-{number}"), "namespace": "garden-dev"},
        "spec": {
            "parent": {"kind": "CloudProfile", "name": "stratus"},
            "machineImages": [{"name": "own", "updateStrategy": "major", "versions": versions}],
        },
    });
    profile.to_string()
}

/// Returns the CREATE of a Shoot with this profile.
fn follower(number: usize) -> Bytes {
    let mut review = create();
    review["request"]["object"]["spec"]["cloudProfile"] =
        json!({"kind": "NamespacedCloudProfile", "name": format!("large-{number}")});
    review.to_string().into()
}

/// Posts these bodies from an increasing number of clients; each verdict must be correct.
async fn attack(target: &Target, bodies: &[Bytes], keeps_connections: bool) -> Vec<String> {
    let mut allowed = 0;
    for clients in CLIENTS {
        let end = Instant::now() + SECONDS;
        let mut hands = JoinSet::new();
        for hand in 0..clients {
            let (target, bodies) = (target.clone(), bodies.to_vec());
            hands.spawn(async move {
                let kept = target.client(NEIGHBOUR).build().unwrap();
                let (mut allowed, mut complaints) = (0, Vec::new());
                for body in bodies.into_iter().cycle().skip(hand) {
                    let path = "/validate?timeout=5s";
                    let answer = if keeps_connections {
                        timeout_at(end, target.post_over(&kept, path, body)).await
                    } else {
                        timeout_at(end, target.post(path, body)).await
                    };
                    match answer {
                        Err(_) => break,
                        Ok(Some(answer)) if answer.status == 200 && answer.is_allowed() => {
                            allowed += 1;
                        }
                        Ok(Some(answer)) if answer.status == 200 => {
                            complaints.push(answer.json.to_string());
                        }
                        Ok(_) => {}
                    }
                }
                (allowed, complaints)
            });
        }
        for (count, complaints) in hands.join_all().await {
            allowed += count;
            if let Some(complaint) = complaints.into_iter().next() {
                return vec![complaint];
            }
        }
    }
    match allowed {
        0 => vec!["no review got a verdict".to_owned()],
        _ => vec![],
    }
}

fn withstands(name: &'static str, profiles: usize, keeps_connections: bool) {
    let bodies: Vec<Bytes> = (0..profiles).map(follower).collect();
    let trial = Trial::new(name).manifests((0..profiles).map(profile));
    trial.withstands(async |target| attack(target, &bodies, keeps_connections).await);
}

#[test]
fn followers_of_a_large_profile_over_kept_connections() {
    withstands("P1 large profile, kept connections", 1, true);
}

#[test]
fn followers_of_a_large_profile_over_new_connections() {
    withstands("P1 large profile, new connections", 1, false);
}

#[test]
fn followers_of_more_large_profiles_than_are_cached() {
    withstands("P2 large profiles, kept connections", 12, true);
}
