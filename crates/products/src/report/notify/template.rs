// SPDX-License-Identifier: Apache-2.0
//! Templates of messages, in the language of Jinja.

use std::fmt;
use std::io;
use std::str::FromStr;

use minijinja::value::Serde;
use minijinja::{
    AutoEscape, Environment, Error, ErrorKind, Output, State, UndefinedBehavior, Value, context,
};

use super::message::Message;
use crate::report::markup as markdown;
use garden_gate_text::escape;

/// Maximum number of steps of a template.
const FUEL: u64 = 200_000;
/// Maximum size of a template, and of its result, in bytes.
const SIZE: usize = 64 << 10;
/// Maximum size of a tag in bytes.
const TAG: usize = 1_000;

/// The markup of a message, which defines how values are escaped.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum MessageFormat {
    /// Plain text.
    Text,
    /// GitHub-flavored Markdown.
    Markdown,
    /// The markup of Slack.
    Slack,
    /// JSON: values are JSON values.
    Json,
}

/// A template of messages.
#[derive(Debug)]
pub struct MessageTemplate {
    environment: Environment<'static>,
    name: String,
    format: MessageFormat,
}

/// An error in a template.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TemplateError {
    /// The name of the file, or of the built-in template.
    pub name: String,
    /// The line, beginning with 1; `None` if it is unknown.
    pub line: Option<usize>,
    /// The reason.
    pub message: String,
}

impl MessageTemplate {
    /// Returns the built-in template of a format.
    ///
    /// # Errors
    /// Fails if the template is not valid, which does not happen.
    pub fn built_in(format: MessageFormat) -> Result<Self, TemplateError> {
        let (name, source) = match format {
            MessageFormat::Text => ("text", include_str!("templates/text.jinja")),
            MessageFormat::Markdown => ("Markdown", include_str!("templates/markdown.jinja")),
            MessageFormat::Slack => ("Slack", include_str!("templates/slack.jinja")),
            MessageFormat::Json => ("JSON", "{{ message }}"),
        };
        Self::parse(name, source, format)
    }

    /// Parses a template; `name` is the file in errors.
    ///
    /// # Errors
    /// Fails if it is too large or not valid.
    pub fn parse(name: &str, source: &str, format: MessageFormat) -> Result<Self, TemplateError> {
        let name = name.to_owned();
        if source.len() > SIZE {
            let message = format!("the template has more than {SIZE} bytes");
            return Err(TemplateError { name, line: None, message });
        }
        if let Some(line) = long_tag(source) {
            let message = format!("an expression has more than {TAG} bytes");
            return Err(TemplateError { name, line: Some(line), message });
        }
        let mut environment = Environment::new();
        environment.set_fuel(Some(FUEL));
        environment.set_recursion_limit(32);
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        if format == MessageFormat::Json {
            environment.set_auto_escape_callback(|_| AutoEscape::Json);
        } else {
            environment.set_auto_escape_callback(|_| AutoEscape::None);
            environment.set_formatter(move |out, state, value| write(out, state, value, format));
        }
        let added = environment.add_template_owned(TEMPLATE, source.to_owned());
        added.map_err(|error| located(&name, &error))?;
        Ok(Self { environment, name, format })
    }

    /// Formats a message.
    ///
    /// # Errors
    /// Fails if the template uses an unknown value, takes too many steps, has a too large result, or its JSON is not valid.
    pub fn render(&self, message: &Message) -> Result<String, TemplateError> {
        let located = |error: Error| located(&self.name, &error);
        let template = self.environment.get_template(TEMPLATE).map_err(located)?;
        let mut text = Bounded(Vec::new());
        let values = context! { message => Serde(message), ..Value::from(Serde(message)) };
        template.render_captured_to(values, &mut text).map_err(located)?;
        let text = String::from_utf8_lossy(&text.0).into_owned();
        if self.format == MessageFormat::Json
            && let Err(error) = serde_json::Value::from_str(&text)
        {
            let message = format!("its result is not valid JSON: {error}");
            return Err(TemplateError { name: self.name.clone(), line: None, message });
        }
        Ok(text)
    }
}

/// Returns the line of a tag that is too long: its evaluation could take more stack than there is.
fn long_tag(source: &str) -> Option<usize> {
    let mut rest = source;
    while let Some(begin) = rest.find('{').filter(|it| *it + 1 < rest.len()) {
        let tag = &rest[begin + 1..];
        if !tag.starts_with(['{', '%']) {
            rest = tag;
            continue;
        }
        let close = if tag.starts_with('{') { "}}" } else { "%}" };
        let length = length(tag, close);
        if length > TAG {
            return Some(source[..source.len() - tag.len()].matches('\n').count() + 1);
        }
        rest = &tag[length..];
    }
    None
}

/// Returns the length of a tag; quoted text does not end it.
fn length(tag: &str, close: &str) -> usize {
    let (mut quote, mut is_escaped) = (None, false);
    for (at, character) in tag.char_indices() {
        match quote {
            Some(_) if is_escaped => is_escaped = false,
            Some(_) if character == '\\' => is_escaped = true,
            Some(open) if open == character => quote = None,
            Some(_) => {}
            None if character == '"' || character == '\'' => quote = Some(character),
            None if tag[at..].starts_with(close) => return at,
            None => {}
        }
    }
    tag.len()
}

/// The name of the template in its environment.
const TEMPLATE: &str = "template";

fn write(
    out: &mut Output<'_>,
    state: &mut State<'_, '_>,
    value: &Value,
    format: MessageFormat,
) -> Result<(), Error> {
    let Some(text) = value.as_str() else {
        // Lists have strings, too.
        let is_plain = value.is_number() || value.is_undefined() || value.is_none();
        return if is_plain {
            minijinja::escape_formatter(out, state, value)
        } else {
            Ok(out.write_str(&escaped(&value.to_string(), format))?)
        };
    };
    if value.is_safe() {
        out.write_str(text)?;
    } else {
        out.write_str(&escaped(text, format))?;
    }
    Ok(())
}

fn escaped(text: &str, format: MessageFormat) -> String {
    match format {
        MessageFormat::Text | MessageFormat::Json => escape::value(text).into_owned(),
        MessageFormat::Markdown => markdown::text(text),
        MessageFormat::Slack => super::markup::slack(text),
    }
}

/// The result of a template, up to a size limit.
struct Bounded(Vec<u8>);

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > SIZE {
            return Err(io::Error::other(format!("its result has more than {SIZE} bytes")));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn located(name: &str, error: &Error) -> TemplateError {
    let message = match error.kind() {
        ErrorKind::OutOfFuel => format!("it takes more than {FUEL} steps"),
        kind => {
            let source = std::error::Error::source(error).map(ToString::to_string);
            // The cause of a failed write is the limit.
            let detail = source.or_else(|| error.detail().map(str::to_owned));
            detail.map_or_else(|| kind.to_string(), |detail| format!("{kind}: {detail}"))
        }
    };
    let message = escape::value(&message).into_owned();
    TemplateError { name: name.to_owned(), line: error.line(), message }
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, line, message } = self;
        match line {
            Some(line) => write!(f, "{name}:{line}: {message}"),
            None => write!(f, "{name}: {message}"),
        }
    }
}

impl std::error::Error for TemplateError {}
