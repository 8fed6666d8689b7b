use serde_json::{Map, Value, json};

use crate::model::{DEFAULT_SCHEDULER, GARDEN_NAMESPACE, Shoot, Toleration};

/// Defaults a Shoot of `namespace`. Mirrors `pkg/apis/core/v1beta1/defaults_shoot.go`, as far as rules read the result.
pub fn shoot(shoot: &mut Shoot, namespace: &str) {
    if namespace == GARDEN_NAMESPACE {
        super::tolerate_protected(&mut shoot.spec.tolerations);
    }
    let spec = &mut shoot.spec;
    spec.scheduler_name
        .get_or_insert_with(|| DEFAULT_SCHEDULER.to_owned());
    if spec.purpose.is_empty() {
        "evaluation".clone_into(&mut spec.purpose);
    }
    if spec.networking.ip_families.is_empty() {
        spec.networking.ip_families = vec!["IPv4".to_owned()];
    }
    if spec.provider.workers.is_empty() {
        return;
    }
    spec.provider.workers.iter_mut().for_each(super::worker);
    spec.kubernetes.kubelet.get_or_insert_default();
    let proxy = spec.kubernetes.kube_proxy.get_or_insert_default();
    proxy.enabled.get_or_insert(true);
    proxy.mode.get_or_insert_with(|| "IPTables".to_owned());
}

/// Defaults the spec of a Shoot of `namespace`, given as JSON, where a manifest commonly leaves something out.
pub fn shoot_spec_json(spec: &mut Value, namespace: &str) {
    let Some(spec) = spec.as_object_mut() else {
        return;
    };
    let mut fill = |field: &str, value: Value| {
        let field = spec.entry(field).or_insert(Value::Null);
        if field.is_null() {
            *field = value;
        }
    };
    fill("schedulerName", json!(DEFAULT_SCHEDULER));
    fill("purpose", json!("evaluation"));
    if namespace == GARDEN_NAMESPACE
        && let Ok(mut tolerations) = tolerations_of(spec)
    {
        super::tolerate_protected(&mut tolerations);
        spec.insert("tolerations".to_owned(), json!(tolerations));
    }
    let workers = spec
        .get_mut("provider")
        .and_then(|it| it.get_mut("workers"));
    if let Some(Value::Array(workers)) = workers {
        workers.iter_mut().for_each(super::worker_json);
    }
}

fn tolerations_of(spec: &Map<String, Value>) -> serde_json::Result<Vec<Toleration>> {
    let tolerations = spec.get("tolerations").cloned().unwrap_or_default();
    serde_json::from_value::<Option<_>>(tolerations).map(Option::unwrap_or_default)
}

#[cfg(test)]
mod tests {
    use super::shoot;
    use crate::model::{Shoot, Toleration};

    fn defaulted(namespace: &str, tolerations: &[Toleration]) -> Vec<String> {
        let mut object = Shoot::default();
        object.spec.tolerations = tolerations.to_vec();
        shoot(&mut object, namespace);
        object
            .spec
            .tolerations
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn garden_shoots_tolerate_protected_seeds() {
        let protected = "seed.gardener.cloud/protected";
        assert_eq!(defaulted("garden", &[]), [protected]);
        assert_eq!(
            defaulted("garden", &[Toleration::bare(protected)]),
            [protected]
        );
        let with_value = Toleration::with_value(protected, "x");
        assert_eq!(
            defaulted("garden", &[with_value]),
            ["seed.gardener.cloud/protected=x", protected]
        );
    }

    #[test]
    fn other_shoots_are_left_alone() {
        assert!(defaulted("garden-dev", &[]).is_empty());
    }
}
