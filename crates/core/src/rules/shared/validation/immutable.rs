// SPDX-License-Identifier: Apache-2.0
use super::lazy_path::LazyPath;
use super::value::shown;
use super::{CHANGED, Part};
use crate::admission::{Context, FieldPath, Findings, Help};
use garden_gate_model::api::{Constraint, Declared, Field, Object, Presence, Shape, described};
use garden_gate_text::json::Json;

/// Reports whether a part of the object is the same as in the stored object; there is none on CREATE.
pub(crate) fn is_unchanged(context: &Context<'_>, kind: &str, path: &[&str]) -> bool {
    let [new, old] = [context.new_opened(), context.old_opened()];
    !old.is_null() && new.opened_at(path).same_as(old.opened_at(path), Declared::at(kind, path))
}

/// Reports changes of the fields below a path that the table declares immutable.
///
/// Fields in lists and maps are skipped, and so are the fields of an object that is missing on one side.
pub(crate) fn check_immutable(
    kind: &str,
    path: &[&'static str],
    (new, old): (&Part<'_>, &Part<'_>),
    findings: &mut Findings,
) {
    let Some(table) = described(kind).and_then(|it| it.object.at(path)) else {
        return;
    };
    let [new, old] = [new, old].map(|it| it.at(path));
    let [new, old] = [&new, &old].map(|it| it.as_ref().map_or(Json::empty(), Part::json));
    let at = path.iter().fold(FieldPath::root(), |at, name| at.child_called(name));
    object(table, new, old, &LazyPath::at(&at), findings);
}

fn object(
    table: &'static Object,
    new: &Json<'_>,
    old: &Json<'_>,
    at: &LazyPath<'_>,
    findings: &mut Findings,
) {
    for row in table.fields {
        let (new, old) = (new.opened_at(&[row.name]), old.opened_at(&[row.name]));
        let field = at.field(row.name, row.name);
        let stays = |it: &Constraint| match it {
            Constraint::Immutable => true,
            Constraint::ImmutableOnceSet => !old.is_null(),
            _ => false,
        };
        if row.constraints.iter().any(stays) {
            if !is_same_field(row, new, old) {
                report(old, &field.reported(), findings);
            }
        } else if let Shape::Object(inner) = row.shape
            && (row.presence != Presence::Optional || !new.is_null() && !old.is_null())
        {
            object(inner, new, old, &field, findings);
        }
    }
}

/// Reports the change of an immutable field.
pub(crate) fn changed(old: &Part<'_>, findings: &mut Findings) {
    report(old.json(), old.path(), findings);
}

fn report(old: &Json<'_>, field: &FieldPath, findings: &mut Findings) {
    let message = match old.read::<String>() {
        Ok(was) => format!("the field is immutable; it was `{}`", shown(&was)),
        Err(_) => "the field is immutable".to_owned(),
    };
    findings
        .invalid(&CHANGED, field.clone(), message)
        .help(Help::restore("put the old value back"));
}

/// Reports whether a field is equal in two objects; a missing required field counts as empty.
fn is_same_field(row: &Field, new: &Json<'_>, old: &Json<'_>) -> bool {
    match row.shape {
        Shape::List(..) | Shape::Map(_) => {}
        _ if row.presence != Presence::Optional => {}
        _ if new.is_null() != old.is_null() => return false,
        _ => {}
    }
    is_same(&row.shape, new, old)
}

/// Compares values like `equality.Semantic` of Kubernetes.
fn is_same(shape: &Shape, new: &Json<'_>, old: &Json<'_>) -> bool {
    match shape {
        Shape::Object(table) => table.fields.iter().all(|row| {
            let (new, old) = (new.opened_at(&[row.name]), old.opened_at(&[row.name]));
            match row.shape {
                Shape::String if is_reference(table) => is_same_text(new, old),
                _ => is_same_field(row, new, old),
            }
        }),
        Shape::List(item, _) => {
            let (new, old) = (new.opened_elements(), old.opened_elements());
            let mut pairs = new.iter().zip(old);
            new.len() == old.len() && pairs.all(|(new, old)| is_same(item, new, old))
        }
        Shape::String => is_same_text(new, old),
        _ => {
            let is_same = new.same_as(old, Declared::of(*shape));
            is_same || new.is_empty() && old.is_null() || new.is_null() && old.is_empty()
        }
    }
}

/// Reports whether this is one of Kubernetes' own references.
///
/// In these, empty and absent strings are equal.
fn is_reference(table: &Object) -> bool {
    ["ObjectReference", "SecretReference"].contains(&table.name)
}

/// Compares strings, of which empty ones count as absent. Other values are compared as written.
fn is_same_text(new: &Json<'_>, old: &Json<'_>) -> bool {
    let is_given = |text: &String| !text.is_empty();
    match [new, old].map(|it| it.read::<Option<String>>()) {
        [Ok(new), Ok(old)] => new.filter(is_given) == old.filter(is_given),
        _ => new.same_as(old, Declared::of(Shape::String)),
    }
}
