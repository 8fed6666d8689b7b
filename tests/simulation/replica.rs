// SPDX-License-Identifier: Apache-2.0
//! A replica of the server, without its sockets.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use arc_swap::ArcSwap;
use axum::Router;
use jiff::SignedDuration;
use tokio::task::JoinSet;

use super::api_server::{ApiServer, time_since};
use super::settings::{self, Settings};
use crate::garden::live::{LiveClient, LiveGarden};
use crate::server::clock::{self, Clock};
use crate::server::memory::Memory;
use crate::server::run::take_settings;
use crate::server::state::State;
use crate::server::{Answerer, endpoints, live, source};
use garden_gate_core::garden::{Knowledge, Snapshot};

/// The memory limit of a replica in bytes.
const MEMORY: u64 = 64 << 20;

/// The number of seconds by which a clock may be wrong, less than the limit by the duration of the longest request.
const TOLERATED: i64 = 250;

/// The difference between the clock of a replica and that of the API server, in seconds.
#[derive(Clone, Default)]
pub(super) struct Offset(Arc<AtomicI64>);

pub(super) struct Replica {
    /// The number of this start: a restarted replica has another.
    pub(super) number: u32,
    pub(super) state: Arc<State>,
    pub(super) router: Router,
    /// The configuration and the policies that were loaded last.
    pub(super) settings: Arc<ArcSwap<Settings>>,
    offset: Offset,
    /// Its tasks, which end when it is dropped.
    pub(super) tasks: JoinSet<()>,
}

impl Replica {
    /// Starts a replica with the settings of a number.
    pub(super) fn start(
        server: &ApiServer,
        number: u32,
        grace_period: Duration,
        settings: usize,
    ) -> Self {
        let client = Arc::new(LiveClient::fixed(server.client(number, grace_period)));
        let (snapshot, settings) =
            (Snapshot::new(Knowledge::Watched), settings::settings(settings));
        let config = settings.config.clone();
        let mut state = State::new(snapshot, config, Memory::new(Some(MEMORY)));
        state.set_policies(Arc::clone(&settings.policies));
        let offset = Offset::default();
        state.clock = offset.clock(server);
        let clock = state.clock.clone();
        client.observe_dates(move |date, latency| clock.compare(date, latency));
        let published = Arc::clone(&state.garden);
        let live = LiveGarden::new(Arc::clone(&client), grace_period, move |snapshot| {
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
            settings: Arc::new(ArcSwap::from_pointee(settings)),
            offset,
            tasks,
        }
    }

    /// Loads other settings, as the watcher of their files does.
    pub(super) fn reload(&self, number: usize) {
        let settings = settings::settings(number);
        let loaded = source::Settings {
            config: Ok(settings.config.clone()),
            policies: Ok(Arc::clone(&settings.policies)),
        };
        self.settings.store(Arc::new(settings));
        take_settings(&self.state, loaded);
    }

    pub(super) fn set_offset(&self, seconds: i64) {
        self.offset.set(seconds);
    }

    /// Checks that the replica is not ready while its clock is wrong, and that its clock is not blamed otherwise.
    pub(super) fn check_clock(&self) -> Result<(), String> {
        if !self.state.ready.is_complete() {
            return Ok(());
        }
        self.offset.check(self.state.complaint()).map_err(|why| format!("r{} {why}", self.number))
    }
}

impl Offset {
    /// Checks the reason why a replica with this offset is not ready, after the first answer of the API server.
    pub(super) fn check(&self, complaint: Option<String>) -> Result<(), String> {
        let offset = self.0.load(Ordering::Relaxed);
        let is_blamed = |why: &String| why.contains("the clock of this machine is");
        match complaint {
            None if offset.abs() > clock::LIMIT.as_secs() => {
                Err(format!("is ready with a clock that is {offset} s ahead"))
            }
            Some(why) if is_blamed(&why) && offset.abs() < TOLERATED => {
                Err(format!("with a clock that is {offset} s ahead: {why}"))
            }
            _ => Ok(()),
        }
    }

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
