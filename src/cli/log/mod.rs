// SPDX-License-Identifier: Apache-2.0
//! Log output of the server: filter and format.

mod queue;

use std::io::{self, IsTerminal as _};
use std::panic;
use std::time::Duration;

use anyhow::Context as _;
use clap::ValueEnum;
use prometheus_client::metrics::counter::Counter;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::{LevelFilter, filter_fn};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use queue::LogQueue;

use super::complaint;
use garden_gate_text::escape;

/// Time limit for the last lines at the end of the process.
const FLUSH_PATIENCE: Duration = Duration::from_secs(1);

/// The format of log lines.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum LogFormat {
    Text,
    Json,
}

/// Levels of libraries, unless `RUST_LOG` names them.
///
/// The server logs failures of requests and watches itself, in one line, with the request. The lines of kube would be
/// duplicates.
const LIBRARIES: &str = "warn,kube_client=off";

/// Libraries whose lines quote responses of the API server, which may contain credentials. `RUST_LOG` does not enable them.
const QUOTING: [&str; 2] = ["kube_client", "kube_core"];

/// The log of a server, on standard error. No line blocks or fails: dropped lines are counted.
#[derive(Debug)]
pub(super) struct Log(LogQueue);

impl Log {
    /// Sends log lines to standard error, filtered by `RUST_LOG`. Lines that standard error does not accept are counted in
    /// `dropped`.
    ///
    /// # Errors
    /// If `RUST_LOG` is invalid, or the system cannot start a thread.
    pub(super) fn start(format: LogFormat, dropped: Counter) -> anyhow::Result<Self> {
        let wanted = std::env::var("RUST_LOG").unwrap_or_default();
        let filter = EnvFilter::try_new(directives(&wanted))
            .with_context(|| format!("RUST_LOG is `{wanted}`, use for example `info`"))?;
        let queue = LogQueue::start(io::stderr(), dropped, report_dropped)
            .context("failed to start the thread that writes the log")?;
        let is_coloured = io::stderr().is_terminal();
        let writer = Escaped { queue: queue.clone(), format, is_coloured };
        let builder = tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_target(false)
            .with_ansi(is_coloured)
            // Internal errors would be reported with `eprintln!`, which panics if standard error fails.
            .log_internal_errors(false)
            .with_writer(move || writer.clone());
        let filter = filter_fn(|metadata| is_shown(metadata.target()));
        match format {
            LogFormat::Text => builder.finish().with(filter).init(),
            LogFormat::Json => {
                builder.json().flatten_event(true).finish().with(filter).init();
            }
        }
        // Panics of rules are logged in the format of the log, and not printed as well.
        panic::set_hook(Box::new(|panic| {
            // Log messages have a single line.
            let message = panic.to_string().replace('\n', " ");
            tracing::error!("panic: {message}");
        }));
        Ok(Self(queue))
    }

    /// Writes the error that ends the process.
    pub(super) fn fail(&self, error: &anyhow::Error) {
        let text = format!("error: {}\n", complaint(error));
        self.0.push(&escape::lines(&text));
    }

    /// Waits until the lines are written, for a limited time.
    ///
    /// Standard error may be a pipe without reader.
    pub(super) fn end(self) {
        self.0.flush(FLUSH_PATIENCE);
    }
}

/// The queue, to which each log line is written escaped. It receives one line at a time.
#[derive(Clone)]
struct Escaped {
    queue: LogQueue,
    format: LogFormat,
    is_coloured: bool,
}

impl io::Write for Escaped {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        let text = text.strip_suffix('\n').unwrap_or(&text);
        let text = match self.format {
            LogFormat::Json => escape::json(text),
            LogFormat::Text if self.is_coloured => escape::painted_line(text),
            LogFormat::Text => escape::line(text),
        };
        self.queue.push(&format!("{text}\n"));
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn report_dropped(count: u64) {
    tracing::warn!("{count} log lines were dropped, because standard error did not accept them");
}

/// Reports whether lines of a target may be logged, as far as `RUST_LOG` selects them.
fn is_shown(target: &str) -> bool {
    let library = target.split("::").next().unwrap_or_default();
    !QUOTING.contains(&library)
}

/// Returns the directives of the filter: a level without a target applies to this crate.
fn directives(wanted: &str) -> String {
    let wanted = match wanted {
        "" => "info",
        wanted => wanted,
    };
    let ours: Vec<String> = wanted
        .split(',')
        .map(str::trim)
        .map(|directive| match directive.parse::<LevelFilter>() {
            Ok(level) if level < LevelFilter::WARN => format!("{level},garden_gate={level}"),
            Ok(level) => format!("garden_gate={level}"),
            Err(_) => directive.to_owned(),
        })
        .collect();
    format!("{LIBRARIES},{}", ours.join(","))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use tracing_subscriber::EnvFilter;

    use super::directives;

    const QUIET: &str = "warn,kube_client=off";

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
