use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Value, json};

use super::{AdmissionReview, Request, Sent, envelope};

/// As serde reads all of it.
fn read_whole(body: &[u8]) -> Result<String, String> {
    let review = AdmissionReview::read(body);
    review
        .map(|review| told(&review))
        .map_err(|it| it.to_string())
}

/// As it is read on the way; `None` if it cannot be.
fn read_at_once(body: &[u8]) -> Option<String> {
    envelope::read(body).map(|review| told(&review))
}

fn told(review: &AdmissionReview<'_>) -> String {
    let request = review.request.as_ref();
    let objects =
        request.map(|it| [&it.object, &it.old_object].map(|it| it.as_ref().map(Sent::text)));
    let rest = request.map(|it| {
        let rest = (
            &it.uid,
            &it.resource,
            &it.sub_resource,
            &it.name,
            &it.namespace,
        );
        format!(
            "{rest:?} {:?} {:?} {:?}",
            it.operation, it.user_info, it.dry_run
        )
    });
    format!(
        "{:?} {:?} {rest:?} {objects:?}",
        review.api_version, review.kind
    )
}

fn review(request: &str) -> String {
    format!(
        r#"{{"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": {{"uid": "a", "operation": "UPDATE",
        "resource": {{"resource": "shoots"}}, {request}}} }}"#
    )
}

#[rstest]
#[case::both(
    r#""object": {"a": "\"}"}, "oldObject": {"b": [1]}, "dryRun": true"#,
    true
)]
#[case::the_other_way_round(
    r#""oldObject": {"b": {}}, "options": {"object": {}}, "object":{}"#,
    true
)]
#[case::null(r#""object": null, "oldObject": {}"#, true)]
#[case::none(r#""name": "a""#, true)]
#[case::a_list(r#""object": [{}], "oldObject": 7"#, false)]
#[case::escaped_name(r#""obj\u0065ct": {"a": 1}"#, false)]
#[case::twice(r#""object": {}, "object": {}"#, false)]
#[case::null_and_again(r#""object": null, "object": {}"#, false)]
#[case::no_json_inside(r#""object": {"metadata": {"managedFields": [1,]}}"#, false)]
#[case::managers(
    r#""object": {"metadata": {"managedFields": [{"a": 1}, {"b": []}]}}, "oldObject": {"metadata": {"managedFields": [{"a": 1}, {"c": {}}, 7]}}"#,
    true
)]
#[case::no_json_in_a_manager(
    r#""object": {"metadata": {"managedFields": [{"a": 1}, {}]}}, "oldObject": {"metadata": {"managedFields": [{"a": 1} {}]}}"#,
    false
)]
#[case::long_parts(
    r#""object": {"spec": {"kubernetes": {"a": 1}, "provider": 2}}, "oldObject": {"spec": {"provider": 3, "kubernetes": {"a": 1}}}"#,
    true
)]
#[case::number_for_a_name(r#""name": 7, "object": {}"#, false)]
#[case::null_for_a_name(r#""name": null, "object": {}"#, false)]
#[case::escaped_text(r#""name": "\u0061", "object": {}"#, false)]
#[case::name_twice(r#""name": "a", "name": "a""#, false)]
#[case::who(r#""userInfo": {"username": "a\n", "groups": ["b", "c"]}, "subResource": "status", "namespace": "d""#, true)]
#[case::nobody(r#""userInfo": null"#, false)]
#[case::odd_run(r#""dryRun": "true""#, false)]
fn at_once_the_same_is_read_as_by_serde(#[case] request: &str, #[case] is_at_once: bool) {
    let body = review(request);
    let at_once = read_at_once(body.as_bytes());
    assert_eq!(at_once.is_some(), is_at_once);
    if let Some(at_once) = at_once {
        assert_eq!(read_whole(body.as_bytes()), Ok(at_once));
    }
}

#[test]
fn what_nobody_reads_is_left_out() {
    let object = r#"{"managedFields": 1, "metadata": {"name": "a", "managedFields" : [{"f:a": "}"}], "annotations": {"a": "b",
        "kubectl.kubernetes.io/last-applied-configuration": "{\"c\": \"d\"}" } }, "spec": {"managedFields": 2}}"#;
    let body = review(&format!("\"object\": {object}, \"oldObject\": {{}}"));
    let request = Request::from_review(body.as_bytes()).unwrap();
    let [new, old] = [request.object.unwrap(), request.old_object.unwrap()];
    assert_eq!(new.text(), object);
    let expected = object.replace(r#"[{"f:a": "}"}]"#, "null");
    assert_eq!(new.read(), expected.replace(r#""{\"c\": \"d\"}""#, "null"));
    assert_eq!(old.read(), "{}");
}

#[rstest]
#[case::all(r#"{"spec": {"a": 1}, "status": []}"#, r#"{"status": [], "spec": {"a": 1}}"#, (true, true), r#"{"spec": null, "status": null}"#)]
#[case::only_the_status(r#"{"spec": {"a": 1}, "status": 1}"#, r#"{"spec": {"a": 2}, "status": 1}"#, (false, true), r#"{"spec": {"a": 1}, "status": null}"#)]
#[case::in_other_words(r#"{"spec": {"a": 1}}"#, r#"{"spec": {"a":1}}"#, (false, false), r#"{"spec": {"a": 1}}"#)]
#[case::absent(r#"{"status": {}}"#, r#"{"spec": {}}"#, (false, false), r#"{"status": {}}"#)]
#[case::elsewhere(r#"{"metadata": {"spec": 1, "managedFields": []}}"#, r#"{"metadata": {"spec": 1}}"#, (false, false), r#"{"metadata": {"spec": 1, "managedFields": null}}"#)]
fn what_both_objects_have_is_read_once(
    #[case] new: &str,
    #[case] old: &str,
    #[case] expected: (bool, bool),
    #[case] rest: &str,
) {
    let body = review(&format!("\"object\": {new}, \"oldObject\": {old}"));
    let request = Request::from_review(body.as_bytes()).unwrap();
    let [new, old] = [request.object.unwrap(), request.old_object.unwrap()];
    let common = new.common_with(&old);
    assert_eq!((common.spec, common.status), expected);
    assert_eq!(new.read_without(common), rest);
}

fn any_review() -> impl Strategy<Value = String> {
    let piece = r#"[\[\]{}:,"\\ 0a]|null|"object"|"oldObject"|"request"|"metadata"|\\u0061"#;
    let object = r#"(null|\{\}|\{"metadata": ?\{"managedFields": ?(\[\{\}\]|\{"a":1\}|null), "name": "é", "annotations": \{"kubectl[.]kubernetes[.]io/last-applied-configuration": "(|\\n)"\}\}\}|[7\[])"#;
    let names = "(object|oldObject|options|object)";
    let request = format!("(\"{names}\": ?{object}, ){{0,3}}\"name\": \"b\"");
    let request = prop::string::string_regex(&request).unwrap();
    let spoilt = (
        request,
        any::<prop::sample::Index>(),
        piece,
        0..2_usize,
        any::<bool>(),
    );
    spoilt.prop_map(|(request, place, piece, cut, spoils)| {
        let mut text: Vec<char> = review(&request).chars().collect();
        if spoils {
            let start = place.index(text.len());
            text.splice(start..text.len().min(start + cut), piece.chars());
        }
        text.into_iter().collect()
    })
}

proptest! {
    #[test]
    fn at_once_or_by_serde_the_same_is_read(body in any_review()) {
        if let Some(at_once) = read_at_once(body.as_bytes()) {
            prop_assert_eq!(read_whole(body.as_bytes()), Ok(at_once), "{}", body);
        }
    }

    #[test]
    fn only_what_nobody_reads_is_left_out(body in any_review()) {
        let Ok(request) = Request::from_review(body.as_bytes()) else {
            return Ok(());
        };
        for sent in [request.object, request.old_object].into_iter().flatten() {
            let [mut all, rest] = [sent.text().into(), sent.read()]
                .map(|text| serde_json::from_str::<Value>(&text).unwrap());
            for place in ["/metadata/managedFields", "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration"] {
                if rest.pointer(place) == Some(&json!(null)) {
                    *all.pointer_mut(place).unwrap() = json!(null);
                }
            }
            prop_assert_eq!(all, rest);
        }
    }
}
