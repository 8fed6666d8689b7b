// SPDX-License-Identifier: Apache-2.0
//! Provider-specific fields do not affect the verdict on other fields.

use std::sync::LazyLock;

use garden_gate_core::admission::{EntryPoint, Request, Review};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

use crate::fuzz::worlds::PLACES;

/// Every recorded UPDATE of a Shoot, with its garden.
static UPDATES: LazyLock<Vec<(usize, &'static Value)>> = LazyLock::new(|| {
    let is_update = |review: &&Value| {
        let request = &review["request"];
        request["operation"] == "UPDATE" && request["resource"]["resource"] == "shoots"
    };
    let all = PLACES.iter().enumerate();
    all.flat_map(|(place, it)| it.reviews.iter().filter(is_update).map(move |it| (place, it)))
        .collect()
});

/// The provider-specific fields of a Shoot.
const PLACES_OF_EXTENSIONS: [(&str, &str); 4] = [
    ("/spec/provider", "infrastructureConfig"),
    ("/spec/provider", "controlPlaneConfig"),
    ("/spec/networking", "providerConfig"),
    ("/spec/provider/workers/0", "providerConfig"),
];

/// JSON that parsers reject, skip or round.
fn odd() -> impl Strategy<Value = String> {
    let nested = select(vec![100, 126, 127, 128, 200, 2_000, 100_000]);
    prop_oneof![
        select(vec![
            "\"\\ud800\"",
            "\"\\udfff\\ud800\"",
            "{\"\\ud800\":1}",
            "1e999",
            "-1e999",
            "1e-999",
            "0.1e1",
            "18446744073709551616"
        ])
        .prop_map(str::to_owned),
        nested.prop_map(|levels| format!("{}{}", "[".repeat(levels), "]".repeat(levels))),
        any::<i64>().prop_map(|number| number.to_string()),
        "[a-z]{0,8}".prop_map(|text| format!("\"{text}\"")),
    ]
}

/// Returns an object with an unusual value.
fn extension() -> impl Strategy<Value = String> {
    let fields = |inner: BoxedStrategy<String>| {
        let fields = prop::collection::btree_map("[a-z]{1,4}", inner, 1..4);
        fields.prop_map(|fields| {
            let fields: Vec<String> =
                fields.iter().map(|(key, it)| format!("\"{key}\":{it}")).collect();
            format!("{{{}}}", fields.join(","))
        })
    };
    let inner = odd().boxed().prop_recursive(3, 8, 3, move |inner| fields(inner.boxed()));
    fields(inner.boxed())
}

/// Judges an update at both endpoints, with this text in a field of both objects, if they have the field.
fn judged(place: usize, review: &Value, at: (&str, &str), text: &str) -> Vec<Review> {
    let mut review = review.clone();
    for side in ["object", "oldObject"] {
        if let Some(Value::Object(parent)) = review["request"][side].pointer_mut(at.0) {
            parent.insert(at.1.to_owned(), json!("@here@"));
        }
    }
    let body = review.to_string().replace("\"@here@\"", text);
    let request = Request::from_review(body.as_bytes()).unwrap();
    let entry_points = [EntryPoint::Mutate, EntryPoint::Validate];
    entry_points.map(|entry_point| PLACES[place].judge(entry_point, &request)).into()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) })]

    #[test]
    fn verdicts_do_not_depend_on_them(which in any::<Index>(), at in select(&PLACES_OF_EXTENSIONS[..]), text in extension()) {
        let (place, review) = *which.get(&UPDATES);
        let plain = judged(place, review, at, "{}");
        let odd = judged(place, review, at, &text);
        for (plain, odd) in plain.iter().zip(&odd) {
            prop_assert_eq!(plain.verdict(), odd.verdict());
            prop_assert_eq!(&plain.findings, &odd.findings);
            prop_assert_eq!(&plain.patch, &odd.patch);
        }
    }
}
