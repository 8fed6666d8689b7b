// SPDX-License-Identifier: Apache-2.0
//! Runs with managed certificates: replicas share a CA in a Secret, and clients trust the CA bundle in webhook configurations.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use jiff::{SignedDuration, Timestamp};
use rustls::RootCertStore;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier as _;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::api_server::{ApiServer, Inner};
use super::faults::{Faults, OUTAGES};
use super::plan::YEAR;
use super::random::Random;
use super::replica::Offset;
use super::results::{Failure, Summary};
use super::run::in_simulated_time;
use crate::garden::live::LiveClient;
use crate::server::ManagedOptions;
use crate::server::certificates::{ClientCheck, IdentitySource, Keeper, TlsSource};
use crate::server::memory::Memory;
use crate::server::source::{Source as _, read};
use crate::server::state::State;
use garden_gate_core::config::Config;
use garden_gate_core::garden::Snapshot;
use garden_gate_model::api::{Kind, ObjectKey};

/// The lifetime of a serving certificate. The CA lives four times as long.
const LIFETIME: SignedDuration = SignedDuration::from_mins(3);
/// The duration of a run, in which all certificates are replaced.
const DURATION: Duration = Duration::from_mins(16);
/// The time in which replicas repair the bundle and are ready again after the last fault.
const RECOVERY: Duration = Duration::from_secs(45);
/// The seconds in which replicas that created or restored different CAs agree on one.
const AGREEMENT: u64 = 60;
const CONFIGURATIONS: [Kind; 2] =
    [Kind::MutatingWebhookConfiguration, Kind::ValidatingWebhookConfiguration];
const NAME: &str = "gate.garden.svc";
/// The latency in milliseconds above which replicas may restore the Secret too late.
const SLOW: u64 = 1_000;
/// The latency in milliseconds with which a reconciliation takes less than a second.
const FAST: u64 = 50;
/// The seconds within which a replica restores a bundle that another client has changed, less than periodic checks need.
const REPAIR: u64 = 1;
/// The time after a failure in which replicas watch again.
const REWATCHED: Duration = Duration::from_mins(1);
/// The value of a field of a damaged Secret or webhook configuration.
const DAMAGED: &str = "Zm9v";

/// A replica that only manages its certificate.
pub(super) struct Replica {
    number: u32,
    state: Arc<State>,
    /// The certificate that it serves.
    served: Arc<Mutex<Option<CertificateDer<'static>>>>,
    offset: Offset,
    tasks: JoinSet<Result<(), String>>,
}

struct Run {
    server: ApiServer,
    random: Random,
    replicas: Vec<Replica>,
    starts: u32,
    rotations: u64,
    last: Vec<Option<CertificateDer<'static>>>,
    clients: [Client; 2],
    /// The time when the Secret was last deleted or damaged.
    damaged: Option<Instant>,
    /// The time when the API server or a replica last failed.
    failed: Instant,
    /// The number of seconds for which a bundle has been changed by another client.
    changed: u64,
}

/// An API server that calls the webhooks.
struct Client {
    /// The number of seconds after which it applies a changed bundle.
    delay: usize,
    /// The bundles of all webhooks in the last seconds, the oldest first.
    bundles: VecDeque<Vec<String>>,
    /// The seconds for which it has to trust all replicas until it is checked again, since the CA was lost.
    ///
    /// A starting replica may have created another CA, and replicas may have restored different ones.
    unchecked: u64,
}

/// Runs a seed, and returns the number of replaced certificates as [`Summary::rotations`].
///
/// # Errors
/// Returns the first violation.
pub(super) fn run(seed: u64) -> Result<Summary, Box<Failure>> {
    in_simulated_time("one_with_certificates", seed, async |server| {
        let mut run = Run::new(server, seed);
        run.run().await.map(|()| Summary { rotations: run.rotations, ..Summary::default() })
    })
}

impl Run {
    fn new(server: ApiServer, seed: u64) -> Self {
        let mut random = Random::of_case(seed);
        server.lock().faults = Faults {
            errors: *random.pick(&[0, 0, 50, 200]),
            latency: *random.pick(&[0, 3, 400, 3_000]),
            ..Faults::none()
        };
        register(&server);
        let mut run = Self {
            server,
            replicas: Vec::new(),
            starts: 0,
            rotations: 0,
            last: Vec::new(),
            clients: [0, *random.pick(&[1, 5, 10])].map(Client::new),
            damaged: None,
            failed: Instant::now(),
            changed: 0,
            random,
        };
        for _ in 0..=run.random.below(3) {
            let replica = run.start();
            run.replicas.push(replica);
        }
        run
    }

    fn start(&mut self) -> Replica {
        self.starts += 1;
        Replica::start(&self.server, self.starts, LIFETIME)
    }

    async fn run(&mut self) -> Result<(), String> {
        let start = Instant::now();
        while start.elapsed() < DURATION {
            let wait = self.random.below(30) as u64;
            self.pass(Duration::from_secs(wait)).await?;
            self.act();
        }
        self.server.lock().faults = Faults::none();
        for replica in &self.replicas {
            replica.offset.set(0);
        }
        self.pass(RECOVERY).await?;
        self.check_recovery()
    }

    /// Lets time pass, and checks every second what clients see.
    async fn pass(&mut self, duration: Duration) -> Result<(), String> {
        let end = Instant::now() + duration;
        while Instant::now() < end {
            sleep(Duration::from_secs(1)).await;
            for replica in &mut self.replicas {
                if let Some(ended) = replica.tasks.try_join_next() {
                    return Err(format!("a task of r{} ended: {ended:?}", replica.number));
                }
                if replica.served().is_some() {
                    let checked = replica.offset.check(replica.state.complaint());
                    checked.map_err(|why| format!("r{} {why}", replica.number))?;
                }
            }
            let served: Vec<_> = self.replicas.iter().map(Replica::served).collect();
            let changes = served.iter().zip(&self.last).filter(|(new, old)| new != old);
            self.rotations += changes.count() as u64;
            self.last = served;
            self.check_trust()?;
            self.check_repair()?;
        }
        Ok(())
    }

    fn act(&mut self) {
        for replica in self.replicas.iter().filter(|it| it.has_wrong_clock()) {
            replica.offset.set(0);
        }
        let (choice, index) = (self.random.below(13), self.random.below(3));
        self.server.lock().trace.add(&format!("action {choice} {index}"));
        let index = index % self.replicas.len();
        match choice {
            0 => self.replicas[index] = self.start(),
            1 => {
                let duration = Duration::from_secs(*self.random.pick(&[1, 5, 20]));
                let outage = *self.random.pick(&OUTAGES);
                self.server.lock().faults.start_outage(outage, duration);
            }
            2 => {
                // Less than the time by which certificates are backdated, a tenth of their lifetime, or a wrong clock.
                let seconds = *self.random.pick(&[-15, -5, 0, 5, 15, -YEAR, YEAR]);
                self.replicas[index].offset.set(seconds);
            }
            // The registration is applied again, without a bundle.
            3 => self.change(configuration(CONFIGURATIONS[index % 2]), |object| {
                object["webhooks"][0]["clientConfig"]["caBundle"] = Value::Null;
            }),
            4 => {
                let field =
                    *self.random.pick(&["tls.crt", "tls.key", "ca.crt", "ca.key", "next-ca.crt"]);
                self.change(secret(), |object| object["data"][field] = json!(DAMAGED));
            }
            5 => {
                self.server.lock().store.delete(&secret());
            }
            6 => self.change(configuration(CONFIGURATIONS[index % 2]), |object| {
                object["webhooks"][1]["clientConfig"]["caBundle"] = json!(DAMAGED);
            }),
            _ => {}
        }
        let before = match choice {
            4 | 5 => self.damaged.replace(Instant::now()),
            _ => None,
        };
        if !self.has_intact_secret() {
            // A starting replica lets a running one restore the Secret, which a failing API server delays.
            let is_failing = self.is_failing();
            // Without a valid certificate and a CA with its key, the next CA is used at once.
            let is_again = before.is_some_and(|it| it.elapsed().as_secs() < AGREEMENT);
            let is_lost = [is_failing, is_failing || is_again || !self.all_serve()];
            for (client, is_lost) in self.clients.iter_mut().zip(is_lost) {
                if is_lost {
                    client.unchecked = AGREEMENT;
                }
            }
        }
        self.server.changed();
    }

    /// Checks that a changed bundle is restored at once, unless the API server or the replicas have failed.
    fn check_repair(&mut self) -> Result<(), String> {
        let is_able = self.all_serve() && self.replicas.iter().all(Replica::is_ready);
        if self.is_failing() || !is_able {
            self.failed = Instant::now();
        }
        let is_slow = self.server.lock().faults.latency > FAST;
        let is_changed = {
            let inner = self.server.lock();
            bundles(&inner).iter().any(|it| !is_bundle(it))
        };
        if is_changed && !is_slow && self.failed.elapsed() > REWATCHED {
            self.changed += 1;
        } else {
            self.changed = 0;
        }
        if self.changed > REPAIR {
            Err(format!("a bundle is not restored for {} s", self.changed))
        } else {
            Ok(())
        }
    }

    fn is_failing(&self) -> bool {
        // A replica with a wrong clock restores nothing.
        if self.replicas.iter().any(Replica::has_wrong_clock) {
            return true;
        }
        let faults = &self.server.lock().faults;
        faults.latency > SLOW || faults.errors > 0 || faults.outage().is_some()
    }

    fn all_serve(&self) -> bool {
        self.replicas.iter().all(|it| it.served().is_some())
    }

    fn has_intact_secret(&self) -> bool {
        let inner = self.server.lock();
        let data =
            inner.store.get(&secret()).map(|it| &it.value["data"]).and_then(Value::as_object);
        data.is_some_and(|data| data.values().all(|it| it != DAMAGED))
    }

    fn change(&self, key: ObjectKey, change: impl FnOnce(&mut Value)) {
        let mut inner = self.server.lock();
        if let Some(mut object) = inner.store.get(&key).map(|it| it.value.clone()) {
            change(&mut object);
            inner.store.put(key, object);
        }
    }

    /// Checks that clients trust all ready replicas, unless the CA was lost.
    fn check_trust(&mut self) -> Result<(), String> {
        let is_restored = self.has_intact_secret() && self.all_serve();
        let (bundles, now) = {
            let inner = self.server.lock();
            (bundles(&inner), inner.now())
        };
        for client in &mut self.clients {
            let trusted = client.trusted(bundles.clone());
            let checked = trust(&trusted, &self.replicas, now);
            if client.unchecked == 0 {
                checked.map_err(|why| format!("{why} (bundle of {} s ago)", client.delay))?;
            } else if is_restored && checked.is_ok_and(|count| count > 0) {
                client.unchecked -= 1;
            } else {
                client.unchecked = AGREEMENT;
            }
        }
        Ok(())
    }

    fn check_recovery(&self) -> Result<(), String> {
        check_trust(&self.server, &self.replicas)?;
        let inner = self.server.lock();
        if !bundles(&inner).iter().all(|it| is_bundle(it)) {
            return Err("a webhook has no bundle after the recovery".to_owned());
        }
        match self.replicas.iter().find(|it| !it.is_ready()) {
            Some(replica) => Err(format!("r{} is not ready", replica.number)),
            None => Ok(()),
        }
    }
}

impl Client {
    fn new(delay: usize) -> Self {
        Self { delay, bundles: VecDeque::new(), unchecked: 0 }
    }

    /// Returns the bundles that it has applied, when these are the bundles of this second.
    fn trusted(&mut self, bundles: Vec<String>) -> Vec<String> {
        self.bundles.push_back(bundles);
        if self.bundles.len() > self.delay + 1 {
            self.bundles.pop_front();
        }
        self.bundles[0].clone()
    }
}

impl Replica {
    /// Starts a replica whose serving certificates have a lifetime.
    pub(super) fn start(server: &ApiServer, number: u32, lifetime: SignedDuration) -> Self {
        let offset = Offset::default();
        let mut state =
            State::new(Snapshot::default(), Config::default(), Memory::new(Some(64 << 20)));
        state.clock = offset.clock(server);
        state.ready.set_listening();
        state.ready.set_garden();
        let client = LiveClient::fixed(server.client(number, Duration::MAX));
        let clock = state.clock.clone();
        client.observe_dates(move |date, latency| clock.compare(date, latency));
        let keeper = Keeper::new(
            Arc::new(client),
            options(lifetime),
            state.metrics.certificate_keeping.clone(),
            state.clock.clone(),
        );
        let (state, keeper) = (Arc::new(state), Arc::new(keeper));
        let served = Arc::<Mutex<_>>::default();
        let mut tasks = JoinSet::new();
        tasks.spawn(keep(keeper, Arc::clone(&state), Arc::clone(&served)));
        Self { number, state, served, offset, tasks }
    }

    /// Returns the certificate that it serves.
    pub(super) fn served(&self) -> Option<CertificateDer<'static>> {
        self.served.lock().unwrap().clone()
    }

    fn is_ready(&self) -> bool {
        self.state.complaint().is_none()
    }

    fn has_wrong_clock(&self) -> bool {
        self.state.clock.complaint().is_some()
    }
}

/// Obtains a certificate, and loads each new one within a second, as the server does.
async fn keep(
    keeper: Arc<Keeper>,
    state: Arc<State>,
    served: Arc<Mutex<Option<CertificateDer<'static>>>>,
) -> Result<(), String> {
    let waiting = |why: &str| state.ready.set_certificate_wants(why);
    let obtained = keeper.obtain(waiting).await;
    obtained.map_err(|error| error.to_string())?;
    let source = TlsSource {
        identity: IdentitySource::Managed(Arc::clone(&keeper)),
        clients: ClientCheck { ca: None, names: Vec::new() },
        clock: state.clock.clone(),
    };
    let mut seen = None;
    let load = async {
        loop {
            if seen != Some(source.fingerprint()) {
                let (fingerprint, loaded) = read(&source);
                let loaded = loaded.map_err(|error| error.to_string())?;
                let identity = keeper.identity().map_err(|error| error.to_string())?;
                *served.lock().unwrap() = identity.and_then(|it| it.chain.into_iter().next());
                state.certificate_loaded(loaded.not_after);
                seen = Some(fingerprint);
            }
            sleep(Duration::from_secs(1)).await;
        }
    };
    tokio::select! {
        biased;
        failed = load => failed,
        () = keeper.keep() => Ok(()),
    }
}

/// Checks that clients which trust the stored bundles accept the certificates of all ready replicas.
///
/// # Errors
/// Returns the reason why a certificate is not trusted.
pub(super) fn check_trust(server: &ApiServer, replicas: &[Replica]) -> Result<(), String> {
    let inner = server.lock();
    trust(&bundles(&inner), replicas, inner.now()).map(drop)
}

/// Checks that clients which trust each bundle accept the certificates of all ready replicas. Returns the number of checks.
///
/// A bundle that another client has removed or changed trusts nothing.
fn trust(bundles: &[String], replicas: &[Replica], now: Timestamp) -> Result<usize, String> {
    let mut count = 0;
    for bundle in bundles.iter().filter(|it| is_bundle(it)) {
        for replica in replicas.iter().filter(|it| it.is_ready()) {
            if let Some(served) = replica.served() {
                // A replica whose clock is behind considers a certificate valid for some seconds more.
                let now = now.min(replica.state.clock.now());
                verify(bundle, &served, now).map_err(|why| {
                    let number = replica.number;
                    format!("the certificate of r{number} is not trusted: {why}")
                })?;
                count += 1;
            }
        }
    }
    Ok(count)
}

/// Reports whether a bundle is one of a replica.
fn is_bundle(bundle: &str) -> bool {
    bundle.starts_with("-----BEGIN")
}

/// Creates the configurations of webhooks, without a bundle.
pub(super) fn register(server: &ApiServer) {
    for kind in CONFIGURATIONS {
        let webhook = json!({"name": "w", "clientConfig": {"url": "u"}, "admissionReviewVersions": ["v1"], "sideEffects": "None"});
        let object = json!({"metadata": {}, "webhooks": [webhook.clone(), webhook]});
        server.lock().store.put(configuration(kind), object);
    }
}

fn options(lifetime: SignedDuration) -> ManagedOptions {
    ManagedOptions {
        namespace: "garden".to_owned(),
        secret: "tls".to_owned(),
        service: "gate".to_owned(),
        names: Vec::new(),
        webhook_configuration: Some("garden-gate".to_owned()),
        lifetime,
    }
}

fn secret() -> ObjectKey {
    ObjectKey::new(Kind::Secret, "garden", "tls")
}

fn configuration(kind: Kind) -> ObjectKey {
    ObjectKey::new(kind, "", "garden-gate")
}

/// Returns the bundles of all webhooks.
fn bundles(inner: &Inner) -> Vec<String> {
    let configurations = CONFIGURATIONS.into_iter().map(configuration);
    let stored = configurations.filter_map(|key| inner.store.get(&key));
    let webhooks = stored.flat_map(|it| it.value["webhooks"].as_array().into_iter().flatten());
    let bundles = webhooks.map(|it| it["clientConfig"]["caBundle"].as_str().unwrap_or_default());
    bundles
        .map(|bundle| String::from_utf8(BASE64_STANDARD.decode(bundle).unwrap()).unwrap())
        .collect()
}

fn verify(bundle: &str, served: &CertificateDer<'_>, now: Timestamp) -> Result<(), String> {
    let mut roots = RootCertStore::empty();
    for authority in CertificateDer::pem_slice_iter(bundle.as_bytes()) {
        let authority = authority.map_err(|error| error.to_string())?;
        roots.add(authority).map_err(|error| error.to_string())?;
    }
    let provider = Arc::new(ring::default_provider());
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider)
        .build()
        .map_err(|error| error.to_string())?;
    let name = ServerName::try_from(NAME).map_err(|error| error.to_string())?;
    let seconds = u64::try_from(now.as_second()).unwrap();
    let now = UnixTime::since_unix_epoch(Duration::from_secs(seconds));
    let verified = verifier.verify_server_cert(served, &[], &name, &[], now);
    verified.map(drop).map_err(|error| error.to_string())
}
