use std::io::{ErrorKind, Write, stdout};

use anyhow::Context as _;
use clap::{ColorChoice, ValueEnum};

use crate::cli::output::{Output, WholeFile, look};
use crate::files::{Trees, cannot_write};
use garden_gate_core::plan::ChangePlan;
use garden_gate_products::forecast::FleetPlan;
use garden_gate_products::report::{
    Look, fleet_json, fleet_markdown, fleet_text, plan_json, plan_markdown, plan_text,
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
    /// The plan of a change.
    Change(&'a ChangePlan),
    /// The plan of maintenance, and the same without changed profiles.
    Fleet(&'a FleetPlan<'a>, Option<&'a FleetPlan<'a>>),
}

/// Opens the output files, in the order of the outputs; `None` is standard output.
///
/// # Errors
/// Fails if a file cannot be written.
pub(super) fn open(
    outputs: &[Output<Format>],
    trees: &Trees,
) -> anyhow::Result<Vec<Option<WholeFile>>> {
    let files = outputs.iter().map(|output| {
        let file = output.file.as_ref();
        file.map(|file| WholeFile::open(file, trees)).transpose()
    });
    files.collect()
}

/// Writes a plan in every requested format.
///
/// # Errors
/// Fails if an output fails.
pub(super) fn write(
    files: Vec<Option<WholeFile>>,
    outputs: &[Output<Format>],
    plan: PlanView<'_>,
    color: ColorChoice,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    for (file, output) in files.into_iter().zip(outputs) {
        match file {
            None => {
                let text = output.format.text(plan, look(color, &stdout()))?;
                out.write_all(text.as_bytes())?;
                out.flush()?;
            }
            Some(mut file) => {
                let text = output.format.text(plan, Look::default())?;
                let kept = file.text.write_all(text.as_bytes());
                kept.with_context(|| file.cannot_keep())?;
                match file.copy() {
                    // The file is a pipe of the shell, as in `--format json=>(head)`.
                    Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
                    written => written.with_context(|| cannot_write(&file.path))?,
                }
            }
        }
    }
    Ok(())
}

impl Format {
    fn text(self, plan: PlanView<'_>, look: Look) -> anyhow::Result<String> {
        Ok(match (self, plan) {
            (Format::Text, PlanView::Change(plan)) => plan_text(plan, look),
            (Format::Json, PlanView::Change(plan)) => plan_json(plan)?,
            (Format::Markdown, PlanView::Change(plan)) => plan_markdown(plan),
            (Format::Text, PlanView::Fleet(plan, without)) => fleet_text(plan, without, look),
            (Format::Json, PlanView::Fleet(plan, without)) => fleet_json(plan, without)?,
            (Format::Markdown, PlanView::Fleet(plan, without)) => fleet_markdown(plan, without),
        })
    }
}
