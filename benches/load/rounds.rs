// SPDX-License-Identifier: Apache-2.0
//! Alternating rounds and their results.

use std::time::Duration;

use crate::requests::Request;
use crate::server::{Place, Server};

/// The extent of the measurements.
pub(crate) struct Plan {
    pub(crate) rounds: usize,
    /// The duration of a round per connection; at least one request is sent.
    pub(crate) time: Duration,
    /// The number of preceding rounds that do not count.
    pub(crate) warm_up: usize,
}

/// CPU time of the server per request, and median and 99th percentile latency, in microseconds.
pub(crate) type Figures = [f64; 3];

impl Plan {
    /// The plan of `cargo bench`.
    pub(crate) const FULL: Self = Self { rounds: 9, time: Duration::from_millis(500), warm_up: 1 };
    /// The plan of `cargo test`.
    pub(crate) const SMALL: Self = Self { rounds: 1, time: Duration::ZERO, warm_up: 0 };

    /// Prints a row for each request and server; ratios are relative to the first server.
    pub(crate) async fn table(
        &self,
        servers_are: &str,
        servers: &[Server],
        requests: &[Request],
        place: &Place,
    ) {
        let first = &servers[0].name;
        println!(
            "\n| request | bytes | {servers_are} | CPU µs | p50 µs | p99 µs | CPU / {first} | p50 / {first} | p99 / {first} |"
        );
        println!("|---|---|---|---|---|---|---|---|---|");
        for request in requests {
            let rounds = self.rounds(servers, request, place).await;
            for (index, server) in servers.iter().enumerate() {
                let figure = |at: usize| median(rounds.iter().map(|it| it[index][at]));
                let ratio = |at: usize| median(rounds.iter().map(|it| it[index][at] / it[0][at]));
                println!(
                    "| {} | {} | {} | {:.0} | {:.0} | {:.0} | {:.2} | {:.2} | {:.2} |",
                    request.name,
                    request.body.len(),
                    server.name,
                    figure(0),
                    figure(1),
                    figure(2),
                    ratio(0),
                    ratio(1),
                    ratio(2),
                );
            }
        }
    }

    /// Returns the figures of each server by round.
    async fn rounds(
        &self,
        servers: &[Server],
        request: &Request,
        place: &Place,
    ) -> Vec<Vec<Figures>> {
        let mut rounds = Vec::new();
        for _ in 0..self.warm_up + self.rounds {
            let mut round = Vec::new();
            for server in servers {
                round.push(figures(server.round(request, self.time, place).await));
            }
            rounds.push(round);
        }
        rounds.split_off(self.warm_up)
    }
}

pub(crate) fn figures((cpu, mut latencies): (Duration, Vec<Duration>)) -> Figures {
    latencies.sort_unstable();
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    let at = |percent: usize| micros(latencies[latencies.len() * percent / 100]);
    [micros(cpu) / latencies.len() as f64, at(50), at(99)]
}

pub(crate) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
