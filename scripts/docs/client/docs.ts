// Adds copy buttons, search, the theme and this deployment's address to pages with scripts.
import { keepLanguage, showOwnAddress } from "./samples.ts";
import { followReading } from "./reading.ts";

async function copyCode(button: HTMLButtonElement): Promise<void> {
  const code = [...(button.closest("figure")?.querySelectorAll("pre") ?? [])].find((pre) => pre.checkVisibility());
  await navigator.clipboard.writeText(code?.textContent ?? "");
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = "Copy"), 2000);
}

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", () => void copyCode(button));
}

const themes = ["system", "light", "dark"];
const themeSwitch = document.querySelector<HTMLButtonElement>("[data-theme-switch]");
const currentTheme = () => document.documentElement.dataset["theme"] ?? "system";
const nameTheme = () => themeSwitch?.setAttribute("aria-label", `Theme: ${currentTheme()}`);
if (themeSwitch !== null) {
  themeSwitch.hidden = false;
  nameTheme();
  themeSwitch.addEventListener("click", () => {
    const next = themes[(themes.indexOf(currentTheme()) + 1) % themes.length] ?? "system";
    if (next === "system") {
      delete document.documentElement.dataset["theme"];
      localStorage.removeItem("theme");
    } else {
      document.documentElement.dataset["theme"] = next;
      localStorage.setItem("theme", next);
    }
    nameTheme();
  });
}

const searchButton = document.querySelector<HTMLButtonElement>("[data-search]");
/** Loads the search on first use. */
const openSearch = () => void import("./search.ts").then((search) => search.open());
if (searchButton !== null) {
  searchButton.hidden = false;
  searchButton.addEventListener("click", openSearch);
  const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
  if (isApple) searchButton.querySelector("kbd")?.replaceChildren("⌘K");
}

document.addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  const asksByKey = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
  const asksBySlash = event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (!asksByKey && !asksBySlash) return;
  event.preventDefault();
  openSearch();
});

// A link in the drawer leads to another page.
const navigation = document.getElementById("navigation");
navigation?.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("a") && navigation.matches(":popover-open"))
    navigation.hidePopover();
});
const here = navigation?.querySelector<HTMLElement>("[aria-current]");
// Scrolls only the navigation, because `scrollIntoView` would also move the page.
if (navigation && here && here.offsetTop > innerHeight / 2) navigation.scrollTop = here.offsetTop - innerHeight / 3;

showOwnAddress();
keepLanguage();
followReading();
