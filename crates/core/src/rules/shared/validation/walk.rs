// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;
use std::collections::BTreeSet;

use super::facts::Facts;
use super::lazy_path::LazyPath;
use super::value::{Broken, broken, shown};
use super::{Part, report_repeated};
use crate::admission::{FieldPath, Findings};
use garden_gate_model::api::{Constraint, Field, Object, Presence, Shape, described};
use garden_gate_text::json::{Fields, Json};

/// The part of a kind that one rule validates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    /// The kind.
    pub(crate) kind: &'static str,
    /// The path to its fields, which leads through objects only.
    pub(crate) at: &'static [&'static str],
    /// Objects of the table that other rules validate.
    pub(crate) except: &'static [&'static str],
}

/// Validates a completely parsed part of an object against the field table.
///
/// Skips the constraints on fields that a Kubernetes version forbids.
pub(crate) fn check(
    section: Section,
    object: &Json<'_>,
    facts: Facts<'_>,
    findings: &mut Findings,
) {
    run(section, object, facts, findings, |it| !is_removal(it));
}

/// Validates a value as [`check`], with the fields of `section` but at another path.
pub(crate) fn check_at(
    section: Section,
    part: &Part<'_>,
    facts: Facts<'_>,
    findings: &mut Findings,
) {
    let Some(object) = described(section.kind).and_then(|it| it.object.at(section.at)) else {
        return;
    };
    let is_judged = |it: &Constraint| !is_removal(it);
    let mut walk = Walk { section, facts, findings, is_judged };
    let path = LazyPath::at(part.path());
    walk.object(object, part.json(), &path);
}

/// Reports the fields of a part of an object that its Kubernetes version forbids.
pub(crate) fn check_removed(
    section: Section,
    object: &Json<'_>,
    facts: Facts<'_>,
    findings: &mut Findings,
) {
    run(section, object, facts, findings, is_removal);
}

fn is_removal(constraint: &Constraint) -> bool {
    matches!(constraint, Constraint::RemovedFrom(..))
}

fn run(
    section: Section,
    object: &Json<'_>,
    facts: Facts<'_>,
    findings: &mut Findings,
    is_judged: fn(&Constraint) -> bool,
) {
    let Some((last, way)) = section.at.split_last() else {
        return;
    };
    let table = described(section.kind).and_then(|it| it.object.at(way));
    let Some(row) = table.and_then(|it| it.field(last)) else {
        return;
    };
    let mut walk = Walk { section, facts, findings, is_judged };
    walk.descend(way, row, object.opened_at(section.at), &LazyPath::ROOT);
}

struct Walk<'w, 'f> {
    section: Section,
    facts: Facts<'w>,
    findings: &'f mut Findings,
    is_judged: fn(&Constraint) -> bool,
}

impl Walk<'_, '_> {
    fn descend(&mut self, way: &[&str], row: &'static Field, value: &Json<'_>, at: &LazyPath<'_>) {
        match way {
            [] => self.row(row, Some(value).filter(|it| !it.is_null()), at),
            [first, rest @ ..] => self.descend(rest, row, value, &at.field(first, first)),
        }
    }

    fn row(&mut self, row: &'static Field, value: Option<&Json<'_>>, around: &LazyPath<'_>) {
        let at = around.field(row.name, called(row));
        let value = value.or_else(|| left_out(row));
        let is_judged = self.is_judged;
        for constraint in row.constraints.iter().filter(|it| is_judged(it)) {
            if self.hold(row, constraint, value, &at) && is_presence(constraint) {
                break;
            }
        }
        if let Some(value) = value {
            self.inside(&row.shape, value, &at);
        }
    }

    /// Checks a constraint and reports a violation.
    ///
    /// Constraints on the items of lists are declared at the list.
    fn hold(
        &mut self,
        row: &'static Field,
        constraint: &Constraint,
        value: Option<&Json<'_>>,
        at: &LazyPath<'_>,
    ) -> bool {
        match (constraint, row.shape, value) {
            (Constraint::Distinct, _, Some(list)) => self.distinct(list, &[], at),
            (Constraint::DistinctBy(field), _, Some(list)) => self.distinct(list, &[field], at),
            (Constraint::Enum(_) | Constraint::Format(_), Shape::List(..), Some(list)) => {
                let items = list.opened_elements().iter().map(text_or_empty).enumerate();
                items.fold(false, |broken, (index, item)| {
                    self.report(row, constraint, Some(item), &at.index(index)) || broken
                })
            }
            _ => self.report(row, constraint, value, at),
        }
    }

    fn report(
        &mut self,
        row: &Field,
        constraint: &Constraint,
        value: Option<&Json<'_>>,
        at: &LazyPath<'_>,
    ) -> bool {
        let Some(broken) = broken(constraint, row, value, &self.facts) else {
            return false;
        };
        let Broken { kind, error, message, help } = broken;
        let text = value.and_then(|it| it.read::<String>().ok());
        self.findings
            .report(kind, error, at.reported(), message)
            .at(&at.real())
            .value(text.as_deref().map(shown))
            .help(help);
        true
    }

    fn inside(&mut self, shape: &'static Shape, value: &Json<'_>, at: &LazyPath<'_>) {
        match shape {
            Shape::Object(object) if !self.section.except.contains(&object.name) => {
                self.object(object, value, at);
            }
            Shape::List(item, _) if item.object().is_some() => {
                for (index, value) in value.opened_elements().iter().enumerate() {
                    self.inside(item, value, &at.index(index));
                }
            }
            Shape::Map(item) if item.object().is_some() => {
                let fields = value.opened_fields().into_iter();
                for (name, value) in fields.flat_map(Fields::named) {
                    self.inside(item, value, &at.key(&name));
                }
            }
            _ => {}
        }
    }

    fn object(&mut self, object: &'static Object, value: &Json<'_>, at: &LazyPath<'_>) {
        let fields = value.opened_fields();
        for row in object.fields {
            let value = fields.and_then(|fields| fields.get(row.name)).filter(|it| !it.is_null());
            let is_judged = value.is_some() || says_of_absent(row);
            if is_judged && row.versions.contains(self.facts.gardener) {
                self.row(row, value, at);
            }
        }
    }

    fn distinct(&mut self, list: &Json<'_>, field: &[&str], at: &LazyPath<'_>) -> bool {
        let (mut seen, mut broken) = (BTreeSet::new(), false);
        for (index, item) in list.opened_elements().iter().enumerate() {
            let item = if field.is_empty() { text_or_empty(item) } else { item.opened_at(field) };
            let Ok(text) = item.read::<String>() else {
                continue;
            };
            if seen.contains(&text) {
                broken = true;
                let at = at.index(index);
                let path =
                    |path: FieldPath| field.iter().fold(path, |at, name| at.child_called(name));
                let what = format_args!("`{}`", shown(&text));
                report_repeated(what, path(at.reported()), self.findings)
                    .at(&path(at.real()))
                    .value(shown(&text));
            }
            seen.insert(text);
        }
        broken
    }
}

fn called(row: &'static Field) -> &'static str {
    let called = row.constraints.iter().find_map(|it| match it {
        Constraint::Called(name) => Some(*name),
        _ => None,
    });
    called.unwrap_or(row.name)
}

/// Reports whether an absent field can violate a constraint.
fn says_of_absent(row: &Field) -> bool {
    row.presence == Presence::Required || row.constraints.iter().any(is_presence)
}

const NO_TEXT: Json<'static> = Json::Text(Cow::Borrowed("\"\""));

/// Returns an item of a list of strings: as in Go, `null` is the empty string.
fn text_or_empty<'j, 'a>(item: &'j Json<'a>) -> &'j Json<'a> {
    if item.is_null() { &NO_TEXT } else { item }
}

/// Returns the value of an absent field: a required string counts as empty.
fn left_out(row: &'static Field) -> Option<&'static Json<'static>> {
    match (row.presence, row.shape) {
        (Presence::Required, Shape::String) => Some(&NO_TEXT),
        (Presence::Required, Shape::Object(_)) => Some(Json::empty()),
        _ => None,
    }
}

/// Reports whether the constraint applies to absent values; other constraints do not.
fn is_presence(constraint: &Constraint) -> bool {
    use Constraint::{Filled, FilledWithWorkers, NotEmpty};
    matches!(constraint, Filled | FilledWithWorkers | NotEmpty)
}
