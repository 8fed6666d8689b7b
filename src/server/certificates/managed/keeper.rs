// SPDX-License-Identifier: Apache-2.0
use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use backon::{BackoffBuilder as _, ExponentialBuilder};
use jiff::{SignedDuration, Timestamp};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::time::{Instant, sleep, timeout};

use super::api::{Api, ApiError};
use super::changes::Changes;
use super::contents::Contents;
use super::pair::Pair;
use super::plan::{self, Lifetimes, Step};
use super::{issue, webhooks};
use crate::garden::live::LiveClient;
use crate::server::certificates::Identity;
use crate::server::clock::Clock;
use crate::server::metrics::KeeperNumbers;
use crate::server::{CertificateError, ManagedOptions};

/// Timeout for one complete reconciliation.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Delay between the first and the second attempt to get a certificate.
const FIRST_RETRY: Duration = Duration::from_millis(500);
/// Minimum interval between reconciliations, for the lifetimes of seconds that tests use.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(200);
/// Maximum interval.
///
/// Without watches, a missing CA bundle makes requests fail that long.
const LONGEST_INTERVAL: Duration = Duration::from_secs(10);
/// Maximum number of steps per reconciliation.
/// Each replica causes at most one conflict per step.
const MOST_STEPS: usize = 16;
/// Reconciles the Secret, the webhook configurations and the certificate in use.
pub(crate) struct Keeper {
    pub(super) api: Api,
    pub(super) options: ManagedOptions,
    lifetimes: Lifetimes,
    names: Vec<String>,
    /// The last valid contents; their certificate is in use.
    good: ArcSwapOption<UsableSecret>,
    /// The problems of the Secret at the last read.
    pub(super) problems: Mutex<Vec<String>>,
    /// The bundle that the webhook configurations had last, and since when.
    published: Mutex<Option<(String, Instant)>>,
    /// The resource version of the Secret at the last read; `None` if it did not exist.
    pub(super) version: Mutex<Option<String>>,
    pub(super) changes: Changes,
    /// The time when this replica, before its first certificate, found no CA in the Secret.
    found_lost: OnceLock<Instant>,
    numbers: KeeperNumbers,
    pub(super) clock: Clock,
}

/// Contents of the Secret with a usable certificate.
struct UsableSecret {
    contents: Contents,
    pair: Pair,
}

/// The reason why there is no valid certificate.
#[derive(Debug)]
pub(crate) enum KeeperError {
    /// A permanent error that requires a configuration change.
    Mistake(String),
    /// A temporary error; the next attempt may succeed.
    Failure(String),
}

impl fmt::Display for KeeperError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Mistake(why) | Self::Failure(why)) = self;
        f.write_str(why)
    }
}

impl fmt::Debug for Keeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keeper").finish_non_exhaustive()
    }
}

impl Keeper {
    /// Manages a certificate for the Service and the other names in `options`.
    pub(crate) fn new(
        client: Arc<LiveClient>,
        options: ManagedOptions,
        numbers: KeeperNumbers,
        clock: Clock,
    ) -> Self {
        let (service, namespace) = (&options.service, &options.namespace);
        let mut names: Vec<String> = ["", ".cluster.local"]
            .map(|suffix| format!("{service}.{namespace}.svc{suffix}"))
            .into();
        names.extend(options.names.iter().cloned());
        names.sort();
        names.dedup();
        Self {
            api: Api { client },
            clock,
            lifetimes: Lifetimes::of_leaf(options.lifetime),
            names,
            options,
            good: ArcSwapOption::empty(),
            problems: Mutex::default(),
            published: Mutex::default(),
            version: Mutex::default(),
            changes: Changes::default(),
            found_lost: OnceLock::new(),
            numbers,
        }
    }

    /// Waits for the first certificate without a timeout, and passes the reason for the delay to `waiting`.
    ///
    /// # Errors
    /// Fails on permanent errors.
    pub(crate) async fn obtain(&self, waiting: impl Fn(&str)) -> Result<(), CertificateError> {
        let delays = ExponentialBuilder::default()
            .with_min_delay(FIRST_RETRY)
            .with_max_delay(LONGEST_INTERVAL)
            .without_max_times();
        for delay in delays.build() {
            match self.look_after().await {
                Ok(()) if self.good.load().is_some() => return Ok(()),
                Ok(()) => {}
                Err(KeeperError::Mistake(why)) => return Err(CertificateError::Managed(why)),
                Err(KeeperError::Failure(why)) => {
                    tracing::warn!("{why}; trying again");
                    waiting(&why);
                }
            }
            sleep(delay).await;
        }
        Ok(())
    }

    /// Reconciles periodically, and when another client changes the Secret or a CA bundle.
    ///
    /// Never returns. Failures are retried; the last third of every lifetime is reserved for that.
    pub(crate) async fn keep(&self) {
        tokio::join!(self.watch(), self.reconcile());
    }

    async fn reconcile(&self) {
        loop {
            // Neither loses anything if it is dropped: a change that is not repaired now waits for the periodic check.
            tokio::select! {
                biased;
                () = self.changes.next() => {}
                () = sleep(self.interval()) => {}
            }
            if let Err(why) = self.look_after().await {
                tracing::error!("{why}; trying again");
            }
        }
    }

    /// Returns the time between reconciliations.
    fn interval(&self) -> Duration {
        let interval = Duration::try_from(self.options.lifetime / 30).unwrap_or_default();
        interval.clamp(SHORTEST_INTERVAL, LONGEST_INTERVAL)
    }

    /// Returns the certificate in use; `None` before the first one.
    pub(crate) fn identity(&self) -> Result<Option<Identity>, CertificateError> {
        let Some(good) = self.good.load_full() else {
            return Ok(None);
        };
        let unreadable = |error| {
            CertificateError::Managed(format!("failed to read the Secret's certificate: {error}"))
        };
        let certificate = CertificateDer::from_pem_slice(good.pair.certificate.as_bytes());
        let key = PrivateKeyDer::from_pem_slice(good.pair.key.as_bytes());
        Ok(Some(Identity {
            chain: vec![certificate.map_err(unreadable)?],
            key: key.map_err(unreadable)?,
        }))
    }

    /// Returns a hash of the certificate and key in use.
    pub(crate) fn fingerprint(&self) -> Option<u64> {
        let mut hasher = DefaultHasher::new();
        self.good.load().as_ref()?.pair.hash(&mut hasher);
        Some(hasher.finish())
    }

    /// Reconciles once, with a timeout, and counts failures.
    pub(super) async fn look_after(&self) -> Result<(), KeeperError> {
        let late =
            |_| Err(KeeperError::Failure(format!("the API server took longer than {TIMEOUT:?}")));
        let result = timeout(TIMEOUT, self.take_steps()).await.unwrap_or_else(late);
        if result.is_err() {
            self.numbers.failures.inc();
        }
        result
    }

    /// Performs all due steps one by one, since each step determines the next one.
    async fn take_steps(&self) -> Result<(), KeeperError> {
        for _ in 0..MOST_STEPS {
            let stored = self.read().await?;
            let now = self.clock.api_server_time();
            let published = self.publish_and_use(&stored.contents, now).await;
            let step = self.step(&stored.contents, published, now);
            if step == Step::Keep {
                return Ok(());
            }
            self.check_clock()?;
            if stored.contents.authority.is_none() {
                self.await_restoration().await?;
            }
            let contents = self.next_contents(step, stored.contents, now)?;
            match self.write(&contents, stored.version).await {
                Ok(()) => tracing::info!("wrote Secret {}: {step:?}", self.options.secret),
                // Another replica was faster, and its contents are equivalent.
                Err(ApiError::Conflict) => {}
                Err(error) => return Err(self.explain(error)),
            }
        }
        Ok(())
    }

    /// Gives running replicas time to restore a lost CA: with a new one, API servers would not trust them until they use it, too.
    ///
    /// Fails while a replica without a certificate should wait. Without a CA bundle, no other replica is in use.
    async fn await_restoration(&self) -> Result<(), KeeperError> {
        let Some(name) = &self.options.webhook_configuration else {
            return Ok(());
        };
        let delay = 2 * self.interval();
        let has_waited = || self.found_lost.get_or_init(Instant::now).elapsed() >= delay;
        if self.good.load().is_some() || has_waited() {
            return Ok(());
        }
        match webhooks::have_bundle(&self.api, name).await {
            Ok(true) => Err(KeeperError::Failure(format!(
                "Secret `{}` has no usable CA, but webhook configurations have a CA bundle: waiting {delay:?} for a running replica to restore it",
                self.options.secret
            ))),
            Ok(false) => Ok(()),
            Err(error) => Err(self.explain(error)),
        }
    }

    fn step(&self, contents: &Contents, published: Option<SignedDuration>, now: Timestamp) -> Step {
        plan::step(contents, &self.names, published, self.lifetimes, now)
    }

    /// Returns the contents of the Secret after a step.
    ///
    /// Restores a lost CA with its last valid contents, so that clients trust the certificates of all replicas.
    fn next_contents(
        &self,
        step: Step,
        contents: Contents,
        now: Timestamp,
    ) -> Result<Contents, KeeperError> {
        if let Some(good) = self.good.load_full()
            && contents.authority.is_none()
            && good.contents.authority.is_some()
            && self.step(&good.contents, None, now) != Step::Create
        {
            tracing::warn!("restoring the contents of Secret {}", self.options.secret);
            let next = contents.next.or_else(|| good.contents.next.clone());
            return Ok(Contents { next, ..good.contents.clone() });
        }
        issue::take(step, contents, &self.names, self.lifetimes, now).map_err(|error| {
            KeeperError::Failure(format!("failed to issue a certificate: {error}"))
        })
    }

    /// Fails if the local clock is wrong, since certificates with wrong times would be invalid for clients.
    fn check_clock(&self) -> Result<(), KeeperError> {
        match self.clock.complaint() {
            None => Ok(()),
            Some(why) => Err(KeeperError::Failure(format!(
                "{why}, since no certificate is issued or published until then"
            ))),
        }
    }

    /// Publishes the CA bundle before using the certificate, and returns how long it has been published.
    ///
    /// Until the API server trusts a new CA, the old certificate is used.
    async fn publish_and_use(&self, contents: &Contents, now: Timestamp) -> Option<SignedDuration> {
        let Some(pair) = &contents.leaf else {
            self.publish_what_is_in_use(contents, now).await;
            return None;
        };
        let published = self.publish(&contents.bundle(now)).await;
        if let Err(why) = &published {
            tracing::warn!("the CA bundle is not in the webhook configurations yet: {why}");
        }
        let good = self.good.load();
        let old = good.as_ref().filter(|old| !old.pair.validity.is_over(now));
        let waits = old.is_some_and(|old| old.contents.authority != contents.authority);
        if published.is_ok() || !waits {
            let (contents, pair) = (contents.clone(), pair.clone());
            self.good.store(Some(Arc::new(UsableSecret { contents, pair })));
        }
        published.ok()
    }

    /// Keeps publishing the CA in use while the contents of the Secret are lost, until they are restored.
    async fn publish_what_is_in_use(&self, contents: &Contents, now: Timestamp) {
        if let Some(good) = self.good.load_full().filter(|_| contents.authority.is_none())
            && let Err(why) = self.publish(&good.contents.bundle(now)).await
        {
            tracing::warn!("the CA bundle is not in the webhook configurations: {why}");
        }
    }

    /// Publishes a CA bundle, and returns how long the webhook configurations have had it, as far as this replica knows.
    async fn publish(&self, bundle: &str) -> Result<SignedDuration, KeeperError> {
        let is_written = match &self.options.webhook_configuration {
            Some(name) => {
                self.check_clock()?;
                webhooks::publish(&self.api, name, bundle).await
            }
            None => Ok(false),
        }
        .map_err(|error| match error {
            ApiError::Other(why) => KeeperError::Failure(why),
            ApiError::NotFound | ApiError::Conflict => {
                KeeperError::Failure("they were changed concurrently".to_owned())
            }
        })?;
        let mut published = self.published();
        published.take_if(|(old, _)| is_written || old != bundle);
        let (_, since) = published.get_or_insert_with(|| (bundle.to_owned(), Instant::now()));
        Ok(SignedDuration::try_from(since.elapsed()).unwrap_or(SignedDuration::MAX))
    }
    /// Returns the bundle that the webhook configurations had last, and since when.
    pub(super) fn published(&self) -> MutexGuard<'_, Option<(String, Instant)>> {
        self.published.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
