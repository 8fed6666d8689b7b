// SPDX-License-Identifier: Apache-2.0
use super::ForecastChanges;
use crate::forecast::Outlook;

/// Maximum number of Shoots whose events are listed one by one by default, since they fit a screen.
const FEW: usize = 10;

/// A forecast with the options of its presentation.
#[derive(Clone, Copy, Debug)]
pub struct ForecastReport<'a> {
    /// The forecast; after a comparison, only its new events.
    pub outlook: &'a Outlook,
    /// The comparison with an earlier report.
    pub changes: Option<&'a ForecastChanges>,
    /// Whether all events are listed one by one, even of many Shoots.
    pub is_detailed: bool,
}

impl<'a> ForecastReport<'a> {
    /// Creates a report without a comparison, in which equal events of many Shoots are grouped.
    pub fn of(outlook: &'a Outlook) -> Self {
        Self { outlook, changes: None, is_detailed: false }
    }

    /// Reports whether every event is listed.
    pub(super) fn lists_events(self) -> bool {
        self.is_detailed || self.is_small()
    }

    /// Reports whether the events of all Shoots fit a screen.
    pub(super) fn is_small(self) -> bool {
        self.outlook.shoots.len() + self.outlook.unforeseen.len() <= FEW
    }
}
