use std::sync::Arc;

use super::error::{EvaluationError, failed};
use super::regex::Pattern;
use super::value::{DEEPEST, Evaluated, Map, Value};

/// Maximum cost of one evaluation, as in API servers.
pub(super) const COST_LIMIT: u64 = 1_000_000;
/// Maximum size of all values that an activation creates or compares, in bytes.
///
/// Kubernetes' costs do not count everything, for example the elements of a concatenated list.
const WORK_LIMIT: u64 = 48 << 20;
/// The size of an element of a list, in bytes.
const ELEMENT: u64 = 24;
/// Maximum number of compiled regular expressions that are kept.
const MOST_PATTERNS: usize = 32;
/// The work of compiling a regular expression, in bytes.
const PATTERN: u64 = 4096;

/// Counts the costs of an evaluation, and stops it at a limit.
#[derive(Debug)]
pub(super) struct Meter {
    /// Maximum cost of one evaluation.
    cost_limit: u64,
    /// Maximum work of all evaluations.
    work_limit: u64,
    is_exceeded: bool,
    /// The cost of the running evaluation.
    cost: u64,
    /// The work of all evaluations of the activation.
    work: u64,
    patterns: Vec<(Arc<str>, Pattern)>,
}

impl Default for Meter {
    fn default() -> Self {
        Self::within(COST_LIMIT, WORK_LIMIT)
    }
}

impl Meter {
    /// Returns a meter with limits on the cost of one evaluation, and on the work of all.
    pub(super) fn within(cost_limit: u64, work_limit: u64) -> Self {
        Self {
            cost_limit,
            work_limit,
            is_exceeded: false,
            cost: 0,
            work: 0,
            patterns: Vec::new(),
        }
    }

    /// Reports whether an evaluation exceeded a limit.
    pub(super) fn is_exceeded(&self) -> bool {
        self.is_exceeded
    }

    /// Returns the work of all evaluations in bytes.
    pub(super) fn total_work(&self) -> u64 {
        self.work
    }

    /// Starts an evaluation, and returns the cost of the suspended one.
    pub(super) fn start(&mut self) -> u64 {
        std::mem::take(&mut self.cost)
    }

    /// Ends an evaluation: resumes the suspended one, and returns the cost.
    pub(super) fn end(&mut self, suspended: u64) -> u64 {
        std::mem::replace(&mut self.cost, suspended)
    }

    /// Returns the cost so far.
    pub(super) fn cost(&self) -> u64 {
        self.cost
    }

    /// Adds a cost of Kubernetes.
    pub(super) fn charge(&mut self, cost: u64) -> Evaluated<()> {
        self.cost = self.cost.saturating_add(cost);
        self.check(self.cost > self.cost_limit)
    }

    /// Adds a number of bytes that are created or compared.
    pub(super) fn work(&mut self, bytes: u64) -> Evaluated<()> {
        self.work = self.work.saturating_add(bytes);
        self.check(self.work > self.work_limit)
    }

    fn check(&mut self, is_exceeded: bool) -> Evaluated<()> {
        if !is_exceeded {
            return Ok(());
        }
        self.is_exceeded = true;
        Err(EvaluationError::CostLimit)
    }

    pub(super) fn work_of(&mut self, bytes: usize) -> Evaluated<()> {
        self.work(u64::try_from(bytes).unwrap_or(u64::MAX))
    }

    /// Adds the work of a number of elements.
    pub(super) fn elements(&mut self, count: usize) -> Evaluated<()> {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        self.work(count.saturating_mul(ELEMENT))
    }

    /// Returns a list.
    pub(super) fn list(&mut self, items: Vec<Value>) -> Evaluated {
        self.elements(items.len())?;
        limited(Value::list(items))
    }

    /// Returns a map.
    pub(super) fn map(&mut self, entries: Vec<(Value, Value)>) -> Evaluated {
        self.elements(entries.len().saturating_mul(2))?;
        limited(Value::Map(Arc::new(Map::from_pairs(entries))))
    }

    /// Returns an optional value with a value.
    pub(super) fn some(&mut self, value: Value) -> Evaluated {
        limited(Value::some(value))
    }

    /// Returns a string.
    pub(super) fn string(&mut self, text: impl Into<Arc<str>>) -> Evaluated {
        let text = text.into();
        self.work_of(text.len())?;
        Ok(Value::String(text))
    }

    /// Compiles a regular expression, unless it was compiled before.
    pub(super) fn pattern(&mut self, text: &Arc<str>) -> Evaluated<Pattern> {
        if let Some((_, pattern)) = self.patterns.iter().find(|(it, _)| it == text) {
            return Ok(pattern.clone());
        }
        self.work(PATTERN)?;
        let pattern = Pattern::compile(text)?;
        if self.patterns.len() >= MOST_PATTERNS {
            self.patterns.clear();
        }
        self.patterns.push((Arc::clone(text), pattern.clone()));
        Ok(pattern)
    }
}

/// Limits the nesting, for recursive functions.
fn limited(value: Value) -> Evaluated {
    match value.depth() > DEEPEST {
        true => Err(EvaluationError::CostLimit),
        false => Ok(value),
    }
}

/// Returns the length of a list that is limited by its cost.
pub(super) fn length(number: i64) -> Evaluated<usize> {
    usize::try_from(number).or_else(|_| failed("integer overflow"))
}
