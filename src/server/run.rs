use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use rustls::ServerConfig;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch as flag};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::build::{Garden, Loaded, Sources};
use super::connection::Service;
use super::live;
use super::router;
use super::source::{GardenSource, chain};
use super::state::State;
use super::tls::IdentitySource;
use super::watch::watch;
use super::{Server, ServerError};

/// Connections at a time; more wait to be accepted. Well below what a process may open.
const CONNECTIONS: u32 = 10_000;
/// Of scrapers and probes.
const METRICS_CONNECTIONS: u32 = 100;
/// After a failed accept, usually for lack of file descriptors: time for connections to end.
const ACCEPT_BACKOFF: Duration = Duration::from_millis(100);
/// For clients whose connection was accepted last to send the request that they opened it for.
const SETTLE: Duration = Duration::from_millis(250);
/// For requests that are being answered at the end; the longest that one may take.
const DRAIN: Duration = Duration::from_secs(30);

impl Server {
    /// Serves until `shutdown`, then answers what is on its way and returns.
    ///
    /// # Errors
    /// When a task ends that must not.
    pub async fn run(self, shutdown: impl Future<Output = ()>) -> Result<(), ServerError> {
        let mut tasks = self.tasks;
        watch_all(&mut tasks, self.sources, &self.state, &self.tls);
        let (close, closing) = flag::channel(false);
        let main = Service {
            router: router::main(&self.state),
            state: Arc::clone(&self.state),
            closing,
        };
        let main = Port::new(self.listener, CONNECTIONS, main);
        // Dropping the accept loop loses no connection: one is either still the listener's or has its own task.
        tokio::select! {
            () = main.accept(Some(&self.tls)) => {}
            ended = tasks.join_next() => {
                let why = format!("{ended:?}");
                return Err(ServerError::TaskEnded(why));
            }
            () = shutdown => {}
        }
        tracing::info!("stopping");
        self.state.ready.set_stopping();
        // In this order, so that whoever has connected by then is accepted before the listener is dropped.
        tokio::select! {
            biased;
            () = main.accept(Some(&self.tls)) => {}
            () = sleep(self.pause) => {}
        }
        main.drain(&close).await;
        tracing::info!("stopped");
        Ok(())
    }
}

/// Tells metrics, and how the server is, from before it can serve until the process ends.
pub(super) async fn serve_metrics(listener: TcpListener, state: Arc<State>) {
    // Nobody closes these connections: they end with the process.
    let (_close, closing) = flag::channel(false);
    let router = router::metrics(&state);
    let service = Service {
        router,
        state,
        closing,
    };
    Port::new(listener, METRICS_CONNECTIONS, service)
        .accept(None)
        .await;
}

/// A port and the connections that came in through it.
struct Port {
    listener: TcpListener,
    limit: u32,
    /// A permit for each connection that may still come.
    free: Arc<Semaphore>,
    service: Service,
}

impl Port {
    fn new(listener: TcpListener, limit: u32, service: Service) -> Self {
        let free = Arc::new(Semaphore::new(limit as usize));
        Self {
            listener,
            limit,
            free,
            service,
        }
    }

    /// Accepts connections for ever; each has its own task, which holds a permit to its end.
    async fn accept(&self, tls: Option<&ArcSwap<ServerConfig>>) {
        while let Ok(permit) = Arc::clone(&self.free).acquire_owned().await {
            match self.listener.accept().await {
                Ok((stream, _)) => {
                    let tls = tls.map(ArcSwap::load_full);
                    let connection = self.service.clone().serve(stream, tls);
                    tokio::spawn(async move {
                        connection.await;
                        drop(permit);
                    });
                }
                Err(error) => {
                    tracing::warn!("failed to accept a connection: {error}");
                    sleep(ACCEPT_BACKOFF).await;
                }
            }
        }
    }

    /// Stops listening, lets every connection end after the request it is at, and waits for that.
    async fn drain(self, close: &flag::Sender<bool>) {
        let Self {
            listener,
            limit,
            free,
            ..
        } = self;
        drop(listener);
        sleep(SETTLE).await;
        close.send_replace(true);
        if timeout(DRAIN, free.acquire_many(limit)).await.is_err() {
            tracing::warn!("gave up on requests that were not answered after {DRAIN:?}");
        }
    }
}

/// Watches the files behind everything that can change while the server runs.
fn watch_all(
    tasks: &mut JoinSet<()>,
    sources: Sources,
    state: &Arc<State>,
    tls: &Arc<ArcSwap<ServerConfig>>,
) {
    if let IdentitySource::Managed(keeper) = &sources.tls.source.identity {
        let keeper = Arc::clone(keeper);
        tasks.spawn(async move { keeper.keep().await });
    }
    match sources.garden {
        Garden::Live(live, _) => {
            tasks.spawn(live::follow(live, Arc::clone(state)));
        }
        Garden::Directory(loaded) => watch_directory(tasks, loaded, state),
        Garden::Absent(_) => {}
    }
    let own = Arc::clone(state);
    tasks.spawn(watch(
        sources.config.source,
        sources.config.seen,
        move |loaded| match loaded {
            Ok(config) => {
                tracing::info!("loaded the changed configuration");
                own.config.store(Arc::new(config));
            }
            Err(error) => {
                tracing::error!(
                    "failed to load the changed configuration, keeping the last good one: {}",
                    chain(&error)
                );
                own.metrics.config_reload_failures.inc();
            }
        },
    ));
    let (own, tls) = (Arc::clone(state), Arc::clone(tls));
    tasks.spawn(watch(
        sources.tls.source,
        sources.tls.seen,
        move |loaded| match loaded {
            Ok(loaded) => {
                tracing::info!(
                    not_after = loaded.not_after,
                    "loaded the changed certificate"
                );
                tls.store(loaded.config);
                own.certificate_loaded(loaded.not_after);
            }
            Err(error) => {
                tracing::error!(
                    "failed to load the changed certificate, keeping the last good one: {}",
                    chain(&error)
                );
                own.metrics.certificate_reload_failures.inc();
            }
        },
    ));
}

fn watch_directory(tasks: &mut JoinSet<()>, loaded: Loaded<GardenSource>, state: &Arc<State>) {
    let own = Arc::clone(state);
    tasks.spawn(watch(
        loaded.source,
        loaded.seen,
        move |loaded| match loaded {
            Ok(garden) => {
                tracing::info!("loaded the changed garden");
                own.garden.store(Arc::new(garden));
                own.metrics.garden_loaded();
            }
            Err(error) => {
                tracing::error!(
                    "failed to load the changed garden, keeping the last good one: {}",
                    chain(&error)
                );
                own.metrics.garden_reload_failures.inc();
            }
        },
    ));
}
