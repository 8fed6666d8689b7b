use jiff::{SignedDuration, Timestamp};

use super::contents::Contents;
use super::pair::{CLOCKS_DIFFER, Pair};

/// How long certificates live, and how long everybody has to learn of a new CA.
#[derive(Clone, Copy, Debug)]
pub(in crate::server) struct Lifetimes {
    pub leaf: SignedDuration,
    pub authority: SignedDuration,
    /// From the moment when a new CA is in the bundle to its first use: API servers see the bundle after milliseconds, and
    /// other replicas have looked at the Secret several times.
    pub settle: SignedDuration,
}

impl Lifetimes {
    const LONGEST_SETTLE: SignedDuration = SignedDuration::from_hours(1);

    /// All of them, in proportion to the serving certificate's.
    pub(in crate::server) fn of_leaf(leaf: SignedDuration) -> Self {
        Self {
            leaf,
            // So that few serving certificates outlive the CA's last third, and none the CA.
            authority: leaf * 4,
            settle: (leaf / 6).min(Self::LONGEST_SETTLE),
        }
    }

    /// Certificates are valid from this long before they are made, because clocks differ.
    pub(super) fn backdate(lifetime: SignedDuration) -> SignedDuration {
        (lifetime / 10).min(CLOCKS_DIFFER)
    }
}

/// What is due.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Step {
    /// Nothing.
    Keep,
    /// A CA and a serving certificate, because there is none that can be used.
    Create,
    /// A serving certificate of the present CA.
    RenewLeaf,
    /// A new CA, to be trusted before it is used.
    AddAuthority,
    /// A serving certificate of the new CA, which everybody trusts by now; the old CA stays trusted.
    UseNextAuthority,
}

/// Decides what is due. `published` says that our webhook configurations have the bundle of these very contents.
pub(super) fn step(
    contents: &Contents,
    names: &[String],
    published: bool,
    lifetimes: Lifetimes,
    now: Timestamp,
) -> Step {
    let authority = contents.authority.as_ref();
    let authority = authority.filter(|authority| !authority.validity.is_over(now));
    let signs = authority.is_some_and(Pair::can_sign);
    let leaf = contents.leaf.as_ref();
    let serves = leaf.is_some_and(|leaf| !leaf.validity.is_over(now));
    // Waiting makes nothing better when there is nothing to serve with in the meantime.
    let urgent = authority.is_none() || (!serves && !signs);
    if let Some(next) = &contents.next {
        let settled = has_settled(next, lifetimes, now);
        if (published && settled) || urgent {
            return Step::UseNextAuthority;
        }
    }
    let Some(authority) = authority.filter(|_| !urgent) else {
        return Step::Create;
    };
    if contents.next.is_none() && (authority.validity.is_due(now) || !signs) {
        return Step::AddAuthority;
    }
    match leaf {
        // A CA without its key has signed its last one.
        Some(leaf) if !signs || is_as_it_should_be(leaf, authority, names, now) => Step::Keep,
        _ => Step::RenewLeaf,
    }
}

fn has_settled(next: &Pair, lifetimes: Lifetimes, now: Timestamp) -> bool {
    let since = next.validity.not_before + Lifetimes::backdate(lifetimes.authority).as_secs();
    now.as_second() >= since + lifetimes.settle.as_secs().max(1)
}

fn is_as_it_should_be(leaf: &Pair, authority: &Pair, names: &[String], now: Timestamp) -> bool {
    // One that expires with its CA cannot be made any better before the next CA is used.
    let capped = leaf.validity.not_after >= authority.validity.not_after;
    let due = leaf.validity.is_due(now) && !capped;
    !due && leaf.names == names
}
