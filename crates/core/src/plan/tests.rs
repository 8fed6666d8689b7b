// SPDX-License-Identifier: Apache-2.0
use std::time::Duration;

use super::simulation::{Deployment, Outcome, Random, Seconds, Simulation, Strategy};
use super::{Action, Amount, Bounds, InPlace, Limits, Rolling, Span, Steps, Zone, ZonePlan};

const POOLS: u64 = 10_000;

fn amount(random: &mut Random) -> Amount {
    match random.between(0, 2) {
        0 => Amount::Percent(random.between(0, 100) as u32),
        1 => Amount::Machines(random.between(0, 2) as u32),
        _ => Amount::Machines(random.between(0, 8) as u32),
    }
}

fn range(random: &mut Random) -> (u64, u64) {
    let low = random.between(1, 400);
    (low, random.between(low, 4 * low))
}

fn deployment(random: &mut Random, strategy: Strategy) -> Deployment {
    let most = if random.between(0, 7) == 0 { 40 } else { 12 };
    let before = random.between(1, most) as u32;
    let seconds = Seconds {
        create: range(random),
        remove: range(random),
        drain: range(random),
        update: range(random),
    };
    Deployment {
        before,
        replicas: before,
        surge: amount(random),
        unavailable: amount(random),
        strategy,
        seconds,
    }
}

fn constant(mut deployment: Deployment) -> Deployment {
    let seconds = &mut deployment.seconds;
    let ranges =
        [&mut seconds.create, &mut seconds.remove, &mut seconds.drain, &mut seconds.update];
    for range in ranges {
        range.1 = range.0;
    }
    deployment
}

fn span((low, high): (u64, u64)) -> Span {
    let [low, high] = [low, high].map(Duration::from_secs);
    Span { best: low, typical: low, worst: high }
}

fn steps(seconds: &Seconds) -> Steps {
    Steps {
        create: span(seconds.create),
        remove: span(seconds.remove),
        update: span(seconds.drain).then(span(seconds.update)),
    }
}

fn zone(deployment: &Deployment) -> Zone {
    Zone {
        name: "zone".to_owned(),
        before: Bounds::exactly(deployment.before),
        size: Some((deployment.replicas, deployment.replicas)),
        is_new: false,
        surge: deployment.surge,
        unavailable: deployment.unavailable,
        action: match deployment.strategy {
            Strategy::Rolling => Action::Replace,
            Strategy::InPlace => Action::UpdateInPlace,
        },
        steps: steps(&deployment.seconds),
    }
}

fn simulate(deployment: Deployment, seed: u64) -> Outcome {
    Simulation::run(deployment, Random::new(seed))
}

fn rolling(deployment: &Deployment) -> Rolling {
    let Deployment { before, replicas, surge, unavailable, .. } = *deployment;
    Rolling { before, after: replicas, limits: Limits::resolve(surge, unavailable, replicas) }
}

#[test]
fn rolling_update_equals_simulation() {
    for seed in 0..POOLS {
        let mut random = Random::new(seed + 1);
        let deployment = deployment(&mut random, Strategy::Rolling);
        let plan = zone(&deployment).plan();
        let exact = constant(deployment);
        let outcome = simulate(exact, seed);
        let context = format!("{seed}: {deployment:?} {outcome:?}");
        assert_eq!(Bounds::exactly(outcome.created), plan.replaced.plus(plan.created), "{context}");
        assert_eq!(Bounds::exactly(outcome.deleted), plan.replaced.plus(plan.deleted), "{context}");
        assert_eq!(Bounds::exactly(outcome.peak - deployment.before), plan.extra, "{context}");
        assert_eq!(Bounds::exactly(outcome.available), plan.available, "{context}");
        let (create, remove) = (exact.seconds.create.0, exact.seconds.remove.0);
        let [create, remove] = [create, remove].map(Duration::from_secs);
        let rolling = rolling(&deployment);
        assert_eq!(rolling.duration(create, remove).as_secs(), outcome.end, "{context}");
        let batches = rolling.batches(create, remove, 1_000);
        let batches: Vec<_> =
            batches.iter().map(|it| (it.at.as_secs(), it.created, it.removed)).collect();
        assert_eq!(batches, outcome.log, "{context}");
        // The removal of all and the creation of all have the same wave.
        let waves = u64::from(rolling.waves());
        let wave = (create + remove).as_secs();
        assert!(outcome.end <= waves * wave && outcome.end > (waves - 1) * wave, "{context}");
        assert_eq!(plan.starts_with_removal, outcome.log[0].2 > 0, "{context}");
        let varied = simulate(deployment, seed);
        let time = plan.time.unwrap();
        let end = Duration::from_secs(varied.end);
        assert!(time.best <= end && end <= time.worst, "{context} {varied:?} {time:?}");
        assert_eq!((varied.created, varied.deleted), (outcome.created, outcome.deleted));
        assert_eq!(varied.peak, outcome.peak, "{context}");
        assert!(varied.available >= outcome.available, "{context}");
    }
}

#[test]
fn update_in_place_equals_simulation() {
    for seed in 0..POOLS {
        let mut random = Random::new(seed + 1);
        let deployment = deployment(&mut random, Strategy::InPlace);
        let plan = zone(&deployment).plan();
        for deployment in [deployment, constant(deployment)] {
            let outcome = simulate(deployment, seed);
            let context = format!("{seed}: {deployment:?} {outcome:?} {plan:?}");
            assert_eq!(Bounds::exactly(outcome.created), plan.replaced, "{context}");
            assert_eq!(Bounds::exactly(outcome.deleted), plan.replaced, "{context}");
            assert_eq!(Bounds::exactly(outcome.kept), plan.updated, "{context}");
            assert_eq!(Bounds::exactly(outcome.peak - deployment.before), plan.extra, "{context}");
            assert!(outcome.available >= plan.available.least, "{context}");
            let end = Duration::from_secs(outcome.end);
            let time = plan.time.unwrap();
            assert!(time.best <= end && end <= time.worst, "{context}");
            let limits =
                Limits::resolve(deployment.surge, deployment.unavailable, deployment.replicas);
            if plan.updated.is_zero() {
                let update = InPlace { machines: deployment.before, limits };
                assert!(update.replaces_all_at_once(), "{context}");
                assert_eq!(outcome.available, 0, "{context}");
            }
        }
    }
}

#[test]
fn resized_rolling_update_equals_simulation() {
    for seed in 0..POOLS {
        let mut random = Random::new(seed + 1);
        let mut deployment = deployment(&mut random, Strategy::Rolling);
        deployment.replicas = random.between(1, 20) as u32;
        let plan = zone(&deployment).plan();
        let exact = constant(deployment);
        let outcome = simulate(exact, seed);
        let context = format!("{seed}: {deployment:?}\n{outcome:?}\n{plan:?}");
        let [create, remove] =
            [exact.seconds.create.0, exact.seconds.remove.0].map(Duration::from_secs);
        let peak = deployment.before.max(deployment.replicas) + plan.extra.most;
        let time = rolling(&deployment).duration(create, remove).as_secs();
        let ok = Bounds::exactly(outcome.created) == plan.replaced.plus(plan.created)
            && Bounds::exactly(outcome.deleted) == plan.replaced.plus(plan.deleted)
            && outcome.peak == peak
            && Bounds::exactly(outcome.available) == plan.available
            && time == outcome.end;
        let varied = simulate(deployment, seed);
        let (bounds, end) = (plan.time.unwrap(), Duration::from_secs(varied.end));
        assert!(ok && bounds.best <= end && end <= bounds.worst, "{context} {peak} {time}");
    }
}

#[test]
fn breakpoints_cover_all_numbers_of_machines() {
    for seed in 0..POOLS {
        let mut random = Random::new(seed + 1);
        let strategy = if seed % 2 == 0 { Strategy::Rolling } else { Strategy::InPlace };
        let mut zone = zone(&deployment(&mut random, strategy));
        zone.surge = Amount::Machines(random.between(0, 9) as u32);
        zone.unavailable = Amount::Machines(random.between(0, 9) as u32);
        let least = random.between(0, 20) as u32;
        zone.before = Bounds { least, most: least + random.between(0, 40) as u32 };
        if seed % 3 == 0 {
            let minimum = random.between(0, 30) as u32;
            zone.size = Some((minimum, minimum + random.between(0, 30) as u32));
        } else {
            zone.size = Some((zone.before.least, zone.before.most));
        }
        let mut all = None;
        for machines in zone.before.least..=zone.before.most {
            let plan = Zone { before: Bounds::exactly(machines), ..zone.clone() }.plan();
            all = Some(match all {
                Some(all) => ZonePlan::or(all, plan),
                None => plan,
            });
        }
        assert_eq!(Some(zone.plan()), all, "{seed}: {zone:?}");
    }
}
