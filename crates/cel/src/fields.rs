// SPDX-License-Identifier: Apache-2.0
use std::fmt;

use garden_gate_text::nearest::did_you_mean;

use super::error::position;
use super::node::{Base, Call, Fold, FoldKind, Key, Node, Path, Root};
use super::schema::{Made, Schema};
use super::value::Value;

/// A field below `object` or `oldObject` that the API model does not know.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct FieldProblem {
    /// The path with the variable, for example `object.spec.provider.worker`.
    pub path: String,
    /// The unknown field.
    pub field: String,
    /// A suggestion, for example "did you mean `workers`?".
    pub suggestion: Option<String>,
    /// The line of the field in the expression, counted from 1.
    pub line: usize,
    /// The column, counted from 1.
    pub column: usize,
}

/// A path below `object` that an expression names. It is printed as `spec.provider.workers[*].maximum`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NamedPath {
    /// The parts of the path.
    pub segments: Vec<PathSegment>,
}

/// A part of a [`NamedPath`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum PathSegment {
    /// A field of an object, or a key of a map.
    Field(String),
    /// An element of a list, counted from 0.
    Index(usize),
    /// All elements or keys, or one that is computed.
    Any,
}

impl fmt::Display for NamedPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, segment) in self.segments.iter().enumerate() {
            let is_simple = |name: &str| {
                name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_' || it == b'-')
            };
            match segment {
                PathSegment::Field(name) if is_simple(name) => {
                    write!(f, "{}{name}", if index == 0 { "" } else { "." })?;
                }
                PathSegment::Field(name) => write!(f, "[{name}]")?,
                PathSegment::Index(index) => write!(f, "[{index}]")?,
                PathSegment::Any => f.write_str("[*]")?,
            }
        }
        Ok(())
    }
}

/// The fields that an expression names.
#[derive(Debug, Default)]
pub(super) struct Fields {
    pub(super) problems: Vec<FieldProblem>,
    pub(super) paths: Vec<NamedPath>,
}

/// Maximum number of problems and of paths.
const MOST: usize = 100;

/// The place of a value in `object` or `oldObject`.
#[derive(Clone, Debug)]
struct Origin<S> {
    root: Root,
    segments: Vec<PathSegment>,
    /// The schema of the value, if it is known.
    schema: Option<S>,
    /// Whether the value is a list of the values at that place.
    is_collected: bool,
}

struct Walk<'t, S> {
    text: &'t str,
    schema: Option<S>,
    locals: Vec<Option<Origin<S>>>,
    found: Fields,
}

impl Fields {
    /// Returns the fields that an expression names, and those that a schema does not have.
    pub(super) fn of<S: Schema>(node: &Node, schema: Option<S>, text: &str) -> Self {
        let mut walk = Walk { text, schema, locals: Vec::new(), found: Self::default() };
        walk.node(node);
        let mut found = walk.found;
        found.paths.sort_by_key(|it| std::cmp::Reverse(it.segments.len()));
        found
    }
}

impl<S: Schema> Origin<S> {
    /// Returns the place of an element or of a value of a map.
    fn element(&self) -> Self {
        let mut element = self.clone();
        if element.is_collected {
            element.is_collected = false;
            return element;
        }
        element.segments.push(PathSegment::Any);
        element.schema = self.schema.and_then(element_of);
        element
    }
}

/// Returns the schema of the elements of a list, or of the values of a map.
fn element_of<S: Schema>(schema: S) -> Option<S> {
    match schema.made() {
        Made::List(inner) | Made::Map(inner) => Some(inner),
        _ => None,
    }
}

impl<S: Schema> Walk<'_, S> {
    /// Visits an expression, and returns the place of its value.
    fn node(&mut self, node: &Node) -> Option<Origin<S>> {
        match node {
            Node::Constant(_) | Node::Declared => None,
            Node::Path(path) => self.path(path),
            Node::Conditional(parts) => self.all(parts.as_slice()),
            Node::And(parts) | Node::Or(parts) => self.all(parts.as_slice()),
            Node::OptionalOr(parts) | Node::OptionalOrValue(parts) => {
                let [first, second] = &**parts;
                let origin = self.node(first);
                self.node(second);
                origin
            }
            Node::Call(call) => self.call(call),
            Node::Pattern(it) => self.all(&it.call.arguments),
            Node::Membership(it) => {
                self.node(&it.value);
                None
            }
            Node::List(elements) => {
                for element in elements {
                    self.node(&element.value);
                }
                None
            }
            Node::Map(entries) => {
                for entry in entries {
                    self.node(&entry.key);
                    self.node(&entry.value);
                }
                None
            }
            Node::Construction(it) => {
                for field in &it.fields {
                    self.node(&field.value);
                }
                None
            }
            Node::Fold(fold) => self.fold(fold),
            Node::OptionalMap(it) => {
                let target = self.node(&it.target);
                self.locals.push(target);
                let result = self.node(&it.body);
                self.locals.pop();
                result
            }
            Node::SortBy(it) => {
                let target = self.node(&it.target);
                self.locals.push(target.clone());
                self.node(&it.keys);
                self.locals.pop();
                target
            }
            Node::Lookup(call) => self.all(&call.arguments),
        }
    }

    fn all(&mut self, nodes: &[Node]) -> Option<Origin<S>> {
        for node in nodes {
            self.node(node);
        }
        None
    }

    fn call(&mut self, call: &Call) -> Option<Origin<S>> {
        let mut arguments = call.arguments.iter();
        let first = arguments.next().and_then(|it| self.node(it));
        for argument in arguments {
            self.node(argument);
        }
        match call.function.name {
            "distinct" | "reverse" | "slice" | "sort" => first,
            "flatten" => first.filter(|it| it.is_collected).map(|it| {
                let mut flat = it;
                flat.is_collected = false;
                let mut element = flat.element();
                element.is_collected = true;
                element
            }),
            _ => None,
        }
    }

    fn fold(&mut self, fold: &Fold) -> Option<Origin<S>> {
        let range = self.node(&fold.range);
        let is_map = |it: &Origin<S>| {
            let made = it.schema.map(Schema::made);
            !it.is_collected && matches!(made, Some(Made::Map(_) | Made::Object))
        };
        let element = range.as_ref().map(Origin::element);
        let depth = self.locals.len();
        if fold.has_two {
            self.locals.extend([None, element]);
        } else {
            // The variable of a map is its key.
            self.locals.push(element.filter(|_| !range.as_ref().is_some_and(is_map)));
        }
        if let Some(filter) = &fold.filter {
            self.node(filter);
        }
        let body = match fold.kind {
            FoldKind::Filter => None,
            _ => self.node(&fold.body),
        };
        self.locals.truncate(depth);
        match fold.kind {
            FoldKind::Filter => range,
            FoldKind::List => body.filter(|it| !it.is_collected).map(|mut it| {
                it.is_collected = true;
                it
            }),
            _ => None,
        }
    }

    fn path(&mut self, path: &Path) -> Option<Origin<S>> {
        let mut origin = match &path.base {
            Base::Root(root @ (Root::Object | Root::OldObject)) => Some(Origin {
                root: *root,
                segments: Vec::new(),
                schema: self.schema,
                is_collected: false,
            }),
            Base::Local(index) => self.locals.get(*index).cloned().flatten(),
            Base::Conditional(parts) => self.all(parts.as_slice()),
            Base::Node(node) => self.node(node),
            Base::Root(_) | Base::Variable(_) | Base::Lookup(_) => None,
        };
        for step in &path.steps {
            let segment = match &step.key {
                Key::Constant(Value::String(name)) => PathSegment::Field((**name).to_owned()),
                Key::Constant(Value::Int(index)) => {
                    usize::try_from(*index).map_or(PathSegment::Any, PathSegment::Index)
                }
                Key::Constant(_) => PathSegment::Any,
                Key::Computed(node) => {
                    self.node(node);
                    PathSegment::Any
                }
            };
            origin = origin.map(|it| self.step(it, segment, step.offset));
        }
        if let Some(origin) = &origin {
            self.record(origin);
        }
        origin
    }

    fn step(&mut self, origin: Origin<S>, segment: PathSegment, offset: usize) -> Origin<S> {
        if origin.is_collected {
            return origin.element();
        }
        let mut next = origin;
        let schema = next.schema.take();
        next.segments.push(segment);
        let Some(PathSegment::Field(name)) = next.segments.last() else {
            next.schema = schema.and_then(element_of);
            return next;
        };
        let Some(schema) = schema else {
            return next;
        };
        match schema.made() {
            Made::Object => match schema.field(name) {
                Some(field) => next.schema = Some(field),
                None => {
                    // Kubernetes escapes names in CustomResourceDefinitions only.
                    let suggestion = did_you_mean(name.trim_matches('_'), &schema.field_names());
                    self.report(&next, suggestion, offset);
                }
            },
            Made::Map(inner) => next.schema = Some(inner),
            Made::Any => {}
            Made::List(_) | Made::Number | Made::Other => self.report(&next, None, offset),
        }
        next
    }

    fn report(&mut self, origin: &Origin<S>, suggestion: Option<String>, offset: usize) {
        let Some(PathSegment::Field(field)) = origin.segments.last() else {
            return;
        };
        let variable = if origin.root == Root::Object { "object" } else { "oldObject" };
        let segments = origin.segments.clone();
        let (line, column) = position(self.text, offset);
        let problem = FieldProblem {
            path: format!("{variable}.{}", NamedPath { segments }),
            field: field.clone(),
            suggestion,
            line,
            column,
        };
        if self.found.problems.len() < MOST && !self.found.problems.contains(&problem) {
            self.found.problems.push(problem);
        }
    }

    fn record(&mut self, origin: &Origin<S>) {
        if origin.root != Root::Object || origin.segments.is_empty() {
            return;
        }
        let segments = origin.segments.clone();
        let path = NamedPath { segments };
        if self.found.paths.len() < MOST && !self.found.paths.contains(&path) {
            self.found.paths.push(path);
        }
    }
}
