// SPDX-License-Identifier: Apache-2.0
use prometheus_client::metrics::counter::Counter;

/// Metrics about the managed certificate.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeeperNumbers {
    /// The number of failed reconciliations.
    pub(crate) failures: Counter,
}
