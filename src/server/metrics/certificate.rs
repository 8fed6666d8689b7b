use prometheus_client::metrics::counter::Counter;

/// Metrics about the managed certificate.
#[derive(Clone, Debug, Default)]
pub(in crate::server) struct KeeperNumbers {
    /// The number of failed reconciliations.
    pub(in crate::server) failures: Counter,
}
