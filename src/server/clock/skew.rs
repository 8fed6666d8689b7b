// SPDX-License-Identifier: Apache-2.0
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

/// Maximum clock skew. Beyond it, verdicts may be wrong, and certificates would be invalid for clients.
pub(crate) const LIMIT: SignedDuration = SignedDuration::from_secs(300);
/// `Date` has a resolution of one second, and is rounded down.
const RESOLUTION: SignedDuration = SignedDuration::from_secs(1);

/// The time of the wall clock, and that of a clock that never jumps, read together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) wall: Timestamp,
    /// The time since an arbitrary start.
    pub(super) monotonic: Duration,
}

/// The clock with which the wall clock is compared.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Reference {
    /// The wall clock itself at the start of the process, since no API server has answered yet.
    Start,
    /// The clock of the API server, as its last response reported it.
    ApiServer,
}

/// The offset of the wall clock, which follows from any later reading.
///
/// A jump of the wall clock changes its distance to the monotonic clock, so that it is noticed without a response.
#[derive(Clone, Copy, Debug)]
pub(super) struct Skew {
    /// The distance between the two clocks while the wall clock is right.
    right: SignedDuration,
    pub(super) reference: Reference,
}

impl Reading {
    /// Returns by how much the wall clock is ahead of the monotonic clock.
    fn distance(self) -> SignedDuration {
        let wall = self.wall.duration_since(Timestamp::UNIX_EPOCH);
        wall.saturating_sub(signed(self.monotonic))
    }
}

impl Skew {
    /// Assumes that the wall clock is right at `start`.
    pub(super) fn new(start: Reading) -> Self {
        Self { right: start.distance(), reference: Reference::Start }
    }

    /// Returns by how much the wall clock is ahead; negative if it is behind.
    pub(super) fn ahead(&self, now: Reading) -> SignedDuration {
        now.distance().saturating_sub(self.right)
    }

    /// Compares with the `Date` header of a response that arrived at `now`, `latency` after its request was sent.
    ///
    /// The API server read its clock at an unknown time in between. The known skew is kept if it is possible, and otherwise
    /// changes as little as possible, so that a slow response causes no alarm.
    pub(super) fn compare(&mut self, date: Timestamp, latency: Duration, now: Reading) {
        let most = now.wall.duration_since(date);
        let least = most.saturating_sub(signed(latency)).saturating_sub(RESOLUTION);
        let ahead = self.ahead(now).clamp(least, most);
        self.right = now.distance().saturating_sub(ahead);
        self.reference = Reference::ApiServer;
    }
}

fn signed(duration: Duration) -> SignedDuration {
    SignedDuration::try_from(duration).unwrap_or(SignedDuration::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use jiff::{SignedDuration, Timestamp};
    use rstest::rstest;

    use super::{Reading, Reference, Skew};

    const START: i64 = 1_800_000_000;
    const DAY: i64 = 86_400;

    /// Returns a reading `passed` seconds after the start, after a jump of the wall clock by `change`.
    fn reading(passed: i64, change: i64) -> Reading {
        Reading {
            wall: Timestamp::from_second(START + passed + change).unwrap(),
            monotonic: Duration::from_secs(u64::try_from(passed).unwrap()),
        }
    }

    /// Seconds since the start, the change of the wall clock since then, and a response: its `Date`, relative to the right
    /// time if the clock was right at the start, and its latency.
    type Step = (i64, i64, (i64, u64));

    #[rstest]
    #[case::no_time_passes(&[], 0, 0, 0)]
    #[case::only_time_passes(&[], 400 * DAY, 0, 0)]
    #[case::jump_ahead_without_a_response(&[], 60, 400 * DAY, 400 * DAY)]
    #[case::jump_behind_without_a_response(&[], 60, -400 * DAY, -400 * DAY)]
    #[case::response_confirms(&[(1, 0, (0, 0))], 60, 0, 0)]
    #[case::jump_ahead_after_a_response(&[(1, 0, (0, 0))], 60, 7_200, 7_200)]
    #[case::jump_behind_after_a_response(&[(1, 0, (0, 0))], 60, -7_200, -7_200)]
    #[case::response_confirms_a_jump(&[(1, 0, (0, 0)), (2, 7_200, (0, 0))], 60, 7_200, 7_200)]
    #[case::jump_back_after_a_response(&[(1, 0, (0, 0)), (2, 7_200, (0, 0))], 60, 0, 0)]
    #[case::ahead_from_the_start(&[(1, 0, (-7_200, 0))], 60, 0, 7_199)]
    #[case::behind_from_the_start(&[(1, 0, (7_200, 0))], 60, 0, -7_200)]
    #[case::corrected_after_the_start(&[(1, 0, (7_200, 0))], 60, 7_200, 0)]
    // While a machine is suspended, its monotonic clock is stopped.
    #[case::suspended_before_a_response(&[(1, 0, (0, 0))], 2, DAY, DAY)]
    #[case::suspended_after_a_response(&[(1, 0, (0, 0)), (2, DAY, (DAY, 0))], 60, DAY, 0)]
    // The API server reads its clock at any time of the request.
    #[case::slow_response(&[(30, 0, (-29, 30))], 60, 0, 0)]
    #[case::slow_response_to_a_wrong_clock(&[(30, 0, (-629, 30))], 60, 0, 598)]
    #[case::slow_response_keeps_a_better_result(&[(1, 0, (-600, 0)), (60, 0, (-620, 30))], 90, 0, 599)]
    #[case::late_date_of_a_fast_response(&[(30, 0, (-29, 0))], 60, 0, 28)]
    fn skew_follows_from_readings_and_responses(
        #[case] steps: &[Step],
        #[case] passed: i64,
        #[case] change: i64,
        #[case] expected: i64,
    ) {
        let mut skew = Skew::new(reading(0, 0));
        assert_eq!(skew.reference, Reference::Start);
        for (passed, change, (date, latency)) in steps {
            let date = Timestamp::from_second(START + passed + date).unwrap();
            let latency = Duration::from_secs(*latency);
            skew.compare(date, latency, reading(*passed, *change));
            assert_eq!(skew.reference, Reference::ApiServer);
        }
        let found = skew.ahead(reading(passed, change));
        assert_eq!(found, SignedDuration::from_secs(expected));
    }

    #[test]
    fn extreme_times_do_not_overflow() {
        for date in [Timestamp::MIN, Timestamp::MAX] {
            for latency in [Duration::ZERO, Duration::MAX] {
                for wall in [Timestamp::MIN, Timestamp::MAX] {
                    let monotonic = Duration::MAX;
                    let mut skew = Skew::new(reading(0, 0));
                    skew.compare(date, latency, Reading { wall, monotonic });
                    skew.compare(date, latency, reading(1, 0));
                }
            }
        }
    }
}
