// SPDX-License-Identifier: Apache-2.0
//! Gardens in a directory with one file per Shoot.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use garden_gate::garden::directory::GardenDirectory;
use garden_gate::server::ServerOptions;

use crate::gate::Gate;
use crate::process;
use crate::requests;
use crate::rounds::Plan;
use crate::server::{Place, Server};
use crate::shoots;

/// Number of scans, of which the median counts.
const LOOKS: usize = 9;

/// Measures each of these gardens.
pub(crate) async fn measure(sizes: &[usize], plan: &Plan, place: &Place) {
    println!(
        "\n| Shoots | to ready, s | CPU, s | memory, MiB | at most, MiB | after a reload, MiB | at most, MiB |"
    );
    println!("|---|---|---|---|---|---|---|");
    let mut servers: Vec<Server> = Vec::new();
    for shoots in sizes {
        let folder = place.folder().join(format!("{shoots} Shoots"));
        shoots::write_garden(&folder, *shoots);
        let name = format!("{shoots} Shoots");
        let gate = Gate::start(&name, &["--garden", folder.to_str().unwrap()], place).await;
        let ready = gate.taken();
        reload(&gate, &folder, *shoots).await;
        let after = gate.taken();
        println!(
            "| {shoots} | {:.2} | {:.2} | {} | {} | {} | {} |",
            gate.start.as_secs_f64(),
            ready.cpu.as_secs_f64(),
            ready.memory,
            ready.peak,
            after.memory,
            after.peak,
        );
        servers.push(gate.server);
    }
    plan.table("garden", &servers, &requests::looked_up(), place).await;
    drop(servers);
    println!("\n| Shoots | a look at all files, ms | a file that changed, besides, ms |");
    println!("|---|---|---|");
    for shoots in sizes {
        let folder = place.folder().join(format!("{shoots} Shoots"));
        let (look, change) = looks(&folder);
        println!("| {shoots} | {look:.2} | {change:.2} |");
    }
}

/// Adds a Shoot and waits until it is loaded.
async fn reload(gate: &Gate, folder: &Path, shoots: usize) {
    let count = "garden_gate_garden_objects{kind=\"Shoot\"}";
    let before = gate.metric(count).await;
    let one = shoots::Template::yaml().shoot(shoots, "stratus-us");
    fs::write(folder.join("one-more.yaml"), one).unwrap();
    gate.shows(count, before + 1.0).await;
}

/// Returns the CPU time of a scan without changes, and the additional time for one changed file.
///
/// Runs in this process. The values are medians in milliseconds. After a change, the directory is scanned a second
/// time.
fn looks(folder: &Path) -> (f64, f64) {
    // A time long after the files were written.
    let later = SystemTime::now() + Duration::from_hours(1);
    let (mut directory, garden) =
        GardenDirectory::open(folder.to_owned(), false, ServerOptions::REMOVAL_DELAY, later)
            .unwrap();
    drop(garden);
    let mut look = |is_news: bool| {
        let before = process::our_cpu();
        let found = directory.look(later);
        let took = process::our_cpu().saturating_sub(before);
        assert_eq!(found.is_some(), is_news);
        took.as_secs_f64() * 1e3
    };
    let (mut idle, mut changes) = (Vec::new(), Vec::new());
    for number in 0..LOOKS {
        idle.push(look(false));
        let one = shoots::Template::yaml().shoot(number, "stratus-us");
        fs::write(shoots::file(folder, number), one).unwrap();
        changes.push(look(true));
    }
    let [idle, change] = [idle, changes].map(median);
    (idle, (change - 2.0 * idle).max(0.0))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
