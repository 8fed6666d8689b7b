// SPDX-License-Identifier: Apache-2.0
// Adds a filter to pages with long tables: only rows that contain all words stay visible.
(() => {
  const SHORTEST = 60;
  const main = document.querySelector("main");
  const tables = main ? [...main.querySelectorAll("table")] : [];
  const rows = tables.flatMap((table) => [...table.tBodies].flatMap((body) => [...body.rows]));
  if (rows.length < SHORTEST) return;

  const texts = rows.map((row) => row.textContent.toLowerCase());
  const input = document.createElement("input");
  input.type = "search";
  input.className = "table-filter";
  input.placeholder = "Filter rows";
  input.setAttribute("aria-label", "Filter the rows of all tables");
  const count = document.createElement("output");
  count.className = "table-filter-count";

  const filter = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let visible = 0;
    rows.forEach((row, index) => {
      row.hidden = !words.every((word) => texts[index].includes(word));
      visible += row.hidden ? 0 : 1;
    });
    for (const table of tables) {
      const isEmpty = table.tBodies.length > 0 && [...table.tBodies].every((body) => [...body.rows].every((row) => row.hidden));
      table.hidden = isEmpty;
    }
    count.textContent = words.length ? `${visible} of ${rows.length} rows` : "";
  };
  input.addEventListener("input", filter);
  // The search of the book has keyboard shortcuts.
  input.addEventListener("keydown", (event) => event.stopPropagation());
  const heading = main.querySelector("h1");
  if (heading) heading.after(input, count);
  else main.prepend(input, count);
})();

// Adds a link to pages of rules that opens their example in the playground, if it is next to the book and has one.
(async () => {
  const place = /^(.*\/)rules\/([\w-]+)\/([\w-]+)\.html$/.exec(location.pathname);
  const heading = document.querySelector("main h1");
  if (!place || !heading || !location.protocol.startsWith("http")) return;
  const [, root, group, name] = place;
  const example = await fetch(`${root}playground/examples/${group}_${name}.json`, { method: "HEAD" }).catch(() => null);
  if (!example?.ok) return;
  const link = document.createElement("a");
  link.href = `${root}playground/index.html#rule=${group}/${name}`;
  link.textContent = "Try it";
  const line = document.createElement("p");
  line.append(link);
  heading.after(line);
})();
