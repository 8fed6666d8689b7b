// SPDX-License-Identifier: Apache-2.0
use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use tokio::time::Instant;

use super::number;

/// The number of lines that a failure prints.
const LAST: usize = 40;
/// The maximum length of a printed line, in bytes.
const WIDTH: usize = 400;

/// The events, requests and answers of a run: a hash of all, and the last of them.
pub(super) struct Trace {
    start: Instant,
    hasher: DefaultHasher,
    last: VecDeque<String>,
    /// The number of lines that are kept.
    kept: usize,
}

impl Trace {
    pub(super) fn new(start: Instant) -> Self {
        Self {
            start,
            hasher: DefaultHasher::new(),
            last: VecDeque::new(),
            kept: number("SIMULATION_LINES").map_or(LAST, |it| usize::try_from(it).unwrap()),
        }
    }

    /// Adds a line at the current simulated time.
    pub(super) fn add(&mut self, line: &str) {
        let millis = self.start.elapsed().as_millis();
        (millis, line).hash(&mut self.hasher);
        if self.last.len() >= self.kept {
            self.last.pop_front();
        }
        let end = line.floor_char_boundary(WIDTH);
        self.last.push_back(format!("{millis:>7} ms  {}", &line[..end]));
    }

    /// Returns a hash of all lines and their times.
    pub(super) fn hash(&self) -> u64 {
        self.hasher.finish()
    }

    pub(super) fn last(&self) -> String {
        let lines: Vec<&str> = self.last.iter().map(String::as_str).collect();
        lines.join("\n")
    }
}
