// Buttons that only a script can serve: `data-copies` takes the text of a field away with you, `data-print` prints.
"use strict";
(() => {
  function copies(button) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const field = document.getElementById(button.dataset.copies);
      field.select();
      try {
        await navigator.clipboard.writeText(field.value);
      } catch {
        return; // it stays selected: the keys of the device copy it
      }
      button.textContent = button.dataset.done;
    });
  }

  function enhance() {
    document.querySelectorAll("[data-copies][hidden]").forEach(copies);
    document.querySelectorAll("[data-print][hidden]").forEach((holder) => {
      holder.hidden = false;
      holder.querySelector("button").addEventListener("click", () => print());
    });
  }
  enhance();
  document.addEventListener("swapped", enhance);
})();
