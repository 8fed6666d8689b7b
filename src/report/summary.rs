use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::truncation::counted;
use super::{AuditSummary, Compared, Reviewed, Weight};
use crate::engine::Verdict;

/// What there is to say about all objects of a review together, counted one after the other.
#[derive(Debug, Default)]
pub struct Summary {
    /// What was not looked at.
    pub left_out: LeftOut,
    /// Where the configuration comes from; `None` if there is none.
    pub config: Option<ConfigFile>,
    /// The URL of the page of a rule, with `{rule}` for its id.
    pub rule_url: Option<String>,
    /// The version of Gardener that the garden runs, if it has the ConfigMap `gardener-info`.
    pub garden_version: Option<String>,
    /// How it compares with a baseline; `None` without one.
    pub baseline: Option<Compared>,
    /// What was counted of an audit; `None` for a review.
    pub audit: Option<AuditSummary>,
    allowed: usize,
    denied: usize,
    undetermined: usize,
    /// How many are denied for nothing but what is in the baseline.
    denied_as_before: usize,
    /// What is said about any of them that is not in the baseline.
    says: BTreeSet<Weight>,
    /// Refusals and warnings that are not in the baseline.
    refusals: usize,
    warnings: usize,
    files: BTreeSet<String>,
    /// What the API server said; `None` if it was not asked.
    server: Option<ServerCounts>,
}

/// Counts of a review, for programs.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Counts {
    objects: usize,
    allowed: usize,
    denied: usize,
    undetermined: usize,
    /// Findings, without those in the baseline.
    refusals: usize,
    warnings: usize,
    /// Files with objects.
    files: usize,
}

/// The version of Gardener whose decisions are made here.
const GARDENER: &str = "v1.150";

/// The version of Gardener by which objects are judged.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct JudgedAs<'a> {
    pub gardener: &'static str,
    /// The version that the garden runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub garden: Option<&'a str>,
    /// The difference, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A configuration file.
#[derive(Debug)]
pub struct ConfigFile {
    /// The file, as the user would name it.
    pub path: String,
    /// Whether it was looked for and found; else the user named it.
    pub is_found: bool,
}

#[derive(Debug, Default)]
struct ServerCounts {
    refused: usize,
    missing: usize,
    different: usize,
}

impl Summary {
    /// That of no object so far.
    #[must_use]
    pub fn new(left_out: LeftOut, config: Option<ConfigFile>) -> Self {
        Self {
            left_out,
            config,
            ..Self::default()
        }
    }

    /// Counts one more object.
    pub fn add(&mut self, object: &Reviewed) {
        match object.verdict() {
            Verdict::Allowed => self.allowed += 1,
            Verdict::Denied => self.denied += 1,
            Verdict::Undetermined => self.undetermined += 1,
        }
        self.denied_as_before += usize::from(object.is_denied_as_before());
        let remarks = object.remarks_with_server();
        self.says.extend(remarks.iter().map(|remark| remark.weight));
        let count = |weight| remarks.iter().filter(|it| it.weight == weight).count();
        self.refusals += count(Weight::Refused);
        self.warnings += count(Weight::Warned);
        if !self.files.contains(&object.file) {
            self.files.insert(object.file.clone());
        }
        if let Some(server) = &object.server {
            let counts = self.server.get_or_insert_default();
            counts.refused += usize::from(server.is_refusal());
            counts.missing += usize::from(server.is_missing());
            counts.different += usize::from(server.disagrees());
        }
    }

    /// Whether anything of this weight is said that is not in the baseline.
    #[must_use]
    pub fn says(&self, weight: Weight) -> bool {
        self.says.contains(&weight)
    }

    /// Whether there was no object at all, not even one that nobody changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.allowed + self.denied + self.undetermined + self.left_out.unchanged == 0
    }

    /// Counts for programs.
    pub(super) fn numbers(&self) -> Counts {
        let Self {
            allowed,
            denied,
            undetermined,
            refusals,
            warnings,
            ..
        } = *self;
        Counts {
            objects: allowed + denied + undetermined,
            allowed,
            denied,
            undetermined,
            refusals,
            warnings,
            files: self.files.len(),
        }
    }

    /// Returns the version of Gardener by which everything is judged, with a note where the garden runs another one.
    #[must_use]
    pub(super) fn judged_as(&self) -> JudgedAs<'_> {
        let is_same = |garden: &&str| {
            let rest = garden.strip_prefix(GARDENER);
            rest.is_some_and(|it| it.is_empty() || it.starts_with(['.', '-']))
        };
        let garden = self.garden_version.as_deref();
        JudgedAs {
            gardener: GARDENER,
            garden,
            note: garden
                .filter(|garden| !is_same(garden))
                .map(|garden| format!("the garden runs Gardener {garden}")),
        }
    }

    /// Verdicts, warnings and files in one line; for an audit only the verdicts.
    pub(super) fn counts(&self) -> String {
        let Self {
            allowed,
            denied,
            undetermined,
            ..
        } = self;
        let before = match self.denied_as_before {
            0 => String::new(),
            before => format!(" ({before} as in the baseline)"),
        };
        let mut counts =
            format!("{allowed} allowed, {denied} denied{before}, {undetermined} undetermined");
        if self.audit.is_none() {
            let warnings = counted(self.warnings, "warning", "warnings");
            let warnings = warnings.unwrap_or_else(|| "0 warnings".to_owned());
            let files = counted(self.files.len(), "file", "files");
            counts += &format!("; {warnings} in {}", files.as_deref().unwrap_or("0 files"));
        }
        let Some(server) = &self.server else {
            return counts;
        };
        let ServerCounts {
            refused,
            missing,
            different,
        } = server;
        let missing = match missing {
            0 => String::new(),
            _ => format!(", has not answered about {missing}"),
        };
        format!("{counts}; the API server refuses {refused}{missing}, disagrees about {different}")
    }
}

/// What `review` came across and did not look at.
#[derive(Debug, Default, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LeftOut {
    /// How many objects are what they were before.
    pub unchanged: usize,
    /// How many documents are of kinds that are never judged.
    pub others: usize,
    /// Templates and patches, which another program completes before they are applied, with what to do about each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub incomplete: Vec<LeftOutFile>,
    /// Files in directories that hold no manifests, with the reasons.
    pub files: Vec<LeftOutFile>,
}

/// A file in a directory that holds no manifests.
#[derive(Debug, JsonSchema, Serialize)]
pub struct LeftOutFile {
    /// The file.
    pub file: String,
    /// Why it is taken to hold none.
    pub why: String,
}

impl LeftOut {
    /// Whether there was anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.unchanged + self.others + self.incomplete.len() + self.files.len() == 0
    }

    /// In one line.
    pub(super) fn summary(&self) -> String {
        let mut parts = vec![
            counted(
                self.unchanged,
                "object is unchanged",
                "objects are unchanged",
            ),
            counted(
                self.others,
                "document is of another kind",
                "documents are of other kinds",
            ),
            counted(
                self.incomplete.len(),
                "file is a template or patch",
                "files are templates or patches",
            ),
        ];
        if let Some(first) = self.files.first() {
            let files = counted(
                self.files.len(),
                "file holds no manifests",
                "files hold no manifests",
            );
            parts.push(files.map(|files| format!("{files} (`{}`: {})", first.file, first.why)));
        }
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}
