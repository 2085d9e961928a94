// The script of the documentation pages. It enables the copy buttons, the search and the theme switch, and inserts the
// address of this deployment into the samples.
import { LOCAL_ORIGIN, ORIGIN } from "../origin.ts";

const isLocal = /^(?:localhost|127\.0\.0\.1)$/.test(location.hostname);

/** Replaces the placeholder in samples with the address of this deployment. */
function showOwnAddress(): void {
  const placeholders = isLocal ? [ORIGIN, LOCAL_ORIGIN] : [ORIGIN];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.nodeValue ?? "";
    const replacement = placeholders.reduce((replaced, origin) => replaced.replaceAll(origin, location.origin), text);
    if (replacement !== text) node.nodeValue = replacement;
  }
}

const inputs = () => document.querySelectorAll<HTMLInputElement>(".tabs > input");

function choose(language: string): void {
  for (const input of inputs()) if (input.dataset["language"] === language) input.checked = true;
}

function keepLanguage(): void {
  const kept = localStorage.getItem("language");
  if (kept !== null) choose(kept);
  for (const input of inputs()) {
    input.addEventListener("change", () => {
      const language = input.dataset["language"] ?? "";
      const top = input.getBoundingClientRect().top;
      choose(language);
      localStorage.setItem("language", language);
      // The samples above may now have another height. Scrolls by the difference, so that this sample stays at
      // the same position on the screen.
      scrollBy(0, input.getBoundingClientRect().top - top);
    });
  }
}

/** Highlights the link of the visible section in "On this page" and in the navigation. */
function followReading(): void {
  const links = new Map<Element, HTMLAnchorElement>();
  for (const link of document.querySelectorAll<HTMLAnchorElement>(".on-this-page a, .operations a")) {
    const target = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (target !== null) links.set(target, link);
  }
  let current: HTMLAnchorElement | undefined;
  const mark = () => {
    const above = [...links.keys()].filter((target) => target.getBoundingClientRect().top < innerHeight / 3);
    const next = links.get(above.at(-1) ?? document.body);
    if (next === current) return;
    current?.classList.remove("reading");
    next?.classList.add("reading");
    current = next;
  };
  addEventListener("scroll", mark, { passive: true });
  mark();
}

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

// Closes the navigation on a phone after a click on a link.
const navigation = document.getElementById("navigation");
navigation?.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("a") && navigation.matches(":popover-open"))
    navigation.hidePopover();
});
const here = navigation?.querySelector<HTMLElement>("[aria-current]");
// Scrolls only the navigation, because `scrollIntoView` would also scroll the page.
if (navigation && here && here.offsetTop > innerHeight / 2) navigation.scrollTop = here.offsetTop - innerHeight / 3;

showOwnAddress();
keepLanguage();
followReading();
