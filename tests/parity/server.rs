//! etcd, kube-apiserver, and two instances of gardener-apiserver.
//!
//! One runs normally, the other without the plugins that would refuse objects to store.

use std::path::Path;

use serde_json::Value;

use crate::cluster::TestCluster;
use crate::cluster::aggregated::AggregatedServer;
use crate::gardener::{GROUPS, plugins, start};

/// All servers of a garden; they end when this is dropped.
pub(crate) struct Servers {
    // The cluster is dropped last.
    /// The server with all plugins.
    pub(crate) judging: AggregatedServer,
    /// The server without optional admission plugins.
    pub(crate) storing: AggregatedServer,
    pub(crate) cluster: TestCluster,
}

impl Servers {
    /// Starts all servers with these feature gates; `None` without etcd and kube-apiserver.
    pub(crate) async fn start(program: &Path, gates: &Value) -> Option<Servers> {
        let cluster = TestCluster::start().await?;
        let storing = start(&cluster, program, "storing", gates, &plugins(program)).await;
        let judging = start(&cluster, program, "judging", gates, &[]).await;
        judging.serve(&cluster, GROUPS).await;
        Some(Servers {
            judging,
            storing,
            cluster,
        })
    }
}
