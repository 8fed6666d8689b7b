use std::fmt;

use garden_gate_model::api::{Object, Removed, Shape};
use garden_gate_text::nearest::did_you_mean;

use super::environment::Model;
use super::error::position;
use super::node::{Base, Call, Fold, FoldKind, Key, Node, Path, Root};
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
struct Origin {
    root: Root,
    segments: Vec<PathSegment>,
    /// The shape of the value, if it is known.
    shape: Option<Shape>,
    /// Whether the value is a list of the values at that place.
    is_collected: bool,
}

struct Walk<'t> {
    text: &'t str,
    model: Option<Model>,
    locals: Vec<Option<Origin>>,
    found: Fields,
}

impl Fields {
    /// Returns the fields that an expression names.
    pub(super) fn of(node: &Node, model: Option<Model>, text: &str) -> Self {
        let mut walk = Walk { text, model, locals: Vec::new(), found: Self::default() };
        walk.node(node);
        let mut found = walk.found;
        found.paths.sort_by_key(|it| std::cmp::Reverse(it.segments.len()));
        found
    }
}

impl Origin {
    /// Returns the place of an element or of a value of a map.
    fn element(&self) -> Self {
        let mut element = self.clone();
        if element.is_collected {
            element.is_collected = false;
            return element;
        }
        element.segments.push(PathSegment::Any);
        element.shape = match self.shape {
            Some(Shape::List(inner, _) | Shape::Map(inner)) => Some(*inner),
            _ => None,
        };
        element
    }
}

impl Walk<'_> {
    /// Visits an expression, and returns the place of its value.
    fn node(&mut self, node: &Node) -> Option<Origin> {
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
            Node::Among(it) => {
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

    fn all(&mut self, nodes: &[Node]) -> Option<Origin> {
        for node in nodes {
            self.node(node);
        }
        None
    }

    fn call(&mut self, call: &Call) -> Option<Origin> {
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
                let mut flat = flat.element();
                flat.is_collected = true;
                flat
            }),
            _ => None,
        }
    }

    fn fold(&mut self, fold: &Fold) -> Option<Origin> {
        let range = self.node(&fold.range);
        let is_map = |it: &Origin| {
            !it.is_collected && matches!(it.shape, Some(Shape::Map(_) | Shape::Object(_)))
        };
        let element = range.as_ref().map(Origin::element);
        let depth = self.locals.len();
        match fold.has_two {
            true => self.locals.extend([None, element]),
            // The variable of a map is its key.
            false => self.locals.push(element.filter(|_| !range.as_ref().is_some_and(is_map))),
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

    fn path(&mut self, path: &Path) -> Option<Origin> {
        let mut origin = match &path.base {
            Base::Root(root @ (Root::Object | Root::OldObject)) => Some(Origin {
                root: *root,
                segments: Vec::new(),
                shape: self.model.map(|it| Shape::Object(it.object)),
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

    fn step(&mut self, origin: Origin, segment: PathSegment, offset: usize) -> Origin {
        if origin.is_collected {
            return origin.element();
        }
        let mut next = origin;
        let shape = next.shape.take();
        next.segments.push(segment);
        let Some(PathSegment::Field(name)) = next.segments.last() else {
            next.shape = match shape {
                Some(Shape::List(inner, _) | Shape::Map(inner)) => Some(*inner),
                _ => None,
            };
            return next;
        };
        match shape {
            Some(Shape::Object(object)) => match self.field(object, name) {
                Some(shape) => next.shape = Some(shape),
                None => {
                    let suggestion = self.suggestion(object, name);
                    self.report(&next, suggestion, offset);
                }
            },
            Some(Shape::Map(inner)) => next.shape = Some(*inner),
            Some(Shape::Any) | None => {}
            // The value has no fields.
            Some(_) => self.report(&next, None, offset),
        }
        next
    }

    fn field(&self, object: &'static Object, name: &str) -> Option<Shape> {
        let version = self.model?.version;
        let field = object.fields_in(version).find(|it| it.name == name);
        let removed = || Removed::had(object, name, version).map(|(_, shape)| shape);
        field.map(|it| it.shape).or_else(removed)
    }

    fn suggestion(&self, object: &'static Object, name: &str) -> Option<String> {
        let version = self.model?.version;
        let known: Vec<&str> = object.fields_in(version).map(|it| it.name).collect();
        // Kubernetes escapes names in CustomResourceDefinitions only.
        did_you_mean(name.trim_matches('_'), &known)
    }

    fn report(&mut self, origin: &Origin, suggestion: Option<String>, offset: usize) {
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

    fn record(&mut self, origin: &Origin) {
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
