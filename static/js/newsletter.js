// A block goes where the cursor is. Without this script it goes to the end of the text, by the server.
"use strict";
(() => {
  const button = document.querySelector(".newsletter [name=then][value=insert]");
  if (!button) return;
  button.addEventListener("click", (event) => {
    const form = button.form;
    const text = form.elements[`text_${form.elements.tab.value}`];
    event.preventDefault();
    const before = text.value.slice(0, text.selectionStart).trimEnd();
    const after = text.value.slice(text.selectionEnd).trimStart();
    const start = before ? `${before}\n\n` : "";
    const line = `[[${form.elements.block.value} ${form.elements.rows.value}]]`;
    text.value = `${start}${line}\n\n${after}`;
    text.focus();
    text.setSelectionRange(start.length + line.length, start.length + line.length);
  });
})();
