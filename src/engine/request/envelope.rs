use std::ops::Range;

use super::Sent;
use super::sent::{LONG, NULL, Places, replace};
use crate::compat::{Lexer, Nested, Passed};
use crate::engine::judged::{Decoded, leading};
use crate::model::{Kind, LAST_APPLIED};

/// An AdmissionReview whose objects are cut out, which are nearly all of it.
#[derive(Debug)]
pub(super) struct Envelope<'a> {
    /// The review with `null` for the objects, and for what nobody reads of the request.
    pub text: String,
    /// The new object and the stored one.
    pub objects: [Option<Sent<'a>>; 2],
    /// Of all of it.
    pub nested: Nested,
}

/// Fields of a request that are sent always, and never read.
const UNREAD: [&str; 4] = ["kind", "options", "requestKind", "requestResource"];

/// Nobody has more managers, but for who wants to take memory.
const MANAGERS: usize = 32;

impl<'a> Envelope<'a> {
    /// `None` for a body that is no JSON, and for one that is not written as an API server writes it.
    pub(super) fn open(body: &'a [u8]) -> Option<Self> {
        let body = simdutf8::basic::from_utf8(body).ok()?;
        let mut lexer = Lexer::of(body);
        let (mut objects, mut cuts) = ([None, None], Vec::with_capacity(8));
        lexer.fields(|lexer, name| match plain(name)? {
            "request" if lexer.is_object() => request(lexer, body, &mut objects, &mut cuts),
            _ => lexer.value().map(drop),
        })?;
        if !lexer.is_at_end() {
            return None;
        }
        let text = replace((body, 0), cuts.iter())?;
        Some(Self {
            text,
            objects,
            nested: lexer.nested(),
        })
    }
}

/// Goes past a request; notes its objects, and where there is what is not to be read with it, in order.
fn request<'a>(
    lexer: &mut Lexer<'a>,
    body: &'a str,
    objects: &mut [Option<Sent<'a>>; 2],
    cuts: &mut Vec<Range<usize>>,
) -> Option<()> {
    let mut first = Places::default();
    let (mut is_new, mut kind) = (false, None);
    let request = lexer.fields(|lexer, name| {
        let [new, old] = &mut *objects;
        let found = match plain(name)? {
            "object" => new,
            "oldObject" => old,
            "operation" => {
                is_new = body.get(lexer.value()?)? == "\"CREATE\"";
                return Some(());
            }
            "resource" if lexer.is_object() => {
                kind = resource(lexer, body)?;
                return Some(());
            }
            name if UNREAD.contains(&name) => {
                cuts.push(lexer.value()?);
                return Some(());
            }
            _ => return lexer.value().map(drop),
        };
        if !lexer.is_object() {
            let value = lexer.value()?;
            return (body.get(value)? == "null").then_some(());
        }
        let mut part = Object {
            body,
            start: lexer.place()?,
            kind: kind.filter(|_| is_new),
            places: Places::default(),
            decoded: None,
        };
        let object = part.pass(lexer, &first)?;
        let (text, places) = (body.get(object.clone())?, part.places.behind(object.start));
        let sent = Sent::new(text, places, part.decoded);
        first = part.places;
        cuts.push(object);
        // What is there twice is refused where the rest is read.
        found.replace(sent).is_none().then_some(())
    });
    request.map(drop)
}

/// Goes past a resource: the kind, if it is one of ours.
fn resource(lexer: &mut Lexer<'_>, body: &str) -> Option<Option<Kind>> {
    let [mut group, mut version, mut resource] = [""; 3];
    lexer.fields(|lexer, name| {
        let value = body.get(lexer.value()?)?.trim_matches('"');
        match name {
            "group" => group = value,
            "version" => version = value,
            "resource" => resource = value,
            _ => {}
        }
        Some(())
    })?;
    Some(Kind::of_resource(group, version, resource))
}

/// An object that is gone past.
struct Object<'a> {
    body: &'a str,
    start: usize,
    /// The kind, if it is to be decoded on the way, which spares going past most of it twice. No other object is read with a new one.
    kind: Option<Kind>,
    /// Where its parts stand, as far as it was not decoded.
    places: Places,
    decoded: Option<Decoded>,
}

impl Object<'_> {
    /// Goes past it, quickly past what is as in the other one.
    fn pass(&mut self, lexer: &mut Lexer<'_>, other: &Places) -> Option<Range<usize>> {
        lexer.fields(|lexer, name| {
            match name {
                "metadata" if lexer.is_object() => {
                    return metadata(lexer, other, &mut self.places);
                }
                "spec" if self.decode(lexer).is_some() => {}
                "spec" => self.places.spec = Some(spec(lexer, other, &mut self.places)?),
                "status" => {
                    self.places.status = Some(lexer.value_like(other.status.as_ref())?);
                }
                _ => return lexer.value().map(drop),
            }
            Some(())
        })
    }

    /// Goes past all the rest but for the end by decoding the whole, without what nobody reads of its metadata. `None`, and past nothing, where
    /// it has to be seen first what it is made of.
    fn decode(&mut self, lexer: &mut Lexer<'_>) -> Option<()> {
        let kind = self.kind.take()?;
        let rest = self.body.get(lexer.place()?..)?;
        let nested = Nested::at_a_glance(rest.as_bytes());
        if !nested.is_little() {
            return None;
        }
        let unread = [&self.places.managed_fields, &self.places.last_applied];
        let mut cuts: Vec<&Range<usize>> =
            unread.into_iter().flatten().map(|it| &it.place).collect();
        cuts.sort_unstable_by_key(|place| place.start);
        let text = replace((self.body, self.start), cuts.iter().copied())?;
        let (decoded, length) = leading(kind, &text)?;
        // All of this stands before the rest.
        let cut: usize = cuts.iter().map(|place| place.len()).sum();
        let end = self.start + length + cut - cuts.len() * NULL.len();
        lexer.go_on(end - 1, nested);
        self.decoded = Some(decoded);
        Some(())
    }
}

fn spec(lexer: &mut Lexer<'_>, other: &Places, places: &mut Places) -> Option<Passed> {
    if let Some(passed) = lexer.known(other.spec.as_ref()) {
        return Some(passed);
    }
    if !lexer.is_object() {
        return lexer.passed(Lexer::value);
    }
    lexer.passed(|lexer| {
        lexer.fields(|lexer, name| {
            let Some(number) = LONG.iter().position(|long| *long == name) else {
                return lexer.value().map(drop);
            };
            places.long[number] = Some(lexer.value_like(other.long[number].as_ref())?);
            Some(())
        })
    })
}

fn metadata(lexer: &mut Lexer<'_>, other: &Places, places: &mut Places) -> Option<()> {
    let metadata = lexer.fields(|lexer, name| {
        match name {
            "managedFields" => {
                places.managed_fields = Some(managed_fields(lexer, other, places)?);
            }
            "annotations" if lexer.is_object() => return annotations(lexer, other, places),
            _ => return lexer.value().map(drop),
        }
        Some(())
    });
    metadata.map(drop)
}

/// Mostly, only what one of the managers manages differs.
fn managed_fields(lexer: &mut Lexer<'_>, other: &Places, places: &mut Places) -> Option<Passed> {
    if let Some(passed) = lexer.known(other.managed_fields.as_ref()) {
        return Some(passed);
    }
    if !lexer.is_list() {
        return lexer.passed(Lexer::value);
    }
    lexer.passed(|lexer| {
        lexer.elements(|lexer, number| {
            let passed = lexer.value_like(other.managers.get(number))?;
            if number < MANAGERS {
                places.managers.push(passed);
            }
            Some(())
        })
    })
}

fn annotations(lexer: &mut Lexer<'_>, other: &Places, places: &mut Places) -> Option<()> {
    let annotations = lexer.fields(|lexer, name| {
        match name {
            LAST_APPLIED => {
                places.last_applied = Some(lexer.value_like(other.last_applied.as_ref())?);
            }
            _ => return lexer.value().map(drop),
        }
        Some(())
    });
    annotations.map(drop)
}

/// A name without escapes, which no API server uses here.
fn plain(name: &str) -> Option<&str> {
    (!name.contains('\\')).then_some(name)
}
