// SPDX-License-Identifier: Apache-2.0
use super::super::row::Row;
use crate::forecast::Class;

/// The look of an event.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Look {
    Regular,
    Forced,
    Blocked,
    Stuck,
}

impl Look {
    pub(super) const ALL: [Look; 4] = [Look::Regular, Look::Forced, Look::Blocked, Look::Stuck];

    pub(super) fn of(row: &Row<'_>) -> Self {
        match row.event.class {
            Class::NoUpdatePossible => Look::Stuck,
            _ if row.is_blocked() => Look::Blocked,
            Class::Forced => Look::Forced,
            Class::Regular => Look::Regular,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Look::Regular => "regular",
            Look::Forced => "forced",
            Look::Blocked => "blocked",
            Look::Stuck => "stuck",
        }
    }

    pub(super) fn title(self) -> &'static str {
        match self {
            Look::Regular => "regular",
            Look::Forced => "forced",
            Look::Blocked => "blocked by a rule",
            Look::Stuck => "no update possible",
        }
    }
}
