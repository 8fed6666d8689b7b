// SPDX-License-Identifier: Apache-2.0
//! Live gardens: the time until they are synced, and the effect of many changes on requests.

use std::fs;
use std::time::Duration;

use crate::api_server::ApiServer;
use crate::gate::Gate;
use crate::requests;
use crate::rounds::{self, Plan};
use crate::server::Place;

/// Changes of Shoots per second.
const EVENTS: usize = 1_000;
/// The metric with the number of watch events.
const DELIVERED: &str = "garden_gate_garden_watch_events{kind=\"Shoot\"}";

/// Measures a garden with `shoots` Shoots.
pub(crate) async fn measure(shoots: usize, plan: &Plan, place: &Place) {
    let api_server = ApiServer::start(Place::free_port(), shoots).await;
    let kubeconfig = place.folder().join("kubeconfig");
    fs::write(&kubeconfig, api_server.kubeconfig().to_string()).unwrap();
    let gate = Gate::start("live", &["--kubeconfig", kubeconfig.to_str().unwrap()], place).await;
    let ready = gate.taken();
    println!("\n| Shoots | to ready, s | CPU, s | memory, MiB | at most, MiB |");
    println!("|---|---|---|---|---|");
    println!(
        "| {shoots} | {:.2} | {:.2} | {} | {} |",
        gate.start.as_secs_f64(),
        ready.cpu.as_secs_f64(),
        ready.memory,
        ready.peak,
    );
    changes(&gate, &api_server, plan.time * 10).await;
    println!(
        "\n| request | changes a second | CPU µs | p50 µs | p99 µs | p50, with/without | p99, with/without |"
    );
    println!("|---|---|---|---|---|---|---|");
    for request in requests::looked_up() {
        let mut all = Vec::new();
        for _ in 0..plan.warm_up + plan.rounds {
            let mut round = Vec::new();
            for events in [0, EVENTS] {
                api_server.send(events).await;
                let before = gate.metric(DELIVERED).await;
                // Waits for pending changes, or for the first new ones.
                tokio::time::sleep(plan.time / 4).await;
                let figures = rounds::figures(gate.server.round(&request, plan.time, place).await);
                let delivered = gate.metric(DELIVERED).await - before;
                assert!(
                    events == 0 || plan.time.is_zero() || delivered > 0.0,
                    "{delivered} changes"
                );
                round.push(figures);
            }
            all.push(round);
        }
        let all = all.split_off(plan.warm_up);
        for (index, events) in [0, EVENTS].into_iter().enumerate() {
            let figure = |at: usize| rounds::median(all.iter().map(|it| it[index][at]));
            let ratio = |at: usize| rounds::median(all.iter().map(|it| it[index][at] / it[0][at]));
            println!(
                "| {} | {events} | {:.0} | {:.0} | {:.0} | {:.2} | {:.2} |",
                request.name,
                figure(0),
                figure(1),
                figure(2),
                ratio(1),
                ratio(2),
            );
        }
    }
    api_server.send(0).await;
    let after = gate.taken();
    println!("\nafter that it holds {} MiB, {} at most", after.memory, after.peak);
}

/// Prints the cost of changes without requests.
async fn changes(gate: &Gate, api_server: &ApiServer, time: Duration) {
    api_server.send(EVENTS).await;
    let (delivered, taken) = (gate.metric(DELIVERED).await, gate.taken());
    tokio::time::sleep(time).await;
    let (delivered_then, taken_then) = (gate.metric(DELIVERED).await, gate.taken());
    let cpu = taken_then.cpu.saturating_sub(taken.cpu);
    println!(
        "\n{:.0} changes in {:.1} s took {:.2} s of CPU",
        delivered_then - delivered,
        time.as_secs_f64(),
        cpu.as_secs_f64(),
    );
}
