use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::compat::push_step;

/// The place of a field in an object, written as Kubernetes does (`spec.tolerations[0].key`) or as a JSON pointer. Cloning shares, and so
/// do paths that begin alike.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct FieldPath {
    /// Names with dots between them, with which it begins: most rules say them of each object, and seldom have to go on. Empty for none.
    start: &'static str,
    /// The innermost step behind those; `None` for none.
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
        match dotted.into() {
            Cow::Borrowed(start) => Self { start, last: None },
            owned @ Cow::Owned(_) => Self::root().with(Segment::Fields(owned)),
        }
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

    /// The path as Kubernetes writes it.
    pub(super) fn text(&self) -> String {
        let mut text = self.start.to_owned();
        self.each(&mut |is_first, segment| match segment {
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
        let step = Step {
            before: self.clone(),
            segment,
        };
        Self {
            start: self.start,
            last: Some(Arc::new(step)),
        }
    }

    /// Tells the segments behind the start, from the outermost to the innermost, and of each whether nothing stands before it.
    fn each(&self, tell: &mut impl FnMut(bool, &Segment)) {
        if let Some(Step { before, segment }) = self.last.as_deref() {
            before.each(tell);
            tell(before.start.is_empty() && before.last.is_none(), segment);
        }
    }
}

/// Adds names with dots between them to a pointer. Nothing in such names is to be escaped.
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
