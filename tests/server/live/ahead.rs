// SPDX-License-Identifier: Apache-2.0
//! Forecasts of a live garden.

use serde_json::Value;

use super::{Printed, World};

fn ahead(world: &World, arguments: &[&str]) -> Printed {
    let fixed = ["forecast", "--no-config", "--live", "--kubeconfig", "kubeconfig"];
    let at = ["--at", "2026-12-01T00:00:00Z"];
    world.run(&[fixed.as_slice(), &at, arguments].concat())
}

/// Returns the Shoots of a forecast, with the number of their windows.
fn shoots(printed: &Printed) -> Vec<(String, usize)> {
    let Printed { out, err, .. } = printed;
    let json: Value = serde_json::from_str(out).unwrap_or_else(|_| unreachable!("{out}{err}"));
    let shoots = json["shoots"].as_array().unwrap().iter();
    let shoot = |it: &Value| {
        let windows = it["windows"].as_array().unwrap().len();
        (it["name"].as_str().unwrap().to_owned(), windows)
    };
    shoots.map(shoot).collect()
}

#[test]
fn what_a_cluster_shows_is_forecast() {
    let world = World::new(&[]);
    let found = shoots(&ahead(&world, &["--format", "json"]));
    let expected = [("batch", 1), ("web", 0), ("registry", 0)];
    assert_eq!(found, expected.map(|(name, windows)| (name.to_owned(), windows)));
}

#[test]
fn project_member_selects_the_project() {
    let world = World::new(&[]);
    for path in ["shoots", "projects"] {
        let request = format!("GET /{path}");
        world.server.answer(&request, 403, "no");
    }
    let Printed { code, err, .. } = ahead(&world, &[]);
    assert_eq!(code, Some(2));
    assert!(err.contains("cannot list Shoots, which a forecast requires: "), "{err}");
    assert!(err.contains("--project dev"), "{err}");
    let found = shoots(&ahead(&world, &["--project", "dev", "--format", "json"]));
    let expected = [("batch", 1), ("web", 0)];
    assert_eq!(found, expected.map(|(name, windows)| (name.to_owned(), windows)));
}

#[test]
fn nothing_is_asked_but_lists() {
    let world = World::new(&[]);
    let Printed { code, .. } = ahead(&world, &["dev/batch"]);
    assert_eq!(code, Some(0));
    let asked = world.server.asked();
    assert!(asked.iter().all(|it| it.starts_with("GET ")), "{asked:?}");
}
