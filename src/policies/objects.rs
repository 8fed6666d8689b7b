//! The objects of a request as expressions see them, and their fields that are not known.

use std::collections::BTreeMap;
use std::iter;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::expressions;
use crate::admission::{Operation, Request, Review, Rule, World};
use crate::api::{Kind, Object, ObjectMeta, described};
use crate::garden::Snapshot;
use crate::json::push_step;
use crate::rules;
use crate::stored::{MADE_UP, admitted};

/// The reason why expressions about the requesting user are not evaluated.
pub(super) const NO_USER: &str = "it depends on the requesting user; `review --as` names one";
/// The reason why expressions about Namespaces are not evaluated in a garden without any.
pub(super) const NO_NAMESPACES: &str =
    "it depends on the Namespace of the object, and the garden has no Namespace";
const SET_BY_SERVER: &str = "the API server sets this field";
const NO_OPTIONS: &str = "the options of the request are not known";

/// Fields of the metadata that an API server sets, and that manifests omit.
const SYSTEM_FIELDS: [&str; 5] = [
    "creationTimestamp",
    "generation",
    "managedFields",
    "resourceVersion",
    "uid",
];
/// Settings of a Seed whose defaults are not reimplemented.
const SEED_SETTINGS: [&str; 5] = [
    "dependencyWatchdog",
    "excessCapacityReservation",
    "loadBalancerServices",
    "topologyAwareRouting",
    "verticalPodAutoscaler",
];

/// The number of bytes of JSON whose copying counts as a cost of one.
const BYTES_OF_COST: usize = 8;

/// A field whose value is not known, as a JSON pointer, and the reason.
type UnknownField = (String, Arc<str>);

/// The new and the stored object of a request, as validating admission plugins see them.
pub(super) struct AdmittedObjects {
    /// The fields of their kind; `None` if they are not declared.
    table: Option<&'static Object>,
    objects: [Option<Value>; 2],
    unknown: [Vec<UnknownField>; 2],
    /// The cost of a copy of the new object.
    copying_cost: u64,
}

impl AdmittedObjects {
    /// Returns the objects of a request, given its verdict by rules; `None` if one of them cannot be read.
    pub(super) fn of(
        request: &Request<'_>,
        review: &Review,
        (world, is_user_known): (&World<'_>, bool),
    ) -> Option<Self> {
        let is_complete = !request.is_converted && review.mutation().is_empty();
        let objects = match is_complete {
            false => {
                let changes = (review.mutation(), &review.extension_edits[..]);
                let garden = (world.garden, world.config.gardener_version);
                admitted(request, changes, garden)
            }
            // An API server sends complete objects.
            true => {
                [request.object, request.old_object].map(|it| serde_json::from_str(it?.get()).ok())
            }
        };
        let given = [request.object, request.old_object];
        let mut read = objects.iter().zip(given);
        if read.any(|(it, given)| it.is_none() && given.is_some()) {
            return None;
        }
        let mut unknown = [Vec::new(), Vec::new()];
        let is_new = request.operation == Operation::Create;
        for (object, unknown) in objects.iter().zip(&mut unknown) {
            let Some(object) = object else { continue };
            if !is_complete {
                made_up(object, &mut String::new(), unknown);
            }
            if request.is_converted {
                set_by_server(object, is_new, unknown);
            }
            if request.kind() == Some(Kind::Seed) {
                let settings = object.pointer("/spec/settings");
                absent("/spec/settings", settings, &SEED_SETTINGS, unknown);
            }
        }
        let [of_new, _] = &mut unknown;
        if is_new && !is_user_known {
            set_from_user(request, of_new);
        }
        if let ([Some(new), _], [unknown, _]) = (&objects, &mut unknown)
            && request.kind() == Some(Kind::Shoot)
            && let Some(why) = why_incomplete(review)
        {
            unfilled(new, &why, unknown);
        }
        Some(Self {
            table: request
                .kind()
                .and_then(|kind| described(kind.as_str()))
                .map(|it| it.object),
            objects,
            unknown,
            copying_cost: request.object.map_or(0, |it| {
                u64::try_from(it.get().len() / BYTES_OF_COST).unwrap_or(u64::MAX)
            }),
        })
    }

    /// Returns the new object as JSON, or on DELETE the stored one.
    pub(super) fn object(&self) -> Option<&Value> {
        let [new, old] = &self.objects;
        new.as_ref().or(old.as_ref())
    }

    /// Returns the cost of a copy of the new object.
    pub(super) fn copying_cost(&self) -> u64 {
        self.copying_cost
    }

    /// Returns the new object as JSON; `None` on DELETE.
    pub(super) fn new_object(&self) -> Option<&Value> {
        let [new, _] = &self.objects;
        new.as_ref()
    }

    /// Returns the objects as values of expressions; absent ones are `null`.
    pub(super) fn values(&self) -> [expressions::Value; 2] {
        let [new, old] = &self.objects;
        let [unknown, old_unknown] = &self.unknown;
        [(new, unknown), (old, old_unknown)].map(|(object, unknown)| {
            let object = object.as_ref().map(|it| self.value(it, unknown));
            object.unwrap_or(expressions::Value::Null)
        })
    }

    fn value(&self, object: &Value, unknown: &[UnknownField]) -> expressions::Value {
        let value = match self.table {
            Some(table) => expressions::Value::from_object(object, table),
            None => expressions::Value::from_json(object),
        };
        value.with_unknown(unknown)
    }

    /// Returns the new object as a value of expressions, with another list at a JSON pointer.
    pub(super) fn value_with(&self, pointer: &str, list: Vec<Value>) -> Option<expressions::Value> {
        let [unknown, _] = &self.unknown;
        let mut object = self.new_object()?.clone();
        *object.pointer_mut(pointer)? = Value::Array(list);
        // The elements have other positions.
        let unknown = unknown.iter().filter(|(it, _)| !it.starts_with(pointer));
        let unknown: Vec<UnknownField> = unknown.cloned().collect();
        Some(self.value(&object, &unknown))
    }

    /// Returns the labels of the new and of the stored object; `None` for an absent object.
    pub(super) fn labels(&self) -> [Option<BTreeMap<String, String>>; 2] {
        let [new, old] = &self.objects;
        [new, old].map(|object| Some(texts(object.as_ref()?, "/metadata/labels")))
    }

    /// Returns the annotations that silence warnings: those of the new object, or on DELETE of the stored one.
    pub(super) fn annotations(&self) -> BTreeMap<String, String> {
        let object = self.object();
        object.map_or_else(BTreeMap::new, |it| texts(it, "/metadata/annotations"))
    }
}

fn value(object: &Value, unknown: &[UnknownField]) -> expressions::Value {
    expressions::Value::from_json(object).with_unknown(unknown)
}

/// Returns the strings of a map.
fn texts(object: &Value, pointer: &str) -> BTreeMap<String, String> {
    let entries = object.pointer(pointer).and_then(Value::as_object);
    let entries = entries.into_iter().flatten();
    let texts = entries.map(|(key, value)| {
        let value = value.as_str().unwrap_or_default();
        (key.clone(), value.to_owned())
    });
    texts.collect()
}

/// Adds the placeholders of values that an API server generates.
fn made_up(value: &Value, pointer: &mut String, unknown: &mut Vec<UnknownField>) {
    let length = pointer.len();
    let mut add = |step: &str, value: &Value| {
        push_step(pointer, step);
        made_up(value, pointer, unknown);
        pointer.truncate(length);
    };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, it)| add(name, it)),
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(index, it)| add(&index.to_string(), it));
        }
        Value::String(text) if text == MADE_UP => {
            unknown.push((
                pointer.clone(),
                "the API server generates this value".into(),
            ));
        }
        _ => {}
    }
}

/// Adds fields of the metadata that an API server sets.
fn set_by_server(object: &Value, is_new: bool, unknown: &mut Vec<UnknownField>) {
    let metadata = object.get("metadata");
    let is_set = |name: &&str| !is_new || *name != "resourceVersion";
    let fields: Vec<&str> = SYSTEM_FIELDS.into_iter().filter(is_set).collect();
    absent("/metadata", metadata, &fields, unknown);
    // It is generated from a prefix.
    absent("/metadata", metadata, &["name"], unknown);
}

/// Adds fields of a new object that Gardener sets to the requesting user.
fn set_from_user(request: &Request<'_>, unknown: &mut Vec<UnknownField>) {
    let [mut sent, _] = request.received();
    let mut add = |pointer: &str| unknown.push((pointer.to_owned(), NO_USER.into()));
    match request.kind() {
        Some(Kind::Shoot) => add("/metadata/annotations/gardener.cloud~1created-by"),
        Some(Kind::Project) => {
            add("/spec/createdBy");
            if sent.at(&["spec", "owner"]).is_none_or(|it| it.is_null()) {
                add("/spec/owner");
                add("/spec/members");
            }
        }
        _ => {}
    }
}

/// Adds the fields of an object that are absent.
fn absent(pointer: &str, object: Option<&Value>, names: &[&str], unknown: &mut Vec<UnknownField>) {
    let fields = object.and_then(Value::as_object);
    let is_absent = |name: &&&str| {
        let value = fields.and_then(|fields| fields.get(**name));
        value.is_none_or(|it| it.is_null() || it == "")
    };
    let names = names.iter().filter(is_absent);
    unknown.extend(names.map(|name| (format!("{pointer}/{name}"), SET_BY_SERVER.into())));
}

/// Returns the reason why a rule could not set fields; `None` if there is none.
fn why_incomplete(review: &Review) -> Option<Arc<str>> {
    let mut undetermined = review.undetermined.iter();
    let found = undetermined.find(|it| rules::find(it.rule).is_some_and(Rule::mutates));
    found.map(|it| it.message.as_str().into())
}

/// Adds the fields of a Shoot that Gardener sets from other objects, if they are absent or partial.
fn unfilled(shoot: &Value, why: &Arc<str>, unknown: &mut Vec<UnknownField>) {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let is_partial = |value: Option<&Value>| text(value).is_none_or(|it| it.split('.').count() < 3);
    let mut add = |pointer: String| unknown.push((pointer, Arc::clone(why)));
    let version = "/spec/kubernetes/version";
    if is_partial(shoot.pointer(version)) {
        add(version.to_owned());
    }
    for pointer in [
        "/spec/dns/domain",
        "/spec/networking/pods",
        "/spec/networking/services",
    ] {
        if text(shoot.pointer(pointer)).is_none() {
            add(pointer.to_owned());
        }
    }
    // Entries are added to these.
    for pointer in ["/spec/seedSelector", "/spec/tolerations"] {
        add(pointer.to_owned());
    }
    let pools = shoot.pointer("/spec/provider/workers");
    let pools = pools.and_then(Value::as_array).into_iter().flatten();
    for (index, pool) in pools.enumerate() {
        let at = |field: &str| format!("/spec/provider/workers/{index}{field}");
        let own = pool.pointer("/kubernetes/version");
        if own.is_some() && is_partial(own) {
            add(at("/kubernetes/version"));
        }
        if text(pool.pointer("/machine/architecture")).is_none() {
            add(at("/machine/architecture"));
        }
        match pool.pointer("/machine/image") {
            Some(image) if text(image.get("name")).is_some() => {
                if is_partial(image.get("version")) {
                    add(at("/machine/image/version"));
                }
            }
            _ => add(at("/machine/image")),
        }
    }
}

/// Returns the variable `request`; empty fields are omitted, as in Kubernetes.
pub(super) fn request_value(request: &Request<'_>, is_user_known: bool) -> expressions::Value {
    let resource = &request.resource;
    let kind = request.kind().map_or("", Kind::as_str);
    let (group, version) = (&resource.group, &resource.version);
    let kind = json!({"group": group, "version": version, "kind": kind});
    let resource = json!({"group": group, "version": version, "resource": resource.resource});
    let mut fields = Map::new();
    for (name, value) in [("kind", &kind), ("requestKind", &kind)] {
        fields.insert(name.to_owned(), value.clone());
    }
    for (name, value) in [("resource", &resource), ("requestResource", &resource)] {
        fields.insert(name.to_owned(), value.clone());
    }
    let texts = [
        ("subResource", &request.sub_resource),
        ("requestSubResource", &request.sub_resource),
        ("name", &request.name),
        ("namespace", &request.namespace),
    ];
    for (name, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
        fields.insert(name.to_owned(), text.as_str().into());
    }
    fields.insert("operation".to_owned(), request.operation.as_str().into());
    fields.insert("dryRun".to_owned(), request.dry_run.into());
    let user = &request.user_info;
    let mut info = Map::new();
    for (name, text) in [("username", &user.username), ("uid", &user.uid)] {
        if !text.is_empty() {
            info.insert(name.to_owned(), text.as_str().into());
        }
    }
    if !user.groups.is_empty() {
        info.insert("groups".to_owned(), json!(user.groups));
    }
    if !user.extra.is_empty() {
        info.insert("extra".to_owned(), json!(user.extra));
    }
    fields.insert("userInfo".to_owned(), info.into());
    let options = ("/options".to_owned(), NO_OPTIONS.into());
    let user = (!is_user_known).then(|| ("/userInfo".to_owned(), NO_USER.into()));
    let unknown: Vec<UnknownField> = iter::once(options).chain(user).collect();
    value(&fields.into(), &unknown)
}

/// Returns the variable `namespaceObject`.
///
/// # Errors
/// Fails with the reason if the garden does not have the Namespace of the request.
pub(super) fn namespace_value(
    request: &Request<'_>,
    garden: &Snapshot,
) -> Result<expressions::Value, String> {
    let name = request.namespace.as_str();
    if name.is_empty() {
        return Ok(expressions::Value::Null);
    }
    match garden.namespace(name) {
        Some(metadata) => Ok(of_namespace(metadata)),
        None => Err(no_namespace(name, garden)),
    }
}

fn of_namespace(metadata: &ObjectMeta) -> expressions::Value {
    const UNKNOWN: [&str; 7] = [
        "/metadata/creationTimestamp",
        "/metadata/deletionTimestamp",
        "/metadata/generation",
        "/metadata/resourceVersion",
        "/metadata/uid",
        "/spec",
        "/status",
    ];
    let mut fields = Map::new();
    fields.insert("name".to_owned(), metadata.name.as_str().into());
    for (name, texts) in [
        ("labels", &metadata.labels),
        ("annotations", &metadata.annotations),
    ] {
        if !texts.is_empty() {
            fields.insert(name.to_owned(), json!(texts));
        }
    }
    if !metadata.finalizers.is_empty() {
        fields.insert("finalizers".to_owned(), json!(metadata.finalizers));
    }
    let why: Arc<str> = "only the metadata of Namespaces is known".into();
    let unknown = UNKNOWN.map(|pointer| (pointer.to_owned(), Arc::clone(&why)));
    value(&json!({"metadata": fields}), &unknown)
}

/// Describes why a Namespace is not known.
pub(super) fn no_namespace(name: &str, garden: &Snapshot) -> String {
    match garden.knows_of(Kind::Namespace) {
        true => format!("the garden has no Namespace `{name}`"),
        false => NO_NAMESPACES.to_owned(),
    }
}
