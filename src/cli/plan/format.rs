// SPDX-License-Identifier: Apache-2.0
use clap::ValueEnum;

use garden_gate_core::plan::ChangePlan;
use garden_gate_core::workload::Readiness;
use garden_gate_products::report::{
    FleetReport, Look, fleet_json, fleet_markdown, fleet_text, plan_json, plan_markdown, plan_text,
};

/// The format of a plan.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(super) enum Format {
    /// Text with a table for each Shoot.
    Text,
    /// JSON: `{"shoots": [...]}`.
    Json,
    /// Markdown, for a comment on a pull request.
    Markdown,
}

/// The kind of output.
#[derive(Clone, Copy)]
pub(super) enum PlanView<'a> {
    /// The plan of a change, and the results of the checks of workload.
    Change(&'a ChangePlan, Option<&'a Readiness>),
    /// The plan of maintenance.
    Fleet(FleetReport<'a>),
}

impl Format {
    pub(super) fn text(self, plan: PlanView<'_>, look: Look) -> anyhow::Result<String> {
        Ok(match (self, plan) {
            (Format::Text, PlanView::Change(plan, workload)) => plan_text(plan, workload, look),
            (Format::Json, PlanView::Change(plan, workload)) => plan_json(plan, workload)?,
            (Format::Markdown, PlanView::Change(plan, workload)) => plan_markdown(plan, workload),
            (Format::Text, PlanView::Fleet(report)) => fleet_text(report, look),
            (Format::Json, PlanView::Fleet(report)) => fleet_json(report)?,
            (Format::Markdown, PlanView::Fleet(report)) => fleet_markdown(report),
        })
    }
}
