// SPDX-License-Identifier: Apache-2.0
use std::fmt::Debug;
use std::sync::Arc;

use arc_swap::ArcSwap;
use rustls::ServerConfig;
use tokio::sync::{oneshot, watch as flag};
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::background::{Objects, audit, forecast};
use super::build::{Garden, Loaded, Sources};
use super::certificates::IdentitySource;
use super::connections::{Port, PortOptions, PortThread, Service};
use super::directory;
use super::endpoints;
use super::live;
use super::metrics::Reloads;
use super::publish;
use super::source::{Settings, Source};
use super::state::State;
use super::watch::watch;
use super::{Server, ServerError};

impl Server {
    /// Serves until `shutdown`, then answers pending requests and returns.
    ///
    /// # Errors
    /// Fails if a task ends that must not.
    pub async fn run(self, shutdown: impl Future<Output = ()>) -> Result<(), ServerError> {
        let mut tasks = self.tasks;
        if let Some(objects) = objects(&self.sources.garden) {
            if let Some(every) = self.audit_every {
                let (objects, state) = (objects.clone(), Arc::clone(&self.state));
                tasks.spawn(audit::follow(every, objects, state));
            }
            if let Some(every) = self.forecast_every {
                tasks.spawn(forecast::follow(every, objects, Arc::clone(&self.state)));
            }
        }
        let tls = (Arc::clone(&self.tls), Arc::clone(&self.public_tls));
        watch_all(&mut tasks, self.sources, &self.state, tls);
        if let Some((listener, publisher)) = self.publish {
            let options = PortOptions {
                name: "publish",
                router: publish::router(&publisher),
                connections: publish::CONNECTIONS,
                once: false,
                tls: Some(self.public_tls),
            };
            let mut port =
                PortThread::start(listener, options, &self.state).map_err(ServerError::Publish)?;
            tracing::info!("site on https://{}/", port.address);
            tasks.spawn(async move { port.ended().await });
        }
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
        tokio::spawn(async move { own.heartbeat.beat().await });
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
        // An error means that the receiver already ended, which is reported below.
        let _ = stop.send(());
        let port = accepting.await.map_err(|error| ended_early(&error))?;
        port.drain(&close).await;
        tracing::info!("stopped");
        Ok(())
    }
}

/// Accepts connections until `enough` is signalled.
async fn accept(
    port: Port,
    tls: Arc<ArcSwap<ServerConfig>>,
    enough: oneshot::Receiver<()>,
) -> Port {
    // Biased, so that clients that have connected are accepted before the listener is dropped.
    // Dropping the accept loop loses no connection: each is still in the listener or has a separate task.
    tokio::select! {
        biased;
        () = port.accept(Some(&tls)) => {}
        _ = enough => {}
    }
    port
}

/// Returns the error for a task that ended but must run as long as the server.
fn ended_early(how: &impl Debug) -> ServerError {
    ServerError::TaskEnded(format!("{how:?}"))
}

/// Returns the source of the garden's whole objects.
fn objects(garden: &Garden) -> Option<Objects> {
    match garden {
        Garden::Directory(directory) => Some(Objects::Directory(directory.path().to_owned())),
        Garden::Live(live, _) => Some(Objects::Live(Arc::clone(live))),
        Garden::Absent(_) => None,
    }
}

/// Starts the tasks that watch all changing sources.
fn watch_all(
    tasks: &mut JoinSet<()>,
    sources: Sources,
    state: &Arc<State>,
    (tls, public_tls): (Arc<ArcSwap<ServerConfig>>, Arc<ArcSwap<ServerConfig>>),
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
    let Loaded { source, seen } = sources.settings;
    tasks.spawn(watch(source, seen, move |Ok(settings)| {
        take_settings(&own, settings);
    }));
    let own = Arc::clone(state);
    let reloads = &state.metrics.certificate_reloads;
    reload(tasks, "certificate", sources.tls, reloads, move |loaded| {
        tracing::info!(not_after = loaded.not_after, "loaded the changed certificate");
        tls.store(loaded.config);
        public_tls.store(loaded.public);
        own.certificate_loaded(loaded.not_after);
    });
}

/// Replaces the configuration and the policies, unless they are invalid.
pub(super) fn take_settings(state: &State, settings: Settings) {
    let Settings { config, policies } = settings;
    let metrics = &state.metrics;
    // The configuration comes first: it may lower the level of a new policy.
    metrics.config_reloads.record("configuration", &config.map(|it| state.set_config(it)));
    let applied = policies.map(|policies| {
        if !Arc::ptr_eq(&policies, &state.policies.load()) {
            tracing::info!("loaded the changed policies");
            state.set_policies(policies);
        }
    });
    metrics.policy_reloads.record("policies", &applied);
}

/// Passes the loaded value to `take` whenever the files change; counts and logs failures.
fn reload<S: Source>(
    tasks: &mut JoinSet<()>,
    what: &'static str,
    loaded: Loaded<S>,
    reloads: &Reloads,
    mut take: impl FnMut(S::Output) + Send + 'static,
) {
    let reloads = reloads.clone();
    let changed = move |result: Result<S::Output, S::Error>| {
        reloads.record(what, &result.map(&mut take));
    };
    tasks.spawn(watch(loaded.source, loaded.seen, changed));
}
