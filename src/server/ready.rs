// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use arc_swap::ArcSwapOption;
use jiff::Timestamp;

use super::clock::Clock;

/// The conditions for readiness, and whether the server is stopping.
#[derive(Debug, Default)]
pub(super) struct Readiness {
    listening: AtomicBool,
    certificate: AtomicBool,
    /// The expiry time of the certificate in use, in seconds since the Unix epoch.
    certificate_end: AtomicI64,
    garden: AtomicBool,
    stopping: AtomicBool,
    /// The missing parts of the garden during the initial sync.
    garden_wants: ArcSwapOption<String>,
    /// The reason why there is no certificate yet.
    certificate_wants: ArcSwapOption<String>,
    /// Missing permissions on the API server.
    /// Other rules still apply.
    missing_rights: ArcSwapOption<String>,
    /// Unknown parts of the garden.
    /// Other rules still apply.
    unknown_garden: ArcSwapOption<String>,
    /// The reason why the loaded garden differs from the files.
    stale_garden: ArcSwapOption<String>,
}

impl Readiness {
    pub(super) fn set_listening(&self) {
        self.listening.store(true, Ordering::Release);
    }

    /// Records that a certificate is in use until `end`, in seconds since the Unix epoch.
    pub(super) fn set_certificate(&self, end: i64) {
        self.certificate_end.store(end, Ordering::Release);
        self.certificate.store(true, Ordering::Release);
    }

    pub(super) fn set_garden(&self) {
        self.garden.store(true, Ordering::Release);
    }

    /// Sets the missing parts of the garden.
    pub(super) fn set_garden_wants(&self, wants: String) {
        self.garden_wants.store(Some(Arc::new(wants)));
    }

    /// Sets the reason why there is no certificate yet.
    pub(super) fn set_certificate_wants(&self, why: &str) {
        let wants = format!("the serving certificate ({why})");
        self.certificate_wants.store(Some(Arc::new(wants)));
    }

    /// Sets the missing permissions on the API server, if any.
    pub(super) fn set_missing_rights(&self, missing: Option<String>) {
        self.missing_rights.store(missing.map(Arc::new));
    }

    /// Sets the unknown parts of the garden, if any.
    pub(super) fn set_unknown_garden(&self, unknown: Option<String>) {
        self.unknown_garden.store(unknown.map(Arc::new));
    }

    /// Sets the reason why the loaded garden differs from the files, if it does.
    pub(super) fn set_stale_garden(&self, stale: Option<String>) {
        self.stale_garden.store(stale.map(Arc::new));
    }

    /// Returns the known reasons why some rules cannot be evaluated; other rules still apply.
    pub(super) fn reservation(&self) -> Option<String> {
        let all: Vec<String> = [&self.missing_rights, &self.unknown_garden, &self.stale_garden]
            .map(|it| it.load_full())
            .iter()
            .flatten()
            .map(|it| it.to_string())
            .collect();
        (!all.is_empty()).then(|| all.join("; "))
    }

    /// Makes [`Self::complaint`] fail from now on, while requests are still answered.
    pub(super) fn set_stopping(&self) {
        self.stopping.store(true, Ordering::Release);
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Acquire)
    }

    /// Reports whether all conditions for reviews are met.
    pub(super) fn is_complete(&self) -> bool {
        [&self.listening, &self.certificate, &self.garden]
            .iter()
            .all(|there| there.load(Ordering::Acquire))
    }

    /// Returns the missing conditions for reviews.
    fn missing(&self) -> Vec<String> {
        let wants = |wants: &ArcSwapOption<String>, short: &str| {
            wants.load().as_ref().map_or(short.to_owned(), |it| String::clone(it))
        };
        let certificate = wants(&self.certificate_wants, "the serving certificate");
        let garden = wants(&self.garden_wants, "the garden");
        [
            (&self.listening, "the listener".to_owned()),
            (&self.certificate, certificate),
            (&self.garden, garden),
        ]
        .into_iter()
        .filter(|(there, _)| !there.load(Ordering::Acquire))
        .map(|(_, what)| what)
        .collect()
    }

    /// Returns the reason why the server is not ready, if any.
    pub(super) fn complaint(&self, clock: &Clock) -> Option<String> {
        let missing = self.missing();
        if self.is_stopping() {
            Some("the server is stopping".to_owned())
        } else if missing.is_empty() {
            // A wrong clock may also be the reason why the certificate seems to have expired.
            clock.complaint().or_else(|| self.expired(clock.now()))
        } else {
            Some(format!("still waiting for {}", missing.join(", ")))
        }
    }

    /// Returns the error for an expired certificate, which clients reject.
    fn expired(&self, now: Timestamp) -> Option<String> {
        let end = Timestamp::from_second(self.certificate_end.load(Ordering::Acquire)).ok()?;
        (now >= end).then(|| format!("the serving certificate expired at {end}"))
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::{Clock, Readiness};

    #[test]
    fn ready_once_everything_is_there_and_until_the_end_is_near() {
        let at = |second| Clock::new(move || Timestamp::from_second(second).unwrap());
        let ready = Readiness::default();
        ready.set_listening();
        assert_eq!(
            ready.complaint(&at(0)).unwrap(),
            "still waiting for the serving certificate, the garden"
        );
        ready.set_certificate_wants("no answer");
        assert_eq!(
            ready.complaint(&at(0)).unwrap(),
            "still waiting for the serving certificate (no answer), the garden"
        );
        ready.set_certificate(1_000);
        ready.set_garden();
        assert_eq!(ready.complaint(&at(999)), None);
        assert_eq!(
            ready.complaint(&at(1_000)).unwrap(),
            "the serving certificate expired at 1970-01-01T00:16:40Z"
        );
        ready.set_stopping();
        assert_eq!(ready.complaint(&at(0)).unwrap(), "the server is stopping");
        assert!(ready.is_complete());
    }
}
