// SPDX-License-Identifier: Apache-2.0
//! Tests of configuration files: accepted values and error messages.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]
#![expect(clippy::panic, reason = "a test that cannot go on should fail")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::command::{garden_gate, printed};
use crate::folder::folder;
use garden_gate::config_files;
use garden_gate_core::config::{
    self, Checked, Config, ConfigError, ConfigFiles, Exemption, Level, Levels, Profile,
    ServerAdmission, Silencing,
};
use garden_gate_core::rules::known_ids;
use garden_gate_model::api::Toleration;
use jiff::SignedDuration;
use serde_json::Value;
use tempfile::TempDir;

fn read(text: &str) -> Result<Checked, ConfigError> {
    config::read("gate.yaml", text, &known_ids())
}

fn accepted(text: &str) -> Config {
    match read(text) {
        Ok(checked) => checked.config,
        Err(error) => panic!("refused:\n{error}\n--- of\n{text}"),
    }
}

fn refused(text: &str) -> String {
    match read(text) {
        Ok(checked) => panic!("accepted: {text}\nas {:?}", checked.config),
        Err(error) => error.to_string(),
    }
}

#[test]
fn every_setting_may_be_left_out() {
    for text in
        ["", "# nothing yet\n", "{}", "---\n", "rules:\ntolerations:\nexempt:\n", "tolerations: {}"]
    {
        assert_eq!(accepted(text), Config::default(), "{text}");
    }
}

#[test]
fn every_setting_arrives() {
    let config = accepted(
        r#"
apiVersion: garden-gate.dev/v1alpha1
kind: GateConfiguration
profile: gardener
admission: complete
silencing: ignored
rules: {shoot/tolerations-invalid: warn, project/owner-removed: off}
tolerations:
  defaults: [{key: foo}]
  whitelist: [{key: foo}, {key: bar, value: ""}]
featureGates: {InPlaceNodeUpdates: true, LiveControlPlaneMigration: true}
exempt:
  groups: ["system:masters"]
  namespaces: [garden]
  rules:
    project/owner-verb: {users: [alice]}
advice: {expiringWithin: 1d12h, credentialsRotationInterval: 2160h}
"#,
    );
    assert_eq!(config.profile, Profile::Gardener);
    assert_eq!(config.admission, ServerAdmission::Complete);
    assert_eq!(config.silencing, Silencing::Ignored);
    let levels: Vec<_> = config.levels.iter().map(|(id, level)| (id.as_str(), *level)).collect();
    assert_eq!(
        levels,
        [("project/owner-removed", Level::Off), ("shoot/tolerations-invalid", Level::Warn)]
    );
    assert_eq!(config.tolerations.defaults, [Toleration::bare("foo")]);
    assert_eq!(
        config.tolerations.whitelist,
        [Toleration::bare("foo"), Toleration::with_value("bar", "")]
    );
    let gates = config.feature_gates;
    assert!(gates.in_place_node_updates && gates.live_control_plane_migration);
    assert!(!gates.version_classification_lifecycle);
    let all = Exemption {
        groups: vec!["system:masters".into()],
        namespaces: vec!["garden".into()],
        users: vec![],
    };
    assert_eq!(config.exemptions.all, all);
    assert_eq!(config.exemptions.by_rule["project/owner-verb"].users, ["alice"]);
    assert_eq!(config.advice.expiring_within, SignedDuration::from_hours(36));
    assert_eq!(config.advice.credentials_rotation_interval, SignedDuration::from_hours(2160));
}

#[test]
fn a_configuration_may_be_json() {
    let config = accepted(
        r#"{"profile": "gardener", "tolerations": {"whitelist": [{"key": "a", "value": "1"}]}}"#,
    );
    assert_eq!(config.tolerations.whitelist, [Toleration::with_value("a", "1")]);
}

/// In YAML 1.1 a plain `off` is the boolean false.
#[test]
fn off_is_a_level_however_it_is_written() {
    for off in ["off", "\"off\"", "false", "Off"] {
        let config = accepted(&format!("rules: {{project/owner-verb: {off}}}"));
        assert_eq!(config.levels["project/owner-verb"], Level::Off, "{off}");
    }
    for bad in ["on", "true", "0", "[off]", "\"Off\"", "error", "''"] {
        let report = refused(&format!("rules: {{project/owner-verb: {bad}}}"));
        assert!(report.contains("use deny, warn or off"), "{bad}: {report}");
    }
}

/// Returns the level of a finding under `rules`, for a rule with these levels in the profiles.
fn level(rules: &str, profile: &str, finding: &str, levels: Levels) -> Level {
    let config = accepted(&format!("profile: {profile}\nrules: {rules}"));
    config.level("shoot/exposureclass-scheduling", finding, levels)
}

#[test]
fn the_most_specific_level_counts() {
    let (own, other) = ("shoot/exposureclass-scheduling", "shoot/exposureclass-missing");
    let deny = Levels { documented: Level::Deny, gardener: Level::Deny, hardened: Level::Deny };
    let cases = [
        ("{}", own, Level::Deny),
        (r#"{"*": warn}"#, own, Level::Warn),
        (r#"{"*": off}"#, own, Level::Off),
        (r#"{"*": off, "shoot/*": warn}"#, own, Level::Warn),
        (r#"{"*": warn, "shoot/*": deny}"#, own, Level::Deny),
        (r#"{"*": warn, "seed/*": deny}"#, own, Level::Warn),
        (r#"{"seed/*": off}"#, own, Level::Deny),
        (r#"{"*": off, "shoot/*": off, shoot/exposureclass-scheduling: warn}"#, other, Level::Warn),
        (
            "{shoot/exposureclass-scheduling: off, shoot/exposureclass-missing: deny}",
            other,
            Level::Deny,
        ),
        (r#"{"*": warn, shoot/exposureclass-missing: deny}"#, own, Level::Warn),
    ];
    for (rules, finding, expected) in cases {
        let level = level(rules, "documented", finding, deny);
        assert_eq!(level, expected, "{rules}: {finding}");
    }
}

#[test]
fn a_pattern_never_raises_a_level() {
    let advice = Levels { documented: Level::Warn, gardener: Level::Off, hardened: Level::Warn };
    let id = "shoot/exposureclass-scheduling";
    for rules in [r#"{"*": warn}"#, r#"{"*": warn, "shoot/*": deny}"#] {
        assert_eq!(level(rules, "documented", id, advice), Level::Warn);
        assert_eq!(level(rules, "gardener", id, advice), Level::Off);
    }
    let raised = format!("{{\"*\": warn, {id}: deny}}");
    assert_eq!(level(&raised, "gardener", id, advice), Level::Deny);
}

#[test]
fn hardened_profile_has_own_level_and_settings() {
    let config = accepted("profile: hardened\nhardened: {requiredExtensions: [b, a]}");
    assert_eq!(config.profile, Profile::Hardened);
    assert_eq!(config.hardened.required_extensions, ["a", "b"]);
    let only_hardened =
        Levels { documented: Level::Off, gardener: Level::Off, hardened: Level::Warn };
    let id = "shoot/exposureclass-scheduling";
    for (profile, expected) in
        [("documented", Level::Off), ("gardener", Level::Off), ("hardened", Level::Warn)]
    {
        assert_eq!(level("{}", profile, id, only_hardened), expected);
        assert_eq!(profile.parse(), Ok(accepted(&format!("profile: {profile}")).profile));
    }
    assert!("hard".parse::<Profile>().is_err());
}

#[test]
fn a_pattern_that_says_deny_is_an_exception_of_a_wider_one() {
    let idle = [
        (r#"{"*": deny}"#, "`*: deny` changes nothing"),
        (r#"{"shoot/*": deny}"#, "`shoot/*: deny` changes nothing"),
    ];
    for (rules, expected) in idle {
        let warnings = read(&format!("rules: {rules}")).unwrap().warnings;
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].to_string().contains(expected), "{warnings:?}");
    }
    let exception = r#"rules: {"shoot/*": deny, "*": warn, seed/not-found: deny}"#
        .replace("seed/not-found", "project/owner-verb");
    assert_eq!(read(&exception).unwrap().warnings, []);
}

#[test]
fn editors_and_the_reader_accept_the_same_levels() {
    let schema = config::schema(&known_ids());
    let validator = jsonschema::validator_for(&schema).unwrap();
    for key in [
        "*",
        "shoot/*",
        "webhook-config/*",
        "project/owner-verb",
        "project/owner-removed",
        "shot/*",
        "shoot*",
        "shoot/worker-*",
        "*/owner-verb",
        "**",
        "",
        "owner-verb",
    ] {
        for level in ["warn", "loud"] {
            let rules = serde_json::json!({"rules": {key: level}});
            let accepted = read(&rules.to_string()).is_ok();
            assert_eq!(validator.is_valid(&rules), accepted, "{rules}");
        }
    }
}

#[test]
fn each_mistake_is_named_with_its_place() {
    let cases = [
        ("[]", "1:1: error: the file must be a mapping, but is a list"),
        (
            "profile: documentd",
            "1:10: error: `profile` must be `documented` or `gardener` or `hardened`, but is `documentd`\n  help: did you mean `documented`?",
        ),
        (
            "admission: full",
            "1:12: error: `admission` must be `webhook` or `complete`, but is `full`",
        ),
        ("profile: 1", "1:10: error: `profile` must be text, but is `1`\n  help: put it in quotes"),
        (
            "kind: Configuration",
            "1:7: error: `kind` must be `GateConfiguration`, but is `Configuration`",
        ),
        (
            "x: 1",
            "1:1: error: the file has no field `x`\n  help: the fields here are `apiVersion`, `kind`",
        ),
        ("rules: deny", "1:8: error: `rules` must be a mapping, but is `deny`"),
        (
            "rules:\n  owner-verb: deny",
            "2:3: error: no rule or finding has the id `owner-verb`\n  help: did you mean `project/owner-verb`?",
        ),
        (
            r#"rules: {"shot/*": warn}"#,
            "1:9: error: no rule or finding fits the pattern `shot/*`\n  help: did you mean `shoot/*`?",
        ),
        (
            r#"rules: {"shoot/worker-*": warn}"#,
            "1:9: error: no rule or finding fits the pattern `shoot/worker-*`\n  help: write an id, or one of `*`, `admission-controller/*`, `advice/*`, ",
        ),
        (
            "rules:\n  *: warn",
            "2:4: error: while scanning an alias, did not find expected alphabetic or numeric character\n  help: put what begins with `*` in quotes: `\"*\"`",
        ),
        (
            "rules: {a/b: deny, a/b: warn}",
            "1:20: error: key `a/b` is set twice, first at 1:9; keep one",
        ),
        (
            "tolerations: {defaults: [foo]}",
            "1:26: error: `tolerations.defaults[0]` must be a mapping, but is `foo`",
        ),
        ("tolerations: {whitelist: [{value: x}]}", "1:27: error: a toleration needs a key"),
        (
            "tolerations: {whitelist: [{key: a b}]}",
            "1:33: error: toleration key `a b` is not a label key",
        ),
        (
            "tolerations: {whitelist: [{key: a, value: '-'}]}",
            "1:43: error: toleration value `-` is not a label value",
        ),
        (
            "tolerations: {whitelist: [{key: a}, {key: a, value: x}]}",
            "1:37: error: toleration `a=x` repeats an earlier entry",
        ),
        (
            "featureGates: {ShootForceDeletion: true}",
            "1:16: error: `featureGates` has no field `ShootForceDeletion`\n  help: the fields here are `CloudProfileCapabilities`, `DisableNginxIngressInShoot`, `InPlaceNodeUpdates`",
        ),
        (
            "featureGates: {InPlaceNodeUpdates: 1}",
            "1:36: error: `featureGates.InPlaceNodeUpdates` must be true or false, but is `1`",
        ),
        ("exempt: {namespaces: ['']}", "1:23: error: `exempt.namespaces[0]` is empty"),
        ("exempt: {users: [a, a]}", "1:21: error: `a` is listed twice"),
        (
            "exempt: {rules: {project/owner-removed: {}}}",
            "1:18: error: `project/owner-removed` is the id of a finding",
        ),
        (
            "exempt: {rules: {project/owner-verb: {rules: {}}}}",
            "1:39: error: `exempt.rules.project/owner-verb` has no field `rules`",
        ),
        (
            "advice: {expiringWithin: 30}",
            "1:26: error: `advice.expiringWithin` must be a duration, but is `30`\n  help: write it as `30d`",
        ),
        (
            "advice: {expiringWithin: 1month}",
            "1:26: error: `1month` is not a duration\n  help: write it as `30d`",
        ),
        ("advice: {expiringWithin: 1000000d}", "1:26: error: `1000000d` is longer than 36500d"),
        (
            "advice: {credentialsRotationInterval: 23h59m}",
            "1:39: error: `23h59m` is shorter than 24h\n  help: write at least `1d`",
        ),
        ("hardened: {requiredExtensions: [a, a]}", "1:36: error: `a` is listed twice"),
        (
            "hardened: {requiredExtension: [a]}",
            "1:12: error: `hardened` has no field `requiredExtension`",
        ),
        (
            "plan: {durations: {machineCreation: {best: -1m}}}",
            "error: `-1m` is not a duration\n  help: write it as `90s`, `4m` or `1h30m`",
        ),
        (
            "plan: {durations: {machineCreation: {best: 4}}}",
            "error: `plan.durations.machineCreation.best` must be a duration, but is `4`",
        ),
        (
            "plan: {durations: {machineCreation: {worst: 9999d}}}",
            "error: `plan.durations.machineCreation.worst` is longer than 30d",
        ),
        ("plan: {durations: {machineCreation: {best: .nan}}}", "error: `.nan` has no form in JSON"),
        (
            "plan: {durations: {machineRemoval: {best: 5m, worst: 4m}}}",
            "1:20: error: `best` of `plan.durations.machineRemoval` is longer than `worst`\n  help: order the durations",
        ),
        (
            "plan: {prices: {currency: EUR, machineTypes: {a: -0.1}}}",
            "1:50: error: `plan.prices.machineTypes.a` is not between 0 and 1000000\n  help: write the price per hour, such as 0.096",
        ),
        (
            "plan: {prices: {currency: EUR, machineTypes: {a: 1e300}}}",
            "error: `plan.prices.machineTypes.a` is not between 0 and 1000000",
        ),
        (
            "plan: {prices: {currency: EUR, machineTypes: {a: .nan}}}",
            "error: `.nan` has no form in JSON",
        ),
        (
            "plan: {prices: {machineTypes: {a: 1}}}",
            "error: `plan.prices` has no `currency`\n  help: set it, such as `currency: EUR`",
        ),
        (
            "plan: {prices: {currency: euros}}",
            "error: `plan.prices.currency` is not a currency code",
        ),
        (
            "profile: gardener\n---\nprofile: gardener\n",
            "3:1: error: a second document begins here",
        ),
        ("rules: {", "error: "),
    ];
    for (text, expected) in cases {
        let report = refused(text);
        assert!(
            report.starts_with("gate.yaml:") && report.contains(expected),
            "{text}\nexpected {expected}\ngot {report}"
        );
    }
}

#[test]
fn all_mistakes_are_reported_in_one_run() {
    insta::assert_snapshot!(refused(include_str!("../config/ten_mistakes.yaml")));
}

#[test]
fn wrong_types_are_reported_in_one_run() {
    insta::assert_snapshot!(refused(include_str!("../config/wrong_types.yaml")));
}

#[test]
fn wrong_values_are_reported_in_one_run() {
    insta::assert_snapshot!(refused(include_str!("../config/wrong_values.yaml")));
}

#[test]
fn a_report_ends_after_a_hundred_problems() {
    let unknown: String = (0..20_000).map(|n| format!("  shoot/unknown-{n}: deny\n")).collect();
    let report = refused(&format!("rules:\n{unknown}"));
    assert_eq!(report.matches(": error: ").count(), 101);
    assert!(report.contains("there are more mistakes"), "{report}");
}

#[test]
fn a_problem_is_one_line_of_bearable_length() {
    let long = "x".repeat(1_000_000);
    let texts = [
        format!("{long}: 1"),
        format!("rules: {{\"{long}\": deny, \"a\\nb\": deny}}"),
        format!("exempt: {{rules: {{\"{long}\": {{users: [1, 2, 3]}}}}}}"),
        format!("exempt: {{users: [\"{long}\", \"{long}\"]}}"),
        format!("tolerations: {{whitelist: [{{key: \"{long}\"}}, {{key: \"a\\nb\"}}]}}"),
        format!("profile: {long}"),
        format!("advice: {{expiringWithin: {long}}}"),
    ];
    for text in texts {
        let Err(ConfigError::Mistakes(problems)) = read(&text) else {
            panic!("accepted: {}", &text[..50]);
        };
        for problem in problems {
            let message = problem.message;
            assert!(message.len() < 2_000 && !message.contains('\n'), "{message}");
        }
    }
}

#[test]
fn no_part_of_a_file_makes_the_reader_panic() {
    for text in
        [include_str!("../config/ten_mistakes.yaml"), include_str!("../config/admission.yaml")]
    {
        for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
            let _either = (read(&text[..end]), read(&text[end..]));
        }
    }
}

#[test]
fn a_default_that_is_not_whitelisted_is_a_warning() {
    let cases = [
        ("{defaults: [{key: a}]}", 1),
        ("{defaults: [{key: a}], whitelist: [{key: a, value: x}]}", 1),
        ("{defaults: [{key: a, value: x}], whitelist: [{key: a, value: other}]}", 1),
        ("{defaults: [{key: a, value: x}], whitelist: [{key: a, value: x}]}", 0),
        ("{defaults: [{key: a, value: x}], whitelist: [{key: a}]}", 0),
    ];
    for (lists, expected) in cases {
        let warnings = read(&format!("tolerations: {lists}")).unwrap().warnings;
        assert_eq!(warnings.len(), expected, "{lists}: {warnings:?}");
        for warning in warnings {
            let text = warning.to_string();
            assert!(
                text.starts_with("gate.yaml:1:26: warning: ")
                    && text.contains("config/toleration-default-not-whitelisted"),
                "{text}"
            );
        }
    }
}

struct Files {
    folder: TempDir,
}

impl Files {
    fn new(files: &[(&str, &str)]) -> Self {
        Self { folder: folder(files) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Loads `gate.yaml` and `admission.yaml`, if they exist.
    fn load(&self) -> Result<Checked, ConfigError> {
        let existing = |name| Some(self.path(name)).filter(|path| path.exists());
        let files = ConfigFiles {
            config: existing("gate.yaml"),
            admission_config: existing("admission.yaml"),
        };
        config_files::load(&files, &known_ids())
    }

    /// Returns the error messages without the folder's name.
    fn report(&self) -> String {
        let error = self.load().unwrap_err().to_string();
        error.replace(&format!("{}/", self.folder.path().display()), "")
    }
}

const PLUGIN: &str = "
apiVersion: shoottolerationrestriction.admission.gardener.cloud/v1alpha1
kind: Configuration
whitelist: [{key: from-gardener}]
";

#[test]
fn gardeners_own_file_gives_the_toleration_lists() {
    let files = Files::new(&[
        ("admission.yaml", include_str!("../config/admission.yaml")),
        ("gate.yaml", "profile: gardener"),
    ]);
    let checked = files.load().unwrap();
    assert_eq!(checked.config.profile, Profile::Gardener);
    assert_eq!(checked.config.tolerations.defaults, [Toleration::bare("foo")]);
    assert_eq!(
        checked.config.tolerations.whitelist,
        [Toleration::bare("foo"), Toleration::with_value("bar", "baz")]
    );
    assert_eq!(checked.files, [files.path("gate.yaml"), files.path("admission.yaml")]);
    assert_eq!(checked.warnings, []);
}

fn admission(plugins: &str) -> String {
    format!(
        "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n{plugins}\n"
    )
}

#[test]
fn plugins_file_is_found_next_to_gardeners_file() {
    let text = admission("- name: ShootTolerationRestriction\n  path: plugins/tolerations.yaml");
    let files = Files::new(&[("admission.yaml", &text), ("plugins/tolerations.yaml", PLUGIN)]);
    let checked = files.load().unwrap();
    assert_eq!(checked.config.tolerations.whitelist, [Toleration::bare("from-gardener")]);
    assert_eq!(
        checked.files,
        [files.path("admission.yaml"), files.path("plugins/tolerations.yaml")]
    );
}

#[test]
fn a_plugins_file_that_cannot_be_read_is_a_mistake_where_it_is_named() {
    let text = admission("- name: ShootTolerationRestriction\n  path: gone.yaml");
    let report = Files::new(&[("admission.yaml", &text)]).report();
    assert!(
        report.starts_with("admission.yaml:5:9: error: failed to read `gone.yaml`: No such file"),
        "{report}"
    );
}

#[test]
fn mistakes_in_all_files_are_reported_together() {
    let text = admission("- name: ShootTolerationRestriction\n  path: plugin.yaml");
    let plugin = PLUGIN.replace("whitelist", "whitelisted");
    let files = Files::new(&[
        ("gate.yaml", "profile: x"),
        ("admission.yaml", &text),
        ("plugin.yaml", &plugin),
    ]);
    let report = files.report();
    assert!(report.contains("gate.yaml:1:10: error: `profile`"), "{report}");
    assert!(
        report.contains("plugin.yaml:4:1: error: the file has no field `whitelisted`"),
        "{report}"
    );
}

#[test]
fn toleration_lists_in_both_files_are_refused() {
    let own = "profile: gardener\ntolerations: {whitelist: [{key: own}]}\n";
    let report = Files::new(&[
        ("gate.yaml", own),
        ("admission.yaml", include_str!("../config/admission.yaml")),
    ])
    .report();
    assert_eq!(
        report,
        "gate.yaml:2:1: error: toleration lists are given here and in `admission.yaml`\n  help: keep one of the two"
    );
}

#[test]
fn a_file_without_the_plugin_leaves_the_gates_own_lists() {
    let text = admission("- name: ResourceQuota\n  path: elsewhere.yaml");
    let own = "tolerations: {whitelist: [{key: own}]}";
    let checked = Files::new(&[("gate.yaml", own), ("admission.yaml", &text)]).load().unwrap();
    assert_eq!(checked.config.tolerations.whitelist, [Toleration::bare("own")]);
    assert!(
        checked.warnings[0]
            .message
            .contains("no entry for the plugin `ShootTolerationRestriction`")
    );
}

#[test]
fn mistakes_in_gardeners_file_are_refused() {
    let inner = "apiVersion: shoottolerationrestriction.admission.gardener.cloud/v1alpha1, kind: Configuration";
    let entry = |configuration: &str| {
        admission(&format!(
            "- name: ShootTolerationRestriction\n  configuration: {{{configuration}}}"
        ))
    };
    let cases = [
        (String::new(), "admission.yaml:1:1: error: the file is empty"),
        (
            PLUGIN.to_owned(),
            "admission.yaml:2:13: error: `apiVersion` must be `apiserver.config.k8s.io/v1` or ",
        ),
        (
            "plugins: []".to_owned(),
            "admission.yaml:1:1: error: `apiVersion` is missing\n  help: it is `apiserver.config.k8s.io/v1`",
        ),
        (
            admission("  name: ShootTolerationRestriction"),
            "admission.yaml:3:1: error: `plugins` must be a list, but is a mapping",
        ),
        (entry("whitelist: []"), "admission.yaml:5:3: error: `apiVersion` is missing"),
        (
            entry(&format!("{inner}, whitelist: [{{key: a}}, {{key: a}}]")),
            ": error: toleration `a` repeats an earlier entry",
        ),
        (
            entry(&format!("{inner}, default: []")),
            "has no field `default`\n  help: did you mean `defaults`?",
        ),
        (
            admission("- name: ShootTolerationRestriction\n  path: [a]"),
            "admission.yaml:5:3: error: `plugins[0].path` must be text, but is a list",
        ),
    ];
    for (text, expected) in cases {
        let report = Files::new(&[("admission.yaml", &text)]).report();
        assert!(report.contains(expected), "{text}\nexpected {expected}\ngot {report}");
    }
}

#[test]
fn a_file_that_is_too_large_is_not_read() {
    let files = Files::new(&[("gate.yaml", &"#".repeat(5 << 20))]);
    let Err(ConfigError::ReadFile { source, .. }) = files.load() else {
        panic!("accepted");
    };
    assert!(source.to_string().contains("larger than 4 MiB"), "{source}");
}

/// Returns the fields of the object at `pointer` of the schema.
fn fields_of_schema(schema: &Value, pointer: &str) -> BTreeSet<String> {
    schema.pointer(pointer).unwrap()["properties"].as_object().unwrap().keys().cloned().collect()
}

/// Returns the fields that the parser accepts, where `{}` in `text` is a mapping.
fn fields_of_reader(text: &str) -> BTreeSet<String> {
    let report = refused(&text.replace("{}", "{zzzzzzzzzzzzzzzz: 1}"));
    let list = report.split_once("the fields here are ").unwrap().1.lines().next().unwrap();
    list.split(", ").map(|field| field.trim_matches('`').to_owned()).collect()
}

#[test]
fn schema_and_reader_know_the_same_fields() {
    let schema = config::schema(&known_ids());
    let shapes = [
        ("", "{}"),
        ("/$defs/Tolerations", "tolerations: {}"),
        ("/$defs/Toleration", "tolerations: {whitelist: [{}]}"),
        ("/$defs/FeatureGates", "featureGates: {}"),
        ("/$defs/Extension", "extensions: {cilium: {}}"),
        ("/$defs/ResourceLimit", "resourceLimits: [{}]"),
        ("/$defs/Exempt", "exempt: {}"),
        ("/$defs/ExemptFromRule", "exempt: {rules: {project/owner-verb: {}}}"),
        ("/$defs/Advice", "advice: {}"),
        ("/$defs/Hardened", "hardened: {}"),
        ("/$defs/Plan", "plan: {}"),
        ("/$defs/Durations", "plan: {durations: {}}"),
        ("/$defs/StepDurations", "plan: {durations: {machineCreation: {}}}"),
        ("/$defs/Prices", "plan: {prices: {}}"),
        ("/$defs/Scheduler", "scheduler: {}"),
        ("/$defs/Review", "review: {}"),
        ("/$defs/PerPath", "review: {perPath: [{}]}"),
    ];
    for (pointer, text) in shapes {
        assert_eq!(fields_of_schema(&schema, pointer), fields_of_reader(text), "{text}");
    }
    let objects =
        schema["$defs"].as_object().unwrap().values().filter(|def| def["type"] == "object");
    assert_eq!(objects.count() + 1, shapes.len(), "a shape of the schema is not compared");
}

fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/config").join(name).display().to_string()
}

#[test]
fn config_check_reports_by_exit_code() {
    let files = Files::new(&[("gate.yaml", "profile: gardener")]);
    let good = files.path("gate.yaml").display().to_string();
    let (bad, admission) = (example("ten_mistakes.yaml"), example("admission.yaml"));
    let cases: [(&[&str], i32, &str); 5] = [
        (&["config", "check", &good], 0, "ok\n"),
        (&["config", "check", &good, "--admission-config", &admission], 0, "ok\n"),
        (&["config", "check", &bad], 1, "ten_mistakes.yaml:"),
        (&["config", "check", "/does/not/exist"], 2, ""),
        (&["config", "check"], 2, ""),
    ];
    for (arguments, code, stdout) in cases {
        let (ended, text, complaints) = printed(garden_gate(arguments).output().unwrap());
        assert_eq!(ended, Some(code), "{arguments:?}");
        assert!(text.contains(stdout), "{arguments:?}: {text}");
        assert_eq!(
            complaints.lines().count(),
            usize::from(code == 2),
            "{arguments:?}: {complaints}"
        );
    }
}

#[test]
fn config_check_without_file_finds_configuration_above() {
    let files = folder(&[
        (".garden-gate.yaml", "profile: gardener"),
        ("shoots/prod/web.yaml", ""),
        ("broken/.garden-gate.yaml", "profile: unheard-of"),
    ]);
    let check = |below: &str| {
        let mut command = garden_gate(&["config", "check"]);
        printed(command.current_dir(files.path().join(below)).output().unwrap())
    };
    let (code, out, err) = check("shoots/prod");
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.ends_with(".garden-gate.yaml: ok\n"), "{out}");
    let (code, out, _) = check("broken");
    assert_eq!(code, Some(1));
    assert!(out.contains(".garden-gate.yaml:1:"), "{out}");
}

#[test]
fn config_check_without_configuration_names_ways_out() {
    let (code, out, err) =
        printed(garden_gate(&["config", "check"]).current_dir("docs").output().unwrap());
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains("name a FILE, or create one with `garden-gate init`"), "{err}");
}
