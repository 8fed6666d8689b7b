// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;
use std::sync::Arc;

use super::functions::{Declaration, Signature};
use super::regex::Pattern;
use super::text::Text;
use super::value::Value;

/// A checked expression, ready for evaluation.
#[derive(Debug)]
pub(super) enum Node {
    Constant(Value),
    Path(Box<Path>),
    /// A condition and two branches.
    Conditional(Box<[Node; 3]>),
    And(Box<[Node; 2]>),
    Or(Box<[Node; 2]>),
    Call(Box<Call>),
    /// A call with a constant regular expression.
    Pattern(Box<PatternCall>),
    /// `in` with a list of constants.
    Membership(Box<Membership>),
    OptionalOr(Box<[Node; 2]>),
    OptionalOrValue(Box<[Node; 2]>),
    List(Vec<Element>),
    Map(Vec<Entry>),
    Construction(Box<Construction>),
    Fold(Box<Fold>),
    OptionalMap(Box<OptionalMap>),
    SortBy(Box<SortBy>),
    /// A function that looks up objects.
    Lookup(Box<LookupCall>),
    /// `has(variables.x)` of a declared variable.
    Declared,
}

/// Selections of fields and elements, one after another.
#[derive(Debug)]
pub(super) struct Path {
    pub(super) base: Base,
    pub(super) steps: Vec<Step>,
    /// Whether the last step tests presence, as in `has(a.b)`.
    pub(super) is_test: bool,
}

#[derive(Debug)]
pub(super) enum Base {
    Root(Root),
    /// A variable of a macro, by its position among those in scope.
    Local(usize),
    /// `variables.<name>`, by the position of its declaration.
    Variable(usize),
    /// A field that looks up an object.
    Lookup(Arc<str>),
    Conditional(Box<[Node; 3]>),
    Node(Node),
}

/// A variable that every policy, or every rule of a CustomResourceDefinition, has.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Root {
    Object,
    OldObject,
    Params,
    Request,
    NamespaceObject,
    Now,
    Itself,
    OldItself,
}

impl Root {
    pub(super) const ALL: [(Self, &'static str); 8] = [
        (Self::Object, "object"),
        (Self::OldObject, "oldObject"),
        (Self::Params, "params"),
        (Self::Request, "request"),
        (Self::NamespaceObject, "namespaceObject"),
        (Self::Now, "now"),
        (Self::Itself, "self"),
        (Self::OldItself, "oldSelf"),
    ];

    /// Returns the variable of that name.
    pub(super) fn of(name: &str) -> Option<Self> {
        let mut all = Self::ALL.iter();
        all.find(|(_, it)| *it == name).map(|(root, _)| *root)
    }
}

#[derive(Debug)]
pub(super) struct Step {
    pub(super) key: Key,
    /// Whether a missing field or element is valid, as in `a.?b`.
    pub(super) is_optional: bool,
    /// The place in the text, in characters.
    pub(super) offset: usize,
}

#[derive(Debug)]
pub(super) enum Key {
    Constant(Value),
    Computed(Node),
}

#[derive(Debug)]
pub(super) struct Call {
    pub(super) function: &'static Declaration,
    pub(super) arguments: Vec<Node>,
    /// The only possible overload, if there is one, which decides about the cost.
    pub(super) single: Option<&'static Signature>,
    /// Whether the types of the arguments are compared with those of the only overload.
    pub(super) is_guarded: bool,
}

impl Call {
    /// Reports whether only one overload is possible.
    pub(super) fn is_single(&self) -> bool {
        self.single.is_some()
    }
}

#[derive(Debug)]
pub(super) struct PatternCall {
    pub(super) call: Call,
    pub(super) pattern: Pattern,
}

#[derive(Debug)]
pub(super) struct Membership {
    pub(super) value: Node,
    pub(super) strings: BTreeSet<Text>,
    pub(super) others: Vec<Value>,
}

#[derive(Debug)]
pub(super) struct Element {
    pub(super) value: Node,
    pub(super) is_optional: bool,
}

#[derive(Debug)]
pub(super) struct Entry {
    pub(super) key: Node,
    pub(super) value: Node,
    pub(super) is_optional: bool,
}

/// The creation of an `Object` or a `JSONPatch`.
#[derive(Debug)]
pub(super) struct Construction {
    pub(super) type_name: Arc<str>,
    pub(super) fields: Vec<Initializer>,
}

#[derive(Debug)]
pub(super) struct Initializer {
    pub(super) name: Text,
    pub(super) value: Node,
    pub(super) is_optional: bool,
}

/// A macro that iterates over a list or map.
#[derive(Debug)]
pub(super) struct Fold {
    pub(super) kind: FoldKind,
    pub(super) range: Node,
    /// Whether there is a variable for the index or key, and one for the value.
    pub(super) has_two: bool,
    pub(super) filter: Option<Node>,
    pub(super) body: Node,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum FoldKind {
    All,
    Exists,
    ExistsOne,
    /// `map` and `transformList`.
    List,
    Filter,
    /// `transformMap`.
    Map,
    /// `transformMapEntry`.
    Entries,
}

#[derive(Debug)]
pub(super) struct OptionalMap {
    pub(super) target: Node,
    pub(super) body: Node,
    /// Whether the body returns an optional value, as in `optFlatMap`.
    pub(super) is_flat: bool,
    /// Whether the body uses the value, which has a cost.
    pub(super) is_used: bool,
}

#[derive(Debug)]
pub(super) struct SortBy {
    pub(super) target: Node,
    pub(super) keys: Node,
    pub(super) is_single: bool,
}

#[derive(Debug)]
pub(super) struct LookupCall {
    pub(super) name: Arc<str>,
    pub(super) arguments: Vec<Node>,
}

/// A lookup that an expression names.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Lookup {
    /// The name of the field or function.
    pub name: String,
    /// Whether it is a function.
    pub is_call: bool,
    /// The arguments of a function that are literal strings.
    pub literal_arguments: Vec<Option<String>>,
}
