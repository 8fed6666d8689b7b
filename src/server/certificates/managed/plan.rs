// SPDX-License-Identifier: Apache-2.0
use jiff::{SignedDuration, Timestamp};

use super::contents::Contents;
use super::pair::Pair;
use crate::server::clock::LIMIT;

/// The lifetimes of certificates, and the time before a new CA is used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lifetimes {
    pub leaf: SignedDuration,
    pub authority: SignedDuration,
    /// Time between the publication of a new CA and its first use; at least a second.
    ///
    /// API servers apply the bundle within milliseconds. Other replicas read the Secret several times in this period.
    pub settle: SignedDuration,
}

impl Lifetimes {
    const LONGEST_SETTLE: SignedDuration = SignedDuration::from_hours(1);

    /// Derives all lifetimes from that of the serving certificate.
    pub(crate) fn of_leaf(leaf: SignedDuration) -> Self {
        Self {
            leaf,
            // Few serving certificates reach the CA's last third, and none outlives the CA.
            authority: leaf * 4,
            settle: (leaf / 6).clamp(SignedDuration::from_secs(1), Self::LONGEST_SETTLE),
        }
    }

    /// Returns by how much `notBefore` precedes the time of issuance, because of clock skew.
    pub(super) fn backdate(lifetime: SignedDuration) -> SignedDuration {
        (lifetime / 10).min(LIMIT)
    }
}

/// The next step.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Step {
    /// Nothing is due.
    Keep,
    /// Create a CA and a serving certificate, because none is usable.
    Create,
    /// Issue a serving certificate with the current CA.
    RenewLeaf,
    /// Create a new CA, which must be trusted before its first use.
    AddAuthority,
    /// Issue a serving certificate with the new CA, which all clients trust; the old CA remains trusted.
    UseNextAuthority,
}

/// Returns the next step.
///
/// `published` is how long the webhook configurations have had the bundle of these contents, if they have it.
pub(super) fn step(
    contents: &Contents,
    names: &[String],
    published: Option<SignedDuration>,
    lifetimes: Lifetimes,
    now: Timestamp,
) -> Step {
    let authority =
        contents.authority.as_ref().filter(|authority| !authority.validity.is_over(now));
    let signs = authority.is_some_and(Pair::can_sign);
    let leaf = contents.leaf.as_ref();
    let serves = leaf.is_some_and(|leaf| !leaf.validity.is_over(now));
    // Waiting has no advantage if no valid certificate exists in the meantime.
    let urgent = authority.is_none() || (!serves && !signs);
    let has_settled = published.is_some_and(|time| time >= lifetimes.settle);
    if contents.next.is_some() && (has_settled || urgent) {
        return Step::UseNextAuthority;
    }
    let Some(authority) = authority.filter(|_| !urgent) else {
        return Step::Create;
    };
    if contents.next.is_none() && (authority.validity.is_due(now) || !signs) {
        return Step::AddAuthority;
    }
    match leaf {
        // A CA without its key cannot sign another certificate.
        Some(leaf) if !signs || is_as_it_should_be(leaf, authority, names, now) => Step::Keep,
        _ => Step::RenewLeaf,
    }
}

fn is_as_it_should_be(leaf: &Pair, authority: &Pair, names: &[String], now: Timestamp) -> bool {
    // A certificate that expires with its CA cannot be improved before the next CA is used.
    let capped = leaf.validity.not_after >= authority.validity.not_after;
    let due = leaf.validity.is_due(now) && !capped;
    !due && leaf.names == names
}
