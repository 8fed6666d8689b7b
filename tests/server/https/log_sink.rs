// SPDX-License-Identifier: Apache-2.0
//! A standard error that stalls, fails and recovers does not affect verdicts.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::join_all;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::reviews::{PROJECT, review, shoot};
use crate::common::{Gate, GateArgs, collect, eventually, free_address};

const DROPPED: &str = "log_lines_dropped_total";

fn args() -> GateArgs {
    let args = GateArgs::new().garden("dev.yaml", PROJECT);
    args.metrics(free_address())
}

/// Returns a denied review, whose log line has about 2 KB.
fn denied(uid: &str) -> Value {
    let tolerations = json!(vec![json!({"key": "x"}); 16]);
    let mut review = review("CREATE", "shoots", &shoot(&tolerations), &Value::Null);
    review["request"]["uid"] = json!(uid);
    review["request"]["userInfo"]["username"] = json!("u".repeat(200));
    review["request"]["name"] = json!("n".repeat(253));
    review
}

async fn is_denied(gate: &Gate, uid: &str) {
    let (status, answer) = gate.post("/validate", &denied(uid)).await;
    assert_eq!((status, &answer["response"]["allowed"]), (200, &json!(false)));
}

/// Sends denied requests until log lines are dropped.
async fn deny_until_lines_are_dropped(gate: &Gate) {
    let sent = AtomicUsize::new(0);
    eventually("lines are dropped", async || {
        join_all((0..64).map(|_| async {
            let number = sent.fetch_add(1, Ordering::Relaxed);
            is_denied(gate, &format!("stalled-{number}")).await;
        }))
        .await;
        gate.metric(DROPPED).await > 0.0
    })
    .await;
}

async fn is_alive(gate: &Gate) {
    for path in ["/healthz", "/readyz"] {
        assert_eq!(gate.get(path).await, (200, "ok\n".to_owned()));
    }
}

async fn ends_in_order(mut gate: Gate) {
    gate.terminate();
    assert_eq!(gate.ended().await.code(), Some(0));
}

#[tokio::test]
async fn stalled_log_pipe_keeps_no_request_waiting() {
    let (reader, writer) = io::pipe().unwrap();
    let gate = Gate::start_with(&args(), Stdio::from(writer));
    deny_until_lines_are_dropped(&gate).await;
    is_alive(&gate).await;
    let log = collect(reader);
    let log = || log.lock().unwrap().clone();
    let report = "log lines were dropped, because standard error did not accept them";
    eventually("the log reports what is missing", async || log().contains(report)).await;
    is_denied(&gate, "afterwards").await;
    eventually("the log goes on", async || log().contains("uid=\"afterwards\"")).await;
    let lines = log();
    let reports = lines.lines().filter_map(|line| line.split_once(report));
    let reported: u64 = reports
        .map(|(line, _)| line.split_whitespace().next_back().unwrap().parse::<u64>())
        .map(Result::unwrap)
        .sum();
    assert_eq!(reported as f64, gate.metric(DROPPED).await);
    let is_whole = |line: &str| line.contains("uid=") || !line.contains("reviewed");
    assert!(lines.lines().all(is_whole), "{lines}");
}

#[tokio::test]
async fn stalled_log_pipe_does_not_delay_the_end() {
    let (_reader, writer) = io::pipe().unwrap();
    let gate = Gate::start_with(&args(), Stdio::from(writer));
    deny_until_lines_are_dropped(&gate).await;
    ends_in_order(gate).await;
}

#[tokio::test]
async fn closed_log_pipe_ends_no_process() {
    let (reader, writer) = io::pipe().unwrap();
    let gate = Gate::start_with(&args(), Stdio::from(writer));
    drop(reader);
    deny_until_lines_are_dropped(&gate).await;
    is_alive(&gate).await;
    ends_in_order(gate).await;
}

/// [`Gate`] reads standard output, so this server is started directly.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn full_disk_behind_both_streams_ends_no_process() {
    let (directory, metrics) = (TempDir::new().unwrap(), free_address());
    let full = || File::create("/dev/full").unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_garden-gate"))
        .args(["serve", "--garden", "examples/garden", "--listen", "127.0.0.1:0"])
        .args(["--metrics-listen", &metrics.to_string(), "--ca-out"])
        .arg(directory.path().join("ca.crt"))
        .stdout(full())
        .stderr(full())
        .spawn()
        .unwrap();
    let mut child = crate::https::listening::Killed(child);
    let get = async |path: &str| {
        let response = reqwest::get(format!("http://{metrics}{path}")).await.ok()?;
        response.text().await.ok()
    };
    eventually("it is ready", async || get("/readyz").await.as_deref() == Some("ok\n")).await;
    eventually("lines are dropped", async || {
        let metrics = get("/metrics").await.unwrap();
        let lines = metrics.lines().filter_map(|line| line.split_once(' '));
        let dropped = { lines }.find(|(name, _)| *name == format!("garden_gate_{DROPPED}"));
        // The line with the address on standard output is one of them.
        dropped.is_some_and(|(_, count)| count.parse::<u64>().unwrap() >= 3)
    })
    .await;
    let id = rustix::process::Pid::from_raw(child.0.id().cast_signed()).unwrap();
    rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
    assert_eq!(child.0.wait().unwrap().code(), Some(0));
}

/// A file system that is unmounted on drop.
#[cfg(target_os = "linux")]
struct Mounted(TempDir);

#[cfg(target_os = "linux")]
impl Mounted {
    /// Mounts a file system of 64 KiB; returns `None` without permission.
    fn tiny() -> Option<Self> {
        let directory = TempDir::new().unwrap();
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"])
            .arg(directory.path())
            .stderr(Stdio::null())
            .status();
        mount.is_ok_and(|it| it.success()).then(|| Self(directory))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

#[cfg(target_os = "linux")]
impl Drop for Mounted {
    fn drop(&mut self) {
        // It is also unmounted with the last process that uses it.
        let _ = Command::new("umount").arg("-l").arg(self.path()).status();
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn log_goes_on_once_a_full_disk_has_space_again() {
    let Some(disk) = Mounted::tiny() else {
        report("not run: a file system cannot be mounted");
        return;
    };
    let (log, filler) = (disk.path().join("log"), disk.path().join("filler"));
    fs::write(&filler, vec![0; 40 << 10]).unwrap();
    let file = { OpenOptions::new() }.create(true).append(true).open(&log);
    let gate = Gate::start_with(&args(), Stdio::from(file.unwrap()));
    deny_until_lines_are_dropped(&gate).await;
    is_alive(&gate).await;
    fs::remove_file(filler).unwrap();
    is_denied(&gate, "afterwards").await;
    let text = || fs::read_to_string(&log).unwrap();
    eventually("the log reports what is missing", async || {
        text().contains("log lines were dropped, because standard error did not accept them")
    })
    .await;
    let text = text();
    let afterwards = text.lines().find(|it| it.contains("uid=\"afterwards\"")).unwrap();
    assert!(afterwards.contains("reviewed") && !afterwards.contains("stalled-"), "{afterwards}");
    ends_in_order(gate).await;
}

#[expect(clippy::print_stdout, reason = "it is what --nocapture is for")]
#[cfg(target_os = "linux")]
fn report(line: &str) {
    println!("{line}");
}
