// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use garden_gate_text::json::{push_step, unescape_step};

/// The path of a field, formatted like Kubernetes (`spec.tolerations[0].key`) or as a JSON pointer.
///
/// Clones and paths with a common prefix share data.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct FieldPath {
    /// The static prefix of dotted names, which most rules use without further segments; may be empty.
    start: &'static str,
    /// The last segment after `start`; `None` if there is none.
    last: Option<Arc<Step>>,
}

#[derive(Debug, Eq, PartialEq)]
struct Step {
    before: FieldPath,
    segment: Segment,
}

#[derive(Debug, Eq, PartialEq)]
enum Segment {
    /// Dotted names.
    Fields(Cow<'static, str>),
    /// A single name, which may contain dots.
    Field(Cow<'static, str>),
    Index(usize),
    Key(Cow<'static, str>),
    AnyIndex,
}

impl FieldPath {
    /// Creates a path from dotted field names, for example `spec.provider.workers`.
    pub fn new(dotted: impl Into<Cow<'static, str>>) -> Self {
        match dotted.into() {
            Cow::Borrowed(start) => Self { start, last: None },
            owned @ Cow::Owned(_) => Self::root().with(Segment::Fields(owned)),
        }
    }

    /// Returns the path of the whole object.
    pub fn root() -> Self {
        Self::default()
    }

    /// Returns the path to which a JSON pointer leads; numbers are indices of lists.
    pub fn of_pointer(pointer: &str) -> Self {
        let steps = pointer.split('/').skip(1).map(unescape_step);
        steps.fold(Self::root(), |path, step| match step.parse() {
            Ok(index) => path.index(index),
            Err(_) => path.child_called(&step),
        })
    }

    /// Returns the path of a field in this object.
    pub fn child(&self, name: &'static str) -> Self {
        self.with(Segment::Field(name.into()))
    }

    /// Like [`Self::child`], for a dynamic name.
    pub fn child_called(&self, name: &str) -> Self {
        self.with(Segment::Field(name.to_owned().into()))
    }

    /// Returns the path of a nested field from dotted names, for example `machine.image.version`.
    pub fn descendant(&self, dotted: &'static str) -> Self {
        self.with(Segment::Fields(dotted.into()))
    }

    /// Returns the path of an element in this list.
    pub fn index(&self, index: usize) -> Self {
        self.with(Segment::Index(index))
    }

    /// Returns the path of an unspecified list element, written `[]`, as in some of Gardener's errors.
    pub fn any_index(&self) -> Self {
        self.with(Segment::AnyIndex)
    }

    /// Returns the path of an entry in this map, written in brackets because such keys contain dots.
    pub fn key(&self, key: &str) -> Self {
        self.with(Segment::Key(key.to_owned().into()))
    }

    /// Returns the path as an RFC 6901 JSON pointer, for example `/spec/tolerations/0/key`.
    pub fn pointer(&self) -> String {
        let mut pointer = String::new();
        push_steps(&mut pointer, self.start);
        self.each(&mut |_, segment| match segment {
            Segment::Fields(names) => push_steps(&mut pointer, names),
            Segment::Field(name) | Segment::Key(name) => push_step(&mut pointer, name),
            Segment::Index(index) => {
                pointer.push('/');
                pointer.push_str(&index.to_string());
            }
            Segment::AnyIndex => pointer.push_str("/-"),
        });
        pointer
    }

    /// Returns the path in Kubernetes' notation.
    pub(super) fn text(&self) -> String {
        let mut text = self.start.to_owned();
        self.each(&mut |is_first, segment| match segment {
            Segment::Field(name) if name.is_empty() => text.push_str("[]"),
            Segment::Fields(name) | Segment::Field(name) => {
                if !is_first {
                    text.push('.');
                }
                text.push_str(name);
            }
            Segment::Index(index) => {
                text.push('[');
                text.push_str(&index.to_string());
                text.push(']');
            }
            Segment::Key(key) => {
                text.push('[');
                text.push_str(key);
                text.push(']');
            }
            Segment::AnyIndex => text.push_str("[]"),
        });
        text
    }

    fn with(&self, segment: Segment) -> Self {
        let step = Step { before: self.clone(), segment };
        Self { start: self.start, last: Some(Arc::new(step)) }
    }

    /// Calls `visit` for each segment after `start`, outermost first, and with whether it begins the path.
    fn each(&self, visit: &mut impl FnMut(bool, &Segment)) {
        if let Some(Step { before, segment }) = self.last.as_deref() {
            before.each(visit);
            visit(before.start.is_empty() && before.last.is_none(), segment);
        }
    }
}

/// Appends dotted names to a pointer.
/// They need no escaping.
fn push_steps(pointer: &mut String, names: &str) {
    if names.is_empty() {
        return;
    }
    debug_assert!(!names.contains(['/', '~']), "{names}");
    for name in names.split('.') {
        pointer.push('/');
        pointer.push_str(name);
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
    fn empty_name_is_written_as_brackets() {
        let path = FieldPath::new("spec.featureGates").child_called("");
        assert_eq!(path.to_string(), "spec.featureGates[]");
        assert_eq!(path.pointer(), "/spec/featureGates/");
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
