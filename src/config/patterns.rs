use std::collections::BTreeMap;

use super::{KnownIds, Level};

/// Levels of rules and findings for files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathLevels {
    /// Patterns of the files.
    pub paths: Vec<String>,
    /// By id.
    pub levels: BTreeMap<String, Level>,
    /// By pattern of ids.
    pub patterns: LevelPatterns,
}

/// The pattern that covers everything.
const EVERYTHING: &str = "*";
/// What a pattern ends in that covers all ids which begin like it.
const REST: &str = "/*";

/// The most that all ids of a pattern may mean, `*` or `shoot/*`. A pattern lowers levels and never raises them, so that it
/// does not switch on what a profile leaves off; for ids that two patterns cover, the longer one counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelPatterns {
    everything: Option<Level>,
    /// By what stands before the slash.
    by_beginning: BTreeMap<String, Level>,
}

/// The part of an id before the slash.
fn beginning_of(id: &str) -> Option<&str> {
    id.split_once('/').map(|(beginning, _)| beginning)
}

impl LevelPatterns {
    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.everything.is_none() && self.by_beginning.is_empty()
    }

    /// Whether a key is meant as a pattern, a good or a bad one.
    #[must_use]
    pub fn is_pattern(key: &str) -> bool {
        key.contains('*')
    }

    /// Whether a pattern covers an id.
    #[must_use]
    pub fn covers(pattern: &str, id: &str) -> bool {
        let beginning = pattern.strip_suffix(REST);
        pattern == EVERYTHING || beginning.is_some_and(|it| beginning_of(id) == Some(it))
    }

    /// All patterns that cover any id, the widest first.
    pub(super) fn known(ids: &KnownIds) -> Vec<String> {
        let all = ids.all();
        let beginnings = all.iter().filter_map(|id| beginning_of(id));
        let mut patterns = vec![EVERYTHING.to_owned()];
        patterns.extend(beginnings.map(|beginning| format!("{beginning}{REST}")));
        // They are sorted as the ids are, but for `*`, which comes before all letters.
        patterns.dedup();
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
        self.by_beginning
            .extend(others.map(|(beginning, level)| (beginning.clone(), *level)));
    }

    /// What the most specific pattern says that covers a finding, or else its rule.
    pub(super) fn of(&self, rule: &str, finding: &str) -> Option<Level> {
        if self.by_beginning.is_empty() {
            return self.everything;
        }
        let own = |id: &str| self.by_beginning.get(beginning_of(id)?);
        let longer = own(finding).or_else(|| own(rule));
        longer.copied().or(self.everything)
    }

    /// Whether a pattern that says `deny` says nothing: there is no wider one that it makes an exception of.
    pub(super) fn is_idle(&self, pattern: &str) -> bool {
        let wider = self.everything.unwrap_or(Level::Deny);
        pattern == EVERYTHING || wider == Level::Deny
    }
}
