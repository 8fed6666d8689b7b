use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use ring::digest::{Context, SHA256};
use tokio::sync::watch;
use tokio::time::{Instant, timeout};

use super::asker::Asker;
use super::share::{Permit, Share};

/// Well inside what Kubernetes gives a webhook, so that there is time left to say what was not answered.
const PATIENCE: Duration = Duration::from_secs(5);
/// What an answer costs beside what it holds: its key, its place and its time.
const OVERHEAD: usize = 128;
/// The answers that a cache is laid out for; it is bounded by weight.
const ANSWERS: usize = 1024;

/// Stands for a question, however long that is, and does not tell who asked.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub(super) struct Key([u8; 32]);

impl Key {
    /// The key of a question that consists of these parts.
    pub(super) fn of(parts: &[&[u8]]) -> Self {
        let mut context = Context::new(&SHA256);
        for part in parts {
            context.update(&part.len().to_le_bytes());
            context.update(part);
        }
        let mut key = [0; 32];
        key.copy_from_slice(context.finish().as_ref());
        Self(key)
    }
}

/// What there is to know about answers of one sort.
pub(super) trait Answer: Clone + Send + Sync + 'static {
    /// For how long it is kept.
    fn lifetime(&self) -> Duration;

    /// The bytes that it holds, about.
    fn size(&self) -> usize;
}

/// What is asked for anew each time, but only once for all who ask at the same time.
#[derive(Clone, Debug)]
pub(super) struct Fresh<T>(pub(super) T);

impl<T: Clone + Send + Sync + 'static> Answer for Fresh<T> {
    fn lifetime(&self) -> Duration {
        Duration::ZERO
    }

    fn size(&self) -> usize {
        0
    }
}

/// Answers of an API server. Equal questions at the same time cause one request, and some answers are kept.
///
/// Each asker waits in its own turn for a slot to send the question, so that none waits longer because another one asks the same.
/// A question that no asker waits for is not sent; a request that was sent keeps its slot to its end.
#[derive(Clone, Debug)]
pub(super) struct Asked<V: Answer>(Arc<Inner<V>>);

#[derive(Debug)]
struct Inner<V: Answer> {
    kept: Cache<Key, Kept<V>, Weight>,
    asking: Mutex<HashMap<Key, Arc<Asking<V>>>>,
    share: Share,
}

/// A question without an answer yet.
#[derive(Debug)]
struct Asking<V> {
    is_sent: AtomicBool,
    answer: watch::Sender<Option<V>>,
}

#[derive(Clone, Debug)]
struct Kept<V> {
    answer: V,
    until: Instant,
}

#[derive(Clone, Debug)]
struct Weight;

impl<V: Answer> Weighter<Key, Kept<V>> for Weight {
    fn weight(&self, _: &Key, kept: &Kept<V>) -> u64 {
        (OVERHEAD + kept.answer.size()) as u64
    }
}

impl<V: Answer> Asked<V> {
    /// Keeps no more than about `bytes` of answers, and asks for no more at a time than `share` lets.
    pub(super) fn new(share: Share, bytes: u64) -> Self {
        Self(Arc::new(Inner {
            kept: Cache::with_weighter(ANSWERS, bytes, Weight),
            asking: Mutex::default(),
            share,
        }))
    }

    /// Returns the answer that is kept, or else the one of `ask`.
    ///
    /// # Errors
    /// When the API server took too long, or has too much to do.
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
        let answered = timeout(PATIENCE, waiting.answer(asker, ask));
        answered.await.unwrap_or_else(|_| Err(late()))
    }

    /// Waits with the other askers of a question, if there are any.
    fn join(&self, key: Key) -> Waiting<V> {
        let mut all = self.0.lock();
        let asking = all.entry(key).or_insert_with(|| {
            Arc::new(Asking {
                is_sent: AtomicBool::new(false),
                answer: watch::Sender::new(None),
            })
        });
        Waiting {
            inner: Arc::clone(&self.0),
            key,
            asking: Arc::clone(asking),
        }
    }
}

fn late() -> String {
    format!("the API server did not answer within {PATIENCE:?}")
}

impl<V: Answer> Inner<V> {
    fn keep(&self, key: Key, answer: &V) {
        let lifetime = answer.lifetime();
        if !lifetime.is_zero() {
            let (answer, until) = (answer.clone(), Instant::now() + lifetime);
            self.kept.insert(key, Kept { answer, until });
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Arc<Asking<V>>>> {
        self.asking.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An asker of a question; the last one removes the question, unless it is sent.
struct Waiting<V: Answer> {
    inner: Arc<Inner<V>>,
    key: Key,
    asking: Arc<Asking<V>>,
}

impl<V: Answer> Waiting<V> {
    async fn answer(
        &self,
        asker: &Asker,
        ask: impl Future<Output = V> + Send + 'static,
    ) -> Result<V, String> {
        let mut answer = self.asking.answer.subscribe();
        // Either arm may be dropped: an answer stays, and a slot is only given to an asker that waits for it.
        tokio::select! {
            biased;
            _ = answer.wait_for(Option::is_some) => {}
            permit = self.inner.share.permit(asker) => match permit {
                Some(permit) => self.send(permit, ask),
                None if self.is_sent() => {}
                None => return Err("too many other questions wait for the API server".to_owned()),
            }
        }
        match answer.wait_for(Option::is_some).await.as_deref() {
            Ok(Some(answer)) => Ok(answer.clone()),
            _ => Err(late()),
        }
    }

    /// Sends the question, unless another asker has done so.
    fn send(&self, permit: Permit, ask: impl Future<Output = V> + Send + 'static) {
        if self.asking.is_sent.swap(true, Ordering::Relaxed) {
            return;
        }
        let sent = Sent(Self {
            inner: Arc::clone(&self.inner),
            key: self.key,
            asking: Arc::clone(&self.asking),
        });
        tokio::spawn(async move {
            let answer = ask.await;
            drop(permit);
            let Sent(question) = &sent;
            question.inner.keep(question.key, &answer);
            question.asking.answer.send_replace(Some(answer));
        });
    }

    fn is_sent(&self) -> bool {
        self.asking.is_sent.load(Ordering::Relaxed)
    }

    /// Removes the question if `is_over`, which is evaluated while no asker can join.
    fn remove_if(&self, is_over: impl FnOnce() -> bool) {
        let mut all = self.inner.lock();
        // The same may have been asked again since.
        let own = all.get(&self.key);
        if own.is_some_and(|it| Arc::ptr_eq(it, &self.asking)) && is_over() {
            all.remove(&self.key);
        }
    }
}

impl<V: Answer> Drop for Waiting<V> {
    fn drop(&mut self) {
        // The question itself and this asker.
        let is_last = || Arc::strong_count(&self.asking) <= 2;
        self.remove_if(|| is_last() && !self.is_sent());
    }
}

/// A question that was sent, until it is answered or the task ends.
struct Sent<V: Answer>(Waiting<V>);

impl<V: Answer> Drop for Sent<V> {
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

    use super::{Answer, Asked, Key, PATIENCE};
    use crate::garden::live::asker::{Asker, Rank};
    use crate::garden::live::share::Share;

    /// Kept for a second if it is odd.
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
        asked: Asked<Number>,
        calls: Arc<AtomicUsize>,
        running: Arc<AtomicUsize>,
        most: Arc<AtomicUsize>,
    }

    impl World {
        fn new(bytes: u64) -> Self {
            Self {
                asked: Asked::new(Share::new(AT_A_TIME), bytes),
                calls: Arc::default(),
                running: Arc::default(),
                most: Arc::default(),
            }
        }

        /// A request that takes so long.
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

    /// Each question is one of another user.
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
    async fn no_more_requests_run_than_should_even_if_nobody_waits_for_them() {
        let world = World::new(1 << 20);
        for _ in 0..4 {
            let ask = |number| timeout(MOMENT, world.ask(number, Duration::from_secs(9)));
            join_all((0..100).map(|number| ask(2 * number))).await;
        }
        assert_eq!(world.most.load(Ordering::SeqCst), AT_A_TIME);
        // Those that had not begun when everybody had gone were never sent.
        sleep(Duration::from_secs(60)).await;
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
        // The oldest of those that wait.
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
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_hangs_is_an_answer_too() {
        let world = World::new(1 << 20);
        let asker = asker(1);
        let answer = world.asked.get(key(1), &asker, pending());
        let expected = format!("the API server did not answer within {PATIENCE:?}");
        assert_eq!(answer.await, Err(expected));
    }
}
