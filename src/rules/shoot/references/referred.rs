use crate::compat::Json;
use crate::engine::{Change, Context, FieldPath};
use crate::garden::ObjectKey;
use crate::model::{Kind, Shoot, group_and_version};
use crate::rules::form::Part;

/// An object of its own namespace that a Shoot refers to.
pub(in crate::rules) struct Referred {
    /// The object.
    pub(in crate::rules) key: ObjectKey,
    /// Where the Shoot names it.
    pub(in crate::rules) field: FieldPath,
    /// The part of the Shoot that has to change for the object to be looked for.
    pub(in crate::rules) part: &'static [&'static str],
}

pub(super) const RESOURCES: &[&str] = &["spec", "resources"];
const DNS: &[&str] = &["spec", "dns"];
pub(super) const PLUGINS: &[&str] = &["spec", "kubernetes", "kubeAPIServer", "admissionPlugins"];
const AUTHENTICATION: &[&str] = &[
    "spec",
    "kubernetes",
    "kubeAPIServer",
    "structuredAuthentication",
];
const AUTHORIZATION: &[&str] = &[
    "spec",
    "kubernetes",
    "kubeAPIServer",
    "structuredAuthorization",
];

/// What a Shoot may refer to; an API server refuses other kinds.
const KINDS: [Kind; 3] = [Kind::Secret, Kind::ConfigMap, Kind::WorkloadIdentity];

/// The objects that a Shoot of a namespace refers to, given its JSON.
#[must_use]
pub fn named_in_shoot(namespace: &str, text: &str) -> Vec<ObjectKey> {
    let json = Json::text(text).opened();
    let referred = referred(&Part::whole(&json), namespace);
    referred.into_iter().map(|it| it.key).collect()
}

/// All objects that a Shoot of a namespace refers to.
pub(in crate::rules) fn referred(shoot: &Part<'_>, namespace: &str) -> Vec<Referred> {
    let mut all = Collected {
        namespace,
        all: Vec::new(),
    };
    for resource in items(shoot, RESOURCES) {
        all.add_reference(RESOURCES, resource.at(&["resourceRef"]));
    }
    for provider in items(shoot, &["spec", "dns", "providers"]) {
        match provider.at(&["credentialsRef"]) {
            None => all.add(DNS, Kind::Secret, provider.at(&["secretName"])),
            reference => all.add_reference(DNS, reference),
        }
    }
    for plugin in items(shoot, PLUGINS) {
        all.add(PLUGINS, Kind::Secret, plugin.at(&["kubeconfigSecretName"]));
    }
    for part in [AUTHENTICATION, AUTHORIZATION] {
        let structured = shoot.at(part);
        let name = structured.as_ref().and_then(|it| it.at(&["configMapName"]));
        all.add(part, Kind::ConfigMap, name);
        for kubeconfig in structured.iter().flat_map(|it| items(it, &["kubeconfigs"])) {
            all.add(part, Kind::Secret, kubeconfig.at(&["secretName"]));
        }
    }
    all.all
}

pub(super) fn items<'a>(part: &Part<'a>, path: &[&str]) -> Vec<Part<'a>> {
    let list = part.at(path);
    list.map(|it| it.items()).unwrap_or_default()
}

struct Collected<'a> {
    namespace: &'a str,
    all: Vec<Referred>,
}

impl Collected<'_> {
    fn add(&mut self, part: &'static [&'static str], kind: Kind, name: Option<Part<'_>>) {
        let Some(field) = name else { return };
        let name = field.text().unwrap_or_default();
        if !name.is_empty() {
            self.all.push(Referred {
                key: ObjectKey::new(kind, self.namespace, name),
                field: field.path().clone(),
                part,
            });
        }
    }

    fn add_reference(&mut self, part: &'static [&'static str], reference: Option<Part<'_>>) {
        let Some(reference) = reference else { return };
        let [version, name] = ["apiVersion", "kind"].map(|field| reference.text_at(&[field]));
        let is_meant = |kind: &&Kind| kind.as_str() == name && is_of(**kind, &version);
        if let Some(kind) = KINDS.iter().find(is_meant) {
            self.add(part, *kind, reference.at(&["name"]));
        }
    }
}

fn is_of(kind: Kind, api_version: &str) -> bool {
    group_and_version(api_version) == kind.api()
}

/// Whether what a part of a Shoot refers to has to exist: it is new, or differs from what is stored, and the Shoot is wanted.
pub(super) fn is_looked_for(
    context: &Context<'_>,
    shoot: Change<'_, Shoot>,
    part: &'static [&'static str],
) -> bool {
    let (Some(new), Some(_)) = (shoot.new, shoot.old) else {
        return true;
    };
    let changed = context.changed_fields(new);
    let is_in = |field: &String| part.get(1).is_some_and(|it| it == field);
    let is_same = || {
        let [new, old] = [context.new_opened(), context.old_opened()].map(|it| it.opened_at(part));
        new.same(old)
    };
    let is_wanted = new.metadata.deletion_timestamp.is_none();
    // A part that is a field of the specification may differ by what is filled in.
    is_wanted && changed.iter().any(is_in) && (part.len() == 2 || !is_same())
}
