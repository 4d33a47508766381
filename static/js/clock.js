// The clock of a projected page goes on by itself, from the time that the server wrote into it.
const clock = document.querySelector("[data-clock]");
if (clock) {
  const [hours, minutes, seconds] = clock.dateTime.match(/T(\d+):(\d+):(\d+)/).slice(1).map(Number);
  const started = performance.now();
  const two = (number) => String(number).padStart(2, "0");
  setInterval(() => {
    const now = hours * 3600 + minutes * 60 + seconds + Math.floor((performance.now() - started) / 1000);
    clock.textContent = `${two(Math.floor(now / 3600) % 24)}:${two(Math.floor(now / 60) % 60)}`;
  }, 1000);
}
