// The browser runs this script before the first paint. Otherwise, the page would appear in the default theme for a
// moment, and then switch to the theme that the user has chosen.
const chosen = localStorage.getItem("theme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset["theme"] = chosen;
