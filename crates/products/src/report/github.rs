use std::io::{self, Write};

use super::Weight;
use super::annotation::Annotation;
use super::{Reviewed, Summary, Writer};
use garden_gate_text::escape;

/// Writes findings as workflow commands of GitHub Actions, which annotate the lines in a pull request.
#[derive(Debug)]
pub struct GithubWriter;

impl Writer for GithubWriter {
    fn object(&mut self, out: &mut dyn Write, object: &Reviewed) -> io::Result<()> {
        for remark in object.remarks_with_server() {
            writeln!(out, "{}", command(object, &remark))?;
        }
        let begin = object.begin.position.line;
        for note in &object.notes {
            writeln!(out, "{}", notice(object, begin, note))?;
        }
        if let Some((heading, lines)) = object.drift() {
            let first = object.drift.first();
            let line = first.map_or(begin, |it| it.excerpt.position.line);
            let text = format!("drift: {heading}\n{}", lines.join("\n"));
            writeln!(out, "{}", notice(object, line, &text))?;
        }
        Ok(())
    }

    fn end(&mut self, _out: &mut dyn Write, _summary: &Summary) -> io::Result<()> {
        Ok(())
    }
}

fn notice(object: &Reviewed, line: usize, text: &str) -> String {
    let (file, title) = (property(&object.file), property(&object.title()));
    let text = data(text);
    format!("::notice file={file},line={line},title={title}::{text}")
}

fn command(object: &Reviewed, remark: &Annotation<'_>) -> String {
    let command = match remark.weight {
        Weight::Refused | Weight::Unknown => "error",
        Weight::Warned => "warning",
    };
    let title = format!("{} ({})", object.title(), remark.id);
    let mut message = remark.text();
    if !remark.field.is_empty() {
        message = format!("{}: {message}", escape::value(remark.field));
    }
    format!(
        "::{command} file={file},line={line},col={column},title={title}::{message}",
        file = property(&object.file),
        line = remark.excerpt.position.line,
        column = remark.excerpt.position.column,
        title = property(&title),
        message = data(&message),
    )
}

/// Formats the message of a command, which may have several lines.
fn data(text: &str) -> String {
    let text = escape::lines(text).replace('%', "%25");
    text.replace('\n', "%0A")
}

/// Formats the value of a property.
fn property(text: &str) -> String {
    let text = escape::value(text).replace('%', "%25");
    text.replace(':', "%3A").replace(',', "%2C")
}
