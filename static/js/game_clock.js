// The clock of a game. The server says how much is left; the page counts from there and asks again every half minute.
"use strict";
(() => {
  const box = document.querySelector("[data-game-clock]");
  if (!box) return;
  const [face, said, aloud] = ["[data-face]", "[data-said]", "[data-aloud]"].map((name) => box.querySelector(name));
  const WARNINGS = [30, 10, 5, 1, 0];
  const EVERY = 30_000;
  const two = (number) => String(number).padStart(2, "0");
  let { state } = box.dataset;
  let until = performance.now() + Number(box.dataset.left);
  let left = Number(box.dataset.left);
  let before = left;
  let speaks = false;

  function say(words) {
    said.textContent = words;
    if (!speaks) return;
    const spoken = new SpeechSynthesisUtterance(words);
    spoken.lang = document.documentElement.lang;
    speechSynthesis.speak(spoken);
  }

  function show() {
    if (state === "running") left = Math.max(0, until - performance.now());
    const seconds = Math.ceil(left / 1000);
    face.textContent = `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`;
    face.classList.toggle("clock--last", seconds <= 60);
    const passed = WARNINGS.find((minutes) => before > minutes * 60_000 && left <= minutes * 60_000);
    if (passed !== undefined) say(box.getAttribute(`data-warn-${passed}`));
    before = left;
  }

  // Not while somebody is typing there: then the next answer brings it.
  const isBusy = () => document.activeElement?.matches("input, select, textarea");

  async function ask() {
    const sent = performance.now();
    const answer = await fetch(box.dataset.gameClock, { cache: "no-store" });
    if (!answer.ok) return;
    const told = await answer.json();
    const got = performance.now();
    if (told.mark !== box.dataset.mark && !isBusy()) location.assign(box.dataset.page);
    state = told.state;
    left = told.left_ms;
    until = (sent + got) / 2 + told.left_ms;
    box.dataset.corrected = String(Math.round(got));
    show();
  }

  if ("speechSynthesis" in window) {
    aloud.hidden = false;
    aloud.addEventListener("click", () => {
      speaks = !speaks;
      aloud.setAttribute("aria-pressed", String(speaks));
    });
  }
  const askQuietly = () => ask().catch(() => {}); // no network just now
  document.addEventListener("visibilitychange", () => document.hidden || askQuietly());
  setInterval(show, 250);
  setInterval(askQuietly, EVERY);
  show();
})();
