use tokio::signal::unix::{Signal, SignalKind, signal};

use super::ServerError;

/// Handlers of the signals that stop the server.
#[derive(Debug)]
pub struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    /// Installs handlers of SIGTERM and SIGINT, so that they cannot kill a server that has started.
    ///
    /// # Errors
    /// Fails if the operating system refuses.
    pub fn catch() -> Result<Self, ServerError> {
        let catch = |kind| signal(kind).map_err(ServerError::Signals);
        Ok(Self {
            terminate: catch(SignalKind::terminate())?,
            interrupt: catch(SignalKind::interrupt())?,
        })
    }

    /// Waits for one of the signals.
    pub async fn received(mut self) {
        // Either arm may be dropped: a signal that was not consumed is kept.
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
