use std::fs;
use std::time::Instant;

/// How much more memory the last third of a run may need than the second, in KiB: what an allocator keeps varies by that much.
const MEMORY: u64 = 16 << 10;
/// Connections that open and close while a sample is taken.
const FILES: u64 = 16;
/// Threads for blocking work, which come and go.
const THREADS: u64 = 4;

/// What a process holds at one time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    at: Instant,
    /// Resident memory in KiB.
    memory: u64,
    files: u64,
    threads: u64,
}

impl Sample {
    /// # Panics
    /// If the process has ended.
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
    /// What grew, and by how much.
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

    /// The medians of the thirds of the time, for the report.
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
