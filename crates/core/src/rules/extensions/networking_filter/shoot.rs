// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/apis/config/validation/providerconfig.go` and `pkg/admission/validator/shoot.go` of shoot-networking-filter.

use crate::admission::{Context, FieldPath, Findings, Help, Write, rule};
use crate::rules::extensions::{CommonFindings, JudgedEntry};
use crate::rules::shared::lists::{one_of, short};
use garden_gate_model::api::Shoot;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::networking_filter::{
    EXTENSION, EgressFilter, Filter, FilterList, FilterListSource, NetworkingFilterConfiguration,
    Workers,
};
use garden_gate_text::go::{dns_label_error, is_network};

rule! {
    page: include_str!("shoot.md"),
    id: "networking-filter/shoot",
    summary: "validates the configuration of the extension shoot-networking-filter",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [Shoot [Create, Update]],
    reads: [ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration],
    findings: {
        UNDECODABLE = "networking-filter/undecodable": "the configuration of shoot-networking-filter cannot be decoded",
        FAILURE = "networking-filter/failure": "the admission component of shoot-networking-filter fails",
        INVALID = "networking-filter/invalid": "a value in the configuration of shoot-networking-filter is invalid",
        UNSUPPORTED = "networking-filter/unsupported": "a field of shoot-networking-filter is not supported in Shoots",
    },
    fixes: Suggestion,
    check: Judge(check),
}

const POLICIES: &[&str] = &["BLOCK_ACCESS", "ALLOW_ACCESS"];
/// Maximum length of the name of a worker pool, in bytes.
const LONGEST_POOL: usize = 15;
/// Maximum number of entries of the list before version 0.27.
const OLD_MOST_ENTRIES: usize = 10_000;

fn check(context: &Context<'_>, change: Write<'_, Shoot>, findings: &mut Findings) {
    if change.new.is_workerless() {
        return;
    }
    let common = CommonFindings { undecodable: &UNDECODABLE, failure: &FAILURE };
    let Some(entry) = JudgedEntry::begin(context, &EXTENSION, common, findings) else {
        return;
    };
    let Some(config) = entry.decode::<NetworkingFilterConfiguration>(findings) else {
        return;
    };
    let judge = Judge { version: entry.component.version(), place: entry.place };
    if config.health_check_config.is_some() {
        let field = judge.place.child("healthCheckConfig");
        judge.refuse_field(&field, "healthCheckConfig", findings);
    }
    judge.check_filter(&config.egress_filter, findings);
}

/// The configuration that is checked. All errors are reported for it, whatever their fields are.
struct Judge {
    place: FieldPath,
    version: ExtensionVersion,
}

impl Judge {
    /// Reports an invalid value.
    fn refuse(
        &self,
        at: &FieldPath,
        message: String,
        help: impl Into<Help>,
        findings: &mut Findings,
    ) {
        findings.invalid(&INVALID, self.place.clone(), message).at(at).help(help);
    }

    /// Reports a field that only the configuration of the extension itself can have.
    fn refuse_field(&self, at: &FieldPath, name: &str, findings: &mut Findings) {
        let message = format!("`{name}` is not supported in a Shoot");
        findings
            .invalid(&UNSUPPORTED, self.place.clone(), message)
            .at(at)
            .help(Help::remove(format!("remove `{name}`")));
    }

    fn check_filter(&self, filter: &EgressFilter, findings: &mut Findings) {
        let place = self.place.child("egressFilter");
        for (name, is_set) in [
            ("sleepDuration", filter.sleep_duration.is_some()),
            ("filterListProviderType", !filter.filter_list_provider_type.is_empty()),
            ("downloaderConfig", filter.downloader_config.is_some()),
            ("ensureConnectivity", filter.ensure_connectivity.is_some()),
        ] {
            if is_set {
                self.refuse_field(&place.child(name), name, findings);
            }
        }
        let list = place.child("staticFilterList");
        self.check_list(&filter.static_filter_list, &list, findings);
        if let Some(workers) = &filter.workers {
            self.check_workers(workers, &place.child("workers"), findings);
        }
        if self.version < ExtensionVersion::new(0, 30) {
            return;
        }
        let (project, shoot) =
            (&filter.project_filter_list_source, &filter.shoot_filter_list_source);
        if project.is_some() && shoot.is_some() {
            let message = "`projectFilterListSource` and `shootFilterListSource` are both set";
            self.refuse(&place, message.to_owned(), "keep one of them", findings);
        }
        for (name, source) in
            [("projectFilterListSource", project), ("shootFilterListSource", shoot)]
        {
            if let Some(source) = source {
                self.check_source(source, &place.child(name), findings);
            }
        }
    }

    fn check_list(&self, list: &FilterList, place: &FieldPath, findings: &mut Findings) {
        let most = if self.version < ExtensionVersion::new(0, 27) {
            OLD_MOST_ENTRIES
        } else {
            FilterList::MOST
        };
        if list.count > most {
            let message = format!("the list has {} entries", list.count);
            let help = format!("use at most {most} entries");
            self.refuse(place, message, help, findings);
            return;
        }
        for (index, filter) in list.first.iter().enumerate() {
            self.check_entry(filter, &|| place.index(index), findings);
        }
    }

    fn check_entry(&self, filter: &Filter, place: &dyn Fn() -> FieldPath, findings: &mut Findings) {
        if !is_network(&filter.network) {
            let message = format!("`{}` is not a CIDR", short(&filter.network));
            let help = "write it like `10.0.0.0/8` or `2001:db8::/32`";
            self.refuse(&place().child("network"), message, help, findings);
        }
        if !POLICIES.contains(&filter.policy.as_str()) {
            let message = format!("`{}` is not a policy", short(&filter.policy));
            let help = one_of(&filter.policy, POLICIES);
            self.refuse(&place().child("policy"), message, help, findings);
        }
    }

    fn check_workers(&self, workers: &Workers, place: &FieldPath, findings: &mut Findings) {
        let at = place.child("names");
        if workers.names.is_empty() {
            let message = "there is no name of a worker pool".to_owned();
            let help = "add the name of a worker pool, or remove `workers`";
            self.refuse(&at, message, help, findings);
        }
        for (index, name) in workers.names.iter().enumerate() {
            let why = if name.len() > LONGEST_POOL {
                Some("it has more than 15 bytes")
            } else {
                dns_label_error(name)
            };
            if let Some(why) = why {
                let message = format!("`{}` is not the name of a worker pool: {why}", short(name));
                let help = "use the name of a pool in `spec.provider.workers`";
                self.refuse(&at.index(index), message, help, findings);
            }
        }
    }

    fn check_source(&self, source: &FilterListSource, place: &FieldPath, findings: &mut Findings) {
        if source.name.is_empty() {
            let message = "the name of the Secret is not set".to_owned();
            self.refuse(&place.child("name"), message, "set `name`", findings);
        }
        let namespace = source.namespace.as_str();
        if let Some(why) = dns_label_error(namespace).filter(|_| !namespace.is_empty()) {
            let message = format!("`{}` is not a namespace: {why}", short(namespace));
            let help = "write a DNS label such as `kube-system`, or remove `namespace`";
            self.refuse(&place.child("namespace"), message, help, findings);
        }
    }
}
