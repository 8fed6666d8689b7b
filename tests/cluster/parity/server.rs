// SPDX-License-Identifier: Apache-2.0
//! etcd, kube-apiserver, and two or more instances of gardener-apiserver.
//!
//! One runs without the plugins that would refuse objects to store, the others normally.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use kube::Client;
use serde_json::Value;

use crate::cluster::TestCluster;
use crate::cluster::aggregated::AggregatedServer;
use crate::gardener::{GROUPS, plugins, start};
use crate::parity::number;

/// All servers of a garden; they end when this is dropped.
pub(crate) struct Servers {
    // The cluster is dropped last.
    /// The servers with all plugins. Each looks up only a few missing objects per second.
    judging: Vec<AggregatedServer>,
    /// The number of requests so far.
    asked: AtomicUsize,
    /// The server without optional admission plugins.
    pub(crate) storing: AggregatedServer,
    pub(crate) cluster: TestCluster,
}

impl Servers {
    /// Starts all servers with these feature gates; `None` without etcd and kube-apiserver.
    pub(crate) async fn start(program: &Path, gates: &Value) -> Option<Servers> {
        let cluster = TestCluster::start().await?;
        let storing = start(&cluster, program, "storing", gates, &plugins(program)).await;
        let mut judging = Vec::new();
        for index in 0..number("PARITY_SERVERS", 1).max(1) {
            let name = format!("judging-{index}");
            judging.push(start(&cluster, program, &name, gates, &[]).await);
        }
        judging[0].serve(&cluster, GROUPS).await;
        Some(Servers { judging, asked: AtomicUsize::new(0), storing, cluster })
    }

    /// Returns the client of the next server with all plugins.
    pub(crate) fn next(&self) -> &Client {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        &self.judging[asked % self.judging.len()].admin.client
    }

    /// Returns the number of servers with all plugins.
    pub(crate) fn count(&self) -> usize {
        self.judging.len()
    }
}
