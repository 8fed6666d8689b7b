//! How far a command is: a line on standard error, for whoever waits at a terminal.

use std::io::{IsTerminal as _, stderr};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::escape;

/// What takes no longer than this is done before anybody has read the line.
const DELAY: Duration = Duration::from_secs(1);
/// Often enough to see that it goes on.
const INTERVAL: Duration = Duration::from_millis(200);

/// Counts what is done; shows it if standard error is a terminal and it takes more than a second. Gone when dropped.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Shows the bar, unless it is told first that all is done.
    shows: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Of something that has no known end.
    pub(crate) fn counting(what: &str) -> Self {
        let style = ProgressStyle::with_template("{spinner} {msg}: {human_pos} objects, {elapsed}");
        Self::new(ProgressBar::no_length(), style, what)
    }

    /// Of so many things.
    pub(crate) fn until(what: &str, count: usize) -> Self {
        let bar = ProgressBar::new(count.try_into().unwrap_or(u64::MAX));
        let style =
            ProgressStyle::with_template("{msg}: {bar:20} {human_pos} of {human_len}, {elapsed}");
        Self::new(bar, style, what)
    }

    fn new(
        bar: ProgressBar,
        style: Result<ProgressStyle, indicatif::style::TemplateError>,
        what: &str,
    ) -> Self {
        bar.set_draw_target(ProgressDrawTarget::hidden());
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(escape::line(what).into_owned());
        let shows = stderr().is_terminal().then(|| show_later(&bar));
        Self { bar, shows }
    }

    /// So much more is done.
    pub(crate) fn add(&self, count: usize) {
        self.bar.inc(count.try_into().unwrap_or(u64::MAX));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((done, thread)) = self.shows.take() {
            drop(done);
            // It ends at once, and a panic of it would be no reason for another.
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}

fn show_later(bar: &ProgressBar) -> (Sender<()>, JoinHandle<()>) {
    let (done, waits) = mpsc::channel();
    let bar = bar.clone();
    let thread = thread::spawn(move || {
        if waits.recv_timeout(DELAY) == Err(RecvTimeoutError::Timeout) {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(INTERVAL);
        }
    });
    (done, thread)
}
