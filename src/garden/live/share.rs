use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// Requests of one sort that may run at a time, so that none keeps the others, or the API server, busy.
///
/// Whoever waits is let in newest first: when more come than can be served, those who have waited long are about to give up,
/// and would take the place of somebody who does not. Those who are preferred go before all others.
#[derive(Clone, Debug)]
pub(super) struct Share(Arc<Mutex<Queue>>);

#[derive(Debug)]
struct Queue {
    free: usize,
    /// Oldest first.
    preferred: Vec<oneshot::Sender<Permit>>,
    others: Vec<oneshot::Sender<Permit>>,
}

/// More than this many who wait would not be served in time anyway; then the oldest is refused.
const MOST_WAITING: usize = 128;

/// The right to send one request; ends when dropped.
#[derive(Debug)]
pub(super) struct Permit(Option<Share>);

impl Share {
    pub(super) fn new(at_a_time: usize) -> Self {
        Self(Arc::new(Mutex::new(Queue {
            free: at_a_time,
            preferred: Vec::new(),
            others: Vec::new(),
        })))
    }

    /// Waits for a permit; `None` if too many others wait.
    pub(super) async fn permit(&self, preferred: bool) -> Option<Permit> {
        let waiting = {
            let mut queue = self.lock();
            if queue.free > 0 {
                queue.free -= 1;
                return Some(Permit(Some(self.clone())));
            }
            queue.wait(preferred)
        };
        waiting.await.ok()
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    fn wait(&mut self, preferred: bool) -> oneshot::Receiver<Permit> {
        let (sender, receiver) = oneshot::channel();
        let queue = match preferred {
            true => &mut self.preferred,
            false => &mut self.others,
        };
        queue.retain(|waiting| !waiting.is_closed());
        if queue.len() >= MOST_WAITING {
            queue.remove(0);
        }
        queue.push(sender);
        receiver
    }

    fn next(&mut self) -> Option<oneshot::Sender<Permit>> {
        self.preferred.pop().or_else(|| self.others.pop())
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let Some(share) = self.0.take() else {
            return;
        };
        let mut queue = share.lock();
        while let Some(waiting) = queue.next() {
            // One that comes back, as nobody waits for it any more, must not be dropped as a permit while the lock is held.
            match waiting.send(Permit(Some(share.clone()))) {
                Ok(()) => return,
                Err(mut refused) => refused.0 = None,
            }
        }
        queue.free += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use tokio::task::JoinSet;
    use tokio::time::{sleep, timeout};

    use super::{MOST_WAITING, Share};

    async fn moment() {
        sleep(Duration::from_millis(1)).await;
    }

    #[tokio::test(start_paused = true)]
    async fn the_preferred_go_first_and_then_the_newest() {
        let share = Share::new(1);
        let first = share.permit(false).await;
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut tasks = JoinSet::new();
        for (number, preferred) in [(1, false), (2, true), (3, false), (4, true)] {
            let (share, order) = (share.clone(), Arc::clone(&order));
            tasks.spawn(async move {
                let _permit = share.permit(preferred).await;
                order.lock().unwrap().push(number);
            });
            moment().await;
        }
        drop(first);
        tasks.join_all().await;
        assert_eq!(*order.lock().unwrap(), [4, 2, 3, 1]);
        assert!(share.permit(false).await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn who_gives_up_takes_no_permit_along() {
        let share = Share::new(1);
        let first = share.permit(false).await;
        let gives_up = timeout(Duration::from_millis(1), share.permit(false));
        assert!(gives_up.await.is_err());
        drop(first);
        let second = timeout(Duration::from_secs(1), share.permit(false));
        assert!(second.await.unwrap().is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn when_too_many_wait_the_oldest_is_refused() {
        let share = Share::new(1);
        let _first = share.permit(false).await;
        let mut tasks = JoinSet::new();
        for number in 0..=MOST_WAITING {
            let share = share.clone();
            tasks.spawn(async move { (number, share.permit(false).await.is_some()) });
            moment().await;
        }
        assert_eq!(tasks.join_next().await.unwrap().unwrap(), (0, false));
    }
}
