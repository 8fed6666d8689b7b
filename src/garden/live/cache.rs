// SPDX-License-Identifier: Apache-2.0
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use tokio::sync::SetOnce;
use tokio::time::{Instant, timeout};

use super::asker::{Asker, Key};
use super::share::{Permit, Share};

/// Timeout of an answer, well below Kubernetes' webhook timeout, so that a verdict can still be sent.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Estimated memory of a cache entry in addition to the answer: key, node and expiry time, in bytes.
const OVERHEAD: usize = 128;
/// The estimated number of answers in a cache; the actual bound is the weight.
const ANSWERS: usize = 1024;

/// An answer that can be cached.
pub(super) trait Answer: Clone + Send + Sync + 'static {
    /// Returns the cache lifetime.
    fn lifetime(&self) -> Duration;

    /// Returns the estimated memory in bytes.
    fn size(&self) -> usize;
}

/// An answer that is not cached, but shared by concurrent callers (single-flight).
#[derive(Clone, Debug)]
pub(super) struct Uncached<T>(pub(super) T);

impl<T: Clone + Send + Sync + 'static> Answer for Uncached<T> {
    fn lifetime(&self) -> Duration {
        Duration::ZERO
    }

    fn size(&self) -> usize {
        0
    }
}

/// Cached questions to an API server.
///
/// Concurrent equal questions share one request, and some answers are cached.
///
/// Each asker queues for a slot with its own priority, so that no asker waits longer because another one asks the same.
/// A question without waiting askers is not sent. A request that was sent keeps its slot until it ends.
#[derive(Clone, Debug)]
pub(super) struct AnswerCache<V: Answer>(Arc<CacheState<V>>);

#[derive(Debug)]
struct CacheState<V: Answer> {
    kept: Cache<Key, CachedAnswer<V>, Weight>,
    asking: Mutex<HashMap<Key, Arc<Asking<V>>>>,
    share: Share,
}

/// A question without an answer so far.
#[derive(Debug)]
struct Asking<V> {
    is_sent: AtomicBool,
    answer: SetOnce<V>,
}

#[derive(Clone, Debug)]
struct CachedAnswer<V> {
    answer: V,
    until: Instant,
}

#[derive(Clone, Debug)]
struct Weight;

impl<V: Answer> Weighter<Key, CachedAnswer<V>> for Weight {
    fn weight(&self, _: &Key, kept: &CachedAnswer<V>) -> u64 {
        (OVERHEAD + kept.answer.size()) as u64
    }
}

impl<V: Answer> AnswerCache<V> {
    /// Creates a cache of about `bytes` bytes; `share` limits concurrent requests.
    pub(super) fn new(share: Share, bytes: u64) -> Self {
        Self(Arc::new(CacheState {
            kept: Cache::with_weighter(ANSWERS, bytes, Weight),
            asking: Mutex::default(),
            share,
        }))
    }

    /// Returns the cached answer, or else the result of `ask`.
    ///
    /// # Errors
    /// Fails if the API server takes too long or too many questions are waiting.
    pub(super) async fn get(
        &self,
        key: Key,
        asker: &Asker,
        ask: impl Future<Output = V> + Send + 'static,
    ) -> Result<V, String> {
        if let Some(kept) = self.0.kept.get(&key)
            && kept.until > Instant::now()
        {
            return Ok(kept.answer);
        }
        let waiting = self.join(key);
        let answered = timeout(TIMEOUT, waiting.answer(asker, ask));
        answered.await.unwrap_or_else(|_| Err(late()))
    }

    /// Joins the other askers of a question, or starts a new question.
    fn join(&self, key: Key) -> Waiting<V> {
        let mut all = self.0.lock();
        let asking = all.entry(key).or_insert_with(|| {
            Arc::new(Asking { is_sent: AtomicBool::new(false), answer: SetOnce::new() })
        });
        Waiting { inner: Arc::clone(&self.0), key, asking: Arc::clone(asking) }
    }
}

fn late() -> String {
    format!("the API server did not answer within {TIMEOUT:?}")
}

impl<V: Answer> CacheState<V> {
    fn keep(&self, key: Key, answer: &V) {
        let lifetime = answer.lifetime();
        if !lifetime.is_zero() {
            let (answer, until) = (answer.clone(), Instant::now() + lifetime);
            self.kept.insert(key, CachedAnswer { answer, until });
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Arc<Asking<V>>>> {
        self.asking.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An asker of a question.
/// The last one removes the question unless it has been sent.
struct Waiting<V: Answer> {
    inner: Arc<CacheState<V>>,
    key: Key,
    asking: Arc<Asking<V>>,
}

impl<V: Answer> Waiting<V> {
    async fn answer(
        &self,
        asker: &Asker,
        ask: impl Future<Output = V> + Send + 'static,
    ) -> Result<V, String> {
        let answer = &self.asking.answer;
        // Both arms may be dropped: an answer persists, and a slot is only assigned to an asker that waits for it.
        tokio::select! {
            biased;
            _ = answer.wait() => {}
            permit = self.inner.share.permit(asker) => match permit {
                Some(permit) => self.send(permit, ask),
                None if self.is_sent() => {}
                None => return Err("too many other questions wait for the API server".to_owned()),
            }
        }
        Ok(answer.wait().await.clone())
    }

    /// Sends the question unless another asker has done so.
    fn send(&self, permit: Permit, ask: impl Future<Output = V> + Send + 'static) {
        if self.asking.is_sent.swap(true, Ordering::Relaxed) {
            return;
        }
        let sent = InFlight(Self {
            inner: Arc::clone(&self.inner),
            key: self.key,
            asking: Arc::clone(&self.asking),
        });
        tokio::spawn(async move {
            let answer = ask.await;
            drop(permit);
            let InFlight(question) = &sent;
            question.inner.keep(question.key, &answer);
            // Each question is sent once, so that it has no other answer.
            let _ = question.asking.answer.set(answer);
        });
    }

    fn is_sent(&self) -> bool {
        self.asking.is_sent.load(Ordering::Relaxed)
    }

    /// Removes the question if `is_over` returns true.
    /// No asker can join during its evaluation.
    fn remove_if(&self, is_over: impl FnOnce() -> bool) {
        let mut all = self.inner.lock();
        // The same question may have been asked again since.
        let own = all.get(&self.key);
        if own.is_some_and(|it| Arc::ptr_eq(it, &self.asking)) && is_over() {
            all.remove(&self.key);
        }
    }
}

impl<V: Answer> Drop for Waiting<V> {
    fn drop(&mut self) {
        // The map and this asker hold the two remaining references.
        let is_last = || Arc::strong_count(&self.asking) <= 2;
        self.remove_if(|| is_last() && !self.is_sent());
    }
}

/// A question that was sent; removed when it is answered or the task ends.
struct InFlight<V: Answer>(Waiting<V>);

impl<V: Answer> Drop for InFlight<V> {
    fn drop(&mut self) {
        self.0.remove_if(|| true);
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use futures_util::future::join_all;
    use tokio::time::{advance, sleep, timeout};

    use super::{Answer, AnswerCache, Key, TIMEOUT};
    use crate::garden::live::asker::{Asker, Rank};
    use crate::garden::live::share::Share;

    /// Test answer that is cached for a second if it is odd.
    #[derive(Clone, Debug, PartialEq)]
    struct Number(usize);

    impl Answer for Number {
        fn lifetime(&self) -> Duration {
            Duration::from_secs(u64::from(!self.0.is_multiple_of(2)))
        }

        fn size(&self) -> usize {
            self.0
        }
    }

    const AT_A_TIME: usize = 16;

    struct World {
        asked: AnswerCache<Number>,
        calls: Arc<AtomicUsize>,
        running: Arc<AtomicUsize>,
        most: Arc<AtomicUsize>,
    }

    impl World {
        fn new(bytes: u64) -> Self {
            Self {
                asked: AnswerCache::new(Share::new(AT_A_TIME), bytes),
                calls: Arc::default(),
                running: Arc::default(),
                most: Arc::default(),
            }
        }

        /// Requests a number; the request takes the given time.
        async fn ask(&self, number: usize, takes: Duration) -> Result<Number, String> {
            let (calls, running) = (Arc::clone(&self.calls), Arc::clone(&self.running));
            let most = Arc::clone(&self.most);
            let ask = async move {
                calls.fetch_add(1, Ordering::SeqCst);
                most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                sleep(takes).await;
                running.fetch_sub(1, Ordering::SeqCst);
                Number(number)
            };
            self.asked.get(key(number), &asker(number), ask).await
        }

        fn calls(&self) -> usize {
            self.calls.load(Ordering::SeqCst)
        }
    }

    fn key(number: usize) -> Key {
        Key::of(&[&number.to_le_bytes()])
    }

    /// Returns an asker with a different user for each question.
    fn asker(number: usize) -> Asker {
        Asker::of((1, number), Rank::Known)
    }

    const MOMENT: Duration = Duration::from_millis(10);

    #[test]
    fn parts_do_not_run_into_each_other() {
        assert_ne!(Key::of(&[b"ab", b"c"]), Key::of(&[b"a", b"bc"]));
    }

    #[tokio::test(start_paused = true)]
    async fn who_asks_at_the_same_time_shares_one_request() {
        let world = World::new(1 << 20);
        let answers = join_all((0..50).map(|_| world.ask(2, MOMENT))).await;
        assert_eq!(answers, vec![Ok(Number(2)); 50]);
        assert_eq!(world.calls(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_lives_as_long_as_it_should() {
        let world = World::new(1 << 20);
        for (number, wait, expected) in [(1, 0, 1), (1, 900, 1), (1, 200, 2), (2, 0, 3), (2, 0, 4)]
        {
            advance(Duration::from_millis(wait)).await;
            world.ask(number, MOMENT).await.unwrap();
            assert_eq!(world.calls(), expected, "{number} after {wait} ms");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn one_who_gives_up_does_not_take_the_answer_from_the_others() {
        let world = World::new(1 << 20);
        let gives_up = timeout(MOMENT / 2, world.ask(2, MOMENT));
        let (gave_up, answer) = tokio::join!(gives_up, world.ask(2, MOMENT));
        assert!(gave_up.is_err());
        assert_eq!(answer, Ok(Number(2)));
        assert_eq!(world.calls(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn request_limit_holds_without_waiting_callers() {
        let world = World::new(1 << 20);
        for _ in 0..4 {
            let ask = |number| timeout(MOMENT, world.ask(number, Duration::from_secs(9)));
            join_all((0..100).map(|number| ask(2 * number))).await;
        }
        assert_eq!(world.most.load(Ordering::SeqCst), AT_A_TIME);
        // Questions that had not started when all askers were gone were never sent.
        sleep(Duration::from_mins(1)).await;
        assert_eq!(world.calls(), AT_A_TIME);
        assert!(world.asked.0.lock().is_empty());
        assert_eq!(world.ask(2, MOMENT).await, Ok(Number(2)));
    }

    #[tokio::test(start_paused = true)]
    async fn question_of_one_peer_does_not_wait_with_the_same_of_another() {
        let world = World::new(1 << 20);
        let strangers = |number| Asker::of((2, number), Rank::New);
        let calls = Arc::clone(&world.calls);
        let ask = |number| {
            let calls = Arc::clone(&calls);
            async move {
                calls.fetch_add(1, Ordering::SeqCst);
                sleep(Duration::from_secs(2)).await;
                Number(number)
            }
        };
        let asked = (0..200).map(|number| {
            let number = 2 * number;
            let (asked, ask) = (world.asked.clone(), ask(number));
            async move { asked.get(key(number), &strangers(number), ask).await }
        });
        let flood = tokio::spawn(join_all(asked.collect::<Vec<_>>()));
        sleep(MOMENT).await;
        // The oldest waiting question.
        let number = 2 * 14;
        let known = asker(number);
        let answer = world.asked.get(key(number), &known, ask(number));
        let answer = timeout(Duration::from_secs(2) + MOMENT, answer).await;
        assert_eq!(answer.unwrap(), Ok(Number(number)));
        let answered = flood.await.unwrap();
        assert_eq!(answered[14], Ok(Number(number)));
        assert!(answered[15].is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn answers_are_weighed() {
        let world = World::new(1 << 20);
        for number in 0..1_000 {
            world.ask(10_001 + 2 * number, MOMENT / 10).await.unwrap();
        }
        let kept = world.asked.0.kept.weight();
        assert!((10_000..=1 << 20).contains(&kept), "{kept}");
        // Each answer has more than 10,000 bytes.
        let count = world.asked.0.kept.len();
        assert!((1..=104).contains(&count), "{count}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_hangs_is_an_answer_too() {
        let world = World::new(1 << 20);
        let asker = asker(1);
        let answer = world.asked.get(key(1), &asker, pending());
        let expected = format!("the API server did not answer within {TIMEOUT:?}");
        assert_eq!(answer.await, Err(expected));
    }
}
