// @ts-check
import { html, useMemo } from "./view.js";
import { compareNames, counted, integer, list, Name, string } from "./text.js";
import { examples, playground, useDocument } from "./data.js";
import { address, ruleAddress } from "./route.js";
import { hasWords, Loaded, Matches, Message, PageHead, Prose, TextFilter } from "./parts.js";
import { VirtualList } from "./list.js";
import { isNamed } from "./labels.js";
import { Markdown } from "./markdown.js";

/** @param {PageProps} props */
export function RulesPage({ route, update }) {
  return html`<${PageHead} title="Rules" />
    <${Loaded} of=${useDocument("rules")}>${(/** @type {{ rules?: RuleRow[] }} */ { rules }) =>
      html`<${Rules} all=${list(rules)} route=${route} update=${update} />`}<//>`;
}

/** @param {RuleRow} rule */
function objectsOf(rule) {
  if (integer(rule.here) === 0) return html`<span class="dim">none here</span>`;
  return html`<a href=${address("findings", [], { rule: string(rule.rule) })}>${counted(rule.here, "object")}</a>`;
}

/** @param {PageProps & { all: RuleRow[] }} props */
function Rules({ all, route, update }) {
  const { text, sort = "-here" } = route.query;
  const rows = useMemo(() => {
    const sign = sort.startsWith("-") ? -1 : 1;
    const order = (/** @type {RuleRow} */ a, /** @type {RuleRow} */ b) => (sort.endsWith("here") ? integer(a.here) - integer(b.here) : 0);
    const found = all.filter((it) => hasWords(`${string(it.rule)} ${string(it.summary)}`.toLowerCase(), text));
    return found.sort((a, b) => sign * order(a, b) || (sort === "-rule" ? -1 : 1) * compareNames(string(a.rule), string(b.rule)));
  }, [all, text, sort]);
  const columns = [{ head: "Rule", sort: "rule" }, { head: "Summary" }, { head: "Findings", sort: "here", descends: true }];
  return html`<search class="filters"><${TextFilter} label="Rule, summary" value=${text} onInput=${(/** @type {string} */ it) => update({ text: it })} /></search>
    <${Matches} count=${rows.length} all=${all.length} noun="rule" isFiltered=${Boolean(text)} onReset=${() => update({ text: "" })} />
    ${rows.length === 0
      ? html`<p class="none">No rule matches.</p>`
      : html`<${VirtualList} label="Rules" className="rules" columns=${columns} rows=${rows} narrowHeight=${6.4}
        sort=${sort} onSort=${(/** @type {string} */ it) => update({ sort: it })}
        cells=${(/** @type {RuleRow} */ it) => [
          it.data ? html`<a href=${ruleAddress(it.rule)}><${Name} text=${it.rule} /></a>` : html`<${Name} text=${it.rule} />`,
          html`<span class="clamp" title=${it.summary}><${Prose} text=${it.summary} /></span>`,
          objectsOf(it),
        ]} />`}`;
}

/** @param {PageProps} props */
export function RulePage({ route }) {
  const id = route.path.join("/");
  return html`<${Loaded} of=${useDocument("rules")} title="Rule">${(/** @type {{ rules?: RuleRow[] }} */ { rules }) => {
    // Findings that refuse an update are named by their own ids.
    const rule = list(rules).find((it) => isNamed(it.rule, id)) ?? list(rules).find((it) => list(it.findings).includes(id));
    if (rule) return html`<${RuleOf} key=${id} rule=${rule} />`;
    if (id.startsWith("policy/")) {
      return html`<${PageHead} title=${html`<span class="dim">Policy</span> <${Name} text=${id.slice("policy/".length)} />`} />
        <p>This is a policy of the garden or of its operators, not a rule of garden-gate. Its messages are its only description here.</p>
        <p><a href=${address("findings", [], { rule: id })}>Its findings</a></p>`;
    }
    return html`<${PageHead} title="Rule not found" />
      <${Message} title="This site has no rule “${id}”."><p><a href=${address("rules")}>Show all rules</a></p><//>`;
  }}<//>`;
}

/** @param {{ rule: RuleRow }} props */
function RuleOf({ rule }) {
  return html`<${PageHead} title=${html`<span class="dim">Rule</span> <${Name} text=${rule.rule} />`}>
      <p class="lead"><${Prose} text=${rule.summary} /></p>
      <p>Findings of the audit: ${objectsOf(rule)}</p>
      ${playground && examples.has(string(rule.rule)) && html`<p><a href=${`${playground}#rule=${rule.rule}`}>Try it: an example in the playground</a></p>`}
    <//>
    ${rule.data ? html`<${RuleText} data=${rule.data} summary=${string(rule.summary)} />` : html`<p class="none">This rule has no page.</p>`}`;
}

/** @param {{ data: string, summary: string }} props */
function RuleText({ data, summary }) {
  return html`<${Loaded} of=${useDocument(data)}>${(/** @type {RuleDocument} */ { markdown }) => {
    // The page starts with the summary, which is already shown.
    const text = string(markdown).replace(/^# .*\n+/, "");
    return html`<${Markdown} text=${text.toLowerCase().startsWith(summary.toLowerCase()) ? text.slice(summary.length).replace(/^\.\s*/, "") : text} />`;
  }}<//>`;
}
