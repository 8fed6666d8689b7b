// SPDX-License-Identifier: Apache-2.0
/**
 * Creates an element. Strings become text, never markup.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [properties] properties, or attributes for names with a hyphen; functions are listeners
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (typeof value === "function") element.addEventListener(key, value);
    else if (key.includes("-") || key === "role") element.setAttribute(key, value);
    else /** @type {any} */ (element)[key] = value;
  }
  element.append(...children.filter((it) => it !== null && it !== undefined && it !== false));
  return element;
}

/**
 * A group of tabs.
 *
 * @param {string} label
 * @param {[string, HTMLElement][]} panels
 * @param {(title: string) => void} [onShow]
 */
export function tabs(label, panels, onShow) {
  const buttons = panels.map(([title, panel], index) => {
    const id = `${label}-${index}`.replace(/\W+/g, "-").toLowerCase();
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", id);
    panel.id = `${id}-panel`;
    return h("button", { id, type: "button", role: "tab", "aria-controls": panel.id, click: () => show(index) }, title);
  });
  /** @param {number} chosen @param {boolean} [focus] */
  const show = (chosen, focus = false) => {
    buttons.forEach((button, index) => {
      button.setAttribute("aria-selected", String(index === chosen));
      button.tabIndex = index === chosen ? 0 : -1;
      if (panels[index]) panels[index][1].hidden = index !== chosen;
    });
    if (focus) buttons[chosen]?.focus();
    onShow?.(panels[chosen]?.[0] ?? "");
  };
  const list = h("div", {
    role: "tablist",
    className: "tabs",
    "aria-label": label,
    keydown: (/** @type {KeyboardEvent} */ event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (step === 0) return;
      const at = buttons.findIndex((it) => it.getAttribute("aria-selected") === "true");
      show((at + step + buttons.length) % buttons.length, true);
    },
  }, ...buttons);
  show(0);
  return { element: h("div", { className: "tabbed" }, list, ...panels.map(([, panel]) => panel)), show };
}
