// SPDX-License-Identifier: Apache-2.0
mod construction;
mod macros;

use std::collections::BTreeSet;
use std::sync::Arc;

use cel::common::ast::{
    CallExpr, EntryExpr, Expr, IdedExpr, ListExpr, LiteralValue, MapExpr, SelectExpr, SourceInfo,
    operators,
};

use crate::parser::{CelError, parse_calls};

use super::environment::{Environment, record_field};
use super::error::{CompileError, EvaluationError, position};
use super::functions::{
    Declaration, ELSEWHERE, ESCAPE_KEY, Implementation, Signature, find, is_declared, walk_format,
};
use super::meter::Meter;
use super::node::{
    Base, Call, Element, Entry, Key, Lookup, LookupCall, Membership, Node, Path, PatternCall, Root,
    Step,
};
use super::regex::Pattern;
use super::types::{Inference, OBJECT, Type, general};
use super::value::{Map, Value, is_key};

/// Checks the names and types of an expression. Mirrors `checker.go` of cel-go.
pub(super) struct Checker<'c> {
    environment: &'c Environment,
    pub(super) inference: Inference,
    source: SourceInfo,
    pub(super) scopes: Vec<Local>,
    /// The number of `format` calls around the expression, in which lists may have elements of different types.
    formats: usize,
    roots: BTreeSet<Root>,
    variables: BTreeSet<String>,
    lookups: Vec<Lookup>,
    /// The types of the elements of the last list.
    elements: Vec<Type>,
    /// The nesting of the most nested variable.
    deepest_variable: usize,
}

/// A variable of a macro.
#[derive(Debug)]
pub(super) struct Local {
    pub(super) name: String,
    pub(super) declared: Type,
    pub(super) is_used: bool,
}

/// An expression with its type.
pub(super) struct Typed {
    pub(super) node: Node,
    pub(super) is: Type,
}

/// The overloads of a call.
struct Resolved {
    result: Type,
    /// The only overload, if there is one.
    single: Option<&'static Signature>,
}

/// The result of a check.
pub(super) struct Checked {
    pub(super) node: Node,
    pub(super) result: Type,
    pub(super) depth: usize,
    pub(super) roots: Vec<Root>,
    pub(super) variables: Vec<String>,
    pub(super) lookups: Vec<Lookup>,
}

pub(super) type Compiled<T = Typed> = Result<T, CompileError>;

/// Maximum nesting of the syntax tree.
const DEEPEST: usize = 96;
/// Maximum size of a type.
const LARGEST_TYPE: usize = 256;

/// Functions that cel-go calls at compile time if the argument is constant.
const CONVERSIONS: [&str; 10] =
    ["bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"];

/// Names of types that are values.
const TYPE_NAMES: [&str; 15] = [
    "bool",
    "bytes",
    "double",
    "google.protobuf.Duration",
    "google.protobuf.Timestamp",
    "int",
    "list",
    "map",
    "net.CIDR",
    "net.IP",
    "null_type",
    "optional_type",
    "string",
    "type",
    "uint",
];

impl<'c> Checker<'c> {
    /// Parses and checks an expression.
    pub(super) fn check(text: &str, environment: &'c Environment) -> Compiled<Checked> {
        let (tree, source) = parse_calls(text).map_err(|error| match error {
            CelError::TooComplex => CompileError::TooComplex,
            CelError::Syntax { line, column, message } => {
                CompileError::Syntax { line, column, message }
            }
        })?;
        let depth = depth_of(&tree);
        if depth > DEEPEST {
            return Err(CompileError::TooComplex);
        }
        let mut checker = Self {
            environment,
            inference: Inference::default(),
            source,
            scopes: Vec::new(),
            formats: 0,
            roots: BTreeSet::new(),
            variables: BTreeSet::new(),
            lookups: Vec::new(),
            elements: Vec::new(),
            deepest_variable: 0,
        };
        let checked = checker.expression(&tree)?;
        Ok(Checked {
            result: checker.inference.final_type(&checked.is),
            node: checked.node,
            depth: depth + checker.deepest_variable,
            roots: checker.roots.into_iter().collect(),
            variables: checker.variables.into_iter().collect(),
            lookups: checker.lookups,
        })
    }

    pub(super) fn expression(&mut self, expression: &IdedExpr) -> Compiled {
        let typed = match &expression.expr {
            Expr::Literal(literal) => Ok(constant(literal)),
            Expr::Ident(name) => self.name(expression, name),
            Expr::Select(select) => self.select(expression, select, false),
            Expr::Call(call) => self.call(expression, call),
            Expr::List(list) => self.list(list),
            Expr::Map(map) => self.map(map),
            Expr::Struct(it) => self.construction(expression, it),
            Expr::Comprehension(_) | Expr::Unspecified => Err(CompileError::TooComplex),
        }?;
        if has_size(&typed.is, &mut { LARGEST_TYPE }) {
            Ok(typed)
        } else {
            Err(CompileError::TooComplex)
        }
    }

    /// Returns the place of an expression in the text, in characters.
    fn offset(&self, expression: &IdedExpr) -> usize {
        self.offset_of(expression.id)
    }

    fn offset_of(&self, id: u64) -> usize {
        let offset = self.source.offset_for(id);
        offset.map_or(0, |(start, _)| usize::try_from(start).unwrap_or(0))
    }

    pub(super) fn error(&self, at: &IdedExpr, message: impl Into<String>) -> CompileError {
        self.error_at(at.id, message)
    }

    /// Returns an error at a part of the text, by its id.
    pub(super) fn error_at(&self, id: u64, message: impl Into<String>) -> CompileError {
        let (line, column) = position(&self.source.source, self.offset_of(id));
        CompileError::Type { line, column, message: message.into() }
    }

    pub(super) fn mismatch(&self, at: &IdedExpr, wanted: &Type, given: &Type) -> CompileError {
        let (wanted, given) = (self.inference.final_type(wanted), self.inference.final_type(given));
        self.error(at, format!("expected type '{wanted}' but found '{given}'"))
    }

    fn undeclared(&self, at: &IdedExpr, name: &str) -> CompileError {
        if self.environment.is_unsupported(name) || ELSEWHERE.contains(&name) {
            return CompileError::Unsupported { name: name.to_owned() };
        }
        self.error(at, format!("undeclared reference to '{name}' (in container '')"))
    }

    fn name(&mut self, at: &IdedExpr, name: &str) -> Compiled {
        let global = name.strip_prefix('.');
        let local = match global {
            None => self.local(name),
            Some(_) => None,
        };
        if let Some((index, local)) = local {
            if let Some(used) = self.scopes.get_mut(index) {
                used.is_used = true;
            }
            return Ok(local);
        }
        let name = global.unwrap_or(name);
        if let Some((root, declared)) = self.environment.root(name) {
            self.roots.insert(root);
            return Ok(Typed { node: path(Base::Root(root)), is: declared });
        }
        if name == "variables" || self.environment.looks_up(name) {
            return Err(CompileError::Unsupported { name: format!("`{name}` without a field") });
        }
        type_value(name).ok_or_else(|| self.undeclared(at, name))
    }

    /// Returns the variable of a macro, with its position among those in scope.
    fn local(&self, name: &str) -> Option<(usize, Typed)> {
        let index = self.scopes.iter().rposition(|it| it.name == name)?;
        let local = self.scopes.get(index)?;
        let typed = Typed { node: path(Base::Local(index)), is: local.declared.clone() };
        Some((index, typed))
    }

    /// Returns the name before a dot if it is not that of a variable of a macro.
    fn global_name<'e>(&self, expression: &'e IdedExpr) -> Option<&'e str> {
        match &expression.expr {
            Expr::Ident(name) => match name.strip_prefix('.') {
                Some(name) => Some(name),
                None => self.local(name).is_none().then_some(name),
            },
            _ => None,
        }
    }

    /// Returns names with dots, such as `google.protobuf.Timestamp`.
    fn qualified_name(&self, expression: &IdedExpr) -> Option<String> {
        match &expression.expr {
            Expr::Select(select) if !select.test => {
                let before = self.qualified_name(&select.operand)?;
                Some(format!("{before}.{}", select.field))
            }
            _ => self.global_name(expression).map(str::to_owned),
        }
    }

    /// Checks a selection of a field, or the test of its presence.
    fn select(&mut self, at: &IdedExpr, select: &SelectExpr, is_test: bool) -> Compiled {
        if !is_test
            && let Some(name) = self.qualified_name(at)
            && let Some(value) = type_value(&name)
        {
            return Ok(value);
        }
        self.field(at, &select.operand, &select.field, false, is_test)
    }

    fn field(
        &mut self,
        at: &IdedExpr,
        operand: &IdedExpr,
        field: &str,
        is_optional: bool,
        is_test: bool,
    ) -> Compiled {
        match self.global_name(operand) {
            Some("variables") => return self.variable(at, field, is_optional, is_test),
            Some(name) if self.environment.looks_up(name) => {
                return self.lookup(at, field, is_optional);
            }
            _ => {}
        }
        let operand = self.expression(operand)?;
        let target = self.inference.resolve(&operand.is);
        let (target, was_optional) = match target {
            Type::Optional(inner) => ((*inner).clone(), true),
            other => (other, false),
        };
        let result = match &target {
            Type::Map(it) => it.1.clone(),
            Type::Record(name) => match record_field(name, field) {
                Some(declared) => declared,
                None => return Err(self.error(at, format!("undefined field '{field}'"))),
            },
            Type::Variable(_) => {
                self.inference.assign(&Type::Dyn, &target);
                Type::Dyn
            }
            Type::Dyn | Type::Error => Type::Dyn,
            Type::Constructed(name) => {
                return Err(CompileError::Unsupported {
                    name: format!("a field of `{name}{{…}}`"),
                });
            }
            other => {
                let message = format!("type '{other}' does not support field selection");
                return Err(self.error(at, message));
            }
        };
        let step =
            Step { key: Key::Constant(Value::from(field)), is_optional, offset: self.offset(at) };
        let is = if is_test {
            Type::Bool
        } else if was_optional || is_optional {
            Type::optional(result)
        } else {
            result
        };
        Ok(Typed { node: with_step(operand.node, step, is_test), is })
    }

    /// Checks `variables.<name>`.
    fn variable(
        &mut self,
        at: &IdedExpr,
        name: &str,
        is_optional: bool,
        is_test: bool,
    ) -> Compiled {
        let Some(variable) = self.environment.variable(name) else {
            return Err(self.error(at, format!("undefined field '{name}'")));
        };
        if is_optional {
            return Err(CompileError::Unsupported { name: format!("`variables.?{name}`") });
        }
        if is_test {
            let (node, is) = (Node::Declared, Type::Bool);
            return Ok(Typed { node, is });
        }
        self.variables.insert(name.to_owned());
        self.deepest_variable = self.deepest_variable.max(variable.depth);
        Ok(Typed { node: path(Base::Variable(variable.index)), is: variable.result.clone() })
    }

    /// Checks a field of the variable with lookups.
    fn lookup(&mut self, at: &IdedExpr, name: &str, is_optional: bool) -> Compiled {
        if !self.environment.has_lookup(name) || is_optional {
            return Err(self.error(at, format!("undefined field '{name}'")));
        }
        self.lookups.push(Lookup {
            name: name.to_owned(),
            is_call: false,
            literal_arguments: Vec::new(),
        });
        Ok(Typed { node: path(Base::Lookup(name.into())), is: Type::Dyn })
    }

    fn lookup_call(&mut self, at: &IdedExpr, call: &CallExpr) -> Compiled {
        let name = call.func_name.as_str();
        if !self.environment.has_lookup_function(name) {
            return Err(self.undeclared(at, name));
        }
        let arguments = self.all(&call.args)?;
        let literal = |it: &Typed| match &it.node {
            Node::Constant(Value::String(text)) => Some((**text).to_owned()),
            _ => None,
        };
        self.lookups.push(Lookup {
            name: name.to_owned(),
            is_call: true,
            literal_arguments: arguments.iter().map(literal).collect(),
        });
        let call = LookupCall {
            name: name.into(),
            arguments: arguments.into_iter().map(|it| it.node).collect(),
        };
        Ok(Typed { node: Node::Lookup(Box::new(call)), is: Type::Dyn })
    }

    fn all(&mut self, expressions: &[IdedExpr]) -> Compiled<Vec<Typed>> {
        expressions.iter().map(|it| self.expression(it)).collect()
    }

    fn call(&mut self, at: &IdedExpr, call: &CallExpr) -> Compiled {
        let name = call.func_name.as_str();
        if let Some(target) = &call.target {
            return self.member_call(at, target, call);
        }
        match (name, &call.args[..]) {
            ("has", [argument]) => match &argument.expr {
                Expr::Select(select) => self.select(argument, select, true),
                _ => Err(self.error(argument, "invalid argument to has() macro")),
            },
            (operators::LOGICAL_AND | operators::LOGICAL_OR, operands) => {
                self.logical(name == operators::LOGICAL_OR, operands)
            }
            (operators::CONDITIONAL, [condition, yes, no]) => {
                self.conditional(at, condition, yes, no)
            }
            (operators::INDEX, [operand, index]) => self.index(at, operand, index, false),
            (operators::OPT_INDEX, [operand, index]) => self.index(at, operand, index, true),
            (operators::OPT_SELECT, [operand, field]) => match &field.expr {
                Expr::Literal(LiteralValue::String(name)) => {
                    self.field(at, operand, name.inner(), true, false)
                }
                _ => Err(self.error(field, "unsupported optional field selection")),
            },
            (_, arguments) => {
                let arguments = self.all(arguments)?;
                self.function(at, name, false, arguments, call)
            }
        }
    }

    fn member_call(&mut self, at: &IdedExpr, target: &IdedExpr, call: &CallExpr) -> Compiled {
        if let Some(result) = self.macro_call(at, target, call) {
            return result;
        }
        let name = call.func_name.as_str();
        if self.global_name(target).is_some_and(|it| self.environment.looks_up(it)) {
            return self.lookup_call(at, call);
        }
        if let Some(before) = self.qualified_name(target) {
            let qualified = format!("{before}.{name}");
            if find(&qualified, false).is_some() {
                let arguments = self.all(&call.args)?;
                return self.function(at, &qualified, false, arguments, call);
            }
        }
        let is_format = name == "format";
        self.formats += usize::from(is_format);
        let arguments = self.expression(target).and_then(|target| {
            let mut arguments = vec![target];
            arguments.extend(self.all(&call.args)?);
            Ok(arguments)
        });
        self.formats -= usize::from(is_format);
        let arguments = arguments?;
        if is_format {
            self.check_format(at, &arguments, call)?;
        }
        match (name, arguments.len()) {
            ("or" | "orValue", 2) => self.optional_or(at, name, arguments),
            _ => self.function(at, name, true, arguments, call),
        }
    }

    /// Checks `&&` or `||`.
    fn logical(&mut self, is_or: bool, operands: &[IdedExpr]) -> Compiled {
        let mut all: Option<Node> = None;
        for operand in operands {
            let typed = self.expression(operand)?;
            if !self.inference.assign(&typed.is, &Type::Bool) {
                return Err(self.mismatch(operand, &Type::Bool, &typed.is));
            }
            all = Some(match all {
                None => typed.node,
                Some(before) if is_or => Node::Or(Box::new([before, typed.node])),
                Some(before) => Node::And(Box::new([before, typed.node])),
            });
        }
        Ok(Typed { node: all.ok_or(CompileError::TooComplex)?, is: Type::Bool })
    }

    fn conditional(
        &mut self,
        at: &IdedExpr,
        condition: &IdedExpr,
        yes: &IdedExpr,
        no: &IdedExpr,
    ) -> Compiled {
        let condition = self.expression(condition)?;
        let (yes, no) = (self.expression(yes)?, self.expression(no)?);
        let is = self.conditional_type(at, &condition.is, &yes.is, &no.is)?;
        Ok(Typed { node: Node::Conditional(Box::new([condition.node, yes.node, no.node])), is })
    }

    /// Returns the type of a condition with two branches.
    pub(super) fn conditional_type(
        &mut self,
        at: &IdedExpr,
        condition: &Type,
        yes: &Type,
        no: &Type,
    ) -> Compiled<Type> {
        let given = [condition.clone(), yes.clone(), no.clone()];
        let result = self.inference.variable();
        let wanted = [Type::Bool, result.clone(), result.clone()];
        if self.inference.assign_all(&given, &wanted) {
            Ok(self.inference.resolve(&result))
        } else {
            Err(self.no_overload(at, operators::CONDITIONAL, false, &given))
        }
    }

    fn no_overload(
        &self,
        at: &IdedExpr,
        name: &str,
        is_member: bool,
        given: &[Type],
    ) -> CompileError {
        let given: Vec<String> =
            given.iter().map(|it| self.inference.final_type(it).to_string()).collect();
        let signature = match given.split_first() {
            Some((target, arguments)) if is_member => {
                format!("{target}.({})", arguments.join(", "))
            }
            _ => format!("({})", given.join(", ")),
        };
        let message = format!("found no matching overload for '{name}' applied to '{signature}'");
        self.error(at, message)
    }

    /// Finds the overloads of a function for the types of the arguments.
    fn overloads(
        &mut self,
        at: &IdedExpr,
        declaration: &'static Declaration,
        given: &[Type],
    ) -> Compiled<Resolved> {
        let mut result: Option<Type> = None;
        let mut count = 0;
        let mut first = None;
        for overload in &declaration.overloads {
            let mut types = overload.arguments.clone();
            types.push(overload.result.clone());
            let types = self.inference.instantiate(&types);
            let Some((of_call, wanted)) = types.split_last() else {
                continue;
            };
            if !self.inference.assign_all(given, wanted) {
                continue;
            }
            count += 1;
            first = first.or(Some(overload));
            let of_call = self.inference.resolve(of_call);
            result = Some(match result {
                None => of_call,
                Some(before) if before == Type::Dyn || before == of_call => before,
                Some(_) => Type::Dyn,
            });
        }
        match result {
            Some(result) => Ok(Resolved { result, single: first.filter(|_| count == 1) }),
            None => {
                let (name, is_member) = (declaration.name, declaration.is_member);
                Err(self.no_overload(at, name, is_member, given))
            }
        }
    }

    /// Checks a call of a declared function or operator.
    pub(super) fn function(
        &mut self,
        at: &IdedExpr,
        name: &str,
        is_member: bool,
        arguments: Vec<Typed>,
        call: &CallExpr,
    ) -> Compiled {
        let given: Vec<Type> = arguments.iter().map(|it| it.is.clone()).collect();
        let is_available =
            |it: &&Declaration| it.name != ESCAPE_KEY || self.environment.has_patch_types();
        let Some(declaration) = find(name, is_member).filter(is_available) else {
            return Err(if is_declared(name) && name != ESCAPE_KEY {
                self.no_overload(at, name, is_member, &given)
            } else {
                self.undeclared(at, name)
            });
        };
        // The first overload decides about types that are not known yet.
        let known: Vec<Type> = given.iter().map(|it| self.inference.final_type(it)).collect();
        let resolved = self.overloads(at, declaration, &given)?;
        let (is, single) = (resolved.result, resolved.single);
        let nodes: Vec<Node> = arguments.into_iter().map(|it| it.node).collect();
        if let ([Node::Constant(value)], true) = (&nodes[..], CONVERSIONS.contains(&name)) {
            let value = self.convert(at, declaration.call, value, call)?;
            let node = Node::Constant(value);
            return Ok(Typed { node, is });
        }
        let call = Call {
            function: declaration,
            arguments: nodes,
            single,
            is_guarded: is_guarded(name) && single.is_some_and(|it| it.arguments != known),
        };
        let node = match name {
            operators::IN if call.is_single() => membership(call),
            "matches" | "find" | "findAll" => self.pattern(at, call)?,
            _ => Node::Call(Box::new(call)),
        };
        Ok(Typed { node, is })
    }

    /// Converts a constant.
    fn convert(
        &self,
        at: &IdedExpr,
        implementation: Implementation,
        value: &Value,
        call: &CallExpr,
    ) -> Compiled<Value> {
        let result = implementation(&mut Meter::default(), std::slice::from_ref(value));
        result.map_err(|error| match (&*call.func_name, call.args.first()) {
            (name @ ("duration" | "timestamp"), Some(argument))
                if matches!(argument.expr, Expr::Literal(_)) =>
            {
                self.error(argument, format!("invalid {name} argument"))
            }
            _ => match error {
                EvaluationError::Undetermined(name) => CompileError::Unsupported { name },
                other => self.error(at, other.to_string()),
            },
        })
    }

    /// Compiles a constant regular expression.
    fn pattern(&self, at: &IdedExpr, call: Call) -> Compiled<Node> {
        let Some(Node::Constant(Value::String(text))) = call.arguments.get(1) else {
            return Ok(Node::Call(Box::new(call)));
        };
        match Pattern::of_constant(text)? {
            Some(pattern) => Ok(Node::Pattern(Box::new(PatternCall { call, pattern }))),
            None if call.function.name == "matches" => {
                Err(self.error(at, "invalid matches argument"))
            }
            None => Err(self.error(at, format!("error parsing regexp: `{text}`"))),
        }
    }

    /// Checks `or` and `orValue`, which do not evaluate their second operand if the first has a value.
    fn optional_or(&mut self, at: &IdedExpr, name: &str, arguments: Vec<Typed>) -> Compiled {
        let given: Vec<Type> = arguments.iter().map(|it| it.is.clone()).collect();
        let inner = self.inference.variable();
        let optional = Type::optional(inner.clone());
        let is_value = name == "orValue";
        let second = if is_value { inner } else { optional.clone() };
        let wanted = [optional, second];
        if !self.inference.assign_all(&given, &wanted) {
            return Err(self.no_overload(at, name, true, &given));
        }
        let [_, second] = wanted;
        let is = self.inference.resolve(&second);
        let mut nodes = arguments.into_iter().map(|it| it.node);
        let (Some(first), Some(second)) = (nodes.next(), nodes.next()) else {
            return Err(CompileError::TooComplex);
        };
        let parts = Box::new([first, second]);
        let node = if is_value { Node::OptionalOrValue(parts) } else { Node::OptionalOr(parts) };
        Ok(Typed { node, is })
    }

    /// Checks `a[b]` and `a[?b]`.
    fn index(
        &mut self,
        at: &IdedExpr,
        operand: &IdedExpr,
        index: &IdedExpr,
        is_optional: bool,
    ) -> Compiled {
        let (operand, index) = (self.expression(operand)?, self.expression(index)?);
        let given = [operand.is.clone(), index.is.clone()];
        let mut result: Option<Type> = None;
        for was_optional in [false, true] {
            for is_map in [false, true] {
                let (key, value) = (self.inference.variable(), self.inference.variable());
                let (container, key) = if is_map {
                    (Type::map(key.clone(), value.clone()), key)
                } else {
                    (Type::list(value.clone()), Type::Int)
                };
                let container = if was_optional { Type::optional(container) } else { container };
                if !self.inference.assign_all(&given, &[container, key]) {
                    continue;
                }
                let value = if was_optional || is_optional { Type::optional(value) } else { value };
                let value = self.inference.resolve(&value);
                result = Some(match result {
                    None => value,
                    Some(before) if before == Type::Dyn || before == value => before,
                    Some(_) => Type::Dyn,
                });
            }
        }
        let Some(is) = result else {
            let name = if is_optional { operators::OPT_INDEX } else { operators::INDEX };
            return Err(self.no_overload(at, name, false, &given));
        };
        let step = Step {
            key: match index.node {
                Node::Constant(value) => Key::Constant(value),
                node => Key::Computed(node),
            },
            is_optional,
            offset: self.offset(at),
        };
        let node = with_step(operand.node, step, false);
        Ok(Typed { node, is })
    }

    fn list(&mut self, list: &ListExpr) -> Compiled {
        let mut joined: Option<Type> = None;
        let mut types = Vec::new();
        let mut elements = Vec::new();
        for (index, element) in list.elements.iter().enumerate() {
            let typed = self.expression(element)?;
            let is_optional = list.optional_indices.contains(&index);
            let is = self.element_type(element, &typed.is, is_optional)?;
            joined = Some(self.join(joined, &is));
            types.push((element, is));
            elements.push(Element { value: typed.node, is_optional });
        }
        self.check_equal_types(&types)?;
        self.elements = types.into_iter().map(|(_, is)| is).collect();
        let item = joined.unwrap_or_else(|| self.inference.variable());
        let is_constant = |it: &Element| !it.is_optional && matches!(it.value, Node::Constant(_));
        let node = if elements.iter().all(is_constant) {
            let values = elements.into_iter().filter_map(|it| match it.value {
                Node::Constant(value) => Some(value),
                _ => None,
            });
            Node::Constant(Value::list(values.collect()))
        } else {
            Node::List(elements)
        };
        Ok(Typed { node, is: Type::list(item) })
    }

    fn map(&mut self, map: &MapExpr) -> Compiled {
        let (mut key_type, mut value_type) = (None, None);
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        let mut entries = Vec::new();
        for entry in &map.entries {
            let EntryExpr::MapEntry(entry) = &entry.expr else {
                return Err(CompileError::TooComplex);
            };
            let key = self.expression(&entry.key)?;
            let value = self.expression(&entry.value)?;
            let is = self.element_type(&entry.value, &value.is, entry.optional)?;
            key_type = Some(self.join(key_type, &key.is));
            value_type = Some(self.join(value_type, &is));
            keys.push((&entry.key, key.is));
            values.push((&entry.value, is));
            entries.push(Entry { key: key.node, value: value.node, is_optional: entry.optional });
        }
        self.check_equal_types(&keys)?;
        self.check_equal_types(&values)?;
        let key = key_type.unwrap_or_else(|| self.inference.variable());
        let value = value_type.unwrap_or_else(|| self.inference.variable());
        Ok(Typed { node: constant_map(entries), is: Type::map(key, value) })
    }

    /// Returns the type of an element or value, without `optional`.
    fn element_type(&self, at: &IdedExpr, is: &Type, is_optional: bool) -> Compiled<Type> {
        let is = self.inference.resolve(is);
        match is {
            Type::Optional(inner) if is_optional => Ok((*inner).clone()),
            Type::Dyn | Type::Error if is_optional => Ok(Type::Dyn),
            other if is_optional => Err(self.mismatch(at, &Type::optional(other.clone()), &other)),
            other => Ok(other),
        }
    }

    fn join(&mut self, before: Option<Type>, is: &Type) -> Type {
        match before {
            None => is.clone(),
            Some(before) if self.inference.assign(&before, is) => general(&before, is),
            Some(_) => Type::Dyn,
        }
    }

    /// Checks that elements have the same type: Kubernetes permits no other literals, except in `format`.
    fn check_equal_types(&self, elements: &[(&IdedExpr, Type)]) -> Compiled<()> {
        let Some(((_, first), others)) = elements.split_first() else {
            return Ok(());
        };
        if self.formats > 0 {
            return Ok(());
        }
        let first = self.inference.final_type(first);
        for (at, other) in others {
            if self.inference.final_type(other) != first {
                return Err(self.mismatch(at, &first, other));
            }
        }
        Ok(())
    }

    /// Checks the clauses of a literal format with a literal list of arguments.
    fn check_format(&self, at: &IdedExpr, arguments: &[Typed], call: &CallExpr) -> Compiled<()> {
        let ([text, _], [expression]) = (arguments, &call.args[..]) else {
            return Ok(());
        };
        let (Node::Constant(Value::String(text)), Expr::List(elements)) =
            (&text.node, &expression.expr)
        else {
            return Ok(());
        };
        // The list is the last expression that was checked.
        let types: Vec<Type> =
            self.elements.iter().map(|it| self.inference.final_type(it)).collect();
        let mut count = 0;
        let checked = walk_format(text, types.len(), |index, clause| {
            count = index + 1;
            match types.get(index) {
                Some(Type::Dyn | Type::Error) | None => Ok(String::new()),
                Some(is) => {
                    let name = type_name(is);
                    if clause.accepts(name) {
                        Ok(String::new())
                    } else {
                        Err(clause.mismatch(name))
                    }
                }
            }
        });
        if let Err(message) = checked {
            let at = elements.elements.get(count.saturating_sub(1));
            return Err(self.error(at.unwrap_or(expression), message));
        }
        if types.len() > count {
            let given = types.len();
            let message = format!(
                "too many arguments supplied to string.format (expected {count}, got {given})"
            );
            Err(self.error(at, message))
        } else {
            Ok(())
        }
    }
}

/// Reports whether a type has at most as many parts as `rest`.
fn has_size(is: &Type, rest: &mut usize) -> bool {
    let Some(less) = rest.checked_sub(1) else {
        return false;
    };
    *rest = less;
    match is {
        Type::List(it) | Type::Optional(it) | Type::Of(it) => has_size(it, rest),
        Type::Map(it) => has_size(&it.0, rest) && has_size(&it.1, rest),
        _ => true,
    }
}

/// Reports whether cel-go compares the types of arguments with those of the only overload.
///
/// All other functions accept arguments by their abilities.
fn is_guarded(name: &str) -> bool {
    const UNGUARDED: [&str; 9] =
        ["contains", "dyn", "endsWith", "flatten", "matches", "size", "sort", "startsWith", "type"];
    name.starts_with(|it: char| it.is_ascii_alphabetic()) && !UNGUARDED.contains(&name)
}

/// Returns the name of a type of values.
fn type_name(is: &Type) -> &'static str {
    match is {
        Type::Null => "null_type",
        Type::Bool => "bool",
        Type::Int => "int",
        Type::Uint => "uint",
        Type::Double => "double",
        Type::String => "string",
        Type::Bytes => "bytes",
        Type::Map(_) => "map",
        Type::Of(_) => "type",
        Type::Optional(_) => "optional_type",
        Type::Timestamp => "google.protobuf.Timestamp",
        Type::Duration => "google.protobuf.Duration",
        Type::Opaque(name) | Type::Record(name) => name,
        Type::Constructed(_) => OBJECT,
        _ => "list",
    }
}

fn path(base: Base) -> Node {
    Node::Path(Box::new(Path { base, steps: Vec::new(), is_test: false }))
}

/// Appends a step to a path.
fn with_step(node: Node, step: Step, is_test: bool) -> Node {
    let base = match node {
        Node::Path(mut path) if !path.is_test => {
            path.steps.push(step);
            path.is_test = is_test;
            return Node::Path(path);
        }
        Node::Conditional(parts) => Base::Conditional(parts),
        other => Base::Node(other),
    };
    Node::Path(Box::new(Path { base, steps: vec![step], is_test }))
}

fn constant(literal: &LiteralValue) -> Typed {
    let (value, is) = match literal {
        LiteralValue::Boolean(it) => (Value::Bool(*it.inner()), Type::Bool),
        LiteralValue::Bytes(it) => (Value::Bytes(it.inner().into()), Type::Bytes),
        LiteralValue::Double(it) => (Value::Double(*it.inner()), Type::Double),
        LiteralValue::Int(it) => (Value::Int(*it.inner()), Type::Int),
        LiteralValue::Null => (Value::Null, Type::Null),
        LiteralValue::String(it) => (Value::from(it.inner()), Type::String),
        LiteralValue::UInt(it) => (Value::Uint(*it.inner()), Type::Uint),
    };
    let node = Node::Constant(value);
    Typed { node, is }
}

/// Returns the value of a type, by its name.
fn type_value(name: &str) -> Option<Typed> {
    let name = TYPE_NAMES.into_iter().find(|it| *it == name)?;
    Some(Typed { node: Node::Constant(Value::Type(name)), is: Type::Of(Arc::new(Type::Dyn)) })
}

/// Returns a map, as a constant if all keys and values are.
fn constant_map(entries: Vec<Entry>) -> Node {
    let is_constant = |it: &Entry| {
        let parts = (&it.key, &it.value);
        !it.is_optional && matches!(parts, (Node::Constant(key), Node::Constant(_)) if is_key(key))
    };
    if !entries.iter().all(is_constant) {
        return Node::Map(entries);
    }
    let pairs = entries.into_iter().filter_map(|it| match (it.key, it.value) {
        (Node::Constant(key), Node::Constant(value)) => Some((key, value)),
        _ => None,
    });
    let map = Map::from_pairs(pairs.collect());
    Node::Constant(Value::Map(Arc::new(map)))
}

/// Replaces `in` with a list of constants; it then has no cost, as in cel-go.
fn membership(mut call: Call) -> Node {
    let Some(Node::Constant(Value::List(list))) = call.arguments.get(1) else {
        return Node::Call(Box::new(call));
    };
    let is_simple = |it: &Value| {
        matches!(
            it,
            Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::Double(_) | Value::String(_)
        )
    };
    if list.items.is_empty() {
        return Node::Constant(Value::Bool(false));
    }
    if !list.items.iter().all(is_simple) {
        return Node::Call(Box::new(call));
    }
    let mut strings = BTreeSet::new();
    let mut others = Vec::new();
    for item in &list.items {
        match item {
            Value::String(text) => _ = strings.insert(text.clone()),
            other => others.push(other.clone()),
        }
    }
    call.arguments.truncate(1);
    match call.arguments.pop() {
        Some(value) => Node::Membership(Box::new(Membership { value, strings, others })),
        None => Node::Constant(Value::Bool(false)),
    }
}

/// Returns the nesting of a syntax tree, without recursion.
fn depth_of(tree: &IdedExpr) -> usize {
    let mut open = vec![(tree, 1)];
    let mut deepest = 0;
    while let Some((next, depth)) = open.pop() {
        deepest = deepest.max(depth);
        open.extend(children(next).into_iter().map(|it| (it, depth + 1)));
    }
    deepest
}

fn children(of: &IdedExpr) -> Vec<&IdedExpr> {
    match &of.expr {
        Expr::Select(select) => vec![&select.operand],
        Expr::Call(call) => call.target.as_deref().into_iter().chain(&call.args).collect(),
        Expr::List(list) => list.elements.iter().collect(),
        Expr::Map(map) => entries(map.entries.iter().map(|it| &it.expr)),
        Expr::Struct(it) => entries(it.entries.iter().map(|it| &it.expr)),
        Expr::Comprehension(_) | Expr::Ident(_) | Expr::Literal(_) | Expr::Unspecified => {
            Vec::new()
        }
    }
}

fn entries<'t>(of: impl Iterator<Item = &'t EntryExpr>) -> Vec<&'t IdedExpr> {
    let mut parts = Vec::new();
    for entry in of {
        match entry {
            EntryExpr::StructField(it) => parts.push(&it.value),
            EntryExpr::MapEntry(it) => parts.extend([&it.key, &it.value]),
        }
    }
    parts
}
