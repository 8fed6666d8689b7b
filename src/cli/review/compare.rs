// SPDX-License-Identifier: Apache-2.0
//! `garden-gate review --gardener-version A,B`: the verdicts of several versions of Gardener or extensions, where they differ.

use std::collections::BTreeSet;
use std::io::Write;

use super::baseline::outcome;
use crate::cli::Outcome;
use crate::cli::versions::Variant;
use garden_gate_core::admission::Verdict;
use garden_gate_core::config::FailOn;
use garden_gate_products::report::{
    self, ComparedVersions, Lines, Reviewed, SkippedInput, Summary,
};

/// The verdicts about all objects by version.
#[derive(Debug, Default)]
pub(super) struct VersionComparison {
    /// The versions with their results, which are in the same order for each version.
    versions: Vec<(ComparedVersions, Vec<Reviewed>)>,
}

impl VersionComparison {
    /// Returns a comparison of these versions, without results.
    pub(super) fn of(variants: &[Variant]) -> Self {
        let names = Variant::differences(variants);
        Self { versions: names.into_iter().map(|it| (it, Vec::new())).collect() }
    }

    /// Adds the results of the version with this index for a garden; gardens come one after the other.
    pub(super) fn add(&mut self, index: usize, objects: Vec<Reviewed>) {
        if let Some((_, all)) = self.versions.get_mut(index) {
            all.extend(objects);
        }
    }

    /// Prints the objects whose verdicts or findings differ, and the numbers of verdicts by version.
    ///
    /// # Errors
    /// Fails if the output fails.
    pub(super) fn write(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut out = Lines::plain(out);
        let count = self.versions.first().map_or(0, |(_, objects)| objects.len());
        let mut different = 0;
        for index in 0..count {
            let seen: Vec<VersionResult<'_>> = self
                .versions
                .iter()
                .filter_map(|(version, objects)| {
                    Some(VersionResult::of(version, objects.get(index)?))
                })
                .collect();
            let Some(first) = seen.first() else { continue };
            if seen.iter().all(|it| it.says == first.says) {
                continue;
            }
            different += 1;
            let verdicts = seen
                .iter()
                .map(|it| format!("{} as {}", it.verdict.as_str(), it.version))
                .collect::<Vec<_>>()
                .join(", ");
            let (file, heading) = (&first.object.file, first.object.heading());
            out.line(format_args!("{file}: {heading}: {verdicts}"))?;
            for it in &seen {
                let is_common = |says: &&String| seen.iter().all(|it| it.says.contains(*says));
                for says in it.says.iter().filter(|it| !is_common(it)) {
                    out.line(format_args!("  {}: {says}", it.version))?;
                }
            }
        }
        for (version, objects) in &self.versions {
            let count = |verdict| objects.iter().filter(|it| it.verdict() == verdict).count();
            out.line(format_args!(
                "judged as {version}: {} denied, {} undetermined, {} allowed",
                count(Verdict::Denied),
                count(Verdict::Undetermined),
                count(Verdict::Allowed),
            ))?;
        }
        out.line(format_args!("{different} of {count} objects differ between these versions"))?;
        Ok(())
    }

    /// Returns the outcome: that of the version with the most severe verdict.
    pub(super) fn outcome(&self, fail_on: FailOn, left_out: SkippedInput) -> Outcome {
        let mut summary = Summary::new(left_out, None);
        self.versions.iter().flat_map(|(_, objects)| objects).for_each(|it| summary.add(it));
        outcome(fail_on, &summary)
    }
}

/// The result of one version for an object.
struct VersionResult<'a> {
    /// The version without `Gardener` if only its versions differ.
    version: String,
    object: &'a Reviewed,
    verdict: Verdict,
    /// Findings and undetermined checks, as printed.
    says: BTreeSet<String>,
}

impl<'a> VersionResult<'a> {
    fn of(version: &ComparedVersions, object: &'a Reviewed) -> Self {
        let says = match &object.outcome {
            report::Outcome::Judged(review, _) => {
                let found = review.findings.iter().map(|it| {
                    let level = it.level.as_str();
                    says(level, it.finding, &it.field, &it.message)
                });
                let unknown = review
                    .undetermined
                    .iter()
                    .map(|it| says("undetermined", it.rule, &it.field, &it.message));
                found.chain(unknown).collect()
            }
            report::Outcome::Unreadable(why, _) => BTreeSet::from([why.clone()]),
        };
        let version = match version {
            ComparedVersions { gardener: Some(gardener), extensions } if extensions.is_empty() => {
                gardener.to_string()
            }
            version => version.to_string(),
        };
        Self { version, object, verdict: object.verdict(), says }
    }
}

fn says(weight: &str, id: &str, field: &str, message: &str) -> String {
    match field {
        "" => format!("{weight} {id}: {message}"),
        field => format!("{weight} {id}: {field}: {message}"),
    }
}
