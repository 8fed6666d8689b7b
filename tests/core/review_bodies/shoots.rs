// SPDX-License-Identifier: Apache-2.0
//! Bodies about Shoots, and bodies that are no review.

use super::Group;
use super::body::Body;
use super::values::{TYPES, nested, shown, texts};

/// Fields that the model has, of several types.
const MODELLED: [&str; 6] = [
    "request/name",
    "request/object/metadata/labels/team",
    "request/object/spec/purpose",
    "request/object/spec/provider/workers/0/maximum",
    "request/object/spec/provider/workers/0/maxSurge",
    "request/object/spec/kubernetes/kubelet/failSwapOn",
];

/// Fields that no rule reads.
const SKIPPED: [&str; 3] = [
    "request/options",
    "request/object/metadata/managedFields",
    "request/oldObject/metadata/annotations",
];

/// Objects to which an unknown field is added, or one that is passed to an extension.
const EXTENDED: [(&str, &str); 3] = [
    ("request/object/spec", "unknown"),
    ("request/object/spec/provider", "infrastructureConfig"),
    ("request/oldObject/status", "unknown"),
];

/// Fields that get values of other types.
const TYPED: [&str; 35] = [
    "apiVersion",
    "kind",
    "request",
    "request/uid",
    "request/kind",
    "request/resource",
    "request/resource/group",
    "request/resource/resource",
    "request/requestKind",
    "request/name",
    "request/namespace",
    "request/operation",
    "request/userInfo",
    "request/userInfo/username",
    "request/userInfo/groups",
    "request/userInfo/extra",
    "request/object",
    "request/oldObject",
    "request/dryRun",
    "request/options",
    "request/object/kind",
    "request/object/apiVersion",
    "request/object/metadata",
    "request/object/metadata/name",
    "request/object/metadata/labels",
    "request/object/metadata/annotations",
    "request/object/metadata/managedFields",
    "request/object/spec",
    "request/object/spec/provider",
    "request/object/spec/provider/workers",
    "request/object/spec/provider/workers/0",
    "request/object/spec/provider/workers/0/volume/size",
    "request/object/spec/kubernetes/kubelet",
    "request/object/status",
    "request/oldObject/spec",
];

/// Objects of which fields are repeated, renamed and reordered: the object, and one of its fields.
const OBJECTS: [(&str, &str); 8] = [
    ("", "request"),
    ("request", "object"),
    ("request/resource", "resource"),
    ("request/object", "spec"),
    ("request/object/metadata", "name"),
    ("request/object/metadata/labels", "team"),
    ("request/object/spec", "purpose"),
    ("request/oldObject/status", "hibernated"),
];

pub(super) fn groups() -> Vec<Group> {
    let update = Body::recorded("004-validate-update-shoots");
    let mut groups = vec![whole(&update)];
    groups.extend(replaced(&update));
    groups.extend(typed(&update));
    groups.push(missing(&update));
    groups.extend(OBJECTS.map(|(object, field)| repeated(&update, object, field)));
    groups.extend(OBJECTS.map(|(object, field)| renamed(&update, object, field)));
    groups.push(reordered(&update));
    groups.push(limits(&update));
    groups
}

/// Bodies that are no review, and reviews with other text around them.
fn whole(review: &Body) -> Group {
    let text = review.text();
    let length = text.len();
    let mut cases: Vec<(String, Vec<u8>)> =
        TYPES.iter().map(|it| named(it, it.as_bytes())).collect();
    cases.extend(texts());
    let around = |before: &[u8], after: &[u8]| [before, text.as_bytes(), after].concat();
    for added in [
        &b"\xef\xbb\xbf"[..],
        b" \t\r\n",
        b"\x0c",
        b"\0",
        b"//\n",
        b"/**/",
        b"[",
        b"{",
        b",",
        b"null",
        b"\xff",
        b")]}',\n",
    ] {
        cases.push((format!("{} before", shown(added)), around(added, b"")));
        cases.push((format!("{} after", shown(added)), around(b"", added)));
    }
    cases.push(("twice".to_owned(), around(b"", text.as_bytes())));
    cases.push(("in a list".to_owned(), around(b"[", b"]")));
    let fields = ["apiVersion", "kind", "request"].map(|field| review.get(field));
    let list = format!("[{}]", fields.join(","));
    cases.push(("its fields in a list".to_owned(), list.into_bytes()));
    let utf16 = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    cases.push(("UTF-16".to_owned(), utf16));
    for percent in [1, 5, 10, 25, 40, 50, 60, 75, 90, 99] {
        let cut = text.as_bytes()[..length * percent / 100].to_vec();
        cases.push((format!("{percent} % of it"), cut));
    }
    cases.push(("without the last byte".to_owned(), text.as_bytes()[..length - 1].to_vec()));
    let pretty: serde_json::Value = serde_json::from_str(text).unwrap();
    let pretty = serde_json::to_string_pretty(&pretty).unwrap();
    cases.push(("CRLF".to_owned(), pretty.replace('\n', "\r\n").into_bytes()));
    cases.push(("pretty".to_owned(), pretty.into_bytes()));
    for version in ["admission.k8s.io/v1beta1", "v1", "Admission.k8s.io/v1", ""] {
        let body = review.with_value("apiVersion", format!("\"{version}\"").as_bytes());
        cases.push((format!("apiVersion {version}"), body));
    }
    Group::new("The body", review, cases)
}

/// Each text in place of fields that rules read and that they do not.
fn replaced(review: &Body) -> Vec<Group> {
    let mut groups = Vec::new();
    for path in MODELLED.iter().chain(&SKIPPED) {
        let cases = texts().into_iter().map(|(name, text)| (name, review.with_value(path, &text)));
        groups.push(Group::new(format!("{path} is replaced"), review, cases.collect()));
    }
    for (object, field) in EXTENDED {
        let case = |(name, text): (String, Vec<u8>)| {
            let field = [format!(",\"{field}\":").as_bytes(), &text].concat();
            (name, review.with_last(object, &field))
        };
        let cases = texts().into_iter().map(case).collect();
        groups.push(Group::new(format!("{object}/{field} is added"), review, cases));
    }
    groups
}

/// Values of other types; in both objects, too, where they count as unchanged.
fn typed(review: &Body) -> Vec<Group> {
    let group = |path: &&str| {
        let case = |value: &&str| named(value, &review.with_value(path, value.as_bytes()));
        let mut cases: Vec<_> = TYPES.iter().map(case).collect();
        if let Some(rest) = path.strip_prefix("request/object") {
            cases.extend(TYPES.iter().map(|value| {
                let new = review.changed(path, value);
                let both = new.with_value(&format!("request/oldObject{rest}"), value.as_bytes());
                (format!("{value} in both objects"), both)
            }));
        }
        Group::new(format!("{path} has another type"), review, cases)
    };
    TYPED.iter().map(group).collect()
}

fn missing(review: &Body) -> Group {
    let case = |path: &&str| ((*path).to_owned(), review.without(path));
    Group::new("Without a field", review, TYPED.iter().map(case).collect())
}

/// The field of an object again, before or after, with the same value and others.
fn repeated(review: &Body, object: &str, field: &str) -> Group {
    let path = joined(object, field);
    let same = review.get(&path);
    let mut cases = Vec::new();
    for (name, value) in
        [("the same", same), ("null", "null"), ("{}", "{}"), ("\"x\"", "\"x\""), ("1e999", "1e999")]
    {
        let first = format!("\"{field}\":{value},");
        let last = format!(",\"{field}\":{value}");
        cases.push((format!("{name} before"), review.with_first(object, first.as_bytes())));
        cases.push((format!("{name} after"), review.with_last(object, last.as_bytes())));
    }
    let escaped = escaped(field);
    for (name, value) in [("the same", same), ("null", "null")] {
        let first = format!("{escaped}:{value},");
        let last = format!(",{escaped}:{value}");
        cases.push((
            format!("{name} before as {escaped}"),
            review.with_first(object, first.as_bytes()),
        ));
        cases.push((
            format!("{name} after as {escaped}"),
            review.with_last(object, last.as_bytes()),
        ));
    }
    let unknown = b",\"x\":1,\"x\":2";
    cases.push(("an unknown field twice".to_owned(), review.with_last(object, unknown)));
    Group::new(format!("{path} is repeated"), review, cases)
}

/// The field of an object with another name, and objects with odd names.
fn renamed(review: &Body, object: &str, field: &str) -> Group {
    let path = joined(object, field);
    let upper = field[..1].to_uppercase() + &field[1..];
    let names = [
        escaped(field),
        format!("\"{upper}\""),
        format!("\"{}\"", field.to_uppercase()),
        format!("\"{field} \""),
        format!("\"{field}\\u0000\""),
        field.to_owned(),
        format!("'{field}'"),
        "\"\"".to_owned(),
        "1".to_owned(),
        "null".to_owned(),
    ];
    let mut cases: Vec<_> =
        names.iter().map(|it| named(it, &review.with_name(&path, it.as_bytes()))).collect();
    let odd: [&[u8]; 10] = [
        br#""\ud800""#,
        br#""\udc00\ud800""#,
        br#""\x""#,
        br#""\u12""#,
        b"\"\xff\"",
        b"\"\xed\xa0\x80\"",
        b"\"\x01\"",
        b"\"\"",
        b"\"a",
        b"7",
    ];
    for name in odd {
        let body = review.with_last(object, &[b",", name, b":1"].concat());
        cases.push((format!("also {}", shown(name)), body));
    }
    let long = format!(",\"{}\":1", "k".repeat(100_000));
    cases.push((
        "also a name of 100,000 bytes".to_owned(),
        review.with_last(object, long.as_bytes()),
    ));
    let upper = format!(",\"{upper}\":{}", review.get(&path));
    cases.push((
        "also with an upper-case letter".to_owned(),
        review.with_last(object, upper.as_bytes()),
    ));
    for text in [",", ",,", ",\"a\"", ",\"a\":", ",\"a\":,", ":1", "/**/", "//\n", "\0"] {
        cases.push((
            format!("then {}", shown(text.as_bytes())),
            review.with_last(object, text.as_bytes()),
        ));
    }
    Group::new(format!("{path} has another name, or others follow"), review, cases)
}

/// Fields in other orders, and fields that are not read twice.
fn reordered(review: &Body) -> Group {
    let root: [&[&str]; 3] =
        [&["request", "kind"], &["apiVersion", "request"], &["kind", "request"]];
    let request: [&[&str]; 6] = [
        &["object", "oldObject", "uid"],
        &["oldObject", "object"],
        &["operation", "object", "oldObject", "resource", "uid"],
        &["userInfo", "options", "dryRun", "object"],
        &["resource", "uid", "oldObject"],
        &["uid", "object", "kind", "oldObject", "name", "namespace", "operation", "resource"],
    ];
    let object: [&[&str]; 3] =
        [&["status", "spec", "metadata"], &["spec", "kind"], &["metadata", "apiVersion"]];
    let mut cases = Vec::new();
    let orders = [
        ("", &root[..]),
        ("request", &request),
        ("request/object", &object),
        ("request/oldObject", &object),
    ];
    for (path, orders) in orders {
        for order in orders {
            let body = review.ordered(path, order);
            cases.push((
                format!("{path}: {} first", order.join(", ")),
                body.text().as_bytes().to_vec(),
            ));
        }
    }
    for field in
        ["userInfo", "options", "kind", "requestKind", "dryRun", "uid", "operation", "unknown"]
    {
        let value = match field {
            "unknown" => "1",
            _ => review.get(&format!("request/{field}")),
        };
        let twice = format!(",\"{field}\":{value},\"{field}\":{value}");
        cases.push((
            format!("request/{field} again, twice"),
            review.with_last("request", twice.as_bytes()),
        ));
    }
    Group::new("Orders", review, cases)
}

/// Nesting, lengths and numbers of elements.
fn limits(review: &Body) -> Group {
    let mut cases = Vec::new();
    let places = [
        ("", "unknown"),
        ("request", "unknown"),
        ("request/object", "unknown"),
        ("request/object/spec", "unknown"),
        ("request/object/spec/provider", "infrastructureConfig"),
        ("request/object/metadata", "unknown"),
        ("request/oldObject/status", "unknown"),
    ];
    for (object, field) in places {
        let mut add = |name: &str, value: &[u8]| {
            let text = [format!(",\"{field}\":").as_bytes(), value].concat();
            let name = format!("{}: {name}", joined(object, field));
            cases.push((name, review.with_last(object, &text)));
        };
        for levels in [120, 126, 127, 128, 129, 10_001] {
            add(&format!("{levels} lists"), &nested(levels));
        }
        let objects = ["{\"a\":".repeat(200), "1".to_owned(), "}".repeat(200)].concat();
        add("200 objects", objects.as_bytes());
        add("20,000 numbers", format!("[0{}]", ",0".repeat(19_999)).as_bytes());
        add("a string with 20,000 commas", format!("\"{}\"", ",".repeat(20_000)).as_bytes());
        add("20,000 empty objects", format!("[{{}}{}]", ",{}".repeat(19_999)).as_bytes());
    }
    let workers = "request/object/spec/provider/workers";
    for count in [1_000, 200_000] {
        let pools = format!("[{{}}{}]", ",{}".repeat(count - 1));
        cases.push((
            format!("{workers}: {count} empty objects"),
            review.with_value(workers, pools.as_bytes()),
        ));
    }
    for length in [256, 257] {
        let uid = format!("\"{}\"", "u".repeat(length));
        cases.push((
            format!("request/uid: {length} bytes"),
            review.with_value("request/uid", uid.as_bytes()),
        ));
    }
    let groups = format!("[\"{}\"]", "g".repeat(65_536));
    cases.push((
        "request/userInfo/groups: 64 KiB".to_owned(),
        review.with_value("request/userInfo/groups", groups.as_bytes()),
    ));
    Group::new("Limits", review, cases)
}

/// Returns a name in quotes whose first letter is escaped.
fn escaped(name: &str) -> String {
    format!("\"\\u{:04x}{}\"", name.as_bytes()[0], &name[1..])
}

fn joined(object: &str, field: &str) -> String {
    match object {
        "" => field.to_owned(),
        object => format!("{object}/{field}"),
    }
}

fn named(name: &str, body: &[u8]) -> (String, Vec<u8>) {
    (name.to_owned(), body.to_vec())
}
