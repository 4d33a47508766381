// The results grid: one key a result, each saved at once, in order; sent again, under the same id, when the network is
// back. What is on the server is the truth: this page only asks and shows.
"use strict";
(() => {
  const grid = document.getElementById("grid");
  const words = grid.dataset;
  const verifying = "verifying" in words;
  const status = document.getElementById("status");
  const switch_ = document.getElementById("keys-on");
  const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
  const rounds = [...grid.querySelectorAll(".round")];
  const links = [...grid.querySelectorAll(".round-link")];
  const rows = [...grid.querySelectorAll(".game")];
  const small = matchMedia("(max-width: 640px)");
  const SAME_KEY = { "=": "X", "3": "X", "−": "-" };
  const WINNER = { "1": 0, "+": 0, "2": 1, "-": 1 };
  const PATIENCE = 3000;
  const queue = [];
  let busy = false;
  let leaving = false;
  let complained = false; // what was said about a key stays until the next one
  let timer = 0;

  const box = (row) => row.querySelector(".result");
  const radio = (row, sign) => row.querySelector(`input[type=radio][value="${CSS.escape(sign)}"]`);
  const reading = (row, sign) => (sign ? radio(row, sign)?.dataset.reading ?? sign : words.none);
  const live = () => grid.classList.contains("grid--live") && !small.matches;
  const shown = (row) => row.dataset.shown ?? (verifying ? "" : row.dataset.sign);
  const say = (text) => { status.textContent = text; };
  const put = (text, value) => text.replace("*", value);

  function display(row, sign) {
    row.dataset.shown = sign;
    const field = box(row);
    field.value = sign.replace("-", "−");
    field.classList.toggle("result--empty", !sign);
    field.classList.toggle("result--absent", "+-0".includes(sign) && sign !== "");
    const choice = radio(row, sign);
    if (choice) choice.checked = true;
    if (choice?.closest("details") && sign) choice.closest("details").open = true;
    row.querySelector(".reading").textContent = sign ? reading(row, sign) : "";
    row.querySelectorAll(".side").forEach((cell, place) => cell.classList.toggle("winner", WINNER[sign] === place));
    const round = row.closest(".round");
    const full = [...round.querySelectorAll(".game")].every((one) => shown(one));
    links[rounds.indexOf(round)].querySelector(".full").hidden = !full;
  }

  // Two values in one box: the person chooses.
  function clash(row, mine, sentence) {
    settle(row);
    const note = document.getElementById("clash").content.firstElementChild.cloneNode(true);
    const theirs = row.dataset.sign;
    note.querySelector("p").textContent = sentence;
    const [keep, take] = note.querySelectorAll("button");
    keep.textContent = put(words.keep, reading(row, theirs));
    take.textContent = put(words.take, reading(row, mine));
    keep.addEventListener("click", () => { settle(row); display(row, theirs); box(row).focus(); });
    take.addEventListener("click", () => { settle(row); store(row, mine); box(row).focus(); });
    row.querySelector(".entry").append(note);
    row.classList.add("game--clash");
    box(row).classList.add("result--conflict");
    display(row, mine);
    leaving = false;
    complained = true;
    say(`${sentence} ${keep.textContent} / ${take.textContent}`);
  }

  function settle(row) {
    row.querySelectorAll(".clash, .trouble").forEach((note) => note.remove());
    row.classList.remove("game--clash");
    box(row).classList.remove("result--conflict");
  }

  // True if the cursor may move on.
  function type(row, sign) {
    complained = false;
    if (verifying && sign && sign !== row.dataset.sign) {
      clash(row, sign, put(words.differs, reading(row, row.dataset.sign)));
      return false;
    }
    settle(row);
    if (verifying) display(row, sign);
    else store(row, sign);
    return true;
  }

  function store(row, sign) {
    display(row, sign);
    queue.push({ url: words.cell, row, sign });
    send();
  }

  function stepBack(form) {
    queue.push({ url: form.action, form: form.dataset.step });
    send();
  }

  // Written when it is sent for the first time, and then kept: the same id means the same key.
  function body(step) {
    const data = new FormData();
    if (step.form) {
      const change = document.querySelector(`[data-step=${step.form}] [name=change]`);
      data.set("change", change ? change.value : "");
    } else {
      data.set("table", step.row.dataset.table);
      data.set("sign", step.sign);
      data.set("version", step.row.dataset.version);
      data.set("submission", newId());
    }
    return data;
  }

  function newId() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  async function send() {
    if (busy || !queue.length) return;
    clearTimeout(timer);
    busy = true;
    const step = queue[0];
    step.body ??= body(step);
    const answer = await ask(step);
    busy = false;
    if (typeof answer === "string") return wait(answer);
    queue.shift();
    receive(step, answer);
    if (queue.length) return send();
    if (leaving) location.assign(words.check);
  }

  // What the server says; or, as a string, why it has to be asked again.
  async function ask(step) {
    try {
      const headers = { Accept: "application/json", "X-CSRFToken": token };
      const reply = await fetch(step.url, { method: "POST", body: step.body, headers, redirect: "manual" });
      if (reply.type === "opaqueredirect" || reply.status === 403) return words.signedOut;
      if (reply.status >= 500 || reply.status === 429) return words.offline;
      return { status: reply.status, ...(await reply.json()) };
    } catch {
      return words.offline;
    }
  }

  function wait(why) {
    say(why);
    timer = setTimeout(send, PATIENCE);
  }

  function receive(step, answer) {
    const row = rows.find((one) => one.dataset.table === String(answer.table)) ?? step.row;
    for (const part of ["panel", "changes"]) {
      const place = document.getElementById(part);
      if (place && part in answer) place.innerHTML = answer[part];
    }
    if (row && "sign" in answer) {
      row.dataset.sign = answer.sign;
      row.dataset.version = answer.version;
    }
    if (answer.status === 200 && !answer.sentence) return saved(step, row, answer);
    refused(step, row, answer);
  }

  function saved(step, row, answer) {
    if (!queue.some((later) => later.row === row)) {
      if (step.form && row) { settle(row); display(row, row.dataset.sign); visit(row); }
      box(row ?? rows[0]).classList.add("result--saved");
    }
    if (!complained) say(answer.saved);
  }

  function refused(step, row, answer) {
    if (step.form) return say(answer.sentence);
    const later = queue.filter((one) => one.row === row);
    const mine = (later.at(-1) ?? step).sign;
    later.forEach((one) => queue.splice(queue.indexOf(one), 1));
    if (answer.status === 409 && answer.sign === mine) {
      display(row, mine);
      return say(answer.saved);
    }
    clash(row, mine, answer.sentence);
  }

  const here = () => rounds.findIndex((round) => !round.hidden);

  function show(place) {
    rounds.forEach((round, other) => { round.hidden = other !== place; });
    links.forEach((link, other) => {
      if (other === place) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
  }

  function visit(row) {
    show(rounds.indexOf(row.closest(".round")));
    if (live()) box(row).focus();
  }

  const move = (row, by) => { const next = rows[rows.indexOf(row) + by]; if (next) visit(next); };

  function turn(by) {
    const place = here() + by;
    if (place in rounds) visit(rounds[place].querySelector(".game"));
  }

  function check() {
    if (verifying) return grid.querySelector("form").requestSubmit();
    if (grid.querySelector(".clash")) return say(words.toChoose);
    leaving = true;
    if (!queue.length) location.assign(words.check);
    else send();
  }

  const plain = {
    ArrowDown: (row) => move(row, 1),
    ArrowUp: (row) => move(row, -1),
    ArrowRight: (row) => move(row, 1),
    ArrowLeft: (row) => move(row, -1),
    PageDown: () => turn(1),
    PageUp: () => turn(-1),
    Delete: (row) => type(row, ""),
    Backspace: (row) => type(row, ""),
  };

  function press(event) {
    const field = event.target.closest(".result");
    if (!field || !switch_.checked || event.altKey || event.isComposing) return;
    const row = field.closest(".game");
    if (event.ctrlKey || event.metaKey) return withControl(event);
    if (event.key in plain) plain[event.key](row);
    else if (event.key.length !== 1) return;
    else sign(row, SAME_KEY[event.key] ?? event.key.toUpperCase(), event.key);
    event.preventDefault();
  }

  function withControl(event) {
    const key = event.key.toLowerCase();
    if (key === "enter") check();
    else if (key === "z" && !verifying) undo(event.shiftKey);
    else return;
    event.preventDefault();
  }

  function undo(again) {
    queue.push({ url: again ? words.redo : words.undo, form: again ? "redo" : "undo" });
    send();
  }

  function sign(row, wanted, key) {
    if (row.dataset.signs.includes(wanted)) {
      if (type(row, wanted)) move(row, 1);
    } else {
      complained = true;
      say(put(row.dataset.signs.includes("B") ? words.wrongAlone : words.wrong, key));
    }
  }

  function dress() {
    grid.classList.toggle("grid--live", switch_.checked);
    grid.querySelectorAll(".result").forEach((field) => { field.hidden = !switch_.checked; });
  }

  function remember() {
    try { localStorage.setItem("grid-keys", switch_.checked ? "on" : "off"); } catch { /* private windows forget */ }
    dress();
  }

  function start() {
    try { switch_.checked = localStorage.getItem("grid-keys") !== "off"; } catch { switch_.checked = true; }
    document.getElementById("keys").hidden = false;
    grid.classList.add("grid--script");
    dress();
    const asked = rows.find((row) => `#${row.id}` === location.hash);
    const round = rounds.findIndex((one) => `#${one.id}` === location.hash);
    const first = asked ?? rounds[round]?.querySelector(".game") ?? rows.find((row) => !shown(row)) ?? rows[0];
    rows.forEach((row) => { if (!verifying) display(row, row.querySelector("input:checked")?.value ?? row.dataset.sign); });
    if (document.getElementById("error-summary")) show(rounds.indexOf(first.closest(".round")));
    else visit(first);
  }

  grid.addEventListener("keydown", press);
  grid.addEventListener("focusin", (event) => { if (event.target.matches(".result")) event.target.select(); });
  grid.addEventListener("beforeinput", (event) => { if (event.target.matches(".result")) event.preventDefault(); });
  grid.addEventListener("change", (event) => {
    if (event.target.matches("input[type=radio]")) type(event.target.closest(".game"), event.target.value);
  });
  grid.addEventListener("submit", (event) => {
    if (!event.target.dataset.step) return;
    event.preventDefault();
    stepBack(event.target);
  });
  links.forEach((link, place) => link.addEventListener("click", (event) => {
    event.preventDefault();
    visit(rounds[place].querySelector(".game"));
  }));
  addEventListener("hashchange", () => {
    const row = rows.find((one) => `#${one.id}` === location.hash);
    if (row) visit(row);
  });
  addEventListener("online", send);
  addEventListener("beforeunload", (event) => { if (queue.length) event.preventDefault(); });
  switch_.addEventListener("change", remember);
  start();
})();
