// SPDX-License-Identifier: Apache-2.0
//! Properties of all expressions of policies, for any input.

use garden_gate_cel::{Activation, Environment, EvaluationError, Expression, Value};
use garden_gate_core::policies::KnownShape;
use garden_gate_model::api::described;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value as Json, json};

/// Any JSON value with the fields that expressions name.
fn object() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<f64>().prop_map(Json::from),
        "[a-z0-9./:-]{0,12}".prop_map(Json::from),
    ];
    leaf.prop_recursive(4, 48, 4, |inner| {
        let field = select(vec!["a", "b", "name", "x-y"]).prop_map(str::to_owned);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            prop::collection::btree_map(field, inner, 0..4).prop_map(|it| json!(it)),
        ]
    })
}

/// Mostly expressions that can be compiled.
#[expect(clippy::too_many_lines, reason = "each line is a form of expression")]
fn expression() -> impl Strategy<Value = String> {
    let leaf = select(vec![
        "object",
        "object.a",
        "object.a.b",
        "object.?b",
        "oldObject",
        "object.name",
        "x",
        "y",
        "1",
        "-7",
        "2.5",
        "3u",
        "'a'",
        "'10.0.0.0/8'",
        "'50Gi'",
        "'1h'",
        "''",
        "true",
        "false",
        "null",
        "[]",
        "[1, 2]",
        "['a']",
        "{}",
        "{'a': 1}",
        "duration('1h')",
        "optional.none()",
        "timestamp('2026-01-31T12:00:00Z')",
        "b'a'",
        "int",
        "9223372036854775807",
    ]);
    let binary =
        select(vec!["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "in", "&&", "||"]);
    let function = select(vec![
        "size",
        "int",
        "uint",
        "double",
        "string",
        "bool",
        "bytes",
        "duration",
        "timestamp",
        "dyn",
        "type",
        "ip",
        "cidr",
        "url",
        "quantity",
        "semver",
        "isIP",
        "optional.of",
        "lists.range",
        "strings.quote",
        "format.named",
    ]);
    let method = select(vec![
        "size",
        "contains",
        "startsWith",
        "matches",
        "find",
        "findAll",
        "split",
        "join",
        "replace",
        "substring",
        "indexOf",
        "lastIndexOf",
        "charAt",
        "trim",
        "lowerAscii",
        "format",
        "sum",
        "min",
        "max",
        "sort",
        "distinct",
        "flatten",
        "slice",
        "reverse",
        "isSorted",
        "first",
        "value",
        "hasValue",
        "orValue",
        "or",
        "getHours",
        "getDate",
        "family",
        "masked",
        "containsIP",
        "asInteger",
        "add",
        "isLessThan",
        "major",
        "getHost",
        "getQuery",
        "validate",
    ]);
    let fold = select(vec![
        "all",
        "exists",
        "exists_one",
        "map",
        "filter",
        "sortBy",
        "optMap",
        "optFlatMap",
    ]);
    let two = select(vec!["all", "exists", "transformList", "transformMap", "transformMapEntry"]);
    leaf.prop_map(str::to_owned).prop_recursive(6, 64, 4, move |inner| {
        let arguments = prop::collection::vec(inner.clone(), 0..4);
        prop_oneof![
            (inner.clone(), binary.clone(), inner.clone())
                .prop_map(|(a, operator, b)| format!("({a} {operator} {b})")),
            (function.clone(), inner.clone()).prop_map(|(name, a)| format!("{name}({a})")),
            (inner.clone(), method.clone(), arguments)
                .prop_map(|(a, name, all)| format!("({a}).{name}({})", all.join(", "))),
            (inner.clone(), fold.clone(), inner.clone())
                .prop_map(|(a, name, body)| format!("({a}).{name}(x, {body})")),
            (inner.clone(), two.clone(), inner.clone())
                .prop_map(|(a, name, body)| format!("({a}).{name}(x, y, {body})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a})[{b}]")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a})[?{b}]")),
            inner.clone().prop_map(|a| format!("({a}).a")),
            inner.clone().prop_map(|a| format!("has(({a}).a)")),
            inner.clone().prop_map(|a| format!("!{a}")),
            inner.clone().prop_map(|a| format!("[{a}, {a}]")),
            inner.clone().prop_map(|a| format!("{{'a': {a}}}")),
            (inner.clone(), inner.clone(), inner)
                .prop_map(|(a, b, c)| format!("({a} ? {b} : {c})")),
        ]
    })
}

/// Returns a result in a form that can be compared.
fn outcome(result: &Result<Value, EvaluationError>) -> String {
    match result {
        Ok(value) => format!("{} {value}", value.type_name()),
        Err(error) => error.to_string(),
    }
}

proptest! {
    #[test]
    fn expressions_never_panic_and_repeat_their_result(text in expression(), object in object()) {
        let environment = Environment::admission();
        if let Ok(expression) = Expression::compile(&text, &environment) {
            let object = Value::from_json(&object);
            let activation = || Activation::new().bind("object", object.clone());
            let (first, second) = (activation(), activation());
            let result = expression.evaluate(&first);
            prop_assert_eq!(outcome(&result), outcome(&expression.evaluate(&second)));
            prop_assert_eq!(first.spent(), second.spent());
            let shoot = KnownShape::of(described("Shoot").unwrap().object);
            let _ = (expression.cost_bound(), expression.paths(), expression.field_problems(shoot));
        }
    }

    #[test]
    fn arbitrary_text_never_panics(text in ".{0,80}") {
        let _ = Expression::compile(&text, &Environment::admission());
    }

    #[test]
    fn expression_like_text_never_panics(text in "[a-c0-9.?:()\\[\\]{}'\"\\\\ ,+*/%!&|<>=-]{0,60}") {
        if let Ok(expression) = Expression::compile(&text, &Environment::admission()) {
            let _ = expression.evaluate(&Activation::new());
        }
    }
}
