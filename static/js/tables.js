// Tables: a heading with `data-sort` orders the rows, a form with `data-filters` leaves those that match while one types.
"use strict";
(() => {
  const wide = matchMedia("(min-width: 641px)"); // on a phone the headings are not seen
  const HARD = { ł: "l", ø: "o", đ: "d", ß: "ss", æ: "ae", œ: "oe", ı: "i" };
  const plain = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/[łøđßæœı]/g, (c) => HARD[c]);
  const rowsOf = (body) => [...body.rows].filter((row) => !row.classList.contains("band"));
  const comma = document.documentElement.lang !== "en";

  // 1.234,567 · 1,234.567 · 31/12/2026; what is no number is compared as a word, and an empty cell comes last.
  function valueOf(cell) {
    const text = cell.textContent.trim();
    const day = text.match(/^(\d+)\/(\d+)\/(\d{4})$/);
    if (day) return Number(day[3] + day[2].padStart(2, "0") + day[1].padStart(2, "0"));
    const number = text.replace(comma ? /\./g : /,/g, "").replace(",", ".").replace("−", "-");
    return text && !Number.isNaN(Number(number)) ? Number(number) : plain(text);
  }

  function compare(one, other) {
    if (one === "" || other === "") return (one === "") - (other === "");
    return typeof one === "number" && typeof other === "number" ? one - other : String(one).localeCompare(String(other));
  }

  function sort(table, heading) {
    const numbers = heading.classList.contains("num");
    const before = heading.getAttribute("aria-sort");
    const up = before ? before === "descending" : !numbers;
    for (const th of table.tHead.rows[0].cells) th.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", up ? "ascending" : "descending");
    for (const body of table.tBodies) {
      const known = rowsOf(body).map((row) => [valueOf(row.cells[heading.cellIndex]), row]);
      known.sort(([one], [other]) => (one === "" || other === "" || up ? compare(one, other) : compare(other, one)));
      body.append(...known.map(([, row]) => row));
    }
  }

  function makeSortable(heading) {
    const table = heading.closest("table");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...heading.childNodes);
    button.disabled = !wide.matches;
    wide.addEventListener("change", () => { button.disabled = !wide.matches; });
    button.addEventListener("click", () => sort(table, heading));
    heading.append(button);
  }

  const wordsOf = (field) => plain(field.value).split(/\s+/).filter(Boolean);
  const bears = (row, words) => words.every((word) => plain(row.querySelector("th")?.textContent ?? "").includes(word));

  function filter(table, words) {
    let left = 0;
    for (const body of table.tBodies) {
      const rows = rowsOf(body);
      for (const row of rows) row.hidden = !bears(row, words);
      const shown = rows.filter((row) => !row.hidden).length;
      body.hidden = shown === 0;
      left += shown;
    }
    return left;
  }

  function makeLive(form) {
    const table = document.getElementById(form.dataset.filters);
    const field = form.querySelector("input[type=search]");
    const note = form.querySelector("[role=status]");
    field.addEventListener("input", () => {
      note.textContent = filter(table, wordsOf(field)) ? "" : form.dataset.nobody;
    });
  }

  function enhance() {
    document.querySelectorAll("th[data-sort]:not(:has(.sort))").forEach(makeSortable);
    document.querySelectorAll("form[data-filters]").forEach(makeLive);
  }
  enhance();
  document.addEventListener("swapped", enhance);
})();
