// SPDX-License-Identifier: Apache-2.0
//! A bounded queue of log lines, and the thread that writes them.
//!
//! `tracing-appender` has such a queue as well. Its bound is a number of lines, it does not count failed writes, and its guard
//! reports a sink that is stuck with `eprintln!`, which blocks or panics if the sink is standard error.

use std::io::{self, ErrorKind, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use memchr::memchr_iter;
use prometheus_client::metrics::counter::Counter;

/// Name of the writer thread.
const WRITER: &str = "log";
/// Maximum size of the lines that wait for the writer thread. The lines that it is writing may take the same again.
const MAX_BYTES: usize = 512 << 10;
/// Interval between attempts to write to a non-blocking sink that is full.
const RETRY: Duration = Duration::from_millis(10);

/// A queue of log lines that never blocks and never fails: lines are dropped while it is full.
#[derive(Clone, Debug)]
pub(super) struct LogQueue(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    /// Exported as a metric.
    dropped: Counter,
}

#[derive(Debug, Default)]
struct State {
    /// Complete lines, the oldest first.
    lines: Vec<u8>,
    is_writing: bool,
    /// Number of dropped lines that the log does not mention yet.
    unreported: u64,
}

impl LogQueue {
    /// Starts the writer thread. It counts dropped lines in `dropped`, and passes their number to `report` once `sink` accepts
    /// lines again.
    ///
    /// # Errors
    /// If the system cannot start a thread.
    pub(super) fn start(
        sink: impl Write + Send + 'static,
        dropped: Counter,
        report: impl Fn(u64) + Send + 'static,
    ) -> io::Result<Self> {
        let queue =
            Self(Arc::new(Shared { state: Mutex::default(), changed: Condvar::new(), dropped }));
        let shared = Arc::clone(&queue.0);
        let writer = thread::Builder::new().name(WRITER.to_owned());
        writer.spawn(move || shared.write(sink, report))?;
        Ok(queue)
    }

    /// Adds complete lines, each with its line end.
    pub(super) fn push(&self, lines: &str) {
        self.0.push(lines.as_bytes());
    }

    /// Waits until all lines are written, for at most `timeout`.
    pub(super) fn flush(&self, timeout: Duration) {
        let shared = &self.0;
        let is_busy = |state: &mut State| state.is_writing || !state.lines.is_empty();
        let state = shared.lock();
        // On a timeout the remaining lines are lost, which nothing can report.
        let _ = shared.changed.wait_timeout_while(state, timeout, is_busy);
    }
}

impl Shared {
    fn push(&self, lines: &[u8]) {
        let mut state = self.lock();
        // The report of the writer thread is always accepted.
        let fits = state.lines.len() + lines.len() <= MAX_BYTES;
        if fits || thread::current().name() == Some(WRITER) {
            state.lines.extend_from_slice(lines);
            self.changed.notify_all();
        } else {
            self.drop_lines(&mut state, lines);
        }
    }

    fn write(&self, mut sink: impl Write, report: impl Fn(u64)) {
        let mut batch = Vec::new();
        // Whether the sink has a part of a line only.
        let mut is_cut = false;
        loop {
            self.next(&mut batch);
            if is_cut && write(&mut sink, b"\n") == 1 {
                is_cut = false;
            }
            let written = if is_cut { 0 } else { write(&mut sink, &batch) };
            let (taken, rest) = batch.split_at(written);
            is_cut = taken.last().map_or(is_cut, |last| *last != b'\n');
            let mut state = self.lock();
            if !rest.is_empty() {
                self.drop_lines(&mut state, rest);
                continue;
            }
            let unreported = std::mem::take(&mut state.unreported);
            drop(state);
            if unreported > 0 {
                report(unreported);
            }
        }
    }

    /// Waits for lines, and moves them to `batch`.
    fn next(&self, batch: &mut Vec<u8>) {
        batch.clear();
        let mut state = self.lock();
        state.is_writing = false;
        self.changed.notify_all();
        let waited = self.changed.wait_while(state, |it| it.lines.is_empty());
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        std::mem::swap(batch, &mut state.lines);
        state.is_writing = true;
    }

    fn drop_lines(&self, state: &mut State, lines: &[u8]) {
        let count = memchr_iter(b'\n', lines).count().max(1);
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        state.unreported += count;
        self.dropped.inc_by(count);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes until all bytes are written or the sink fails; returns the number of bytes written.
fn write(sink: &mut impl Write, bytes: &[u8]) -> usize {
    let mut written = 0;
    while written < bytes.len() {
        match sink.write(&bytes[written..]) {
            Ok(0) => break,
            Ok(count) => written += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(RETRY),
            Err(_) => break,
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::time::Duration;

    use prometheus_client::metrics::counter::Counter;

    use super::{LogQueue, MAX_BYTES};

    const TIMEOUT: Duration = Duration::from_secs(30);

    /// A sink that sends the bytes of each write to the test, and returns the result that the test sends.
    struct Sink {
        asked: Sender<String>,
        answers: Receiver<io::Result<usize>>,
    }

    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let text = String::from_utf8(bytes.to_vec()).map_err(io::Error::other)?;
            self.asked.send(text).map_err(io::Error::other)?;
            self.answers.recv().map_err(io::Error::other)?
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    struct World {
        queue: LogQueue,
        dropped: Counter,
        asked: Receiver<String>,
        answer: Sender<io::Result<usize>>,
        reports: Receiver<u64>,
    }

    impl World {
        fn new() -> Self {
            let (asked_sender, asked) = channel();
            let (answer, answers) = channel();
            let (report, reports) = channel();
            let sink = Sink { asked: asked_sender, answers };
            let dropped = Counter::default();
            let report = move |count| report.send(count).unwrap();
            let queue = LogQueue::start(sink, dropped.clone(), report).unwrap();
            Self { queue, dropped, asked, answer, reports }
        }

        fn push(&self, lines: &str) {
            self.queue.push(lines);
        }

        /// Returns the bytes of the next write to the sink.
        fn asked(&self) -> String {
            self.asked.recv_timeout(TIMEOUT).unwrap()
        }

        fn accept(&self, bytes: usize) {
            self.answer.send(Ok(bytes)).unwrap();
        }

        fn fail(&self) {
            let full = io::Error::from(io::ErrorKind::StorageFull);
            self.answer.send(Err(full)).unwrap();
        }
    }

    #[test]
    fn lines_written_in_order_and_in_parts() {
        let world = World::new();
        world.push("one\n");
        assert_eq!(world.asked(), "one\n");
        world.push("two\n");
        world.push("three\n");
        world.accept(4);
        assert_eq!(world.asked(), "two\nthree\n");
        world.accept(3);
        assert_eq!(world.asked(), "\nthree\n");
        world.accept(7);
        world.queue.flush(TIMEOUT);
        assert_eq!(world.dropped.get(), 0);
    }

    #[test]
    fn stalled_sink_drops_lines_beyond_the_limit_and_reports_them() {
        let world = World::new();
        world.push("first\n");
        assert_eq!(world.asked(), "first\n");
        let line = format!("{}\n", "x".repeat(1023));
        for _ in 0..MAX_BYTES / 1024 + 3 {
            world.push(&line);
        }
        assert_eq!(world.dropped.get(), 3);
        world.push("short\n");
        assert_eq!(world.dropped.get(), 4);
        assert!(world.reports.try_recv().is_err());
        world.accept(6);
        assert_eq!(world.reports.recv_timeout(TIMEOUT), Ok(4));
        assert_eq!(world.asked().len(), MAX_BYTES);
    }

    #[test]
    fn failed_write_counts_its_lines_and_ends_a_line_that_was_cut() {
        let world = World::new();
        world.push("one\ntwo\nthree\n");
        world.asked();
        world.accept(5);
        assert_eq!(world.asked(), "wo\nthree\n");
        world.fail();
        world.queue.flush(TIMEOUT);
        assert_eq!(world.dropped.get(), 2);
        world.push("four\n");
        assert_eq!(world.asked(), "\n");
        world.fail();
        world.queue.flush(TIMEOUT);
        world.push("five\n");
        assert_eq!(world.asked(), "\n");
        world.accept(1);
        assert_eq!(world.asked(), "five\n");
        world.accept(5);
        assert_eq!(world.reports.recv_timeout(TIMEOUT), Ok(3));
        world.push("six\n");
        assert_eq!(world.asked(), "six\n");
    }

    #[test]
    fn flush_of_a_stalled_sink_ends() {
        let world = World::new();
        world.push("one\n");
        world.queue.flush(Duration::from_millis(1));
        assert_eq!(world.asked(), "one\n");
    }
}
