// After a form came back with something to look at, start there.
document.getElementById("error-summary")?.focus();
