// SPDX-License-Identifier: Apache-2.0
//! Expressions of policies: limits, variables, unknown values, and the fields that they name.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use garden_gate_cel::{
    Activation, CompileError, Deadline, Environment, EvaluationError, ExceededLimit, Expression,
    LookupVariable, Lookups, ResultType, Value,
};
use garden_gate_core::policies::KnownShape;
use garden_gate_model::api::{GardenerVersion, described};
use rstest::rstest;
use serde_json::json;

fn shoot() -> KnownShape {
    KnownShape::in_version(described("Shoot").unwrap().object, GardenerVersion::NEWEST)
}

fn compile(text: &str) -> Expression {
    Expression::compile(text, &Environment::admission()).unwrap()
}

fn evaluate(text: &str, object: &serde_json::Value) -> Result<Value, EvaluationError> {
    let activation = Activation::new().bind("object", Value::from_json(object));
    compile(text).evaluate(&activation)
}

/// Returns variables that each repeat an expression with the one before.
fn chain(count: usize, first: &str, next: &str) -> Vec<(String, Result<Expression, CompileError>)> {
    let mut environment = Environment::admission();
    let mut variables = Vec::new();
    for index in 0..count {
        let text = match index {
            0 => first.to_owned(),
            _ => next.replace('$', &format!("variables.v{}", index - 1)),
        };
        let expression = Expression::compile(&text, &environment);
        let name = format!("v{index}");
        environment.add_variable(&name, &expression);
        variables.push((name, expression));
    }
    variables
}

#[rstest]
#[case::pairs("object.l.all(x, object.l.all(y, x + y >= 0))")]
#[case::without_costs("object.l.filter(x, object.l.filter(y, false).size() > 0).size() == 0")]
#[case::lists("object.l.map(x, object.l.map(y, [x, y])).size() == 1")]
#[case::range("lists.range(9223372036854775807).size() > 0")]
#[case::strings("object.l.map(x, object.l.map(y, 'x')).flatten().join('').size() > 0")]
#[case::replaced("object.t.replace('', object.t).size() > 0")]
#[case::searches("object.t.findAll('[a-z]+:|[a-z]').size() > 0")]
#[case::short_strings("object.s.all(x, object.s.lastIndexOf(x) >= 0)")]
#[case::errors("object.l.all(x, {}[object.t + 'y'] == 1 || true)")]
#[case::regular_expressions("object.l.all(x, 'a'.matches('[a-z]{1000}' + string(x)) || true)")]
#[case::set("sets.contains(object.l, object.l)")]
#[case::distinct("object.l.distinct().size() > 0")]
#[case::shared(
    "[object.l, object.l].map(x, [x, x]).map(x, [x, x]).map(x, [x, x]).flatten(9).distinct().size() > 0"
)]
fn expensive_expression_stopped_at_the_cost_limit(#[case] text: &str) {
    let numbers: Vec<usize> = (0..10_000).collect();
    let short: Vec<String> = numbers.iter().map(|it| format!("{it:x}")).collect();
    let object = json!({"l": numbers, "t": "x".repeat(20_000), "s": short});
    let error = evaluate(text, &object).unwrap_err();
    let is_limit = matches!(
        error,
        EvaluationError::CostLimit | EvaluationError::OutOfBudget | EvaluationError::Exceeded(_)
    );
    assert!(is_limit, "{error}");
}

#[rstest]
#[case::lists("[0]", "$ + $")]
#[case::strings("'x'", "$ + $")]
#[case::shared_lists("[0]", "[$, $]")]
#[case::nested_maps("{'a': 0}", "{'a': $, 'b': $}")]
fn doubled_variables_end(#[case] first: &str, #[case] next: &str) {
    let variables = chain(60, first, next);
    let mut environment = Environment::admission();
    for (name, expression) in &variables {
        environment.add_variable(name, expression);
    }
    let activation = Activation::new().with_variables(&variables);
    let last = variables.iter().rposition(|(_, it)| it.is_ok()).unwrap();
    let text = format!("dyn(variables.v{last}) == dyn(variables.v{last})");
    let expression = Expression::compile(&text, &environment);
    let result = expression.map(|it| it.evaluate(&activation));
    assert!(!matches!(result, Ok(Ok(Value::Bool(false)))), "{result:?}");
}

#[test]
fn many_independent_variables_evaluated_when_used() {
    let mut environment = Environment::admission();
    let mut variables = Vec::new();
    for index in 0..10_000 {
        let expression = Expression::compile("1 / int(object.n)", &environment);
        let name = format!("v{index}");
        environment.add_variable(&name, &expression);
        variables.push((name, expression));
    }
    let activation = Activation::new()
        .bind("object", Value::from_json(&json!({"n": "1"})))
        .with_variables(&variables);
    let used = Expression::compile("variables.v9999 == 1", &environment).unwrap();
    assert!(used.evaluate(&activation).unwrap().is_true());
    assert_eq!(used.variables(), ["v9999"]);
    assert!(activation.spent() < 20);
}

#[test]
fn long_chain_of_variables_refused() {
    let variables = chain(1_000, "1", "$ + 1");
    let refused = variables.iter().filter(|(_, it)| matches!(it, Err(CompileError::TooComplex)));
    assert!(refused.count() > 0);
}

#[rstest]
#[case::text(&format!("'{}' == ''", "x".repeat(20_000)))]
#[case::brackets(&format!("{}1{}", "[".repeat(40), "]".repeat(40)))]
#[case::operators(&format!("1{}", " + 1".repeat(3_000)))]
#[case::fields(&format!("object{}", ".a".repeat(500)))]
#[case::types(&format!("[1]{}", ".map(x, {x: x})".repeat(80)))]
fn complex_expression_refused(#[case] text: &str) {
    let error = Expression::compile(text, &Environment::admission()).unwrap_err();
    assert_eq!(error, CompileError::TooComplex, "{text}");
}

#[rstest]
#[case::iterations("object.l.all(it, it + 1 > it)")]
#[case::variable("variables.v0")]
#[case::absorbing("object.l.all(it, it + 1 > it) || true")]
#[case::error("object.l.all(x, object.nope == 1 || true)")]
fn deadline_ends_an_evaluation(#[case] text: &str) {
    let variables = chain(1, "object.l.all(it, it + 1 > it)", "");
    let mut environment = Environment::admission();
    for (name, expression) in &variables {
        environment.add_variable(name, expression);
    }
    let numbers: Vec<usize> = (0..50_000).collect();
    let expression = Expression::compile(text, &environment).unwrap();
    let efforts = [1, 3].map(|after| {
        let asked = Arc::new(AtomicUsize::new(0));
        let own = Arc::clone(&asked);
        let deadline = Deadline::new(move || own.fetch_add(1, Ordering::Relaxed) >= after);
        let activation = Activation::new()
            .bind("object", Value::from_json(&json!({"l": numbers})))
            .with_variables(&variables)
            .with_limits(u64::MAX, deadline);
        let error = EvaluationError::Exceeded(ExceededLimit::Time);
        for _ in 0..2 {
            let result = expression.evaluate(&activation);
            assert_eq!(result.map(|it| it.is_true()), Err(error.clone()));
        }
        assert_eq!(asked.load(Ordering::Relaxed), after + 1);
        activation.effort()
    });
    // The function is called after every few thousand units.
    let [first, second] = efforts;
    assert!(first > 4_000 && first < 10_000, "{first}");
    assert!(second - first < 10_000, "{first} {second}");
}

#[test]
fn budget_ends_all_evaluations() {
    let expression = compile("[1, 2, 3].all(x, x > 0)");
    let activation = Activation::new().with_budget(20);
    assert!(expression.evaluate(&activation).is_ok());
    let exceeded = Err(EvaluationError::OutOfBudget);
    assert_eq!(expression.evaluate(&activation).map(|it| it.is_true()), exceeded);
    assert_eq!(expression.evaluate(&activation).map(|it| it.is_true()), exceeded);
}

#[rstest]
#[case::needed("namespaceObject.metadata.name == 'a'", None)]
#[case::absorbed("namespaceObject.metadata.name == 'a' || true", Some(true))]
#[case::not_absorbed("namespaceObject.metadata.name == 'a' || false", None)]
#[case::before_errors("object.nope == 1 || namespaceObject.metadata.name == 'a'", None)]
#[case::decided("[1, 2].exists(x, x == 2 || has(namespaceObject.metadata))", Some(true))]
#[case::unused("true ? true : has(namespaceObject.metadata)", Some(true))]
fn unknown_value_is_undetermined(#[case] text: &str, #[case] expected: Option<bool>) {
    let activation = Activation::new()
        .bind("object", Value::from_json(&json!({})))
        .bind_unknown("namespaceObject", "the namespace is unknown");
    let result = compile(text).evaluate(&activation);
    match expected {
        Some(expected) => assert_eq!(result.unwrap().as_bool(), Some(expected)),
        None => assert_eq!(
            result.unwrap_err(),
            EvaluationError::Undetermined("the namespace is unknown".to_owned())
        ),
    }
}

#[test]
fn failing_variable_fails_when_used() {
    let variables = chain(2, "1 / 0", "$ + 1");
    let mut environment = Environment::admission();
    for (name, expression) in &variables {
        environment.add_variable(name, expression);
    }
    let activation = Activation::new().with_variables(&variables);
    let expression = Expression::compile("variables.v1 == 1", &environment).unwrap();
    let error = expression.evaluate(&activation).unwrap_err().to_string();
    assert!(error.contains("\"v0\" fails to evaluate: division by zero"), "{error}");
    let unused = Expression::compile("has(variables.v1)", &environment).unwrap();
    assert!(unused.evaluate(&activation).unwrap().is_true());
}

#[rstest]
#[case::authorizer("authorizer.group('').resource('pods').check('get').allowed()", "authorizer")]
#[case::message(
    "google.protobuf.Duration{seconds: 1} == duration('1s')",
    "google.protobuf.Duration{…}"
)]
#[case::regular_expression(
    "object.a.matches('[[:word:]-z]')",
    "the regular expression `[[:word:]-z]`"
)]
#[case::newer_function("[1].includes(1)", "includes")]
fn unsupported_name_reported(#[case] text: &str, #[case] expected: &str) {
    let error = Expression::compile(text, &Environment::admission()).unwrap_err();
    let name = expected.to_owned();
    assert_eq!(error, CompileError::Unsupported { name });
}

#[rstest]
#[case::bool("object.a == 1", &[ResultType::Bool], None)]
#[case::int("1 + 1", &[ResultType::Bool], Some("must evaluate to bool but got int"))]
#[case::dynamic("object.a", &[ResultType::Bool], Some("must evaluate to bool but got dyn"))]
#[case::duration("duration('1s')", &[ResultType::String], Some("must evaluate to string but got google.protobuf.Duration"))]
#[case::annotation("null", &[ResultType::String, ResultType::Null], None)]
#[case::several("true", &[ResultType::String, ResultType::Null], Some("must evaluate to one of [string null_type] but got bool"))]
fn result_type_checked(
    #[case] text: &str,
    #[case] allowed: &[ResultType],
    #[case] expected: Option<&str>,
) {
    let error = Expression::compile_as(text, allowed, &Environment::admission()).err();
    let message = error.map(|it| match it {
        CompileError::Type { message, .. } => message,
        other => other.to_string(),
    });
    assert_eq!(message.as_deref(), expected);
}

#[rstest]
#[case::pool(
    "object.spec.provider.worker.all(w, true)",
    "object.spec.provider.worker",
    Some("did you mean `workers` or `workersSettings`?")
)]
#[case::element(
    "object.spec.provider.workers.all(w, w.maxium <= 3)",
    "object.spec.provider.workers[*].maxium",
    Some("did you mean `maximum`?")
)]
#[case::old("oldObject.spec.regio == ''", "oldObject.spec.regio", Some("did you mean `region`?"))]
#[case::optional(
    "object.spec.?hibernaton.hasValue()",
    "object.spec.hibernaton",
    Some("did you mean `hibernation`?")
)]
#[case::escaped(
    "object.metadata.__namespace__ == ''",
    "object.metadata.__namespace__",
    Some("did you mean `namespace`?")
)]
#[case::below_a_string("object.spec.region.name == ''", "object.spec.region.name", None)]
#[case::filtered(
    "object.spec.provider.workers.filter(w, w.minimum > 1).map(w, w.nam).size() > 0",
    "object.spec.provider.workers[*].nam",
    Some("did you mean `name`?")
)]
#[case::mapped(
    "object.spec.provider.workers.map(w, w.machine).exists(m, m.typ == '')",
    "object.spec.provider.workers[*].machine.typ",
    Some("did you mean `type`?")
)]
fn unknown_field_reported(
    #[case] text: &str,
    #[case] path: &str,
    #[case] suggestion: Option<&str>,
) {
    let expression = compile(text);
    let problems = expression.field_problems(shoot());
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert_eq!(problems[0].path, path);
    assert_eq!(problems[0].suggestion.as_deref(), suggestion);
}

#[rstest]
#[case("object.metadata.labels.anything == '' && object.metadata.labels['x-y'] == ''")]
#[case("object.spec.provider.infrastructureConfig.networks.vpc.id == ''")]
#[case("object.spec.provider.workers[0].zones[0] == '' || has(object.spec.purpose)")]
#[case("object.metadata.annotations.all(k, k.startsWith('a'))")]
#[case("object.spec.kubernetes.kubeAPIServer.?oidcConfig.hasValue() == false || params == null")]
fn known_fields_not_reported(#[case] text: &str) {
    let environment = Environment::admission().with_params();
    let expression = Expression::compile(text, &environment).unwrap();
    let problems = expression.field_problems(shoot());
    let problems: Vec<&str> = problems.iter().map(|it| &*it.path).collect();
    let expected: &[&str] = if text.contains("oidcConfig") {
        &["object.spec.kubernetes.kubeAPIServer.oidcConfig"]
    } else {
        &[]
    };
    assert_eq!(problems, expected);
}

#[test]
fn position_of_an_unknown_field_is_that_in_the_text() {
    let expression = compile("true &&\n  object.spec.regin == ''");
    let problem = &expression.field_problems(shoot())[0];
    assert_eq!((problem.line, problem.column), (2, 14));
}

#[rstest]
#[case("object.spec.provider.workers.all(w, w.maximum <= 50)", &["spec.provider.workers[*].maximum", "spec.provider.workers"])]
#[case("object.metadata.labels['a/b'] == 'x'", &["metadata.labels[a/b]"])]
#[case("object.spec.provider.workers[1].zones.size() > 1", &["spec.provider.workers[1].zones"])]
#[case("oldObject.spec.region == 'a'", &[])]
#[case("object.spec.?purpose.orValue('') == 'a'", &["spec.purpose"])]
#[case("object.spec.provider.workers.map(w, w.zones).flatten().exists(z, z == 'a')", &["spec.provider.workers[*].zones[*]", "spec.provider.workers[*].zones", "spec.provider.workers"])]
fn named_paths_listed_longest_first(#[case] text: &str, #[case] expected: &[&str]) {
    let expression = compile(text);
    let paths: Vec<String> = expression.paths().iter().map(ToString::to_string).collect();
    assert_eq!(paths, expected);
}

#[test]
fn names_of_variables_known() {
    let expression = compile("namespaceObject.metadata.name == request.namespace");
    assert!(expression.names("namespaceObject") && expression.names("request"));
    assert!(!expression.names("object") && !expression.names("params"));
}

/// Lookups that count their calls.
struct Counted(Cell<u32>);

impl Lookups for Counted {
    fn field(&self, name: &str) -> Result<Value, EvaluationError> {
        self.0.set(self.0.get() + 1);
        Ok(Value::from_json(&json!({"name": name})))
    }

    fn call(&self, name: &str, arguments: &[Value]) -> Result<Value, EvaluationError> {
        let count = arguments.len();
        Ok(Value::from_json(&json!([name, count])))
    }
}

/// Evaluates an expression about an object of which `/list/1` and `/map/b` are not known.
fn with_unknown_parts(text: &str) -> Result<Value, EvaluationError> {
    let expression = compile(text);
    let object = json!({"list": [3, 0, 1], "names": ["a", "x"], "map": {"a": 1}});
    let unknown = ["/list/1", "/names/1", "/map/b"].map(|it| (it.to_owned(), "not known".into()));
    let object = Value::from_json(&object).with_unknown(&unknown);
    expression.evaluate(&Activation::new().bind("object", object))
}

#[rstest]
#[case::sum("object.list.sum() > 0")]
#[case::sum_of_unknown_first("object.list.reverse().slice(1, 3).sum() > 0")]
#[case::min("object.list.min() == 1")]
#[case::max("object.list.max() == 3")]
#[case::is_sorted("object.list.slice(1, 3).isSorted()")]
#[case::sort("object.list.sort() == [1, 2, 3]")]
#[case::join("object.names.join(',') == 'a,b'")]
#[case::join_of_unknown_first("object.names.reverse().join(',') == 'a,b'")]
#[case::index_of("object.list.indexOf(1) == 2")]
#[case::element("object.list[1] == 2")]
#[case::element_in_list("1 in object.list")]
#[case::unknown_in_list("object.names[1] in ['a', 'b']")]
#[case::equal_lists("object.list == [3, 2, 1]")]
#[case::equal_maps("object.map == {'a': 1}")]
#[case::different_maps("object.map != {'a': 1, 'c': 2, 'd': 3}")]
#[case::key("'b' in object.map")]
#[case::last("object.names.last().orValue('') in ['a', 'b']")]
#[case::value("object.names.last().value() == 'b'")]
#[case::all("object.list.all(it, it > 0)")]
#[case::format("'%s'.format([object.names]) == ''")]
#[case::set("sets.contains(object.list, [2])")]
#[case::distinct("object.list.distinct().size() == 3")]
fn unknown_element_makes_the_result_unknown(#[case] text: &str) {
    let unknown = EvaluationError::Undetermined("not known".to_owned());
    assert_eq!(with_unknown_parts(text).unwrap_err(), unknown);
}

#[rstest]
#[case::size("object.list.size() == 3")]
#[case::known_element("object.list[0] == 3")]
#[case::known_in_list("3 in object.list")]
#[case::first("object.names.first().orValue('') == 'a'")]
#[case::different_sizes("object.list != [3, 1]")]
#[case::different_first("object.list != [2, 0, 1]")]
#[case::known_key("'a' in object.map")]
#[case::exists("object.list.exists(it, it == 3)")]
#[case::index_before("object.list.indexOf(3) == 0")]
fn known_elements_decide_without_unknown_ones(#[case] text: &str) {
    assert!(with_unknown_parts(text).unwrap().is_true());
}

#[test]
fn lookups_answered_and_listed() {
    let environment = Environment::admission().with_lookups(LookupVariable {
        name: "garden",
        fields: &["project"],
        functions: &["shoots"],
    });
    let text = "garden.project.name == 'project' && garden.shoots('a', object.x)[1] == 2 && now.getFullYear() == 2026";
    let expression = Expression::compile(text, &environment).unwrap();
    let lookups = Counted(Cell::new(0));
    let now = "2026-01-31T12:00:00Z".parse().unwrap();
    let activation = Activation::new()
        .bind("object", Value::from_json(&json!({"x": 1})))
        .bind("now", Value::timestamp(now))
        .with_lookups(&lookups);
    assert!(expression.evaluate(&activation).unwrap().is_true());
    assert_eq!(lookups.0.get(), 1);
    let names: Vec<&str> = expression.lookups().iter().map(|it| &*it.name).collect();
    assert_eq!(names, ["project", "shoots"]);
    let arguments = &expression.lookups()[1].literal_arguments;
    assert_eq!(*arguments, [Some("a".to_owned()), None]);
    assert!(Expression::compile("garden.seed == null", &environment).is_err());
    assert!(Expression::compile("now == now", &Environment::admission()).is_err());
}

#[test]
fn cost_bound_grows_with_nesting() {
    let bound = |text: &str| compile(text).cost_bound();
    let one = bound("object.l.all(x, x > 0)");
    let two = bound("object.l.all(x, object.l.all(y, x > y))");
    let three = bound("object.l.all(x, object.l.all(y, object.l.all(z, x > y && y > z)))");
    assert!(one < 2_000 && two > 50 * one && three > 50 * two, "{one} {two} {three}");
    assert!(bound("[1, 2].all(x, x > 0)") < 20);
}

#[test]
fn doubles_typed_by_the_model() {
    let shoot = described("Shoot").unwrap().object;
    let autoscaler = json!({"scaleDownUtilizationThreshold": 1});
    let object = json!({"spec": {"kubernetes": {"clusterAutoscaler": autoscaler}}});
    let text =
        "type(object.spec.kubernetes.clusterAutoscaler.scaleDownUtilizationThreshold) == double";
    let activation = Activation::new()
        .bind("object", Value::from_typed_text(&object.to_string(), Some(KnownShape::of(shoot))));
    assert!(compile(text).evaluate(&activation).unwrap().is_true());
    assert!(!evaluate(text, &object).unwrap().is_true());
}
