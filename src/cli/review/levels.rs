// SPDX-License-Identifier: Apache-2.0
//! Levels of rules on the command line.

use std::ffi::OsString;

use anyhow::bail;
use clap::Args;

use garden_gate_core::admission::Rule;
use garden_gate_core::catalogue;
use garden_gate_core::config::{Config, Level, LevelPatterns};
use garden_gate_core::policies::OwnPolicy;
use garden_gate_core::rules;
use garden_gate_text::nearest::did_you_mean;

/// Levels of rules and findings, which take precedence over the configuration.
#[derive(Args, Debug)]
pub(crate) struct LevelArgs {
    /// Enable only this rule or finding, by id or pattern (`shoot/*`); may be given several times.
    #[arg(long, value_name = "RULE")]
    select: Vec<String>,

    /// Disable a rule or finding, by id or pattern; may be given several times.
    #[arg(long, value_name = "RULE")]
    ignore: Vec<String>,

    /// Lower a rule or finding to a warning, by id or pattern; may be given several times.
    #[arg(long, value_name = "RULE")]
    warn: Vec<String>,

    /// Raise a rule or finding to a refusal, by id; may be given several times. A pattern sets the levels of the profile.
    #[arg(long, value_name = "RULE")]
    deny: Vec<String>,
}

impl LevelArgs {
    /// Returns the arguments that set the same levels again.
    pub(crate) fn words(&self) -> Vec<OsString> {
        let Self { select, ignore, warn, deny } = self;
        let lists =
            [("--select", select), ("--ignore", ignore), ("--warn", warn), ("--deny", deny)];
        let words = lists.into_iter().flat_map(|(flag, rules)| {
            rules.iter().map(move |rule| format!("{flag}={rule}").into())
        });
        words.collect()
    }

    /// Sets the levels of rules, findings and policies in a configuration.
    ///
    /// # Errors
    /// Fails if a rule, finding or policy does not exist.
    pub(crate) fn apply(&self, config: &mut Config, policies: &[OwnPolicy]) -> anyhow::Result<()> {
        let selected = ids(&self.select, policies)?;
        if !selected.is_empty() {
            let levels = selected
                .into_iter()
                .map(|id| {
                    let level = match level(config, id, policies) {
                        Level::Off => Level::Warn,
                        level => level,
                    };
                    (id.to_owned(), level)
                })
                .collect();
            config.levels = levels;
            config.patterns = LevelPatterns::default();
            config.patterns.insert("*", Level::Off);
        }
        for (words, wanted) in
            [(&self.deny, Level::Deny), (&self.warn, Level::Warn), (&self.ignore, Level::Off)]
        {
            for word in words {
                if wanted == Level::Deny && LevelPatterns::is_pattern(word) {
                    let ids = ids(std::slice::from_ref(word), policies)?;
                    config.levels.retain(|id, _| !ids.contains(&id.as_str()));
                    config.patterns.insert(word, wanted);
                    continue;
                }
                for id in ids(std::slice::from_ref(word), policies)? {
                    let wanted = if LevelPatterns::is_pattern(word) {
                        wanted.min(level(config, id, policies))
                    } else {
                        wanted
                    };
                    set(config, id, wanted);
                }
            }
        }
        Ok(())
    }
}

/// Returns the ids of rules, findings and policies that match the arguments, by id or pattern.
fn ids(words: &[String], policies: &[OwnPolicy]) -> anyhow::Result<Vec<&'static str>> {
    let mut known = rules::known_ids().all();
    known.extend(policies.iter().map(OwnPolicy::id));
    let mut ids = Vec::new();
    for word in words {
        let before = ids.len();
        let fits = |id: &&str| id == word || LevelPatterns::covers(word, id);
        ids.extend(known.iter().copied().filter(fits));
        if ids.len() == before {
            let hint = did_you_mean(word, &known)
                .unwrap_or_else(|| "`garden-gate rules` lists them".to_owned());
            bail!("no rule or finding has the id `{word}`; {hint}");
        }
    }
    Ok(ids)
}

/// Returns the level of a policy, of a rule, or of a finding in the first rule that reports it.
fn level(config: &Config, id: &str, policies: &[OwnPolicy]) -> Level {
    if let Some(policy) = policies.iter().find(|it| it.id() == id) {
        return policy.level(config);
    }
    let rules = catalogue::explain(id);
    let levels = rules.iter().map(|rule| config.level(rule.id, id, rule.levels));
    levels.max().unwrap_or(Level::Off)
}

/// Sets the level of a rule with the findings that no other rule reports, or of a finding.
fn set(config: &mut Config, id: &str, level: Level) {
    config.levels.insert(id.to_owned(), level);
    let findings = rules::find(id).into_iter().flat_map(|rule| rule.findings);
    for finding in findings {
        let reports = |rule: &&&Rule| rule.reports(finding.id);
        if rules::ALL.iter().filter(reports).count() == 1
            && let Some(set) = config.levels.get_mut(finding.id)
        {
            *set = level;
        }
    }
}
