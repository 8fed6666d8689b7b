'use strict';
(() => {
  const page = document.documentElement;
  page.classList.add('scripted');
  const search = document.getElementById('search');
  const boxes = [...document.querySelectorAll('.controls input[type=checkbox]')];
  const status = document.getElementById('count');
  const rows = [...document.querySelectorAll('.project tbody tr')];
  const shoots = [...document.querySelectorAll('.shoot')];
  const projects = [...document.querySelectorAll('.project')];
  // Read when somebody searches, not before the page is shown.
  const texts = new Map();
  const has = (element, words) => {
    if (words.length === 0) return true;
    let text = texts.get(element);
    if (text === undefined) {
      text = element.textContent.toLowerCase();
      texts.set(element, text);
    }
    return words.every((it) => text.includes(it));
  };

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const classes = new Set(boxes.filter((it) => it.checked).map((it) => it.value));
    const left = new Set();
    let count = 0;
    for (const row of rows) {
      const shown = classes.has(row.dataset.class) && has(row, words);
      row.hidden = !shown;
      if (shown) {
        count += 1;
        left.add(row.dataset.shoot);
      }
    }
    const all = words.length === 0 && classes.size === boxes.length;
    for (const shoot of shoots) {
      const found = words.length > 0 && classes.size === boxes.length && has(shoot, words);
      shoot.hidden = !all && !found && !left.has(shoot.dataset.shoot);
    }
    const isComplete = rows.length > 0;
    let found = 0;
    for (const project of projects) {
      const parts = isComplete ? [...project.querySelectorAll('tbody tr, .shoot')] : [];
      project.hidden = !all && !(parts.length > 0 ? parts.some((it) => !it.hidden) : has(project, words));
      if (project.hidden) continue;
      found += 1;
      if (words.length > 0) project.open = true;
    }
    status.textContent = isComplete ? `${count} of ${rows.length} events` : `${found} of ${projects.length} Projects`;
  };

  const sort = (head) => {
    const index = head.cellIndex;
    const down = head.getAttribute('aria-sort') === 'ascending';
    for (const other of head.parentNode.cells) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const body = head.closest('table').tBodies[0];
    const key = (row) => row.cells[index].dataset.key ?? row.cells[index].textContent;
    const keyed = [...body.rows].map((row, place) => [key(row), place, row]);
    const sign = down ? -1 : 1;
    const order = new Intl.Collator('en', { numeric: true }).compare;
    keyed.sort(([a, i], [b, j]) => sign * order(a, b) || i - j);
    body.append(...keyed.map(([, , row]) => row));
  };

  search.addEventListener('input', filter);
  boxes.forEach((it) => it.addEventListener('change', filter));
  document.getElementById('fold').addEventListener('click', (event) => {
    const open = event.target.getAttribute('aria-pressed') !== 'true';
    event.target.setAttribute('aria-pressed', String(open));
    document.querySelectorAll('.project, .chart details').forEach((it) => { it.open = open; });
  });
  document.querySelectorAll('.project thead th').forEach((head) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = head.textContent;
    button.addEventListener('click', () => sort(head));
    head.replaceChildren(button);
  });
  filter();
})();
