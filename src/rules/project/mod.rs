//! Rules about Projects.

pub(super) mod deletion_not_confirmed;
mod guarded_parts;
pub(super) mod immutable_fields;
pub(super) mod members_verb;
pub(super) mod owner_defaulting;
pub(super) mod owner_verb;
pub(super) mod tolerations_invalid;
pub(super) mod whitelist_verb;
