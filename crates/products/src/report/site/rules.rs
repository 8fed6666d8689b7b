// SPDX-License-Identifier: Apache-2.0
//! The rules, and the pages of those that matter in a landscape.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::landscape::Landscape;
use super::naming::Naming;
use garden_gate_core::admission::Rule;
use garden_gate_core::catalogue;

/// The rules, in the order of their ids.
pub(super) struct Rules {
    rules: Vec<&'static Rule>,
    /// The names of their documents.
    names: Vec<String>,
    /// The number of objects with their findings.
    here: BTreeMap<&'static str, usize>,
}

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
    pub(super) fn of(landscape: &Landscape, naming: Naming) -> Self {
        let shoots = landscape.shoots.iter().map(|it| &it.findings);
        let objects = landscape.objects.iter().map(|it| &it.findings);
        let mut here = BTreeMap::new();
        for findings in shoots.chain(objects) {
            let of_object: BTreeSet<&'static str> = findings.iter().map(|it| it.rule).collect();
            for rule in of_object {
                *here.entry(rule).or_default() += 1;
            }
        }
        let mut rules: Vec<&Rule> = catalogue::all().collect();
        rules.sort_by_key(|it| it.id);
        let names = rules.iter().enumerate().map(|(position, it)| naming.rule(position, it.id));
        Self { names: names.collect(), rules, here }
    }

    /// Returns the names of the documents of rules.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Returns the position of the rule whose document has a name.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|it| it == name)
    }

    pub(super) fn document(&self) -> Document {
        let rules = self.rules.iter().zip(&self.names).map(|(rule, name)| RuleFields {
            rule: rule.id,
            summary: rule.summary,
            subject: rule.id.split('/').next().unwrap_or_default(),
            findings: rule.findings.iter().map(|it| it.id).collect(),
            here: self.here.get(rule.id).copied().unwrap_or_default(),
            data: name.clone(),
        });
        Document { rules: rules.collect() }
    }

    /// Returns the page of the rule at a position.
    pub(super) fn page(&self, position: usize) -> Page {
        let rule = self.rules[position];
        Page { rule: rule.id, summary: rule.summary, markdown: catalogue::page(rule) }
    }
}
