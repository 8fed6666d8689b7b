// SPDX-License-Identifier: Apache-2.0
use super::network::report_undecodable_network;
use crate::admission::{Context, Findings};
use crate::rules::extensions::{CommonFindings, Component};
use garden_gate_model::api::Shoot;
use garden_gate_model::api::extensions::Extension;

/// Prepares the judgement of a Shoot of a provider; see [`Component::begin`].
///
/// Returns `None` also for Shoots of other providers, and for those without workers.
pub(crate) fn begin<'c, 'a>(
    context: &'c Context<'a>,
    shoot: &Shoot,
    extension: &'static Extension,
    common: CommonFindings,
    findings: &mut Findings,
) -> Option<Component<'c, 'a>> {
    let (_, class) = extension.resource;
    if shoot.spec.provider.kind != class || shoot.is_workerless() {
        return None;
    }
    let component = Component::begin(context, extension, common, findings);
    if component.is_none() {
        report_undecodable_network(context, extension, common.undecodable, findings);
    }
    component
}
