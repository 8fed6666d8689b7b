use std::ops::Range;

use super::sent::{LONG, NULL, Places, replace};
use super::{AdmissionReview, Operation, Request, Resource, Sent, user};
use crate::compat::{Lexer, Nested, Passed};
use crate::engine::object::{Decoded, leading};
use crate::model::{Kind, LAST_APPLIED, UserInfo};

/// Nobody has more managers, but for who wants to take memory.
const MANAGERS: usize = 32;

/// Reads a review as it is gone through, which spares looking at most of it a second time. `None` for a body that is no review, and for one that is
/// not written as an API server writes it: whatever is odd is read by serde, which tells what is wrong, too.
pub(super) fn read(body: &[u8]) -> Option<AdmissionReview<'_>> {
    let body = simdutf8::basic::from_utf8(body).ok()?;
    let mut lexer = Lexer::of(body);
    let (mut api_version, mut kind, mut request) = (None, None, None);
    lexer.fields(|lexer, name| match plain(name)? {
        "apiVersion" => once(&mut api_version, text(lexer, body)?),
        "kind" => once(&mut kind, text(lexer, body)?),
        "request" => {
            let mut parts = Parts::default();
            lexer.fields(|lexer, name| parts.read(lexer, body, plain(name)?))?;
            once(&mut request, parts)
        }
        _ => lexer.value().map(drop),
    })?;
    if !lexer.is_at_end() {
        return None;
    }
    let request = match request {
        Some(parts) => Some(parts.into_request(lexer.nested())?),
        None => None,
    };
    Some(AdmissionReview {
        api_version: owned(api_version),
        kind: owned(kind),
        request,
    })
}

/// What there is of a request so far.
#[derive(Default)]
struct Parts<'a> {
    uid: Option<&'a str>,
    resource: Option<Resource>,
    sub_resource: Option<&'a str>,
    name: Option<&'a str>,
    namespace: Option<&'a str>,
    operation: Option<Operation>,
    user_info: Option<UserInfo>,
    /// The new object and the stored one, which may be `null`.
    objects: [Option<Option<Sent<'a>>>; 2],
    dry_run: Option<bool>,
    /// Where the first object has what the other one may have, too.
    places: Places,
}

impl<'a> Parts<'a> {
    /// Goes past the field of that name, and keeps what somebody reads.
    fn read(&mut self, lexer: &mut Lexer<'a>, body: &'a str, name: &str) -> Option<()> {
        match name {
            "uid" => once(&mut self.uid, text(lexer, body)?),
            "resource" => once(&mut self.resource, resource(lexer, body)?),
            "subResource" => once(&mut self.sub_resource, text(lexer, body)?),
            "name" => once(&mut self.name, text(lexer, body)?),
            "namespace" => once(&mut self.namespace, text(lexer, body)?),
            "operation" => {
                let operation = Operation::named(text(lexer, body)?)?;
                once(&mut self.operation, operation)
            }
            "userInfo" => {
                let user_info = user(body.get(lexer.value()?)?)?;
                once(&mut self.user_info, user_info)
            }
            "dryRun" => {
                let dry_run = body.get(lexer.value()?)?.parse().ok()?;
                once(&mut self.dry_run, dry_run)
            }
            "object" | "oldObject" => {
                let object = self.object(lexer, body)?;
                let [new, old] = &mut self.objects;
                once(if name == "object" { new } else { old }, object)
            }
            _ => lexer.value().map(drop),
        }
    }

    fn object(&mut self, lexer: &mut Lexer<'a>, body: &'a str) -> Option<Option<Sent<'a>>> {
        if !lexer.is_object() {
            let value = lexer.value()?;
            return (body.get(value)? == NULL).then_some(None);
        }
        let is_new = self.operation == Some(Operation::Create);
        let resource = self.resource.as_ref().filter(|_| is_new);
        let mut part = Object {
            body,
            start: lexer.place()?,
            kind: resource.and_then(Resource::kind),
            places: Places::default(),
            decoded: None,
        };
        let place = part.pass(lexer, &self.places)?;
        let (text, places) = (body.get(place.clone())?, part.places.behind(place.start));
        self.places = part.places;
        Some(Some(Sent::new(text, places, part.decoded)))
    }

    /// The request; `None` where something is missing that must be there.
    fn into_request(self, nested: Nested) -> Option<Request<'a>> {
        let [object, old_object] = self.objects.map(Option::flatten);
        Some(Request {
            uid: owned(self.uid),
            resource: self.resource.unwrap_or_default(),
            sub_resource: owned(self.sub_resource),
            name: owned(self.name),
            namespace: owned(self.namespace),
            operation: self.operation?,
            user_info: self.user_info.unwrap_or_default(),
            object,
            old_object,
            dry_run: self.dry_run.unwrap_or_default(),
            opened: None,
            nested,
            is_converted: false,
        })
    }
}

/// Keeps a value; `None` if there is one already.
fn once<T>(place: &mut Option<T>, value: T) -> Option<()> {
    place.replace(value).is_none().then_some(())
}

fn owned(text: Option<&str>) -> String {
    text.map(str::to_owned).unwrap_or_default()
}

/// Goes past a text: what it says, if nothing in it is escaped.
fn text<'a>(lexer: &mut Lexer<'a>, body: &'a str) -> Option<&'a str> {
    let text = body.get(lexer.value()?)?;
    plain(text.strip_prefix('"')?.strip_suffix('"')?)
}

/// Goes past a resource.
fn resource<'a>(lexer: &mut Lexer<'a>, body: &'a str) -> Option<Resource> {
    let [mut group, mut version, mut resource] = [None; 3];
    lexer.fields(|lexer, name| match plain(name)? {
        "group" => once(&mut group, text(lexer, body)?),
        "version" => once(&mut version, text(lexer, body)?),
        "resource" => once(&mut resource, text(lexer, body)?),
        _ => lexer.value().map(drop),
    })?;
    Some(Resource {
        group: owned(group),
        version: owned(version),
        resource: owned(resource),
    })
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
