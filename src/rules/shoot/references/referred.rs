use crate::engine::{Change, Context};
use crate::fields::Declared;
use crate::model::{Kind, Shoot};
use crate::rules::shared::references::{Collected, Referred, resources};
use crate::rules::shared::validation::Part;

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

/// All objects that a Shoot of a namespace refers to.
pub(in crate::rules) fn of_shoot(shoot: &Part<'_>, namespace: &str) -> Vec<Referred> {
    let mut all = Collected::new(namespace);
    all.all = resources(shoot, namespace);
    for provider in shoot.items_at(&["spec", "dns", "providers"]) {
        match provider.at(&["credentialsRef"]) {
            None => all.add(DNS, Kind::Secret, provider.at(&["secretName"])),
            reference => all.add_reference(DNS, reference),
        }
    }
    for plugin in shoot.items_at(PLUGINS) {
        all.add(PLUGINS, Kind::Secret, plugin.at(&["kubeconfigSecretName"]));
    }
    for part in [AUTHENTICATION, AUTHORIZATION] {
        let structured = shoot.at(part);
        let name = structured.as_ref().and_then(|it| it.at(&["configMapName"]));
        all.add(part, Kind::ConfigMap, name);
        for kubeconfig in structured
            .iter()
            .flat_map(|it| it.items_at(&["kubeconfigs"]))
        {
            all.add(part, Kind::Secret, kubeconfig.at(&["secretName"]));
        }
    }
    all.all
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
        new.same_as(old, Declared::at("Shoot", part))
    };
    let is_wanted = new.metadata.deletion_timestamp.is_none();
    // A part that is a field of the specification may differ by what is filled in.
    is_wanted && changed.iter().any(is_in) && (part.len() == 2 || !is_same())
}
