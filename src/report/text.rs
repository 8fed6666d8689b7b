use std::io::{self, Write};

use super::{Outcome, Reviewed};
use crate::engine::{Finding, Review, Verdict};
use crate::source::Position;

/// Writes verdicts for people: per object its findings, as a compiler would, then one line that counts.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_text(out: &mut dyn Write, reviewed: &[Reviewed]) -> io::Result<()> {
    for object in reviewed {
        match &object.outcome {
            Outcome::Judged(review, places) => judged(out, object, review, places)?,
            Outcome::Unreadable(why, place) => {
                writeln!(out, "{}: error: {why}", location(object, *place))?;
            }
        }
        if let Some(fix) = &object.fix {
            write!(out, "{}", fix.diff)?;
        }
    }
    summary(out, reviewed)
}

fn judged(
    out: &mut dyn Write,
    object: &Reviewed,
    review: &Review,
    places: &[Position],
) -> io::Result<()> {
    let verdict = review.verdict().as_str();
    writeln!(
        out,
        "{}: {} of {}: {verdict}",
        object.file,
        object.operation,
        object.title()
    )?;
    for (finding, place) in review.findings.iter().zip(places) {
        self::finding(out, &location(object, *place), finding)?;
    }
    for undetermined in &review.undetermined {
        writeln!(
            out,
            "  could not judge {}: {}",
            undetermined.field, undetermined.message
        )?;
        writeln!(out, "    rule: {}", undetermined.rule)?;
    }
    if !review.patch.is_empty() {
        writeln!(out, "  would be stored with these changes:")?;
    }
    for operation in &review.patch.0 {
        writeln!(out, "    {operation}")?;
    }
    Ok(())
}

fn finding(out: &mut dyn Write, location: &str, finding: &Finding) -> io::Result<()> {
    let Finding {
        level,
        message,
        field,
        ..
    } = finding;
    writeln!(out, "  {location}: {level}: {message}")?;
    writeln!(out, "    field: {field}")?;
    if !finding.help.is_empty() {
        writeln!(out, "    help: {}", finding.help)?;
    }
    writeln!(
        out,
        "    rule: {} (see garden-gate rules {})",
        finding.finding, finding.rule
    )
}

fn location(object: &Reviewed, place: Position) -> String {
    format!("{}:{}:{}", object.file, place.line, place.column)
}

fn summary(out: &mut dyn Write, reviewed: &[Reviewed]) -> io::Result<()> {
    let count = |verdict| {
        reviewed
            .iter()
            .filter(|object| object.verdict() == verdict)
            .count()
    };
    let (allowed, denied) = (count(Verdict::Allowed), count(Verdict::Denied));
    let undetermined = count(Verdict::Undetermined);
    writeln!(
        out,
        "{allowed} allowed, {denied} denied, {undetermined} could not be judged"
    )
}
