// SPDX-License-Identifier: Apache-2.0
use std::cmp::Ordering;

use thiserror::Error;

use super::semver::{Version, VersionError};

/// Maximum size of a constraint in bytes.
const MAX_LEN: usize = 512;
/// Maximum number of alternatives (`||`) of a constraint.
const MAX_GROUPS: usize = 32;

/// A version constraint, for example `>= 1.29, < 1.31 || 1.33.x`.
///
/// Mirrors `NewConstraint` of Masterminds/semver v3.5.0 with all its quirks. One of the groups must match, and in it every
/// comparison. A pre-release only matches in a group that contains a pre-release.
#[derive(Clone, Debug)]
pub struct Constraint {
    groups: Vec<Group>,
}

/// Error of an invalid constraint.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum ConstraintError {
    /// The constraint exceeds the maximum size.
    #[error("it has more than 512 bytes")]
    TooLong,
    /// The constraint has too many alternatives.
    #[error("it has more than 32 alternatives")]
    TooManyGroups,
    /// The constraint is not a list of comparisons.
    #[error("it is not a list of comparisons like `>= 1.29, < 1.31`")]
    Malformed,
    /// One of the versions in the constraint is not valid.
    #[error("it contains a version that cannot be read: {0}")]
    Version(VersionError),
}

#[derive(Clone, Debug)]
struct Group {
    comparisons: Vec<Comparison>,
    prereleases: bool,
}

#[derive(Clone, Debug)]
struct Comparison {
    operator: Operator,
    bound: Version,
    /// The first number that is open (`1.x`, `1`).
    open: Open,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Operator {
    Equal,
    NotEqual,
    Greater,
    Less,
    GreaterOrEqual,
    LessOrEqual,
    Tilde,
    Caret,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Open {
    No,
    Major,
    Minor,
    Patch,
}

impl Constraint {
    /// Parses a constraint.
    ///
    /// # Errors
    /// Returns the reason if `text` is not a constraint; an empty string is not one.
    pub fn parse(text: &str) -> Result<Self, ConstraintError> {
        if text.len() > MAX_LEN {
            return Err(ConstraintError::TooLong);
        }
        let text = rewrite_ranges(text);
        if text.matches("||").count() >= MAX_GROUPS {
            return Err(ConstraintError::TooManyGroups);
        }
        let groups = text.split("||").map(Group::parse);
        Ok(Self { groups: groups.collect::<Result<_, _>>()? })
    }

    /// Reports whether `version` matches the constraint.
    pub fn matches(&self, version: &Version) -> bool {
        self.groups.iter().any(|group| group.matches(version))
    }
}

impl Group {
    fn parse(text: &str) -> Result<Self, ConstraintError> {
        let mut scanner = Scanner { rest: text };
        let mut comparisons = Vec::new();
        scanner.skip_blanks();
        loop {
            comparisons.push(Comparison::scan(&mut scanner)?);
            let blank = scanner.skip_blanks();
            if scanner.rest.is_empty() {
                break;
            }
            if !scanner.eat(",") && !blank {
                return Err(ConstraintError::Malformed);
            }
            scanner.skip_blanks();
        }
        let prereleases = comparisons.iter().any(|c| !c.bound.pre.is_empty());
        Ok(Self { comparisons, prereleases })
    }

    fn matches(&self, version: &Version) -> bool {
        (version.pre.is_empty() || self.prereleases)
            && self.comparisons.iter().all(|c| c.matches(version))
    }
}

impl Comparison {
    fn scan(scanner: &mut Scanner<'_>) -> Result<Self, ConstraintError> {
        let operator = scanner.operator();
        scanner.skip_blanks();
        let partial = scanner.version().ok_or(ConstraintError::Malformed)?;
        let (open, text) = partial.fill();
        let bound = Version::parse(&text).map_err(ConstraintError::Version)?;
        Ok(Self { operator, bound, open })
    }

    fn matches(&self, version: &Version) -> bool {
        let order = version.cmp(&self.bound);
        match self.operator {
            Operator::Equal if self.open == Open::No => order.is_eq(),
            Operator::Equal | Operator::Tilde => order.is_ge() && self.tilde(version),
            Operator::NotEqual => self.not_equal(version, order),
            Operator::Greater => self.greater(version, order),
            Operator::Less => order.is_lt(),
            Operator::GreaterOrEqual => order.is_ge(),
            Operator::LessOrEqual => self.less_or_equal(version, order),
            Operator::Caret => order.is_ge() && self.caret(version),
        }
    }

    /// Matches a tilde range.
    ///
    /// `~1.2.3` allows the minor version, `~1` the major one; `~0.0.0` and `~*` allow any version.
    fn tilde(&self, version: &Version) -> bool {
        let bound = &self.bound;
        let zero = (bound.major, bound.minor, bound.patch) == (0, 0, 0);
        if zero && matches!(self.open, Open::No | Open::Major) {
            return true;
        }
        bound.major == version.major && (self.open == Open::Minor || bound.minor == version.minor)
    }

    fn not_equal(&self, version: &Version, order: Ordering) -> bool {
        let bound = &self.bound;
        match self.open {
            Open::No => order.is_ne(),
            _ if bound.major != version.major => true,
            Open::Minor => false,
            _ if bound.minor != version.minor => true,
            Open::Patch => version.pre != bound.pre,
            // `!=*` is `!=0.0.0`.
            Open::Major => order.is_ne(),
        }
    }

    fn greater(&self, version: &Version, order: Ordering) -> bool {
        let bound = &self.bound;
        match self.open {
            Open::No | Open::Major => order.is_gt(),
            Open::Minor => version.major > bound.major,
            Open::Patch => (version.major, version.minor) > (bound.major, bound.minor),
        }
    }

    fn less_or_equal(&self, version: &Version, order: Ordering) -> bool {
        let bound = &self.bound;
        match self.open {
            Open::No => order.is_le(),
            Open::Minor => version.major <= bound.major,
            Open::Major | Open::Patch => {
                (version.major, version.minor) <= (bound.major, bound.minor)
            }
        }
    }

    /// Matches a caret range: `^1.2.3` keeps the leftmost number that is not zero.
    fn caret(&self, version: &Version) -> bool {
        let bound = &self.bound;
        if bound.major != version.major {
            return false;
        }
        if bound.major > 0 || self.open == Open::Minor {
            return true;
        }
        let within_minor = bound.minor > 0 || self.open == Open::Patch;
        bound.minor == version.minor && (within_minor || bound.patch == version.patch)
    }
}

/// A version in which numbers may be missing or wildcards.
struct Partial<'a> {
    text: &'a str,
    numbers: [&'a str; 3],
    /// The pre-release with its leading `-`.
    prerelease: &'a str,
}

impl Partial<'_> {
    /// Returns the first open number, and the version with zeros from there on.
    fn fill(&self) -> (Open, String) {
        let open = |number: &str| matches!(number, "" | "x" | "X" | "*");
        let [major, minor, patch] = self.numbers;
        let pre = self.prerelease;
        if open(major) {
            (Open::Major, format!("0.0.0{pre}"))
        } else if open(minor) {
            (Open::Minor, format!("{major}.0.0{pre}"))
        } else if open(patch) {
            (Open::Patch, format!("{major}.{minor}.0{pre}"))
        } else {
            (Open::No, self.text.to_owned())
        }
    }
}

struct Scanner<'a> {
    rest: &'a str,
}

impl<'a> Scanner<'a> {
    /// Skips whitespace, and reports whether there was any.
    fn skip_blanks(&mut self) -> bool {
        !self.take_while(is_blank).is_empty()
    }

    fn eat(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn operator(&mut self) -> Operator {
        const OPERATORS: [(&str, Operator); 11] = [
            ("!=", Operator::NotEqual),
            (">=", Operator::GreaterOrEqual),
            ("=>", Operator::GreaterOrEqual),
            ("<=", Operator::LessOrEqual),
            ("=<", Operator::LessOrEqual),
            ("~>", Operator::Tilde),
            ("~", Operator::Tilde),
            ("^", Operator::Caret),
            (">", Operator::Greater),
            ("<", Operator::Less),
            ("=", Operator::Equal),
        ];
        let found = OPERATORS.into_iter().find(|(token, _)| self.eat(token));
        found.map_or(Operator::Equal, |(_, operator)| operator)
    }

    /// Parses the longest partial version at the current position.
    fn version(&mut self) -> Option<Partial<'a>> {
        let text = self.rest;
        self.eat("v");
        let mut numbers = [self.take_while(is_number_part), "", ""];
        if numbers[0].is_empty() {
            self.rest = text;
            return None;
        }
        for slot in &mut numbers[1..] {
            match self.after(".", is_number_part) {
                Some(number) => *slot = number,
                None => break,
            }
        }
        let before = self.rest;
        self.identifiers("-");
        let prerelease = &before[..before.len() - self.rest.len()];
        self.identifiers("+");
        let text = &text[..text.len() - self.rest.len()];
        Some(Partial { text, numbers, prerelease })
    }

    /// Consumes `sign` and the following characters, unless no `wanted` character follows.
    fn after(&mut self, sign: &str, wanted: impl Fn(char) -> bool) -> Option<&'a str> {
        let before = self.rest;
        if self.eat(sign) {
            let taken = self.take_while(wanted);
            if !taken.is_empty() {
                return Some(taken);
            }
        }
        self.rest = before;
        None
    }

    fn identifiers(&mut self, sign: &str) {
        let identifier = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if self.after(sign, identifier).is_some() {
            while self.after(".", identifier).is_some() {}
        }
    }
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\u{c}' | '\r')
}

/// Reports whether a character is in the original's character class, which contains `|` by accident.
fn is_number_part(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '|' | 'x' | 'X' | '*')
}

/// Rewrites every `1.2 - 1.4` to `>= 1.2, <= 1.4 `, including whitespace around it.
fn rewrite_ranges(text: &str) -> String {
    let mut result = text.to_owned();
    let mut scanner = Scanner { rest: text };
    while !scanner.rest.is_empty() {
        match range(scanner.rest) {
            Some((whole, low, high)) => {
                result = result.replacen(whole, &format!(">= {low}, <= {high} "), 1);
                scanner.rest = &scanner.rest[whole.len()..];
            }
            None => {
                let mut chars = scanner.rest.chars();
                chars.next();
                scanner.rest = chars.as_str();
            }
        }
    }
    result
}

/// Parses a range at the beginning of `text`: all of it, its lower and its upper bound.
fn range(text: &str) -> Option<(&str, &str, &str)> {
    let mut scanner = Scanner { rest: text };
    scanner.skip_blanks();
    let low = scanner.version()?.text;
    if !(scanner.skip_blanks() && scanner.eat("-") && scanner.skip_blanks()) {
        return None;
    }
    let high = scanner.version()?.text;
    scanner.skip_blanks();
    Some((&text[..text.len() - scanner.rest.len()], low, high))
}
