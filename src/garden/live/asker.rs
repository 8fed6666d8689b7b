// SPDX-License-Identifier: Apache-2.0
//! The origin of a question to the API server, and its priority.

use std::net::{IpAddr, Ipv6Addr};
use std::time::Duration;

use quick_cache::sync::Cache;
use ring::digest::{Context, SHA256};
use tokio::time::Instant;

use garden_gate_model::api::UserInfo;

/// Maximum number of remembered users who were allowed something.
const MAX_KNOWN: usize = 1024;
/// Maximum number of other remembered users.
const MAX_SEEN: usize = 4096;
/// Time since the first question of a user after which the next one has a higher rank.
const RETURNING: Duration = Duration::from_secs(1);
/// The time for which a denied question lowers the rank of a user.
const DENIED: Duration = Duration::from_mins(1);

/// Cache key: the SHA-256 digest of a question, without the asker.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub(super) struct Key([u8; 32]);

impl Key {
    /// Returns the key of a question that consists of these parts.
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

/// The client and the user that cause a question.
/// The API server's capacity is shared fairly between them.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Asker {
    /// The [`client_network`] of the client.
    pub(super) peer: Option<IpAddr>,
    pub(super) user: Key,
    pub(super) rank: Rank,
}

/// Priority of a user among the users of a peer, lowest first.
/// A peer may invent users.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Rank {
    /// Was denied something within the last minute and never allowed anything.
    Denied,
    /// Asks for the first time.
    New,
    /// Has asked before, without a result.
    Returning,
    /// Was allowed something, which an invented user never is.
    Known,
}

/// Users who have asked before; the least recently used are evicted.
#[derive(Debug)]
pub(super) struct Users {
    known: Cache<Key, ()>,
    seen: Cache<Key, UserActivity>,
}

#[derive(Clone, Copy, Debug)]
struct UserActivity {
    since: Instant,
    denied: Option<Instant>,
}

impl Default for Users {
    fn default() -> Self {
        Self { known: Cache::new(MAX_KNOWN), seen: Cache::new(MAX_SEEN) }
    }
}

impl Users {
    /// Returns the asker for a request of `user` from `peer`; `None` is this process.
    pub(super) fn asker(&self, peer: Option<IpAddr>, user: &UserInfo) -> Asker {
        self.asker_of(peer, user_key(user))
    }

    /// Returns the asker for a request from `peer` of a user with this key.
    pub(super) fn asker_of(&self, peer: Option<IpAddr>, user: Key) -> Asker {
        Asker { peer: peer.map(client_network), user, rank: self.rank(user) }
    }
}

impl Users {
    fn rank(&self, user: Key) -> Rank {
        if self.known.get(&user).is_some() {
            return Rank::Known;
        }
        let now = Instant::now();
        let Some(seen) = self.seen.get(&user) else {
            let seen = UserActivity { since: now, denied: None };
            self.seen.insert(user, seen);
            return Rank::New;
        };
        let is_within = |start: Instant, period| now.duration_since(start) < period;
        if seen.denied.is_some_and(|at| is_within(at, DENIED)) {
            Rank::Denied
        } else if is_within(seen.since, RETURNING) {
            Rank::New
        } else {
            Rank::Returning
        }
    }

    /// Records a result of the API server about a user.
    pub(super) fn answered(&self, asker: &Asker, answer: &Result<bool, String>) {
        let (user, now) = (asker.user, Instant::now());
        match answer {
            Ok(true) => self.known.insert(user, ()),
            Ok(false) => {
                let since = self.seen.get(&user).map_or(now, |seen| seen.since);
                let denied = Some(now);
                self.seen.insert(user, UserActivity { since, denied });
            }
            Err(_) => {}
        }
    }
}

fn user_key(user: &UserInfo) -> Key {
    let name = [&user.username, &user.uid];
    let parts: Vec<&[u8]> = name.into_iter().chain(&user.groups).map(String::as_bytes).collect();
    Key::of(&parts)
}

impl Asker {
    /// Returns the asker for requests of a client whose users do not matter.
    pub(crate) fn of_peer(peer: Option<IpAddr>) -> Self {
        Self { peer: peer.map(client_network), user: Key([0; 32]), rank: Rank::New }
    }
}

/// Returns the network that counts as one client: the IPv4 address, or the /64 of the IPv6 address.
///
/// One host can use all addresses of a /64. An IPv4-mapped IPv6 address is an IPv4 address.
pub(crate) fn client_network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into()
        }
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
impl Asker {
    /// Returns an asker for tests of other modules.
    pub(super) fn of((peer, user): (u8, usize), rank: Rank) -> Self {
        Self {
            peer: Some(IpAddr::from([127, 0, 0, peer])),
            user: Key::of(&[&user.to_le_bytes()]),
            rank,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use rstest::rstest;
    use tokio::time::advance;

    use super::{Asker, DENIED, RETURNING, Rank, Users, client_network};

    #[rstest]
    #[case("10.0.0.1", "10.0.0.1")]
    #[case("::ffff:10.0.0.1", "10.0.0.1")]
    #[case("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::")]
    #[case("fe80::1", "fe80::")]
    fn client_network_is_an_address_or_a_prefix(#[case] address: IpAddr, #[case] expected: IpAddr) {
        assert_eq!(client_network(address), expected);
        assert_eq!(client_network(expected), expected);
    }

    #[tokio::test(start_paused = true)]
    async fn rank_follows_from_earlier_answers() {
        let users = Users::default();
        let asker = Asker::of((1, 1), Rank::New);
        let rank = || users.rank(asker.user);
        assert_eq!([rank(), rank()], [Rank::New; 2]);
        advance(RETURNING).await;
        assert_eq!(rank(), Rank::Returning);
        users.answered(&asker, &Err(String::new()));
        assert_eq!(rank(), Rank::Returning);
        users.answered(&asker, &Ok(false));
        assert_eq!(rank(), Rank::Denied);
        advance(DENIED).await;
        assert_eq!(rank(), Rank::Returning);
        users.answered(&asker, &Ok(true));
        users.answered(&asker, &Ok(false));
        assert_eq!(rank(), Rank::Known);
    }
}
