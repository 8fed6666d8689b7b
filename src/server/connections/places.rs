//! The connections of a port.
//! At the limit, an idle connection is evicted for a new one.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::activity::Activity;

/// Divisor: busy connections of peers with at most this fraction of all connections are never evicted.
const SHARE: usize = 4;

/// All connections of a port.
#[derive(Debug)]
pub(in crate::server) struct Connections {
    limit: usize,
    open: Mutex<Open>,
    emptied: Notify,
    count: Gauge,
    evicted: Counter,
}

#[derive(Debug, Default)]
struct Open {
    next: u64,
    count: usize,
    /// The connections of each address, oldest first.
    of: BTreeMap<IpAddr, BTreeMap<u64, Arc<Activity>>>,
}

/// A connection slot, which is released on drop.
#[derive(Debug)]
pub(in crate::server) struct Place {
    connections: Arc<Connections>,
    /// The network of the client.
    pub(in crate::server) peer: IpAddr,
    id: u64,
    pub(in crate::server) activity: Arc<Activity>,
}

impl Connections {
    /// Allows `limit` connections, with metrics for open and evicted ones.
    pub(in crate::server) fn new(limit: usize, count: Gauge, evicted: Counter) -> Arc<Self> {
        Arc::new(Self {
            limit: limit.max(1),
            open: Mutex::default(),
            emptied: Notify::new(),
            count,
            evicted,
        })
    }

    /// Returns a slot for a new connection; `None` if all are in use and none can be evicted.
    pub(in crate::server) fn admit(self: &Arc<Self>, peer: IpAddr) -> Option<Place> {
        let activity = Activity::new();
        let mut open = self.lock();
        if open.count >= self.limit {
            self.evicted.inc();
            let (peer, id) = open.victim(peer, self.limit / SHARE)?;
            if let Some(activity) = open.remove(peer, id) {
                activity.end();
            }
        }
        let id = open.add(peer, &activity);
        self.count(&open);
        Some(Place {
            connections: Arc::clone(self),
            peer,
            id,
            activity,
        })
    }

    /// Returns once all connections have ended.
    pub(in crate::server) async fn drained(&self) {
        loop {
            // Created before the check, so that no notification is missed.
            let emptied = self.emptied.notified();
            if self.lock().count == 0 {
                return;
            }
            emptied.await;
        }
    }

    fn count(&self, open: &Open) {
        self.count
            .set(i64::try_from(open.count).unwrap_or(i64::MAX));
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    fn add(&mut self, peer: IpAddr, activity: &Arc<Activity>) -> u64 {
        let id = self.next;
        self.next += 1;
        self.count += 1;
        let places = self.of.entry(peer).or_default();
        places.insert(id, Arc::clone(activity));
        id
    }

    fn remove(&mut self, peer: IpAddr, id: u64) -> Option<Arc<Activity>> {
        let places = self.of.get_mut(&peer)?;
        let activity = places.remove(&id)?;
        if places.is_empty() {
            self.of.remove(&peer);
        }
        self.count -= 1;
        Some(activity)
    }

    /// Returns the connection to evict for a new one of `newcomer`.
    ///
    /// The address with the most connections loses one without any request so far, or else the longest-idle one.
    /// A busy connection is evicted only if its address exceeds its share and the newcomer's number.
    fn victim(&self, newcomer: IpAddr, share: usize) -> Option<(IpAddr, u64)> {
        let now = Instant::now();
        let own = self.of.get(&newcomer).map_or(0, BTreeMap::len) + 1;
        let mut peers: Vec<_> = self.of.iter().collect();
        peers.sort_by_key(|(_, places)| Reverse(places.len()));
        let equals = peers.chunk_by(|(_, a), (_, b)| a.len() == b.len());
        let mut victims = equals.map(|peers| {
            let idle = peers.iter().filter_map(|(peer, places)| {
                let (rank, id) = longest_idle(places, now)?;
                Some((rank, (**peer, id)))
            });
            let busy = peers.iter().filter_map(|(peer, places)| {
                let too_many = places.len() > share && places.len() > own;
                let (id, _) = places.first_key_value().filter(|_| too_many)?;
                Some((**peer, *id))
            });
            let idle = idle.max().map(|(_, victim)| victim);
            idle.or_else(|| busy.min_by_key(|(_, id)| *id))
        });
        victims.find_map(|victim| victim)
    }
}

/// Returns the longest-idle connection, preferably one without any request so far.
fn longest_idle(
    places: &BTreeMap<u64, Arc<Activity>>,
    now: Instant,
) -> Option<((bool, Duration), u64)> {
    let idle = |(id, activity): (&u64, &Arc<Activity>)| Some((activity.idle(now)?, *id));
    // The oldest one without requests is the longest-idle one, so that the search can stop.
    let fresh = places
        .iter()
        .filter_map(idle)
        .find(|((fresh, _), _)| *fresh);
    fresh.or_else(|| places.iter().filter_map(idle).max())
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.connections.lock();
        // The connection may already be evicted.
        open.remove(self.peer, self.id);
        self.connections.count(&open);
        if open.count == 0 {
            self.connections.emptied.notify_waiters();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;
    use std::sync::Arc;
    use std::time::Duration;

    use prometheus_client::metrics::counter::Counter;
    use prometheus_client::metrics::gauge::Gauge;
    use tokio::time::{advance, timeout};

    use super::{Connections, Place};

    fn connections(limit: usize) -> Arc<Connections> {
        Connections::new(limit, Gauge::default(), Counter::default())
    }

    fn peer(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    async fn admit(connections: &Arc<Connections>, last: u8) -> Place {
        // Each connection is idle for a shorter time than the previous ones.
        advance(Duration::from_millis(1)).await;
        connections.admit(peer(last)).unwrap()
    }

    async fn has_ended(place: &Place) -> bool {
        timeout(Duration::from_millis(1), place.activity.ended())
            .await
            .is_ok()
    }

    #[tokio::test(start_paused = true)]
    async fn the_longest_idle_connection_of_the_address_with_most_gives_way() {
        let connections = connections(4);
        let kept = admit(&connections, 1).await;
        let neighbours = [
            admit(&connections, 2).await,
            admit(&connections, 2).await,
            admit(&connections, 2).await,
        ];
        let new = admit(&connections, 3).await;
        assert!(has_ended(&neighbours[0]).await);
        for place in [&kept, &neighbours[1], &neighbours[2], &new] {
            assert!(!has_ended(place).await);
        }
        assert_eq!(connections.evicted.get(), 1);
        assert_eq!(connections.count.get(), 4);
        drop(neighbours);
        assert_eq!(connections.count.get(), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn who_has_sent_a_request_stays_longer_than_who_has_not() {
        let connections = connections(2);
        let used = admit(&connections, 1).await;
        used.activity.greeted(false);
        drop(used.activity.begin());
        let silent = admit(&connections, 1).await;
        let _new = admit(&connections, 1).await;
        assert!(has_ended(&silent).await);
        assert!(!has_ended(&used).await);
    }

    #[tokio::test(start_paused = true)]
    async fn a_busy_connection_gives_way_only_if_its_address_has_too_many() {
        let connections = connections(4);
        let mut busy = Vec::new();
        for _ in 0..4 {
            let place = admit(&connections, 1).await;
            let answering = place.activity.begin();
            busy.push((place, answering));
        }
        assert!(connections.admit(peer(1)).is_none());
        let new = admit(&connections, 2).await;
        assert!(has_ended(&busy[0].0).await);
        assert!(!has_ended(&new).await);
    }

    #[tokio::test]
    async fn drained_once_the_last_is_gone() {
        let connections = connections(2);
        connections.drained().await;
        let place = connections.admit(peer(1)).unwrap();
        let drained = tokio::spawn({
            let connections = Arc::clone(&connections);
            async move { connections.drained().await }
        });
        tokio::task::yield_now().await;
        assert!(!drained.is_finished());
        drop(place);
        drained.await.unwrap();
    }
}
