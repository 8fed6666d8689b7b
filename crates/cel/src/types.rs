// SPDX-License-Identifier: Apache-2.0
use std::fmt;
use std::sync::Arc;

/// A type in the checker.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type {
    Dyn,
    Null,
    Bool,
    Int,
    Uint,
    Double,
    String,
    Bytes,
    Timestamp,
    Duration,
    List(Arc<Type>),
    Map(Arc<(Type, Type)>),
    Optional(Arc<Type>),
    /// The type of a type.
    Of(Arc<Type>),
    /// An opaque type of a library, by its name.
    Opaque(&'static str),
    /// A type with fields, or a library type that Kubernetes declares as one, by its name.
    Record(&'static str),
    /// An object or a patch that an expression creates, by its name such as `Object.spec`.
    Constructed(Arc<str>),
    /// A type parameter of an overload, or a type that is inferred.
    Variable(u32),
    /// The type of an expression with an error, or of a signature that cannot be parsed.
    Error,
}

/// The name of the type of objects; those of nested objects begin with it.
pub(super) const OBJECT: &str = "Object";
/// The name of the type of JSON patches.
pub(super) const JSON_PATCH: &str = "JSONPatch";

impl Type {
    /// Reports whether it is the type of created objects or patches of that name.
    pub(super) fn is_constructed(&self, name: &str) -> bool {
        matches!(self, Self::Constructed(it) if **it == *name)
    }

    pub(super) fn list(item: Self) -> Self {
        Self::List(Arc::new(item))
    }

    pub(super) fn map(key: Self, value: Self) -> Self {
        Self::Map(Arc::new((key, value)))
    }

    pub(super) fn optional(inner: Self) -> Self {
        Self::Optional(Arc::new(inner))
    }

    /// Returns the name in messages about the type of a result.
    pub(super) fn declared_name(&self) -> String {
        match self {
            Self::Null => "null_type".to_owned(),
            Self::Timestamp => "google.protobuf.Timestamp".to_owned(),
            Self::Duration => "google.protobuf.Duration".to_owned(),
            _ => self.to_string(),
        }
    }

    fn is_dyn(&self) -> bool {
        matches!(self, Self::Dyn | Self::Error)
    }

    /// Reports whether the type has an inferred part.
    fn has_variable(&self) -> bool {
        match self {
            Self::Variable(_) => true,
            Self::List(it) | Self::Optional(it) | Self::Of(it) => it.has_variable(),
            Self::Map(it) => it.0.has_variable() || it.1.has_variable(),
            _ => false,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dyn => "dyn",
            Self::Null => "null",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Uint => "uint",
            Self::Double => "double",
            Self::String => "string",
            Self::Bytes => "bytes",
            Self::Timestamp => "timestamp",
            Self::Duration => "duration",
            Self::List(item) => return write!(f, "list({item})"),
            Self::Map(it) => return write!(f, "map({}, {})", it.0, it.1),
            Self::Optional(inner) => return write!(f, "optional_type({inner})"),
            Self::Of(inner) => return write!(f, "type({inner})"),
            Self::Opaque(name) | Self::Record(name) => name,
            Self::Constructed(name) => name,
            Self::Variable(_) => "dyn",
            Self::Error => "!error!",
        })
    }
}

/// The inferred types. Mirrors the substitutions of cel-go's checker.
#[derive(Debug, Default)]
pub(super) struct Inference {
    known: Vec<Option<Type>>,
    /// Changes since the last commit, to undo them.
    changes: Vec<(u32, Option<Type>)>,
}

/// Maximum nesting of types: they grow with the nesting of an expression.
const DEEPEST: u32 = 200;

impl Inference {
    /// Returns a new type variable.
    pub(super) fn variable(&mut self) -> Type {
        let index = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
        self.known.push(None);
        Type::Variable(index)
    }

    /// Makes `given` assignable to `wanted` if possible, and reports whether it is.
    pub(super) fn assign(&mut self, given: &Type, wanted: &Type) -> bool {
        self.assign_all(std::slice::from_ref(given), std::slice::from_ref(wanted))
    }

    /// Like [`Self::assign`] for several pairs; changes nothing if one of them fails.
    pub(super) fn assign_all(&mut self, given: &[Type], wanted: &[Type]) -> bool {
        self.changes.clear();
        let mut pairs = given.iter().zip(wanted);
        let is_right = given.len() == wanted.len() && pairs.all(|(a, b)| self.unify(a, b, 0));
        if !is_right {
            while let Some((index, before)) = self.changes.pop() {
                if let Some(known) = self.slot(index) {
                    *known = before;
                }
            }
        }
        is_right
    }

    fn slot(&mut self, index: u32) -> Option<&mut Option<Type>> {
        self.known.get_mut(usize::try_from(index).ok()?)
    }

    fn find(&self, index: u32) -> Option<&Type> {
        self.known.get(usize::try_from(index).ok()?)?.as_ref()
    }

    fn set(&mut self, index: u32, value: Type) {
        let before = self.slot(index).and_then(|slot| slot.replace(value));
        self.changes.push((index, before));
    }

    fn unify(&mut self, a: &Type, b: &Type, depth: u32) -> bool {
        if depth > DEEPEST {
            return false;
        }
        if let Type::Variable(variable) = b {
            let (is_valid, is_known) = self.substitute_with(a, *variable, depth);
            if is_valid || is_known {
                return is_valid;
            }
        }
        if let Type::Variable(variable) = a {
            return self.substitute_with(b, *variable, depth).0;
        }
        if a.is_dyn() || b.is_dyn() {
            return true;
        }
        match (a, b) {
            (Type::Null, other) | (other, Type::Null) => matches!(
                other,
                Type::Null
                    | Type::Optional(_)
                    | Type::Opaque(_)
                    | Type::Record(_)
                    | Type::Constructed(_)
                    | Type::Timestamp
                    | Type::Duration
            ),
            (Type::Of(_), Type::Of(_)) => true,
            (Type::List(a), Type::List(b)) | (Type::Optional(a), Type::Optional(b)) => {
                self.unify(a, b, depth + 1)
            }
            (Type::Map(a), Type::Map(b)) => {
                self.unify(&a.0, &b.0, depth + 1) && self.unify(&a.1, &b.1, depth + 1)
            }
            (a, b) => a == b,
        }
    }

    /// Returns whether a type is a valid substitution of a variable, and whether the variable already had one.
    fn substitute_with(&mut self, given: &Type, variable: u32, depth: u32) -> (bool, bool) {
        if *given == Type::Variable(variable) {
            return (true, true);
        }
        let Some(known) = self.find(variable).cloned() else {
            if self.is_free_of(variable, given, 0) {
                self.set(variable, given.clone());
                return (true, false);
            }
            return (false, false);
        };
        if *given == known {
            return (true, true);
        }
        if !self.unify(given, &known, depth + 1) {
            return (false, true);
        }
        let general = if is_less_specific(given, &known) { given.clone() } else { known };
        if self.is_free_of(variable, &general, 0) {
            self.set(variable, general);
        }
        (true, true)
    }

    /// Reports whether a variable does not occur in a type.
    fn is_free_of(&self, variable: u32, within: &Type, depth: u32) -> bool {
        if depth > DEEPEST {
            return false;
        }
        match within {
            Type::Variable(other) => {
                let known = self.find(*other);
                *other != variable
                    && known.is_none_or(|it| self.is_free_of(variable, it, depth + 1))
            }
            Type::List(it) | Type::Optional(it) | Type::Of(it) => {
                self.is_free_of(variable, it, depth + 1)
            }
            Type::Map(it) => {
                self.is_free_of(variable, &it.0, depth + 1)
                    && self.is_free_of(variable, &it.1, depth + 1)
            }
            _ => true,
        }
    }

    /// Replaces variables with their types.
    pub(super) fn resolve(&self, of: &Type) -> Type {
        self.resolve_within(of, 0)
    }

    fn resolve_within(&self, of: &Type, depth: u32) -> Type {
        if depth > DEEPEST || !of.has_variable() {
            return of.clone();
        }
        let inner = |it: &Type| self.resolve_within(it, depth + 1);
        match of {
            Type::Variable(variable) => match self.find(*variable) {
                Some(known) => inner(known),
                None => of.clone(),
            },
            Type::List(it) => Type::list(inner(it)),
            Type::Optional(it) => Type::optional(inner(it)),
            Type::Of(it) => Type::Of(Arc::new(inner(it))),
            Type::Map(it) => Type::map(inner(&it.0), inner(&it.1)),
            _ => of.clone(),
        }
    }

    /// Replaces variables with their types, and unknown ones with `dyn`.
    pub(super) fn final_type(&self, of: &Type) -> Type {
        without_variables(&self.resolve(of))
    }

    /// Returns a signature with new variables in place of its parameters.
    pub(super) fn instantiate(&mut self, types: &[Type]) -> Vec<Type> {
        let start = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
        let mut count = 0;
        let types = types.iter().map(|it| shift(it, start, &mut count)).collect();
        for _ in 0..count {
            self.known.push(None);
        }
        types
    }
}

/// Returns the more general one of two types that are assignable to each other.
pub(super) fn general(first: &Type, second: &Type) -> Type {
    let it = if is_less_specific(first, second) { first } else { second };
    it.clone()
}

/// Adds `start` to the numbers of variables; `count` becomes their number.
fn shift(of: &Type, start: u32, count: &mut u32) -> Type {
    match of {
        Type::Variable(index) => {
            *count = (*count).max(index + 1);
            Type::Variable(start.saturating_add(*index))
        }
        Type::List(it) => Type::list(shift(it, start, count)),
        Type::Optional(it) => Type::optional(shift(it, start, count)),
        Type::Of(it) => Type::Of(Arc::new(shift(it, start, count))),
        Type::Map(it) => Type::map(shift(&it.0, start, count), shift(&it.1, start, count)),
        _ => of.clone(),
    }
}

fn without_variables(of: &Type) -> Type {
    match of {
        Type::Variable(_) => Type::Dyn,
        Type::List(it) => Type::list(without_variables(it)),
        Type::Optional(it) => Type::optional(without_variables(it)),
        Type::Of(it) => Type::Of(Arc::new(without_variables(it))),
        Type::Map(it) => Type::map(without_variables(&it.0), without_variables(&it.1)),
        _ => of.clone(),
    }
}

fn is_less_specific(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Dyn | Type::Variable(_), _) => true,
        (_, Type::Dyn | Type::Variable(_)) => false,
        (Type::List(a), Type::List(b)) | (Type::Optional(a), Type::Optional(b)) => {
            is_less_specific(a, b)
        }
        (Type::Map(a), Type::Map(b)) => {
            is_less_specific(&a.0, &b.0) && is_less_specific(&a.1, &b.1)
        }
        (Type::Of(_), Type::Of(_)) => true,
        (a, b) => a == b,
    }
}
