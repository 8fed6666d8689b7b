// SPDX-License-Identifier: Apache-2.0
use crate::admission::FieldPath;

/// The location of a value; converted to a path only when a violation is reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct LazyPath<'p> {
    parent: Option<&'p LazyPath<'p>>,
    step: Step<'p>,
}

#[derive(Clone, Copy, Debug)]
enum Step<'p> {
    /// The whole object.
    Root,
    /// A known path.
    Known(&'p FieldPath),
    /// A field by its real name, and by the name under which Gardener reports it.
    Field(&'p str, &'p str),
    Index(usize),
    Key(&'p str),
}

impl<'p> LazyPath<'p> {
    pub(super) const ROOT: LazyPath<'static> = LazyPath { parent: None, step: Step::Root };

    pub(super) fn at(path: &'p FieldPath) -> LazyPath<'p> {
        let step = Step::Known(path);
        LazyPath { parent: None, step }
    }

    pub(super) fn field(&'p self, name: &'p str, called: &'p str) -> LazyPath<'p> {
        self.with(Step::Field(name, called))
    }

    pub(super) fn index(&'p self, index: usize) -> LazyPath<'p> {
        self.with(Step::Index(index))
    }

    pub(super) fn key(&'p self, key: &'p str) -> LazyPath<'p> {
        self.with(Step::Key(key))
    }

    /// Returns the path as Gardener reports it.
    pub(super) fn reported(&self) -> FieldPath {
        self.path(|_, called| called)
    }

    /// Returns the path in the object.
    pub(super) fn real(&self) -> FieldPath {
        self.path(|name, _| name)
    }

    fn with(&'p self, step: Step<'p>) -> LazyPath<'p> {
        LazyPath { parent: Some(self), step }
    }

    fn path(&self, name: fn(&'p str, &'p str) -> &'p str) -> FieldPath {
        let parent = || self.parent.map_or_else(FieldPath::root, |it| it.path(name));
        match self.step {
            Step::Root => FieldPath::root(),
            Step::Known(path) => path.clone(),
            Step::Field(real, called) => parent().child_called(name(real, called)),
            Step::Index(index) => parent().index(index),
            Step::Key(key) => parent().key(key),
        }
    }
}
