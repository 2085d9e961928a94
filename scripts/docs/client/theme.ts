// Runs before the first paint. Otherwise, the page would appear in the default theme before it switches to the
// chosen one.
const chosen = localStorage.getItem("theme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset["theme"] = chosen;
