// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use super::equality::equality;
use super::error::{EvaluationError, failed, no_such_overload, undetermined};
use super::excerpt::excerpt;
use super::functions::{Price, sort_by_keys, with_pattern};
use super::meter::Meter;
use super::node::{
    Base, Call, Construction, Element, Entry, Fold, FoldKind, Initializer, Key, LookupCall,
    Membership, Node, OptionalMap, Path, PatternCall, Root, SortBy,
};
use super::number::int_of;
use super::text::Text;
use super::types::Type;
use super::value::{Evaluated, Map, Value, is_key};

/// The cost of a list in Kubernetes.
pub(super) const LIST: u64 = 10;
/// The cost of a map in Kubernetes.
pub(super) const MAP: u64 = 30;
/// The cost of an object or a patch in Kubernetes.
pub(super) const CONSTRUCTION: u64 = 40;
/// The cost of a function that looks up objects, which searches all objects of a kind.
pub(super) const LOOKUP: u64 = 100;

/// The work of one iteration in bytes, since some iterations have no cost in Kubernetes.
const ITERATION: u64 = 16;

/// The values of names.
pub(super) trait Names {
    /// Returns the value of a variable that every policy has.
    fn root(&self, root: Root) -> Evaluated<&Value>;

    /// Returns the value of `variables.<name>`, by the position of its declaration.
    fn variable(&self, index: usize, meter: &mut Meter) -> Evaluated;

    /// Returns the value of a field that looks up an object.
    fn lookup(&self, name: &str) -> Evaluated;

    /// Returns the result of a function that looks up objects.
    fn lookup_call(&self, name: &str, arguments: &[Value]) -> Evaluated;
}

/// Evaluates one expression.
pub(super) struct Evaluator<'e> {
    names: &'e dyn Names,
    meter: &'e mut Meter,
    /// The variables of macros.
    locals: Vec<Value>,
}

/// What an iteration has found so far.
#[derive(Debug, Default)]
struct Found {
    /// The first error of a boolean macro.
    error: Option<EvaluationError>,
    /// Whether an element decides the result of `all` or `exists`.
    is_decided: bool,
    count: usize,
    items: Vec<Value>,
    entries: Vec<(Value, Value)>,
}

impl<'e> Evaluator<'e> {
    pub(super) fn new(names: &'e dyn Names, meter: &'e mut Meter) -> Self {
        Self { names, meter, locals: Vec::new() }
    }

    pub(super) fn evaluate(&mut self, node: &Node) -> Evaluated {
        match node {
            Node::Constant(value) => Ok(value.clone()),
            Node::Path(path) => self.path(path, true),
            Node::Conditional(parts) => self.conditional(parts),
            Node::And(parts) => self.logical(parts, false),
            Node::Or(parts) => self.logical(parts, true),
            Node::Call(call) => self.call(call),
            Node::Pattern(call) => self.pattern(call),
            Node::Membership(among) => self.among(among),
            Node::OptionalOr(parts) => self.or(parts, false),
            Node::OptionalOrValue(parts) => self.or(parts, true),
            Node::List(elements) => self.list(elements),
            Node::Map(entries) => self.map(entries),
            Node::Construction(it) => self.construction(it),
            Node::Fold(fold) => self.fold(fold),
            Node::OptionalMap(it) => self.optional_map(it),
            Node::SortBy(it) => self.sort_by(it),
            Node::Lookup(call) => self.lookup(call),
            Node::Declared => {
                self.meter.charge(1)?;
                Ok(Value::Bool(true))
            }
        }
    }

    /// Evaluates a branch of a condition: the first name in it has no cost.
    fn branch(&mut self, node: &Node) -> Evaluated {
        match node {
            Node::Path(path) => self.path(path, false),
            _ => self.evaluate(node),
        }
    }

    #[inline(never)]
    fn conditional(&mut self, [condition, yes, no]: &[Node; 3]) -> Evaluated {
        match self.evaluate(condition)? {
            Value::Bool(true) => self.branch(yes),
            Value::Bool(false) => self.branch(no),
            _ => no_such_overload(),
        }
    }

    #[inline(never)]
    fn path(&mut self, path: &Path, counts_name: bool) -> Evaluated {
        let name = u64::from(counts_name);
        let base = match &path.base {
            Base::Root(root) => {
                self.meter.charge(name)?;
                self.names.root(*root)?.clone()
            }
            Base::Local(index) => {
                self.meter.charge(name)?;
                match self.locals.get(*index) {
                    Some(value) => value.clone(),
                    None => return failed("no such attribute"),
                }
            }
            Base::Variable(index) => {
                self.meter.charge(name + 1)?;
                self.names.variable(*index, self.meter)?
            }
            Base::Lookup(field) => {
                self.meter.charge(name + 1)?;
                self.names.lookup(field)?
            }
            Base::Conditional(parts) => self.conditional(parts)?,
            Base::Node(node) => {
                let base = self.evaluate(node);
                self.meter.charge(name)?;
                base?
            }
        };
        self.steps(path, base)
    }

    fn steps(&mut self, path: &Path, base: Value) -> Evaluated {
        let absent = || if path.is_test { Value::Bool(false) } else { Value::Optional(None) };
        let mut current = known(&base)?;
        let mut is_optional = false;
        if !path.steps.is_empty() {
            match current {
                Value::Optional(None) => return Ok(absent()),
                Value::Optional(Some(inner)) => {
                    is_optional = true;
                    current = inner;
                }
                _ => {}
            }
        }
        let last = path.steps.len().saturating_sub(1);
        for (index, step) in path.steps.iter().enumerate() {
            let computed;
            let key = match &step.key {
                Key::Constant(key) => key,
                Key::Computed(node) => {
                    computed = match self.key(node) {
                        Ok(key) => self.meter.key(&key).map(|()| key)?,
                        Err(error) => {
                            self.meter.charge(1)?;
                            return Err(error);
                        }
                    };
                    &computed
                }
            };
            if path.is_test && index == last {
                // The test itself has no cost.
                return Ok(Value::Bool(present(current, key)?.is_some()));
            }
            is_optional |= step.is_optional;
            match present(current, key)? {
                Some(value) => current = value,
                None if is_optional => return Ok(absent()),
                None => {
                    self.meter.charge(u64::from(!path.is_test))?;
                    return missing(current, key);
                }
            }
            self.meter.charge(1)?;
        }
        if is_optional { self.meter.some(current.clone()) } else { Ok(current.clone()) }
    }

    /// Evaluates a key in brackets: the first name in it has no cost.
    fn key(&mut self, node: &Node) -> Evaluated {
        let key = self.branch(node)?;
        if is_key(&key) {
            Ok(key)
        } else {
            failed(format!("invalid qualifier type: {}", json_type(&key)))
        }
    }

    /// Evaluates `&&` or `||`; `decisive` is the operand that decides.
    #[inline(never)]
    fn logical(&mut self, parts: &[Node; 2], decisive: bool) -> Evaluated {
        let mut error = None;
        for part in parts {
            let wrong = match self.evaluate(part) {
                Ok(Value::Bool(value)) if value == decisive => return Ok(Value::Bool(value)),
                Ok(Value::Bool(_)) => continue,
                Ok(_) => EvaluationError::Failed("no such overload".to_owned()),
                Err(wrong) if wrong.is_absorbable() => wrong,
                Err(wrong) => return Err(wrong),
            };
            error = Some(EvaluationError::merge(error, wrong));
        }
        error.map_or(Ok(Value::Bool(!decisive)), Err)
    }

    #[inline(never)]
    fn call(&mut self, call: &Call) -> Evaluated {
        match &call.arguments[..] {
            [a] => match self.evaluate(a) {
                Ok(a) => self.apply(call, &[a]),
                Err(error) => self.failed_call(call, error, &[Value::Null]),
            },
            [a, b] => {
                let (a, error) = self.operand(a)?;
                let (b, other) = self.operand(b)?;
                match error.or(other) {
                    None => self.apply(call, &[a, b]),
                    Some(error) => self.failed_call(call, error, &[a, b]),
                }
            }
            arguments => {
                let arguments = self.all(arguments)?;
                self.apply(call, &arguments)
            }
        }
    }

    /// Evaluates an operand of a function with two; `null` takes the place of one that has no value.
    fn operand(&mut self, node: &Node) -> Evaluated<(Value, Option<EvaluationError>)> {
        match self.evaluate(node) {
            Ok(value) => Ok((value, None)),
            Err(error) if error.is_absorbable() => Ok((Value::Null, Some(error))),
            Err(error) => Err(error),
        }
    }

    /// Returns the error of an operand; the call has a cost all the same.
    fn failed_call(
        &mut self,
        call: &Call,
        error: EvaluationError,
        arguments: &[Value],
    ) -> Evaluated {
        let price = call.function.price;
        price.charge(self.meter, arguments, call.is_single())?;
        Err(error)
    }

    fn all(&mut self, nodes: &[Node]) -> Evaluated<Vec<Value>> {
        nodes.iter().map(|node| self.evaluate(node)).collect()
    }

    fn apply(&mut self, call: &Call, arguments: &[Value]) -> Evaluated {
        match self.apply_known(call, arguments) {
            // It may only fail because a part of an argument is not known.
            Err(error @ EvaluationError::Failed(_)) => {
                self.reject_unknown(arguments)?;
                Err(error)
            }
            result => result.and_then(into_known),
        }
    }

    /// Fails if a value, or a part of it, is not known.
    fn reject_unknown(&mut self, values: &[Value]) -> Evaluated<()> {
        self.meter.elements(values.len())?;
        let mut open: Vec<&Value> = values.iter().rev().collect();
        while let Some(value) = open.pop() {
            match value {
                Value::List(list) => {
                    self.meter.elements(list.items.len())?;
                    open.extend(list.items.iter().rev());
                }
                Value::Map(map) => {
                    self.meter.elements(map.len())?;
                    open.extend(map.entries.iter().rev().map(|(_, it)| it));
                }
                Value::Optional(Some(inner)) => {
                    self.meter.elements(1)?;
                    open.push(inner);
                }
                Value::Constructed(object) => {
                    self.meter.elements(object.fields().len())?;
                    open.extend(object.fields().values());
                }
                value => known(value).map(drop)?,
            }
        }
        Ok(())
    }

    fn apply_known(&mut self, call: &Call, arguments: &[Value]) -> Evaluated {
        let price = call.function.price;
        price.charge(self.meter, arguments, call.is_single())?;
        arguments.iter().try_for_each(|it| known(it).map(drop))?;
        if let Some(single) = call.single {
            let mut pairs = arguments.iter().zip(&single.arguments);
            let name = call.function.name;
            if call.is_guarded && !pairs.all(|(value, wanted)| is_of(value, wanted)) {
                let types: Vec<&str> = arguments.iter().map(Value::type_name).collect();
                return failed(format!("no such overload: {name}({})", types.join(", ")));
            }
            if let ("sum", [Value::List(list)]) = (name, arguments)
                && list.items.is_empty()
            {
                return Ok(zero(&single.result));
            }
        }
        let result = (call.function.call)(self.meter, arguments);
        self.meter.charge(price.of_result(result.as_ref().ok()))?;
        result
    }

    #[inline(never)]
    fn pattern(&mut self, PatternCall { call, pattern }: &PatternCall) -> Evaluated {
        let arguments = self.all(&call.arguments)?;
        let function = call.function;
        let price = function.price;
        price.charge(self.meter, &arguments, call.is_single())?;
        with_pattern(self.meter, function.name, pattern, &arguments)
    }

    #[inline(never)]
    fn among(&mut self, among: &Membership) -> Evaluated {
        let value = self.evaluate(&among.value)?;
        if let Value::String(text) = &value {
            return Ok(Value::Bool(among.strings.contains(text)));
        }
        for other in &among.others {
            if equality(self.meter, &value, other)? == Some(true) {
                return Ok(Value::Bool(true));
            }
        }
        Ok(Value::Bool(false))
    }

    /// Evaluates `or` and `orValue`.
    #[inline(never)]
    fn or(&mut self, [first, second]: &[Node; 2], is_value: bool) -> Evaluated {
        match self.evaluate(first)? {
            Value::Optional(Some(value)) if is_value => into_known((*value).clone()),
            Value::Optional(None) => self.evaluate(second),
            other => Ok(other),
        }
    }

    #[inline(never)]
    fn list(&mut self, elements: &[Element]) -> Evaluated {
        let mut items = Vec::with_capacity(elements.len());
        for element in elements {
            let value = match self.evaluate(&element.value) {
                Ok(value) => value,
                Err(error) => {
                    self.meter.charge(LIST)?;
                    return Err(error);
                }
            };
            match value {
                Value::Optional(value) if element.is_optional => {
                    items.extend(value.map(|it| (*it).clone()));
                }
                value if element.is_optional => {
                    let value = excerpt(&value);
                    return failed(format!(
                        "cannot initialize optional list element from non-optional value {value}"
                    ));
                }
                value => items.push(value),
            }
        }
        self.meter.charge(LIST)?;
        self.meter.list(items)
    }

    #[inline(never)]
    fn map(&mut self, entries: &[Entry]) -> Evaluated {
        let mut pairs: Vec<(Value, Value)> = Vec::with_capacity(entries.len());
        for entry in entries {
            let pair = self.evaluate(&entry.key).and_then(|key| {
                let value = self.evaluate(&entry.value)?;
                Ok((key, value))
            });
            let (key, value) = match pair {
                Ok(pair) => pair,
                Err(error) => {
                    self.meter.charge(MAP)?;
                    return Err(error);
                }
            };
            if !is_key(&key) {
                return failed(format!("unsupported key type: {}", key.type_name()));
            }
            match value {
                Value::Optional(Some(value)) if entry.is_optional => {
                    pairs.push((key, (*value).clone()));
                }
                Value::Optional(None) if entry.is_optional => {
                    let (key, rest) = (&key, &mut *self.meter);
                    rest.elements(pairs.len())?;
                    pairs.retain(|(it, _)| !Map::is_same_key(it, key));
                }
                value if entry.is_optional => {
                    let (key, value) = (excerpt(&key), excerpt(&value));
                    return failed(format!(
                        "cannot initialize optional entry '{key}' from non-optional value {value}"
                    ));
                }
                value => pairs.push((key, value)),
            }
        }
        self.meter.charge(MAP)?;
        self.meter.map(pairs)
    }

    #[inline(never)]
    fn construction(&mut self, it: &Construction) -> Evaluated {
        let fields = self.initialized(&it.fields);
        self.meter.charge(CONSTRUCTION)?;
        self.meter.constructed(&it.type_name, fields?)
    }

    /// Evaluates the fields of an object; later ones replace earlier ones of the same name.
    fn initialized(&mut self, initializers: &[Initializer]) -> Evaluated<BTreeMap<Text, Value>> {
        let mut fields = BTreeMap::new();
        for field in initializers {
            match self.evaluate(&field.value)? {
                Value::Optional(Some(value)) if field.is_optional => {
                    fields.insert(field.name.clone(), (*value).clone());
                }
                Value::Optional(None) if field.is_optional => _ = fields.remove(&field.name),
                value if field.is_optional => {
                    let (name, value) = (&field.name, excerpt(&value));
                    return failed(format!(
                        "cannot initialize optional entry '{name}' from non-optional value {value}"
                    ));
                }
                value => _ = fields.insert(field.name.clone(), value),
            }
        }
        Ok(fields)
    }

    #[inline(never)]
    fn lookup(&mut self, call: &LookupCall) -> Evaluated {
        let arguments = self.all(&call.arguments)?;
        self.meter.charge(LOOKUP)?;
        arguments.iter().try_for_each(|it| self.meter.key(it))?;
        let found = self.names.lookup_call(&call.name, &arguments)?;
        // It does not depend on whether the objects were converted before.
        self.meter.work(found.size())?;
        Ok(found)
    }

    #[inline(never)]
    fn optional_map(&mut self, it: &OptionalMap) -> Evaluated {
        let before = self.meter.cost();
        let target = match self.evaluate(&it.target) {
            Ok(target) => target,
            Err(error) => {
                self.meter.charge(1)?;
                return Err(error);
            }
        };
        let cost = self.meter.cost().saturating_sub(before);
        let Value::Optional(target) = target else {
            return no_such_overload();
        };
        // `hasValue()`, then either `optional.none()`, or the target again with `value()`.
        let Some(value) = target else {
            self.meter.charge(2)?;
            return Ok(Value::Optional(None));
        };
        let again = if it.is_used { cost.saturating_add(1) } else { 0 };
        self.meter.charge(again.saturating_add(1))?;
        self.locals.push((*value).clone());
        let result = self.evaluate(&it.body);
        self.locals.pop();
        let result = result?;
        if it.is_flat {
            return Ok(result);
        }
        self.meter.charge(1)?;
        self.meter.some(result)
    }

    #[inline(never)]
    fn sort_by(&mut self, it: &SortBy) -> Evaluated {
        let list = self.evaluate(&it.target)?;
        self.meter.charge(1)?;
        self.locals.push(list.clone());
        let keys = self.evaluate(&it.keys);
        self.locals.pop();
        let keys = keys?;
        let pair = [list, keys];
        Price::Sort.charge(self.meter, &pair, it.is_single)?;
        let [list, keys] = &pair;
        sort_by_keys(self.meter, list, keys)
    }

    #[inline(never)]
    fn fold(&mut self, fold: &Fold) -> Evaluated {
        let range = self.evaluate(&fold.range)?;
        let depth = self.locals.len();
        let mut found = Found::default();
        let result = self.iterate(fold, &range, &mut found);
        self.locals.truncate(depth);
        result?;
        self.conclude(fold.kind, found)
    }

    fn iterate(&mut self, fold: &Fold, range: &Value, found: &mut Found) -> Evaluated<()> {
        let depth = self.locals.len();
        let mut index = 0;
        let mut next = |first: &Value, second: &Value| {
            self.locals.truncate(depth);
            self.locals.push(first.clone());
            if fold.has_two {
                self.locals.push(second.clone());
            }
            self.step(fold, found)
        };
        match range {
            Value::List(list) if fold.has_two => {
                for item in &list.items {
                    if !next(&Value::Int(index), item)? {
                        break;
                    }
                    index += 1;
                }
            }
            Value::List(list) => {
                for item in &list.items {
                    if !next(item, item)? {
                        break;
                    }
                }
            }
            Value::Map(map) => {
                for (key, value) in map.iter() {
                    if !next(key, value)? {
                        break;
                    }
                }
            }
            other => {
                let name = go_type(other);
                return failed(if fold.has_two {
                    format!("unsupported comprehension range type: {name}")
                } else {
                    format!("got '{name}', expected iterable type")
                });
            }
        }
        Ok(())
    }

    /// Evaluates one iteration, and reports whether the next one follows.
    fn step(&mut self, fold: &Fold, found: &mut Found) -> Evaluated<bool> {
        self.meter.work(ITERATION)?;
        match fold.kind {
            FoldKind::All | FoldKind::Exists => return self.quantifier(fold, found),
            FoldKind::ExistsOne => {
                if self.is_wanted(&fold.body, found)? {
                    self.meter.charge(2)?;
                    found.count += 1;
                }
                return Ok(true);
            }
            _ => {}
        }
        if let Some(filter) = &fold.filter
            && !self.is_wanted(filter, found)?
        {
            return Ok(true);
        }
        match fold.kind {
            FoldKind::List | FoldKind::Filter => {
                let is_constant = matches!(fold.body, Node::Constant(_));
                let (item, error) = self.operand(&fold.body)?;
                self.meter.charge(2 + if is_constant { 0 } else { LIST })?;
                self.meter.elements(1)?;
                found.items.push(item);
                // The first error remains, and the iteration goes on, as in cel-go.
                found.error = found.error.take().or(error);
            }
            FoldKind::Map => {
                let key = self.locals.get(self.locals.len().wrapping_sub(2)).cloned();
                let value = self.evaluate(&fold.body)?;
                self.meter.charge(3)?;
                self.meter.elements(2)?;
                found.entries.extend(key.map(|key| (key, value)));
            }
            _ => {
                let Value::Map(map) = self.evaluate(&fold.body)? else {
                    return no_such_overload();
                };
                self.meter.charge(2)?;
                self.meter.elements(map.len())?;
                let entries = map.iter().map(|(key, value)| (key.clone(), value.clone()));
                found.entries.extend(entries);
            }
        }
        Ok(true)
    }

    /// Evaluates one iteration of `all` or `exists`: an element that decides the result absorbs errors of others.
    fn quantifier(&mut self, fold: &Fold, found: &mut Found) -> Evaluated<bool> {
        let decisive = fold.kind == FoldKind::Exists;
        // `@not_strictly_false(accumulator)`, with `!` in `exists`.
        self.meter.charge(2 + u64::from(decisive))?;
        if found.is_decided {
            return Ok(false);
        }
        self.meter.charge(1)?;
        let wrong = match self.evaluate(&fold.body) {
            Ok(Value::Bool(value)) => {
                found.is_decided = value == decisive;
                return Ok(true);
            }
            Ok(_) => EvaluationError::Failed("no such overload".to_owned()),
            Err(wrong) if wrong.is_absorbable() => wrong,
            Err(wrong) => return Err(wrong),
        };
        found.error = Some(EvaluationError::merge(found.error.take(), wrong));
        Ok(true)
    }

    /// Evaluates a condition; its error replaces an earlier one.
    fn is_wanted(&mut self, node: &Node, found: &mut Found) -> Evaluated<bool> {
        let (value, error) = self.operand(node)?;
        match (value, error) {
            (Value::Bool(value), None) => return Ok(value),
            (_, Some(error)) => found.error = Some(error),
            _ => found.error = Some(EvaluationError::Failed("no such overload".to_owned())),
        }
        Ok(false)
    }

    fn conclude(&mut self, kind: FoldKind, found: Found) -> Evaluated {
        self.meter.charge(1)?;
        match kind {
            FoldKind::All | FoldKind::Exists => {
                let decisive = kind == FoldKind::Exists;
                match found.error {
                    _ if found.is_decided => Ok(Value::Bool(decisive)),
                    Some(error) => Err(error),
                    None => Ok(Value::Bool(!decisive)),
                }
            }
            FoldKind::ExistsOne => {
                self.meter.charge(1)?;
                match found.error {
                    Some(error) => Err(error),
                    None => Ok(Value::Bool(found.count == 1)),
                }
            }
            _ if found.error.is_some() => found.error.map_or_else(no_such_overload, Err),
            FoldKind::List | FoldKind::Filter => self.meter.list(found.items),
            FoldKind::Map | FoldKind::Entries => {
                let mut keys = found.entries.iter().map(|(key, _)| key);
                keys.try_for_each(|key| self.meter.key(key))?;
                if let Some(key) = Map::repeated(&found.entries) {
                    let key = excerpt(key);
                    return failed(format!("insert failed: key {key} already exists"));
                }
                self.meter.map(found.entries)
            }
        }
    }
}

/// Returns a value, or the error of one that is not known.
fn known(value: &Value) -> Evaluated<&Value> {
    value.unknown().map_or(Ok(value), Err)
}

fn into_known(value: Value) -> Evaluated {
    known(&value)?;
    Ok(value)
}

/// Reports whether a value has a type; of lists and maps, only the first element counts.
fn is_of(value: &Value, wanted: &Type) -> bool {
    match (value, wanted) {
        (_, Type::Dyn | Type::Variable(_) | Type::Error) => true,
        (Value::Null, Type::Null)
        | (Value::Bool(_), Type::Bool)
        | (Value::Int(_), Type::Int)
        | (Value::Uint(_), Type::Uint)
        | (Value::Double(_), Type::Double)
        | (Value::String(_), Type::String)
        | (Value::Bytes(_), Type::Bytes)
        | (Value::Timestamp(_), Type::Timestamp)
        | (Value::Duration(_), Type::Duration)
        | (Value::Type(_), Type::Of(_))
        | (Value::Optional(_), Type::Optional(_)) => true,
        (Value::List(list), Type::List(item)) => {
            list.items.first().is_none_or(|it| is_of(it, item))
        }
        (Value::Map(map), Type::Map(types)) => map
            .iter()
            .next()
            .is_none_or(|(key, value)| is_of(key, &types.0) && is_of(value, &types.1)),
        (Value::Library(_), Type::Opaque(name) | Type::Record(name)) => value.type_name() == *name,
        _ => false,
    }
}

/// Returns the sum of no elements.
fn zero(element: &Type) -> Value {
    match element {
        Type::Uint => Value::Uint(0),
        Type::Double => Value::Double(0.0),
        Type::Duration => Value::Duration(0),
        _ => Value::Int(0),
    }
}

/// Returns the field or element of a key; `None` if it is missing.
fn present<'v>(value: &'v Value, key: &Value) -> Evaluated<Option<&'v Value>> {
    match value {
        Value::Map(map) => map.get(key).map(known).transpose(),
        Value::List(list) => {
            let index = match key {
                Value::Int(index) => Some(*index),
                Value::Uint(index) => i64::try_from(*index).ok(),
                Value::Double(index) => int_of(*index),
                _ => {
                    let name = key.type_name();
                    return failed(format!("unsupported index type '{name}' in list"));
                }
            };
            let Some(index) = index else {
                return failed(format!("unsupported index value {} in list", excerpt(key)));
            };
            let index = usize::try_from(index).ok();
            let item = index.and_then(|index| list.items.get(index));
            item.map(known).transpose()
        }
        Value::Constructed(_) => undetermined("a field of a constructed object is not evaluated"),
        _ => Ok(None),
    }
}

fn missing(value: &Value, key: &Value) -> Evaluated {
    let key = excerpt(key);
    match value {
        Value::List(_) => failed(format!("index out of bounds: {key}")),
        _ => failed(format!("no such key: {key}")),
    }
}

/// Returns the name of the Go type of a JSON value.
fn json_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "<nil>",
        Value::List(_) => "[]interface {}",
        Value::Map(_) => "map[string]interface {}",
        other => other.type_name(),
    }
}

/// Returns the name of the Go type that cel-go prints.
fn go_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "types.Null",
        Value::Bool(_) => "types.Bool",
        Value::Int(_) => "types.Int",
        Value::Uint(_) => "types.Uint",
        Value::Double(_) => "types.Double",
        Value::String(_) => "types.String",
        Value::Bytes(_) => "types.Bytes",
        Value::Timestamp(_) => "types.Timestamp",
        Value::Duration(_) => "types.Duration",
        Value::Type(_) => "*types.Type",
        Value::Optional(_) => "*types.Optional",
        Value::List(_) => "*types.baseList",
        Value::Map(_) => "*types.baseMap",
        Value::Library(_) => "cel.Value",
        Value::Constructed(_) => "*dynamic.ObjectVal",
        Value::Unknown(_) | Value::Unreadable(_) => "*types.Unknown",
    }
}
