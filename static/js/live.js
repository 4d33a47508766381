// While the page has a `data-live="<seconds>"`, asks whether it changed, puts the new one in its place, and says so.
"use strict";
(() => {
  const main = document.getElementById("main");
  const live = () => main.querySelector("[data-live]");
  if (!live()) return;
  let was = main.textContent;
  let etag = "";
  let timer = 0;
  const note = document.createElement("p");
  note.className = "visually-hidden";
  note.setAttribute("role", "status");
  document.body.append(note);

  // Never while somebody is filling in a form there: then the next round asks again.
  const isBusy = () => main.contains(document.activeElement) && document.activeElement.matches("input, select, textarea");

  function put(fresh) {
    const news = live().dataset.news;
    const focused = main.contains(document.activeElement) ? document.activeElement.id : "";
    const open = [...main.querySelectorAll("details[open][id]")].map((one) => one.id);
    main.replaceChildren(...fresh.childNodes);
    open.forEach((id) => document.getElementById(id)?.setAttribute("open", ""));
    document.dispatchEvent(new Event("swapped"));
    if (focused) document.getElementById(focused)?.focus();
    note.textContent = news;
  }

  async function ask() {
    const before = was;
    const headers = etag ? { "If-None-Match": etag } : {};
    const answer = await fetch(location.href, { headers, cache: "no-store" });
    if (![200, 410].includes(answer.status)) return; // what is closed says so, and is not asked again
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("main");
    if (isBusy() || was !== before) return;
    etag = answer.headers.get("ETag") ?? "";
    if (fresh.textContent === was) return;
    was = fresh.textContent;
    put(fresh);
  }

  async function round() {
    clearTimeout(timer);
    if (document.hidden || !live()) return;
    await ask().catch(() => {}); // no network just now
    later();
  }

  function later() {
    clearTimeout(timer);
    if (live()) timer = setTimeout(round, Number(live().dataset.live) * 1000);
  }

  document.addEventListener("visibilitychange", round);
  document.addEventListener("answered", (event) => { // another script has put a newer page here
    was = event.detail;
    etag = "";
    later();
  });
  later();
})();
