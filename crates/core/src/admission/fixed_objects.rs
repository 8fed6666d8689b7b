// SPDX-License-Identifier: Apache-2.0
use serde_json::Value;

use super::fix::name;
use super::{Applicability, Edit, ErrorType, FieldPath, Finding, Fix, Remedy};
use garden_gate_text::json::{Json, push_step, unescape_step};

/// Maximum size of a restored value, in bytes of JSON.
const LONGEST_RESTORED: usize = 1024;
/// Fields that identify the elements of a list.
const IDENTIFIERS: [&str; 3] = ["name", "type", "key"];

/// The objects of a request as JSON, for building fixes.
#[derive(Debug)]
pub(super) struct FixedObjects {
    new: Value,
    old: Value,
}

impl FixedObjects {
    /// Parses the new and the stored object; an absent or invalid one is `null`.
    pub(super) fn of(objects: [Json<'_>; 2]) -> Self {
        let [new, old] = objects.map(|object| object.to_value());
        Self { new, old }
    }

    /// Adds the fix of a remedy to a finding, and drops fixes that the new object does not allow.
    pub(super) fn complete(&self, finding: &mut Finding, remedy: Option<Remedy>) {
        let duplicate = match finding.error {
            ErrorType::Duplicate => self.without_duplicate(&finding.pointer),
            _ => None,
        };
        let fix = || remedy.and_then(|remedy| self.fix(&finding.pointer, remedy));
        finding.fixes.extend(duplicate.or_else(fix));
        for fix in &mut finding.fixes {
            for edit in &mut fix.edits {
                self.adapt(edit);
            }
        }
        let is_possible = |edit: &Edit| edit.fits(&self.new);
        finding.fixes.retain(|fix| match &fix.edits[..] {
            // Later edits of a fix may depend on earlier ones.
            [first, ..] => is_possible(first),
            [] => false,
        });
    }

    fn fix(&self, pointer: &str, remedy: Remedy) -> Option<Fix> {
        let (fix, applicability) = match remedy {
            Remedy::Set(value, applicability) => (Fix::set(pointer, value), applicability),
            Remedy::Remove(applicability) => (Fix::remove(pointer), applicability),
            Remedy::Rename(key, applicability) => (Fix::rename(pointer, &key), applicability),
            Remedy::Move(to, applicability) => (self.moved(pointer, &to)?, applicability),
            Remedy::At(path, remedy) => {
                let mut at = pointer.to_owned();
                for step in path.split('/') {
                    match step {
                        ".." => at.truncate(at.rfind('/')?),
                        member => push_step(&mut at, member),
                    }
                }
                return self.fix(&at, *remedy);
            }
            Remedy::Restore => (self.restored(pointer)?, Applicability::Suggestion),
        };
        Some(Fix { applicability, ..fix })
    }

    /// Returns a suggestion to move a field.
    fn moved(&self, pointer: &str, to: &str) -> Option<Fix> {
        let insert =
            Edit::Insert { pointer: to.to_owned(), value: self.new.pointer(pointer)?.clone() };
        let fix = Fix::remove(pointer);
        Some(Fix {
            title: format!("move `{}` to `{}`", name(pointer), parent_path(to)),
            edits: [vec![insert], fix.edits].concat(),
            ..fix
        })
    }

    /// Returns a suggestion to restore the stored value; list elements are found by their names.
    fn restored(&self, pointer: &str) -> Option<Fix> {
        let (mut new, mut old) = (Some(&self.new), Some(&self.old).filter(|it| !it.is_null())?);
        let mut is_missing = false;
        for step in pointer.split('/').skip(1).map(unescape_step) {
            let next = match (new, old) {
                (Some(Value::Array(items)), Value::Array(stored)) => {
                    let index: usize = step.parse().ok()?;
                    let item = items.get(index)?;
                    let identifier = IDENTIFIERS.iter().find(|it| item[**it].is_string());
                    let stored = match identifier {
                        Some(name) => stored.iter().find(|it| it[*name] == item[*name]),
                        None if stored.len() == items.len() => stored.get(index),
                        None => None,
                    };
                    (Some(item), Some(stored?))
                }
                (new, Value::Object(members)) => {
                    (new.and_then(|it| it.get(&step)), members.get(&step))
                }
                _ => return None,
            };
            new = next.0;
            match next.1 {
                Some(value) => old = value,
                None => {
                    is_missing = true;
                    break;
                }
            }
        }
        if is_missing {
            return Some(Fix::remove(pointer));
        }
        let is_short = old.to_string().len() <= LONGEST_RESTORED;
        let fix = is_short.then(|| Fix::set(pointer, old.clone()))?;
        let title = format!("restore `{}`", name(pointer));
        Some(Fix { title, ..fix })
    }

    /// Returns the removal of an element that is equal to an earlier one of its list.
    fn without_duplicate(&self, pointer: &str) -> Option<Fix> {
        let mut at = pointer;
        loop {
            let (parent, index) = at.rsplit_once('/')?;
            if let Some(items) = self.new.pointer(parent).and_then(Value::as_array) {
                let index: usize = index.parse().ok()?;
                let (before, item) = (items.get(..index)?, items.get(index)?);
                return before.contains(item).then(|| Fix::remove(at).safe());
            }
            at = parent;
        }
    }

    /// Adds a value instead of replacing it, if it is absent.
    fn adapt(&self, edit: &mut Edit) {
        if let Edit::Replace { pointer, value } = edit
            && self.new.pointer(pointer).is_none()
        {
            *edit = Edit::Insert { pointer: std::mem::take(pointer), value: std::mem::take(value) };
        }
    }
}

/// Returns the path above a JSON pointer in the notation of Kubernetes.
fn parent_path(pointer: &str) -> String {
    let (parent, _) = pointer.rsplit_once('/').unwrap_or_default();
    FieldPath::of_pointer(parent).to_string()
}
