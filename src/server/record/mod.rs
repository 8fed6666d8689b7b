// SPDX-License-Identifier: Apache-2.0
//! Records requests in files, for `garden-gate replay`.

mod files;

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use jiff::Timestamp;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

use self::files::RecordFiles;
use super::log::{RateLimiter, WARNING_INTERVAL};
use super::{RecordOptions, ServerError};
use garden_gate_core::admission::{Request, Review};
use garden_gate_model::api::GardenerVersion;
use garden_gate_products::replay::{LARGEST_RECORD, RecordedVerdict, is_recorded, record};

/// Maximum size of all requests that wait for the writer, in bytes; the memory limit of requests does not include them.
const WAITING: usize = 4 << 20;
/// Maximum number of requests that wait for the writer.
const JOBS: usize = 256;
/// Maximum number of recorded requests per second.
const PER_SECOND: u32 = 100;
/// Interval at which expired files are removed.
const PRUNE_INTERVAL: Duration = Duration::from_mins(1);

/// Passes requests to the thread that writes them.
#[derive(Debug)]
pub(super) struct Recorder {
    jobs: SyncSender<Job>,
    waiting: Arc<AtomicUsize>,
    /// The recorded share of all requests.
    share: f64,
    rate: RateLimiter,
    numbers: RecorderNumbers,
}

/// A request to record.
struct Job {
    body: Bytes,
    verdict: RecordedVerdict,
    at: (Timestamp, GardenerVersion),
}

/// The numbers of recorded and skipped requests.
#[derive(Clone, Debug, Default)]
pub(super) struct RecorderNumbers(Family<ResultLabels, Counter>);

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct ResultLabels {
    result: &'static str,
}

impl RecorderNumbers {
    /// Registers the metric.
    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register(
            "recorded_requests",
            "Requests selected for --record: `written`, `skipped` because they are too many, too large or of another form, or `failed`",
            self.0.clone(),
        );
    }

    fn count(&self, result: &'static str) {
        self.0.get_or_create(&ResultLabels { result }).inc();
    }
}

impl Recorder {
    /// Starts the thread that writes.
    ///
    /// # Errors
    /// Fails if no file can be written to the directory.
    pub(super) fn start(options: &RecordOptions) -> Result<Self, ServerError> {
        let cannot_record =
            |source| ServerError::Record { path: options.directory.clone(), source };
        let files = RecordFiles::open(options).map_err(cannot_record)?;
        let (jobs, received) = sync_channel(JOBS);
        let recorder = Self {
            jobs,
            waiting: Arc::default(),
            share: options.share,
            rate: RateLimiter::new(PER_SECOND, Duration::from_secs(1)),
            numbers: RecorderNumbers::default(),
        };
        let writer = Writer {
            files,
            waiting: Arc::clone(&recorder.waiting),
            numbers: recorder.numbers.clone(),
            warnings: RateLimiter::new(1, WARNING_INTERVAL),
        };
        let thread = thread::Builder::new().name("record".to_owned());
        thread.spawn(move || writer.run(&received)).map_err(cannot_record)?;
        Ok(recorder)
    }

    /// Returns the metrics.
    pub(super) fn numbers(&self) -> &RecorderNumbers {
        &self.numbers
    }

    /// Records a request, unless it is not selected or there are too many. Never waits.
    pub(super) fn offer(
        &self,
        body: &Bytes,
        (request, review): (&Request<'_>, &Review),
        at: (Timestamp, GardenerVersion),
    ) {
        if !is_recorded(request) || !is_selected(&request.uid, self.share) {
            return;
        }
        if body.len() > LARGEST_RECORD || self.rate.allows().is_none() || !self.reserve(body.len())
        {
            self.numbers.count("skipped");
            return;
        }
        let job = Job { body: body.clone(), verdict: RecordedVerdict::of(review), at };
        if self.jobs.try_send(job).is_err() {
            self.waiting.fetch_sub(body.len(), Ordering::Relaxed);
            self.numbers.count("skipped");
        }
    }

    fn reserve(&self, bytes: usize) -> bool {
        let reserved = self.waiting.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |waiting| {
            waiting.checked_add(bytes).filter(|it| *it <= WAITING)
        });
        reserved.is_ok()
    }
}

/// Reports whether a request is in the recorded share; the same request is on all replicas.
fn is_selected(uid: &str, share: f64) -> bool {
    /// The number of parts of which a share is a multiple.
    const PARTS: u32 = 1_000_000;
    let hash = BuildHasherDefault::<DefaultHasher>::new().hash_one(uid);
    let part = u32::try_from(hash % u64::from(PARTS)).unwrap_or_default();
    f64::from(part) < share * f64::from(PARTS)
}

/// Writes requests to files.
struct Writer {
    files: RecordFiles,
    waiting: Arc<AtomicUsize>,
    numbers: RecorderNumbers,
    warnings: RateLimiter,
}

impl Writer {
    /// Writes until the recorder is dropped.
    fn run(mut self, jobs: &Receiver<Job>) {
        let mut pruned = Instant::now();
        loop {
            match jobs.recv_timeout(PRUNE_INTERVAL) {
                Ok(job) => {
                    let line = record(&job.body, job.verdict, job.at);
                    self.waiting.fetch_sub(job.body.len(), Ordering::Relaxed);
                    match line {
                        Some(line) => self.write(&line),
                        None => self.numbers.count("skipped"),
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if pruned.elapsed() >= PRUNE_INTERVAL {
                pruned = Instant::now();
                let result = self.files.prune(Timestamp::now());
                self.warn(&result);
            }
        }
    }

    fn write(&mut self, line: &str) {
        let written = self.files.write(line, Timestamp::now());
        self.numbers.count(if written.is_ok() { "written" } else { "failed" });
        self.warn(&written);
    }

    fn warn(&self, result: &io::Result<()>) {
        if let Err(why) = result
            && self.warnings.allows().is_some()
        {
            let directory = self.files.directory();
            tracing::warn!("failed to record a request in `{}`: {why}", Path::display(directory));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_selected;

    #[test]
    fn share_of_requests_is_selected() {
        let uids: Vec<String> = (0..10_000).map(|it| format!("uid-{it}")).collect();
        let selected = |share| uids.iter().filter(|it| is_selected(it, share)).count();
        assert_eq!(selected(1.0), 10_000);
        assert_eq!(selected(0.0), 0);
        assert!((900..1_100).contains(&selected(0.1)), "{}", selected(0.1));
    }
}
