//! etcd, kube-apiserver, and gardener-apiserver twice: as it is, and without the plugins that refuse what is to be stored.

use std::path::Path;

use serde_json::Value;

use crate::cluster::TestCluster;
use crate::cluster::aggregated::AggregatedServer;
use crate::gardener::{GROUPS, plugins, start};

/// All servers of a garden; they end when this is dropped.
pub(crate) struct Servers {
    // The cluster goes last.
    /// As it is.
    pub(crate) judging: AggregatedServer,
    /// Without any admission plugin that can be taken off.
    pub(crate) storing: AggregatedServer,
    pub(crate) cluster: TestCluster,
}

impl Servers {
    /// Starts all of them, with these feature gates; `None` where etcd and kube-apiserver cannot be had.
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
