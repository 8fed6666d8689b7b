// SPDX-License-Identifier: Apache-2.0
//! The example landscape inside the program.

use std::io::Read as _;

use anyhow::Context as _;
use flate2::read::GzDecoder;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::value::RawValue;

use garden_gate_core::config::{self, Config};
use garden_gate_core::garden::{Knowledge, ObjectKey, Snapshot, read_with_configuration};
use garden_gate_core::rules::known_ids;
use garden_gate_model::api::{Kind, group_and_version};

/// The objects of `examples/landscape/garden` as a JSON list, which a test compares with the files.
const OBJECTS: &[u8] = include_bytes!("../../../examples/landscape/garden.json.gz");
const CONFIG: &str = include_str!("../../../examples/landscape/gate.yaml");
/// The time of the example, 2026-11-30T08:00:00Z.
const AT: Timestamp = Timestamp::constant(1_796_025_600, 0);

/// The example landscape.
pub(super) struct Landscape {
    pub(super) garden: Snapshot,
    pub(super) config: Config,
    /// The time at which everything is judged.
    pub(super) at: Timestamp,
    /// All objects as they are stored.
    pub(super) objects: Vec<(ObjectKey, Box<RawValue>)>,
}

/// The identity of a stored object.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Header {
    api_version: String,
    kind: String,
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Metadata {
    #[serde(default)]
    namespace: String,
    name: String,
}

impl Landscape {
    /// Reads the landscape.
    ///
    /// # Errors
    /// Fails if it is damaged, which a test excludes.
    pub(super) fn read() -> anyhow::Result<Self> {
        let mut text = String::new();
        GzDecoder::new(OBJECTS).read_to_string(&mut text)?;
        let stored: Vec<Box<RawValue>> = serde_json::from_str(&text)?;
        let mut garden = Snapshot::new(Knowledge::Everything);
        let mut objects = Vec::new();
        for object in stored {
            let header: Header = serde_json::from_str(object.get())?;
            let (group, _) = group_and_version(&header.api_version);
            let kind = Kind::of_manifest(group, &header.kind)
                .with_context(|| format!("unknown kind `{}`", header.kind))?;
            if let Some(read) = read_with_configuration(kind, object.get())? {
                garden.apply(read);
            }
            let Metadata { namespace, name } = header.metadata;
            objects.push((ObjectKey { kind, namespace, name }, object));
        }
        objects.sort_by(|(a, _), (b, _)| a.cmp(b));
        let mut config = config::read("gate.yaml", CONFIG, &known_ids())?.config;
        let published = garden.published_version().ok().flatten();
        config.set_garden_version(published.map(|it| it.version));
        Ok(Self { garden, config, at: AT, objects })
    }

    /// Returns all objects of a kind.
    pub(super) fn of_kind(&self, kind: Kind) -> impl Iterator<Item = (&ObjectKey, &RawValue)> {
        let objects = self.objects.iter().filter(move |(key, _)| key.kind == kind);
        objects.map(|(key, object)| (key, &**object))
    }
}
