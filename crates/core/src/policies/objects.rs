// SPDX-License-Identifier: Apache-2.0
//! The objects of a request as expressions see them, and their fields that are not known.

use std::collections::BTreeMap;
use std::iter;
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use super::schema::KnownShape;
use crate::admission::{Operation, Request, Review, Rule, World};
use crate::garden::Snapshot;
use crate::rules;
use crate::stored::{Admitted, MADE_UP, Plugins, admitted};
use garden_gate_cel::Value;
use garden_gate_model::api::{Described, Kind, ObjectMeta, described};
use garden_gate_text::json::{Placeholders, push_step, unescape_step};

/// The reason why expressions about the requesting user are not evaluated.
pub(super) const NO_USER: &str = "it depends on the requesting user; `review --as` names one";
/// The reason why expressions about Namespaces are not evaluated in a garden without any.
pub(super) const NO_NAMESPACES: &str =
    "it depends on the Namespace of the object, and the garden has no Namespace";
const SET_BY_SERVER: &str = "the API server sets this field";
const NO_OPTIONS: &str = "the options of the request are not known";

/// Fields of the metadata that an API server sets, and that manifests omit.
const SYSTEM_FIELDS: [&str; 5] =
    ["creationTimestamp", "generation", "managedFields", "resourceVersion", "uid"];
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
pub(super) type UnknownField = (String, Arc<str>);

/// The new object of a request as mutating admission plugins see it.
pub(super) struct NewObject {
    /// Its JSON.
    pub(super) tree: Json,
    /// Its fields that are not known.
    pub(super) unknown: Vec<UnknownField>,
    /// The JSON texts of the placeholders.
    pub(super) placeholders: Placeholders,
    pub(super) described: &'static Described,
}

/// The new and the stored object of a request, as validating admission plugins see them.
pub(super) struct AdmittedObjects {
    objects: [Option<Value>; 2],
    unknown: [Vec<UnknownField>; 2],
    /// The cost of a copy of the new object.
    copying_cost: u64,
}

impl AdmittedObjects {
    /// Returns the objects of a request, given its verdict by rules.
    ///
    /// One that cannot be completed is [`Value::Unreadable`].
    pub(super) fn of(
        request: &Request<'_>,
        review: &Review,
        (world, is_user_known): (&World<'_>, bool),
    ) -> Self {
        let is_complete = !request.is_converted && review.mutation().is_empty();
        let kind = request.kind();
        let described = kind.and_then(|kind| described(kind.as_str()));
        let schema = described.map(|it| KnownShape::of(it.object));
        let (objects, mut unknown) = if is_complete {
            // An API server sends complete objects.
            let objects = [request.object, request.old_object]
                .map(|it| it.map(|it| Value::from_typed_text(it.get(), schema)));
            (objects, Default::default())
        } else {
            let admitted = admitted_by(request, review, world, Plugins::Validating);
            completed(&admitted, schema)
        };
        add_unknown(request, review, (&objects, &mut unknown), is_user_known);
        Self { objects, unknown, copying_cost: copying_cost(request) }
    }

    /// Returns the objects of a manifest as mutating admission plugins see them, and the new object in a form that can be changed.
    ///
    /// # Errors
    /// Fails with the reason if the new object cannot be completed.
    pub(super) fn mutable(
        request: &Request<'_>,
        review: &Review,
        (world, is_user_known): (&World<'_>, bool),
    ) -> Result<(Self, NewObject), String> {
        let described = request.kind().and_then(|kind| described(kind.as_str()));
        let Some(described) = described else {
            return Err("the fields of its kind are not known".to_owned());
        };
        let shape = KnownShape::of(described.object);
        let admitted = admitted_by(request, review, world, Plugins::Mutating);
        let (objects, mut unknown) = completed(&admitted, Some(shape));
        add_unknown(request, review, (&objects, &mut unknown), is_user_known);
        let tree = match admitted.new {
            Some(Ok(tree)) => tree,
            Some(Err(why)) => return Err(why.to_string()),
            None => return Err("the request has no object".to_owned()),
        };
        let [of_new, _] = &unknown;
        let (unknown_of_new, placeholders) = (of_new.clone(), admitted.placeholders);
        let mutable = NewObject { tree, unknown: unknown_of_new, placeholders, described };
        Ok((Self { objects, unknown, copying_cost: copying_cost(request) }, mutable))
    }

    /// Returns the new object, or on DELETE the stored one.
    pub(super) fn object(&self) -> Option<&Value> {
        let [new, old] = &self.objects;
        new.as_ref().or(old.as_ref())
    }

    /// Returns the cost of a copy of the new object.
    pub(super) fn copying_cost(&self) -> u64 {
        self.copying_cost
    }

    /// Returns the new object; `None` on DELETE.
    pub(super) fn new_object(&self) -> Option<&Value> {
        let [new, _] = &self.objects;
        new.as_ref()
    }

    /// Returns the objects with their unknown fields; absent ones are `null`.
    pub(super) fn values(&self) -> [Value; 2] {
        let [new, old] = &self.objects;
        let [unknown, old_unknown] = &self.unknown;
        [(new, unknown), (old, old_unknown)].map(|(object, unknown)| {
            let object = object.clone().unwrap_or(Value::Null);
            object.with_unknown(unknown)
        })
    }

    /// Returns the new object with another list at a JSON pointer.
    pub(super) fn value_with(&self, pointer: &str, list: Vec<Value>) -> Option<Value> {
        let [unknown, _] = &self.unknown;
        let steps: Vec<String> = pointer.split('/').skip(1).map(unescape_step).collect();
        let object = self.new_object()?.with_list(&steps, list);
        // The elements have other positions.
        let unknown = unknown.iter().filter(|(it, _)| !it.starts_with(pointer));
        let unknown: Vec<UnknownField> = unknown.cloned().collect();
        Some(object.with_unknown(&unknown))
    }

    /// Returns the labels of the new and of the stored object, without those of absent objects.
    ///
    /// # Errors
    /// Fails with the reason for an object that cannot be completed.
    pub(super) fn labels(&self) -> Vec<Result<BTreeMap<String, String>, Arc<str>>> {
        let objects = self.objects.iter().flatten();
        let labels = objects.map(|object| match object {
            Value::Unreadable(why) => Err(Arc::clone(why)),
            object => Ok(texts(object, &["metadata", "labels"])),
        });
        labels.collect()
    }

    /// Returns the annotations that silence warnings: those of the new object, or on DELETE of the stored one.
    pub(super) fn annotations(&self) -> BTreeMap<String, String> {
        let object = self.object();
        object.map_or_else(BTreeMap::new, |it| texts(it, &["metadata", "annotations"]))
    }
}

/// Returns objects with the changes that an API server makes before it evaluates policies.
fn admitted_by(
    request: &Request<'_>,
    review: &Review,
    world: &World<'_>,
    plugins: Plugins,
) -> Admitted {
    let changes = (review.mutation(), &review.extension_edits[..]);
    admitted(request, changes, (world.garden, world.config.gardener_version), plugins)
}

/// Returns the values of admitted objects, and their generated fields.
fn completed(
    Admitted { new, old, placeholders }: &Admitted,
    schema: Option<KnownShape>,
) -> ([Option<Value>; 2], [Vec<UnknownField>; 2]) {
    let replaced = |text: &str| placeholders.text(text);
    let mut unknown = [Vec::new(), Vec::new()];
    let [of_new, of_old] = &mut unknown;
    let value = |tree: &Json, unknown: &mut Vec<UnknownField>| {
        made_up(tree, &mut String::new(), unknown);
        Value::from_tree(tree, schema, &replaced)
    };
    let new = new.as_ref().map(|new| match new {
        Ok(tree) => value(tree, of_new),
        Err(why) => Value::Unreadable(why.to_string().into()),
    });
    let old = old.as_ref().map(|tree| value(tree, of_old));
    ([new, old], unknown)
}

/// Adds the fields that are not known, for other reasons than that an API server generates them.
fn add_unknown(
    request: &Request<'_>,
    review: &Review,
    (objects, unknown): (&[Option<Value>; 2], &mut [Vec<UnknownField>; 2]),
    is_user_known: bool,
) {
    let kind = request.kind();
    let is_new = request.operation == Operation::Create;
    for (object, unknown) in objects.iter().zip(unknown.iter_mut()) {
        let Some(object) = object else { continue };
        if request.is_converted {
            set_by_server(object, is_new, unknown);
        }
        if kind == Some(Kind::Seed) {
            let settings = object.at(&["spec", "settings"]);
            absent("/spec/settings", settings, &SEED_SETTINGS, unknown);
        }
    }
    let [of_new, _] = unknown;
    if is_new && !is_user_known {
        set_from_user(request, of_new);
    }
    if let [Some(new), _] = objects
        && kind == Some(Kind::Shoot)
        && let Some(why) = why_incomplete(review)
    {
        unfilled(new, &why, of_new);
    }
}

/// Returns the cost of a copy of the new object of a request.
fn copying_cost(request: &Request<'_>) -> u64 {
    let object = request.object;
    object.map_or(0, |it| u64::try_from(it.get().len() / BYTES_OF_COST).unwrap_or(u64::MAX))
}

fn value(object: &Json, unknown: &[UnknownField]) -> Value {
    Value::from_json(object).with_unknown(unknown)
}

/// Returns the strings of a map.
fn texts(object: &Value, path: &[&str]) -> BTreeMap<String, String> {
    let Some(Value::Map(map)) = object.at(path) else {
        return BTreeMap::new();
    };
    let texts = map.iter().filter_map(|(key, value)| {
        let value = value.as_str().unwrap_or_default();
        Some((key.as_str()?.to_owned(), value.to_owned()))
    });
    texts.collect()
}

/// Adds the placeholders of values that an API server generates.
fn made_up(value: &Json, pointer: &mut String, unknown: &mut Vec<UnknownField>) {
    let length = pointer.len();
    let mut add = |step: &str, value: &Json| {
        push_step(pointer, step);
        made_up(value, pointer, unknown);
        pointer.truncate(length);
    };
    match value {
        Json::Object(fields) => fields.iter().for_each(|(name, it)| add(name, it)),
        Json::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(index, it)| add(&index.to_string(), it));
        }
        Json::String(text) if text == MADE_UP => {
            unknown.push((pointer.clone(), "the API server generates this value".into()));
        }
        _ => {}
    }
}

/// Adds fields of the metadata that an API server sets.
fn set_by_server(object: &Value, is_new: bool, unknown: &mut Vec<UnknownField>) {
    let metadata = object.field("metadata");
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
    let is_absent = |name: &&&str| {
        let value = object.and_then(|it| it.field(name));
        value.is_none_or(|it| it.is_null() || it.as_str() == Some(""))
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
    let version = ["spec", "kubernetes", "version"];
    if is_partial(shoot.at(&version)) {
        add(format!("/{}", version.join("/")));
    }
    for path in [
        ["spec", "dns", "domain"],
        ["spec", "networking", "pods"],
        ["spec", "networking", "services"],
    ] {
        if text(shoot.at(&path)).is_none() {
            add(format!("/{}", path.join("/")));
        }
    }
    // Entries are added to these.
    for pointer in ["/spec/seedSelector", "/spec/tolerations"] {
        add(pointer.to_owned());
    }
    let pools = shoot.at(&["spec", "provider", "workers"]).map_or(&[][..], Value::elements);
    for (index, pool) in pools.iter().enumerate() {
        let at = |field: &str| format!("/spec/provider/workers/{index}{field}");
        let own = pool.at(&["kubernetes", "version"]);
        if own.is_some() && is_partial(own) {
            add(at("/kubernetes/version"));
        }
        if text(pool.at(&["machine", "architecture"])).is_none() {
            add(at("/machine/architecture"));
        }
        match pool.at(&["machine", "image"]) {
            Some(image) if text(image.field("name")).is_some() => {
                if is_partial(image.field("version")) {
                    add(at("/machine/image/version"));
                }
            }
            _ => add(at("/machine/image")),
        }
    }
}

/// Returns the variable `request`; empty fields are omitted, as in Kubernetes.
pub(super) fn request_value(request: &Request<'_>, is_user_known: bool) -> Value {
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
pub(super) fn namespace_value(request: &Request<'_>, garden: &Snapshot) -> Result<Value, String> {
    let name = request.namespace.as_str();
    if name.is_empty() {
        return Ok(Value::Null);
    }
    match garden.namespace(name) {
        Some(metadata) => Ok(of_namespace(metadata)),
        None => Err(no_namespace(name, garden)),
    }
}

fn of_namespace(metadata: &ObjectMeta) -> Value {
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
    for (name, texts) in [("labels", &metadata.labels), ("annotations", &metadata.annotations)] {
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
    if garden.knows_of(Kind::Namespace) {
        format!("the garden has no Namespace `{name}`")
    } else {
        NO_NAMESPACES.to_owned()
    }
}
