use std::io::Write;

use super::Outcome;
use crate::rules;

/// Arguments of `garden-gate rules`.
#[derive(Debug, clap::Args)]
pub(super) struct Rules {
    /// Explain the rule with this id, or the rule that reports the finding with this id.
    id: Option<String>,
}

impl Rules {
    pub(super) fn run(self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        let shown = rules::ALL
            .iter()
            .filter(|rule| self.id.as_deref().is_none_or(|id| id == rule.id));
        for rule in shown {
            writeln!(out, "{}  {}", rule.id, rule.summary)?;
        }
        Ok(Outcome::Clean)
    }
}
