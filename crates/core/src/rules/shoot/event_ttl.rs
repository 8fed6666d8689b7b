// SPDX-License-Identifier: Apache-2.0
//! `eventTTL` of the API server.

use crate::rules::shared::validation::Part;
use garden_gate_text::json::Json;

/// Maximum `eventTTL` in seconds.
pub(crate) const LONGEST_EVENT_TTL: f64 = 24.0 * 3600.0;

/// Returns `eventTTL` of a Shoot in seconds.
pub(crate) fn event_ttl(object: &Json<'_>) -> Option<f64> {
    let server = Part::whole(object).at(&["spec", "kubernetes", "kubeAPIServer"])?;
    server.seconds_at(&["eventTTL"])
}
