// SPDX-License-Identifier: Apache-2.0
use crate::report::Reviewed;
use crate::report::truncation::and_more;

/// Maximum number of different notes that are printed.
const NOTES: usize = 10;
/// Maximum number of reasons not to judge a part, and of fields for each reason.
const REASONS: usize = 10;
const FIELDS: usize = 5;

/// Notes of many objects, and their parts that are not judged, equal ones once.
#[derive(Debug, Default)]
pub(crate) struct Remainder {
    notes: Vec<Note>,
    /// The number of notes beyond the maximum.
    more_notes: usize,
    reasons: Vec<Reason>,
    /// The number of objects with reasons beyond the maximum.
    more_reasons: usize,
}

/// A note with its objects.
#[derive(Debug)]
struct Note {
    text: String,
    /// The title of the first object.
    object: String,
    objects: usize,
}

/// A reason not to judge parts of objects.
#[derive(Debug)]
struct Reason {
    why: String,
    fields: Vec<String>,
    objects: usize,
}

impl Remainder {
    /// Adds the notes and the unjudged parts of an object.
    pub(crate) fn add(&mut self, object: &Reviewed) {
        for text in &object.notes {
            let known = self.notes.iter().position(|it| it.text == *text);
            if let Some(note) = known.and_then(|at| self.notes.get_mut(at)) {
                note.objects += 1;
            } else if self.notes.len() < NOTES {
                self.notes.push(Note { text: text.clone(), object: object.title(), objects: 1 });
            } else {
                self.more_notes += 1;
            }
        }
        // An object counts once for each reason.
        let mut counted: Vec<&str> = Vec::new();
        for part in &object.unjudged {
            let is_first = !counted.contains(&part.why.as_str());
            counted.push(&part.why);
            let known = self.reasons.iter().position(|it| it.why == part.why);
            if let Some(reason) = known.and_then(|at| self.reasons.get_mut(at)) {
                reason.objects += usize::from(is_first);
                if reason.fields.len() < FIELDS && !reason.fields.contains(&part.field) {
                    reason.fields.push(part.field.clone());
                }
            } else if self.reasons.len() < REASONS {
                let (why, fields) = (part.why.clone(), vec![part.field.clone()]);
                self.reasons.push(Reason { why, fields, objects: 1 });
            } else {
                self.more_reasons += usize::from(is_first);
            }
        }
    }

    /// Returns a line for each note, and one for all parts that are not judged.
    pub(crate) fn lines(&self) -> Vec<String> {
        let notes = self.notes.iter().map(|note| match note.objects {
            1 => format!("note: {} ({})", note.text, note.object),
            objects => format!("note: {} ({} {})", note.text, note.object, and_more(objects - 1)),
        });
        let more = match self.more_notes {
            0 => None,
            more => Some(format!("note: {more} other notes: `--verbose` lists them")),
        };
        notes.chain(more).chain(self.not_judged()).collect()
    }

    fn not_judged(&self) -> Option<String> {
        let reasons = self.reasons.iter().map(|reason| {
            let objects = match reason.objects {
                1 => String::new(),
                objects => format!(" ({objects} objects)"),
            };
            format!("{}: {}{objects}", reason.fields.join(", "), reason.why)
        });
        let more = match self.more_reasons {
            0 => None,
            more => Some(format!("{more} objects for other reasons: `--verbose` lists them")),
        };
        let parts: Vec<String> = reasons.chain(more).collect();
        (!parts.is_empty()).then(|| format!("not judged: {}", parts.join("; ")))
    }
}
