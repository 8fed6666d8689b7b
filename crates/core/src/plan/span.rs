// SPDX-License-Identifier: Apache-2.0
//! Durations at best, typically, and at worst.

use std::time::Duration;

/// A duration at best, typically, and at worst.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Span {
    /// The shortest duration.
    pub best: Duration,
    /// The usual duration.
    pub typical: Duration,
    /// The longest duration, if no machine fails.
    pub worst: Duration,
}

impl Span {
    /// Returns a span that is at most as long as `worst`.
    pub fn within(best: Duration, typical: Duration, worst: Duration) -> Self {
        let typical = typical.min(worst);
        Self { best: best.min(typical), typical, worst }
    }

    /// Combines two spans value by value.
    pub fn zip(self, other: Self, with: impl Fn(Duration, Duration) -> Duration) -> Self {
        Self {
            best: with(self.best, other.best),
            typical: with(self.typical, other.typical),
            worst: with(self.worst, other.worst),
        }
    }

    /// Returns the duration of two steps, one after the other.
    pub fn then(self, next: Self) -> Self {
        self.zip(next, Duration::saturating_add)
    }

    /// Returns the duration of two steps at the same time.
    pub fn beside(self, other: Self) -> Self {
        self.zip(other, Duration::max)
    }

    /// Returns a span that covers both.
    pub fn or(self, other: Self) -> Self {
        Self {
            best: self.best.min(other.best),
            typical: self.typical.max(other.typical),
            worst: self.worst.max(other.worst),
        }
    }
}

/// A number of machines or waves that is known, or known to be in a range.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Bounds {
    /// The lowest number.
    pub least: u32,
    /// The highest number.
    pub most: u32,
}

impl Bounds {
    /// Returns a known number.
    pub fn exactly(number: u32) -> Self {
        Self { least: number, most: number }
    }

    /// Returns bounds that cover both.
    pub fn or(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    /// Returns the bounds of a sum.
    pub fn plus(self, other: Self) -> Self {
        Self {
            least: self.least.saturating_add(other.least),
            most: self.most.saturating_add(other.most),
        }
    }

    /// Returns the number without a part of it.
    pub fn minus(self, part: Self) -> Self {
        Self {
            least: self.least.saturating_sub(part.least),
            most: self.most.saturating_sub(part.most),
        }
    }

    /// Returns the bounds of the larger of two numbers.
    pub fn max(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), most: self.most.max(other.most) }
    }

    /// Reports whether the number is 0.
    pub fn is_zero(self) -> bool {
        self.most == 0
    }
}
