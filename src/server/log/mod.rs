//! What strangers can write into the log: short texts in one line, and not too many of them.

mod told;

pub(super) use told::log;

use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::report::clip;

/// Of a name, as Kubernetes limits them. Bytes.
pub(super) const NAME_LIMIT: usize = 253;
/// Of any other text. Bytes.
pub(super) const TEXT_LIMIT: usize = 200;

/// A text as it may be logged: in at most `limit` bytes, without anything that could begin a new line or move a cursor.
pub(super) fn shown(text: &str, limit: usize) -> String {
    let mut shown = String::new();
    for character in clip(text, limit).chars() {
        if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}') {
            // Writing to a text cannot fail.
            let _ = write!(shown, "{}", character.escape_default());
        } else {
            shown.push(character);
        }
    }
    clip(&shown, limit)
}

/// Something that may be said so many times in an interval; the rest is only counted.
#[derive(Debug)]
pub(super) struct Rarely {
    most: u32,
    interval: Duration,
    now: Mutex<Now>,
}

#[derive(Debug)]
struct Now {
    since: Option<Instant>,
    said: u32,
    left_out: u64,
}

impl Rarely {
    pub(super) fn new(most: u32, interval: Duration) -> Self {
        let now = Mutex::new(Now {
            since: None,
            said: 0,
            left_out: 0,
        });
        Self {
            most,
            interval,
            now,
        }
    }

    /// How often it was left out before, if it may be said now.
    pub(super) fn allows(&self) -> Option<u64> {
        self.allows_at(Instant::now())
    }

    fn allows_at(&self, at: Instant) -> Option<u64> {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        if now
            .since
            .is_none_or(|since| at.duration_since(since) >= self.interval)
        {
            (now.since, now.said) = (Some(at), 0);
        }
        if now.said >= self.most {
            now.left_out += 1;
            return None;
        }
        now.said += 1;
        Some(std::mem::take(&mut now.left_out))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rstest::rstest;
    use tokio::time::Instant;

    use super::{Rarely, shown};

    #[rstest]
    #[case("plain `ä`", "plain `ä`")]
    #[case("a\nb\r\tc", "a\\nb\\r\\tc")]
    #[case("\u{1b}[31m\u{85}\u{2028}", "\\u{1b}[31m\\u{85}\\u{2028}")]
    fn a_text_stays_in_its_line(#[case] text: &str, #[case] want: &str) {
        assert_eq!(shown(text, 200), want);
    }

    #[test]
    fn a_long_text_is_cut() {
        assert!(shown(&"x".repeat(7 << 20), 200).len() <= 200);
        assert!(shown(&"\n".repeat(200), 200).len() <= 200);
    }

    #[test]
    fn what_is_not_said_is_counted() {
        let rarely = Rarely::new(2, Duration::from_secs(1));
        let start = Instant::now();
        let said: Vec<_> = (0..5).map(|_| rarely.allows_at(start)).collect();
        assert_eq!(said, [Some(0), Some(0), None, None, None]);
        let later = start + Duration::from_secs(1);
        assert_eq!(rarely.allows_at(later), Some(3));
        assert_eq!(rarely.allows_at(later), Some(0));
        assert_eq!(rarely.allows_at(later), None);
    }
}
