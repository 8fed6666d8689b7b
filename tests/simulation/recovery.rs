// SPDX-License-Identifier: Apache-2.0
//! The state of replicas after the last fault.

use std::time::Duration;

use super::api_server::ApiServer;
use super::faults::Faults;
use super::replica::Replica;
use garden_gate_model::api::Kind;

/// The time in which every replica is ready and current after the last fault.
pub(super) const RECOVERY: Duration = Duration::from_mins(2);

/// Ends all faults.
pub(super) fn end_faults(server: &ApiServer, replicas: &[Replica]) {
    {
        let mut inner = server.lock();
        let breaks = inner.faults.breaks;
        inner.faults = Faults { breaks, ..Faults::none() };
        inner.trace.add("all faults end");
    }
    for replica in replicas {
        replica.set_offset(0);
    }
    server.changed();
}

/// Checks that every replica is ready and has the last revision of each kind.
pub(super) fn check(server: &ApiServer, replicas: &[Replica]) -> Result<(), String> {
    let inner = server.lock();
    for replica in replicas {
        let number = replica.number;
        if let Some(why) = replica.state.complaint() {
            return Err(format!("r{number} is not ready {RECOVERY:?} after the faults: {why}"));
        }
        let record = inner.recorded(number);
        for kind in Kind::watched() {
            let (known, last) = (record.last(kind), inner.store.last_write(kind));
            if last.is_some_and(|last| known < last) {
                return Err(format!("r{number} has {kind} at {known} instead of {last:?}"));
            }
        }
    }
    Ok(())
}

/// Checks that no memory is reserved while no request is processed.
pub(super) fn check_idle(replicas: &[Replica]) -> Result<(), String> {
    for replica in replicas {
        let held = replica.state.budget.held();
        if held > 0 {
            return Err(format!("r{} holds {held} bytes while idle", replica.number));
        }
    }
    Ok(())
}
