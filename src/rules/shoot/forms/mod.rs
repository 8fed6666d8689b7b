//! A Shoot's fields by themselves: what the API server refuses before it asks a webhook, so only `review` does.

rules! {
    RULES:
    removed_fields,
    metadata_malformed,
    identity,
    project_membership,
    networking_form,
    dns_form,
    pools_form,
    pools_as_a_whole,
    self_hosted_form,
    kubelet_form,
    kubernetes_form,
    api_server_form,
    maintenance_form,
    extensions_form,
    feature_gates,
    admission_plugins,
    runtime_config,
    status_form,
}

pub(in crate::rules) use self::feature_gates::{gated, gates};
use crate::engine::{Change, Context};
use crate::model::Shoot;
use crate::rules::form::{Facts, Part};

/// The new Shoot as it was received, with what its fields depend on.
fn received<'c, 's>(
    context: &'c Context<'_>,
    shoot: Change<'s, Shoot>,
) -> Option<(&'s Shoot, Part<'c>, Facts<'s>)> {
    let new = shoot.new?;
    Some((new, Part::whole(context.new_opened()), Facts::of(new)))
}

/// The worker pools as they were received.
fn pools<'a>(shoot: &Part<'a>) -> Vec<Part<'a>> {
    shoot.items_at(&["spec", "provider", "workers"])
}

/// The kubelet settings of the worker pools that say anything of Kubernetes, with the version of their nodes: a pool's own, or the
/// Shoot's as if they stood there.
fn kubelets<'a>(new: &'a Shoot, shoot: &Part<'a>) -> Vec<(Part<'a>, &'a str)> {
    let common = shoot.at(&["spec", "kubernetes", "kubelet"]);
    let pools = pools(shoot).into_iter().zip(&new.spec.provider.workers);
    let kubelets = pools.filter_map(|(pool, typed)| {
        let own = pool.at(&["kubernetes"])?;
        let inherited = || Some(common.clone()?.moved_to(own.path().child("kubelet")));
        let kubelet = own.at(&["kubelet"]).or_else(inherited)?;
        Some((kubelet, new.version_of(typed)))
    });
    kubelets.collect()
}
