use std::io::{self, Write};

use super::remark::{Remark, Weight};
use super::{Reviewed, Summary, Writer};

/// Writes verdicts as workflow commands of GitHub Actions: each remark stands at its line in the pull request.
#[derive(Debug)]
pub struct GithubWriter;

impl Writer for GithubWriter {
    fn object(&mut self, out: &mut dyn Write, object: &Reviewed) -> io::Result<()> {
        for remark in object.remarks_with_server() {
            writeln!(out, "{}", command(object, &remark))?;
        }
        for note in &object.notes {
            let (file, title) = (property(&object.file), property(&object.title()));
            let line = object.begin.position.line;
            writeln!(
                out,
                "::notice file={file},line={line},title={title}::{}",
                data(note)
            )?;
        }
        Ok(())
    }

    fn end(&mut self, _out: &mut dyn Write, _summary: &Summary) -> io::Result<()> {
        Ok(())
    }
}

fn command(object: &Reviewed, remark: &Remark<'_>) -> String {
    let command = match remark.weight {
        Weight::Refused | Weight::Unknown => "error",
        Weight::Warned => "warning",
    };
    let title = format!("{} ({})", object.title(), remark.id);
    let mut message = remark.text();
    if !remark.field.is_empty() {
        message = format!("{}: {message}", remark.field);
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

/// What ends a command is escaped.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// In properties also what separates them.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
