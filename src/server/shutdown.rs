use tokio::signal::unix::{Signal, SignalKind, signal};

use super::ServerError;

/// The signals that ask for the end.
#[derive(Debug)]
pub struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    /// Catches SIGTERM and SIGINT from now on, so that neither can kill a server that has said that it listens.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn catch() -> Result<Self, ServerError> {
        let catch = |kind| signal(kind).map_err(ServerError::Signals);
        Ok(Self {
            terminate: catch(SignalKind::terminate())?,
            interrupt: catch(SignalKind::interrupt())?,
        })
    }

    /// Returns when one of them comes.
    pub async fn received(mut self) {
        // Either arm may be dropped half-way: a signal that is not taken stays noted.
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
