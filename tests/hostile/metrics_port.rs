// SPDX-License-Identifier: Apache-2.0
//! Connections to the port of the liveness probe.

use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use tokio::io::AsyncReadExt as _;
use tokio::task::JoinSet;

use crate::many_addresses::attackers;
use crate::target::{FRIEND, NEIGHBOUR, Target};
use crate::trial::Trial;

const SECONDS: Duration = Duration::from_secs(5);
/// Pause between the first connections, since a burst would overflow the kernel's queue.
const BETWEEN: Duration = Duration::from_millis(3);
/// Pause before a connection is reopened.
pub(crate) const SOON: Duration = Duration::from_millis(100);
/// Pause of an attacker with the kubelet's address, which the server cannot distinguish from the kubelet.
const LATER: Duration = Duration::from_secs(1);

/// Holds idle connections to a port for some time, and replaces each closed one after a pause.
pub(crate) async fn hold(
    target: &Target,
    (from, to): (&[IpAddr], SocketAddr),
    connections: usize,
    (time, pause): (Duration, Duration),
) {
    let end = Instant::now() + time;
    let mut silent = JoinSet::new();
    for from in from.iter().copied().cycle().take(connections) {
        tokio::time::sleep(BETWEEN).await;
        let target = target.clone();
        silent.spawn(async move {
            loop {
                if let Ok(mut stream) = target.tcp(from, to).await {
                    let _ = stream.read_to_end(&mut Vec::new()).await;
                }
                tokio::time::sleep(pause).await;
            }
        });
    }
    tokio::time::sleep_until(end.into()).await;
    silent.shutdown().await;
}

async fn silence(
    target: &Target,
    from: &[IpAddr],
    connections: usize,
    pause: Duration,
) -> Vec<String> {
    let ends = (from, target.metrics);
    hold(target, ends, connections, (SECONDS, pause)).await;
    vec![]
}

#[test]
fn a_hundred_silent_connections() {
    let trial = Trial::new("A2 100 silent connections");
    trial.withstands(async |target| silence(target, &[NEIGHBOUR], 100, SOON).await);
}

#[test]
fn three_hundred_silent_connections() {
    let trial = Trial::new("A2 300 silent connections");
    trial.withstands(async |target| silence(target, &[NEIGHBOUR], 300, SOON).await);
}

#[test]
fn three_hundred_silent_connections_from_where_the_kubelet_is() {
    let trial = Trial::new("A2 300 silent connections, own address");
    trial.withstands(async |target| silence(target, &[FRIEND], 300, LATER).await);
}

#[test]
fn three_hundred_silent_connections_of_fifty_addresses() {
    let trial = Trial::new("C2 300 silent connections, 50 addresses");
    let addresses = attackers(50);
    trial.withstands(async |target| silence(target, &addresses, 300, SOON).await);
}
