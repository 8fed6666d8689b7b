use std::borrow::Cow;

use super::scan::Tape;

/// A value of a text that was read once, for those who go through it without taking it apart.
#[derive(Clone, Copy, Debug)]
pub struct Taped<'t> {
    tape: &'t Tape<'t>,
    index: usize,
}

impl<'t> Tape<'t> {
    /// What the text says; of several values in a row the first.
    #[must_use]
    pub fn whole(&'t self) -> Taped<'t> {
        let (tape, index) = (self, 0);
        Taped { tape, index }
    }
}

impl<'t> Taped<'t> {
    /// The value as it is written.
    #[must_use]
    pub fn text(self) -> &'t str {
        self.tape.text_of(self.index)
    }

    /// Whether this is `null`.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.text() == "null"
    }

    /// Its fields in the order of their names, if it is an object.
    #[must_use]
    pub fn fields(self) -> Option<Vec<(Cow<'t, [u8]>, Self)>> {
        let fields = self.written()?;
        let mut fields: Vec<_> = fields.collect();
        fields.sort_by(|a, b| a.0.cmp(&b.0));
        Some(fields)
    }

    /// The field of that name, if this is an object that has it; of several the last.
    #[must_use]
    pub fn field(self, name: &[u8]) -> Option<Self> {
        let named = self.written()?.filter(|(other, _)| **other == *name);
        named.map(|(_, value)| value).last()
    }

    /// Its elements, if it is a list.
    pub fn elements(self) -> Option<impl Iterator<Item = Self>> {
        let inside = self.tape.inside(self.index);
        let tape = self.tape;
        let is_list = self.text().starts_with('[');
        is_list.then(|| inside.map(move |index| Self { tape, index }))
    }

    fn written(self) -> Option<impl Iterator<Item = (Cow<'t, [u8]>, Self)>> {
        let fields = self.tape.fields(self.index);
        let tape = self.tape;
        let is_object = self.text().starts_with('{');
        is_object.then(|| fields.map(move |(name, index)| (name, Self { tape, index })))
    }
}
