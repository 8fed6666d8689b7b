use std::ops::Range;

use super::sent::{LONG, Places, replace};
use super::{Operation, Resource, Sent};
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

/// An object with more objects and lists in its lists may take much memory, so that it is not decoded before it is known how much.
const FEW: u64 = 250;

/// Nobody has more managers, but for who wants to take memory.
const MANAGERS: usize = 32;

impl<'a> Envelope<'a> {
    /// `None` for a body that is no JSON, and for one that is not written as an API server writes it.
    pub(super) fn open(body: &'a [u8]) -> Option<Self> {
        let body = std::str::from_utf8(body).ok()?;
        let mut lexer = Lexer::of(body);
        let (mut objects, mut cuts) = ([None, None], Vec::with_capacity(8));
        lexer.fields(|lexer, name| match plain(name)? {
            "request" if lexer.is_object() => request(lexer, body, &mut objects, &mut cuts),
            _ => lexer.value().map(drop),
        })?;
        if !lexer.is_at_end() {
            return None;
        }
        let text = replace(body, cuts.iter())?;
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
    let (mut operation, mut kind) = (None, None);
    let request = lexer.fields(|lexer, name| {
        let [new, old] = &mut *objects;
        let found = match plain(name)? {
            "object" => new,
            "oldObject" => old,
            "operation" => {
                operation = Operation::written(body.get(lexer.value()?)?);
                return Some(());
            }
            "resource" => {
                kind = Resource::written(body.get(lexer.value()?)?)?.kind();
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
        let is_alone = operation == Some(Operation::Create);
        let decoded = kind
            .filter(|_| is_alone)
            .and_then(|kind| at_once(lexer, kind));
        let (object, sent) = match decoded {
            Some((object, decoded)) => (object.clone(), Sent::decoded(body.get(object)?, decoded)),
            None => {
                let (object, places) = object(lexer, &first)?;
                first = places.clone();
                let text = body.get(object.clone())?;
                let places = places.behind(object.start);
                (object, Sent::new(text, places))
            }
        };
        cuts.push(object);
        // What is there twice is refused where the rest is read.
        found.replace(sent).is_none().then_some(())
    });
    request.map(drop)
}

/// Goes past an object by decoding it, which is quicker than to go past it first: where it stands, and what it is. `None`, and not past
/// it, where it has to be seen first what it is made of.
fn at_once(lexer: &mut Lexer<'_>, kind: Kind) -> Option<(Range<usize>, Decoded)> {
    let text = lexer.rest()?;
    let nested = Nested::at_a_glance(text.as_bytes());
    if nested.elements > FEW {
        return None;
    }
    let (decoded, length) = leading(kind, text)?;
    Some((lexer.skip(length, nested), decoded))
}

/// Where the parts of an object stand that is no part of a review.
pub(super) fn places(text: &str) -> Option<Places> {
    let (_, places) = object(&mut Lexer::of(text), &Places::default())?;
    Some(places)
}

/// Goes past an object, quickly past what is as in the other one: where it stands, and where its parts do.
fn object(lexer: &mut Lexer<'_>, other: &Places) -> Option<(Range<usize>, Places)> {
    let mut places = Places::default();
    let object = lexer.fields(|lexer, name| {
        match name {
            "metadata" if lexer.is_object() => return metadata(lexer, other, &mut places),
            "spec" => places.spec = Some(spec(lexer, other, &mut places)?),
            "status" => places.status = Some(lexer.value_like(other.status.as_ref())?),
            _ => return lexer.value().map(drop),
        }
        Some(())
    })?;
    Some((object, places))
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
