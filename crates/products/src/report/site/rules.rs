//! The rules, and the pages of those that matter in a landscape.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::landscape::Landscape;
use garden_gate_core::admission::Rule;
use garden_gate_core::{catalogue, rules};

/// The rules with the number of objects with their findings.
pub(super) struct Rules(BTreeMap<&'static str, usize>);

/// All rules.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SiteRules")]
pub(super) struct Document {
    /// The rules, in the order of their ids.
    rules: Vec<RuleFields>,
}

/// A rule.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SiteRule")]
struct RuleFields {
    /// The id.
    rule: &'static str,
    /// The violation or effect in one line.
    summary: &'static str,
    /// The subject, which begins the id.
    subject: &'static str,
    /// The ids of its findings.
    findings: Vec<&'static str>,
    /// The number of objects with its findings.
    here: usize,
    /// The name of the document with its page.
    data: String,
}

/// The page of a rule.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SiteRulePage")]
pub(super) struct Page {
    /// The id.
    rule: &'static str,
    /// The violation or effect in one line.
    summary: &'static str,
    /// The page, as Markdown.
    markdown: String,
}

impl Rules {
    pub(super) fn of(landscape: &Landscape) -> Self {
        let shoots = landscape.shoots.iter().map(|it| &it.findings);
        let objects = landscape.objects.iter().map(|it| &it.findings);
        let mut here = BTreeMap::new();
        for findings in shoots.chain(objects) {
            let of_object: BTreeSet<&'static str> = findings.iter().map(|it| it.rule).collect();
            for rule in of_object {
                *here.entry(rule).or_default() += 1;
            }
        }
        Self(here)
    }

    pub(super) fn document(&self) -> Document {
        let rules = sorted().into_iter().enumerate().map(|(index, rule)| RuleFields {
            rule: rule.id,
            summary: rule.summary,
            subject: rule.id.split('/').next().unwrap_or_default(),
            findings: rule.findings.iter().map(|it| it.id).collect(),
            here: self.0.get(rule.id).copied().unwrap_or_default(),
            data: name(index),
        });
        Document { rules: rules.collect() }
    }

    /// Returns the pages of all rules with the names of their documents.
    pub(super) fn pages(&self) -> impl Iterator<Item = (String, Page)> {
        sorted().into_iter().enumerate().map(|(index, rule)| {
            let page =
                Page { rule: rule.id, summary: rule.summary, markdown: catalogue::page(rule) };
            (name(index), page)
        })
    }
}

fn sorted() -> Vec<&'static Rule> {
    let mut rules = rules::ALL.to_vec();
    rules.sort_by_key(|it| it.id);
    rules
}

fn name(index: usize) -> String {
    format!("rule/{index}")
}
