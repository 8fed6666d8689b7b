// SPDX-License-Identifier: Apache-2.0
//! Lists and maps of any nesting are dropped without recursion, which could exhaust the stack.

use std::mem;
use std::sync::Arc;

use super::{List, Map, Value};

impl Drop for List {
    fn drop(&mut self) {
        let items = mem::take(&mut self.items);
        dismantle(items.into_iter().filter(is_nested).collect());
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        let entries = mem::take(&mut self.entries);
        let values = entries.into_iter().map(|(_, value)| value);
        dismantle(values.filter(is_nested).collect());
    }
}

fn is_nested(value: &Value) -> bool {
    matches!(value, Value::List(_) | Value::Map(_) | Value::Optional(Some(_)))
}

/// Drops values, and all values in them that nothing else refers to.
fn dismantle(mut open: Vec<Value>) {
    while let Some(value) = open.pop() {
        match value {
            Value::List(list) => {
                if let Some(mut list) = Arc::into_inner(list) {
                    open.extend(mem::take(&mut list.items).into_iter().filter(is_nested));
                }
            }
            Value::Map(map) => {
                if let Some(mut map) = Arc::into_inner(map) {
                    let entries = mem::take(&mut map.entries).into_iter();
                    open.extend(entries.map(|(_, value)| value).filter(is_nested));
                }
            }
            Value::Optional(Some(inner)) => open.extend(Arc::into_inner(inner)),
            _ => {}
        }
    }
}
