// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use proptest::prelude::*;
use rstest::rstest;
use tokio::time::{advance, timeout};

use super::{ConnectionGuard, Connections};
use crate::server::connections::activity::Answering;

fn connections(limit: usize) -> Arc<Connections> {
    Connections::new(limit, Gauge::default(), Counter::default())
}

fn peer(last: u8) -> IpAddr {
    IpAddr::from([10, 0, 0, last])
}

async fn admit(connections: &Arc<Connections>, last: u8) -> ConnectionGuard {
    // Each connection is idle for a shorter time than the previous ones.
    advance(Duration::from_millis(1)).await;
    connections.admit(peer(last)).unwrap()
}

async fn has_ended(guard: &ConnectionGuard) -> bool {
    timeout(Duration::from_millis(1), guard.activity.ended()).await.is_ok()
}

#[tokio::test(start_paused = true)]
async fn the_longest_idle_connection_of_the_address_with_most_gives_way() {
    let connections = connections(4);
    let kept = admit(&connections, 1).await;
    let neighbours =
        [admit(&connections, 2).await, admit(&connections, 2).await, admit(&connections, 2).await];
    let new = admit(&connections, 3).await;
    assert!(has_ended(&neighbours[0]).await);
    for guard in [&kept, &neighbours[1], &neighbours[2], &new] {
        assert!(!has_ended(guard).await);
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
        let guard = admit(&connections, 1).await;
        let answering = guard.activity.begin();
        busy.push((guard, answering));
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
    let guard = connections.admit(peer(1)).unwrap();
    let drained = tokio::spawn({
        let connections = Arc::clone(&connections);
        async move { connections.drained().await }
    });
    tokio::task::yield_now().await;
    assert!(!drained.is_finished());
    drop(guard);
    drained.await.unwrap();
}

/// A client with a connection.
struct Client {
    guard: ConnectionGuard,
    /// A request, and whether it is answered; the client has not read the response.
    request: Option<(Answering, bool)>,
}

impl Client {
    fn is_open(&self) -> bool {
        let open = self.guard.connections.lock();
        let activities = open.of.get(&self.guard.peer);
        activities.is_some_and(|activities| activities.contains_key(&self.guard.id))
    }
}

/// Opens a connection with a request whose response is not read.
fn open_unread(connections: &Arc<Connections>, last: u8) -> Option<Client> {
    let guard = connections.admit(peer(last))?;
    guard.activity.greeted(true);
    let request = guard.activity.begin();
    request.answered(1000);
    let request = Some((request, true));
    Some(Client { guard, request })
}

#[rstest]
#[case::https_port_two(1170, 2, 20)]
#[case::https_port_five(1170, 5, 20)]
#[case::https_port_eight(1170, 8, 20)]
#[case::https_port_twenty(1170, 20, 20)]
#[case::https_port_fifty(1170, 50, 20)]
#[case::other_port_one(100, 1, 10)]
#[case::other_port_two(100, 2, 10)]
#[case::other_port_five(100, 5, 10)]
#[case::other_port_ten(100, 10, 4)]
#[case::other_port_fifty(100, 50, 1)]
#[case::more_addresses_than_connections(100, 200, 0)]
fn few_connections_kept_despite_attack_by_many_addresses(
    #[case] limit: usize,
    #[case] attackers: u8,
    #[case] kept: usize,
) {
    let connections = connections(limit);
    let kept: Vec<_> = (0..kept)
        .map(|_| {
            let guard = connections.admit(peer(0)).unwrap();
            guard.activity.greeted(true);
            drop(guard.activity.begin());
            let request = None;
            Client { guard, request }
        })
        .collect();
    let (mut unread, mut new) = (Vec::new(), None);
    for turn in 0..limit * 4 {
        let attacker = 1 + u8::try_from(turn % usize::from(attackers)).unwrap();
        unread.extend(open_unread(&connections, attacker));
        // A new client, which has a few turns for its handshake and its request.
        if turn % 5 == 0 {
            assert!(new.as_ref().is_none_or(Client::is_open), "{turn}");
            drop(new.take());
            new = Some(Client { guard: connections.admit(peer(0)).unwrap(), request: None });
        }
    }
    assert!(kept.iter().all(Client::is_open));
    assert!(connections.evicted.get() > limit as u64);
}

#[derive(Clone, Debug)]
enum Step {
    Open(u8),
    /// Begins a request on a connection.
    Begin(usize),
    /// Answers the request, which the client does not read yet.
    Answer(usize),
    Read(usize),
    Close(usize),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0..8_u8).prop_map(Step::Open),
        4 => any::<usize>().prop_map(Step::Begin),
        2 => any::<usize>().prop_map(Step::Answer),
        1 => any::<usize>().prop_map(Step::Read),
        1 => any::<usize>().prop_map(Step::Close),
    ]
}

/// The connections of each address, and whether each is busy.
type ConnectionsByPeer = BTreeMap<IpAddr, BTreeMap<u64, bool>>;

fn seen(clients: &[Client]) -> ConnectionsByPeer {
    let mut seen = ConnectionsByPeer::new();
    for Client { guard, request } in clients.iter().filter(|it| it.is_open()) {
        let is_busy = matches!(request, Some((_, false)));
        seen.entry(guard.peer).or_default().insert(guard.id, is_busy);
    }
    seen
}

/// Checks the eviction for a new connection of an address, if there was one.
fn check(
    limit: usize,
    newcomer: IpAddr,
    is_admitted: bool,
    [before, after]: [&ConnectionsByPeer; 2],
) {
    let of = |peer: &IpAddr| before.get(peer).map_or(0, BTreeMap::len);
    let share = limit / (before.len() + usize::from(of(&newcomer) == 0));
    let own = of(&newcomer) + 1;
    let may_lose = |peer: &IpAddr| {
        if *peer == newcomer {
            own > share
        } else {
            of(peer) > share && (of(peer) > own || own == 1)
        }
    };
    let is_left = |peer, id| after.get(peer).is_some_and(|it| it.contains_key(id));
    let all =
        before.iter().flat_map(|(peer, activities)| activities.iter().map(move |it| (peer, it)));
    let evicted: Vec<_> = all.clone().filter(|(peer, (id, _))| !is_left(peer, id)).collect();
    let is_full = before.values().map(BTreeMap::len).sum::<usize>() == limit;
    assert_eq!(evicted.len(), usize::from(is_full && is_admitted));
    assert!(is_admitted || (is_full && own > share));
    for (peer, (_, busy)) in &evicted {
        assert!(may_lose(peer));
        let has_idle = all.clone().any(|(peer, (_, busy))| may_lose(peer) && !busy);
        assert!(!**busy || (!has_idle && **peer != newcomer));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn eviction_spares_small_addresses_and_busy_connections(
        limit in 1..16_usize,
        steps in prop::collection::vec(step(), 1..200),
    ) {
        let connections = connections(limit);
        let mut clients: Vec<Client> = Vec::new();
        for step in steps {
            let number = clients.len().max(1);
            match step {
                Step::Open(last) => {
                    let before = seen(&clients);
                    let guard = connections.admit(peer(last));
                    let is_admitted = guard.is_some();
                    check(limit, peer(last), is_admitted, [&before, &seen(&clients)]);
                    clients.extend(guard.map(|guard| Client { guard, request: None }));
                }
                Step::Begin(index) => if let Some(client) = clients.get_mut(index % number) {
                    let activity = &client.guard.activity;
                    client.request.get_or_insert_with(|| (activity.begin(), false));
                },
                Step::Answer(index) => if let Some(client) = clients.get_mut(index % number)
                    && let Some((request, answered @ false)) = &mut client.request
                {
                    request.answered(1000);
                    *answered = true;
                },
                Step::Read(index) => if let Some(client) = clients.get_mut(index % number) {
                    client.request = None;
                },
                Step::Close(index) => if index % number < clients.len() {
                    clients.swap_remove(index % number);
                },
            }
        }
    }
}
