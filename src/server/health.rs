//! Health, readiness and metrics, served by a separate thread that never waits for reviews.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;

use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::{oneshot, watch};

use super::connections::{Port, Service};
use super::endpoints;
use super::state::State;

/// Maximum number of connections of scrapers and probes.
const CONNECTIONS: usize = 100;

/// The metrics port, which is served until dropped.
#[derive(Debug)]
pub(super) struct Health {
    pub(super) address: SocketAddr,
    _stop: oneshot::Sender<()>,
    ended: oneshot::Receiver<()>,
}

impl Health {
    /// Starts the thread that serves the port.
    pub(super) fn start(listener: TcpListener, state: &Arc<State>) -> io::Result<Self> {
        let address = listener.local_addr()?;
        // Moves the listener to another runtime.
        let listener = listener.into_std()?;
        let (stop, stopped) = oneshot::channel();
        let (end, ended) = oneshot::channel();
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let state = Arc::clone(state);
        thread::Builder::new()
            .name("health".to_owned())
            .spawn(move || {
                runtime.block_on(async {
                    // Serving ends only with an error, and there are no requests to finish.
                    tokio::select! {
                        _ = stopped => {}
                        result = serve(listener, state) => {
                            if let Err(error) = result {
                                tracing::error!("failed to serve metrics: {error}");
                            }
                        }
                    }
                });
                // The receiver may be gone.
                let _ = end.send(());
            })?;
        Ok(Self {
            address,
            _stop: stop,
            ended,
        })
    }

    /// Returns if serving ends, which is a defect.
    pub(super) async fn ended(&mut self) {
        // An error means that the thread panicked, which also ends serving.
        let _ = (&mut self.ended).await;
    }
}

async fn serve(listener: std::net::TcpListener, state: Arc<State>) -> io::Result<()> {
    let listener = TcpListener::from_std(listener)?;
    // The channel never signals closing: requests are served until the process ends.
    let (_open, closing) = watch::channel(false);
    let service = Service {
        router: endpoints::metrics(&state),
        state,
        closing,
        once: true,
    };
    Port::new("metrics", listener, CONNECTIONS, service)
        .accept(None)
        .await;
    Ok(())
}
