#!/usr/bin/env python3
"""Judges every tests.yaml with its extension.yaml: schemas here, CEL by `garden-gate policies test`. Usage: check.py GARDEN_GATE [NAME...]"""
import copy, json, os, re, subprocess, sys, tempfile, yaml
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GG = sys.argv[1]
FIELDS = ["infrastructureConfig", "controlPlaneConfig", "cloudProfileConfig", "workerConfig", "containerRuntimeConfig", "networkConfig", "imageConfig"]
NAMES = ["profile", "self", "oldSelf", "config", "oldConfig", "extension", "settings", "worker", "oldWorker"] + FIELDS + ["old" + f[0].upper() + f[1:] for f in FIELDS]
KEYWORDS = set("type properties items additionalProperties description default nullable enum format minimum maximum x-kubernetes-validations x-kubernetes-preserve-unknown-fields x-kubernetes-int-or-string x-garden-gate-since x-garden-gate-until x-garden-gate-table".split())
RULES = set("rule message messageExpression reason fieldPath x-garden-gate-since x-garden-gate-until x-garden-gate-effect".split())

def version(text): return [int(x) for x in str(text).split(".")] + [999] * (3 - len(str(text).split(".")))
def low(text): return [int(x) for x in str(text).split(".")] + [0] * (3 - len(str(text).split(".")))
def applies(node, now, prefix="x-garden-gate-"):
    since, until = node.get(prefix + "since"), node.get(prefix + "until")
    return now is None and not until or now is not None and (not since or now >= low(since)) and (not until or now <= version(until))

def lit(v):
    if v is None: return "null"
    if v is True or v is False: return "true" if v else "false"
    if isinstance(v, (int, float)): return repr(v)
    if isinstance(v, str): return json.dumps(v)
    if isinstance(v, list): return "[" + ", ".join(f"dyn({lit(x)})" for x in v) + "]"
    return "{" + ", ".join(f"{json.dumps(str(k))}: dyn({lit(x)})" for k, x in v.items()) + "}"

def clean(v):
    if isinstance(v, dict): return {k: clean(x) for k, x in v.items() if x is not None}
    if isinstance(v, list): return [clean(x) for x in v]
    return v

def merge(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        out = dict(a)
        for k, v in b.items(): out[k] = merge(a.get(k), v)
        return out
    return b

def lint(s, path, errors):
    for k in s:
        if k not in KEYWORDS: errors.append(f"{path}: keyword {k}")
    if "type" not in s and not s.get("x-kubernetes-int-or-string"): errors.append(f"{path}: no type")
    for r in s.get("x-kubernetes-validations", []):
        for k in r:
            if k not in RULES: errors.append(f"{path}: {k} in a rule")
    for k, v in s.get("properties", {}).items(): lint(v, f"{path}.{k}", errors)
    if "items" in s: lint(s["items"], path + "[]", errors)
    if isinstance(s.get("additionalProperties"), dict): lint(s["additionalProperties"], path + "{}", errors)

def walk(s, v, old, path, now, strict, found, rules):
    if v is None: return
    t = s.get("type")
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float)}
    if t and (not isinstance(v, kinds[t]) or t == "integer" and isinstance(v, bool)):
        found.append(f"{path} is not a {t}"); return
    if "enum" in s and v not in s["enum"]: found.append(f"{path}: {v} is not one of {s['enum']}")
    if "minimum" in s and v < s["minimum"] or "maximum" in s and v > s["maximum"]: found.append(f"{path} out of range")
    for r in s.get("x-kubernetes-validations", []):
        if applies(r, now) and ("oldSelf" not in r["rule"] or old is not None): rules.append((r, v, old, path))
    if t == "object":
        props = s.get("properties", {})
        for k, x in v.items():
            o = old.get(k) if isinstance(old, dict) else None
            if k in props and applies(props[k], now): walk(props[k], x, o, f"{path}.{k}", now, strict, found, rules)
            elif isinstance(s.get("additionalProperties"), dict): walk(s["additionalProperties"], x, o, f"{path}.{k}", now, strict, found, rules)
            elif strict and not s.get("x-kubernetes-preserve-unknown-fields"): found.append(f"{path}.{k} is not known")
    if t == "array":
        for i, x in enumerate(v): walk(s["items"], x, None, f"{path}[{i}]", now, strict, found, rules)

def substitute(expr): return re.sub(r"(?<![\w.'\"])(" + "|".join(NAMES) + r")\b(?!['\"])", r"variables.\1", expr)

def newest(spec):
    known = spec["versions"]["known"]
    return version(known[-1]) if known else None

def run(name):
    spec = yaml.safe_load(open(f"{ROOT}/{name}/extension.yaml"))["spec"]
    tests = yaml.safe_load(open(f"{ROOT}/{name}/tests.yaml"))
    errors, jobs, outcome = [], [], {}
    for c in spec["configurations"]: lint(c["schema"], c["field"], errors)
    default = "Deny" if "admission" in spec else "Fail"
    exprs = 0
    for n, case in enumerate(tests["cases"]):
        now = version(case["version"]) if "version" in case else newest(spec)
        kind = case.get("kind", "Shoot")
        obj = clean(merge(tests.get("object", {}), case.get("object", {}))) if kind == "Shoot" else clean(case.get("object", {}))
        oldobj = clean(case.get("oldObject")) if "oldObject" in case else None
        settings = {k: p.get("default") for k, p in spec.get("settings", {}).get("properties", {}).items()}
        settings.update(tests.get("settings", {})); settings.update(case.get("settings", {}))
        found = outcome.setdefault(n, [])
        vars_ = {k: None for k in NAMES}
        vars_["settings"] = settings
        vars_["profile"] = {"spec": tests.get("profile", {})}
        ext = dict(case.get("extension", {})); ext["type"] = tests["type"]
        if "config" in case: ext["providerConfig"] = case["config"]
        vars_["extension"] = ext
        if kind == "Shoot": vars_["cloudProfileConfig"] = tests.get("cloudProfileConfig")
        configs = {**(tests.get("configs", {}) if kind == "Shoot" else {}), **case.get("configs", {})}
        olds = case.get("oldConfigs", {})
        rules = []
        skip_jobs = []
        for c in spec["configurations"]:
            if kind not in c["kinds"]: continue
            effect = c.get("effect", default)
            single = c["field"] in ("extensions", "containerRuntimeConfig")
            value = case.get("config") if single else configs.get(c["field"])
            header = case.get("header", tests.get("header", {})) if single else {**tests.get("headers", {}), **case.get("headers", {})}.get(c["field"], {})
            key = "config" if c["field"] == "extensions" else c["field"]
            old = clean(olds.get(c["field"]))
            vars_["old" + key[0].upper() + key[1:]] = old
            if value is None:
                if c["required"]: found.append((effect, f"{c['field']} is required"))
                continue
            value = clean(value)
            vars_[key] = value
            want = {"apiVersion": [f"{c.get('group')}/{v}" for v in c.get("versions", [])], "kind": [c.get("kind")]}
            for part, values in want.items():
                has = header.get(part)
                mode = c["header"]
                if mode == "Ignored": continue
                if has is None and (mode == "Required" or mode == "APIVersion" and part == "apiVersion"): found.append((effect, f"{part} is missing"))
                if has is not None and has not in values: found.append((effect, f"{part} is not {values}"))
            bad, collected = [], []
            walk(c["schema"], value, old if oldobj is not None else None, c["field"], now, c["strict"], bad, collected)
            found += [(effect, b) for b in bad]
            if not bad: rules += [(r, v, o, effect) for r, v, o, _ in collected]
        # Match conditions, then rules, then validations, each as one policy.
        for m in spec.get("matchConditions", []):
            if applies(m, now) and kind in m.get("kinds", ["Shoot"]): jobs.append((n, "match", m["expression"], "", vars_, obj, oldobj, kind, {}))
        for r, v, o, effect in rules:
            jobs.append((n, r.get("x-garden-gate-effect", effect), r["rule"], r["message"], {**vars_, "self": v, "oldSelf": o}, obj, oldobj, kind, {}))
        if case.get("unknownProfile"): outcome[n].append(("skip", "")); continue
        shared = {v["name"]: v["expression"] for v in spec.get("variables", [])} if kind == "Shoot" and not any(e == "Deny" for e, _ in found) else {}
        for v in spec.get("validations", []):
            if kind not in v.get("kinds", ["Shoot"]) or not applies(v, now, ""): continue
            if any("required" in m or "is not" in m or "missing" in m for e, m in found): continue
            effect = v.get("effect", default)
            if v.get("forEach"):
                was = {w["name"]: w for w in (oldobj or {}).get("spec", {}).get("provider", {}).get("workers", [])}
                for w in obj.get("spec", {}).get("provider", {}).get("workers", []):
                    jobs.append((n, effect, v["expression"], v["message"], {**vars_, "worker": w, "oldWorker": was.get(w["name"])}, obj, oldobj, kind, shared))
            else: jobs.append((n, effect, v["expression"], v["message"], vars_, obj, oldobj, kind, shared))
    directory = tempfile.mkdtemp(prefix=f"ext-{name}-")
    docs = [{"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Project", "metadata": {"name": "dev"}, "spec": {"namespace": "garden-dev"}},
            {"apiVersion": "core.gardener.cloud/v1beta1", "kind": "CloudProfile", "metadata": {"name": "p"}, "spec": merge({"type": "x", "kubernetes": {"versions": [{"version": "1.34.1"}]}, "machineImages": [], "machineTypes": [], "regions": []}, tests.get("profile", {}))}]
    cases = []
    for i, (n, effect, expr, message, vars_, obj, oldobj, kind, shared) in enumerate(jobs):
        # The lookup has no capabilities of machine types today: the profile is given as a value instead.
        if "capabilities" in expr: expr = expr.replace("garden.cloudProfile", "profile")
        used = [{"name": k, "expression": f"dyn({lit(vars_[k])})"} for k in NAMES if re.search(rf"(?<![\w.'\"]){k}\b", expr + " ".join(shared.values()))]
        used += [{"name": k, "expression": substitute(e)} for k, e in shared.items()]
        plural = {"Shoot": "shoots", "CloudProfile": "cloudprofiles", "NamespacedCloudProfile": "namespacedcloudprofiles", "Seed": "seeds"}[kind]
        docs.append({"apiVersion": "garden-gate.dev/v1alpha1", "kind": "GardenPolicy", "metadata": {"name": f"j{i}"}, "spec": {
            "matchConstraints": {"resourceRules": [{"apiGroups": ["core.gardener.cloud"], "apiVersions": ["v1beta1"], "operations": ["CREATE", "UPDATE"], "resources": [plural]}]},
            "matchConditions": [{"name": "this", "expression": f"object.metadata.name == 'c{i}'"}], "variables": used,
            "validations": [{"expression": substitute(expr), "message": "VIOLATED"}]}})
        meta = {"name": f"c{i}", **({"namespace": "garden-dev"} if kind in ("Shoot", "NamespacedCloudProfile") else {})}
        def full(o):
            o = merge(o, {"apiVersion": "core.gardener.cloud/v1beta1", "kind": kind, "metadata": meta})
            if kind == "Shoot": o = merge(o, {"spec": {"cloudProfile": {"kind": "CloudProfile", "name": "p"}}})
            return o
        cases.append({"name": f"c{i}", "object": full(obj), "expected": "allowed", **({"oldObject": full(oldobj)} if oldobj is not None else {})})
    yaml.Dumper.ignore_aliases = lambda *_: True
    with open(f"{directory}/p.yaml", "w") as f: yaml.dump_all(docs, f)
    with open(f"{directory}/t.yaml", "w") as f: yaml.dump({"apiVersion": "garden-gate.dev/v1alpha1", "kind": "PolicyTest", "metadata": {"name": "t"}, "spec": {"cases": cases}}, f)
    out = subprocess.run([GG, "policies", "test", directory], capture_output=True, text=True) if jobs else None
    text = (out.stdout + out.stderr) if out else ""
    if out and "passed" not in text: print(name, directory, text[:3000]); return False
    if os.environ.get("DEBUG"): print(text[:4000])
    skipped = set()
    failing = {}
    for m in re.finditer(r"^failed: \S+ c(\d+): .*$", text, re.M): failing.setdefault(int(m.group(1)), m.group(0))
    odd = []
    for i, line in failing.items():
        n, effect, expr, message = jobs[i][:4]
        if effect == "match": skipped.add(n); continue
        if "denied" not in line or "VIOLATED" not in line: odd.append((i, line, expr[:90])); continue
        outcome[n].append((effect, message))
    ok = 0
    words = {"Deny": "denied", "Fail": "fails", "Ignore": "ignored", "Warn": "warned"}
    for n, case in enumerate(tests["cases"]):
        found = [] if n in skipped else outcome[n]
        if ("skip", "") in found: ok += 1; continue
        order = [e for e in ("Deny", "Fail", "Ignore", "Warn") if any(x == e for x, _ in found)]
        got = words[order[0]] if order else "allowed"
        good = got == case["expected"] and (got == "allowed" or all(any(w in m for _, m in found) for w in case.get("messages", [case.get("message", "")])))
        ok += good
        if not good: print(f"  {name}: {case['name']}: expected {case['expected']} ({case.get('messages', case.get('message'))}), got {got} {found}")
    seen = {m for n in outcome for _, m in outcome[n]}
    def messages(node):
        if isinstance(node, dict):
            if "message" in node and ("rule" in node or "expression" in node): yield node["message"]
            for x in node.values(): yield from messages(x)
        if isinstance(node, list):
            for x in node: yield from messages(x)
    never = [m for m in dict.fromkeys(messages(spec)) if m not in seen]
    if never: print(f"  {name}: never found: " + "; ".join(never))
    for e in errors: print("  schema:", name, e)
    for o in odd: print("  odd:", name, o)
    print(f"{name}: {ok}/{len(tests['cases'])} cases, {len(jobs)} expressions evaluated, {len(odd)} odd  {directory}")
    return ok == len(tests["cases"]) and not errors and not odd

names = sys.argv[2:] or sorted(d for d in os.listdir(ROOT) if os.path.exists(f"{ROOT}/{d}/extension.yaml"))
sys.exit(not all([run(n) for n in names]))
