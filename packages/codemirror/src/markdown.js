// SPDX-License-Identifier: Apache-2.0
/**
 * Returns an element with documentation: paragraphs, lists, code, bold and deleted words. All text is inserted as text, never as markup.
 *
 * @param {string} markdown
 * @returns {HTMLElement}
 */
export function rendered(markdown) {
  const root = document.createElement("div");
  root.className = "garden-gate-help";
  for (const block of markdown.split(/\n{2,}/)) {
    const lines = block.split("\n");
    if (lines.every((line) => line.startsWith("- "))) {
      const list = root.appendChild(document.createElement("ul"));
      for (const line of lines) words(list.appendChild(document.createElement("li")), line.slice(2));
    } else {
      words(root.appendChild(document.createElement("p")), lines.join(" "));
    }
  }
  return root;
}

const TAGS = /** @type {const} */ ({ "`": "code", "~~": "del", "**": "strong" });

/**
 * @param {HTMLElement} parent
 * @param {string} text
 */
function words(parent, text) {
  for (const part of text.split(/(~~.+?~~|\*\*.+?\*\*|`[^`]+`)/)) {
    const mark = /^(`|~~|\*\*)(.+)\1$/.exec(part);
    if (mark === null) {
      parent.append(part);
      continue;
    }
    const element = document.createElement(TAGS[/** @type {keyof typeof TAGS} */ (mark[1])]);
    const inner = mark[2] ?? "";
    if (mark[1] === "`") element.textContent = inner;
    else words(element, inner);
    parent.append(element);
  }
}
