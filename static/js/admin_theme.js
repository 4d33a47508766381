// The admin's <html> is Django's: give it the colours that were chosen on the site.
{
  const chosen = document.currentScript.dataset.chosen;
  if (chosen !== "auto") document.documentElement.dataset.theme = chosen;
}
