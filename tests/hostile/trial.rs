// SPDX-License-Identifier: Apache-2.0
use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tokio::time::sleep;

use crate::common::{Gate, GateArgs, eventually, garden_gate};
use crate::memory::{self, LIMIT, PEAK, Seen, Watch};
use crate::ordinary::{Ordinary, Sample, What};
use crate::target::Target;

/// Minimum percentage of ordinary requests that are answered in time.
const SHARE: usize = 95;
/// Time limit of an ordinary response.
const IN_TIME: Duration = Duration::from_secs(1);
/// Time before an attack, for measuring the speed of the machine.
const QUIET: Duration = Duration::from_secs(1);
/// Factor of the slowest response before the attack that extends the time limit on a slow machine.
const FACTOR: u32 = 4;

/// Lock: attacks run one at a time.
pub(crate) static ALONE: Mutex<()> = Mutex::new(());

/// Prevents all other trials from running at the same time.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An attack with its parameters.
#[derive(Debug)]
pub(crate) struct Trial {
    name: &'static str,
    args: GateArgs,
    /// The log line after which the attack begins.
    awaited: Option<&'static str>,
    repeats: bool,
    /// The garden, if it is not that of the examples; deleted with this.
    garden: Option<TempDir>,
}

impl Trial {
    /// Returns an attack on a server with the garden of the examples.
    pub(crate) fn new(name: &'static str) -> Self {
        let garden = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/garden");
        let args = GateArgs::new().garden_directory(&garden);
        Self { name, args: limited(args), awaited: None, repeats: false, garden: None }
    }

    /// Adds manifests to the garden of the examples.
    pub(crate) fn manifests(mut self, manifests: impl IntoIterator<Item = String>) -> Self {
        let garden = TempDir::new().unwrap();
        for file in fs::read_dir("examples/garden").unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), garden.path().join(file.file_name())).unwrap();
        }
        for (number, manifest) in manifests.into_iter().enumerate() {
            let name = format!("more-{number}.json");
            fs::write(garden.path().join(name), manifest).unwrap();
        }
        self.args = self.args.garden_directory(garden.path());
        self.garden = Some(garden);
        self
    }

    /// Returns an attack on a server with a live garden.
    pub(crate) fn live(name: &'static str, kubeconfig: &Path) -> Self {
        Self {
            name,
            args: limited(GateArgs::new().live(kubeconfig)),
            awaited: None,
            repeats: false,
            garden: None,
        }
    }

    /// Adds a flag.
    pub(crate) fn flag(mut self, name: &str, value: &str) -> Self {
        self.args = self.args.flag(name, value);
        self
    }

    /// Begins the attack only after a line with this text is logged.
    pub(crate) fn awaits(mut self, text: &'static str) -> Self {
        self.awaited = Some(text);
        self
    }

    /// Declares the attack as repetitive, so that memory must not grow.
    pub(crate) fn repeats(mut self) -> Self {
        self.repeats = true;
        self
    }

    /// Runs the attack, and fails if others notice or the attacker complains.
    ///
    /// Results that depend on the machine's speed may be repeated twice.
    pub(crate) fn withstands(self, attack: impl AsyncFn(&Target) -> Vec<String>) {
        self.withstands_and(attack, |_| {});
    }

    /// Runs the attack, and calls a function for the server afterwards.
    pub(crate) fn withstands_and(
        self,
        attack: impl AsyncFn(&Target) -> Vec<String>,
        then: impl Fn(&Gate),
    ) {
        let _alone = alone();
        let runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = { runtime }.worker_threads(2).enable_all().build().unwrap();
        let mut outcomes = Vec::new();
        for _ in 0..3 {
            let (outcome, gate) = runtime.block_on(self.run(&attack));
            report(&format!("{}: {outcome}", self.name));
            let [sure, slow] = [outcome.failures(), outcome.late()];
            outcomes.extend(sure.iter().chain(&slow).cloned());
            if sure.is_empty() && slow.is_empty() {
                then(&gate);
                return;
            }
            if !sure.is_empty() {
                break;
            }
        }
        panic!("{}:\n{}", self.name, outcomes.join("\n"));
    }

    async fn run(&self, attack: &impl AsyncFn(&Target) -> Vec<String>) -> (Outcome, Gate) {
        let gate = Gate::start(&self.args);
        let target = Target::of(&gate).await;
        eventually("it is ready", async || gate.get("/readyz").await.0 == 200).await;
        if let Some(text) = self.awaited {
            gate.logs(text).await;
        }
        let memory = Watch::start(gate.id());
        let ordinary = Ordinary::start(&target);
        sleep(QUIET).await;
        let begin = Instant::now();
        let complaints = attack(&target).await;
        let end = Instant::now();
        let samples = ordinary.stop();
        let alive = memory::is_alive(gate.id());
        let seen = memory.stop();
        let outcome = Outcome {
            alive,
            complaints,
            growth: seen.grows(begin, end).filter(|_| self.repeats),
            seen,
            took: end - begin,
            samples,
            begin,
        };
        (outcome, gate)
    }
}

/// Adds the flag for the memory limit, if the server has it.
fn limited(args: GateArgs) -> GateArgs {
    let help = garden_gate(&["serve", "--help"]).stdout;
    if String::from_utf8(help).unwrap().contains("--memory-limit") {
        args.flag("--memory-limit", &format!("{LIMIT}Mi"))
    } else {
        args
    }
}

/// The effect of an attack on a server.
#[derive(Debug)]
pub(crate) struct Outcome {
    alive: bool,
    /// Unexpected results for the attacker.
    complaints: Vec<String>,
    seen: Seen,
    growth: Option<String>,
    took: Duration,
    samples: Vec<Sample>,
    begin: Instant,
}

impl Outcome {
    /// Returns failures that do not depend on the speed of the machine.
    pub(crate) fn failures(&self) -> Vec<String> {
        let mut failures = Vec::new();
        if self.seen.ended {
            failures.push(format!("it held more than {LIMIT} MiB, and was ended"));
        } else if !self.alive {
            failures.push("it is not alive any more".to_owned());
        }
        if self.seen.peak > PEAK {
            let peak = self.seen.peak;
            failures.push(format!("it held {peak} MiB; {PEAK} MiB are allowed"));
        }
        failures.extend(self.complaints.clone());
        failures
    }

    /// Returns late or wrong responses, and growth of memory, which an allocator may release late.
    fn late(&self) -> Vec<String> {
        let groups: [&[What]; 3] =
            [&[What::ReviewOverKept, What::ReviewOverNew], &[What::Health], &[What::HealthOnMain]];
        let tallies = groups.map(|what| self.tally(what));
        let failed = tallies.into_iter().filter(|tally| !tally.holds());
        let late = failed.map(|tally| format!("too few in time: {tally}"));
        late.chain(self.growth.clone()).collect()
    }

    fn tally(&self, what: &[What]) -> Tally {
        let limit = self.limit();
        let asked = |sample: &&Sample| what.contains(&sample.what) && sample.asked >= self.begin;
        let samples: Vec<&Sample> = self.samples.iter().filter(asked).collect();
        let bad = |sample: &&&Sample| sample.wrong.is_some() || sample.took > limit;
        let worst = samples.iter().filter(bad).max_by_key(|sample| sample.took);
        Tally {
            what: format!("{what:?}"),
            asked: samples.len(),
            answered: samples.len() - samples.iter().filter(bad).count(),
            slowest: samples.iter().map(|sample| sample.took).max(),
            example: worst.and_then(|sample| sample.wrong.clone()),
        }
    }

    /// Returns the time limit of a response on this machine.
    fn limit(&self) -> Duration {
        let quiet = self.samples.iter().filter(|it| it.asked < self.begin);
        let slowest = quiet.map(|sample| sample.took).max().unwrap_or_default();
        IN_TIME.max(slowest.min(IN_TIME) * FACTOR)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reviews = self.tally(&[What::ReviewOverKept, What::ReviewOverNew]);
        let (health, main) = (self.tally(&[What::Health]), self.tally(&[What::HealthOnMain]));
        let (peak, took) = (self.seen.peak, self.took);
        write!(f, "peak {peak} MiB in {took:.1?}; {reviews}; {health}; {main}")
    }
}

/// Counts of responses to the same kind of request.
struct Tally {
    what: String,
    asked: usize,
    answered: usize,
    slowest: Option<Duration>,
    example: Option<String>,
}

impl Tally {
    fn holds(&self) -> bool {
        self.asked > 0 && self.answered * 100 >= self.asked * SHARE
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, slowest) = (&self.what, self.slowest.unwrap_or_default());
        write!(f, "{what} {}/{} ({slowest:.0?})", self.answered, self.asked)?;
        match &self.example {
            Some(example) => write!(f, " such as {example:.300}"),
            None => Ok(()),
        }
    }
}

#[expect(clippy::print_stdout, reason = "it is what --nocapture is for")]
pub(crate) fn report(line: &str) {
    println!("{line}");
}
