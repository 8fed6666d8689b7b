use std::io::{self, Write};

use super::bounded::and_more;
use super::remark::{Remark, Weight};
use super::text::counts;
use super::{Report, Reviewed};

/// GitHub cuts a comment at 65,536 characters; what is beyond this is counted.
const LIMIT: usize = 60_000;

/// Writes verdicts as a comment for a pull request: a table of what has something said about it, with the details folded.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_markdown(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    writeln!(out, "### garden-gate: {}\n", counts(report))?;
    if let Some(compared) = &report.baseline {
        writeln!(out, "{}\n", compared.summary())?;
    }
    let remarkable: Vec<(&Reviewed, Vec<Remark<'_>>)> = report
        .reviewed
        .iter()
        .map(|object| (object, object.remarks_with_server()))
        .filter(|(object, remarks)| {
            !remarks.is_empty() || !object.notes.is_empty() || !object.silences().is_empty()
        })
        .collect();
    if remarkable.is_empty() {
        return Ok(());
    }
    let mut rest = LIMIT;
    writeln!(out, "| object | file | verdict | says |\n|---|---|---|---|")?;
    fitting(out, &mut rest, &remarkable, "|", |(object, remarks)| {
        row(object, remarks)
    })?;
    writeln!(out)?;
    fitting(out, &mut rest, &remarkable, "", |(object, remarks)| {
        details(object, remarks)
    })
}

/// Writes what fits into the rest of the comment, and how many there are beyond.
fn fitting<T>(
    out: &mut dyn Write,
    rest: &mut usize,
    all: &[T],
    mark: &str,
    write: impl Fn(&T) -> String,
) -> io::Result<()> {
    for (written, one) in all.iter().enumerate() {
        let text = write(one);
        if text.len() > *rest {
            let more = and_more(all.len() - written);
            return writeln!(out, "{mark} {more}");
        }
        *rest -= text.len();
        writeln!(out, "{text}")?;
    }
    Ok(())
}

fn row(object: &Reviewed, remarks: &[Remark<'_>]) -> String {
    let count = |weight, one: &str, many: &str| {
        let count = remarks.iter().filter(|it| it.weight == weight).count();
        match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            _ => Some(format!("{count} {many}")),
        }
    };
    let silenced = object.silenced().len();
    let says = [
        count(Weight::Refused, "refusal", "refusals"),
        count(Weight::Unknown, "open question", "open questions"),
        count(Weight::Warned, "warning", "warnings"),
        object
            .server
            .as_ref()
            .filter(|server| server.disagrees())
            .map(|_| "the API server disagrees".to_owned()),
        (!object.notes.is_empty()).then(|| format!("{} to note", object.notes.len())),
        (silenced > 0).then(|| format!("{silenced} silenced")),
    ];
    format!(
        "| {} of {} | {} | **{}** | {} |",
        object.operation,
        code(&object.title()),
        code(&object.file),
        object.verdict().as_str(),
        says.into_iter().flatten().collect::<Vec<_>>().join(", ")
    )
}

fn details(object: &Reviewed, remarks: &[Remark<'_>]) -> String {
    let title = html(&object.title());
    let mut text = format!("<details><summary>{title}</summary>\n\n");
    for remark in remarks {
        text += &item(object, remark);
    }
    for silence in object.silences() {
        text += &format!("- silenced: {}\n", self::text(&silence));
    }
    for note in &object.notes {
        text += &format!("- note: {}\n", self::text(note));
    }
    text + "\n</details>\n"
}

fn item(object: &Reviewed, remark: &Remark<'_>) -> String {
    let at = code(&format!("{}:{}", object.file, remark.excerpt.position));
    let mut item = format!("- **{}** at {at}", remark.weight.as_str());
    if !remark.field.is_empty() {
        item += &format!(", field {}", code(remark.field));
    }
    item += &format!(": {}", text(remark.message));
    if let Some(lowered) = remark.lowered() {
        item += &format!("\n  *{lowered}*");
    }
    if !remark.help.is_empty() {
        item += &format!("\n  *{}*", text(remark.help));
    }
    item + &format!("\n  ({})\n", code(remark.id))
}

/// Inline code, whatever the text holds: on one line, fenced by more backticks than it has, with no end of a table's cell.
fn code(text: &str) -> String {
    let text = one_line(text).replace('|', "\\|");
    let longest = text.split(|it| it != '`').map(str::len).max().unwrap_or(0);
    match longest {
        0 => format!("`{text}`"),
        _ => {
            let fence = "`".repeat(longest + 1);
            format!("{fence} {text} {fence}")
        }
    }
}

/// A sentence; what stands in backticks is code.
fn text(sentence: &str) -> String {
    let parts = sentence.split('`').enumerate();
    let parts = parts.map(|(number, part)| match number % 2 {
        0 => html(part),
        _ => code(part),
    });
    parts.collect()
}

/// Text that stays text.
fn html(text: &str) -> String {
    one_line(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('|', "\\|")
        .replace('@', "&#64;")
}

fn one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}
