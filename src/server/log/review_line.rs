// SPDX-License-Identifier: Apache-2.0
//! The log line about a review.

use std::time::Duration;

use tracing::{Level, event, event_enabled};

use super::{NAME_LIMIT, TEXT_LIMIT};
use crate::server::metrics;
use garden_gate_core::admission::{Decision, EntryPoint, Request, Review};
use garden_gate_products::report::{findings_in_short, listed, undetermined_in_short};
use garden_gate_text::escape::value_within;

/// Maximum length of the findings in a line, in bytes.
const FINDINGS_LIMIT: usize = 1024;
/// Maximum length of undecided rules and other lists of ids, in bytes.
const IDS_LIMIT: usize = 256;

/// Logs the decision on a request, without any content of the object.
/// Plainly allowed requests are logged at level debug.
pub(crate) fn log(entry_point: EntryPoint, request: &Request<'_>, review: &Review, took: Duration) {
    let decision = review.decision();
    let is_ordinary = decision == Decision::Allowed;
    let is_wanted =
        if is_ordinary { event_enabled!(Level::DEBUG) } else { event_enabled!(Level::INFO) };
    if !is_wanted {
        return;
    }
    let silenced = review.silenced.iter().map(|it| it.id);
    let silenced = listed(silenced, IDS_LIMIT);
    let exempt = listed(review.exempted.ids().iter().copied(), IDS_LIMIT);
    let findings = value_within(findings_in_short(review, FINDINGS_LIMIT), FINDINGS_LIMIT);
    let undetermined = value_within(undetermined_in_short(review, IDS_LIMIT), IDS_LIMIT);
    macro_rules! reviewed {
        ($level:expr) => {
            event!(
                $level,
                decision = decision.as_str(),
                endpoint = metrics::label(entry_point),
                operation = request.operation.as_str(),
                kind = kind(request),
                subresource = unless_empty(&value_within(&request.sub_resource, TEXT_LIMIT)),
                namespace = value_within(&request.namespace, NAME_LIMIT),
                name = value_within(&request.name, NAME_LIMIT),
                user = value_within(&request.user_info.username, TEXT_LIMIT),
                groups = request.user_info.groups.len(),
                dry_run = request.dry_run,
                findings = unless_empty(&findings),
                undetermined = unless_empty(&undetermined),
                silenced = unless_empty(&silenced),
                exempt = unless_empty(&exempt),
                patch_operations = review.patch.0.len(),
                duration_us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
                uid = value_within(&request.uid, TEXT_LIMIT),
                "reviewed"
            )
        };
    }
    if is_ordinary { reviewed!(Level::DEBUG) } else { reviewed!(Level::INFO) }
}

/// Returns the kind, or the resource of the API server if the kind is unknown.
fn kind(request: &Request<'_>) -> String {
    let resource = &request.resource;
    request.kind().map_or_else(
        || value_within(&resource.resource, TEXT_LIMIT),
        |kind| kind.as_str().to_owned(),
    )
}

/// Omits empty fields.
fn unless_empty(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}
