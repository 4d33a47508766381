// The page of a table: keeps what was typed, sends each step once, and goes on without a network. What the server
// answers is a page, and takes the place of this one.
"use strict";
(() => {
  const main = document.getElementById("main");
  const note = document.getElementById("table-note");
  const KEY = `table ${location.pathname}`;
  const PATIENCE = 3000;
  const SOON = 400;
  const NEVER_KEPT = ["csrfmiddlewaretoken", "submission", "act", "asked"];
  let kept = load();
  let busy = false;
  let timer = 0;
  let soon = 0;
  let shownAt = performance.now();

  function load() {
    try { return { queue: [], typed: null, ...JSON.parse(localStorage.getItem(KEY)) }; } catch { return { queue: [], typed: null }; }
  }

  function save() {
    try { localStorage.setItem(KEY, JSON.stringify(kept)); } catch { /* private windows forget */ }
  }

  function say(words) {
    note.textContent = words;
    note.hidden = !words;
  }

  const scores = () => main.querySelector("form.scores");
  const boxes = () => [...(scores()?.querySelectorAll("input.points") ?? [])];

  // As they are typed, with the version that they were typed against: another phone's scores are not typed over unseen.
  function remember() {
    kept.typed = [...new FormData(scores())].filter(([name]) => !NEVER_KEPT.includes(name));
    save();
  }

  function refill() {
    const form = scores();
    if (!form || !kept.typed) return;
    for (const box of form.querySelectorAll("[type=checkbox]")) box.checked = false;
    for (const [name, value] of kept.typed) {
      const field = form.elements[name];
      if (field?.type === "checkbox") field.checked = true;
      else if (field) field.value = value;
    }
  }

  function put(html, clean) {
    const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("main");
    if (!fresh) return location.reload();
    const open = [...main.querySelectorAll("details[open][id]")].map((one) => one.id);
    const text = fresh.textContent;
    main.replaceChildren(...fresh.childNodes);
    if (!clean) open.forEach((id) => main.querySelector(`details#${id}`)?.setAttribute("open", ""));
    dress();
    document.dispatchEvent(new CustomEvent("answered", { detail: text }));
  }

  function dress() {
    shownAt = performance.now();
    refill();
    tick();
  }

  async function flush() {
    if (busy || !kept.queue.length) return;
    clearTimeout(timer);
    busy = true;
    const step = kept.queue[0];
    const answer = await ask(step);
    busy = false;
    if (!answer) {
      say(note.dataset.offline);
      timer = setTimeout(flush, PATIENCE);
      return;
    }
    kept.queue.shift();
    if (step.act === "send" && answer.done) kept.typed = null;
    save();
    if (!note.hidden) say(kept.queue.length ? note.dataset.offline : note.dataset.sent);
    put(answer.html, answer.done);
    if (answer.done) jump(step.act);
    else main.querySelector("[role=alert], .trouble")?.scrollIntoView({ block: "center" });
    flush();
  }

  function jump(act) {
    if (["send", "suspend"].includes(act)) main.scrollIntoView();
  }

  // Nothing, if it has to be asked again.
  async function ask(step) {
    const body = new URLSearchParams(step.body);
    if (body.has("ago")) body.set("ago", Math.round(Date.now() - step.at));
    try {
      const reply = await fetch(location.pathname, { method: "POST", body, headers: { Accept: "text/html" } });
      if (reply.status >= 500 || reply.status === 429) return null;
      return { done: reply.redirected, html: await reply.text() };
    } catch {
      return null;
    }
  }

  function submit(event) {
    const form = event.target;
    if (!("send" in form.dataset)) return;
    event.preventDefault();
    const body = [...new FormData(form, event.submitter)];
    const act = body.findLast(([name]) => name === "act")[1];
    if (act === "check") return look(form);
    kept.queue.push({ body, act, at: Date.now() });
    save();
    if (act === "turn") handOver(event.submitter);
    form.querySelector("[name=submission]").value = newId();
    flush();
  }

  function newId() {
    const hex = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0"));
    return hex.join("");
  }

  // What the scores come to so far: the server says it, and only that part of the page changes.
  async function look(form) {
    const body = new URLSearchParams([...new FormData(form), ["act", "check"]]);
    const reply = await fetch(location.pathname, { method: "POST", body }).catch(() => null);
    if (!reply?.ok || !form.isConnected) return;
    const fresh = new DOMParser().parseFromString(await reply.text(), "text/html");
    for (const part of form.querySelectorAll("[data-part]")) {
      const other = fresh.getElementById(part.id);
      if (other && !part.contains(document.activeElement)) part.replaceChildren(...other.cloneNode(true).childNodes);
    }
  }

  function typed(event) {
    const form = event.target.closest("form.scores");
    if (!form) return;
    remember();
    clearTimeout(soon);
    if (boxes().filter((box) => box.name.startsWith("score")).every((box) => box.value)) soon = setTimeout(look, SOON, form);
  }

  // Enter goes to the next box, and from the last one it sends.
  function press(event) {
    if (event.key !== "Enter" || !event.target.matches("form.scores input.points")) return;
    event.preventDefault();
    const rest = boxes().filter((box) => box.name.startsWith("score"));
    const next = rest[rest.indexOf(event.target) + 1];
    if (next && rest.includes(event.target)) next.focus();
    else scores().requestSubmit(scores().querySelector("[value=send]"));
  }

  const clock = () => main.querySelector("[data-clock]");

  function handOver(tile) {
    const passed = performance.now() - shownAt;
    const running = clock().querySelector(".tile--runs");
    if (running) running.dataset.left = Math.max(0, running.dataset.left - passed);
    shownAt = performance.now();
    for (const one of clock().querySelectorAll(".tile")) {
      const runs = one === tile && "left" in one.dataset;
      one.classList.toggle("tile--runs", runs);
      one.setAttribute("aria-pressed", one === tile);
      const word = one.querySelector(".tile-word");
      if (word) word.textContent = "";
    }
    tick();
  }

  function tick() {
    const tile = clock()?.querySelector(".tile--runs");
    if (!tile) return;
    const seconds = Math.ceil(Math.max(0, tile.dataset.left - (performance.now() - shownAt)) / 1000);
    tile.querySelector("strong").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    tile.classList.toggle("tile--out", seconds === 0);
  }

  main.addEventListener("submit", submit);
  main.addEventListener("input", typed);
  main.addEventListener("keydown", press);
  document.addEventListener("swapped", dress);
  addEventListener("online", flush);
  addEventListener("beforeunload", (event) => { if (kept.queue.length) event.preventDefault(); });
  setInterval(tick, 250);
  dress();
  flush();
})();
