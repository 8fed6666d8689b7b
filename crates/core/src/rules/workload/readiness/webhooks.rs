// SPDX-License-Identifier: Apache-2.0
//! Webhooks that can block requests of the cluster, by the rule about webhook configurations.

use super::input::Input;
use crate::admission::Rule;
use crate::rules::webhook_config::problematic;
use crate::workload::CheckReport;
use garden_gate_model::gardener::webhooks::{defaulted, is_considered, problems};

pub(super) const RULE: &Rule = &problematic::RULE;

pub(super) fn check(input: &Input<'_>, report: &mut CheckReport) {
    for (name, configuration) in &input.workload.webhooks {
        if !is_considered(&configuration.metadata) {
            report.pass();
            continue;
        }
        let mut is_problematic = false;
        for webhook in &configuration.webhooks {
            let webhook = defaulted(webhook);
            for problem in problems(&webhook) {
                is_problematic = true;
                let message = problematic::describe(&webhook, &problem);
                report.warn(&problematic::PROBLEMATIC, name, message, problem.way_out());
            }
        }
        if !is_problematic {
            report.pass();
        }
    }
}
