// SPDX-License-Identifier: Apache-2.0
//! The connections of a port.
//!
//! At the limit, a connection of an address with more than its share is evicted for a new one, preferably an idle one.
//! The share is the limit divided by the number of addresses, so that clients with many addresses gain little.

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

/// All connections of a port.
#[derive(Debug)]
pub(crate) struct Connections {
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
pub(crate) struct ConnectionGuard {
    connections: Arc<Connections>,
    /// The network of the client.
    pub(crate) peer: IpAddr,
    id: u64,
    pub(crate) activity: Arc<Activity>,
}

impl Connections {
    /// Allows `limit` connections, with metrics for open and evicted ones.
    pub(crate) fn new(limit: usize, count: Gauge, evicted: Counter) -> Arc<Self> {
        Arc::new(Self {
            limit: limit.max(1),
            open: Mutex::default(),
            emptied: Notify::new(),
            count,
            evicted,
        })
    }

    /// Returns a slot for a new connection; `None` if all are in use and none can be evicted.
    pub(crate) fn admit(self: &Arc<Self>, peer: IpAddr) -> Option<ConnectionGuard> {
        let activity = Activity::new();
        let mut open = self.lock();
        if open.count >= self.limit {
            self.evicted.inc();
            let (peer, id) = open.victim(peer, self.limit)?;
            if let Some(activity) = open.remove(peer, id) {
                activity.end();
            }
        }
        let id = open.add(peer, &activity);
        self.count(&open);
        Some(ConnectionGuard { connections: Arc::clone(self), peer, id, activity })
    }

    /// Returns the number of connections of a network.
    pub(crate) fn number_of(&self, peer: IpAddr) -> usize {
        self.lock().of.get(&peer).map_or(0, BTreeMap::len)
    }

    /// Returns once all connections have ended.
    pub(crate) async fn drained(&self) {
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
        self.count.set(i64::try_from(open.count).unwrap_or(i64::MAX));
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
        let activities = self.of.entry(peer).or_default();
        activities.insert(id, Arc::clone(activity));
        id
    }

    fn remove(&mut self, peer: IpAddr, id: u64) -> Option<Arc<Activity>> {
        let activities = self.of.get_mut(&peer)?;
        let activity = activities.remove(&id)?;
        if activities.is_empty() {
            self.of.remove(&peer);
        }
        self.count -= 1;
        Some(activity)
    }

    /// Returns the connection to evict for a new one of `newcomer`, if any.
    ///
    /// Addresses may lose a connection if they have more than their share of `limit`, and more than `newcomer` will have.
    /// The largest of them loses an idle connection. Otherwise `newcomer` loses an idle one if it exceeds its share.
    /// Otherwise the largest address loses the oldest connection, although it is busy.
    fn victim(&self, newcomer: IpAddr, limit: usize) -> Option<(IpAddr, u64)> {
        let now = Instant::now();
        let own = self.of.get(&newcomer);
        let share = limit / (self.of.len() + usize::from(own.is_none()));
        // The first connection of an address may replace the only one of another.
        let fewest = own.map_or(1, |own| own.len() + 2);
        let activities = self.of.iter().map(|(peer, activities)| (*peer, activities));
        let mut larger: Vec<_> = activities
            .filter(|(_, activities)| activities.len() > share && activities.len() >= fewest)
            .collect();
        larger.sort_by_key(|(_, activities)| Reverse(activities.len()));
        let mut equals = larger.chunk_by(|(_, a), (_, b)| a.len() == b.len());
        let own = own
            .filter(|own| own.len() >= share)
            .and_then(|own| longest_idle([(newcomer, own)], now));
        let busy = equals
            .clone()
            .next()
            .into_iter()
            .flatten()
            .filter_map(|(peer, activities)| Some((*peer, *activities.first_key_value()?.0)));
        let idle = equals.find_map(|peers| longest_idle(peers.iter().copied(), now));
        idle.or(own).or_else(|| busy.min_by_key(|(_, id)| *id))
    }
}

/// Returns the connection that [`longest_idle_of`] finds, of the address whose one is idle for the longest time.
fn longest_idle<'a>(
    peers: impl IntoIterator<Item = (IpAddr, &'a BTreeMap<u64, Arc<Activity>>)>,
    now: Instant,
) -> Option<(IpAddr, u64)> {
    let longest = peers.into_iter().filter_map(|(peer, activities)| {
        let ((_, idle), id) = longest_idle_of(activities, now)?;
        Some((idle, (peer, id)))
    });
    longest.max().map(|(_, victim)| victim)
}

/// Returns the longest-idle connection of an address, preferably one without any request so far.
fn longest_idle_of(
    activities: &BTreeMap<u64, Arc<Activity>>,
    now: Instant,
) -> Option<((bool, Duration), u64)> {
    let idle = |(id, activity): (&u64, &Arc<Activity>)| Some((activity.idle(now)?, *id));
    // The oldest one without requests is the longest-idle one, so that the search can stop.
    let fresh = activities.iter().filter_map(idle).find(|((fresh, _), _)| *fresh);
    fresh.or_else(|| activities.iter().filter_map(idle).max())
}

impl Drop for ConnectionGuard {
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
mod tests;
