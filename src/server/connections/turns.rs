// SPDX-License-Identifier: Apache-2.0
//! Order in which accepted connections start.

use std::collections::{BTreeMap, VecDeque};
use std::net::IpAddr;

use tokio::sync::oneshot::{self, Receiver, Sender};

/// Accepted connections that wait for their start, by client network.
///
/// A handshake takes far more time than accepting a connection. Every other start is for the network with the fewest
/// connections, so that a client is not delayed by others that open hundreds at once. The rest is for the oldest
/// connection, so that a client is not delayed by many others with few connections.
#[derive(Debug, Default)]
pub(super) struct Turns {
    waiting: BTreeMap<IpAddr, VecDeque<Waiting>>,
    next_id: u64,
}

#[derive(Debug)]
struct Waiting {
    /// The position in the order of arrival.
    id: u64,
    sender: Sender<()>,
}

impl Turns {
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Adds a connection of `peer`.
    ///
    /// The receiver returns at its start, or with an error if the port accepts no more connections.
    pub(super) fn wait(&mut self, peer: IpAddr) -> Receiver<()> {
        let (sender, receiver) = oneshot::channel();
        let id = self.next_id;
        self.next_id += 1;
        let waiting = self.waiting.entry(peer).or_default();
        waiting.push_back(Waiting { id, sender });
        receiver
    }

    /// Starts a connection of the network with the fewest connections, in which `connections_of` counts all.
    pub(super) fn start_fewest(&mut self, connections_of: impl Fn(IpAddr) -> usize) {
        self.start_first(connections_of);
    }

    /// Starts the oldest connection.
    pub(super) fn start_oldest(&mut self) {
        self.start_first(|_| 0);
    }

    /// Starts the oldest connection of the network with the lowest rank.
    fn start_first(&mut self, rank: impl Fn(IpAddr) -> usize) {
        loop {
            self.remove_ended();
            let fronts = self.waiting.iter_mut().filter_map(|(peer, waiting)| {
                let rank = (rank(*peer), waiting.front()?.id);
                Some((rank, waiting))
            });
            let Some(first) =
                fronts.min_by_key(|(rank, _)| *rank).and_then(|(_, waiting)| waiting.pop_front())
            else {
                return;
            };
            // It fails if the connection has just been evicted.
            if first.sender.send(()).is_ok() {
                return;
            }
        }
    }

    /// Removes evicted connections before the first other one of each network.
    fn remove_ended(&mut self) {
        self.waiting.retain(|_, waiting| {
            while waiting.front().is_some_and(|it| it.sender.is_closed()) {
                waiting.pop_front();
            }
            !waiting.is_empty()
        });
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use rstest::rstest;
    use tokio::sync::oneshot::Receiver;

    use super::Turns;

    fn peer(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    fn has_started(turn: &mut Receiver<()>) -> bool {
        turn.try_recv().is_ok()
    }

    #[rstest]
    #[case(2)]
    #[case(50)]
    fn new_client_starts_before_networks_with_more_connections(#[case] networks: u8) {
        let mut turns = Turns::default();
        let all = (0..100).flat_map(|_| 1..=networks);
        let _floods: Vec<_> = all.map(|last| turns.wait(peer(last))).collect();
        for _ in 0..20 {
            turns.start_oldest();
            let mut new = turns.wait(peer(0));
            turns.start_fewest(|it| if it == peer(0) { 20 } else { 100 });
            assert!(has_started(&mut new));
        }
    }

    #[test]
    fn new_client_starts_in_order_among_networks_with_fewer_connections() {
        let mut turns = Turns::default();
        let mut others: Vec<_> = (1..=50).map(|last| turns.wait(peer(last))).collect();
        let mut new = turns.wait(peer(0));
        for last in 1..=25 {
            turns.start_fewest(|it| usize::from(it == peer(0)));
            turns.start_oldest();
            // They connect again.
            others.push(turns.wait(peer(last)));
        }
        assert!(!has_started(&mut new));
        turns.start_oldest();
        assert!(has_started(&mut new));
    }

    #[test]
    fn evicted_connections_are_skipped() {
        let mut turns = Turns::default();
        let mut waiting: Vec<_> = (0..4).map(|_| turns.wait(peer(1))).collect();
        drop(waiting.remove(0));
        turns.start_oldest();
        let started: Vec<bool> = waiting.iter_mut().map(has_started).collect();
        assert_eq!(started, [true, false, false]);
        waiting.clear();
        turns.start_oldest();
        assert!(turns.is_empty());
    }
}
