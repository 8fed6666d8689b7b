// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::error::{EvaluationError, ExceededLimit, failed};
use super::regex::Pattern;
use super::text::Text;
use super::value::{Constructed, DEEPEST, Evaluated, Map, Value};

/// Maximum cost of one evaluation, as in API servers.
pub(super) const COST_LIMIT: u64 = 1_000_000;
/// Maximum size of all values that an activation creates or compares, in bytes.
///
/// Kubernetes' costs do not count everything, for example the elements of a concatenated list.
const WORK_LIMIT: u64 = 48 << 20;
/// The work that takes as long as a cost of one, in bytes.
pub(super) const WORK_OF_COST: u64 = 16;
/// The work after which the deadline is asked for again, in bytes: less than a millisecond.
const UNATTENDED: u64 = 64 << 10;
/// The size of an element of a list, in bytes.
const ELEMENT: u64 = 32;
/// The work of visiting a value, in bytes.
const VISIT: u64 = 8;
/// Maximum number of compiled regular expressions that are kept.
const MOST_PATTERNS: usize = 32;

/// The end of the time for evaluations, which the caller knows; by default there is none.
///
/// Evaluations have no clock. They call the function of their caller after every few thousand units of work.
#[derive(Clone, Default)]
pub struct Deadline(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Deadline {
    /// Returns a deadline that is over once a function returns `true`.
    pub fn new(is_over: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(is_over)))
    }

    /// Reports whether evaluations must end.
    pub fn is_over(&self) -> bool {
        self.0.as_ref().is_some_and(|is_over| is_over())
    }
}

impl fmt::Debug for Deadline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deadline").finish_non_exhaustive()
    }
}

/// Counts the costs of an evaluation, and stops it at a limit.
///
/// There are two counts. The *cost* is that of Kubernetes, which API servers compute in the same way. The *work* is what garden-gate
/// does in fact: bytes that are read, created or compared. Both together are the *effort*.
#[derive(Debug)]
pub(super) struct Meter {
    /// Maximum effort of all evaluations, in bytes.
    effort_limit: u64,
    deadline: Deadline,
    /// The limit that was exceeded; no evaluation goes on after that.
    exceeded: Option<ExceededLimit>,
    /// The cost of the running evaluation.
    cost: u64,
    /// The work of all evaluations of the activation.
    work: u64,
    /// The effort of all evaluations of the activation, in bytes.
    effort: u64,
    /// The effort at which the deadline is asked for again.
    next_look: u64,
    patterns: Vec<(Text, Pattern)>,
}

impl Default for Meter {
    fn default() -> Self {
        Self::within(u64::MAX, Deadline::default())
    }
}

impl Meter {
    /// Returns a meter with limits on the effort of all evaluations, as a cost, and on their time.
    pub(super) fn within(cost: u64, deadline: Deadline) -> Self {
        Self {
            effort_limit: cost.saturating_mul(WORK_OF_COST),
            deadline,
            exceeded: None,
            cost: 0,
            work: 0,
            effort: 0,
            next_look: UNATTENDED,
            patterns: Vec::new(),
        }
    }

    /// Returns the limit of this crate that an evaluation exceeded.
    pub(super) fn exceeded(&self) -> Option<ExceededLimit> {
        self.exceeded
    }

    /// Returns the work of all evaluations in bytes.
    pub(super) fn total_work(&self) -> u64 {
        self.work
    }

    /// Returns the effort of all evaluations, as a cost.
    pub(super) fn effort(&self) -> u64 {
        self.effort.div_ceil(WORK_OF_COST)
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
        if self.cost > COST_LIMIT {
            return Err(EvaluationError::CostLimit);
        }
        self.spend(cost.saturating_mul(WORK_OF_COST))
    }

    /// Adds a number of bytes that are about to be read, created or compared.
    pub(super) fn work(&mut self, bytes: u64) -> Evaluated<()> {
        self.work = self.work.saturating_add(bytes);
        if self.work > WORK_LIMIT {
            return self.stop(ExceededLimit::Work);
        }
        self.spend(bytes)
    }

    fn spend(&mut self, effort: u64) -> Evaluated<()> {
        if let Some(exceeded) = self.exceeded {
            return self.stop(exceeded);
        }
        self.effort = self.effort.saturating_add(effort);
        if self.effort > self.effort_limit {
            return self.stop(ExceededLimit::Work);
        }
        if self.effort >= self.next_look {
            self.next_look = self.effort.saturating_add(UNATTENDED);
            if self.deadline.is_over() {
                return self.stop(ExceededLimit::Time);
            }
        }
        Ok(())
    }

    fn stop(&mut self, exceeded: ExceededLimit) -> Evaluated<()> {
        self.exceeded = Some(exceeded);
        Err(EvaluationError::Exceeded(exceeded))
    }

    pub(super) fn work_of(&mut self, bytes: usize) -> Evaluated<()> {
        self.work(u64::try_from(bytes).unwrap_or(u64::MAX))
    }

    /// Adds the work of a number of elements.
    pub(super) fn elements(&mut self, count: usize) -> Evaluated<()> {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        self.work(count.saturating_mul(ELEMENT))
    }

    /// Adds the work of visiting a number of values.
    pub(super) fn visit(&mut self, count: usize) -> Evaluated<()> {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        self.work(count.saturating_mul(VISIT))
    }

    /// Adds the work of reading a key, which is no list or map.
    pub(super) fn key(&mut self, key: &Value) -> Evaluated<()> {
        match key {
            Value::String(key) => self.work_of(key.len()),
            Value::Bytes(key) => self.work_of(key.len()),
            _ => Ok(()),
        }
    }

    /// Returns a list.
    pub(super) fn list(&mut self, items: Vec<Value>) -> Evaluated {
        self.elements(items.len())?;
        limited(Value::list(items))
    }

    /// Returns a map.
    pub(super) fn map(&mut self, entries: Vec<(Value, Value)>) -> Evaluated {
        self.elements(entries.len().saturating_mul(2))?;
        entries.iter().try_for_each(|(key, _)| self.key(key))?;
        limited(Value::Map(Arc::new(Map::from_pairs(entries))))
    }

    /// Returns an object or a patch that an expression creates.
    pub(super) fn constructed(
        &mut self,
        type_name: &Arc<str>,
        fields: BTreeMap<Text, Value>,
    ) -> Evaluated {
        self.elements(fields.len())?;
        limited(Value::Constructed(Arc::new(Constructed::new(type_name, fields)?)))
    }

    /// Returns an optional value with a value.
    #[expect(
        clippy::unused_self,
        reason = "it is called like the other functions that create values"
    )]
    pub(super) fn some(&mut self, value: Value) -> Evaluated {
        limited(Value::some(value))
    }

    /// Returns a copy of a string.
    pub(super) fn string(&mut self, text: &str) -> Evaluated {
        self.work_of(text.len())?;
        Ok(Value::from(text))
    }

    /// Compiles a regular expression, unless it was compiled before.
    pub(super) fn pattern(&mut self, text: &Text) -> Evaluated<Pattern> {
        if let Some((_, pattern)) = self.patterns.iter().find(|(it, _)| it == text) {
            return Ok(pattern.clone());
        }
        self.work(Pattern::work_of_compiling(text))?;
        let pattern = Pattern::compile(text)?;
        if self.patterns.len() >= MOST_PATTERNS {
            self.patterns.clear();
        }
        self.patterns.push((text.clone(), pattern.clone()));
        Ok(pattern)
    }
}

/// Limits the nesting, for recursive functions.
fn limited(value: Value) -> Evaluated {
    if value.depth() > DEEPEST { Err(EvaluationError::CostLimit) } else { Ok(value) }
}

/// Returns the length of a list that is limited by its cost.
pub(super) fn length(number: i64) -> Evaluated<usize> {
    usize::try_from(number).or_else(|_| failed("integer overflow"))
}
