// The admin's <html> is Django's: take the colours that were chosen on the site.
{
  const chosen = document.cookie.match(/(?:^|; )theme=(light|dark)(?:;|$)/);
  if (chosen) document.documentElement.dataset.theme = chosen[1];
}
