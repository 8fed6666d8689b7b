use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use ring::digest::{Context, SHA256};
use tokio::sync::watch;
use tokio::time::{Instant, timeout};

use super::share::Share;

/// Well inside what Kubernetes gives a webhook, so that there is time left to say what was not answered.
const PATIENCE: Duration = Duration::from_secs(5);
/// What an answer costs beside what it holds: its key, its place and its time.
const OVERHEAD: usize = 128;
/// The answers that a cache is laid out for; it is bounded by weight.
const ANSWERS: usize = 1024;

/// Stands for a question, however long that is, and does not tell who asked.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
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

/// Answers of an API server: many who ask the same at the same time cause one request, and some answers are kept.
///
/// Whoever asks may stop waiting at any time. A request that nobody waits for is not sent; one that is on its way has its share
/// until it ends, so that no more run than should.
#[derive(Clone, Debug)]
pub(super) struct Asked<V: Answer>(Arc<Inner<V>>);

#[derive(Debug)]
struct Inner<V: Answer> {
    kept: Cache<Key, Kept<V>, Weight>,
    asking: Mutex<HashMap<Key, Arc<Asking<V>>>>,
    share: Share,
}

/// Tells whoever waits; `None` until there is an answer.
type Asking<V> = watch::Sender<Option<Result<V, String>>>;

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

    /// The answer that is kept, or else the one of `ask`. Who is `preferred` is asked for before others.
    ///
    /// # Errors
    /// When the API server took too long, or has too much to do.
    pub(super) async fn get(
        &self,
        key: Key,
        preferred: bool,
        ask: impl Future<Output = V> + Send + 'static,
    ) -> Result<V, String> {
        if let Some(kept) = self.0.kept.get(&key)
            && kept.until > Instant::now()
        {
            return Ok(kept.answer);
        }
        let mut answer = self.join(key, preferred, ask);
        let answered = timeout(PATIENCE, answer.wait_for(Option::is_some)).await;
        match answered.ok().and_then(Result::ok).as_deref() {
            Some(Some(answer)) => answer.clone(),
            _ => Err(format!("the API server did not answer within {PATIENCE:?}")),
        }
    }

    /// Waits with those who wait already, or begins.
    fn join(
        &self,
        key: Key,
        preferred: bool,
        ask: impl Future<Output = V> + Send + 'static,
    ) -> watch::Receiver<Option<Result<V, String>>> {
        let mut asking = self.0.lock();
        if let Some(asking) = asking.get(&key) {
            return asking.subscribe();
        }
        let (sender, receiver) = watch::channel(None);
        let sender = Arc::new(sender);
        asking.insert(key, Arc::clone(&sender));
        let inner = Arc::clone(&self.0);
        tokio::spawn(async move { inner.ask(key, preferred, ask, sender).await });
        receiver
    }
}

impl<V: Answer> Inner<V> {
    async fn ask(
        &self,
        key: Key,
        preferred: bool,
        ask: impl Future<Output = V>,
        asking: Arc<Asking<V>>,
    ) {
        let entry = Entry {
            inner: self,
            key,
            asking,
        };
        let permit = loop {
            tokio::select! {
                permit = self.share.permit(preferred) => break permit,
                () = entry.asking.closed() => {
                    if entry.remove_if_alone() {
                        return;
                    }
                }
            }
        };
        let answer = match &permit {
            Some(_) => Ok(ask.await),
            None => Err("too many other questions wait for the API server".to_owned()),
        };
        drop(permit);
        if let Ok(answer) = &answer {
            self.keep(key, answer);
        }
        entry.asking.send_replace(Some(answer));
    }

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

/// A question that others may join; no longer when dropped.
struct Entry<'a, V: Answer> {
    inner: &'a Inner<V>,
    key: Key,
    asking: Arc<Asking<V>>,
}

impl<V: Answer> Entry<'_, V> {
    /// Whether nobody waits any more; somebody else may have begun to in the last moment.
    fn remove_if_alone(&self) -> bool {
        let mut all = self.inner.lock();
        let alone = self.asking.receiver_count() == 0;
        if alone {
            all.remove(&self.key);
        }
        alone
    }
}

impl<V: Answer> Drop for Entry<'_, V> {
    fn drop(&mut self) {
        let mut all = self.inner.lock();
        // By now somebody may have begun to ask the same again.
        if all
            .get(&self.key)
            .is_some_and(|it| Arc::ptr_eq(it, &self.asking))
        {
            all.remove(&self.key);
        }
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
            self.asked.get(key(number), false, ask).await
        }

        fn calls(&self) -> usize {
            self.calls.load(Ordering::SeqCst)
        }
    }

    fn key(number: usize) -> Key {
        Key::of(&[&number.to_le_bytes()])
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
        let answer = world.asked.get(key(1), false, pending());
        let expected = format!("the API server did not answer within {PATIENCE:?}");
        assert_eq!(answer.await, Err(expected));
    }
}
