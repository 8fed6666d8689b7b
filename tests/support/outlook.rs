// SPDX-License-Identifier: Apache-2.0
//! A forecast of the example garden, from the library.

use std::path::Path;

use garden_gate::garden::directory::{Reading, Wanted, load_with};
use garden_gate_core::admission::World;
use garden_gate_core::config::Config;
use garden_gate_core::rules;
use garden_gate_model::api::{Kind, ProfileKey};
use garden_gate_products::forecast::{
    Outlook, Owner, Profile, ShootForecast, UnknownForecast, forecast,
};

/// Returns a forecast for the Shoots of the example garden, each `times` times with other names.
pub(crate) fn outlook(times: usize) -> Outlook {
    let wanted = Wanted { kinds: vec![Kind::Shoot], ..Wanted::default() };
    let reading = Reading { wanted, ..Reading::default() };
    let loaded = load_with(Path::new("examples/forecast"), reading).unwrap();
    let world = World {
        rules: rules::ALL.into(),
        garden: &loaded.snapshot,
        config: &Config::default(),
        now: "2026-12-01T00:00:00Z".parse().unwrap(),
    };
    let until = "2027-03-01T00:00:00Z".parse().unwrap();
    let key = ProfileKey::cluster("nimbus");
    let profile = Profile::find(&key, &loaded.snapshot).unwrap();
    let mut kept: Vec<_> = loaded.kept.into_iter().collect();
    kept.sort_by(|(a, _), (b, _)| a.cmp(b));
    kept.retain(|(key, _)| key.name != "archive");
    let seen = kept.into_iter().map(|(key, stored)| ShootForecast {
        owner: Owner {
            project: key.namespace.trim_start_matches("garden-").to_owned(),
            name: String::new(),
        },
        forecast: forecast(stored, &profile, &world, until).unwrap(),
    });
    let seen: Vec<ShootForecast> = seen.collect();
    let again = |time: usize| {
        let again = seen.iter().cloned();
        again.map(move |mut shoot| {
            if time > 0 {
                shoot.forecast.name += &format!("-{time}");
            }
            shoot
        })
    };
    Outlook {
        at: world.now,
        until,
        judged: world.config.judged_as(),
        shoots: (0..times).flat_map(again).collect(),
        unforeseen: Vec::new(),
    }
}

/// Returns a forecast for `count` Shoots: most have the same two updates, and three need a person.
pub(crate) fn landscape(count: usize) -> Outlook {
    let mut outlook = outlook(1);
    let shoots = std::mem::take(&mut outlook.shoots);
    for shoot in shoots {
        match shoot.forecast.name.as_str() {
            "checkout" => outlook.shoots.extend((0..count - 3).map(|number| {
                let mut shoot = shoot.clone();
                shoot.owner.project = format!("p{}", number % 100);
                shoot.forecast.namespace = format!("garden-p{}", number % 100);
                shoot.forecast.name = format!("web-{number}");
                shoot
            })),
            "etl" | "legacy" => outlook.shoots.push(shoot),
            _ => {}
        }
    }
    outlook.unforeseen.push(UnknownForecast {
        owner: Owner { project: "data".to_owned(), name: String::new() },
        namespace: "garden-data".to_owned(),
        name: "archive".to_owned(),
        why: "CloudProfile cumulus does not exist".to_owned(),
    });
    outlook
}
