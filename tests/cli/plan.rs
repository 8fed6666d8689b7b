// SPDX-License-Identifier: Apache-2.0
//! Tests of `garden-gate plan` with the built program.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::change::Folder;
use crate::command::{garden_gate, printed};
use crate::folder::{folder, write};

pub(crate) const AT: [&str; 3] = ["--no-config", "--at", "2026-12-01T00:00:00Z"];

/// A CloudProfile with a machine type.
pub(crate) const PROFILE: &str = r"
apiVersion: core.gardener.cloud/v1beta1
kind: CloudProfile
metadata: {name: stratus}
spec:
  type: aws
  kubernetes: {versions: [{version: 1.35.2}, {version: 1.34.1}]}
  machineImages: [{name: linux, versions: [{version: 1.0.0, cri: [{name: containerd}], architectures: [amd64]}]}]
  machineTypes:
  - {name: small, cpu: '2', gpu: '0', memory: 8Gi, architecture: amd64}
  - {name: large, cpu: '8', gpu: '1', memory: 32Gi, architecture: amd64}
  regions: [{name: north, zones: [{name: x}, {name: 'y'}, {name: z}]}]
";

/// Returns a Shoot with these pools.
pub(crate) fn shoot(name: &str, pools: &[Value]) -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": {"name": name, "namespace": "garden-dev"},
        "spec": {
            "cloudProfile": {"kind": "CloudProfile", "name": "stratus"},
            "region": "north",
            "credentialsBindingName": "account",
            "kubernetes": {"version": "1.34.1"},
            "networking": {"type": "calico"},
            "provider": {"type": "aws", "workers": pools},
            "maintenance": {"timeWindow": {"begin": "220000+0100", "end": "230000+0100"}},
        },
    })
}

/// Returns a pool whose minimum is its maximum.
pub(crate) fn pool(name: &str, machines: i64, zones: &[&str]) -> Value {
    json!({
        "name": name,
        "machine": {"type": "small", "image": {"name": "linux", "version": "1.0.0"}, "architecture": "amd64"},
        "cri": {"name": "containerd"},
        "minimum": machines, "maximum": machines, "maxSurge": 1, "maxUnavailable": 0,
        "zones": zones,
    })
}

/// Returns a value with other values at JSON pointers, which may be new fields of existing objects.
pub(crate) fn with(value: &Value, changes: &[(&str, Value)]) -> Value {
    let mut value = value.clone();
    for (pointer, change) in changes {
        let (parent, field) = pointer.rsplit_once('/').unwrap();
        value.pointer_mut(parent).unwrap()[field] = change.clone();
    }
    value
}

/// Returns a folder with old and new Shoots.
fn change(shoots: &[(Value, Value)]) -> TempDir {
    let folder = folder(&[("garden/profile.yaml", PROFILE), ("old/.keep", ""), ("new/.keep", "")]);
    for (index, (old, new)) in shoots.iter().enumerate() {
        for (state, shoot) in [("old", old), ("new", new)] {
            if !shoot.is_null() {
                let name = format!("{state}/{index:04}.yaml");
                write(folder.path(), &name, &serde_json::to_string_pretty(shoot).unwrap());
            }
        }
    }
    folder
}

fn plan_in(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = garden_gate(&["plan", "new", "--old", "old", "--garden", "garden"]);
    printed(command.args(AT).args(arguments).current_dir(folder.path()).output().unwrap())
}

fn plan(shoots: &[(Value, Value)], format: &str) -> (Option<i32>, String) {
    let (code, out, _) = plan_in(&change(shoots), &["--format", format]);
    (code, out)
}

fn json_of(shoots: &[(Value, Value)]) -> (Option<i32>, Value) {
    let (code, out) = plan(shoots, "json");
    (code, serde_json::from_str(&out).unwrap_or_else(|_| unreachable!("{out}")))
}

/// Returns a Shoot with the pools of the example in `docs/explanation/rolling-updates.md`.
fn example(name: &str) -> (Value, Value) {
    let old = shoot(name, &[pool("a", 6, &["x"]), pool("b", 6, &["x", "y", "z"])]);
    let new = with(
        &old,
        &[
            ("/spec/provider/workers/0/machine/type", json!("large")),
            ("/spec/provider/workers/1/machine/type", json!("large")),
        ],
    );
    (old, new)
}

/// Returns the change of one pool by these values.
fn of_pool(old: &Value, changes: &[(&str, Value)]) -> (Value, Value) {
    (shoot("web", std::slice::from_ref(old)), shoot("web", &[with(old, changes)]))
}

fn rolled(changes: &[(&str, Value)]) -> (Value, Value) {
    let old = with(&pool("a", 3, &["x"]), changes);
    of_pool(&old, &[("/machine/type", json!("large"))])
}

fn headline(shoots: &[(Value, Value)]) -> String {
    let (_, plan) = json_of(shoots);
    plan["headline"].as_str().unwrap().to_owned()
}

#[rstest]
#[case("text")]
#[case("json")]
#[case("markdown")]
fn plan_of_a_shoot(#[case] format: &str) {
    let (_, out) = plan(&[example("web")], format);
    insta::assert_snapshot!(format, out);
}

/// The numbers of `docs/explanation/rolling-updates.md`.
#[test]
fn example_of_the_documentation_is_planned() {
    let expected = "12 machines in 2 pools are replaced in 6 waves, 18 min to 1 h, at worst 14 h 36; 2 extra machines at a time";
    assert_eq!(headline(&[example("web")]), expected);
    let page = std::fs::read_to_string("docs/explanation/rolling-updates.md").unwrap();
    assert!(page.contains(expected));
    let (_, plan) = json_of(&[example("web")]);
    let pools = plan["shoots"][0]["pools"].as_array().unwrap();
    let keeps: Vec<&Value> = pools.iter().map(|it| &it["keepsMinimum"]).collect();
    assert_eq!(keeps, [&json!(true), &json!(false)]);
    assert_eq!(plan["extraResources"], json!({"cpu": "16", "memory": "64Gi", "gpu": "2"}));
}

#[rstest]
#[case("text", 100)]
#[case("markdown", 100)]
#[case("text", 3000)]
fn equal_plans_are_listed_once(#[case] format: &str, #[case] count: usize) {
    let mut shoots: Vec<(Value, Value)> =
        (0..count).map(|index| example(&format!("web-{index:04}"))).collect();
    shoots.extend((0..30).map(|index| {
        let machines = json!(index + 4);
        let old = shoot(&format!("odd-{index:02}"), &[pool("a", 3, &["x"])]);
        let size = [
            ("/spec/provider/workers/0/minimum", machines.clone()),
            ("/spec/provider/workers/0/maximum", machines),
        ];
        (old.clone(), with(&old, &size))
    }));
    let (_, out) = plan(&shoots, format);
    insta::assert_snapshot!(format!("{format}-of-{count}"), out);
    assert!(out.lines().count() < 400, "{out}");
}

#[rstest]
#[case::no_zones(&[("/zones", json!([]))], "3 machines in 1 pool are replaced in 3 waves, 9 min to 30 min, at worst 7 h 18; 1 extra machine at a time")]
#[case::unknown_number(&[("/maximum", json!(5))], "3 to 5 machines in 1 pool are replaced in 3 to 5 waves, 9 min to 50 min, at worst 12 h 10; 1 extra machine at a time")]
#[case::no_machines(&[("/minimum", json!(0)), ("/maximum", json!(0)), ("/maxSurge", json!("10%"))], "no machine is replaced, created, deleted or updated in place")]
#[case::percent_of_nothing(&[("/maxSurge", json!("0%"))], "3 machines in 1 pool are replaced in 3 waves, 9 min to 30 min, at worst 7 h 18")]
#[case::all_percent(&[("/maxSurge", json!("100%"))], "3 machines in 1 pool are replaced in 1 wave, 3 min to 10 min, at worst 2 h 26; 3 extra machines at a time")]
#[case::more_percent(&[("/maxSurge", json!("1000%"))], "3 machines in 1 pool are replaced in 1 wave, 3 min to 10 min, at worst 2 h 26; 3 extra machines at a time")]
#[case::largest(&[("/minimum", json!(0)), ("/maximum", json!(i32::MAX))], "up to 2,147,483,647 machines in 1 pool are replaced in up to 2,147,483,647 waves, up to more than 10 years; up to 1 extra machine at a time")]
#[case::timeouts(&[("/machineControllerManager", json!({"machineDrainTimeout": "10m", "machineCreationTimeout": "5m"}))], "3 machines in 1 pool are replaced in 3 waves, 9 min to 30 min, at worst 1 h 03; 1 extra machine at a time")]
#[case::in_place(&[("/updateStrategy", json!("AutoInPlaceUpdate")), ("/maxSurge", json!(0)), ("/maxUnavailable", json!(1))], "no machine is replaced, created, deleted or updated in place")]
fn replaced_pools(#[case] changes: &[(&str, Value)], #[case] expected: &str) {
    assert_eq!(headline(&[rolled(changes)]), expected);
}

#[rstest]
#[case::automatic("AutoInPlaceUpdate", &[("/maxSurge", json!(0)), ("/maxUnavailable", json!(1))], "3 machines in 1 pool are updated in place in 3 waves, 12 min to 42 min, at worst 7 h 12")]
#[case::surge("AutoInPlaceUpdate", &[("/maxSurge", json!(1))], "1 machine in 1 pool is replaced in 2 waves, 2 in 1 pool are updated in place in 2 waves")]
#[case::manual("ManualInPlaceUpdate", &[("/maxSurge", json!(0))], "3 machines wait for a selection of their nodes")]
fn pools_updated_in_place(
    #[case] strategy: &str,
    #[case] changes: &[(&str, Value)],
    #[case] expected: &str,
) {
    let old = with(&with(&pool("a", 3, &["x"]), changes), &[("/updateStrategy", json!(strategy))]);
    let image = [("/machine/image/version", json!("2.0.0"))];
    let line = headline(&[of_pool(&old, &image)]);
    assert!(line.starts_with(expected), "{line}");
}

#[rstest]
#[case::negative_surge(&[("/maxSurge", json!(-1))], "maxSurge `-1` is neither a number of machines nor a percentage")]
#[case::no_percentage(&[("/maxSurge", json!("many"))], "maxSurge `many` is neither")]
#[case::swapped(&[("/minimum", json!(4))], "minimum 4 is above its maximum 3")]
#[case::negative(&[("/minimum", json!(-2_147_483_648_i64))], "minimum `-2147483648` is negative")]
#[case::too_many(&[("/maximum", json!(i32::MAX)), ("/maxSurge", json!("10%"))], "too many numbers of machines are possible")]
fn invalid_pool_is_undetermined(#[case] changes: &[(&str, Value)], #[case] why: &str) {
    let (code, plan) = json_of(&[rolled(changes)]);
    assert_eq!(code, Some(4), "{plan}");
    let pool = &plan["shoots"][0]["undeterminedPools"][0];
    assert!(pool["why"].as_str().unwrap().contains(why), "{pool}");
    assert_eq!(plan["shoots"][0]["pools"], json!([]));
    assert!(plan["headline"].as_str().unwrap().ends_with("; 1 Shoot is undetermined"), "{plan}");
}

#[test]
fn reordered_zones_are_undetermined() {
    let old = pool("a", 3, &["x", "y"]);
    let (code, plan) = json_of(&[of_pool(&old, &[("/zones", json!(["y", "x"]))])]);
    let why = plan["shoots"][0]["undeterminedPools"][0]["why"].as_str().unwrap();
    assert_eq!((code, why.contains("zones are reordered")), (Some(4), true), "{plan}");
}

#[test]
fn appended_zones_divide_machines_again() {
    let old = with(&pool("a", 9, &["x"]), &[]);
    let line = headline(&[of_pool(&old, &[("/zones", json!(["x", "y", "z"]))])]);
    assert!(line.starts_with("6 machines are created, 6 are deleted"), "{line}");
}

#[test]
fn changes_of_the_provider_are_not_certain() {
    let old = pool("a", 3, &["x"]);
    let (code, plan) = json_of(&[of_pool(&old, &[("/providerConfig", json!({"a": 1}))])]);
    let line = plan["headline"].as_str().unwrap();
    assert!(line.starts_with("up to 3 machines in 1 pool are replaced"), "{line}");
    let unknown = plan["shoots"][0]["unknown"].to_string();
    assert!(unknown.contains("whether the provider `aws` replaces"), "{unknown}");
    assert_eq!(code, Some(0));
}

#[rstest]
#[case::confined(json!({"confineSpecUpdateRollout": true, "timeWindow": {"begin": "220000+0100", "end": "230000+0100"}}), "maintenance-window")]
#[case::at_once(json!({"timeWindow": {"begin": "220000+0100", "end": "230000+0100"}}), "at-once")]
fn start_of_a_change(#[case] maintenance: Value, #[case] expected: &str) {
    let (old, new) = example("web");
    let new = with(&new, &[("/spec/maintenance", maintenance)]);
    let (_, plan) = json_of(&[(old, new)]);
    let shoot = &plan["shoots"][0];
    assert_eq!(shoot["start"], expected, "{shoot}");
    let window = json!({"begin": "220000+0100", "end": "230000+0100"});
    assert_eq!(shoot["window"] == window, expected == "maintenance-window");
}

#[test]
fn hibernated_cluster_creates_machines_at_wake_up() {
    let (old, new) = example("web");
    let hibernated = |it: &Value| with(it, &[("/spec/hibernation", json!({"enabled": true}))]);
    let (_, plan) = json_of(&[(hibernated(&old), hibernated(&new))]);
    assert_eq!(plan["shoots"][0]["start"], "wake-up");
    assert!(plan["headline"].as_str().unwrap().starts_with("12 machines are created, "), "{plan}");
    let (_, plan) = json_of(&[(old.clone(), hibernated(&old))]);
    let line = plan["headline"].as_str().unwrap();
    assert_eq!(line, "12 machines are deleted, 1 min, at worst 5 min");
}

#[test]
fn created_and_deleted_shoots_are_planned() {
    let (old, _) = example("web");
    let line =
        headline(&[(old.clone(), Value::Null), (Value::Null, shoot("new", &[pool("a", 2, &[])]))]);
    assert!(line.starts_with("2 machines are created, 12 are deleted, "), "{line}");
}

#[rstest]
#[case::of_the_type(&[], "6 h 30")]
#[case::of_the_pool(&[("/machineControllerManager", json!({"machineCreationTimeout": "30m"}))], "7 h 48")]
fn creation_timeout_of_the_machine_type_counts(
    #[case] changes: &[(&str, Value)],
    #[case] worst: &str,
) {
    let folder = change(&[rolled(changes)]);
    let profile = PROFILE.replace(
        "name: large,",
        "name: large, machineControllerManager: {machineCreationTimeout: 4m},",
    );
    write(folder.path(), "garden/profile.yaml", &profile);
    let (_, out, _) = plan_in(&folder, &["--format", "json"]);
    let plan: Value = serde_json::from_str(&out).unwrap();
    let line = plan["headline"].as_str().unwrap();
    assert!(line.contains(&format!("at worst {worst}; ")), "{line}");
}

#[test]
fn unknown_profile_leaves_resources_unknown() {
    let (old, new) = example("web");
    let folder = change(&[(old, new)]);
    let mut command = garden_gate(&["plan", "new", "--old", "old", "--format", "json"]);
    let output = command.args(AT).current_dir(folder.path()).output().unwrap();
    let (code, out, err) = printed(output);
    let plan: Value = serde_json::from_str(&out).unwrap_or_else(|_| unreachable!("{out}{err}"));
    assert_eq!((code, &plan["extraResources"]), (Some(0), &json!({})));
    let unknown = plan["shoots"][0]["unknown"].to_string();
    assert!(unknown.contains("the resources of additional machines"), "{unknown}");
}

#[test]
fn exit_codes_and_errors() {
    let (old, new) = example("web");
    let (code, out) = plan(&[(old.clone(), old.clone())], "text");
    assert_eq!(code, Some(0));
    assert!(out.contains("Also 1 unchanged Shoot."), "{out}");
    let (code, _) = plan(&[(Value::Null, json!({"kind": "Other", "apiVersion": "v1"}))], "text");
    assert_eq!(code, Some(3));
    let folder = change(&[(old, new)]);
    let output = garden_gate(&["plan", "new"]).args(AT).current_dir(folder.path()).output();
    let (code, _, err) = printed(output.unwrap());
    assert_eq!(code, Some(2));
    assert!(err.contains("nothing to compare with"), "{err}");
    write(
        folder.path(),
        "new/broken.yaml",
        "kind: Shoot\napiVersion: core.gardener.cloud/v1beta1\nmetadata: {name: [}\n",
    );
    let (code, out, _) = plan_in(&folder, &[]);
    assert_eq!(code, Some(4));
    assert!(out.contains("broken.yaml"), "{out}");
}

#[test]
fn committed_state_is_compared() {
    let folder = Folder::new(&[]);
    let (old, new) = example("web");
    folder.write("web.yaml", &old.to_string());
    folder.git(&["init", "-q"]);
    folder.commit();
    folder.write("web.yaml", &new.to_string());
    let mut command = garden_gate(&["plan", "--git", "HEAD"]);
    let (code, out, err) = printed(command.args(AT).current_dir(folder.path()).output().unwrap());
    assert_eq!(code, Some(0), "{err}");
    assert!(out.starts_with("12 machines in 2 pools are replaced in 6 waves"), "{out}");
}

/// Returns Markdown without code spans.
/// A state that cannot be read is neither a deletion nor a creation.
#[rstest]
#[case::broken_now("new", "{\"kind\": \"Shoot\",", "it may still exist: `new/0000.yaml`")]
#[case::template_now(
    "new",
    "apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\nmetadata: {name: web, namespace: '{{ .ns }}'}\n",
    "it may still exist: `new/0000.yaml`"
)]
#[case::broken_mention(
    "new",
    "apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\nspec: [",
    "it may still exist"
)]
#[case::broken_before("old", "{a: [", "`old/0000.yaml` in old cannot be compared")]
fn unreadable_state_is_undetermined(#[case] state: &str, #[case] text: &str, #[case] why: &str) {
    let folder = change(&[rolled(&[])]);
    write(folder.path(), &format!("{state}/0000.yaml"), text);
    let (code, out, err) = plan_in(&folder, &["--format", "json"]);
    let plan: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(code, Some(4), "{out}{err}");
    assert_eq!(plan["shoots"], json!([]), "{out}");
    let shoot = plan["undetermined"].as_array().unwrap().iter();
    let reasons: Vec<&str> = shoot
        .filter(|it| it["title"] == "garden-dev/web")
        .map(|it| it["why"].as_str().unwrap())
        .collect();
    assert!(matches!(reasons[..], [reason] if reason.contains(why)), "{out}");
}

#[test]
fn shoot_in_two_manifests_is_undetermined() {
    let (old, new) = rolled(&[]);
    let folder = change(&[(old, new.clone()), (Value::Null, new)]);
    let (code, out, _) = plan_in(&folder, &[]);
    assert_eq!(code, Some(4), "{out}");
    assert!(out.contains("garden-dev/web: two manifests have this Shoot"), "{out}");
}

#[test]
fn mutating_policy_that_is_not_applied_is_named() {
    let folder = change(&[rolled(&[])]);
    let rules = "[{apiGroups: [core.gardener.cloud], apiVersions: [v1beta1], operations: ['*'], resources: [shoots]}]";
    let policy = format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicy\nmetadata: {{name: surge}}\nspec:\n  matchConstraints: {{resourceRules: {rules}}}\n  mutations: [{{patchType: JSONPatch, jsonPatch: {{expression: '[]'}}}}]\n---\napiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicyBinding\nmetadata: {{name: surge}}\nspec: {{policyName: surge}}\n"
    );
    write(folder.path(), "garden/policy.yaml", &policy);
    let (_, out, _) = plan_in(&folder, &["--format", "markdown"]);
    assert!(out.contains("whether the MutatingAdmissionPolicy `surge` changes the Shoot"), "{out}");
}

#[test]
fn no_shoots_are_named() {
    let (code, out, _) = plan_in(&change(&[]), &[]);
    assert_eq!(code, Some(3));
    assert!(out.starts_with("there are no Shoots"), "{out}");
}

fn outside_code(page: &str) -> String {
    page.lines().flat_map(|line| line.split('`').step_by(2)).collect()
}

#[test]
fn hostile_names_are_escaped() {
    let hostile = "\u{1b}[31mx\n::error::|`</details>\u{202e}";
    let old = with(&pool(hostile, 3, &["x", "y", hostile]), &[]);
    let old = shoot(hostile, &[old]);
    let new = with(&old, &[("/spec/provider/workers/0/machine/type", json!(hostile))]);
    for format in ["text", "markdown", "json"] {
        let (_, out) = plan(&[(old.clone(), new.clone())], format);
        assert!(!out.contains(['\u{1b}', '\u{202e}']), "{out}");
        assert!(!out.lines().any(|it| it.starts_with("::error")), "{out}");
        assert!(format != "markdown" || !outside_code(&out).contains("</details>"), "{out}");
    }
}

#[test]
fn output_matches_its_schema() {
    let (_, out, _) = printed(garden_gate(&["schema", "plan"]).output().unwrap());
    let validator = jsonschema::validator_for(&serde_json::from_str(&out).unwrap()).unwrap();
    let (old, new) = example("web");
    let confined = with(&new, &[("/spec/maintenance/confineSpecUpdateRollout", json!(true))]);
    for change in [(old.clone(), new), (old, confined), rolled(&[("/maxSurge", json!(-1))])] {
        let (_, plan) = json_of(&[change]);
        let errors: Vec<String> = validator.iter_errors(&plan).map(|it| it.to_string()).collect();
        assert_eq!(errors, [""; 0]);
    }
}

/// Returns a garden with Shoots in two regions whose machine image is updated in the next window.
fn landscape(shoots: usize) -> TempDir {
    let profile = PROFILE.replace(
        "versions: [{version: 1.0.0,",
        "versions: [{version: 1.1.0, cri: [{name: containerd}], architectures: [amd64]}, {version: 1.0.0,",
    );
    let project = "
apiVersion: core.gardener.cloud/v1beta1
kind: Project
metadata: {name: dev}
spec: {namespace: garden-dev, owner: {apiGroup: rbac.authorization.k8s.io, kind: User, name: alice@example.com}}
";
    let folder = folder(&[("garden/profile.yaml", &profile), ("garden/project.yaml", project)]);
    for index in 0..shoots {
        let (old, _) = example(&format!("web-{index:04}"));
        let region = if index % 3 == 0 { "south" } else { "north" };
        let begin = format!("{:02}0000+0000", index % 24);
        let end = format!("{:02}0000+0000", (index + 1) % 24);
        let old = with(
            &old,
            &[
                ("/spec/region", json!(region)),
                ("/spec/maintenance/timeWindow", json!({"begin": begin, "end": end})),
                ("/spec/maintenance/autoUpdate", json!({"machineImageVersion": true})),
            ],
        );
        write(folder.path(), &format!("garden/{index:04}.yaml"), &old.to_string());
    }
    folder
}

fn windows_in(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = garden_gate(&["plan", "--windows", "--garden", "garden", "--for", "7d"]);
    printed(command.args(AT).args(arguments).current_dir(folder.path()).output().unwrap())
}

#[rstest]
#[case("text", 1)]
#[case("text", 100)]
#[case("markdown", 100)]
#[case("json", 2)]
fn windows_of_a_landscape(#[case] format: &str, #[case] shoots: usize) {
    let (code, out, err) = windows_in(&landscape(shoots), &["--format", format]);
    assert_eq!(code, Some(0), "{err}");
    insta::assert_snapshot!(format!("windows-{format}-of-{shoots}"), out);
}

#[test]
fn windows_of_selected_shoots() {
    let folder = landscape(4);
    let headline = |arguments: &[&str]| {
        let (_, out, err) = windows_in(&folder, arguments);
        out.lines().next().map_or(err, str::to_owned)
    };
    assert!(headline(&["dev/web-0001"]).starts_with("machines of 1 Shoot, "));
    assert!(headline(&["--project", "dev"]).starts_with("machines of 4 Shoots, "));
    assert!(headline(&["dev/other"]).contains("Shoot `dev/other` not found"));
}

#[test]
fn profile_that_is_not_applied_yet_is_compared() {
    let folder = landscape(3);
    write(folder.path(), "next.yaml", PROFILE);
    let (code, out, err) = windows_in(&folder, &["--with", "next.yaml"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.starts_with("maintenance changes no machine"), "{out}");
    assert!(out.contains("Without the change: machines of 3 Shoots"), "{out}");
}

#[test]
fn flags_of_windows_and_changes_exclude_each_other() {
    let folder = landscape(1);
    let run = |arguments: &[&str]| {
        let mut command = garden_gate(&["plan"]);
        let output = command.args(arguments).args(AT).current_dir(folder.path()).output();
        let (code, _, err) = printed(output.unwrap());
        assert_eq!(code, Some(2), "{err}");
        err
    };
    assert!(run(&["--windows", "--old", "garden"]).contains("cannot be used with"));
    assert!(run(&["--with", "next.yaml", "--garden", "garden"]).contains("--windows"));
    let err = run(&["--project", "dev", "--garden", "garden"]);
    assert!(err.contains("add --windows"), "{err}");
}

#[test]
fn hostile_landscape_is_escaped() {
    let hostile = "\u{1b}[31mx\n::error::|`</details>\u{202e}";
    let folder = landscape(1);
    let (old, _) = example(hostile);
    let old = with(
        &old,
        &[
            ("/spec/region", json!(hostile)),
            ("/spec/maintenance/autoUpdate", json!({"machineImageVersion": true})),
            ("/spec/provider/workers/0/name", json!(hostile)),
        ],
    );
    write(folder.path(), "garden/hostile.yaml", &old.to_string());
    for format in ["text", "markdown", "json"] {
        let (_, out, _) = windows_in(&folder, &["--format", format]);
        assert!(!out.contains(['\u{1b}', '\u{202e}']), "{out}");
        assert!(!out.lines().any(|it| it.starts_with("::error")), "{out}");
        assert!(format != "markdown" || !outside_code(&out).contains("</details>"), "{out}");
    }
}

#[test]
fn fleet_matches_its_schema() {
    let (_, out, _) = printed(garden_gate(&["schema", "plan"]).output().unwrap());
    let validator = jsonschema::validator_for(&serde_json::from_str(&out).unwrap()).unwrap();
    let folder = landscape(3);
    write(
        folder.path(),
        "garden/broken.yaml",
        &shoot("broken", &[]).to_string().replace("stratus", "none"),
    );
    let (code, out, err) = windows_in(&folder, &["--format", "json"]);
    assert_eq!(code, Some(4), "{err}");
    let plan: Value = serde_json::from_str(&out).unwrap();
    let errors: Vec<String> = validator.iter_errors(&plan).map(|it| it.to_string()).collect();
    assert_eq!(errors, [""; 0]);
    assert_eq!(plan["notForecast"][0]["name"], "broken");
}
