//! Rules about Seeds.

pub(super) mod operation;
