// @ts-check
import { html, useEffect, useLayoutEffect, useRef, useState } from "./view.js";

/** @typedef {{ head: string, content?: View, sort?: string, descends?: boolean }} Column */

const OVERSCAN = 6;
const PRINTED = 100;

/**
 * A long table of rows of equal height, of which only those on the screen are in the page.
 * Its template of columns is the class `className`, and its rows are `height` or, on narrow screens, `narrowHeight` rem high.
 * @param {{
 *   label: string, className: string, columns: Column[], rows: any[], cells: (row: any) => View[], rowClass?: (row: any) => string,
 *   height?: number, narrowHeight: number, sort?: string, onSort?: (sort: string) => void
 * }} props
 */
export function VirtualList({ label, className, columns, rows, cells, rowClass, height = 2.6, narrowHeight, sort = "", onSort }) {
  const body = useRef(/** @type {any} */ (null));
  const wanted = useRef(-1);
  const [focused, setFocused] = useState(-1);
  const [range, setRange] = useState([0, 30]);
  const [size, setSize] = useState(40);

  const measure = (isPrinted = matchMedia("print").matches) => {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const pixels = (matchMedia("(max-width: 68rem)").matches ? narrowHeight : height) * rem;
    const top = body.current.getBoundingClientRect().top;
    const first = isPrinted ? 0 : Math.max(0, Math.floor(-top / pixels) - OVERSCAN);
    const last = isPrinted ? PRINTED : Math.max(0, Math.ceil((innerHeight - top) / pixels) + OVERSCAN);
    setSize(pixels);
    setRange((before) => (before[0] === first && before[1] === last ? before : [first, last]));
  };
  useLayoutEffect(() => measure(), [rows, className]);
  useEffect(() => {
    const end = new AbortController();
    const { signal } = end;
    const update = () => measure();
    addEventListener("scroll", update, { passive: true, signal });
    addEventListener("resize", update, { signal });
    addEventListener("beforeprint", () => measure(true), { signal });
    addEventListener("afterprint", update, { signal });
    matchMedia("print").addEventListener("change", update, { signal });
    return () => end.abort();
  }, [height, narrowHeight]);
  useEffect(() => {
    if (wanted.current < 0) return;
    body.current.querySelector(`[data-at="${wanted.current}"] a`)?.focus({ preventScroll: true });
    wanted.current = -1;
  });

  const move = (/** @type {any} */ event) => {
    const at = Number(event.target.closest("[data-at]")?.dataset.at);
    const page = Math.max(1, Math.floor(innerHeight / size) - 2);
    const steps = /** @type {Record<string, number>} */ ({ ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -rows.length, End: rows.length });
    const step = steps[event.key];
    if (step === undefined || Number.isNaN(at) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const to = Math.min(rows.length - 1, Math.max(0, at + step));
    wanted.current = to;
    setFocused(to);
    const top = body.current.getBoundingClientRect().top + to * size;
    if (top < 3 * size || top > innerHeight - 3 * size) scrollBy({ top: top - innerHeight / 2, behavior: "instant" });
  };
  const blur = () => wanted.current < 0 && setFocused(-1);
  const focus = (/** @type {any} */ event) => setFocused(Number(event.target.closest("[data-at]")?.dataset.at ?? -1));

  const [first = 0, last = 0] = range;
  const shown = [];
  for (let at = Math.min(first, rows.length); at < Math.min(last, rows.length); at += 1) shown.push(at);
  // The row that has the focus stays in the page while the reader scrolls.
  if (focused >= 0 && focused < rows.length && !shown.includes(focused)) shown[focused < first ? "unshift" : "push"](focused);

  return html`<div class="list ${className}" role="table" aria-label=${label} aria-rowcount=${rows.length + 1} aria-colcount=${columns.length}>
    <div role="rowgroup" class="list-head"><div role="row" class="list-row" aria-rowindex="1">${columns.map((it) => {
      const direction = sort === it.sort ? "ascending" : sort === `-${it.sort}` ? "descending" : undefined;
      const next = direction === "ascending" || (!direction && it.descends) ? `-${it.sort}` : String(it.sort);
      const plain = it.content ? html`<span class="visually-hidden">${it.head}</span>${it.content}` : it.head;
      const content = it.sort && onSort ? html`<button type="button" onClick=${() => onSort(next)}>${it.head}</button>` : plain;
      return html`<div role="columnheader" aria-sort=${it.sort && direction}>${content}</div>`;
    })}</div></div>
    <div role="rowgroup" class="list-body" ref=${body} style=${{ height: `${rows.length * size}px` }} onKeyDown=${move} onFocusIn=${focus} onFocusOut=${blur}>
      ${shown.map((at) => html`
        <div key=${at} role="row" class="list-row ${rowClass?.(rows[at]) ?? ""}" aria-rowindex=${at + 2} data-at=${at} style=${{ height: `${size}px`, top: `${at * size}px` }}>
          ${cells(rows[at]).map((cell, column) => html`<div role="cell" data-head=${columns[column]?.head}>${cell}</div>`)}
        </div>`)}
    </div>
    ${rows.length > PRINTED && html`<p class="print-only">The first ${PRINTED} of ${rows.length} rows are printed. Use the filters to print others.</p>`}
  </div>`;
}
