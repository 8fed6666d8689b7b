// SPDX-License-Identifier: Apache-2.0
use super::ServerError;
use crate::platform::StopSignals;

/// Handlers of the signals that stop the server.
#[derive(Debug)]
pub struct Signals(StopSignals);

impl Signals {
    /// Installs handlers of SIGTERM and SIGINT, so that they cannot kill a server that has started.
    ///
    /// # Errors
    /// Fails if the operating system refuses.
    pub fn catch() -> Result<Self, ServerError> {
        StopSignals::catch().map(Self).map_err(ServerError::Signals)
    }

    /// Waits for one of the signals.
    pub async fn received(mut self) {
        self.0.received().await;
    }
}
