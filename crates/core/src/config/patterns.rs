// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use super::known::ALL_POLICIES;
use super::{KnownIds, Level};

/// Levels of rules and findings for files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathLevels {
    /// Patterns of the files.
    pub paths: Vec<String>,
    /// Levels by id.
    pub levels: BTreeMap<String, Level>,
    /// Levels by pattern of ids.
    pub patterns: LevelPatterns,
}

/// The pattern that matches all ids.
const EVERYTHING: &str = "*";
/// The suffix of a pattern that matches all ids with its prefix.
const REST: &str = "/*";

/// Maximum levels by pattern, `*` or `shoot/*`.
///
/// A pattern only lowers levels, so that it enables nothing that the profile disables.
/// If two patterns match an id, the longer one applies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelPatterns {
    everything: Option<Level>,
    /// Levels by the part before the slash.
    by_beginning: BTreeMap<String, Level>,
}

/// Returns the part of an id before the slash.
fn beginning_of(id: &str) -> Option<&str> {
    id.split_once('/').map(|(beginning, _)| beginning)
}

impl LevelPatterns {
    /// Reports whether there are no patterns.
    pub(super) fn is_empty(&self) -> bool {
        self.everything.is_none() && self.by_beginning.is_empty()
    }

    /// Reports whether a key is meant as a pattern, even an invalid one.
    pub fn is_pattern(key: &str) -> bool {
        key.contains('*')
    }

    /// Reports whether a pattern matches an id.
    pub fn covers(pattern: &str, id: &str) -> bool {
        let beginning = pattern.strip_suffix(REST);
        pattern == EVERYTHING || beginning.is_some_and(|it| beginning_of(id) == Some(it))
    }

    /// Returns all patterns that match any known id, the widest first.
    pub(super) fn known(ids: &KnownIds) -> Vec<String> {
        let all = ids.all();
        let beginnings = all.iter().filter_map(|id| beginning_of(id));
        let mut patterns = vec![EVERYTHING.to_owned()];
        patterns.extend(beginnings.map(|beginning| format!("{beginning}{REST}")));
        // They are sorted like the ids, except for `*`, which sorts before all letters.
        patterns.dedup();
        if !patterns.iter().any(|it| it == ALL_POLICIES) {
            patterns.push(ALL_POLICIES.to_owned());
        }
        patterns
    }

    /// Sets the level of a pattern.
    pub fn insert(&mut self, pattern: &str, level: Level) {
        match pattern.strip_suffix(REST) {
            Some(beginning) => {
                self.by_beginning.insert(beginning.to_owned(), level);
            }
            None => self.everything = Some(level),
        }
    }

    /// Adds the patterns of `other`, which replace equal ones.
    pub(super) fn extend(&mut self, other: &Self) {
        self.everything = other.everything.or(self.everything);
        let others = other.by_beginning.iter();
        self.by_beginning.extend(others.map(|(beginning, level)| (beginning.clone(), *level)));
    }

    /// Returns the level of the most specific pattern that matches a finding or, failing that, its rule.
    pub(super) fn of(&self, rule: &str, finding: &str) -> Option<Level> {
        if self.by_beginning.is_empty() {
            return self.everything;
        }
        let own = |id: &str| self.by_beginning.get(beginning_of(id)?);
        let longer = own(finding).or_else(|| own(rule));
        longer.copied().or(self.everything)
    }

    /// Reports whether a pattern with `deny` has no effect, because no wider pattern lowers the level.
    pub(super) fn is_idle(&self, pattern: &str) -> bool {
        let wider = self.everything.unwrap_or(Level::Deny);
        pattern == EVERYTHING || wider == Level::Deny
    }
}
