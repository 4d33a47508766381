// Beside an hour in Rome, the same instant where the reader is: by the clock of the device, if that is another zone.
const zoned = () => {
  for (const time of document.querySelectorAll("time[data-zone]:not([data-shown])")) {
    time.dataset.shown = "";
    const at = new Date(time.dateTime);
    const shown = (timeZone) => at.toLocaleString(document.documentElement.lang, { timeZone, weekday: "short", hour: "2-digit", minute: "2-digit" });
    if (shown(undefined) !== shown(time.dataset.zone)) time.append(` (${time.dataset.words.replace("{}", shown(undefined))})`);
  }
};
zoned();
document.addEventListener("swapped", zoned);
