// Runs before the first paint. Otherwise a chosen theme would flicker.
const chosen = localStorage.getItem("theme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset["theme"] = chosen;
