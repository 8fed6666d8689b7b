// SPDX-License-Identifier: Apache-2.0
use kube::Client;
use kube::api::ListParams;

use super::ask::failed;
use super::asker::{Asker, Key};
use super::cache::{AnswerCache, Uncached};
use super::pages::{Pages, Part};
use super::share::Share;
use garden_gate_core::garden::GardenObject;
use garden_gate_model::api::{Kind, Retrieval};

type Listed = Result<Vec<GardenObject>, String>;

/// Lists of labelled objects.
/// They are shared by concurrent callers, but never cached.
#[derive(Debug)]
pub(super) struct LabelLookups(AnswerCache<Uncached<Listed>>);

impl LabelLookups {
    pub(super) fn new(share: &Share) -> Self {
        Self(AnswerCache::new(share.clone(), 0))
    }
}

impl LabelLookups {
    /// Lists the objects of a kind that have its label.
    ///
    /// They are not watched, as few requests need them.
    /// Lists only the metadata if no rule reads other fields.
    ///
    /// # Errors
    /// Fails with the reason if the request fails or an object is invalid.
    pub(super) async fn get(
        &self,
        client: Client,
        asker: &Asker,
        kind: Kind,
    ) -> Result<Vec<GardenObject>, String> {
        let Retrieval::Labelled { label, whole } = kind.known() else {
            return Err(format!("no {kind} is known by a label"));
        };
        let pages = labelled(client, kind, (kind.home(), label, whole));
        let ask = async move { Uncached(list(pages, kind).await) };
        let key = Key::of(&[kind.as_str().as_bytes()]);
        self.0.get(key, asker, ask).await?.0
    }
}

/// Opens a list of the objects in `namespace` with a label.
///
/// `whole` selects whole objects instead of metadata only.
pub(super) fn labelled(
    client: Client,
    kind: Kind,
    (namespace, label, whole): (&str, (&str, &str), bool),
) -> Pages {
    let params = ListParams::default().labels(&format!("{}={}", label.0, label.1));
    let part = if whole { Part::Whole } else { Part::Metadata };
    Pages::new(client, kind, namespace, part, params)
}

/// Opens a list of the parts of objects that rules read.
pub(super) fn read_parts(client: Client, kind: Kind, namespace: &str) -> Pages {
    let part = match kind.known() {
        Retrieval::Labelled { label, whole } => {
            return labelled(client, kind, (namespace, label, whole));
        }
        Retrieval::Collected => Part::Metadata,
        _ => Part::Whole,
    };
    Pages::new(client, kind, namespace, part, ListParams::default())
}

async fn list(mut pages: Pages, kind: Kind) -> Listed {
    let mut objects = Vec::new();
    while let Some(page) = pages.next().await.transpose() {
        for object in page.map_err(|error| failed(kind, "list", &error))? {
            objects.push(object.read(kind)?);
        }
    }
    Ok(objects)
}
