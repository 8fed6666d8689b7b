// SPDX-License-Identifier: Apache-2.0
use super::bound::cost_bound;
use super::check::Checker;
use super::environment::Environment;
use super::error::CompileError;
use super::fields::{FieldProblem, Fields, NamedPath};
use super::node::{Lookup, Node, Root};
use super::schema::{Schema, Untyped};
use super::types::{JSON_PATCH, OBJECT, Type};

/// A compiled expression.
#[derive(Debug)]
pub struct Expression {
    text: String,
    node: Node,
    result: Type,
    depth: usize,
    roots: Vec<Root>,
    variables: Vec<String>,
    lookups: Vec<Lookup>,
    paths: Vec<NamedPath>,
    cost_bound: u64,
}

/// A type that the result of an expression may have.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ResultType {
    /// A boolean, for validations and match conditions.
    Bool,
    /// A string, for messages.
    String,
    /// `null`, for audit annotations.
    Null,
    /// `Object`, for an `applyConfiguration`.
    Object,
    /// A list of `JSONPatch`, for a `jsonPatch`.
    JsonPatches,
    /// Any type, for variables.
    Any,
}

/// Maximum nesting of an expression and of the variables in it, for the stack of the evaluation.
const DEEPEST: usize = 192;

impl Expression {
    /// Compiles an expression with a result of any type.
    ///
    /// # Errors
    /// Fails where an API server refuses the expression, and for what this crate does not evaluate.
    pub fn compile(text: &str, environment: &Environment) -> Result<Self, CompileError> {
        Self::compile_as(text, &[ResultType::Any], environment)
    }

    /// Compiles an expression with a result of one of the types.
    ///
    /// # Errors
    /// Fails as [`Self::compile`], and for a result of another type, even a dynamic one.
    pub fn compile_as(
        text: &str,
        allowed: &[ResultType],
        environment: &Environment,
    ) -> Result<Self, CompileError> {
        let checked = Checker::check(text, environment)?;
        if checked.depth > DEEPEST {
            return Err(CompileError::TooComplex);
        }
        let is_allowed = |it: &ResultType| match it {
            ResultType::Bool => checked.result == Type::Bool,
            ResultType::String => checked.result == Type::String,
            ResultType::Null => checked.result == Type::Null,
            ResultType::Object => checked.result.is_constructed(OBJECT),
            ResultType::JsonPatches => match &checked.result {
                Type::List(item) => item.is_constructed(JSON_PATCH),
                _ => false,
            },
            ResultType::Any => true,
        };
        if !allowed.iter().any(is_allowed) {
            return Err(CompileError::Type {
                line: 1,
                column: 1,
                message: wrong_result(allowed, &checked.result),
            });
        }
        Ok(Self {
            text: text.to_owned(),
            paths: Fields::of::<Untyped>(&checked.node, None, text).paths,
            cost_bound: cost_bound(&checked.node),
            node: checked.node,
            result: checked.result,
            depth: checked.depth,
            roots: checked.roots,
            variables: checked.variables,
            lookups: checked.lookups,
        })
    }

    /// Returns the text of the expression.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the fields below `object` and `oldObject` that a schema does not have.
    pub fn field_problems<S: Schema>(&self, schema: S) -> Vec<FieldProblem> {
        Fields::of(&self.node, Some(schema), &self.text).problems
    }

    /// Returns the fields below `object` that the expression names, the longest paths first.
    pub fn paths(&self) -> &[NamedPath] {
        &self.paths
    }

    /// Returns the lookups, without those of variables.
    pub fn lookups(&self) -> &[Lookup] {
        &self.lookups
    }

    /// Returns the names of the `variables` that the expression uses.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// Reports whether the expression names a variable such as `params`, other than through `variables`.
    pub fn names(&self, variable: &str) -> bool {
        Root::of(variable).is_some_and(|it| self.roots.contains(&it))
    }

    /// Returns an estimate of the highest cost: lists have 128 elements, and strings 256 characters.
    ///
    /// Costs of variables are those of their own expressions.
    pub fn cost_bound(&self) -> u64 {
        self.cost_bound
    }

    pub(super) fn node(&self) -> &Node {
        &self.node
    }
}

impl Environment {
    /// Declares `variables.<name>`, in the order in which a policy declares them.
    ///
    /// The variable of an expression that cannot be compiled is dynamic, as in an API server.
    pub fn add_variable(&mut self, name: &str, expression: &Result<Expression, CompileError>) {
        match expression {
            Ok(expression) => self.declare(name, &expression.result, expression.depth),
            Err(_) => self.declare(name, &Type::Dyn, 0),
        }
    }
}

/// Returns the message for a result of a wrong type.
fn wrong_result(allowed: &[ResultType], given: &Type) -> String {
    let name = |it: &ResultType| match it {
        ResultType::Bool => "bool",
        ResultType::String => "string",
        ResultType::Null => "null_type",
        ResultType::Object => OBJECT,
        ResultType::JsonPatches => "list(JSONPatch)",
        ResultType::Any => "any",
    };
    let names: Vec<&str> = allowed.iter().map(name).collect();
    let actual = given.declared_name();
    match names.as_slice() {
        [name] => format!("must evaluate to {name} but got {actual}"),
        _ => format!("must evaluate to one of [{}] but got {actual}", names.join(" ")),
    }
}
