// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Help, Kind, Write, rule};
use crate::rules::shared::references::registered::{EXTENSION, Registered};
use crate::rules::shared::validation::Part;
use garden_gate_model::api::{Shoot, Worker};

rule! {
    page: include_str!("extensions_unregistered.md"),
    id: "shoot/extensions-unregistered",
    summary: "rejects a Shoot that needs an unregistered extension",
    phase: Admission,
    level: Deny,
    entry_point: Plugin,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [ControllerRegistration],
    only_if: Changed,
    findings: {
        UNREGISTERED = "shoot/extensions-unregistered": "no registered extension supports a type that the Shoot uses",
        WORKERLESS = "shoot/extension-needs-workers": "an extension does not support Shoots without workers",
    },
    fixes: Safe,
    check: Judge(check),
}

/// The kinds of extension resources that a provider needs.
const PROVIDER: [&str; 3] = ["ControlPlane", "Infrastructure", "Worker"];

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let is_same = shoot.old.is_some() && context.changed_fields(new).is_empty();
    if is_same || !context.absence_is_known(Kind::ControllerRegistration) {
        return;
    }
    let Some(registered) = Registered::for_clusters("shoot", context, findings) else {
        return;
    };
    check_extensions(context, new, &registered, findings);
    for (kinds, path, class) in used(context, new) {
        if kinds.iter().any(|kind| !registered.has(kind, &class)) {
            registered.forbid(&UNREGISTERED, (kinds, &class), path, findings);
        }
    }
}

/// A needed extension: the kinds, the field that requires it, and the type.
type Used = (&'static [&'static str], FieldPath, String);

fn used(context: &Context<'_>, shoot: &Shoot) -> Vec<Used> {
    let mut used = Vec::new();
    add_domains(shoot, &mut used);
    if !shoot.spec.provider.workers.is_empty() {
        let json = Part::whole(context.new_opened());
        let network = json.text_at(&["spec", "networking", "type"]);
        let provider = shoot.spec.provider.kind.clone();
        used.push((&PROVIDER, FieldPath::new("spec.provider.type"), provider));
        used.push((&["Network"], FieldPath::new("spec.networking.type"), network));
    }
    for (index, pool) in shoot.spec.provider.workers.iter().enumerate() {
        add_pool(pool, &pool_path(index), &mut used);
    }
    let pools = Part::whole(context.new_opened()).items_at(&["spec", "provider", "workers"]);
    for (index, pool) in pools.iter().enumerate() {
        let class = pool.text_at(&["controlPlane", "exposure", "extension", "type"]);
        let path = pool_path(index).child("controlPlane").child("exposure").child("type");
        used.push((&["SelfHostedShootExposure"], path, class));
    }
    // Other rules report missing required types.
    used.retain(|(_, _, class)| !class.is_empty());
    used
}

fn pool_path(index: usize) -> FieldPath {
    FieldPath::new("spec.provider.workers").index(index)
}

fn add_domains(shoot: &Shoot, used: &mut Vec<Used>) {
    let providers = shoot.spec.dns.iter().flat_map(|dns| &dns.providers);
    for (index, provider) in providers.enumerate() {
        if let Some(class) = provider
            .kind
            .as_deref()
            .filter(|it| *it != "unmanaged" && provider.primary == Some(true))
        {
            let path = FieldPath::new("spec.dns.providers").index(index).child("type");
            used.push((&["DNSRecord"], path, class.to_owned()));
        }
    }
}

fn add_pool(pool: &Worker, path: &FieldPath, used: &mut Vec<Used>) {
    if let Some(image) = &pool.machine.image {
        let at = path.child("machine").child("image").child("name");
        used.push((&["OperatingSystemConfig"], at, image.name.clone()));
    }
    let runtimes = pool.cri.iter().flat_map(|cri| &cri.container_runtimes);
    for (number, runtime) in runtimes.enumerate() {
        let at = path.child("cri").child("containerRuntimes").index(number).child("type");
        used.push((&["ContainerRuntime"], at, runtime.kind.clone()));
    }
}

fn check_extensions(
    context: &Context<'_>,
    shoot: &Shoot,
    registered: &Registered<'_>,
    findings: &mut Findings,
) {
    let workerless = shoot.spec.provider.workers.is_empty();
    let extensions = Part::whole(context.new_opened()).items_at(&["spec", "extensions"]);
    for (index, extension) in extensions.iter().enumerate() {
        let class = extension.text_at(&["type"]);
        let path = FieldPath::new("spec.extensions").index(index).child("type");
        let found: Vec<_> = registered.of(EXTENSION).filter(|it| it.class == class).collect();
        if class.is_empty() {
            continue;
        }
        if found.is_empty() {
            registered.forbid(&UNREGISTERED, (&[EXTENSION], &class), path, findings);
        } else if workerless && found.iter().all(|it| it.workerless_supported != Some(true)) {
            let message = format!("extension `{class}` does not support Shoots without workers");
            findings
                .forbid(&WORKERLESS, path, message)
                .value(class)
                .help(Help::remove("remove the extension, or add workers"));
        }
    }
}
