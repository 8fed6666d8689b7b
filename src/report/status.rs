use std::io::{self, Write};

use serde::Serialize;

use super::admission::{Object, Status, refusal};
use super::{Outcome, Report, Reviewed};
use crate::config::Level;
use crate::engine::{Kind, Review, Undetermined, Verdict};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct List {
    api_version: &'static str,
    kind: &'static str,
    items: Vec<Item>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Item {
    api_version: &'static str,
    kind: &'static str,
    #[serde(flatten)]
    status: Status,
}

/// Writes verdicts as an API server answers: a `List` with one Kubernetes `Status` for each object.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_status(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let item = |object| Item {
        api_version: "v1",
        kind: "Status",
        status: status(object),
    };
    let list = List {
        api_version: "v1",
        kind: "List",
        items: report.reviewed.iter().map(item).collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &list)?;
    writeln!(out)
}

fn status(object: &Reviewed) -> Status {
    let known = |kind: &&Kind| kind.as_str() == object.kind;
    let about = Object {
        name: &object.name,
        group: Kind::ALL.iter().find(known).map_or("", |kind| kind.api().0),
        kind: &object.kind,
    };
    match &object.outcome {
        Outcome::Judged(review, _) if review.verdict() == Verdict::Allowed => {
            Status::success(&about)
        }
        Outcome::Judged(review, _) => refusal(&about, review),
        Outcome::Unreadable(why, _) => {
            let message = why.clone();
            let unreadable = Undetermined {
                rule: super::remark::UNREADABLE,
                field: String::new(),
                message,
                level: Level::Deny,
                would_deny: false,
            };
            let review = Review {
                undetermined: vec![unreadable],
                ..Review::default()
            };
            refusal(&about, &review)
        }
    }
}
