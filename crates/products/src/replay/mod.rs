// SPDX-License-Identifier: Apache-2.0
//! Recorded requests, judged again: which of them another configuration, version or policy decides otherwise.

mod record;
mod run;

pub use record::{LARGEST_RECORD, RecordedRequest, RecordedVerdict, is_recorded, record};
pub use run::{Change, ChangeGroup, Compared, ReplayBase, ReplayJudge, Replayed, Replayer};
