use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use arc_swap::ArcSwapOption;
use jiff::Timestamp;

/// What has to be there before verdicts can be given, and whether the end is near.
#[derive(Debug, Default)]
pub(super) struct Readiness {
    listening: AtomicBool,
    certificate: AtomicBool,
    /// When the certificate in use expires, in seconds since 1970.
    certificate_end: AtomicI64,
    garden: AtomicBool,
    stopping: AtomicBool,
    /// What of the garden is waited for, as long as it is.
    garden_wants: ArcSwapOption<String>,
    /// Why there is no certificate yet.
    certificate_wants: ArcSwapOption<String>,
    /// What the API server does not let us do, which keeps nobody from being judged by the rest.
    missing_rights: ArcSwapOption<String>,
    /// What of the garden is not known, which keeps nobody from being judged by the rest either.
    unknown_garden: ArcSwapOption<String>,
    /// Why the garden in force is not the one in the files.
    stale_garden: ArcSwapOption<String>,
}

impl Readiness {
    pub(super) fn set_listening(&self) {
        self.listening.store(true, Ordering::Release);
    }

    /// Says that a certificate is in use, until `end`, in seconds since 1970.
    pub(super) fn set_certificate(&self, end: i64) {
        self.certificate_end.store(end, Ordering::Release);
        self.certificate.store(true, Ordering::Release);
    }

    pub(super) fn set_garden(&self) {
        self.garden.store(true, Ordering::Release);
    }

    /// Says what of the garden is still waited for.
    pub(super) fn set_garden_wants(&self, wants: String) {
        self.garden_wants.store(Some(Arc::new(wants)));
    }

    /// Says why there is no certificate yet.
    pub(super) fn set_certificate_wants(&self, why: &str) {
        let wants = format!("the serving certificate ({why})");
        self.certificate_wants.store(Some(Arc::new(wants)));
    }

    /// Says what the API server does not let us do, if anything.
    pub(super) fn set_missing_rights(&self, missing: Option<String>) {
        self.missing_rights.store(missing.map(Arc::new));
    }

    /// Says what of the garden is not known, if anything.
    pub(super) fn set_unknown_garden(&self, unknown: Option<String>) {
        self.unknown_garden.store(unknown.map(Arc::new));
    }

    /// Sets why the garden in force is not the one in the files, if it is not.
    pub(super) fn set_stale_garden(&self, stale: Option<String>) {
        self.stale_garden.store(stale.map(Arc::new));
    }

    /// What keeps some rules from judging, as far as it is known; requests are answered by the others.
    pub(super) fn reservation(&self) -> Option<String> {
        let all = [
            &self.missing_rights,
            &self.unknown_garden,
            &self.stale_garden,
        ];
        let all = all.map(|it| it.load_full());
        let all: Vec<String> = all.iter().flatten().map(|it| it.to_string()).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }

    /// From now on [`Self::complaint`] says no, while requests are still answered.
    pub(super) fn set_stopping(&self) {
        self.stopping.store(true, Ordering::Release);
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Acquire)
    }

    /// Whether everything is there that a verdict needs.
    pub(super) fn is_complete(&self) -> bool {
        [&self.listening, &self.certificate, &self.garden]
            .iter()
            .all(|there| there.load(Ordering::Acquire))
    }

    /// What a verdict would still need; empty when there is nothing.
    fn missing(&self) -> Vec<String> {
        let wants = |wants: &ArcSwapOption<String>, short: &str| {
            let wants = wants.load();
            wants
                .as_ref()
                .map_or(short.to_owned(), |it| String::clone(it))
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

    /// Why nobody should send requests here; `None` when they should.
    pub(super) fn complaint(&self) -> Option<String> {
        self.complaint_at(Timestamp::now())
    }

    fn complaint_at(&self, now: Timestamp) -> Option<String> {
        let missing = self.missing();
        if self.is_stopping() {
            Some("the server is stopping".to_owned())
        } else if missing.is_empty() {
            self.expired(now)
        } else {
            Some(format!("still waiting for {}", missing.join(", ")))
        }
    }

    /// Nobody accepts a certificate that has expired.
    fn expired(&self, now: Timestamp) -> Option<String> {
        let end = Timestamp::from_second(self.certificate_end.load(Ordering::Acquire)).ok()?;
        (now >= end).then(|| format!("the serving certificate expired at {end}"))
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::Readiness;

    #[test]
    fn ready_once_everything_is_there_and_until_the_end_is_near() {
        let ready = Readiness::default();
        ready.set_listening();
        assert_eq!(
            ready.complaint().unwrap(),
            "still waiting for the serving certificate, the garden"
        );
        ready.set_certificate_wants("no answer");
        assert_eq!(
            ready.complaint().unwrap(),
            "still waiting for the serving certificate (no answer), the garden"
        );
        ready.set_certificate(1_000);
        ready.set_garden();
        let at = |second| Timestamp::from_second(second).unwrap();
        assert_eq!(ready.complaint_at(at(999)), None);
        assert_eq!(
            ready.complaint_at(at(1_000)).unwrap(),
            "the serving certificate expired at 1970-01-01T00:16:40Z"
        );
        ready.set_stopping();
        assert_eq!(ready.complaint().unwrap(), "the server is stopping");
        assert!(ready.is_complete());
    }
}
