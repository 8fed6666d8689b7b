// SPDX-License-Identifier: Apache-2.0
//! Progress of a command: a line on standard error, if that is a terminal.

use std::io::{IsTerminal as _, stderr};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use garden_gate_text::escape;

/// Delay before the line is shown; faster work needs none.
const DELAY: Duration = Duration::from_secs(1);
/// Interval between updates of the line.
const INTERVAL: Duration = Duration::from_millis(200);

/// A progress bar.
///
/// It is shown on a terminal if the work takes more than a second, and cleared when dropped.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    /// The thread that shows the bar, unless the work ends first.
    shows: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Returns a progress bar for work of unknown size.
    pub(crate) fn counting(what: &str) -> Self {
        let style = ProgressStyle::with_template("{spinner} {msg}: {human_pos} objects, {elapsed}");
        Self::new(ProgressBar::no_length(), style, what)
    }

    /// Returns a progress bar for `count` items.
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

    /// Adds completed items.
    pub(crate) fn add(&self, count: usize) {
        self.bar.inc(count.try_into().unwrap_or(u64::MAX));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((done, thread)) = self.shows.take() {
            drop(done);
            // The thread ends immediately; its panic is not propagated.
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
