use std::convert::Infallible;
use std::hash::Hash;
use std::time::Duration;

use quick_cache::sync::Cache;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout};

/// Requests to the API server at a time; more would only wait there instead.
const AT_A_TIME: usize = 32;
/// Well inside what Kubernetes gives a webhook, so that there is time left to say what was not answered.
const PATIENCE: Duration = Duration::from_secs(5);

/// Answers of an API server: many who ask the same at the same time cause one request, and some answers are kept.
///
/// Whoever asks may stop waiting at any time; then the next one who waits asks instead.
#[derive(Debug)]
pub(super) struct Asked<K, V> {
    kept: Cache<K, Kept<V>>,
    permits: Semaphore,
}

#[derive(Clone, Debug)]
struct Kept<V> {
    answer: V,
    until: Instant,
}

impl<K: Clone + Eq + Hash, V: Clone> Asked<K, V> {
    /// Keeps no more than about `capacity` answers.
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            kept: Cache::new(capacity),
            permits: Semaphore::new(AT_A_TIME),
        }
    }

    /// The answer that is kept, or else the one of `ask`, which is kept as long as `lifetime` says.
    ///
    /// # Errors
    /// When the API server took too long.
    pub(super) async fn get(
        &self,
        key: &K,
        lifetime: fn(&V) -> Duration,
        ask: impl Future<Output = V>,
    ) -> Result<V, String> {
        self.kept
            .remove_if(key, |kept| kept.until <= Instant::now());
        let asking = self.kept.get_or_insert_async(key, async {
            let permit = self.permits.acquire().await;
            let answer = ask.await;
            drop(permit);
            let until = Instant::now() + lifetime(&answer);
            Ok::<_, Infallible>(Kept { answer, until })
        });
        match timeout(PATIENCE, asking).await {
            Ok(Ok(kept)) => Ok(kept.answer),
            Err(_) => Err(format!("the API server did not answer within {PATIENCE:?}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use futures_util::future::join_all;
    use tokio::time::{advance, sleep};

    use super::{AT_A_TIME, Asked, PATIENCE};

    async fn ask(asked: &Asked<u32, bool>, key: u32, calls: &AtomicUsize) -> Result<bool, String> {
        let lifetime = |answer: &bool| Duration::from_secs(if *answer { 0 } else { 1 });
        let answer = async {
            calls.fetch_add(1, Ordering::SeqCst);
            sleep(Duration::from_millis(10)).await;
            key.is_multiple_of(2)
        };
        asked.get(&key, lifetime, answer).await
    }

    #[tokio::test(start_paused = true)]
    async fn who_asks_at_the_same_time_shares_one_request() {
        let (asked, calls) = (Asked::new(100), AtomicUsize::new(0));
        let answers = join_all((0..50).map(|_| ask(&asked, 2, &calls))).await;
        assert_eq!(answers, vec![Ok(true); 50]);
        assert_eq!(calls.load(Ordering::SeqCst), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_lives_as_long_as_it_should() {
        let (asked, calls) = (Asked::new(100), AtomicUsize::new(0));
        for (key, wait, expected) in [(1, 0, 1), (1, 900, 1), (1, 200, 2), (2, 0, 3), (2, 0, 4)] {
            advance(Duration::from_millis(wait)).await;
            ask(&asked, key, &calls).await.unwrap();
            assert_eq!(
                calls.load(Ordering::SeqCst),
                expected,
                "{key} after {wait} ms"
            );
        }
    }

    #[tokio::test(start_paused = true)]
    async fn one_who_gives_up_does_not_take_the_answer_from_the_others() {
        let (asked, calls) = (Asked::new(100), AtomicUsize::new(0));
        let gives_up = tokio::time::timeout(Duration::from_millis(5), ask(&asked, 2, &calls));
        let (gave_up, answer) = tokio::join!(gives_up, ask(&asked, 2, &calls));
        assert!(gave_up.is_err());
        assert_eq!(answer, Ok(true));
        assert_eq!(calls.load(Ordering::SeqCst), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn no_more_requests_run_than_are_good_for_the_server() {
        let asked: Asked<usize, usize> = Asked::new(1000);
        let (running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let ask = |key: usize| {
            let (running, most, asked) = (&running, &most, &asked);
            async move {
                let answer = async {
                    let now = running.fetch_add(1, Ordering::SeqCst) + 1;
                    most.fetch_max(now, Ordering::SeqCst);
                    sleep(Duration::from_millis(10)).await;
                    running.fetch_sub(1, Ordering::SeqCst);
                    key
                };
                asked.get(&key, |_| Duration::ZERO, answer).await.unwrap()
            }
        };
        join_all((0..100).map(ask)).await;
        assert_eq!(most.load(Ordering::SeqCst), AT_A_TIME);
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_hangs_is_an_answer_too() {
        let asked: Asked<u32, bool> = Asked::new(10);
        let answer = asked.get(&1, |_| Duration::ZERO, std::future::pending());
        let expected = format!("the API server did not answer within {PATIENCE:?}");
        assert_eq!(answer.await, Err(expected));
    }
}
