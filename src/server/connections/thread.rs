// SPDX-License-Identifier: Apache-2.0
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;

use arc_swap::ArcSwap;
use axum::Router;
use rustls::ServerConfig;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::{oneshot, watch};

use super::{Port, Service};
use crate::server::state::State;

/// A port that a separate thread serves until this is dropped.
#[derive(Debug)]
pub(crate) struct PortThread {
    pub(crate) address: SocketAddr,
    _stop: oneshot::Sender<()>,
    ended: oneshot::Receiver<()>,
}

/// The content and the limits of a port.
pub(crate) struct PortOptions {
    /// The name of the thread and the label in metrics.
    pub(crate) name: &'static str,
    pub(crate) router: Router,
    /// Maximum number of connections.
    pub(crate) connections: usize,
    /// Whether a connection serves one request only.
    pub(crate) once: bool,
    /// The TLS configuration; `None` for plain HTTP.
    pub(crate) tls: Option<Arc<ArcSwap<ServerConfig>>>,
}

impl PortThread {
    /// Starts the thread that serves the port.
    pub(crate) fn start(
        listener: TcpListener,
        options: PortOptions,
        state: &Arc<State>,
    ) -> io::Result<Self> {
        let address = listener.local_addr()?;
        // Moves the listener to another runtime.
        let listener = listener.into_std()?;
        let (stop, stopped) = oneshot::channel();
        let (end, ended) = oneshot::channel();
        let runtime = Builder::new_current_thread().enable_all().max_blocking_threads(1).build()?;
        let (state, name) = (Arc::clone(state), options.name);
        thread::Builder::new().name(name.to_owned()).spawn(move || {
            runtime.block_on(async {
                // Serving ends only with an error, and there are no requests to finish.
                tokio::select! {
                    _ = stopped => {}
                    result = serve(listener, options, state) => {
                        if let Err(error) = result {
                            tracing::error!("failed to serve the port of {name}: {error}");
                        }
                    }
                }
            });
            // The receiver may be gone.
            let _ = end.send(());
        })?;
        Ok(Self { address, _stop: stop, ended })
    }

    /// Returns if serving ends, which is a defect.
    pub(crate) async fn ended(&mut self) {
        // An error means that the thread panicked, which also ends serving.
        let _ = (&mut self.ended).await;
    }
}

async fn serve(
    listener: std::net::TcpListener,
    options: PortOptions,
    state: Arc<State>,
) -> io::Result<()> {
    let listener = TcpListener::from_std(listener)?;
    // The channel never signals closing: requests are served until the process ends.
    let (_open, closing) = watch::channel(false);
    let service = Service { router: options.router, state, closing, once: options.once };
    Port::new(options.name, listener, options.connections, service)
        .accept(options.tls.as_deref())
        .await;
    Ok(())
}
