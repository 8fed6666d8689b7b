// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;
use std::io;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::pool_use::{PoolSize, PoolUse};
use crate::api::kinds::{deflate, inflate};

/// The worker pools of a stored Shoot: a list, or the compressed JSON of a long one.
#[derive(Clone, Debug, PartialEq)]
pub struct Pools(Form);

#[derive(Clone, Debug, PartialEq)]
enum Form {
    List(Box<[PoolUse]>),
    Compressed(Arc<[u8]>),
}

/// A worker pool in compressed JSON.
#[derive(Deserialize, Serialize)]
struct Row<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    kubernetes: Option<Cow<'a, str>>,
    #[serde(borrow)]
    image: Option<(Cow<'a, str>, Cow<'a, str>)>,
    minimum: i32,
    maximum: i32,
    #[serde(borrow)]
    machine_type: Cow<'a, str>,
    #[serde(borrow)]
    volume: Option<(Option<Cow<'a, str>>, Cow<'a, str>)>,
}

impl Pools {
    /// Returns the pools in their order.
    pub fn list(&self) -> Cow<'_, [PoolUse]> {
        match &self.0 {
            Form::List(list) => Cow::Borrowed(list),
            // Decompression was checked after compression.
            Form::Compressed(bytes) => Cow::Owned(decompress(bytes).unwrap_or_default()),
        }
    }

    /// Compresses the list, which reduces the memory to a small part, but takes milliseconds to decompress.
    pub fn compress(&mut self) {
        let Form::List(list) = &self.0 else {
            return;
        };
        let compressed = compress(list).ok();
        let readable = |bytes: &Vec<u8>| decompress(bytes).is_ok_and(|read| read[..] == list[..]);
        if let Some(bytes) = compressed.filter(readable) {
            self.0 = Form::Compressed(bytes.into());
        }
    }

    /// Replaces each pool by an equal one; a compressed list is not changed.
    pub fn map(self, change: impl FnMut(PoolUse) -> PoolUse) -> Self {
        match self.0 {
            Form::List(list) => list.into_iter().map(change).collect(),
            compressed @ Form::Compressed(_) => Self(compressed),
        }
    }
}

impl FromIterator<PoolUse> for Pools {
    fn from_iter<I: IntoIterator<Item = PoolUse>>(pools: I) -> Self {
        Self(Form::List(pools.into_iter().collect()))
    }
}

fn compress(list: &[PoolUse]) -> io::Result<Vec<u8>> {
    let rows: Vec<Row<'_>> = list.iter().map(Row::from).collect();
    deflate(&serde_json::to_string(&rows)?)
}

fn decompress(bytes: &[u8]) -> io::Result<Vec<PoolUse>> {
    let json = inflate(bytes, 0)?;
    let rows: Vec<Row<'_>> = serde_json::from_str(&json)?;
    Ok(rows.into_iter().map(PoolUse::from).collect())
}

impl<'a> From<&'a PoolUse> for Row<'a> {
    fn from(pool: &'a PoolUse) -> Self {
        let text = |text: &'a str| Cow::Borrowed(text);
        let image = pool.image.as_ref();
        let volume = pool.size.volume.as_ref();
        Self {
            name: text(&pool.name),
            kubernetes: pool.kubernetes.as_deref().map(text),
            image: image.map(|(name, version)| (text(name), text(version))),
            minimum: pool.minimum,
            maximum: pool.maximum,
            machine_type: text(&pool.size.machine_type),
            volume: volume.map(|(kind, size)| (kind.as_deref().map(text), text(size))),
        }
    }
}

impl From<Row<'_>> for PoolUse {
    fn from(row: Row<'_>) -> Self {
        let volume = row.volume;
        Self {
            name: row.name.into(),
            kubernetes: row.kubernetes.map(Into::into),
            image: row.image.map(|(name, version)| (name.into(), version.into())),
            minimum: row.minimum,
            maximum: row.maximum,
            size: Arc::new(PoolSize {
                machine_type: row.machine_type.into(),
                volume: volume.map(|(kind, size)| (kind.map(Into::into), size.into())),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::api::{PoolUse, ShootUse};

    #[test]
    fn compressed_pools_are_the_same() {
        let worker = |number: u32| {
            json!({
                "name": format!("w{number}\n\"é\""),
                "minimum": number,
                "maximum": i32::MAX,
                "kubernetes": {"version": "1.31.1"},
                "machine": {"type": "large", "image": {"name": "i", "version": "1.0"}},
                "volume": {"type": "fast", "size": "20Gi"},
            })
        };
        let mut workers: Vec<_> = (0..3).map(worker).collect();
        workers.push(json!({"name": "least"}));
        workers.push(json!({"name": "no type", "volume": {"size": "1Gi"}}));
        let shoot = json!({"spec": {"provider": {"workers": workers}}});
        let mut shoot: ShootUse = serde_json::from_value(shoot).unwrap();
        let before = shoot.clone();
        shoot.pools.compress();
        assert_ne!(shoot, before);
        assert_eq!(shoot.pools.list(), before.pools.list());
        let minimum = |shoot: &ShootUse| PoolUse::total_minimum(&shoot.pools.list());
        assert_eq!(minimum(&shoot), minimum(&before));
        let again = shoot.clone();
        shoot.pools.compress();
        assert_eq!(shoot, again);
    }
}
