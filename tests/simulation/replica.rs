//! A replica of the server, without its sockets.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use arc_swap::ArcSwap;
use axum::Router;
use jiff::SignedDuration;
use tokio::task::JoinSet;

use super::api_server::{ApiServer, time_since};
use crate::api::{GardenerVersion, Toleration};
use crate::config::{Config, Profile, TolerationLists, VersionSource};
use crate::garden::live::{LiveClient, LiveGarden};
use crate::garden::{Knowledge, Snapshot};
use crate::server::clock::Clock;
use crate::server::memory::Memory;
use crate::server::run::take_settings;
use crate::server::source::Settings;
use crate::server::state::State;
use crate::server::{Answerer, endpoints, live};

/// The memory limit of a replica in bytes.
const MEMORY: u64 = 64 << 20;

/// The difference between the clock of a replica and that of the API server, in seconds.
#[derive(Clone, Default)]
pub(super) struct Offset(Arc<AtomicI64>);

pub(super) struct Replica {
    /// The number of this start: a restarted replica has another.
    pub(super) number: u32,
    pub(super) state: Arc<State>,
    pub(super) router: Router,
    /// The configuration that was loaded last.
    pub(super) config: Arc<ArcSwap<Config>>,
    offset: Offset,
    /// Its tasks, which end when it is dropped.
    pub(super) tasks: JoinSet<()>,
}

impl Replica {
    /// Starts a replica with a configuration.
    pub(super) fn start(
        server: &ApiServer,
        number: u32,
        patience: Duration,
        config: usize,
    ) -> Self {
        let client = Arc::new(LiveClient::fixed(server.client(number, patience)));
        let (snapshot, config) = (Snapshot::new(Knowledge::Watched), configuration(config));
        let own = config.clone();
        let mut state = State::new(snapshot, own, Memory::new(Some(MEMORY)));
        let offset = Offset::default();
        state.clock = offset.clock(server);
        let published = Arc::clone(&state.garden);
        let live = LiveGarden::new(Arc::clone(&client), patience, move |snapshot| {
            published.store(Arc::new(snapshot));
        });
        let live = Arc::new(live);
        state.answerer = Some(Arc::clone(&live) as Arc<dyn Answerer>);
        state.live = Some(Arc::clone(&live));
        state.has_threads = false;
        state.ready.set_listening();
        state.ready.set_certificate(i64::MAX);
        let state = Arc::new(state);
        let mut tasks = JoinSet::new();
        tasks.spawn(live::follow(live, Arc::clone(&state)));
        Self {
            number,
            router: endpoints::main(&state),
            state,
            config: Arc::new(ArcSwap::from_pointee(config)),
            offset,
            tasks,
        }
    }

    /// Loads another configuration, as the watcher of its file does.
    pub(super) fn reload(&self, number: usize) {
        let config = configuration(number);
        self.config.store(Arc::new(config.clone()));
        let policies = Ok(Arc::clone(&**self.state.policies.load()));
        let config = Ok(config);
        take_settings(&self.state, Settings { config, policies });
    }

    pub(super) fn set_offset(&self, seconds: i64) {
        self.offset.set(seconds);
    }
}

impl Offset {
    pub(super) fn set(&self, seconds: i64) {
        self.0.store(seconds, Ordering::Relaxed);
    }

    /// Returns the clock of a replica.
    pub(super) fn clock(&self, server: &ApiServer) -> Clock {
        let (start, offset) = (server.lock().start(), self.clone());
        Clock::new(move || {
            let seconds = offset.0.load(Ordering::Relaxed);
            time_since(start) + SignedDuration::from_secs(seconds)
        })
    }
}

/// Returns a configuration by its number.
fn configuration(number: usize) -> Config {
    let whitelist = match number {
        2 => vec![Toleration::bare("reserved")],
        _ => Vec::new(),
    };
    Config {
        profile: if number == 1 {
            Profile::Documented
        } else {
            Profile::Gardener
        },
        tolerations: TolerationLists {
            defaults: Vec::new(),
            whitelist,
        },
        gardener_version: GardenerVersion::of_minor(147),
        version_source: VersionSource::Configuration,
        ..Config::default()
    }
}
