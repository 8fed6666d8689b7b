//! Rules about BackupBuckets and BackupEntries.

mod bucket;
mod entry;
mod owner;

use crate::admission::{Context, Rule};
use garden_gate_model::api::Declared;

pub(crate) const RULES: &[&Rule] = &[
    &bucket::form::RULE,
    &bucket::immutable_fields::RULE,
    &bucket::references::RULE,
    &bucket::delete_in_use::RULE,
    &entry::form::RULE,
    &entry::references::RULE,
];

/// Reports whether a part of the object is the same as in the stored object; there is none on CREATE.
fn is_unchanged(context: &Context<'_>, kind: &str, path: &[&str]) -> bool {
    let [new, old] = [context.new_opened(), context.old_opened()];
    let typing = Declared::at(kind, path);
    !old.is_null() && new.opened_at(path).same_as(old.opened_at(path), typing)
}
