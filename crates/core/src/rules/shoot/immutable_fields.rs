// SPDX-License-Identifier: Apache-2.0
use std::collections::HashSet;

use serde::Serialize;
use serde_json::{Value, json};

use crate::admission::{Context, FieldPath, FindingKind, Findings, Help, Update, rule};
use crate::rules::shoot::node_network::{NO_WAY_BACK, mask_sizes};
use garden_gate_model::api::{DNSProvider, Networking, Shoot, ShootSpec, Worker};
use garden_gate_text::json::Json;

rule! {
    page: include_str!("immutable_fields.md"),
    id: "shoot/immutable-fields",
    summary: "rejects changes of immutable fields",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Update] [Itself, Binding]],
    findings: {
        CHANGED = "shoot/immutable-field-changed": "an immutable field is changed",
        REMOVED = "shoot/immutable-field-removed": "an immutable field is removed",
        MODE_SWITCHED = "shoot/worker-mode-switched": "the Shoot is switched to or from workerless or self-hosted mode",
    },
    fixes: Suggestion,
    check: Judge(check),
}

const DEFAULT_SCHEDULER: &str = "default-scheduler";

fn check(context: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let Update { new, old } = shoot;
    let mut fields = Fields { findings };
    if new.metadata.deletion_timestamp.is_none() {
        fields.check_bindings(&new.spec, &old.spec);
        fields.check_zones(&new.spec, &old.spec);
        fields.equal("spec.region", &new.spec.region, &old.spec.region);
        fields.check_dns(&new.spec, &old.spec);
        fields.check_primary_provider(&new.spec, &old.spec);
        fields.check_node_networks(new, old);
        // Adding or removing all workers changes all other fields, too.
        if !fields.check_mode(new, old) {
            fields.check_rest(&new.spec, &old.spec);
            fields.check_families(&new.spec, &old.spec);
            fields.check_control_plane_pool(new, old);
        }
    }
    let is_shoot = !context.request.is_template;
    if is_shoot && new.spec.seed_name.is_some() && tolerance(&old.spec).is_some() {
        let field = "spec.controlPlane.highAvailability.failureTolerance.type";
        fields.equal(field, tolerance(&new.spec), tolerance(&old.spec));
    }
}

struct Fields<'a> {
    findings: &'a mut Findings,
}

impl Fields<'_> {
    fn equal<T: PartialEq + Serialize>(&mut self, field: &'static str, new: T, old: T) {
        if new != old {
            let message = format!("the field is immutable; it was {}", json!(old));
            let field = FieldPath::new(field);
            self.findings
                .invalid(&CHANGED, field, message)
                .value(json!(new))
                .help(Help::restore("put the old value back"));
        }
    }

    fn equal_once_set<T: PartialEq + Serialize>(
        &mut self,
        field: &'static str,
        new: Option<T>,
        old: Option<T>,
    ) {
        if old.is_some() {
            self.equal(field, new, old);
        }
    }

    fn forbid(
        &mut self,
        kind: &'static FindingKind,
        field: &'static str,
        message: &str,
        help: impl Into<Help>,
    ) {
        self.findings.forbid(kind, FieldPath::new(field), message).help(help);
    }

    fn check_rest(&mut self, new: &ShootSpec, old: &ShootSpec) {
        self.equal("spec.provider.type", &new.provider.kind, &old.provider.kind);
        let [scheduler, old_scheduler] = [new, old].map(|spec| {
            let name = spec.scheduler_name.as_deref();
            name.unwrap_or(DEFAULT_SCHEDULER)
        });
        self.equal("spec.schedulerName", scheduler, old_scheduler);
        // An absent section is defaulted to an empty one.
        let empty = Networking::default();
        let [new, old] = [new, old].map(|spec| spec.networking.as_ref().unwrap_or(&empty));
        self.equal("spec.networking.type", &new.kind, &old.kind);
        for (field, new, old) in [
            ("spec.networking.pods", &new.pods, &old.pods),
            ("spec.networking.services", &new.services, &old.services),
        ] {
            self.equal_once_set(field, new.as_ref(), old.as_ref());
        }
    }

    fn check_dns(&mut self, new: &ShootSpec, old: &ShootSpec) {
        let Some(old) = &old.dns else { return };
        match &new.dns {
            None => self.equal("spec.dns", None, Some("set")),
            Some(new) => {
                self.equal_once_set("spec.dns.domain", new.domain.as_ref(), old.domain.as_ref());
            }
        }
    }

    /// Checks that a Shoot with a seed keeps the primary DNS provider of its domain.
    fn check_primary_provider(&mut self, new: &ShootSpec, old: &ShootSpec) {
        let (Some(new_dns), Some(old_dns), Some(_)) = (&new.dns, &old.dns, &new.seed_name) else {
            return;
        };
        let is_primary = |it: &&DNSProvider| it.primary == Some(true);
        let Some(was) = old_dns.providers.iter().find(is_primary) else {
            return;
        };
        let is = new_dns.providers.iter().find(is_primary);
        let message = match (is.map(|it| &it.kind), &was.kind) {
            (None, _) => "the primary DNS provider cannot be removed",
            (Some(None), Some(_)) => "the type of the primary DNS provider cannot be removed",
            (Some(is), Some(_)) if *is != was.kind => {
                "the type of the primary DNS provider is immutable"
            }
            _ => return,
        };
        self.forbid(&CHANGED, "spec.dns.providers", message, Help::restore("put it back"));
    }

    /// Checks that a Shoot only adds IPv6 to IPv4, or removes it again.
    fn check_families(&mut self, new: &ShootSpec, old: &ShootSpec) {
        let families = |spec: &ShootSpec| {
            let families = spec
                .networking
                .as_ref()
                .map(|it| it.ip_families.clone())
                .filter(|it| !it.is_empty());
            families.unwrap_or_else(|| vec!["IPv4".to_owned()])
        };
        let (new, old) = (families(new), families(old));
        let is_one = |it: &[String]| it == ["IPv4"];
        let is_both = |it: &[String]| it == ["IPv4", "IPv6"];
        let is_move = is_one(&new) && is_both(&old) || is_both(&new) && is_one(&old);
        if new != old && !is_move {
            let message = format!("the address families cannot become `{}`", new.join(", "));
            let help = "put the old ones back; only `IPv6` can be added, behind `IPv4`";
            self.forbid(&CHANGED, "spec.networking.ipFamilies", &message, help);
        }
    }

    fn check_control_plane_pool(&mut self, new: &Shoot, old: &Shoot) {
        let (Some(new_pool), Some(old_pool)) = (own_pool(new), own_pool(old)) else {
            return;
        };
        if new_pool.name != old_pool.name {
            let message = "another pool cannot take over the control plane";
            self.forbid(&CHANGED, "spec.provider.workers", message, Help::restore("put it back"));
        }
        let mut pools = new.spec.provider.workers.iter();
        let Some(index) = pools.position(|it| it.name == old_pool.name) else {
            return;
        };
        let [new, old] = [new.spec.provider.workers.get(index), Some(old_pool)].map(backup);
        let Some(old) = old else { return };
        let field = format!("spec.provider.workers[{index}].controlPlane.backup");
        let path = || FieldPath::new("spec.provider.workers").index(index).child("controlPlane");
        let path = path().child("backup");
        let Some(new) = new else {
            let message = format!("`{field}` is immutable");
            self.findings.invalid(&CHANGED, path, message).help(Help::restore("put it back"));
            return;
        };
        for member in ["provider", "region"] {
            if new[member] != old[member] {
                let message = format!("the field is immutable; it was {}", old[member]);
                let field = path.child(member);
                let found = self.findings.invalid(&CHANGED, field, message);
                found.value(new[member].clone()).help(Help::restore("put the old value back"));
            }
        }
    }

    fn check_node_networks(&mut self, new: &Shoot, old: &Shoot) {
        let is_ipv6 = new.networking().has("IPv6");
        let [new, new_ipv6] = mask_sizes(new);
        let [old, old_ipv6] = mask_sizes(old);
        let field = "spec.kubernetes.kubeControllerManager.nodeCIDRMaskSize";
        self.equal(field, new, old);
        let field = "spec.kubernetes.kubeControllerManager.nodeCIDRMaskSizeIPv6";
        if new_ipv6.is_none() && old_ipv6.is_some() && !is_ipv6 {
            let [message, help] = NO_WAY_BACK;
            let found = self.findings.invalid(&CHANGED, FieldPath::new(field), message);
            found.value(json!(new_ipv6)).help(help);
        } else {
            self.equal_once_set(field, new_ipv6, old_ipv6);
        }
    }

    fn check_bindings(&mut self, new: &ShootSpec, old: &ShootSpec) {
        let has_credentials =
            new.credentials_binding_name.as_ref().is_some_and(|name| !name.is_empty());
        if old.credentials_binding_name.is_some() && !has_credentials {
            let message = "the credentials binding cannot be removed once it is there";
            self.forbid(
                &REMOVED,
                "spec.credentialsBindingName",
                message,
                Help::restore("put it back"),
            );
        }
        let moves = old.secret_binding_name.is_some()
            && new.secret_binding_name.is_none()
            && has_credentials;
        if !moves {
            self.equal(
                "spec.secretBindingName",
                &new.secret_binding_name,
                &old.secret_binding_name,
            );
        }
    }

    fn check_zones(&mut self, new: &ShootSpec, old: &ShootSpec) {
        let (new_zones, old_zones) = (zones(new), zones(old));
        if new_zones == old_zones || new_zones.is_empty() {
            return;
        }
        let becomes_zonal = tolerance(old) != Some("zone") && tolerance(new) == Some("zone");
        let extends = becomes_zonal && !old_zones.is_empty();
        let kept: HashSet<&String> = new_zones.iter().collect();
        if extends && old_zones.iter().all(|zone| kept.contains(zone)) {
            return;
        }
        let message = if extends {
            "zones can be added on the way to zone-wide high availability, but none can go"
        } else {
            "the zones of the control plane are immutable"
        };
        self.forbid(
            &CHANGED,
            "spec.controlPlane.zones",
            message,
            Help::restore("put the old zones back"),
        );
    }

    /// Reports whether the Shoot gains or loses its workers.
    fn check_mode(&mut self, new: &Shoot, old: &Shoot) -> bool {
        let field = "spec.provider.workers";
        let workerless = |shoot: &Shoot| shoot.spec.provider.workers.is_empty();
        let message = match (workerless(new), workerless(old)) {
            (true, false) => "a Shoot with workers cannot lose them all",
            (false, true) => "a Shoot without workers cannot get any",
            _ if new.is_self_hosted() != old.is_self_hosted() => {
                "a Shoot cannot change between a control plane of its own and one on a seed"
            }
            _ => return false,
        };
        self.forbid(&MODE_SWITCHED, field, message, "make another Shoot");
        workerless(new) != workerless(old)
    }
}

/// Returns the pool that the control plane runs on.
fn own_pool(shoot: &Shoot) -> Option<&Worker> {
    let mut pools = shoot.spec.provider.workers.iter();
    pools.find(|pool| pool.control_plane.is_some())
}

/// Returns the backup location of a pool's control plane.
fn backup(pool: Option<&Worker>) -> Option<Value> {
    let control_plane = pool?.control_plane.as_ref()?;
    let mut backup = Json::text(control_plane.get()).take(&["backup"]);
    backup.fields()?;
    let mut member = |name: &str| {
        let value = backup.take(&[name]).read::<Value>();
        (name.to_owned(), value.unwrap_or_default())
    };
    Some(["provider", "region"].map(&mut member).into_iter().collect())
}

fn zones(spec: &ShootSpec) -> &[String] {
    let control_plane = spec.control_plane.as_ref();
    control_plane.map_or(&[], |it| &it.zones)
}

fn tolerance(spec: &ShootSpec) -> Option<&str> {
    let availability = spec.control_plane.as_ref()?.high_availability.as_ref()?;
    Some(&availability.failure_tolerance.kind)
}
