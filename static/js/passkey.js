// allauth says only the console when the device gives no passkey: say it on the page.
document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  const note = document.getElementById("passkey-trouble");
  if (note) note.hidden = false;
});
