use crate::engine::ErrorType::{Forbidden, Invalid, NotSupported, Required};
use crate::engine::{Change, Context, Findings, rule};
use crate::model::CloudProfile;
use crate::rules::form::{
    Facts, MALFORMED, MISSING, Naming, OUT_OF_RANGE, Part, REPEATED, Section, TOO_LONG, UNFITTING,
    UNSUPPORTED, check as check_form, check_labels, check_metadata, check_selector, say,
};

rule! {
    /// ## What it checks
    /// Name and labels are well-formed; there is a provider type, at least one machine type and one region. Machine types, volume types, regions and zones have names, each once; amounts
    /// are not negative; a machine type with storage says its size or the least size; architecture and capabilities of machine types are among those that there are. The selector of seeds
    /// and the certificates are well-formed.
    ///
    /// ## Why
    /// Shoots are made of what stands here.
    ///
    /// ## Applies to
    /// CloudProfiles, on CREATE and UPDATE, in `garden-gate review`: an API server has refused the request before it asks a webhook.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   type: ""   # the provider's
    /// ```
    ///
    /// ## How to fix
    /// Do what the message says.
    ///
    /// ## Gardener
    /// `ValidateCloudProfileSpec` in `pkg/api/core/validation/cloudprofile.go` and the functions that it calls for types and regions, by static validation (422).
    id: "cloudprofile/form",
    summary: "types, regions and names of a CloudProfile",
    phase: Static,
    level: Deny,
    door: Review,
    scopes: [CloudProfile [Create, Update]],
    findings: { MALFORMED, MISSING, OUT_OF_RANGE, REPEATED, TOO_LONG, UNFITTING, UNSUPPORTED },
    check: Judge(check),
}

const SECTIONS: [&[&str]; 5] = [
    &["spec", "type"],
    &["spec", "machineTypes"],
    &["spec", "volumeTypes"],
    &["spec", "regions"],
    &["spec", "caBundle"],
];

fn check(context: &Context<'_>, _: Change<'_, CloudProfile>, findings: &mut Findings) {
    let profile = Part::whole(context.new_opened());
    check_metadata(&profile, Naming::Subdomain, findings);
    for at in SECTIONS {
        let section = Section {
            kind: "CloudProfile",
            at,
            except: &[],
        };
        check_form(section, context.new_opened(), Facts::default(), findings);
    }
    if let Some(selector) = profile.at(&["spec", "seedSelector"]) {
        check_selector(&selector, findings);
    }
    let regions = profile.at(&["spec", "regions"]).map(|it| it.items());
    for region in regions.into_iter().flatten() {
        check_labels(&region, region.path().child("labels"), findings);
    }
    let definitions = profile
        .at(&["spec", "machineCapabilities"])
        .map(|it| it.items());
    let definitions = definitions.unwrap_or_default();
    let types = profile.at(&["spec", "machineTypes"]).map(|it| it.items());
    for machine in types.into_iter().flatten() {
        check_architecture(&machine, &definitions, findings);
        check_capabilities(&machine, &definitions, findings);
        check_storage(&machine, findings);
    }
}

fn check_architecture(machine: &Part<'_>, definitions: &[Part<'_>], findings: &mut Findings) {
    let named = machine.text_at(&["architecture"]);
    let field = machine.path().child("architecture");
    let capable = machine.texts_at(&["capabilities", "architecture"]);
    if definitions.is_empty() {
        // The API server fills in `amd64` where nothing is said, but not where nothing is what is said.
        let is_said = machine.at(&["architecture"]).is_some();
        if named.is_empty() && is_said {
            let message = "the machine type has no architecture";
            say(
                findings,
                (&MISSING, Required),
                field,
                message,
                "use amd64 or arm64",
            );
        }
        if machine
            .at(&["capabilities"])
            .is_some_and(|it| !it.entries().is_empty())
        {
            let message = "the machine type has capabilities, but the profile defines none";
            let field = machine.path().child("capabilities");
            say(
                findings,
                (&UNFITTING, Forbidden),
                field,
                message,
                "define them in `machineCapabilities`",
            );
        }
        return;
    }
    if capable.len() > 1 {
        let message = "the machine type has more than one architecture";
        let field = machine.path().child("capabilities").child("architecture");
        say(findings, (&UNFITTING, Invalid), field, message, "keep one");
    }
    if let [(_, capable)] = &capable[..]
        && !named.is_empty()
        && named != *capable
    {
        let message = format!(
            "the machine type has architecture `{named}`, and `{capable}` among its capabilities"
        );
        say(
            findings,
            (&UNFITTING, Invalid),
            field,
            message,
            "keep one of both",
        );
    }
}

fn check_capabilities(machine: &Part<'_>, definitions: &[Part<'_>], findings: &mut Findings) {
    let path = machine.path().child("capabilities");
    let own = machine.at(&["capabilities"]).map(|it| it.entries());
    for (name, _) in own
        .into_iter()
        .flatten()
        .filter(|_| !definitions.is_empty())
    {
        let Some(defined) = definitions.iter().find(|it| it.text_at(&["name"]) == name) else {
            let message = format!("the profile defines no capability `{name}`");
            let help = "define it in `machineCapabilities`, or remove it";
            say(
                findings,
                (&UNSUPPORTED, NotSupported),
                path.clone(),
                message,
                help,
            );
            continue;
        };
        let values: Vec<String> = defined
            .texts_at(&["values"])
            .into_iter()
            .map(|(_, it)| it)
            .collect();
        for (_, value) in machine
            .texts_at(&["capabilities", &name])
            .iter()
            .filter(|(_, it)| !values.contains(it))
        {
            let index = machine
                .texts_at(&["capabilities", &name])
                .iter()
                .position(|(_, it)| it == value);
            let message = format!("capability `{name}` cannot be `{value}`");
            let field = path.child_called(&name).index(index.unwrap_or_default());
            let help = format!("use one of {}", values.join(", "));
            say(
                findings,
                (&UNSUPPORTED, NotSupported),
                field,
                message,
                &help,
            );
        }
    }
}

/// Also for the types of a NamespacedCloudProfile.
pub(in crate::rules) fn check_storage(machine: &Part<'_>, findings: &mut Findings) {
    let Some(storage) = machine.at(&["storage"]) else {
        return;
    };
    let message = match (storage.at(&["size"]), storage.at(&["minSize"])) {
        (None, None) => "storage has neither `size` nor `minSize`",
        (Some(_), Some(_)) => "storage has both `size` and `minSize`",
        _ => return,
    };
    say(
        findings,
        (&UNFITTING, Invalid),
        storage.path().clone(),
        message,
        "set one of both",
    );
}
