use json_patch::jsonptr::PointerBuf;
use json_patch::{AddOperation, Patch, PatchOperation, RemoveOperation, ReplaceOperation};
use serde_json::{Map, Value};

use crate::compat::escape_step;

/// What makes of an object what is stored in its place: what `json_patch::diff` finds, which copies what here is moved.
#[must_use]
pub fn patch_to(stored: Value, sent: &Value) -> Patch {
    let mut making = Making::default();
    making.value(sent, stored);
    Patch(making.operations)
}

/// What there is to do, and where: the pointer is that of the value that is looked at.
#[derive(Default)]
struct Making {
    operations: Vec<PatchOperation>,
    pointer: String,
}

impl Making {
    fn value(&mut self, before: &Value, after: Value) {
        match (before, after) {
            (Value::Object(before), Value::Object(after)) => self.fields(before, after),
            (Value::Array(before), Value::Array(after)) => self.elements(before, after),
            (before, after) if *before == after => {}
            (_, value) => {
                let path = self.path();
                let replace = ReplaceOperation { path, value };
                self.operations.push(PatchOperation::Replace(replace));
            }
        }
    }

    /// Both are in the order of their names. What goes comes last.
    fn fields(&mut self, before: &Map<String, Value>, after: Map<String, Value>) {
        let mut before = before.iter().peekable();
        let mut gone = Vec::new();
        for (name, after) in after {
            while let Some((name, _)) = before.next_if(|(other, _)| **other < name) {
                gone.push(name);
            }
            let same = before.next_if(|(other, _)| **other == name);
            self.at(&name, |making| match same {
                Some((_, before)) => making.value(before, after),
                None => making.add(after),
            });
        }
        gone.extend(before.map(|(name, _)| name));
        for name in gone {
            self.at(name, Self::remove);
        }
    }

    fn elements(&mut self, before: &[Value], after: Vec<Value>) {
        let length = after.len();
        for (index, after) in after.into_iter().enumerate() {
            self.at(&index.to_string(), |making| match before.get(index) {
                Some(before) => making.value(before, after),
                None => making.add(after),
            });
        }
        // What goes makes room for what is behind it.
        for _ in length..before.len() {
            self.at(&length.to_string(), Self::remove);
        }
    }

    /// Does something one level further down.
    fn at(&mut self, name: &str, run: impl FnOnce(&mut Self)) {
        let length = self.pointer.len();
        self.pointer.push('/');
        self.pointer.push_str(&escape_step(name));
        run(self);
        self.pointer.truncate(length);
    }

    fn add(&mut self, value: Value) {
        let path = self.path();
        let add = AddOperation { path, value };
        self.operations.push(PatchOperation::Add(add));
    }

    fn remove(&mut self) {
        let path = self.path();
        let remove = RemoveOperation { path };
        self.operations.push(PatchOperation::Remove(remove));
    }

    /// What is pushed is escaped, so that it is always a pointer.
    fn path(&self) -> PointerBuf {
        PointerBuf::parse(self.pointer.as_str()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::patch_to;

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (0..3_u8).prop_map(Value::from),
            "[ab]{0,1}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[ab/~\"]{0,2}", inner, 0..5)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]
        #[test]
        fn it_is_what_the_library_finds(before in value(), after in value()) {
            let expected = json_patch::diff(&before, &after);
            prop_assert_eq!(patch_to(after, &before), expected);
        }
    }
}
