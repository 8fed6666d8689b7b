// SPDX-License-Identifier: Apache-2.0
use std::io::{self, Write};

use serde::Serialize;

use super::admission::{Object, Status, refusal};
use super::annotation::UNREADABLE;
use super::pretty::{self, Pretty};
use super::{Outcome, Reviewed, Summary, Writer};
use garden_gate_core::admission::{Kind, Review, Verdict};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Item {
    api_version: &'static str,
    kind: &'static str,
    #[serde(flatten)]
    status: Status,
}

/// Writes verdicts as a `List` with one Kubernetes `Status` for each object.
#[derive(Debug)]
pub struct StatusWriter(Pretty);

impl Default for StatusWriter {
    fn default() -> Self {
        Self(Pretty::new())
    }
}

impl Writer for StatusWriter {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.0.begin(out)?;
        self.0.field(out, "apiVersion", &"v1")?;
        self.0.field(out, "kind", &"List")?;
        self.0.begin_list(out, "items")
    }

    fn object(&mut self, out: &mut dyn Write, object: &Reviewed) -> io::Result<()> {
        let item = Item { api_version: "v1", kind: "Status", status: status(object) };
        self.0.item(out, &pretty::Item::of(&item)?)
    }

    fn end(&mut self, out: &mut dyn Write, _summary: &Summary) -> io::Result<()> {
        self.0.end_list(out)?;
        self.0.end(out)
    }
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
            refusal(&about, &Review::undetermined(UNREADABLE, why.as_str()))
        }
    }
}
