'use strict';
(() => {
  document.documentElement.classList.add('scripted');
  const search = document.getElementById('search');
  const boxes = [...document.querySelectorAll('.controls input[type=checkbox]')];
  const status = document.getElementById('count');
  const sections = [...document.querySelectorAll('section')].map((section) => {
    const rows = [...section.querySelectorAll('tbody tr')];
    return { section, rows: rows.map((row) => ({ row, level: row.dataset.level, text: null })) };
  });
  const findings = document.getElementById('findings').parentElement;

  const has = (entry, words) => {
    if (words.length === 0) return true;
    entry.text ??= entry.row.textContent.toLowerCase();
    return words.every((it) => entry.text.includes(it));
  };

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const levels = new Set(boxes.filter((it) => it.checked).map((it) => it.value));
    for (const { section, rows } of sections) {
      let count = 0;
      for (const entry of rows) {
        const isShown = (entry.level === undefined || levels.has(entry.level)) && has(entry, words);
        entry.row.hidden = !isShown;
        count += isShown ? 1 : 0;
      }
      // The table of findings stays, so that a search without results does not look like a page without findings.
      section.hidden = count === 0 && section !== findings;
      if (section === findings) status.textContent = `${count} of ${rows.length} findings`;
    }
  };

  search.addEventListener('input', filter);
  boxes.forEach((it) => it.addEventListener('change', filter));
  filter();
})();
