//! Log lines of the server: which, and how they look.

use std::io::{self, IsTerminal as _};
use std::panic;

use anyhow::Context as _;
use clap::ValueEnum;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use crate::escape;

/// How log lines look.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum LogFormat {
    Text,
    Json,
}

/// What libraries may say unless somebody asks for more. What requests and watches of kube have to say about failures is said by us, once,
/// in one line and with what was asked for.
const LIBRARIES: &str = "warn,kube_client=off,kube_runtime=off";

/// Sends log lines to standard error, as RUST_LOG wants them.
///
/// # Errors
/// When RUST_LOG cannot be read.
pub(super) fn log_to_stderr(format: LogFormat) -> anyhow::Result<()> {
    let wanted = std::env::var("RUST_LOG").unwrap_or_default();
    let filter = EnvFilter::try_new(directives(&wanted))
        .with_context(|| format!("RUST_LOG is `{wanted}`, use for example `info`"))?;
    let is_coloured = io::stderr().is_terminal();
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_target(false)
        .with_ansi(is_coloured)
        .with_writer(move || Escaped(format, is_coloured));
    match format {
        LogFormat::Text => builder.init(),
        LogFormat::Json => builder.json().flatten_event(true).init(),
    }
    // A rule's panic belongs into the log, in its format, and only there.
    panic::set_hook(Box::new(|panic| {
        // In one line, as everything that is logged.
        let panic = panic.to_string().replace('\n', " ");
        tracing::error!("panic: {panic}");
    }));
    Ok(())
}

/// Standard error, to which each log line is written escaped. It gets one line at a time.
struct Escaped(LogFormat, bool);

impl io::Write for Escaped {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        let text = text.strip_suffix('\n').unwrap_or(&text);
        let text = match self {
            Escaped(LogFormat::Json, _) => escape::json(text),
            Escaped(LogFormat::Text, true) => escape::painted_line(text),
            Escaped(LogFormat::Text, false) => escape::line(text),
        };
        io::stderr().write_all([text.as_bytes(), b"\n"].concat().as_slice())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// What the filter is told: a level by itself is meant for us.
fn directives(wanted: &str) -> String {
    let wanted = match wanted {
        "" => "info",
        wanted => wanted,
    };
    let ours =
        wanted
            .split(',')
            .map(str::trim)
            .map(|directive| match directive.parse::<LevelFilter>() {
                Ok(level) if level < LevelFilter::WARN => format!("{level},garden_gate={level}"),
                Ok(level) => format!("garden_gate={level}"),
                Err(_) => directive.to_owned(),
            });
    let ours: Vec<String> = ours.collect();
    format!("{LIBRARIES},{}", ours.join(","))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use tracing_subscriber::EnvFilter;

    use super::directives;

    const QUIET: &str = "warn,kube_client=off,kube_runtime=off";

    #[rstest]
    #[case::nothing("", "garden_gate=info")]
    #[case::a_level("debug", "garden_gate=debug")]
    #[case::less("error", "error,garden_gate=error")]
    #[case::a_library("debug, h2=debug", "garden_gate=debug,h2=debug")]
    #[case::a_module("garden_gate::server=trace", "garden_gate::server=trace")]
    fn a_level_by_itself_is_ours(#[case] wanted: &str, #[case] expected: &str) {
        let directives = directives(wanted);
        assert_eq!(directives, format!("{QUIET},{expected}"));
        assert!(EnvFilter::try_new(directives).is_ok());
    }
}
