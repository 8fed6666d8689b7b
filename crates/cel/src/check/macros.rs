// SPDX-License-Identifier: Apache-2.0
use cel::common::ast::{CallExpr, Expr, IdedExpr};

use super::{Checker, Compiled, Local, Typed};
use crate::node::{Base, Fold, FoldKind, Node, OptionalMap, Path, SortBy};
use crate::types::Type;

/// A macro with its variables and expressions.
struct Parts<'e> {
    kind: FoldKind,
    variables: Vec<&'e IdedExpr>,
    filter: Option<&'e IdedExpr>,
    body: &'e IdedExpr,
}

/// The type of the variables of a macro.
struct VariableTypes {
    first: Type,
    second: Type,
}

/// Types whose values have an order.
const ORDERED: [Type; 8] = [
    Type::Int,
    Type::Uint,
    Type::Double,
    Type::Bool,
    Type::Duration,
    Type::Timestamp,
    Type::String,
    Type::Bytes,
];

impl Checker<'_> {
    /// Checks a call of a macro; `None` for other calls.
    pub(super) fn macro_call(
        &mut self,
        at: &IdedExpr,
        target: &IdedExpr,
        call: &CallExpr,
    ) -> Option<Compiled> {
        let name = call.func_name.as_str();
        match (name, &call.args[..]) {
            ("optMap" | "optFlatMap", [variable, body]) => {
                Some(self.optional_map(at, target, variable, body, name == "optFlatMap"))
            }
            ("sortBy", [variable, key]) => Some(self.sort_by(at, target, variable, key)),
            (_, arguments) => {
                let parts = parts(name, arguments)?;
                Some(self.fold(at, target, &parts))
            }
        }
    }

    /// Returns the name of a variable.
    fn simple_name(&self, variable: &IdedExpr) -> Compiled<String> {
        match &variable.expr {
            Expr::Ident(name) if !name.starts_with('.') => Ok(name.clone()),
            _ => Err(self.error(variable, "argument must be a simple name")),
        }
    }

    /// Checks expressions with further variables.
    fn within<T>(
        &mut self,
        variables: impl IntoIterator<Item = (String, Type)>,
        check: impl FnOnce(&mut Self) -> Compiled<T>,
    ) -> Compiled<T> {
        let depth = self.scopes.len();
        let locals = variables.into_iter();
        self.scopes.extend(locals.map(|(name, declared)| Local { name, declared, is_used: false }));
        let result = check(self);
        self.scopes.truncate(depth);
        result
    }

    fn fold(&mut self, at: &IdedExpr, target: &IdedExpr, parts: &Parts<'_>) -> Compiled {
        let names = parts
            .variables
            .iter()
            .map(|it| self.simple_name(it))
            .collect::<Compiled<Vec<String>>>()?;
        if let ([first, second], [_, variable]) = (&names[..], &parts.variables[..])
            && first == second
        {
            return Err(self.error(variable, format!("duplicate variable name: {first}")));
        }
        let range = self.expression(target)?;
        let has_two = names.len() == 2;
        let types = self.variable_types(target, &range.is, has_two)?;
        let first = types.first.clone();
        let variables = names.into_iter().zip([types.first, types.second]);
        let (filter, body) = self.within(variables, |this| {
            let filter = parts.filter.map(|it| this.predicate(at, it)).transpose()?;
            let body = match parts.kind {
                FoldKind::Filter => this.predicate(at, parts.body)?,
                FoldKind::All | FoldKind::Exists => {
                    let body = this.expression(parts.body)?;
                    if !this.inference.assign(&Type::Bool, &body.is) {
                        return Err(this.mismatch(parts.body, &Type::Bool, &body.is));
                    }
                    body
                }
                FoldKind::ExistsOne => {
                    let body = this.expression(parts.body)?;
                    this.conditional_type(at, &body.is, &Type::Int, &Type::Int)?;
                    body
                }
                _ => this.expression(parts.body)?,
            };
            Ok((filter, body))
        })?;
        let is = match parts.kind {
            FoldKind::All | FoldKind::Exists | FoldKind::ExistsOne => Type::Bool,
            FoldKind::List => Type::list(body.is.clone()),
            FoldKind::Filter => Type::list(first),
            FoldKind::Map => Type::map(first, body.is.clone()),
            FoldKind::Entries => self.entries_type(parts.body, &body.is)?,
        };
        let (filter, body) = match parts.kind {
            // The body of `filter` is the variable itself.
            FoldKind::Filter => (Some(body.node), local(self.scopes.len())),
            _ => (filter.map(|it| it.node), body.node),
        };
        let fold = Fold { kind: parts.kind, range: range.node, has_two, filter, body };
        Ok(Typed { node: Node::Fold(Box::new(fold)), is })
    }

    /// Checks the condition of a filter.
    fn predicate(&mut self, at: &IdedExpr, predicate: &IdedExpr) -> Compiled {
        let typed = self.expression(predicate)?;
        let list = Type::list(Type::Dyn);
        self.conditional_type(at, &typed.is, &list, &list)?;
        Ok(typed)
    }

    /// Returns the type of the map that `transformMapEntry` returns.
    fn entries_type(&mut self, body: &IdedExpr, is: &Type) -> Compiled<Type> {
        let (key, value) = (self.inference.variable(), self.inference.variable());
        let map = Type::map(key, value);
        if self.inference.assign(is, &map) {
            return Ok(self.inference.resolve(&map));
        }
        let given = self.inference.final_type(is);
        Err(self.error(
            body,
            format!(
                "found no matching overload for 'cel.@mapInsert' applied to '(map(dyn, dyn), {given})'"
            ),
        ))
    }

    fn variable_types(
        &mut self,
        target: &IdedExpr,
        range: &Type,
        has_two: bool,
    ) -> Compiled<VariableTypes> {
        let range = self.inference.resolve(range);
        let (first, second) = match &range {
            Type::List(item) if has_two => (Type::Int, (**item).clone()),
            Type::List(item) => ((**item).clone(), Type::Dyn),
            Type::Map(it) => (it.0.clone(), it.1.clone()),
            Type::Dyn | Type::Error | Type::Variable(_) => {
                self.inference.assign(&Type::Dyn, &range);
                (Type::Dyn, Type::Dyn)
            }
            other => {
                let message = format!(
                    "expression of type '{other}' cannot be range of a comprehension (must be list, map, or dynamic)"
                );
                return Err(self.error(target, message));
            }
        };
        Ok(VariableTypes { first, second })
    }

    fn optional_map(
        &mut self,
        at: &IdedExpr,
        target: &IdedExpr,
        variable: &IdedExpr,
        body: &IdedExpr,
        is_flat: bool,
    ) -> Compiled {
        let Expr::Ident(name) = &variable.expr else {
            let function = if is_flat { "optFlatMap" } else { "optMap" };
            let message = format!("{function}() variable name must be a simple identifier");
            return Err(self.error(variable, message));
        };
        let target = self.expression(target)?;
        let inner = self.inference.variable();
        if !self.inference.assign(&target.is, &Type::optional(inner.clone())) {
            let given = self.inference.final_type(&target.is);
            let message =
                format!("found no matching overload for 'hasValue' applied to '{given}.()'");
            return Err(self.error(at, message));
        }
        let declared = self.inference.resolve(&inner);
        let (body, is_used) = self.within([(name.clone(), declared)], |this| {
            let body = this.expression(body)?;
            Ok((body, this.scopes.last().is_some_and(|it| it.is_used)))
        })?;
        let none = Type::optional(self.inference.variable());
        let result = if is_flat { body.is } else { Type::optional(body.is) };
        let is = self.conditional_type(at, &Type::Bool, &result, &none)?;
        let node = OptionalMap { target: target.node, body: body.node, is_flat, is_used };
        Ok(Typed { node: Node::OptionalMap(Box::new(node)), is })
    }

    fn sort_by(
        &mut self,
        at: &IdedExpr,
        target: &IdedExpr,
        variable: &IdedExpr,
        key: &IdedExpr,
    ) -> Compiled {
        let is_valid =
            matches!(target.expr, Expr::List(_) | Expr::Select(_) | Expr::Ident(_) | Expr::Call(_));
        if !is_valid {
            let message = "sortBy can only be applied to a list, identifier, comprehension, call or select expression";
            return Err(self.error(target, message));
        }
        let name = self.simple_name(variable)?;
        let list = self.expression(target)?;
        let item = self.variable_types(target, &list.is, false)?.first;
        // The list is a variable without a name, so that it is evaluated once.
        let input = (String::new(), list.is.clone());
        let range = local(self.scopes.len());
        let keys = self.within([input, (name, item)], |this| this.expression(key))?;
        let given = [list.is.clone(), Type::list(keys.is.clone())];
        let mut result: Option<Type> = None;
        let mut count = 0;
        for ordered in ORDERED {
            let item = Type::list(self.inference.variable());
            if self.inference.assign_all(&given, &[item.clone(), Type::list(ordered)]) {
                count += 1;
                let item = self.inference.resolve(&item);
                result = Some(match result {
                    Some(before) if before != item => Type::Dyn,
                    _ => item,
                });
            }
        }
        let Some(is) = result else {
            let [list, keys] = given.map(|it| self.inference.final_type(&it));
            let message = format!(
                "found no matching overload for '@sortByAssociatedKeys' applied to '{list}.({keys})'"
            );
            return Err(self.error(at, message));
        };
        let fold =
            Fold { kind: FoldKind::List, range, has_two: false, filter: None, body: keys.node };
        let node =
            SortBy { target: list.node, keys: Node::Fold(Box::new(fold)), is_single: count == 1 };
        Ok(Typed { node: Node::SortBy(Box::new(node)), is })
    }
}

/// Returns the variable at that position.
fn local(index: usize) -> Node {
    Node::Path(Box::new(Path { base: Base::Local(index), steps: Vec::new(), is_test: false }))
}

/// Splits the arguments of a macro; `None` if it is none.
fn parts<'e>(name: &str, arguments: &'e [IdedExpr]) -> Option<Parts<'e>> {
    let kind = match (name, arguments.len()) {
        ("all", 2 | 3) => FoldKind::All,
        ("exists", 2 | 3) => FoldKind::Exists,
        ("exists_one" | "existsOne", 2 | 3) => FoldKind::ExistsOne,
        ("filter", 2) => FoldKind::Filter,
        ("map", 2 | 3) | ("transformList", 3 | 4) => FoldKind::List,
        ("transformMap", 3 | 4) => FoldKind::Map,
        ("transformMapEntry", 3 | 4) => FoldKind::Entries,
        _ => return None,
    };
    let has_two = match name {
        "map" | "filter" => false,
        "all" | "exists" | "exists_one" | "existsOne" => arguments.len() == 3,
        _ => true,
    };
    let (variables, rest) = arguments.split_at_checked(if has_two { 2 } else { 1 })?;
    let (filter, body) = match rest {
        [body] => (None, body),
        [filter, body] => (Some(filter), body),
        _ => return None,
    };
    Some(Parts { kind, variables: variables.iter().collect(), filter, body })
}
