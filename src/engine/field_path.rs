use std::borrow::Cow;
use std::fmt;
use std::iter::successors;
use std::sync::Arc;

use crate::compat::escape_step;

/// Most paths are shorter. Bytes.
const ROOM: usize = 64;

/// The place of a field in an object, written as Kubernetes does (`spec.tolerations[0].key`) or as a JSON pointer. Cloning shares, and so
/// do paths that begin alike.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct FieldPath {
    /// The innermost step; `None` for the whole object.
    last: Option<Arc<Step>>,
}

#[derive(Debug, Eq, PartialEq)]
struct Step {
    before: FieldPath,
    segment: Segment,
}

#[derive(Debug, Eq, PartialEq)]
enum Segment {
    /// Names with dots between them.
    Fields(Cow<'static, str>),
    /// A name as it is.
    Field(Cow<'static, str>),
    Index(usize),
    Key(Cow<'static, str>),
    AnyIndex,
}

impl FieldPath {
    /// A path from dotted field names, for example `spec.provider.workers`.
    #[must_use]
    pub fn new(dotted: impl Into<Cow<'static, str>>) -> Self {
        Self::root().with(Segment::Fields(dotted.into()))
    }

    /// The whole object.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// A field of the object at this path.
    #[must_use]
    pub fn child(&self, name: &'static str) -> Self {
        self.with(Segment::Field(name.into()))
    }

    /// As [`Self::child`], of a name that is not known before.
    #[must_use]
    pub fn child_called(&self, name: &str) -> Self {
        self.with(Segment::Field(name.to_owned().into()))
    }

    /// A field further inside of the object at this path, from dotted names, for example `machine.image.version`.
    #[must_use]
    pub fn descendant(&self, dotted: &'static str) -> Self {
        self.with(Segment::Fields(dotted.into()))
    }

    /// An element of the list at this path.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        self.with(Segment::Index(index))
    }

    /// Some element of the list at this path, written `[]`: Gardener does not always say which.
    #[must_use]
    pub fn any_index(&self) -> Self {
        self.with(Segment::AnyIndex)
    }

    /// An entry of the map at this path; written in brackets because such keys contain dots.
    #[must_use]
    pub fn key(&self, key: &str) -> Self {
        self.with(Segment::Key(key.to_owned().into()))
    }

    /// The path as an RFC 6901 JSON pointer, for example `/spec/tolerations/0/key`.
    #[must_use]
    pub fn pointer(&self) -> String {
        let mut pointer = String::with_capacity(ROOM);
        let mut push = |step: &str| {
            pointer.push('/');
            pointer.push_str(&escape_step(step));
        };
        for segment in self.segments() {
            match segment {
                Segment::Fields(names) => names.split('.').for_each(&mut push),
                Segment::Field(name) | Segment::Key(name) => push(name),
                Segment::Index(index) => push(&index.to_string()),
                Segment::AnyIndex => push("-"),
            }
        }
        pointer
    }

    /// The path as Kubernetes writes it.
    pub(super) fn text(&self) -> String {
        let mut text = String::with_capacity(ROOM);
        for (position, segment) in self.segments().into_iter().enumerate() {
            let [before, name, behind] = match segment {
                Segment::Fields(name) | Segment::Field(name) if position == 0 => ["", name, ""],
                Segment::Fields(name) | Segment::Field(name) => [".", name, ""],
                Segment::Index(index) => ["[", &index.to_string(), "]"],
                Segment::Key(key) => ["[", key, "]"],
                Segment::AnyIndex => ["[", "", "]"],
            };
            text.push_str(before);
            text.push_str(name);
            text.push_str(behind);
        }
        text
    }

    fn with(&self, segment: Segment) -> Self {
        let step = Step {
            before: self.clone(),
            segment,
        };
        Self {
            last: Some(Arc::new(step)),
        }
    }

    /// From the outermost to the innermost.
    fn segments(&self) -> Vec<&Segment> {
        let steps = successors(self.last.as_deref(), |step| step.before.last.as_deref());
        let mut segments = Vec::with_capacity(8);
        segments.extend(steps.map(|step| &step.segment));
        segments.reverse();
        segments
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::FieldPath;

    #[test]
    fn both_notations() {
        let path = FieldPath::new("spec.tolerations").index(2).child("key");
        assert_eq!(path.to_string(), "spec.tolerations[2].key");
        assert_eq!(path.pointer(), "/spec/tolerations/2/key");
    }

    #[test]
    fn a_field_further_inside_is_as_one_after_the_other() {
        let pools = FieldPath::new("spec.provider.workers");
        let at_once = pools.index(10).descendant("machine.image");
        let one_by_one = pools.index(10).child("machine").child("image");
        assert_eq!(at_once.to_string(), one_by_one.to_string());
        assert_eq!(at_once.pointer(), "/spec/provider/workers/10/machine/image");
    }

    #[test]
    fn map_keys_are_bracketed_and_escaped() {
        let path = FieldPath::new("metadata.annotations").key("a.b/c~d");
        assert_eq!(path.to_string(), "metadata.annotations[a.b/c~d]");
        assert_eq!(path.pointer(), "/metadata/annotations/a.b~1c~0d");
    }
}
