use jiff::{SignedDuration, Timestamp};

use super::contents::Contents;

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
        (lifetime / 10).min(SignedDuration::from_mins(5))
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
    contents: Option<&Contents>,
    names: &[String],
    published: bool,
    lifetimes: Lifetimes,
    now: Timestamp,
) -> Step {
    let Some(contents) = contents else {
        return Step::Create;
    };
    let authority = contents.authority.validity;
    if let Some(next) = &contents.next {
        let since = next.validity.not_before + Lifetimes::backdate(lifetimes.authority).as_secs();
        let settled = now.as_second() >= since + lifetimes.settle.as_secs().max(1);
        if (published && settled) || authority.is_over(now) {
            return Step::UseNextAuthority;
        }
    }
    if authority.is_over(now) {
        return Step::Create;
    }
    if authority.is_due(now) && contents.next.is_none() {
        return Step::AddAuthority;
    }
    // One that expires with its CA cannot be made any better before the next CA is used.
    let capped = contents.leaf.validity.not_after >= authority.not_after;
    let due = contents.leaf.validity.is_due(now) && !capped;
    if due || contents.leaf.names != names {
        return Step::RenewLeaf;
    }
    Step::Keep
}
