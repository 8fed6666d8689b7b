// SPDX-License-Identifier: Apache-2.0
use std::cell::{Cell, RefCell};

use super::error::{CompileError, EvaluationError, ExceededLimit, failed};
use super::evaluate::{Evaluator, Names};
use super::expression::Expression;
use super::meter::{Deadline, Meter};
use super::node::{Node, Root};
use super::value::{Evaluated, Value};

/// The values of the variables of one request, shared by all expressions of a policy.
pub struct Activation<'a> {
    roots: [Bound; Root::ALL.len()],
    variables: &'a [(String, Result<Expression, CompileError>)],
    results: RefCell<Vec<Option<Evaluated>>>,
    lookups: Option<&'a dyn Lookups>,
    meter: RefCell<Meter>,
    budget: u64,
    spent: Cell<u64>,
}

/// The value of a variable.
#[derive(Clone, Debug)]
enum Bound {
    Known(Value),
    Unknown(String),
}

/// Lookups of objects, for the fields and functions of a [`LookupVariable`](crate::LookupVariable).
pub trait Lookups {
    /// Returns the value of a field.
    ///
    /// # Errors
    /// Fails with [`EvaluationError::Undetermined`] if the object is unknown.
    fn field(&self, name: &str) -> Result<Value, EvaluationError>;

    /// Returns the result of a function.
    ///
    /// # Errors
    /// Fails as [`Self::field`], and for wrong arguments.
    fn call(&self, name: &str, arguments: &[Value]) -> Result<Value, EvaluationError>;
}

impl Default for Activation<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> Activation<'a> {
    /// The default budget of all evaluations together, as for one policy in an API server.
    pub const BUDGET: u64 = 10_000_000;

    /// Returns an activation in which all variables are `null`.
    pub fn new() -> Self {
        Self {
            roots: std::array::from_fn(|_| Bound::Known(Value::Null)),
            variables: &[],
            results: RefCell::default(),
            lookups: None,
            meter: RefCell::default(),
            budget: Self::BUDGET,
            spent: Cell::new(0),
        }
    }

    /// Sets the cost that all evaluations together may have.
    #[must_use]
    pub fn with_budget(mut self, budget: u64) -> Self {
        self.budget = budget;
        self
    }

    /// Limits all evaluations together: their effort, and their time; see [`Self::effort`] and [`Self::exceeded`].
    #[must_use]
    pub fn with_limits(mut self, effort: u64, deadline: Deadline) -> Self {
        self.meter = RefCell::new(Meter::within(effort, deadline));
        self
    }

    /// Sets `object`, `oldObject`, `params`, `request`, `namespaceObject`, `now`, `self` or `oldSelf`; other names are ignored.
    #[must_use]
    pub fn bind(self, name: &str, value: Value) -> Self {
        self.with_bound(name, Bound::Known(value))
    }

    /// Declares that the value of a variable is unknown.
    ///
    /// Expressions that depend on it fail with [`EvaluationError::Undetermined`] and this reason.
    #[must_use]
    pub fn bind_unknown(self, name: &str, reason: impl Into<String>) -> Self {
        self.with_bound(name, Bound::Unknown(reason.into()))
    }

    fn with_bound(mut self, name: &str, bound: Bound) -> Self {
        let slot = Root::of(name).and_then(|it| self.roots.get_mut(it as usize));
        if let Some(slot) = slot {
            *slot = bound;
        }
        self
    }

    /// Sets the expressions of `variables`, each evaluated once when it is first used.
    ///
    /// The order must be that in which they were declared with `Environment::add_variable`.
    #[must_use]
    pub fn with_variables(
        mut self,
        variables: &'a [(String, Result<Expression, CompileError>)],
    ) -> Self {
        self.variables = variables;
        self.results = RefCell::new(vec![None; variables.len()]);
        self
    }

    /// Sets the lookups.
    #[must_use]
    pub fn with_lookups(mut self, lookups: &'a dyn Lookups) -> Self {
        self.lookups = Some(lookups);
        self
    }

    /// Returns the cost of all evaluations so far.
    pub fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// Returns the limit of this crate that an evaluation exceeded, if any.
    pub fn exceeded(&self) -> Option<ExceededLimit> {
        self.meter.borrow().exceeded()
    }

    /// Returns the effort of all evaluations so far: their cost, and the cost that takes as long as their work.
    pub fn effort(&self) -> u64 {
        self.meter.borrow().effort()
    }

    /// Returns the work of all evaluations so far, in bytes that were read, created or compared.
    pub fn work(&self) -> u64 {
        self.meter.borrow().total_work()
    }

    /// Evaluates a checked expression.
    fn evaluate(&self, node: &Node) -> Evaluated {
        if self.spent.get() > self.budget {
            return Err(EvaluationError::OutOfBudget);
        }
        let Ok(mut meter) = self.meter.try_borrow_mut() else {
            return failed("a lookup cannot evaluate an expression");
        };
        let result = self.run(node, &mut meter);
        if self.spent.get() > self.budget { Err(EvaluationError::OutOfBudget) } else { result }
    }

    fn run(&self, node: &Node, meter: &mut Meter) -> Evaluated {
        let suspended = meter.start();
        let result = Evaluator::new(self, meter).evaluate(node);
        let cost = meter.end(suspended);
        self.spent.set(self.spent.get().saturating_add(cost));
        result
    }
}

impl Names for Activation<'_> {
    fn root(&self, root: Root) -> Evaluated<&Value> {
        match self.roots.get(root as usize) {
            Some(Bound::Known(value)) => Ok(value),
            Some(Bound::Unknown(reason)) => Err(EvaluationError::Undetermined(reason.clone())),
            None => failed("no such attribute"),
        }
    }

    fn variable(&self, index: usize, meter: &mut Meter) -> Evaluated {
        let Some((name, expression)) = self.variables.get(index) else {
            return failed("no such attribute(s): variables");
        };
        if let Some(Some(result)) = self.results.borrow().get(index) {
            return result.clone();
        }
        // A variable that refers to itself cannot be compiled; this ends the recursion all the same.
        let unfinished = failed(format!("composited variable {name:?} refers to itself"));
        if let Some(slot) = self.results.borrow_mut().get_mut(index) {
            *slot = Some(unfinished);
        }
        let result = match expression {
            Ok(expression) => match self.run(expression.node(), meter) {
                Err(EvaluationError::Failed(reason)) => {
                    failed(format!("composited variable {name:?} fails to evaluate: {reason}"))
                }
                Err(EvaluationError::CostLimit) => {
                    let reason = EvaluationError::CostLimit;
                    failed(format!("composited variable {name:?} fails to evaluate: {reason}"))
                }
                result => result,
            },
            Err(CompileError::Unsupported { name }) => {
                Err(EvaluationError::Undetermined(name.clone()))
            }
            Err(reason) => {
                failed(format!("composited variable {name:?} fails to compile: {reason}"))
            }
        };
        if let Some(slot) = self.results.borrow_mut().get_mut(index) {
            *slot = Some(result.clone());
        }
        result
    }

    fn lookup(&self, name: &str) -> Evaluated {
        match self.lookups {
            Some(lookups) => lookups.field(name),
            None => Err(unknown_lookup(name)),
        }
    }

    fn lookup_call(&self, name: &str, arguments: &[Value]) -> Evaluated {
        match self.lookups {
            Some(lookups) => lookups.call(name, arguments),
            None => Err(unknown_lookup(name)),
        }
    }
}

impl Expression {
    /// Evaluates the expression.
    ///
    /// # Errors
    /// Fails as in an API server, and at the limits of cost.
    pub fn evaluate(&self, activation: &Activation<'_>) -> Result<Value, EvaluationError> {
        activation.evaluate(self.node())
    }
}

fn unknown_lookup(name: &str) -> EvaluationError {
    EvaluationError::Undetermined(format!("the lookup `{name}` is unknown"))
}
