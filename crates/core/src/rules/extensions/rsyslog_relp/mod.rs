//! Rules for shoot-rsyslog-relp.

mod findings;
pub(super) mod shoot;
mod values;
