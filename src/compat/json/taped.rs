use std::borrow::Cow;

use super::scan::Tape;

/// A value of a text that was read once, for those who go through it without taking it apart.
#[derive(Clone, Copy, Debug)]
pub struct Taped<'t, 'a> {
    tape: &'t Tape<'a>,
    index: usize,
}

impl<'a> Tape<'a> {
    /// What the text says; of several values in a row the first.
    #[must_use]
    pub fn whole(&self) -> Taped<'_, 'a> {
        let (tape, index) = (self, 0);
        Taped { tape, index }
    }
}

impl<'t, 'a> Taped<'t, 'a> {
    /// The value as it is written.
    #[must_use]
    pub fn text(self) -> &'a str {
        self.tape.text_of(self.index)
    }

    /// Its elements, if it is a list.
    #[must_use]
    pub fn elements(self) -> Option<impl Iterator<Item = Self> + use<'t, 'a>> {
        let inside = self.tape.inside(self.index);
        let tape = self.tape;
        let is_list = self.text().starts_with('[');
        is_list.then(|| inside.map(move |index| Self { tape, index }))
    }

    /// Its fields as they follow each other, names that repeat included, if it is an object.
    #[must_use]
    pub fn written(self) -> Option<impl Iterator<Item = (Cow<'a, [u8]>, Self)> + use<'t, 'a>> {
        let fields = self.tape.fields(self.index);
        let tape = self.tape;
        let is_object = self.text().starts_with('{');
        is_object.then(|| fields.map(move |(name, index)| (name, Self { tape, index })))
    }
}
