// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use futures_util::{StreamExt as _, stream};
use kube::Client;

use super::ask::{api, failed, is_absent, is_name};
use garden_gate_core::garden::ObjectKey;

/// Maximum number of concurrent requests.
const AT_A_TIME: usize = 8;

/// Returns whether each object exists, by its metadata, or the reason why that is unknown.
pub(super) async fn ask_for_names(
    client: &Client,
    keys: &BTreeSet<ObjectKey>,
) -> Vec<(ObjectKey, Result<bool, String>)> {
    let asked = stream::iter(keys).map(|key| async move {
        let answer = is_there(client.clone(), key).await;
        (key.clone(), answer)
    });
    asked.buffered(AT_A_TIME).collect().await
}

async fn is_there(client: Client, key: &ObjectKey) -> Result<bool, String> {
    let ObjectKey { kind, namespace, name } = key;
    // Names come from users' objects. Invalid names cannot exist, and names must not alter the URL path.
    if !is_name(name) || !is_name(namespace) {
        return Ok(false);
    }
    match api(client, *kind, namespace).get_metadata(name).await {
        Ok(_) => Ok(true),
        Err(error) if is_absent(&error, name) => Ok(false),
        Err(error) => Err(failed(*kind, "get", &error)),
    }
}
