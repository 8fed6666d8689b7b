// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::time::Instant;

/// Maximum growth of memory from the second to the last third of a run, in KiB; allocators vary by that much.
const MEMORY: u64 = 16 << 10;
/// Number of connections that may open and close during a sample.
const FILES: u64 = 16;
/// Number of threads for blocking work, which varies.
const THREADS: u64 = 4;

/// Resources of a process at one time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    at: Instant,
    /// Resident memory in KiB.
    memory: u64,
    files: u64,
    threads: u64,
}

impl Sample {
    /// Takes a sample.
    ///
    /// # Panics
    /// Panics if the process has ended.
    pub(super) fn take(process: u32) -> Self {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
        let number = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let text = line.unwrap().trim().trim_end_matches(" kB");
            text.parse::<u64>().unwrap()
        };
        Self {
            at: Instant::now(),
            memory: number("VmRSS:"),
            files: fs::read_dir(format!("/proc/{process}/fd")).unwrap().count() as u64,
            threads: number("Threads:"),
        }
    }
}

type Figure = fn(&Sample) -> u64;

/// The samples of one run, in order. The first third is the warm-up.
#[derive(Debug, Default)]
pub(super) struct Samples(pub(super) Vec<Sample>);

impl Samples {
    /// Returns a message for each resource that grew.
    pub(super) fn growth(&self) -> Vec<String> {
        let checks: [(&str, Figure, u64); 3] = [
            ("KiB of memory", |it| it.memory, MEMORY),
            ("open files", |it| it.files, FILES),
            ("threads", |it| it.threads, THREADS),
        ];
        let grown = checks.into_iter().filter_map(|(what, of, allowed)| {
            let [_, before, after] = self.thirds(of);
            (after > before + allowed).then(|| format!("{what}: {before}, then {after}"))
        });
        grown.collect()
    }

    /// Returns the medians of the thirds of the run, for the report.
    pub(super) fn summary(&self) -> String {
        let [memory, files, threads]: [Figure; 3] =
            [|it| it.memory, |it| it.files, |it| it.threads];
        let [memory, files, threads] = [memory, files, threads].map(|of| self.thirds(of));
        format!("KiB {memory:?}, files {files:?}, threads {threads:?}")
    }

    fn thirds(&self, of: fn(&Sample) -> u64) -> [u64; 3] {
        let (first, last) = (self.0[0].at, self.0[self.0.len() - 1].at);
        [0, 1, 2].map(|third| {
            let begin = first + (last - first) / 3 * third;
            let end = begin + (last - first) / 3;
            let within = self.0.iter().filter(|it| (begin..end).contains(&it.at));
            let mut values: Vec<u64> = within.map(of).collect();
            values.sort_unstable();
            values.get(values.len() / 2).copied().unwrap_or(0)
        })
    }
}
