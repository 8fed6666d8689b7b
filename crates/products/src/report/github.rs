// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};

use super::Weight;
use super::annotation::Annotation;
use super::findings::key;
use super::{Reviewed, Summary, Writer};
use garden_gate_text::escape;

/// Maximum number of commands of each [`Rank`]; the others are counted.
const MOST: usize = 1_000;

/// Writes findings as workflow commands of GitHub Actions, which annotate the lines in a pull request.
///
/// GitHub shows only the first annotations of a step: refusals come first, and each finding once before its repetitions.
#[derive(Debug, Default)]
pub struct GithubWriter {
    commands: BTreeMap<Rank, Commands>,
    /// The findings of each severity so far, without the objects that have them.
    known: BTreeMap<Weight, HashSet<(&'static str, String)>>,
}

/// The order of commands.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Rank {
    /// A finding with another message than all before.
    Finding(Weight),
    /// A finding with the message of one before.
    Repeated(Weight),
    /// A note, or a difference from the garden.
    Notice,
}

/// The first commands of a rank, and the number of the others.
#[derive(Debug, Default)]
struct Commands {
    first: Vec<String>,
    more: usize,
}

impl Writer for GithubWriter {
    fn object(&mut self, _out: &mut dyn Write, object: &Reviewed) -> io::Result<()> {
        for remark in object.remarks_with_server() {
            let key = (remark.id, key(object, &remark));
            let known = self.known.entry(remark.weight).or_default();
            let is_new = known.len() < MOST && known.insert(key);
            let rank = if is_new { Rank::Finding } else { Rank::Repeated };
            self.add(rank(remark.weight), || command(object, &remark));
        }
        let begin = object.begin.position.line;
        for note in &object.notes {
            self.add(Rank::Notice, || notice(object, begin, note));
        }
        if let Some(effect) = object.effect_on_shoots() {
            self.add(Rank::Notice, || notice(object, begin, &effect));
        }
        if let Some((heading, lines)) = object.drift() {
            let first = object.drift.first();
            let line = first.map_or(begin, |it| it.excerpt.position.line);
            let text = format!("drift: {heading}\n{}", lines.join("\n"));
            self.add(Rank::Notice, || notice(object, line, &text));
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
        if summary.left_out.has_incomplete() {
            let left_out = data(&format!("left out: {}", summary.left_out.summary()));
            self.add(Rank::Notice, || format!("::notice title=garden-gate::{left_out}"));
        }
        for (rank, commands) in &self.commands {
            for command in &commands.first {
                writeln!(out, "{command}")?;
            }
            if commands.more > 0 {
                let command = match rank {
                    Rank::Finding(Weight::Warned) | Rank::Repeated(Weight::Warned) => "warning",
                    Rank::Finding(_) | Rank::Repeated(_) => "error",
                    Rank::Notice => "notice",
                };
                let more = commands.more;
                writeln!(
                    out,
                    "::{command} title=garden-gate::and {more} more: `--format concise` lists them"
                )?;
            }
        }
        Ok(())
    }
}

impl GithubWriter {
    fn add(&mut self, rank: Rank, command: impl FnOnce() -> String) {
        let commands = self.commands.entry(rank).or_default();
        if commands.first.len() < MOST {
            commands.first.push(command());
        } else {
            commands.more += 1;
        }
    }
}

fn notice(object: &Reviewed, line: usize, text: &str) -> String {
    let (file, title) = (property(&object.file), property(&object.title()));
    let text = data(text);
    format!("::notice file={file},line={line},title={title}::{text}")
}

fn command(object: &Reviewed, remark: &Annotation<'_>) -> String {
    let command = match remark.weight {
        Weight::Invalid | Weight::Refused | Weight::Unknown => "error",
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
