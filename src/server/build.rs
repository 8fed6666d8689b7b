// SPDX-License-Identifier: Apache-2.0
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use arc_swap::ArcSwap;
use rustls::ServerConfig;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use super::certificates::{ClientCheck, IdentitySource, Keeper, SelfMade, TlsSource};
use super::clock::{self, Clock};
use super::connections::PortThread;
use super::directory;
use super::health;
use super::memory::Memory;
use super::publish::{PublishedPlayground, Publisher};
use super::record::Recorder;
use super::source::{PolicyPaths, SettingsSource, Source, read};
use super::state::State;
use super::{Answerer, CertificateOptions, GardenOptions, ServerError, ServerOptions, rights};
use crate::garden::directory::GardenDirectory;
use crate::garden::live::{LiveClient, LiveGarden, Right};
use crate::notify::Notifier;
use crate::playground::PlaygroundFiles;
use garden_gate_core::garden::{Knowledge, Snapshot};
use garden_gate_products::report::Playground;

/// A server with a bound listener and all required data loaded; [`Server::run`] serves requests.
pub struct Server {
    pub(super) listener: TcpListener,
    pub(super) health: Option<PortThread>,
    /// The port for people, bound but not served yet.
    pub(super) publish: Option<(TcpListener, Arc<Publisher>)>,
    /// Tasks that are already running: the connection to the API server.
    pub(super) tasks: JoinSet<()>,
    /// Maximum number of connections.
    pub(super) connections: usize,
    pub(super) state: Arc<State>,
    pub(super) tls: Arc<ArcSwap<ServerConfig>>,
    /// The TLS configuration of the port for people.
    pub(super) public_tls: Arc<ArcSwap<ServerConfig>>,
    pub(super) sources: Sources,
    pub(super) pause: Duration,
    pub(super) audit_every: Option<Duration>,
    pub(super) forecast_every: Option<Duration>,
}

/// The watched sources, with the fingerprints of the loaded data.
pub(super) struct Sources {
    pub(super) garden: Garden,
    pub(super) settings: Loaded<SettingsSource>,
    pub(super) tls: Loaded<TlsSource>,
}

/// The source of garden changes.
pub(super) enum Garden {
    Directory(Box<GardenDirectory>),
    Live(Arc<LiveGarden>, Arc<LiveClient>),
    /// No garden.
    /// The API server, if any, is used for certificates only.
    Absent(Option<Arc<LiveClient>>),
}

impl Garden {
    fn client(&self) -> Option<Arc<LiveClient>> {
        match self {
            Self::Directory(_) => None,
            Self::Live(_, client) => Some(Arc::clone(client)),
            Self::Absent(client) => client.clone(),
        }
    }
}

/// The bound ports of a server.
struct Listeners {
    requests: TcpListener,
    metrics: Option<(SocketAddr, TcpListener)>,
    publish: Option<TcpListener>,
}

impl Listeners {
    async fn bind(options: &ServerOptions) -> Result<Self, ServerError> {
        Ok(Self {
            requests: listen("--listen", options.listen).await?,
            metrics: match options.metrics_listen {
                Some(address) => Some((address, listen("--metrics-listen", address).await?)),
                None => None,
            },
            publish: match options.publish_listen {
                Some(address) => Some(listen("--publish-listen", address).await?),
                None => None,
            },
        })
    }
}

pub(super) struct Loaded<S: Source> {
    pub(super) source: Arc<S>,
    pub(super) seen: S::Fingerprint,
}

impl Server {
    /// Binds the listeners, loads the configuration and the garden, and waits for the certificate.
    ///
    /// The metrics port reports the progress. [`Self::run`] accepts connections; earlier ones wait in the backlog.
    ///
    /// # Errors
    /// Fails with all problems if anything is missing or invalid. Waits for an API server that does not respond.
    pub async fn build(options: ServerOptions) -> Result<Self, ServerError> {
        Self::build_with(options, Clock::default()).await
    }

    /// Builds a server that reads the time from `clock`.
    pub(super) async fn build_with(
        options: ServerOptions,
        clock: Clock,
    ) -> Result<Self, ServerError> {
        let Listeners { requests, metrics, publish } = Listeners::bind(&options).await?;
        let is_published = publish.is_some();
        let policies = PolicyPaths {
            paths: options.policies,
            has_namespaces: matches!(options.garden, GardenOptions::Directory { .. }),
        };
        let source = SettingsSource::new(options.config, options.gardener_version, policies);
        let Ok((settings, loaded_settings)) = load(source);
        let (policies, config) = (settings.policies?, settings.config?);
        loaded_settings.source.report(&policies);
        let managed = matches!(options.certificate, CertificateOptions::Managed(_));
        let recorder = options.record.as_ref().map(Recorder::start).transpose()?;
        let playground = options.publish_playground.as_deref().map(playground).transpose()?;
        let (shown, playground) = playground.unzip();
        let taken = playground.as_ref().map_or(0, PublishedPlayground::bytes);
        let memory = Memory::new(options.memory_limit).without(taken);
        let state = |snapshot| {
            let mut state = State::new(snapshot, config, memory);
            state.clock = clock;
            state.is_audited = options.audit_every.is_some();
            state.is_forecast = options.forecast_every.is_some();
            let is_collected = is_published || options.notify.is_some();
            state.publishes = is_collected.then(|| memory.for_forecasts());
            state.playground = shown;
            state.recorder = recorder;
            state.metrics.dropped_log_lines = options.dropped_log_lines;
            state.set_policies(policies);
            state
        };
        let grace_period = options.watch_patience;
        let (state, garden) = garden(options.garden, grace_period, managed, state).await?;
        let health = match metrics {
            Some((address, listener)) => Some(health(address, listener, &state)?),
            None => None,
        };
        let mut rights = required_rights(&options.certificate, is_published);
        if let Some(notify) = options.notify {
            rights.extend(rights::of_state(&notify.state));
            let notifier = Notifier::new(notify, garden.client()).map_err(ServerError::Notify)?;
            // It is set once.
            let _ = state.notifier.set(notifier);
        }
        let tasks = follow(&garden, &state, rights);
        let clients = ClientCheck { ca: options.client_ca, names: options.client_names };
        // Reports an invalid client CA before waiting for the certificate.
        clients.verifier()?;
        let identity = identity(options.certificate, &garden, &state, options.listen.ip()).await?;
        let source = TlsSource { identity, clients, clock: state.clock.clone() };
        let (tls, loaded_tls) = load(source)?;
        state.certificate_loaded(tls.not_after);
        state.ready.set_listening();
        let publish = match publish {
            Some(listener) => {
                let client = garden.client();
                let is_local = listener.local_addr().is_ok_and(|it| it.ip().is_loopback());
                if client.is_none() && !is_local {
                    return Err(ServerError::NoTokenReviews);
                }
                let publisher = Publisher::new(Arc::clone(&state), client, playground, memory);
                Some((listener, Arc::new(publisher)))
            }
            None => None,
        };
        Ok(Self {
            listener: requests,
            health,
            publish,
            tasks,
            connections: memory.connections(),
            state,
            tls: Arc::new(ArcSwap::new(tls.config)),
            public_tls: Arc::new(ArcSwap::new(tls.public)),
            sources: Sources { garden, settings: loaded_settings, tls: loaded_tls },
            pause: options.pause,
            audit_every: options.audit_every,
            forecast_every: options.forecast_every,
        })
    }

    /// Returns the listen address with the actual port.
    pub fn address(&self) -> SocketAddr {
        local_address(&self.listener)
    }
}

/// Reads a playground; returns what pages show of it, and its files.
fn playground(folder: &Path) -> Result<(Playground, PublishedPlayground), ServerError> {
    let read = PlaygroundFiles::read(folder).map_err(ServerError::Playground)?;
    if let Some(warning) = read.warning() {
        tracing::warn!("{warning}");
    }
    Ok((read.shown(), PublishedPlayground::new(read)))
}

/// Returns the rights that the certificate and the pages require.
fn required_rights(certificate: &CertificateOptions, is_published: bool) -> Vec<Right> {
    let mut rights = match certificate {
        CertificateOptions::Managed(options) => rights::of_certificate(options),
        _ => Vec::new(),
    };
    if is_published {
        rights.extend(rights::of_pages());
    }
    rights
}

/// Starts the tasks that follow the clock and the API server, if there is one.
fn follow(garden: &Garden, state: &Arc<State>, rights: Vec<Right>) -> JoinSet<()> {
    let mut tasks = JoinSet::new();
    tasks.spawn(clock::follow(state.clock.clone()));
    if let Some(client) = garden.client() {
        let clock = state.clock.clone();
        client.observe_dates(move |date, latency| clock.compare(date, latency));
        tasks.spawn(rights::follow(Arc::clone(&client), Arc::clone(state), rights));
        tasks.spawn(async move { client.follow().await });
    }
    tasks
}

/// Creates the state and the source of garden changes.
///
/// A directory is loaded immediately, a live garden cluster in the background.
async fn garden(
    options: GardenOptions,
    grace_period: Duration,
    needs_client: bool,
    state: impl FnOnce(Snapshot) -> State,
) -> Result<(Arc<State>, Garden), ServerError> {
    match options {
        GardenOptions::Directory { path, is_whole, removal_delay } => {
            let (directory, garden) =
                GardenDirectory::open(path, is_whole, removal_delay, SystemTime::now())?;
            let state = Arc::new(state(garden.snapshot.clone()));
            directory::report_loaded(&state, directory.path(), &garden);
            state.ready.set_garden();
            state.metrics.garden_loaded();
            Ok((state, Garden::Directory(Box::new(directory))))
        }
        GardenOptions::Live(source) => {
            let client = Arc::new(LiveClient::open(source).await?);
            let mut state = state(Snapshot::new(Knowledge::Watched));
            let published = Arc::clone(&state.garden);
            let publish = move |snapshot| published.store(Arc::new(snapshot));
            let live = LiveGarden::new(Arc::clone(&client), grace_period, publish);
            let live = Arc::new(live);
            state.answerer = Some(Arc::clone(&live) as Arc<dyn Answerer>);
            state.live = Some(Arc::clone(&live));
            Ok((Arc::new(state), Garden::Live(live, client)))
        }
        GardenOptions::Absent(source) => {
            let state = Arc::new(state(Snapshot::new(Knowledge::Nothing)));
            state.set_garden_version(Ok(None), "");
            state.ready.set_garden();
            let client =
                if needs_client { Some(Arc::new(LiveClient::open(source).await?)) } else { None };
            Ok((state, Garden::Absent(client)))
        }
    }
}

fn load<S: Source>(source: S) -> Result<(S::Output, Loaded<S>), S::Error> {
    let (seen, result) = read(&source);
    let source = Arc::new(source);
    Ok((result?, Loaded { source, seen }))
}

async fn identity(
    options: CertificateOptions,
    garden: &Garden,
    state: &State,
    listen: IpAddr,
) -> Result<IdentitySource, ServerError> {
    match options {
        CertificateOptions::Managed(options) => {
            let client = garden.client().ok_or(ServerError::NoApiServer)?;
            let numbers = state.metrics.certificate_keeping.clone();
            let keeper = Keeper::new(client, options, numbers, state.clock.clone());
            let waiting = |why: &str| state.ready.set_certificate_wants(why);
            keeper.obtain(waiting).await?;
            Ok(IdentitySource::Managed(Arc::new(keeper)))
        }
        CertificateOptions::Files { certificate, key } => {
            Ok(IdentitySource::Files { certificate, key })
        }
        CertificateOptions::SelfMade { ca_out: path } => {
            let made = SelfMade::new(listen, state.clock.now())?;
            if let Err(source) = made.write_ca(&path) {
                return Err(ServerError::WriteCa { path, source });
            }
            tracing::info!(
                "generated a certificate; its CA, which clients must trust, is in `{}`",
                path.display()
            );
            Ok(IdentitySource::SelfMade(made))
        }
    }
}

/// Starts serving health, readiness and metrics.
fn health(
    address: SocketAddr,
    listener: TcpListener,
    state: &Arc<State>,
) -> Result<PortThread, ServerError> {
    let health = health::start(listener, state).map_err(|source| ServerError::Listen {
        address,
        flag: "--metrics-listen",
        source,
    })?;
    tracing::info!("metrics on http://{}/metrics", health.address);
    Ok(health)
}

pub(super) async fn listen(
    flag: &'static str,
    address: SocketAddr,
) -> Result<TcpListener, ServerError> {
    let listener = TcpListener::bind(address).await;
    listener.map_err(|source: io::Error| ServerError::Listen { address, flag, source })
}

pub(super) fn local_address(listener: &TcpListener) -> SocketAddr {
    let unknown = SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0));
    listener.local_addr().unwrap_or(unknown)
}
