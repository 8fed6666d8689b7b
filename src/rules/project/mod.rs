//! Rules about Projects.

mod guarded_parts;
mod members;

rules! {
    RULES:
    owner_defaulting,
    form,
    namespace_taken,
    status_form,
    tolerations_invalid,
    immutable_fields,
    deletion_not_confirmed,
    whitelist_verb,
    members_verb,
    owner_verb,
}
