use super::Constraint;

/// A thing with fields.
#[derive(Debug)]
pub struct Object {
    /// Its name, unique in the table.
    pub name: &'static str,
    /// What it is, as the lines of a doc comment.
    about: &'static str,
    /// Its fields, in the order in which people read them.
    pub fields: &'static [Field],
}

/// A field of an [`Object`].
#[derive(Debug)]
pub struct Field {
    /// Its name, as it is written.
    pub name: &'static str,
    /// What it is for, as the lines of a doc comment.
    about: &'static str,
    /// How its value is written.
    pub shape: Shape,
    /// Whether it has to be there.
    pub presence: Presence,
    /// What its value may be, beyond that.
    pub constraints: &'static [Constraint],
}

/// Whether a field has to be there.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Presence {
    /// It may be left out.
    Optional,
    /// It is always stored; where it is left out, the API server fills it in.
    Filled,
    /// It cannot be left out.
    Required,
}

/// How a value is written.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A text.
    String,
    /// `true` or `false`.
    Boolean,
    /// A whole number of 32 bits.
    Integer32,
    /// A whole number of 64 bits.
    Integer64,
    /// A number.
    Number,
    /// An instant as RFC 3339 has it, for example `2026-01-31T12:00:00Z`.
    Time,
    /// A duration as Go writes it, for example `1h30m`.
    Duration,
    /// A number with a unit, for example `50Gi`; plain numbers count, too.
    Quantity,
    /// A whole number of 32 bits, or a text, for example `10%`.
    IntOrString,
    /// Anything: what an extension reads.
    Any,
    /// An object.
    Object(&'static Object),
    /// A list of values that are written alike.
    List(&'static Shape, ListKind),
    /// Values that are written alike, by names that are free.
    Map(&'static Shape),
}

/// What tells the items of a list apart when two writers change it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ListKind {
    /// Nothing: the list is replaced as a whole.
    Atomic,
    /// The items themselves.
    Set,
    /// This field of theirs.
    By(&'static str),
}

impl Object {
    /// The field of that name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// What it is, in words; empty if nothing has to be said.
    #[must_use]
    pub fn about(&self) -> String {
        one_line(self.about)
    }

    /// What `metadata`, `spec` … lead to; for the objects in lists and maps, too.
    #[must_use]
    pub fn at(&'static self, path: &[&str]) -> Option<&'static Object> {
        path.iter()
            .try_fold(self, |object, name| object.field(name)?.shape.object())
    }

    /// Declares an object; `object!` is how.
    pub(super) const fn new(
        name: &'static str,
        about: &'static str,
        fields: &'static [Field],
    ) -> Self {
        Self {
            name,
            about,
            fields,
        }
    }
}

impl Field {
    /// What it is for, in words; empty if nothing has to be said.
    #[must_use]
    pub fn about(&self) -> String {
        one_line(self.about)
    }

    /// Whether a string has no more bytes than the value may have.
    #[must_use]
    pub fn is_short(&self, text: &str) -> bool {
        let is_long =
            |it: &Constraint| matches!(it, Constraint::MaxBytes(most) if text.len() > *most);
        !self.constraints.iter().any(is_long)
    }

    /// Declares a field; `object!` is how.
    pub(super) const fn new(
        name: &'static str,
        about: &'static str,
        shape: Shape,
        presence: Presence,
        constraints: &'static [Constraint],
    ) -> Self {
        Self {
            name,
            about,
            shape,
            presence,
            constraints,
        }
    }
}

impl Shape {
    /// The object that is written there, itself or in lists and maps.
    #[must_use]
    pub fn object(self) -> Option<&'static Object> {
        match self {
            Shape::Object(object) => Some(object),
            Shape::List(inner, _) | Shape::Map(inner) => inner.object(),
            _ => None,
        }
    }
}

/// Doc comments begin each line with a space.
fn one_line(about: &str) -> String {
    let lines: Vec<&str> = about.lines().map(str::trim).collect();
    lines.join(" ")
}

/// Declares an [`Object`] and its fields; see the documentation of the module.
macro_rules! object {
    (
        $(#[doc = $about:literal])*
        $object:ident {
            $(
                $(#[doc = $says:literal])*
                $field:ident: $shape:tt $($presence:ident)? $(=> [$($constraint:expr),+ $(,)?])?;
            )*
        }
    ) => {
        pub(in crate::fields) static $object: $crate::fields::Object = $crate::fields::Object::new(
            stringify!($object),
            concat!($($about, "\n"),*),
            &[$($crate::fields::Field::new(
                stringify!($field),
                concat!($($says, "\n"),*),
                $crate::fields::object!(@shape $shape),
                $crate::fields::object!(@presence $($presence)?),
                &[$($($constraint),+)?],
            )),*],
        );
    };
    (@presence) => { $crate::fields::Presence::Optional };
    (@presence filled) => { $crate::fields::Presence::Filled };
    (@presence required) => { $crate::fields::Presence::Required };
    (@shape String) => { $crate::fields::Shape::String };
    (@shape Boolean) => { $crate::fields::Shape::Boolean };
    (@shape Integer32) => { $crate::fields::Shape::Integer32 };
    (@shape Integer64) => { $crate::fields::Shape::Integer64 };
    (@shape Number) => { $crate::fields::Shape::Number };
    (@shape Time) => { $crate::fields::Shape::Time };
    (@shape Duration) => { $crate::fields::Shape::Duration };
    (@shape Quantity) => { $crate::fields::Shape::Quantity };
    (@shape IntOrString) => { $crate::fields::Shape::IntOrString };
    (@shape Any) => { $crate::fields::Shape::Any };
    (@shape [$item:tt]) => {
        $crate::fields::Shape::List(&$crate::fields::object!(@shape $item), $crate::fields::ListKind::Atomic)
    };
    (@shape [$item:tt; set]) => {
        $crate::fields::Shape::List(&$crate::fields::object!(@shape $item), $crate::fields::ListKind::Set)
    };
    (@shape [$item:tt; by $key:ident]) => {
        $crate::fields::Shape::List(
            &$crate::fields::object!(@shape $item),
            $crate::fields::ListKind::By(stringify!($key)),
        )
    };
    (@shape {$item:tt}) => { $crate::fields::Shape::Map(&$crate::fields::object!(@shape $item)) };
    (@shape $object:ident) => { $crate::fields::Shape::Object(&$object) };
}
pub(super) use object;
