use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arc_swap::ArcSwapOption;

/// What has to be there before verdicts can be given, and whether the end is near.
#[derive(Debug, Default)]
pub(super) struct Readiness {
    listening: AtomicBool,
    certificate: AtomicBool,
    garden: AtomicBool,
    stopping: AtomicBool,
    /// What of the garden is waited for, as long as it is.
    garden_wants: ArcSwapOption<String>,
}

impl Readiness {
    pub(super) fn set_listening(&self) {
        self.listening.store(true, Ordering::Release);
    }

    pub(super) fn set_certificate(&self) {
        self.certificate.store(true, Ordering::Release);
    }

    pub(super) fn set_garden(&self) {
        self.garden.store(true, Ordering::Release);
    }

    /// Says what of the garden is still waited for.
    pub(super) fn set_garden_wants(&self, wants: String) {
        self.garden_wants.store(Some(Arc::new(wants)));
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
        let garden = self.garden_wants.load();
        let garden = garden.as_ref().map_or("the garden", |wants| wants.as_str());
        [
            (&self.listening, "the listener"),
            (&self.certificate, "the serving certificate"),
            (&self.garden, garden),
        ]
        .into_iter()
        .filter(|(there, _)| !there.load(Ordering::Acquire))
        .map(|(_, what)| what.to_owned())
        .collect()
    }

    /// Why nobody should send requests here; `None` when they should.
    pub(super) fn complaint(&self) -> Option<String> {
        let missing = self.missing();
        if self.is_stopping() {
            Some("the server is stopping".to_owned())
        } else if missing.is_empty() {
            None
        } else {
            Some(format!("still waiting for {}", missing.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Readiness;

    #[test]
    fn ready_once_everything_is_there_and_until_the_end_is_near() {
        let ready = Readiness::default();
        ready.set_listening();
        assert_eq!(
            ready.complaint().unwrap(),
            "still waiting for the serving certificate, the garden"
        );
        ready.set_certificate();
        ready.set_garden();
        assert_eq!(ready.complaint(), None);
        ready.set_stopping();
        assert_eq!(ready.complaint().unwrap(), "the server is stopping");
        assert!(ready.is_complete());
    }
}
