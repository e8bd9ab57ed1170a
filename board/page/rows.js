// The rows of a long table.
"use strict";

const rowsAround = 10;  // that are drawn above and below those in sight

// Of a table's rows only those in sight, some around them and the one with the focus are elements. Before the page is
// printed all of them are. scroller: the element by which it is scrolled. idOf: the id of an item.
class LongTable {
  constructor(table, scroller, idOf) {
    Object.assign(this, { table, scroller, idOf, items: [], rows: new Map(), from: 0, to: 0, rowHeight: 0 });
    let waiting = false;
    const later = () => {
      if (!waiting) requestAnimationFrame(() => { waiting = false; this.follow(); });
      waiting = true;
    };
    scroller.addEventListener("scroll", later, { passive: true });
    new ResizeObserver(later).observe(scroller);
    window.addEventListener("beforeprint", () => this.fill(0, this.items.length));
    window.addEventListener("afterprint", () => this.follow());
    table.tBodies[0].addEventListener("keydown", (event) => this.moveFocus(event));
  }

  // draw: makes the row of an item, whose controls have keys. widest: a hidden row with the widest cell of each column,
  // so that the columns keep their widths while the table is scrolled.
  show(items, { draw, widest }) {
    Object.assign(this, { items, draw, widest, rows: new Map() });
    this.table.setAttribute("aria-rowcount", items.length + 1);  // with the head
    this.fill(...this.inSight());
    const height = this.table.tBodies[0].querySelector("tr[data-id]")?.getBoundingClientRect().height;
    if (!height || height === this.rowHeight) return;
    this.rowHeight = height;
    this.fill(...this.inSight());
  }

  // The rows to draw, as they are scrolled now.
  inSight() {
    const below = (this.scroller.getBoundingClientRect().top - this.table.tBodies[0].getBoundingClientRect().top) / (this.rowHeight || 24);
    const first = Math.max(0, Math.min(Math.floor(below), this.items.length)), shown = this.scroller.clientHeight / (this.rowHeight || 24);
    return [Math.max(0, first - rowsAround), Math.min(this.items.length, Math.ceil(first + shown) + rowsAround)];
  }

  follow() {
    const [from, to] = this.inSight();
    if (Math.max(Math.abs(from - this.from), Math.abs(to - this.to)) >= rowsAround / 2) this.fill(from, to);
  }

  // also: the place of one more row to draw.
  fill(from, to, also = -1) {
    Object.assign(this, { from, to });
    const wanted = new Set([this.focused(), also].filter((n) => n >= 0));
    for (let n = from; n < to; ++n) wanted.add(n);
    const before = this.rows, out = [];
    this.rows = new Map();
    let next = 0;
    const space = (n) => { if (n > 0) out.push(make("tr", { ariaHidden: "true", style: `height: ${n * this.rowHeight}px` })); };
    for (const n of [...wanted].sort((a, b) => a - b)) {
      space(n - next);
      this.rows.set(n, before.get(n) ?? this.row(n));
      out.push(this.rows.get(n));
      next = n + 1;
    }
    space(this.items.length - next);
    replace(this.table.tBodies[0], ...out, this.widest);
  }

  row(n) {
    const out = this.draw(this.items[n]);
    out.setAttribute("aria-rowindex", n + 2);
    out.dataset.id = this.idOf(this.items[n]);
    return out;
  }

  // The place of the item whose row has the focus; -1 = none.
  focused() {
    const id = this.table.tBodies[0].contains(document.activeElement) ? document.activeElement.closest("tr").dataset.id : undefined;
    return id === undefined ? -1 : this.items.findIndex((item) => this.idOf(item) === id);
  }

  // Arrows go to the same control of the next row, Home and End to the first and the last row.
  moveFocus(event) {
    const at = this.focused(), last = this.items.length - 1;
    const next = { ArrowDown: Math.min(at + 1, last), ArrowUp: Math.max(at - 1, 0), Home: 0, End: last }[event.key];
    if (at < 0 || next === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const column = document.activeElement.closest("td").cellIndex;
    this.fill(this.from, this.to, next);
    this.rows.get(next).cells[column].querySelector("input, button").focus();
  }
}
