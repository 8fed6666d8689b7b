// SPDX-License-Identifier: Apache-2.0
//! Simulation of machine-controller-manager, pass by pass, without the plan's arithmetic.
//!
//! A pass of the deployment controller sees the current status of the machine sets. The set controllers follow each
//! pass, until nothing changes; then time advances to the next event of a machine.

use super::Amount;

/// A pseudo-random generator (xorshift), so that failures can be repeated.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Returns a number from `low` to `high`, both inclusive.
    pub(super) fn between(&mut self, low: u64, high: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        low + self.0 % (high - low + 1)
    }
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Strategy {
    Rolling,
    InPlace,
}

/// The range of seconds of each step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seconds {
    pub(super) create: (u64, u64),
    pub(super) remove: (u64, u64),
    pub(super) drain: (u64, u64),
    pub(super) update: (u64, u64),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Deployment {
    pub(super) before: u32,
    pub(super) replicas: u32,
    pub(super) surge: Amount,
    pub(super) unavailable: Amount,
    pub(super) strategy: Strategy,
    pub(super) seconds: Seconds,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Phase {
    Pending,
    Running,
    /// Selected for the update in place, and being drained; the phase in Gardener is Running.
    Draining,
    Updating,
    /// Updated, with a label on the node.
    Updated,
    Terminating,
}

#[derive(Clone, Debug)]
struct Machine {
    phase: Phase,
    is_new_set: bool,
    is_original: bool,
    age: u64,
    until: u64,
}

#[derive(Clone, Copy, Debug)]
struct Set {
    size: i64,
    /// The annotations with the desired and the highest number of machines of the deployment.
    desired: i64,
    highest: i64,
}

#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Outcome {
    /// Machines created and deleted, including those that were created by mistake.
    pub(super) created: u32,
    pub(super) deleted: u32,
    /// Original machines that still exist.
    pub(super) kept: u32,
    pub(super) selected: u32,
    pub(super) peak: u32,
    pub(super) available: u32,
    pub(super) end: u64,
    /// The seconds of each batch, and the machines created and removed.
    pub(super) log: Vec<(u64, u32, u32)>,
}

pub(super) struct Simulation {
    deployment: Deployment,
    machines: Vec<Machine>,
    old: Set,
    new: Option<Set>,
    now: u64,
    random: Random,
    outcome: Outcome,
    is_first: bool,
    births: u64,
}

const NEVER: u64 = u64::MAX;

impl Simulation {
    pub(super) fn run(deployment: Deployment, random: Random) -> Outcome {
        let size = i64::from(deployment.before);
        let machines = (0..u64::from(deployment.before)).map(|age| Machine {
            phase: Phase::Running,
            is_new_set: false,
            is_original: true,
            age,
            until: NEVER,
        });
        let mut simulation = Self {
            machines: machines.collect(),
            old: Set { size, desired: size, highest: size },
            new: None,
            now: 0,
            random,
            outcome: Outcome {
                peak: deployment.before,
                available: deployment.before,
                ..Outcome::default()
            },
            is_first: true,
            births: u64::from(deployment.before),
            deployment,
        };
        simulation.settle();
        while simulation.advance() {
            simulation.settle();
        }
        simulation.finish()
    }

    fn finish(mut self) -> Outcome {
        let replicas = self.deployment.replicas;
        assert_eq!(self.new.map(|it| it.size), Some(i64::from(replicas)), "{:?}", self.deployment);
        assert_eq!(self.old.size, 0, "{:?}", self.deployment);
        assert!(self.machines.iter().all(|it| it.is_new_set && it.phase == Phase::Running));
        assert_eq!(self.machines.len(), replicas as usize);
        self.outcome.kept = self.machines.iter().filter(|it| it.is_original).count() as u32;
        self.outcome.end = self.now;
        self.outcome
    }

    /// Advances to the next event of a machine; returns whether there is one.
    fn advance(&mut self) -> bool {
        let next = self.machines.iter().map(|it| it.until).min().unwrap_or(NEVER);
        if next == NEVER {
            return false;
        }
        self.now = next;
        self.machines.retain(|it| it.phase != Phase::Terminating || it.until > next);
        for index in 0..self.machines.len() {
            if self.machines[index].until > next {
                continue;
            }
            let (phase, until) = match self.machines[index].phase {
                Phase::Pending => (Phase::Running, NEVER),
                Phase::Draining => {
                    let (low, high) = self.deployment.seconds.update;
                    (Phase::Updating, next + self.random.between(low, high))
                }
                Phase::Updating => (Phase::Updated, NEVER),
                phase => (phase, NEVER),
            };
            self.machines[index].phase = phase;
            self.machines[index].until = until;
        }
        true
    }

    /// Runs all controllers until nothing changes.
    fn settle(&mut self) {
        for _ in 0..100_000 {
            let has_changed = self.deployment_pass();
            let sets = self.set_pass(false) | self.set_pass(true);
            self.observe();
            if !has_changed && !sets {
                return;
            }
        }
        unreachable!("endless passes: {:?}", self.deployment);
    }

    fn observe(&mut self) {
        let ready = self.machines.iter().filter(|it| it.phase == Phase::Running).count();
        self.outcome.peak = self.outcome.peak.max(self.machines.len() as u32);
        self.outcome.available = self.outcome.available.min(ready as u32);
    }

    // The statuses of the machine sets.

    fn existing(&self) -> i64 {
        self.machines.len() as i64
    }

    fn of(&self, is_new: bool, is_counted: impl Fn(Phase) -> bool) -> i64 {
        let machines = self.machines.iter();
        machines.filter(|it| it.is_new_set == is_new && is_counted(it.phase)).count() as i64
    }

    fn available(&self, is_new: bool) -> i64 {
        self.of(is_new, |it| matches!(it, Phase::Running | Phase::Draining))
    }

    // pkg/controller/deployment_util.go

    fn replicas(&self) -> i64 {
        i64::from(self.deployment.replicas)
    }

    fn value(&self, amount: Amount, is_up: bool) -> i64 {
        match amount {
            Amount::Machines(number) => i64::from(number),
            Amount::Percent(percent) => {
                let value = f64::from(percent) * self.replicas() as f64 / 100.0;
                if is_up { value.ceil() as i64 } else { value.floor() as i64 }
            }
        }
    }

    fn max_unavailable(&self) -> i64 {
        let replicas = self.replicas();
        if replicas == 0 {
            return 0;
        }
        let surge = self.value(self.deployment.surge, true);
        let mut unavailable = self.value(self.deployment.unavailable, false);
        if surge == 0 && unavailable == 0 {
            unavailable = 1;
        }
        unavailable.min(replicas)
    }

    /// For the annotations only; in place, it is 0.
    fn max_surge(&self) -> i64 {
        match self.deployment.strategy {
            Strategy::Rolling => self.value(self.deployment.surge, true),
            Strategy::InPlace => 0,
        }
    }

    fn new_replicas(&self, size: i64) -> i64 {
        let most = self.replicas() + self.value(self.deployment.surge, true);
        let current = self.existing();
        if current >= most {
            return size;
        }
        size + (most - current).min(self.replicas() - size)
    }

    // pkg/controller/deployment.go

    fn deployment_pass(&mut self) -> bool {
        if self.is_scaling() {
            return self.scale();
        }
        let Some(new) = self.new else {
            let size = self.new_replicas(0);
            let highest = self.replicas() + self.max_surge();
            self.new = Some(Set { size, desired: self.replicas(), highest });
            // The second computation in the same pass sees an old status; its update conflicts.
            return true;
        };
        match self.deployment.strategy {
            Strategy::Rolling => self.roll(new),
            Strategy::InPlace => self.update_in_place(new),
        }
    }

    fn is_scaling(&self) -> bool {
        let Some(new) = self.new else { return false };
        let active: Vec<Set> = [self.old, new].into_iter().filter(|it| it.size > 0).collect();
        if active.is_empty() {
            return self.replicas() > 0;
        }
        active.iter().any(|it| it.desired != self.replicas())
    }

    // pkg/controller/deployment_sync.go

    fn resize(&mut self, is_new: bool, size: i64) -> bool {
        let (desired, highest) = (self.replicas(), self.replicas() + self.max_surge());
        let set = match (is_new, &mut self.new) {
            (true, Some(new)) => new,
            _ => &mut self.old,
        };
        let has_changed = set.size != size;
        *set = Set { size, desired, highest };
        has_changed
    }

    fn scale(&mut self) -> bool {
        let Some(new) = self.new else { return false };
        let active: Vec<bool> = [(false, self.old), (true, new)]
            .iter()
            .filter(|it| it.1.size > 0)
            .map(|it| it.0)
            .collect();
        match active[..] {
            [] => return self.resize(true, self.replicas()) | true,
            [only] => return self.resize(only, self.replicas()) | true,
            _ => {}
        }
        let is_saturated = new.size == self.replicas()
            && new.desired == self.replicas()
            && self.available(true) == self.replicas();
        if is_saturated {
            return self.resize(false, 0) | true;
        }
        if self.deployment.strategy == Strategy::InPlace {
            unreachable!("stuck: {:?}", self.deployment);
        }
        let allowed = if self.replicas() > 0 { self.replicas() + self.max_surge() } else { 0 };
        let more = allowed - self.old.size - new.size;
        if more >= 0 {
            let _ = self.resize(false, self.old.size);
            let _ = self.resize(true, new.size + more);
            return true;
        }
        // Proportionally; the larger, then the older first.
        let mut sets = [(false, self.old), (true, new)];
        if new.size > self.old.size {
            sets.reverse();
        }
        let mut sizes = [0; 2];
        let mut added = 0;
        for (size, (_, set)) in sizes.iter_mut().zip(&sets) {
            let fraction = if self.replicas() == 0 {
                -set.size
            } else {
                (set.size as f64 * allowed as f64 / set.highest as f64).round() as i64 - set.size
            };
            let part = if more == added { 0 } else { fraction.max(more - added) };
            *size = set.size + part;
            added += part;
        }
        sizes[0] = (sizes[0] + more - added).max(0);
        for (size, (is_new, _)) in sizes.into_iter().zip(sets) {
            let _ = self.resize(is_new, size);
        }
        true
    }

    // pkg/controller/deployment_rolling.go

    fn roll(&mut self, new: Set) -> bool {
        let size = match new.size {
            size if size > self.replicas() => self.replicas(),
            size if size < self.replicas() => self.new_replicas(size),
            size => size,
        };
        if self.resize(true, size) {
            return true;
        }
        if self.old.size == 0 {
            return false;
        }
        let least = self.replicas() - self.max_unavailable();
        let missing = new.size - self.available(true);
        let most = self.old.size + new.size - least - missing;
        if most <= 0 {
            return false;
        }
        let unhealthy = most.min(self.old.size - self.available(false)).max(0);
        let available = self.available(false) + self.available(true);
        let removed = (available - least).clamp(0, self.old.size - unhealthy);
        self.resize(false, self.old.size - unhealthy - removed)
    }

    // pkg/controller/deployment_inplace.go

    fn update_in_place(&mut self, new: Set) -> bool {
        // A new machine without a node is an error of syncMachineSets.
        let is_joining = self.of(true, |it| it == Phase::Pending) > 0;
        if is_joining && !self.is_first {
            return false;
        }
        self.is_first = false;
        let machines = self.of(false, |_| true);
        if machines < self.old.size && self.resize(false, machines) {
            return true;
        }
        self.move_to_new_set(new) || self.select(new)
    }

    fn move_to_new_set(&mut self, new: Set) -> bool {
        let replicas = self.replicas();
        if new.size == replicas {
            return false;
        }
        if new.size > replicas || self.old.size == 0 {
            return self.resize(true, replicas);
        }
        if self.old.size + new.size < replicas {
            return self.resize(true, replicas - self.old.size);
        }
        let mut moved = 0;
        for machine in &mut self.machines {
            if !machine.is_new_set && machine.phase == Phase::Updated {
                (machine.is_new_set, machine.phase) = (true, Phase::Running);
                moved += 1;
            }
        }
        let _ = self.resize(false, self.old.size - moved);
        self.resize(true, new.size + moved)
    }

    fn select(&mut self, new: Set) -> bool {
        let replicas = self.replicas();
        if self.old.size == 0 {
            return false;
        }
        if new.size == replicas {
            return self.resize(false, 0);
        }
        let least = replicas - self.max_unavailable();
        let missing = (new.size - self.available(true)).max(0);
        let selected = |it| matches!(it, Phase::Draining | Phase::Updating | Phase::Updated);
        let under_way = self.of(false, selected);
        if under_way + new.size >= replicas
            || self.old.size + new.size - least - missing - under_way <= 0
        {
            return false;
        }
        let available = self.available(false) + self.available(true) - under_way;
        if available <= least {
            return false;
        }
        let most = (available - least).min((replicas - new.size).max(0)).min(self.old.size);
        let mut count = 0;
        for index in 0..self.machines.len() {
            let machine = &self.machines[index];
            if count < most && !machine.is_new_set && machine.phase == Phase::Running {
                let (low, high) = self.deployment.seconds.drain;
                self.machines[index].phase = Phase::Draining;
                self.machines[index].until = self.now + self.random.between(low, high);
                count += 1;
            }
        }
        self.outcome.selected += count as u32;
        count > 0
    }

    // pkg/controller/machineset.go

    fn set_pass(&mut self, is_new: bool) -> bool {
        let size = if is_new { self.new.map_or(0, |it| it.size) } else { self.old.size };
        let machines = self.of(is_new, |it| it != Phase::Terminating);
        // At most 100 (BurstReplicas) in a pass.
        let difference = (size - machines).clamp(-100, 100);
        let is_disabled =
            !is_new && self.deployment.strategy == Strategy::InPlace && self.new.is_some();
        if difference == 0 || difference > 0 && is_disabled {
            return false;
        }
        for _ in 0..difference {
            let (low, high) = self.deployment.seconds.create;
            let until = self.now + self.random.between(low, high);
            self.births += 1;
            self.machines.push(Machine {
                phase: Phase::Pending,
                is_new_set: is_new,
                is_original: false,
                age: self.births,
                until,
            });
            self.record(1, 0);
        }
        if difference < 0 {
            let order = |phase| match phase {
                Phase::Terminating | Phase::Updating | Phase::Updated => 0,
                Phase::Pending => 4,
                Phase::Running | Phase::Draining => 6,
            };
            let mut candidates: Vec<usize> = (0..self.machines.len())
                .filter(|it| {
                    let machine = &self.machines[*it];
                    machine.is_new_set == is_new && machine.phase != Phase::Terminating
                })
                .collect();
            candidates.sort_by_key(|it| (order(self.machines[*it].phase), self.machines[*it].age));
            for index in candidates.into_iter().take(difference.unsigned_abs() as usize) {
                let (low, high) = self.deployment.seconds.remove;
                self.machines[index].phase = Phase::Terminating;
                self.machines[index].until = self.now + self.random.between(low, high);
                self.record(0, 1);
            }
        }
        true
    }

    fn record(&mut self, created: u32, removed: u32) {
        self.outcome.created += created;
        self.outcome.deleted += removed;
        match self.outcome.log.last_mut().filter(|it| it.0 == self.now) {
            Some(entry) => *entry = (self.now, entry.1 + created, entry.2 + removed),
            None => self.outcome.log.push((self.now, created, removed)),
        }
    }
}
