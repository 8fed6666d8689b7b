use std::fmt::Debug;
use std::sync::Arc;

use arc_swap::ArcSwap;
use rustls::ServerConfig;
use tokio::sync::{oneshot, watch as flag};
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::audit::{self, Objects};
use super::build::{Garden, Loaded, Sources};
use super::certificates::IdentitySource;
use super::connections::{Port, Service};
use super::directory;
use super::endpoints;
use super::heartbeat;
use super::live;
use super::metrics::Reloads;
use super::source::Source;
use super::state::State;
use super::watch::watch;
use super::{Server, ServerError};

impl Server {
    /// Serves until `shutdown`, then answers what is on its way and returns.
    ///
    /// # Errors
    /// When a task ends that must not.
    pub async fn run(self, shutdown: impl Future<Output = ()>) -> Result<(), ServerError> {
        let mut tasks = self.tasks;
        if let Some((every, objects)) = self.audit_every.zip(objects(&self.sources.garden)) {
            tasks.spawn(audit::follow(every, objects, Arc::clone(&self.state)));
        }
        watch_all(&mut tasks, self.sources, &self.state, &self.tls);
        if let Some(mut health) = self.health {
            tasks.spawn(async move { health.ended().await });
        }
        let (close, closing) = flag::channel(false);
        let service = Service {
            router: endpoints::main(&self.state),
            state: Arc::clone(&self.state),
            closing,
            once: false,
        };
        let own = Arc::clone(&self.state);
        tokio::spawn(async move { heartbeat::beat(&own).await });
        let port = Port::new("https", self.listener, self.connections, service);
        let (stop, stopped) = oneshot::channel();
        let accepting = accept(port, Arc::clone(&self.tls), stopped);
        let mut accepting = tokio::spawn(accepting);
        tokio::select! {
            ended = tasks.join_next() => return Err(ended_early(&ended)),
            ended = &mut accepting => return Err(ended_early(&ended.map(drop))),
            () = shutdown => {}
        }
        tracing::info!("stopping");
        self.state.ready.set_stopping();
        sleep(self.pause).await;
        // Who has gone already has said so.
        let _ = stop.send(());
        let port = accepting.await.map_err(|error| ended_early(&error))?;
        port.drain(&close).await;
        tracing::info!("stopped");
        Ok(())
    }
}

/// Accepts connections until it is told that this is enough.
async fn accept(
    port: Port,
    tls: Arc<ArcSwap<ServerConfig>>,
    enough: oneshot::Receiver<()>,
) -> Port {
    // In this order, so that whoever has connected by then is accepted before the listener is dropped. Dropping the accept loop loses
    // no connection: one is either still the listener's or has its own task.
    tokio::select! {
        biased;
        () = port.accept(Some(&tls)) => {}
        _ = enough => {}
    }
    port
}

/// What must run as long as the server does has ended.
fn ended_early(how: &impl Debug) -> ServerError {
    ServerError::TaskEnded(format!("{how:?}"))
}

/// Where the objects of a garden are, whole.
fn objects(garden: &Garden) -> Option<Objects> {
    match garden {
        Garden::Directory(directory) => Some(Objects::Directory(directory.path().to_owned())),
        Garden::Live(live, _) => Some(Objects::Live(Arc::clone(live))),
        Garden::Absent(_) => None,
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
        Garden::Directory(directory) => {
            tasks.spawn(directory::follow(*directory, Arc::clone(state)));
        }
        Garden::Absent(_) => {}
    }
    let own = Arc::clone(state);
    let reloads = &state.metrics.config_reloads;
    reload(
        tasks,
        "configuration",
        sources.config,
        reloads,
        move |config| {
            tracing::info!("loaded the changed configuration");
            own.config.store(Arc::new(config));
        },
    );
    let (own, tls) = (Arc::clone(state), Arc::clone(tls));
    let reloads = &state.metrics.certificate_reloads;
    reload(tasks, "certificate", sources.tls, reloads, move |loaded| {
        tracing::info!(
            not_after = loaded.not_after,
            "loaded the changed certificate"
        );
        tls.store(loaded.config);
        own.certificate_loaded(loaded.not_after);
    });
}

/// Gives what files are read into to `take` whenever they change; counts and tells when they cannot be read.
fn reload<S: Source>(
    tasks: &mut JoinSet<()>,
    what: &'static str,
    loaded: Loaded<S>,
    reloads: &Reloads,
    mut take: impl FnMut(S::Output) + Send + 'static,
) {
    let reloads = reloads.clone();
    let changed = move |result: Result<S::Output, S::Error>| {
        reloads.tell(what, &result.map(&mut take));
    };
    tasks.spawn(watch(loaded.source, loaded.seen, changed));
}
