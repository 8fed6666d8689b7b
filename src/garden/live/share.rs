// SPDX-License-Identifier: Apache-2.0
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use super::asker::{Asker, Rank};

/// Maximum number of waiting requests.
///
/// Beyond it, a request of the peer with the most of them is refused.
const MAX_WAITING: usize = 512;
/// Divisor: a quarter of the slots is reserved for peers that have none, and for known users.
const RESERVED: usize = 4;
/// Divisor: one user gets at most half of the slots.
const USER: usize = 2;

/// Slots for requests to an API server, or for long evaluations, shared fairly between peers, and between the users of a peer.
///
/// A free slot goes to the peer with the fewest slots.
/// Among its users, the highest rank comes first, then the fewest slots, then the newest request.
/// The newest request comes first because the oldest ones are about to time out.
#[derive(Clone, Debug)]
pub(crate) struct Share(Arc<Mutex<Queue>>);

#[derive(Debug)]
struct Queue {
    slots: usize,
    /// Maximum number of slots of a user.
    slots_of_user: usize,
    running: Vec<Asker>,
    /// Requests that cannot start yet, oldest first.
    waiting: Vec<Waiting>,
}

#[derive(Debug)]
struct Waiting {
    asker: Asker,
    sender: oneshot::Sender<Permit>,
}

/// A slot, which is released on drop.
#[derive(Debug)]
pub(crate) struct Permit(Option<(Share, Asker)>);

impl Share {
    pub(super) fn new(slots: usize) -> Self {
        Self::with(slots, slots.div_ceil(USER))
    }

    /// Returns a share with another limit for one user.
    pub(crate) fn with(slots: usize, slots_of_user: usize) -> Self {
        Self(Arc::new(Mutex::new(Queue {
            slots,
            slots_of_user,
            running: Vec::new(),
            waiting: Vec::new(),
        })))
    }

    /// Waits for a slot. Returns `None` if too many others wait.
    pub(crate) async fn permit(&self, asker: &Asker) -> Option<Permit> {
        let waiting = {
            let mut queue = self.lock();
            if queue.may_start(asker) {
                queue.running.push(*asker);
                return Some(Permit(Some((self.clone(), *asker))));
            }
            queue.wait(*asker)
        };
        waiting.await.ok()
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    fn may_start(&self, asker: &Asker) -> bool {
        let running = self.running.len();
        let (of_peer, of_user) = self.running(asker);
        let is_reserved = running >= self.slots - self.slots / RESERVED;
        running < self.slots
            && of_user < self.slots_of_user
            && (!is_reserved || of_peer == 0 || asker.rank == Rank::Known)
    }

    /// Returns the number of slots of the peer, and of its user.
    fn running(&self, asker: &Asker) -> (usize, usize) {
        let of_peer = self.running.iter().filter(|it| it.peer == asker.peer);
        let of_user = of_peer.clone().filter(|it| it.user == asker.user);
        (of_peer.count(), of_user.count())
    }

    fn wait(&mut self, asker: Asker) -> oneshot::Receiver<Permit> {
        let (sender, receiver) = oneshot::channel();
        self.waiting.push(Waiting { asker, sender });
        if self.waiting.len() > MAX_WAITING {
            self.waiting.retain(|waiting| !waiting.sender.is_closed());
        }
        if self.waiting.len() > MAX_WAITING
            && let Some(refused) = self.refused()
        {
            self.waiting.remove(refused);
        }
        receiver
    }

    /// Returns the request to refuse.
    ///
    /// It is the oldest of the lowest rank, of the peer and user with the most requests.
    fn refused(&self) -> Option<usize> {
        let (mut peers, mut users) = (BTreeMap::new(), BTreeMap::new());
        for Waiting { asker, .. } in &self.waiting {
            *peers.entry(asker.peer).or_insert(0) += 1;
            *users.entry((asker.peer, asker.user)).or_insert(0) += 1;
        }
        let waiting = self.waiting.iter().enumerate();
        let refused = waiting.min_by_key(|(_, Waiting { asker, .. })| {
            let of_peer = peers.get(&asker.peer).copied();
            let of_user = users.get(&(asker.peer, asker.user)).copied();
            (Reverse::<Option<usize>>(of_peer), asker.rank, Reverse::<Option<usize>>(of_user))
        });
        refused.map(|(index, _)| index)
    }

    /// Removes the request that gets the next slot, if any.
    fn next(&mut self) -> Option<Waiting> {
        let waiting = self.waiting.iter().enumerate();
        let may_start = waiting.filter(|(_, it)| self.may_start(&it.asker));
        let (next, _) = may_start.max_by_key(|(index, Waiting { asker, .. })| {
            let (of_peer, of_user) = self.running(asker);
            (Reverse(of_peer), asker.rank, Reverse(of_user), *index)
        })?;
        Some(self.waiting.remove(next))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let Some((share, asker)) = self.0.take() else {
            return;
        };
        let mut queue = share.lock();
        if let Some(own) = queue.running.iter().position(|it| *it == asker) {
            queue.running.swap_remove(own);
        }
        while let Some(Waiting { asker, sender }) = queue.next() {
            match sender.send(Permit(Some((share.clone(), asker)))) {
                Ok(()) => queue.running.push(asker),
                // The receiver is gone. The permit must not release a slot while the lock is held.
                Err(mut refused) => refused.0 = None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use tokio::task::JoinSet;
    use tokio::time::{sleep, timeout};

    use super::{MAX_WAITING, Permit, Share};
    use crate::garden::live::asker::{Asker, Rank};

    async fn moment() {
        sleep(Duration::from_millis(1)).await;
    }

    fn asker(peer: u8, user: usize, rank: Rank) -> Asker {
        Asker::of((peer, user), rank)
    }

    fn new(peer: u8, user: usize) -> Asker {
        asker(peer, user, Rank::New)
    }

    /// Returns the permit if it is available immediately.
    async fn at_once(share: &Share, asker: &Asker) -> Option<Permit> {
        timeout(Duration::ZERO, share.permit(asker)).await.ok()?
    }

    /// Returns the order in which waiting askers get slots, by index.
    async fn order(share: &Share, first: Vec<Permit>, waiting: &[Asker]) -> Vec<usize> {
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut tasks = JoinSet::new();
        for (number, asker) in waiting.iter().copied().enumerate() {
            let (share, order) = (share.clone(), Arc::clone(&order));
            tasks.spawn(async move {
                let permit = share.permit(&asker).await;
                order.lock().unwrap().push(number);
                moment().await;
                drop(permit);
            });
            moment().await;
        }
        drop(first);
        tasks.join_all().await;
        order.lock().unwrap().clone()
    }

    #[tokio::test(start_paused = true)]
    async fn next_slot_goes_by_rank_and_then_to_the_newest() {
        let share = Share::new(1);
        let first = vec![share.permit(&new(1, 0)).await.unwrap()];
        let ranks = [Rank::New, Rank::Known, Rank::Denied, Rank::New, Rank::Returning, Rank::Known];
        let waiting: Vec<Asker> =
            ranks.iter().enumerate().map(|(user, rank)| asker(1, user, *rank)).collect();
        assert_eq!(order(&share, first, &waiting).await, [5, 1, 4, 3, 0, 2]);
        assert!(at_once(&share, &new(1, 0)).await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn next_slot_goes_to_the_peer_with_the_fewest() {
        let share = Share::new(4);
        let mut first = Vec::new();
        for (peer, user) in [(1, 0), (1, 1), (1, 2), (2, 0)] {
            first.push(share.permit(&new(peer, user)).await.unwrap());
        }
        let known = |peer| asker(peer, 9, Rank::Known);
        let waiting = [new(3, 0), known(2), known(1)];
        let one = vec![first.remove(0)];
        assert_eq!(order(&share, one, &waiting).await, [0, 1, 2]);
    }

    #[tokio::test(start_paused = true)]
    async fn quarter_of_the_slots_reserved_for_other_peers_and_known_users() {
        let share = Share::new(16);
        let mut running = Vec::new();
        for user in 0..12 {
            running.push(at_once(&share, &new(1, user)).await.unwrap());
        }
        assert!(at_once(&share, &new(1, 13)).await.is_none());
        running.push(at_once(&share, &new(2, 0)).await.unwrap());
        assert!(at_once(&share, &new(2, 1)).await.is_none());
        let known = asker(1, 14, Rank::Known);
        for _ in 0..3 {
            running.push(at_once(&share, &known).await.unwrap());
        }
        assert!(at_once(&share, &known).await.is_none());
        assert!(at_once(&share, &new(3, 0)).await.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn one_user_gets_half_of_the_slots() {
        let share = Share::new(16);
        let known = asker(1, 0, Rank::Known);
        let mut running = Vec::new();
        for _ in 0..8 {
            running.push(at_once(&share, &known).await.unwrap());
        }
        assert!(at_once(&share, &known).await.is_none());
        assert!(at_once(&share, &asker(1, 1, Rank::Known)).await.is_some());
        running.pop();
        assert!(at_once(&share, &known).await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn cancelled_request_takes_no_slot() {
        let share = Share::new(1);
        let first = share.permit(&new(1, 0)).await;
        assert!(at_once(&share, &new(1, 0)).await.is_none());
        drop(first);
        assert!(at_once(&share, &new(1, 0)).await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn queue_limit_refuses_the_oldest_of_the_largest_peer() {
        let share = Share::new(1);
        let _first = share.permit(&new(1, 0)).await;
        let mut tasks = JoinSet::new();
        let number_of = |peer: u8, user| usize::from(peer) * 1000 + user;
        let waiting =
            (0..2).map(|user| (2, user)).chain((0..MAX_WAITING - 1).map(|user| (1, user)));
        for (peer, user) in waiting {
            let (share, asker) = (share.clone(), new(peer, user));
            tasks.spawn(async move {
                let refused = share.permit(&asker).await.is_none();
                (number_of(peer, user), refused)
            });
            moment().await;
        }
        let refused = tasks.join_next().await.unwrap().unwrap();
        assert_eq!(refused, (number_of(1, 0), true));
    }
}
