// SPDX-License-Identifier: Apache-2.0
//! A real Kubernetes control plane for tests: etcd and kube-apiserver, one for each test, deleted at its end.
//!
//! ```ignore
//! mod cluster;
//! let Some(cluster) = cluster::TestCluster::start().await else { return };
//! cluster.install_gardener_kinds().await;
//! let alice = cluster.user("alice", &["devs"]).await;
//! ```
//! There is no controller manager, scheduler or node: namespaces stay in `Terminating`, nothing is garbage collected, and a
//! Service leads nowhere unless it has the type `ExternalName` (then webhooks that name the Service reach that host).
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot get its cluster must fail"
)]
#![expect(dead_code, reason = "each test binary includes this module and uses a part of it")]

pub(crate) mod aggregated;
pub(crate) mod control_plane;
pub(crate) mod helm;
pub(crate) mod objects;
mod pki;
pub(crate) mod process;
pub(crate) mod programs;
pub(crate) mod user;
pub(crate) mod waiting;

pub(crate) use control_plane::TestCluster;

/// Never used, so that the expectation of dead code above holds in every test binary.
const SOME_TEST_LEAVES_SOMETHING_UNUSED: () = ();
